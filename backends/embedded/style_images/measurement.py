"""Measures the detector: images outside the style that it lets through, and drawings it refuses.

Nothing that is measured here is learned from: the images of ``data/other_styles`` come from other
packages, synthetic images and drawings from other seeds, and some kinds of synthetic images are
only here.
"""

import csv
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from hallascope.backends.embedded.style_images import drawings, packages, synthetic
from hallascope.backends.embedded.style_images.file_changes import FileChanges, change_file

DATA = Path(__file__).parents[3] / "data"
OTHER_STYLES = DATA / "other_styles"
LABELED = DATA / "labelled" / "primer-diffusion" / "pictures"
SEED = "measured"
EACH_KIND = 10  # synthetic images of each kind
DRAWINGS = 600
ALTERED = 60


Accepts = Callable[[Image.Image], bool]
"""Says whether an image is taken for one in the style."""


class StyleImage(NamedTuple):
    """Holds an image that is measured: its kind in words, and the image."""

    kind: str
    image: Image.Image


class KindCount(NamedTuple):
    """Counts the images of a kind and those of them that are decided wrong."""

    kind: str
    images: int
    wrong: int


class StyleMeasurement(NamedTuple):
    """Holds the counts of images outside the style, wrong where let through, and of those in it."""

    outside: tuple[KindCount, ...]
    inside: tuple[KindCount, ...]


def measure_detector(
    accepts: Accepts, count: int = DRAWINGS, generated: int = 0, folder: Path | None = None
) -> StyleMeasurement:
    """Measure on the images that ship, on `count` drawings and on generated images.

    `generated` images of each diffusion model are made for it; `folder` holds further images
    outside the style.
    """
    outside = [*read_other_images(), *paint_other_images()]
    if folder:
        outside += read_folder(folder)
    return StyleMeasurement(
        outside=_count_wrong(outside, accepts, accepted_is_wrong=True),
        inside=_count_wrong(list(make_inside(count, generated)), accepts, accepted_is_wrong=False),
    )


def read_other_images() -> Iterator[StyleImage]:
    """Return the images outside the style that ship."""
    with (OTHER_STYLES / "sources.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            with Image.open(OTHER_STYLES / "images" / row["image"]) as image:
                yield StyleImage(row["kind"], image.convert("RGB"))


def paint_other_images() -> Iterator[StyleImage]:
    """Return synthetic images: kinds that are learned from, with other seeds, and other kinds."""
    for title, kinds in (
        ("synthetic", synthetic.TRAINED),
        ("synthetic, of kinds not learned from", synthetic.UNSEEN),
    ):
        for number in range(EACH_KIND * len(kinds)):
            yield StyleImage(title, synthetic.paint_image(number, SEED, kinds))


def read_folder(folder: Path) -> Iterator[StyleImage]:
    """Return the images of a folder of a person's own, larger than icons."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in packages.PIXELS and path.is_file():
            image = packages.open_image(path)
            if image is not None:
                yield StyleImage("of the folder", image.convert("RGB"))


def make_inside(count: int, generated: int) -> Iterator[StyleImage]:
    """Return images in the style, each as it is made and as a file that a person has changed."""
    chance = random.Random(f"{SEED} changes")
    for kind, image in _make_plain(count, generated):
        yield StyleImage(kind, image)
        yield StyleImage(f"{kind}, changed file", change_file(image, chance, FileChanges()))


def _make_plain(count: int, generated: int) -> Iterator[StyleImage]:
    for model, image in drawings.draw_images(count, SEED):
        yield StyleImage(model, image)
    for image in drawings.draw_altered(ALTERED, SEED):
        yield StyleImage("altered drawing", image)
    for path in sorted(LABELED.glob("*.webp")):
        with Image.open(path) as stored:
            yield StyleImage("labeled diffusion image", stored.convert("RGB"))
    for model in drawings.DIFFUSION if generated else ():
        for image in drawings.generate_images(model, generated, SEED):
            yield StyleImage(model, image)


def _count_wrong(
    images: Sequence[StyleImage], accepts: Accepts, *, accepted_is_wrong: bool
) -> tuple[KindCount, ...]:
    counts: dict[str, list[bool]] = {}
    for kind, image in images:
        wrong = accepts(image) == accepted_is_wrong
        counts.setdefault(kind, []).append(wrong)
    return tuple(KindCount(kind, len(wrong), sum(wrong)) for kind, wrong in counts.items())
