"""Paints images that are not Primer's: fields of color, noise, shapes, lines and words over them.

Nothing is read from a file.
"""

import math
import random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SIZE = 384  # px
KINDS = ("ellipse", "rectangle", "polygon", "line", "words")
WORDS = "the model image judge answer score table figure result data question error each of with"


def paint(chance: random.Random) -> Image.Image:
    """Paint a ground with nothing to many shapes, lines and words, in order as of a page or wild.

    Few kinds in order are alike a chart, a page of text or a window of a program; large shapes with
    an outline are alike a cartoon.
    """
    image = paint_ground(chance)
    draw = ImageDraw.Draw(image)
    kinds = chance.sample(KINDS, chance.randint(1, 3))
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
                text = " ".join(chance.choices(WORDS.split(), k=chance.randint(1, 9)))
                draw.text((x, y), text, color, ImageFont.load_default(max(8, h / 3)))
    if chance.random() < 0.1:
        image = image.filter(ImageFilter.GaussianBlur(chance.uniform(1, 24)))
    return image


def paint_ground(chance: random.Random) -> Image.Image:
    """Paint a plain color, or a field in a few colors: noise, rings, stripes, clouds and more."""
    numbers = np.random.default_rng(chance.randrange(2**32))
    y, x = np.mgrid[0 : 1 : SIZE * 1j, 0 : 1 : SIZE * 1j]
    turn = 2 * math.pi * chance.random()
    along = x * math.cos(turn) + y * math.sin(turn)
    match chance.choice(("white", "plain", "noise", "gradient", "rings", "stripes", "clouds")):
        case "white":
            return Image.new("RGB", (SIZE, SIZE), "white")
        case "plain":
            return Image.new("RGB", (SIZE, SIZE), _color(chance))
        case "gradient":
            field = along
        case "rings":
            field = np.hypot(x - chance.random(), y - chance.random())
        case "stripes":
            field = np.sin(along * chance.uniform(10, 160))
        case kind:
            cells = chance.choice((4, 16, 48, 192))
            smooth = Image.Resampling.BICUBIC if kind == "clouds" else Image.Resampling.NEAREST
            noise = Image.fromarray(numbers.random((cells, cells)).astype(np.float32))
            field = np.asarray(noise.resize((SIZE, SIZE), smooth))
    if chance.random() < 0.3:
        field = np.sign(field - field.mean())
    colors = np.array([_color(chance) for _ in range(chance.randint(2, 6))])
    places = np.linspace(field.min(), field.max(), len(colors))
    channels = [np.interp(field, places, channel) for channel in colors.T]
    return Image.fromarray(np.stack(channels, axis=-1).astype(np.uint8))


def _color(chance: random.Random) -> tuple[int, int, int]:
    return (chance.randrange(256), chance.randrange(256), chance.randrange(256))
