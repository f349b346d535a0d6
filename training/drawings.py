"""Draws Primer images and says what each of their pixels shows."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hallascope.data.regions import Box
from hallascope.primer import scenes
from hallascope.primer.appearance import RenderedScene
from hallascope.primer.benchmark.judge_samples import VIOLATED
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import PALETTE, WHOLE, Drawing
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import FactValue, FactValues

DRAWINGS = 40  # of each concept, to see all of its parts
SPECK = 6  # px: the center of a smaller part is not labeled
CENTERS = 64  # of an image at most
WRONG = (0.25, 0.5, 0.85)  # shares of violated facts, evenly mixed
CROWDED = 0.35  # share of the wrong images with several things of one kind
CROWD = 6  # things of one kind at most
LARGER = (160, 256, 512)  # px: half of the images are reduced from one of these, as files are
_COLORS = np.array(
    [[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in PALETTE.values()],
    dtype=np.float32,
)


# --- parts and their centers ---


@cache
def part_numbers() -> dict[str, int]:
    """Number every ``concept / part`` seen in many violated drawings of all concepts, from 1 on."""
    numbers: dict[str, int] = {}
    for concept in (*SHAPES, *concepts()):
        scene = scenes.parse(f"a red {concept.name}" if concept in SHAPES else concept.phrase)
        for seed in range(DRAWINGS):
            values = scenes.violate(scene, VIOLATED[seed % 4], random.Random(seed))
            for drawn in scene.draw(values, seed).parts:
                numbers.setdefault(f"{drawn.owner} / {drawn.name}", len(numbers) + 1)
    return numbers


def label_parts(
    drawing: Drawing, pixels: NDArray[np.uint8], block: int, view: Box = WHOLE
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return what each block of pixels of a view shows, and where its parts have their centers.

    Blocks (size // block, size // block) have the number of the part that most of their pixels
    show, 0 for the backdrop. Centers (CENTERS, 4) are rows of y and x in pixels, the part's number
    and its color's, the largest parts first; rows of zeros fill them up.
    """
    index = drawing.part_map(len(pixels), view)
    numbers = part_numbers()
    of_parts = [0, *(numbers.get(f"{part.owner} / {part.name}", 0) for part in drawing.parts)]
    labels = np.array(of_parts, dtype=np.int16)
    found = []
    for i in np.unique(index[index >= 0]):
        ys, xs = np.nonzero(index == i)
        if len(ys) >= SPECK:
            color = np.median(pixels[ys, xs], axis=0).astype(np.float32)
            nearest = int(np.abs(_COLORS - color).sum(axis=1).argmin()) + 1
            found.append((len(ys), int(ys.mean()), int(xs.mean()), int(labels[i + 1]), nearest))
    found.sort(reverse=True)
    centers = np.zeros((CENTERS, 4), np.int16)
    for row, (_, *center) in enumerate(found[:CENTERS]):
        centers[row] = center
    grid = len(index) // block
    blocks = labels[index + 1].reshape(grid, block, grid, block).transpose(0, 2, 1, 3)
    # The median is the majority where there is one.
    return np.sort(blocks.reshape(grid, grid, -1), axis=-1)[..., block * block // 2], centers


# --- things and their parts ---


class DrawnPart(NamedTuple):
    """Describes a drawn part: its owner, its name, its thing's number, and a plain shape's color.

    Things are numbered from 1 on. A plain shape has the name of what is drawn.
    """

    thing: str
    part: str
    number: int
    color: str | None = None


@dataclass(frozen=True, eq=False)
class LabeledImage:
    """Holds an image, `pixels` (size, size, 3), and what each pixel shows.

    `index` (size, size) is 0 for the backdrop, and from 1 on the parts in `drawn`.
    """

    pixels: NDArray[np.uint8]
    index: NDArray[np.int16]
    drawn: tuple[DrawnPart, ...]
    drawing: Drawing


World = Mapping[str, Sequence[str]]
"""The parts that a thing may show, by the thing's name; plain shapes have none."""


def parts_of_things(names: Iterable[tuple[str, str]]) -> World:
    """Return all things of the names (thing, part) with their parts, ordered by name."""
    parts: dict[str, list[str]] = {}
    for thing, part in sorted(set(names)):
        if thing not in SHAPE_NAMES:
            parts.setdefault(thing, []).append(part)
    return parts


@cache
def all_parts_of_things() -> World:
    """Return all things and the parts that they may show."""
    split = (name.split(" / ") for name in part_numbers())
    return parts_of_things((thing, part) for thing, part in split)


def label(
    scene: Scene, values: FactValues, seed: str, size: int, drawn_at: int | None = None
) -> LabeledImage:
    """Draw the scene with these values; `drawn_at` px and then reduced where that is given."""
    drawing = scene.draw(values, seed)
    return LabeledImage(
        render(drawing, size, drawn_at),
        (drawing.part_map(size) + 1).astype(np.int16),
        _drawn_parts(scene, values, drawing),
        drawing,
    )


def render(drawing: Drawing, size: int, drawn_at: int | None = None) -> NDArray[np.uint8]:
    """Render pixels (size, size, 3), reduced as processors do from `drawn_at` px where given."""
    image = drawing.image(drawn_at or size)
    if image.width != size:
        image = image.resize((size, size), Image.Resampling.BICUBIC)
    return np.array(image, dtype=np.uint8)


def _drawn_parts(scene: Scene, values: FactValues, drawing: Drawing) -> tuple[DrawnPart, ...]:
    things = RenderedScene(scene, values, drawing).things
    numbers = {i: number for number, parts in enumerate(things, start=1) for i in parts}
    colors: dict[str, str | None] = {}
    for i, group in enumerate(scene.groups):
        own = scenes.own_values(scene, i, values)
        colors[group.concept.name] = str(own["colour"]) if group.color else None
    drawn = []
    for i, part in enumerate(drawing.parts):
        thing = part.owner or scene.groups[0].concept.name
        name = part.name if thing in SHAPE_NAMES else thing
        drawn.append(DrawnPart(name, part.name, numbers[i], colors[thing]))
    return tuple(drawn)


# --- images with errors ---


def crowd(name: str, count: int) -> tuple[Scene, dict[str, FactValue]]:
    """Return one to six things by a noun of the grammar or a colored shape, all factual."""
    scene = scenes.parse(f"two {name}")
    return scene, scene.truths() | {"@count": count}


def draw_wrong(seed: int, size: int) -> LabeledImage:
    """Draw the image of one seed with violated facts or a crowd, the same for the same seed."""
    chance = random.Random(f"wrong {seed}")
    if chance.random() < CROWDED:
        scene, values = _random_crowd(chance)
    else:
        scene = scenes.parse(scenes.sample_prompt(chance))
        values = scenes.violate(scene, chance.choice(WRONG), chance)
    return label(scene, values, f"wrong {seed}", size, drawn_at(chance))


def drawn_at(chance: random.Random) -> int | None:
    """Return how large an image is drawn before it is reduced; None where it is not."""
    return chance.choice(LARGER) if chance.random() < 0.5 else None


def _random_crowd(chance: random.Random) -> tuple[Scene, dict[str, FactValue]]:
    if chance.random() < 0.4:
        name = f"{chance.choice(COLORS)} {chance.choice(SHAPES).plural}"
    else:
        name = chance.choice(concepts()).plural
    return crowd(name, chance.randint(1, CROWD))
