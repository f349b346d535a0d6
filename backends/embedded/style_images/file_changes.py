"""Changes an image as people do before they upload it: crops, borders, sizes and file formats."""

import io
import random
from typing import NamedTuple

from PIL import Image, ImageOps

RESAMPLING = (
    Image.Resampling.NEAREST,
    Image.Resampling.BILINEAR,
    Image.Resampling.BICUBIC,
    Image.Resampling.LANCZOS,
)
BORDERS = ("#ffffff", "#000000", "#808080", "#dddddd", "#2b2b2b")


class FileChanges(NamedTuple):
    """Says how strongly images are changed.

    `crop` is the least share of each side that a crop keeps, `quality` the lowest quality of a
    JPEG or WebP file, `sides` the smallest and largest side in px.
    """

    crop: float = 0.9
    quality: int = 60
    sides: tuple[int, int] = (128, 1024)


TRAINED = FileChanges(crop=0.85, quality=35, sides=(96, 1024))


def change_file(image: Image.Image, chance: random.Random, how: FileChanges) -> Image.Image:
    """Return the image cropped, with a border, resized and saved, each by chance."""
    changed = image.convert("RGB")
    if chance.random() < 0.4:
        changed = crop_part(changed, chance, how.crop)
    if chance.random() < 0.2:
        width = max(1, round(max(changed.size) * chance.uniform(0.003, 0.03)))
        changed = ImageOps.expand(changed, width, chance.choice(BORDERS))
    if chance.random() < 0.75:
        changed = resize_longest(changed, chance, how.sides)
    return save_as_file(changed, chance, how.quality)


def crop_part(image: Image.Image, chance: random.Random, least: float) -> Image.Image:
    """Return a part of the image that keeps at least a share `least` of each side."""
    width = max(1, round(image.width * chance.uniform(least, 1.0)))
    height = max(1, round(image.height * chance.uniform(least, 1.0)))
    left = chance.randint(0, image.width - width)
    top = chance.randint(0, image.height - height)
    return image.crop((left, top, left + width, top + height))


def resize_longest(
    image: Image.Image, chance: random.Random, sides: tuple[int, int]
) -> Image.Image:
    """Return the image with a longest side by chance between two, small ones as often as large."""
    low, high = sides
    longest = low * (high / low) ** chance.random()
    scale = longest / max(image.size)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.resize(size, chance.choice(RESAMPLING))


def save_as_file(image: Image.Image, chance: random.Random, quality: int) -> Image.Image:
    """Return the image as it is read from a JPEG, WebP or PNG file."""
    kind = chance.choice(("JPEG", "JPEG", "WEBP", "PNG"))
    if kind == "PNG":
        return image
    stream = io.BytesIO()
    image.save(stream, kind, quality=chance.randint(quality, 95))
    return Image.open(stream).convert("RGB")
