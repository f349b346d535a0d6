"""Primer pictures with what each of their pixels shows, in memory.

It knows no phrases and no model.

The corpus holds factual pictures. Beside them, pictures with violated facts and crowds of up to six
things are drawn: the eyes have to see what a generator gets wrong as well.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hallascope.backends.embedded.training.dataset import corpus, shards
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import FactValue, FactValues

SIZE = corpus.SIZE  # px
WRONG = Path(f"runs/pictures-{SIZE}-wrong")
SAMPLES = 16_000
VIOLATED = (0.25, 0.5, 0.85)  # shares of violated facts, evenly mixed
CROWDED, CROWD = 0.35, 6  # share of the pictures with one to so many things of one kind
DRAWN_LARGER = (
    160,
    256,
    512,
)  # px: half of the pictures are reduced from one of these, as a processor does
MOST_PARTS = 255  # a pixel names its part in one byte
SHAPE_NAMES = frozenset(shape.name for shape in SHAPES)


class DrawnPart(NamedTuple):
    """Describes a drawn part: its owner, its name, its thing's number, and a plain shape's color.

    Things are numbered from 1 on.
    """

    thing: str
    part: str
    number: int
    colour: str | None = None


@dataclass(frozen=True, eq=False)
class LabeledImage:
    """One picture: `pixels` (size, size, 3).

    `index` (size, size), 0 the backdrop, from 1 on the parts in `drawn`.
    """

    pixels: NDArray[np.uint8]
    index: NDArray[np.uint8]
    drawn: tuple[DrawnPart, ...]
    caption: str = ""


class LabeledImages:
    """Many labelled pictures of one size: `pixels` (N, size, size, 3), `index` (N, size, size)."""

    def __init__(self, count: int, size: int = SIZE) -> None:
        self.pixels = np.zeros((count, size, size, 3), np.uint8)
        self.index = np.zeros((count, size, size), np.uint8)
        self.drawn: list[tuple[DrawnPart, ...]] = []
        self.captions: list[str] = []

    @classmethod
    def from_images(cls, labelled: Sequence[LabeledImage]) -> "LabeledImages":
        """At least one picture."""
        made = cls(len(labelled), len(labelled[0].index))
        for one in labelled:
            made.add(one.pixels[None], one.index[None], [one.drawn], [one.caption])
        return made

    def add(
        self,
        pixels: NDArray[np.uint8],
        index: NDArray[np.uint8],
        drawn: Sequence[tuple[DrawnPart, ...]],
        captions: Sequence[str],
    ) -> None:
        """Put as many of these pictures behind the others as there is room for."""
        at = len(self.drawn)
        room = len(self.pixels) - at
        self.pixels[at : at + len(pixels)] = pixels[:room]
        self.index[at : at + len(index)] = index[:room]
        self.drawn.extend(drawn[:room])
        self.captions.extend(captions[:room])

    def drop_rows(self, rows: Sequence[int]) -> "LabeledImages":
        """The others, in their order; the arrays of this one are used up."""
        left = sorted(set(range(len(self))) - set(rows))
        for at, row in enumerate(left):  # in place: no second copy of gigabytes
            self.pixels[at], self.index[at] = self.pixels[row], self.index[row]
        other = LabeledImages(0)
        other.pixels, other.index = self.pixels[: len(left)], self.index[: len(left)]
        other.drawn, other.captions = (
            [self.drawn[row] for row in left],
            [self.captions[row] for row in left],
        )
        return other

    def __len__(self) -> int:
        return len(self.drawn)

    def __getitem__(self, row: int) -> LabeledImage:
        return LabeledImage(self.pixels[row], self.index[row], self.drawn[row], self.captions[row])

    def __iter__(self) -> Iterator[LabeledImage]:
        return (self[row] for row in range(len(self)))


def load(folders: Sequence[tuple[Path, int]], size: int = SIZE) -> LabeledImages:
    """The first so many pictures of each folder of shards.

    The colors of shapes are read off captions where shards do not say them.
    """
    counts = [
        min(most, sum(len(shard) for shard in _captions(folder, most))) for folder, most in folders
    ]
    held = LabeledImages(sum(counts), size)
    for (folder, _), count in zip(folders, counts, strict=True):
        before = len(held)
        for file in shards.files(folder):
            left = count - (len(held) - before)
            if left <= 0:
                break
            with np.load(file) as shard:
                captions = [str(c) for c in shard["captions"][:left]]
                drawn = [
                    _parse_parts(names, caption)
                    for names, caption in zip(shard["names"], captions, strict=False)
                ]
                held.add(shard["pixels"][:left], shard["index"][:left], drawn, captions)
    return held


def _captions(folder: Path, most: int) -> Iterator[NDArray[np.str_]]:
    seen = 0
    for file in shards.files(folder):
        if seen >= most:
            return
        with np.load(file) as shard:
            yield shard["captions"]
            seen += len(shard["captions"])


_SAME: dict[DrawnPart, DrawnPart] = {}  # equal parts of all pictures are held once


def _parse_parts(names: str, caption: str) -> tuple[DrawnPart, ...]:
    listed = json.loads(str(names))
    colours = {} if not listed or len(listed[0]) == 4 else _caption_colors(caption)
    found = []
    for thing, part, number, *colour in listed:
        drawn = DrawnPart(thing, part, number, colour[0] if colour else colours.get(thing))
        found.append(_SAME.setdefault(drawn, drawn))
    return tuple(found)


def _caption_colors(caption: str) -> dict[str, str]:
    return {
        group.concept.name: group.colour for group in scenes.parse(caption).groups if group.colour
    }


# --- drawing
# --------------------------------------------------------------------------------------------------


def label(
    scene: Scene, values: FactValues, seed: str, size: int = SIZE, drawn_at: int | None = None
) -> LabeledImage:
    """The scene with these values; `drawn_at` px and then reduced where that is given.

    Raises ValueError for too many parts.
    """
    drawing = scene.draw(values, seed)
    if len(drawing.parts) > MOST_PARTS:
        raise ValueError(
            f"The picture of {scene.prompt!r} has {len(drawing.parts)} parts: label pictures of at"
            f" most {MOST_PARTS}."
        )
    image = drawing.image(drawn_at or size)
    pixels = np.asarray(
        image if image.width == size else image.resize((size, size), Image.Resampling.BICUBIC),
        dtype=np.uint8,
    )
    return LabeledImage(
        pixels,
        (drawing.part_map(size) + 1).astype(np.uint8),
        _drawn_parts(scene, values, drawing),
        scene.prompt,
    )


def _drawn_parts(scene: Scene, values: FactValues, drawing: Drawing) -> tuple[DrawnPart, ...]:
    """A plain shape is called what it is drawn as, also where another one was asked for."""
    colours = {
        group.concept.name: _shape_color(scene, i, values) for i, group in enumerate(scene.groups)
    }
    return tuple(
        DrawnPart(part if thing in SHAPE_NAMES else thing, part, number, colours[thing])
        for thing, part, number in corpus.part_names(scene, drawing)
    )


def _shape_color(scene: Scene, index: int, values: FactValues) -> str | None:
    group = scene.groups[index]
    said = values.get("colour" if len(scene.groups) == 1 else f"{index}.colour", group.colour)
    return str(said) if group.colour else None


def crowd(name: str, count: int) -> tuple[Scene, dict[str, FactValue]]:
    """So many of one thing by a noun of the grammar or a colored shape, one to six, all factual."""
    scene = scenes.parse(f"two {name}")
    return scene, scene.truths() | {"@count": count}


def draw_wrong(seed: int, size: int = SIZE) -> LabeledImage:
    """Draw the picture of one seed with violated facts or a crowd, the same for the same seed."""
    chance = random.Random(f"wrong {seed}")
    while True:
        scene, values = _crowd(chance) if chance.random() < CROWDED else _violated(chance)
        larger = chance.choice(DRAWN_LARGER) if chance.random() < 0.5 else None
        try:
            return label(scene, values, f"wrong {seed}", size, larger)
        except ValueError:
            continue  # too many parts


def _crowd(chance: random.Random) -> tuple[Scene, dict[str, FactValue]]:
    if chance.random() < 0.4:
        return crowd(
            f"{chance.choice(COLORS)} {chance.choice(SHAPES).plural}", chance.randint(1, CROWD)
        )
    return crowd(chance.choice(concepts()).plural, chance.randint(1, CROWD))


def _violated(chance: random.Random) -> tuple[Scene, dict[str, FactValue]]:
    scene = scenes.parse(scenes.sample_prompt(chance))
    return scene, scenes.violate(scene, chance.choice(VIOLATED), chance)


def write_wrong(
    folder: Path, count: int = SAMPLES, workers: int = 2, per_shard: int = 1000, size: int = SIZE
) -> None:
    """Draw pictures 0..count-1; shards that are already there are kept."""
    shards.write(folder, count, partial(_arrays, size), workers, per_shard)


def _arrays(size: int, seeds: range) -> shards.Arrays:
    drawn = [draw_wrong(seed, size) for seed in seeds]
    return {
        "pixels": np.stack([one.pixels for one in drawn]),
        "index": np.stack([one.index for one in drawn]),
        "captions": np.array([one.caption for one in drawn]),
        "names": np.array([json.dumps(one.drawn) for one in drawn]),
    }
