"""Holds what is known of one Primer picture that a judge is trained on.

Each patch has what it shows; questions have their right answers.
"""

import random
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hallascope.data.lexicon import capitalize
from hallascope.data.regions import Box
from hallascope.primer import scenes
from hallascope.primer.benchmark.judge_samples import VIOLATED
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import PALETTE, WHOLE, Drawing
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import SHAPES
from hallascope.primer.world import Fact, FactValues

FACTS = 8  # asked of one picture at most
DRAWINGS = 40  # of each concept, to see all of its parts
SPECK = 6  # px: the center of a smaller part is not labeled
BLOCK = 4  # px: the side of what is labeled with one part
CENTERS = 64  # of a picture at most


@dataclass(frozen=True)
class LabeledDrawing:
    """Holds one labeled picture: what its blocks show and where its parts are (`label_parts`).

    `pairs` are questions and their answers.
    """

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    centers: NDArray[np.int16]
    pairs: tuple[tuple[str, str], ...]


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


_COLORS = np.array(
    [[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in PALETTE.values()],
    dtype=np.float32,
)


def patch_labels(
    drawing: Drawing, pixels: NDArray[np.uint8], patch: int, view: Box = WHOLE
) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
    """Return for each patch of a view its largest part, the part centered in it, and the color.

    The color is that of the part whose center lies in the patch.
    """
    parts, centers = label_parts(drawing, pixels, patch, view)
    of_part = np.zeros_like(parts)
    of_color = np.zeros_like(parts)
    for y, x, part, color in centers[::-1]:
        if part:
            of_part[y // patch, x // patch] = part
            of_color[y // patch, x // patch] = color
    return parts, of_part, of_color


def label_parts(
    drawing: Drawing, pixels: NDArray[np.uint8], block: int = BLOCK, view: Box = WHOLE
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return what each block of pixels of a view shows, and where its parts have their centers.

    Blocks (size // block, size // block) have the number of the part that most of their pixels
    show, 0 for the backdrop. Centers (CENTERS, 4) are rows of y and x in pixels, the part's number
    and its color's, the largest parts first; rows of zeros fill them up.
    """
    index = drawing.part_map(pixels.shape[0], view)
    numbers = part_numbers()
    labels = np.array(
        [0, *(numbers.get(f"{p.owner} / {p.name}", 0) for p in drawing.parts)], dtype=np.int16
    )
    found = []
    for i in np.unique(index[index >= 0]):
        ys, xs = np.nonzero(index == i)
        if len(ys) >= SPECK:
            color = _nearest_color(pixels[ys, xs])
            found.append((len(ys), int(ys.mean()), int(xs.mean()), int(labels[i + 1]), color))
    found.sort(reverse=True)
    centers = np.zeros((CENTERS, 4), np.int16)
    for row, (_, *center) in enumerate(found[:CENTERS]):
        centers[row] = center
    return _median_labels(labels[index + 1], block), centers


def _nearest_color(pixels: NDArray[np.uint8]) -> int:
    """Return the number of the palette's color, from 1 on, that is nearest to pixels (N, 3)."""
    color = np.median(pixels, axis=0).astype(np.float32)
    return int(np.abs(_COLORS - color).sum(axis=1).argmin()) + 1


def _median_labels(labels: NDArray[np.int16], patch: int) -> NDArray[np.int16]:
    """Return the median label of each patch, which is the majority where there is one."""
    grid = len(labels) // patch
    blocks = labels.reshape(grid, patch, grid, patch).transpose(0, 2, 1, 3).reshape(grid, grid, -1)
    median: NDArray[np.int16] = np.sort(blocks, axis=-1)[..., patch * patch // 2]
    return median


def render(drawing: Drawing, size: int, chance: random.Random) -> NDArray[np.uint8]:
    """Render pixels at the judge's size, half of them larger and reduced as its processor does."""
    if chance.random() < 0.5:
        image = drawing.image(size)
    else:
        larger = drawing.image(chance.choice((224, 256, 384, 512)))
        image = larger.resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(image, dtype=np.uint8)


# --- questions ---


def questions_on_facts(
    scene: Scene, values: FactValues, chance: random.Random
) -> list[tuple[str, str]]:
    """Return questions with their right answers: facts, what is shown, and statements.

    The statements are to confirm or to deny.
    """
    facts = list(scene.facts)
    chance.shuffle(facts)
    pairs = [(fact.question, scenes.right_answer(fact, values)) for fact in facts[:FACTS]]
    ask = chance.choice((_ask_presence, _ask_to_confirm, _ask_what_is_shown))
    return [*pairs, ask(scene, values, facts[0], chance)]


def _ask_presence(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    own = scene.groups[0].concept
    if chance.random() < 0.5:
        present = "kind" not in values or values["kind"] == own.name
        return f"Is there {own.phrase} in the image?", "Yes" if present else "No"
    shown = {group.concept.name for group in scene.groups} | {str(values.get("kind", ""))}
    other = chance.choice([c for c in (*SHAPES, *concepts()) if c.name not in shown])
    return f"Is there {other.phrase} in the image?", "No"


def _ask_to_confirm(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    right = scenes.right_answer(fact, values)
    if chance.random() < 0.5:
        return f"{fact.question} {right}?", "Yes"
    wrong = chance.choice([a for a in (*fact.values.values(), *fact.others) if a != right])
    return f"{fact.question} {wrong}?", "No"


def _ask_what_is_shown(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    group = scene.groups[0]
    question = "What is shown in the image?"
    if len(scene.groups) > 1 or any(fact.question == question for fact in scene.facts):
        return _ask_presence(scene, values, fact, chance)
    kind = group.concept.name
    if group.concept in SHAPES:
        kind = str(values.get("kind", kind))
    shown = scenes.nouns()[kind.lower()].concept
    return question, capitalize(shown.name if group.count == 1 else shown.plural)
