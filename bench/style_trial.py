"""Measures how often the judge that ships scores an image outside Primer's drawn style.

``python -m bench.style_trial`` prints that and how often it refuses an image in the style; it exits
with 1 where either is more than 1 %. The images of ``bench/other_styles``, and drawings and
generated images of these seeds, are never learned from.
"""

import argparse
import csv
import hashlib
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from PIL import Image
from scipy.stats import binomtest

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
OUTSIDE = "images outside the style"
INSIDE = "images in the style"

Accepts = Callable[[Image.Image], bool]
"""Says whether an image is taken for one in the style."""


def measure(
    accepts: Accepts, drawings: int = DRAWINGS, generated: int = 0, folder: Path | None = None
) -> pd.DataFrame:
    """Return a row a kind: sort, kind, images, and how many of them are decided wrong.

    It is measured on the images that ship, on drawings, on `generated` images of each diffusion
    model, and on the images of a folder outside the style.
    """
    outside = ((OUTSIDE, kind, accepts(image)) for kind, image in outside_images(folder))
    inside = ((INSIDE, kind, not accepts(one)) for kind, one in inside_images(drawings, generated))
    decided = pd.DataFrame([*outside, *inside], columns=["sort", "kind", "wrong"])
    kinds = decided.groupby(["sort", "kind"], sort=False)["wrong"]
    return kinds.agg(images="size", wrong="sum").reset_index()


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


def inside_images(drawings: int, generated: int) -> Iterator[tuple[str, Image.Image]]:
    """Return images in the style, each as it is made and as a file that a person has changed."""
    chance = random.Random(f"{SEED} changes")
    for kind, image in _plain_images(drawings, generated):
        yield kind, image
        yield f"{kind}, changed file", style_images.change_file(image, chance)


def _plain_images(drawings: int, generated: int) -> Iterator[tuple[str, Image.Image]]:
    for number in range(drawings):
        yield style_images.draw_image(number, SEED)
    for number in range(ALTERED):
        yield "altered drawing", style_images.draw_altered(number, SEED)
    for image in style_images.labeled_images():
        yield "labeled diffusion image", image
    for model in style_images.DIFFUSION:
        for number in range(generated):
            yield model, style_images.generate_image(model, number, SEED)


def wrong_share(kinds: pd.DataFrame) -> float:
    """Return the share of all images of some kinds that are decided wrong."""
    return float(kinds["wrong"].sum() / kinds["images"].sum())


def print_table(title: str, kinds: pd.DataFrame) -> None:
    """Print the counts of each kind and of all, with 95 % intervals by Wilson (1927)."""
    whole = pd.DataFrame([{"kind": "all", **kinds[["images", "wrong"]].sum()}])
    table = pd.concat([kinds[["kind", "images", "wrong"]], whole], ignore_index=True)
    table["share"] = table["wrong"] / table["images"]
    intervals = [
        binomtest(wrong, images).proportion_ci(method="wilson")
        for wrong, images in table[["wrong", "images"]].to_numpy(int).tolist()
    ]
    table["95 % interval"] = [f"{one.low:.2%} to {one.high:.2%}" for one in intervals]
    table = table.rename(columns={"kind": title})
    print(table.to_string(index=False, formatters={"share": "{:.2%}".format}), "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawings", type=int, default=DRAWINGS, help="how many are made")
    parser.add_argument("--generated", type=int, default=0, help="also by each diffusion model")
    parser.add_argument("--folder", type=Path, help="more images outside the style")
    options = parser.parse_args()
    if options.folder and not options.folder.is_dir():
        parser.error(f"There is no folder {str(options.folder)!r}: name one that holds images.")
    judge: Any = registry.load(read_models()["primer/judge"])
    with tempfile.TemporaryDirectory() as kept:
        path = Path(kept) / "image.png"

        def accepts(image: Image.Image) -> bool:
            image.save(path)
            sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
            return judge.check_domain(Picture(sha256, path)) is None

        kinds = measure(accepts, **vars(options))
    sorts = [(title, kinds[kinds["sort"] == title]) for title in (OUTSIDE, INSIDE)]
    for title, some in sorts:
        print_table(title, some)
    sys.exit(any(wrong_share(some) > MOST for _, some in sorts))


if __name__ == "__main__":
    main()
