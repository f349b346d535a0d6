"""Makes the images that the detector must refuse from those of packages and from synthetic ones."""

import random
from collections.abc import Sequence

from PIL import Image

from hallascope.backends.embedded.style_images import synthetic
from hallascope.backends.embedded.style_images.file_changes import crop_part
from hallascope.primer.compose import compose
from hallascope.primer.drawing.backdrops import SCENES
from hallascope.primer.drawing.parts import Art

SIZE = 512  # px of a ground on which cut-out images are put


def is_cut_out(image: Image.Image) -> bool:
    """Return whether a tenth or more of an RGBA image is transparent."""
    alpha = image.getchannel("A").histogram()
    return sum(alpha[:128]) >= 0.1 * sum(alpha)


def show_image(image: Image.Image, chance: random.Random, backdrops: bool = True) -> Image.Image:
    """Return an RGBA image as it may be met: a part of it, or cut-out things on some ground.

    Without `backdrops` the ground is none of Primer's.
    """
    if not is_cut_out(image):
        opaque = _flatten(image, (255, 255, 255))
        return crop_part(opaque, chance, chance.choice((0.25, 0.5, 0.9)))
    if chance.random() < 0.3:
        return _flatten(image, chance.choice(((255, 255, 255), (255, 255, 255), (0, 0, 0))))
    ground = make_ground(chance, backdrops)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        side = chance.uniform(0.3, 0.95) * SIZE
        scale = side / max(image.size)
        size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
        cut_out = image.resize(size, Image.Resampling.BICUBIC)
        place = (chance.randint(0, SIZE - size[0]), chance.randint(0, SIZE - size[1]))
        ground.paste(cut_out, place, cut_out)
    return ground


def make_ground(chance: random.Random, backdrops: bool) -> Image.Image:
    """Return a ground: white, a color, a synthetic image, or a backdrop of Primer with nothing."""
    kinds = ["white", "color", "synthetic"]
    if backdrops:
        kinds += ["backdrop", "backdrop"]
    kind = chance.choice(kinds)
    if kind == "white":
        return Image.new("RGB", (SIZE, SIZE), "white")
    if kind == "color":
        return Image.new("RGB", (SIZE, SIZE), tuple(chance.randrange(256) for _ in range(3)))
    if kind == "synthetic":
        painters = {name: synthetic.TRAINED[name] for name in ("gradient", "clouds", "cartoon")}
        number, seed = chance.randrange(3), str(chance.random())
        return synthetic.paint_image(number, seed, painters).resize((SIZE, SIZE))
    scene = "plain" if chance.random() < 0.5 else chance.choice(sorted(SCENES))
    return compose([], scene, Art(str(chance.random()))).image(SIZE)


def make_collage(images: Sequence[Image.Image], chance: random.Random) -> Image.Image:
    """Return a grid of 2 x 2 or 3 x 3 parts of images."""
    across = chance.choice((2, 3))
    side = SIZE // across
    collage = Image.new("RGB", (across * side, across * side))
    for row in range(across):
        for column in range(across):
            piece = show_image(chance.choice(images), chance).resize((side, side))
            collage.paste(piece, (column * side, row * side))
    return collage


def _flatten(image: Image.Image, ground: tuple[int, int, int]) -> Image.Image:
    flat = Image.new("RGB", image.size, ground)
    flat.paste(image, (0, 0), image)
    return flat
