"""Makes the folder of images outside Primer's style that the detector is measured on.

``python -m hallascope.backends.embedded.training.domain.measured_images FOLDER`` reads packages
that are unpacked in a folder, each in a folder of its name: none of them is learned from. It writes
small WebP files into ``data/other_styles/images``, and ``sources.csv`` with the package, the file
and the licence of each.
"""

import argparse
import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageStat

from hallascope.backends.embedded.style_images import packages
from hallascope.backends.embedded.training.domain import other_images

OUT = Path(__file__).parents[4] / "data" / "other_styles"
SIDE = 160  # px of the longest side
CLIP_ART = "openclipart-png"
COLLAGES = 24
BLANK = 4.0  # levels of 255
# The images of scikit-image whose authors gave them into the public domain, as it says of each.
PUBLIC_DOMAIN = (
    "astronaut",
    "brick",
    "camera",
    "cell",
    "chelsea",
    "clock_motion",
    "coffee",
    "grass",
    "gravel",
    "hubble_deep_field",
    "motorcycle_left",
    "retina",
    "rocket",
    "text",
)


class ImageSource(NamedTuple):
    """Names where images are taken from: a package, a folder of it, its licence and their kind.

    At most `most` files, `only` those of these names where it names any; `versions` of each.
    """

    package: str
    folder: str
    licence: str
    kind: str
    most: int
    versions: int
    only: tuple[str, ...] = ()


SOURCES = (
    ImageSource(CLIP_ART, "usr/share/openclipart/png", "Public domain", "clip art", 270, 1),
    ImageSource(
        "scikit-image",
        "skimage/data",
        "CC0 or public domain",
        "photograph",
        30,
        5,
        only=PUBLIC_DOMAIN,
    ),
    ImageSource("scikit-learn", "sklearn/datasets/images", "CC-BY-2.0", "photograph", 2, 5),
)


class OtherImage(NamedTuple):
    """Holds an image outside the style: what it is, and the file it comes from."""

    image: Image.Image
    kind: str
    source: ImageSource
    file: str


def make_images(folder: Path) -> Iterator[OtherImage]:
    """Return parts of photographs, clip art on grounds, and collages, in a fixed order."""
    chance = random.Random("measured")
    photographs: list[Image.Image] = []
    for source in SOURCES:
        found = 0
        root = folder / source.package / source.folder
        for path in packages.image_files(root, 10_000, "measured"):
            image = packages.open_image(path)
            if image is None or (source.only and path.stem not in source.only):
                continue
            if source.kind == "photograph":
                photographs.append(image)
            for _ in range(source.versions):
                shown = other_images.show_image(image, chance, backdrops=False)
                if is_blank(shown):
                    continue
                yield OtherImage(shown, source.kind, source, path.relative_to(root).as_posix())
            found += 1
            if found == source.most:
                break
    for _ in range(COLLAGES):
        collage = other_images.make_collage(photographs, chance)
        yield OtherImage(collage, "collage", SOURCES[1], "several")


def is_blank(image: Image.Image) -> bool:
    """Return whether an image shows next to nothing: black things on a black ground, say."""
    return max(ImageStat.Stat(image).stddev) < BLANK


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="packages, each in a folder of its name")
    folder = parser.parse_args().folder
    images = OUT / "images"
    images.mkdir(parents=True, exist_ok=True)
    with (OUT / "sources.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("image", "kind", "package", "file", "licence"))
        for number, made in enumerate(make_images(folder)):
            small = made.image.convert("RGB")
            small.thumbnail((SIDE, SIDE))
            name = f"{number:03}.webp"
            small.save(images / name, "WEBP", quality=85, method=6)
            table.writerow((name, made.kind, made.source.package, made.file, made.source.licence))


if __name__ == "__main__":
    main()
