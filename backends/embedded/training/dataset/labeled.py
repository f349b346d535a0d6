"""Holds Primer pictures in memory, with what each of their pixels shows.

The corpus holds factual pictures. Beside them, pictures with violated facts and crowds of up to six
things are drawn: the models have to see what a generator gets wrong as well.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
VIOLATED = (0.25, 0.5, 0.85)  # shares of violated facts, evenly mixed
CROWDED = 0.35  # share of the pictures with several things of one kind
CROWD = 6  # things of one kind at most
# px: half of the pictures are reduced from one of these, as a processor does.
DRAWN_LARGER = (160, 256, 512)
MOST_PARTS = 255  # a pixel names its part in one byte
SHAPE_NAMES = frozenset(shape.name for shape in SHAPES)


class DrawnPart(NamedTuple):
    """Describes a drawn part: its owner, its name, its thing's number, and a plain shape's color.

    Things are numbered from 1 on.
    """

    thing: str
    part: str
    number: int
    color: str | None = None


@dataclass(frozen=True, eq=False)
class LabeledImage:
    """Holds one picture, `pixels` (size, size, 3), and what each pixel shows.

    `index` (size, size) is 0 for the backdrop, and from 1 on the parts in `drawn`.
    """

    pixels: NDArray[np.uint8]
    index: NDArray[np.uint8]
    drawn: tuple[DrawnPart, ...]
    caption: str = ""


class LabeledImages:
    """Holds pictures of one size: `pixels` (N, size, size, 3), `index` (N, size, size)."""

    def __init__(self, count: int, size: int = SIZE) -> None:
        self.pixels = np.zeros((count, size, size, 3), np.uint8)
        self.index = np.zeros((count, size, size), np.uint8)
        self.drawn: list[tuple[DrawnPart, ...]] = []
        self.captions: list[str] = []

    @classmethod
    def from_images(cls, images: Sequence[LabeledImage]) -> "LabeledImages":
        """Return the images together; there has to be at least one."""
        together = cls(len(images), len(images[0].index))
        for image in images:
            together.add(image.pixels[None], image.index[None], [image.drawn], [image.caption])
        return together

    def add(
        self,
        pixels: NDArray[np.uint8],
        index: NDArray[np.uint8],
        drawn: Sequence[tuple[DrawnPart, ...]],
        captions: Sequence[str],
    ) -> None:
        """Put as many of these pictures behind the others as there is room for."""
        start = len(self.drawn)
        room = len(self.pixels) - start
        self.pixels[start : start + len(pixels)] = pixels[:room]
        self.index[start : start + len(index)] = index[:room]
        self.drawn.extend(drawn[:room])
        self.captions.extend(captions[:room])

    def drop_rows(self, rows: Sequence[int]) -> "LabeledImages":
        """Return the others, in their order; the arrays of this one are used up."""
        left = sorted(set(range(len(self))) - set(rows))
        # In place, as a second copy would take gigabytes.
        for target, row in enumerate(left):
            self.pixels[target] = self.pixels[row]
            self.index[target] = self.index[row]
        other = LabeledImages(0)
        other.pixels = self.pixels[: len(left)]
        other.index = self.index[: len(left)]
        other.drawn = [self.drawn[row] for row in left]
        other.captions = [self.captions[row] for row in left]
        return other

    def __len__(self) -> int:
        return len(self.drawn)

    def __getitem__(self, row: int) -> LabeledImage:
        return LabeledImage(self.pixels[row], self.index[row], self.drawn[row], self.captions[row])

    def __iter__(self) -> Iterator[LabeledImage]:
        return (self[row] for row in range(len(self)))


def load(folders: Sequence[tuple[Path, int]], size: int = SIZE) -> LabeledImages:
    """Load the first pictures of each folder of shards, as many as stand beside it.

    The colors of shapes are read off captions where shards do not say them.
    """
    counts = [min(most, _count_pictures(folder, most)) for folder, most in folders]
    images = LabeledImages(sum(counts), size)
    for (folder, _), count in zip(folders, counts, strict=True):
        left = count
        for file in shards.files(folder):
            if left <= 0:
                break
            with np.load(file) as shard:
                captions = [str(c) for c in shard["captions"][:left]]
                drawn = [
                    _parse_parts(names, caption)
                    for names, caption in zip(shard["names"], captions, strict=False)
                ]
                images.add(shard["pixels"][:left], shard["index"][:left], drawn, captions)
            left -= len(captions)
    return images


def _count_pictures(folder: Path, enough: int) -> int:
    """Count the pictures of a folder, shard by shard until there are enough."""
    count = 0
    for file in shards.files(folder):
        if count >= enough:
            break
        with np.load(file) as shard:
            count += len(shard["captions"])
    return count


# Equal parts of all pictures are held once.
_PARTS: dict[DrawnPart, DrawnPart] = {}


def _parse_parts(names: str, caption: str) -> tuple[DrawnPart, ...]:
    rows = json.loads(str(names))
    colors = {}
    if rows and len(rows[0]) != 4:
        groups = scenes.parse(caption).groups
        colors = {group.concept.name: group.colour for group in groups if group.colour}
    parts = []
    for thing, part, number, *color in rows:
        drawn = DrawnPart(thing, part, number, color[0] if color else colors.get(thing))
        parts.append(_PARTS.setdefault(drawn, drawn))
    return tuple(parts)


# --- drawing ---


def label(
    scene: Scene, values: FactValues, seed: str, size: int = SIZE, drawn_at: int | None = None
) -> LabeledImage:
    """Draw the scene with these values; `drawn_at` px and then reduced where that is given.

    Raises ValueError for too many parts.
    """
    drawing = scene.draw(values, seed)
    if len(drawing.parts) > MOST_PARTS:
        raise ValueError(
            f"The image of {scene.prompt!r} has {len(drawing.parts)} parts: label images of at"
            f" most {MOST_PARTS}."
        )
    image = drawing.image(drawn_at or size)
    if image.width != size:
        image = image.resize((size, size), Image.Resampling.BICUBIC)
    return LabeledImage(
        np.asarray(image, dtype=np.uint8),
        (drawing.part_map(size) + 1).astype(np.uint8),
        _drawn_parts(scene, values, drawing),
        scene.prompt,
    )


def _drawn_parts(scene: Scene, values: FactValues, drawing: Drawing) -> tuple[DrawnPart, ...]:
    """Return the parts; a plain shape has the name of what is drawn, not of what was asked for."""
    colors: dict[str, str | None] = {}
    for i, group in enumerate(scene.groups):
        key = "colour" if len(scene.groups) == 1 else f"{i}.colour"
        color = str(values.get(key, group.colour)) if group.colour else None
        colors[group.concept.name] = color
    return tuple(
        DrawnPart(part if thing in SHAPE_NAMES else thing, part, number, colors[thing])
        for thing, part, number in corpus.part_names(scene, drawing)
    )


def crowd(name: str, count: int) -> tuple[Scene, dict[str, FactValue]]:
    """Return one to six things by a noun of the grammar or a colored shape, all factual."""
    scene = scenes.parse(f"two {name}")
    return scene, scene.truths() | {"@count": count}


def draw_wrong(seed: int, size: int = SIZE) -> LabeledImage:
    """Draw the picture of one seed with violated facts or a crowd, the same for the same seed."""
    chance = random.Random(f"wrong {seed}")
    while True:
        if chance.random() < CROWDED:
            scene, values = _random_crowd(chance)
        else:
            scene = scenes.parse(scenes.sample_prompt(chance))
            values = scenes.violate(scene, chance.choice(VIOLATED), chance)
        larger = chance.choice(DRAWN_LARGER) if chance.random() < 0.5 else None
        try:
            return label(scene, values, f"wrong {seed}", size, larger)
        except ValueError:
            # It has too many parts.
            continue


def _random_crowd(chance: random.Random) -> tuple[Scene, dict[str, FactValue]]:
    if chance.random() < 0.4:
        name = f"{chance.choice(COLORS)} {chance.choice(SHAPES).plural}"
    else:
        name = chance.choice(concepts()).plural
    return crowd(name, chance.randint(1, CROWD))
