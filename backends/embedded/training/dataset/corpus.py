"""Draws captioned Primer pictures to train generators, with the part that each pixel shows.

``python -m hallascope.backends.embedded.training.dataset.corpus`` writes shards and goes on where
it was stopped. Every picture is factual; compositions that `held_out` names are never drawn, so
that what a model makes of them is its own.
"""

import argparse
import hashlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hallascope.backends.embedded.training.dataset import samples, shards
from hallascope.primer import scenes
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.scenes import Scene

SIZE = 128  # px
FOLDER = Path(f"runs/pictures-{SIZE}")
SAMPLES = 60_000
OPENINGS = ("a drawing of", "a picture of", "an image of", "an illustration of")
HELD_OUT = 10  # one composition in so many is held out
_PLACED = re.compile(r"translate\([^)]*\) rotate\([^)]*\) scale\([^)]*\)")


@dataclass(frozen=True, kw_only=True)
class CaptionedSample:
    """Holds one captioned picture, `pixels` (size, size, 3).

    `index` (size, size) is 0 for the backdrop, from 1 on the parts in `names`, each as (thing,
    part, which of the things). `parts` and `centers` (patches, patches) are numbers of
    `samples.part_numbers`: the part that covers most of a patch and the part with its center in it.
    """

    pixels: NDArray[np.uint8]
    caption: str
    index: NDArray[np.uint8]
    names: tuple[tuple[str, str, int], ...]
    parts: NDArray[np.int16]
    centers: NDArray[np.int16]


@dataclass(frozen=True)
class CaptionShard:
    """Holds samples: pixels (N, size, size, 3), `parts` and `centers` (N, grid, grid), captions."""

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    centers: NDArray[np.int16]
    captions: tuple[str, ...]


# --- what is kept out of training ---


def compositions(prompt: str) -> tuple[str, ...]:
    """Return what the prompt puts together; a lone thing is nothing.

    Put together are number and thing, color and shape, thing and thing, thing and change.
    """
    scene = scenes.parse(prompt)
    together = [f"change {scene.variation.phrase.lower()}"] if scene.variation else []
    for group in scene.groups:
        if group.count > 1:
            together.append(f"number {group.count} {group.concept.name}")
        if group.colour:
            together.append(f"color {group.colour} {group.concept.name}")
    if len(scene.groups) == 2:
        together.append("pair " + " + ".join(sorted(group.concept.name for group in scene.groups)))
    return tuple(together)


def held_out(prompt: str) -> bool:
    """Return whether the prompt puts something together that no training picture shows.

    Raises CannotDraw for other prompts.
    """
    hashes = (hashlib.sha256(c.encode()).hexdigest() for c in compositions(prompt))
    return any(int(digest, 16) % HELD_OUT == 0 for digest in hashes)


def training_prompt(chance: random.Random) -> str:
    """Return a prompt of the grammar that is not held out.

    Lone things are less frequent than in `sample_prompt`.
    """
    while True:
        prompt = scenes.sample_prompt(chance)
        scene = scenes.parse(prompt)
        lone = scene.alone and scene.variation is None
        if not held_out(prompt) and not (lone and chance.random() < 0.5):
            return prompt


# --- one sample ---


def patches_across(size: int) -> int:
    """Return how many patches, the tokens of the denoiser, a picture of `size` px has in a row."""
    return 8 if size <= SIZE else 16


def caption(prompt: str, chance: random.Random) -> str:
    """Return the prompt as people may write it: mostly as it is, else varied.

    Variants have an opening, lower case or a full stop.
    """
    if chance.random() < 0.15:
        prompt = f"{chance.choice(OPENINGS)} {prompt}"
    if chance.random() < 0.1:
        prompt = prompt.lower()
    return f"{prompt}." if chance.random() < 0.05 else prompt


def draw_sample(seed: int, size: int = SIZE) -> CaptionedSample:
    """Draw the sample of one seed: the same seed always gives the same sample."""
    chance = random.Random(f"corpus {seed}")
    prompt = training_prompt(chance)
    scene = scenes.parse(prompt)
    drawing = scene.draw(scene.truths(), f"corpus {seed}")
    pixels = np.asarray(drawing.image(size), dtype=np.uint8)
    parts, centers, _ = samples.patch_labels(drawing, pixels, size // patches_across(size))
    return CaptionedSample(
        pixels=pixels,
        caption=caption(prompt, chance),
        index=(drawing.part_map(size) + 1).astype(np.uint8),
        names=part_names(scene, drawing),
        parts=parts,
        centers=centers,
    )


def part_names(scene: Scene, drawing: Drawing) -> tuple[tuple[str, str, int], ...]:
    """Return owner, name and number of the thing of each part.

    The parts of one thing were placed by the same transform.
    """
    things: dict[str, int] = {}
    names = []
    for drawn in drawing.parts:
        placed = _PLACED.match(drawn.transform)
        thing = things.setdefault(placed.group() if placed else "", len(things) + 1)
        names.append((drawn.owner or scene.groups[0].concept.name, drawn.name, thing))
    return tuple(names)


# --- shards on disk ---


def write(
    folder: Path, count: int = SAMPLES, workers: int = 2, per_shard: int = 1000, size: int = SIZE
) -> None:
    """Draw samples 0..count-1; shards that are already there are kept."""
    samples.part_numbers()  # once, before the workers fork
    draw = partial(_draw_shard, size)
    shards.write(folder, count, draw, workers, per_shard, compressed=False)


def folder_of(size: int) -> Path:
    """Return where pictures of a size are kept."""
    return FOLDER.with_name(f"pictures-{size}")


def _draw_shard(size: int, seeds: range) -> shards.Arrays:
    drawn = [draw_sample(seed, size) for seed in seeds]
    return {
        "pixels": np.stack([s.pixels for s in drawn]),
        "index": np.stack([s.index for s in drawn]),
        "parts": np.stack([s.parts for s in drawn]),
        "centres": np.stack([s.centers for s in drawn]),
        "captions": np.array([s.caption for s in drawn]),
        "names": np.array([json.dumps(s.names) for s in drawn]),
    }


def read_shards(folder: Path, most: int | None = None) -> Iterator[CaptionShard]:
    """Return the shards of a folder in order, the first `most` of them."""
    return map(read_shard, shards.files(folder)[:most])


def read_shard(file: Path) -> CaptionShard:
    with np.load(file) as shard:
        return CaptionShard(
            shard["pixels"],
            shard["parts"],
            shard["centres"],
            tuple(str(c) for c in shard["captions"]),
        )


def read_first_pictures(folder: Path, count: int) -> Iterator[CaptionShard]:
    """Return whole shards in order until they hold the first `count` pictures of a folder."""
    for shard in read_shards(folder):
        if count <= 0:
            return
        yield shard
        count -= len(shard.captions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--out", type=Path, help="runs/pictures-SIZE where it is not named")
    options = parser.parse_args()
    folder = options.out or folder_of(options.size)
    write(folder, options.samples, options.workers, size=options.size)


if __name__ == "__main__":
    main()
