"""Makes images in Primer's style and others, and changes them as people change files."""

import io
import math
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

import hallascope.data
from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Generate, Generated
from hallascope.primer import scenes
from hallascope.primer.compose import compose
from hallascope.primer.drawing.backdrops import SCENES
from hallascope.primer.drawing.parts import Art
from hallascope.primer.teaching.alterations import draw_alteration, sample_alteration
from training import packages

SIZE = 512  # px, as the draughtsmen draw
# The shares of violated facts of the models exact, careful, hasty and careless.
VIOLATED = {"exact": 0.0, "careful": 0.15, "hasty": 0.4, "careless": 0.75}
DIFFUSION = ("primer/diffusion-small", "primer/diffusion-tiny")
LABELED = Path(hallascope.data.__file__).parent / "labelled" / "primer-diffusion" / "pictures"
BORDERS = ("#ffffff", "#000000", "#808080", "#dddddd", "#2b2b2b")
RESAMPLING = (
    Image.Resampling.NEAREST,
    Image.Resampling.BILINEAR,
    Image.Resampling.BICUBIC,
    Image.Resampling.LANCZOS,
)


# --- in the style ---


def draw_image(number: int, seed: str) -> tuple[str, Image.Image]:
    """Draw a prompt, every concept and variation first, with its facts violated by chance.

    It comes with the name of the model that would draw it so.
    """
    every = scenes.prompts()
    chance = random.Random(f"style {seed} {number}")
    prompt = every[number] if number < len(every) else scenes.sample_prompt(chance)
    scene = scenes.parse(prompt)
    kind = list(VIOLATED)[(number + number // len(every)) % len(VIOLATED)]
    values = scenes.violate(scene, VIOLATED[kind], chance)
    return f"primer/{kind}", scene.draw(values, f"style {seed} {number}").image(SIZE)


def draw_altered(number: int, seed: str) -> Image.Image:
    """Draw a concept of which a person has changed some facts."""
    alteration = sample_alteration(random.Random(f"altered {seed} {number}"))
    return draw_alteration(alteration).drawing.image(SIZE)


def generate_image(model: str, number: int, seed: str) -> Image.Image:
    """Generate an image with a diffusion model: every second of a concept, others by chance."""
    every = scenes.prompts()
    chance = random.Random(f"{seed} {model} {number}")
    prompt = scenes.sample_prompt(chance) if number % 2 else every[number % len(every)]
    request = Generate(prompt=prompt, seed=chance.randrange(2**31))
    (reply,) = _load_generator(model).generate([request])
    assert isinstance(reply, Generated), reply
    return Image.open(io.BytesIO(reply.png)).convert("RGB")


@cache
def _load_generator(model: str) -> Any:
    return registry.load(read_models()[model])


def labeled_images() -> Iterator[Image.Image]:
    """Return the labeled images of the diffusion models."""
    for path in sorted(LABELED.glob("*.webp")):
        with Image.open(path) as image:
            yield image.convert("RGB")


# --- outside the style ---


def show_image(image: Image.Image, chance: random.Random, backdrops: bool) -> Image.Image:
    """Return an RGBA image as it may be met: a part of it, or cut-out things on some ground.

    Without `backdrops` the ground is none of Primer's.
    """
    alpha = image.getchannel("A").histogram()
    if sum(alpha[:128]) < 0.1 * sum(alpha):
        return crop_part(image.convert("RGB"), chance, chance.choice((0.25, 0.5, 0.9)))
    if backdrops and chance.random() < 0.3:
        scene = "plain" if chance.random() < 0.5 else chance.choice(sorted(SCENES))
        ground = compose([], scene, Art(str(chance.random()))).image(SIZE)
    else:
        ground = paint_ground(chance)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        scale = chance.uniform(0.3, 0.95) * SIZE / max(image.size)
        width, height = (max(1, round(side * scale)) for side in image.size)
        cut_out = image.resize((width, height), Image.Resampling.BICUBIC)
        place = (chance.randint(0, SIZE - width), chance.randint(0, SIZE - height))
        ground.paste(cut_out, place, cut_out)
    return ground


def read_other(folder: Path, is_learned: bool, chance: random.Random) -> Image.Image:
    """Return a random image of the packages in a folder as it may be met."""
    files = packages.image_files(folder, is_learned)
    while (image := packages.open_image(chance.choice(files))) is None:
        pass
    return show_image(image, chance, backdrops=is_learned)


# --- painted ---


def paint(chance: random.Random) -> Image.Image:
    """Paint a ground with nothing to many shapes, lines and words, in order as of a page or wild.

    Few kinds in order are alike a chart, a page of text or a window of a program; large shapes with
    an outline are alike a cartoon.
    """
    image = paint_ground(chance)
    draw = ImageDraw.Draw(image)
    kinds = chance.sample(
        ("ellipse", "rectangle", "polygon", "line", "words"), chance.randint(1, 3)
    )
    ink = chance.choice((None, (0, 0, 0), _color(chance)))
    wide = chance.randint(1, 5)
    raster = chance.choice((1, 1, 12, 24, 48, 96))
    largest = chance.choice((16, 60, 200))
    for _ in range(chance.choice((0, 3, 6, 12, 40, 120))):
        x, y = (chance.randrange(-largest, SIZE) // raster * raster for _ in range(2))
        w, h = (max(6, chance.randint(1, largest) // raster * raster) for _ in range(2))
        box = (x, y, x + w, y + h)
        color = _color(chance)
        match chance.choice(kinds):
            case "ellipse":
                draw.ellipse(box, color, ink, wide)
            case "rectangle":
                draw.rounded_rectangle(box, chance.choice((0, 0, 3)), color, ink, wide)
            case "polygon":
                corners = chance.choice((3, 4, 5, 6, 8))
                draw.regular_polygon((x, y, w), corners, chance.randrange(360), color, ink)
            case "line":
                draw.line(chance.choice((box, (x, y, x + w, y), (x, y, x, y + h))), color, wide)
            case _:
                text = chance.choice(scenes.prompts())
                draw.text((x, y), text, color, ImageFont.load_default(max(8, h / 3)))
    if chance.random() < 0.1:
        return image.filter(ImageFilter.GaussianBlur(chance.uniform(1, 24)))
    return image


def paint_ground(chance: random.Random) -> Image.Image:
    """Paint a plain color, or a field in a few colors: rings, stripes, clouds, noise and more."""
    if chance.random() < 0.3:
        return Image.new("RGB", (SIZE, SIZE), chance.choice(("white", _color(chance))))
    y, x = np.mgrid[0 : 1 : SIZE * 1j, 0 : 1 : SIZE * 1j]
    turn = 2 * math.pi * chance.random()
    along = x * math.cos(turn) + y * math.sin(turn)
    match chance.choice(("gradient", "rings", "stripes", "clouds")):
        case "gradient":
            field = along
        case "rings":
            field = np.hypot(x - chance.random(), y - chance.random())
        case "stripes":
            field = np.sin(along * chance.uniform(10, 160))
        case _:
            cells = chance.choice((4, 16, 48, 192, SIZE))
            numbers = np.random.default_rng(chance.randrange(2**32)).random((cells, cells))
            noise = Image.fromarray(numbers.astype(np.float32))
            field = np.asarray(noise.resize((SIZE, SIZE), chance.choice(RESAMPLING)))
    if chance.random() < 0.3:
        field = np.sign(field - field.mean())
    colors = np.array([_color(chance) for _ in range(chance.randint(2, 6))])
    places = np.linspace(field.min(), field.max(), len(colors))
    channels = [np.interp(field, places, channel) for channel in colors.T]
    return Image.fromarray(np.stack(channels, axis=-1).astype(np.uint8))


def _color(chance: random.Random) -> tuple[int, int, int]:
    return (chance.randrange(256), chance.randrange(256), chance.randrange(256))


# --- files ---


def change_file(
    image: Image.Image,
    chance: random.Random,
    *,
    crop: float = 0.9,
    quality: int = 60,
    sides: tuple[int, int] = (128, 1024),
) -> Image.Image:
    """Return the image cropped, with a border, resized and saved, each by chance.

    `crop` is the least share of each side that a crop keeps, `quality` the lowest quality of a
    JPEG or WebP file, `sides` the smallest and largest side in px.
    """
    changed = image.convert("RGB")
    if chance.random() < 0.4:
        changed = crop_part(changed, chance, crop)
    if chance.random() < 0.2:
        width = max(1, round(max(changed.size) * chance.uniform(0.003, 0.03)))
        changed = ImageOps.expand(changed, width, chance.choice(BORDERS))
    if chance.random() < 0.75:
        # Small sides are as frequent as large ones.
        low, high = sides
        scale = low * (high / low) ** chance.random() / max(changed.size)
        width, height = (max(1, round(side * scale)) for side in changed.size)
        changed = changed.resize((width, height), chance.choice(RESAMPLING))
    kind = chance.choice(("JPEG", "JPEG", "WEBP", "PNG"))
    if kind == "PNG":
        return changed
    stream = io.BytesIO()
    changed.save(stream, kind, quality=chance.randint(quality, 95))
    return Image.open(stream).convert("RGB")


def crop_part(image: Image.Image, chance: random.Random, least: float) -> Image.Image:
    """Return a part of the image that keeps at least a share `least` of each side."""
    width = max(1, round(image.width * chance.uniform(least, 1.0)))
    height = max(1, round(image.height * chance.uniform(least, 1.0)))
    left = chance.randint(0, image.width - width)
    top = chance.randint(0, image.height - height)
    return image.crop((left, top, left + width, top + height))
