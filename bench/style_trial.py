"""Measures how often the judge that ships scores an image outside Primer's drawn style.

``python -m bench.style_trial`` prints that and how often it refuses an image in the style; it exits
with 1 where either is more than 1 %. The images of ``bench/other_styles`` and drawings of these
seeds are never learned from. The labeled diffusion images are among those that the judge's feature
domain is fitted to, and only the network has not seen them: they count in no sum.
"""

import csv
import hashlib
import itertools
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer
from PIL import Image
from scipy.stats import binomtest

from bench.measuring import JsonOption, launch, show
from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from training import packages, style_images

OTHER_STYLES = Path(__file__).parent / "other_styles"
SEED = "measured"
DRAWINGS = 600
ALTERED = 60
PAINTED = 120
MOST = 0.01  # the share of wrong decisions, of each sort, above which the command fails
FITTED = "labeled diffusion image"
OUTSIDE, INSIDE = "outside the style", "in the style"

Accepts = Callable[[Image.Image], bool]
"""Says whether an image is taken for one in the style."""


def measure(
    accepts: Accepts, drawings: int = DRAWINGS, folder: Path | None = None
) -> dict[str, pd.DataFrame]:
    """Return for both sorts a row a kind: how many images, and how many are decided wrong."""
    decided = {
        OUTSIDE: [(kind, accepts(image)) for kind, image in outside_images(folder)],
        INSIDE: [(kind, not accepts(image)) for kind, image in inside_images(drawings)],
    }
    return {
        sort: pd.DataFrame(kinds, columns=["kind", "wrong"])
        .groupby("kind", sort=False)
        .agg(images=("wrong", "size"), wrong=("wrong", "sum"))
        for sort, kinds in decided.items()
    }


def outside_images(folder: Path | None) -> Iterator[tuple[str, Image.Image]]:
    """Return the images outside the style that ship, painted ones, and those of a folder.

    Icons of the folder are left out.
    """
    with (OTHER_STYLES / "sources.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            with Image.open(OTHER_STYLES / "images" / row["image"]) as image:
                yield row["kind"], image.convert("RGB")
    for number in range(PAINTED):
        yield "painted", style_images.paint(random.Random(f"{SEED} painted {number}"))
    for path in sorted(folder.rglob("*")) if folder else ():
        if path.suffix.lower() in packages.SUFFIXES and (opened := packages.open_image(path)):
            yield "of the folder", opened.convert("RGB")


def inside_images(drawings: int) -> Iterator[tuple[str, Image.Image]]:
    """Return images in the style, each as it is made and as a file that a person has changed."""
    chance = random.Random(f"{SEED} changes")
    made = itertools.chain(
        (style_images.draw_image(number, SEED) for number in range(drawings)),
        (("altered drawing", style_images.draw_altered(one, SEED)) for one in range(ALTERED)),
        ((FITTED, image) for image in style_images.labeled_images()),
    )
    for kind, image in made:
        yield kind, image
        yield f"{kind}, changed file", style_images.change_file(image, chance)


def main(
    drawings: Annotated[int, typer.Option(help="How many are made.")] = DRAWINGS,
    folder: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Also of these images.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    judge: Any = registry.load(read_models()["primer/judge"])
    with tempfile.TemporaryDirectory() as kept:
        path = Path(kept) / "image.png"

        def accepts(image: Image.Image) -> bool:
            image.save(path)
            sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
            return judge.check_domain(Picture(sha256, path)) is None

        sorts = measure(accepts, drawings, folder)
    rows: list[dict[str, Any]] = []
    is_missed = False
    for sort, kinds in sorts.items():
        unseen = kinds[~kinds.index.str.startswith(FITTED)].sum()
        is_missed |= unseen["wrong"] > MOST * unseen["images"]
        for kind, images, wrong in (*kinds.itertuples(), (f"all {sort}", *unseen.tolist())):
            # by Wilson (1927)
            low, high = binomtest(wrong, images).proportion_ci(method="wilson")
            row = {"images": kind, "of": images, "wrong": wrong, "share": wrong / images}
            rows.append(row | {"low": low, "high": high})
    show(rows, as_json)
    sys.exit(int(is_missed))


if __name__ == "__main__":
    launch(main)
