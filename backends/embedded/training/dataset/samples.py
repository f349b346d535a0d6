"""Holds what is known of one Primer picture that a judge is trained on.

Each patch has what it shows; questions have their right answers.
"""

import random
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hallascope.data.regions import Box
from hallascope.primer import scenes
from hallascope.primer.benchmark.judge_samples import VIOLATED
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import PALETTE, WHOLE, Drawing
from hallascope.primer.extra_questions import titled
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import SHAPES
from hallascope.primer.world import Fact, FactValues

FACTS = 6  # of its facts, so many are asked of one picture


@dataclass(frozen=True)
class PatchSample:
    """One labelled picture: `parts`, `centres`, `colours` are per patch, shape (grid, grid).

    0 is none.
    """

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    centres: NDArray[np.int16]
    colours: NDArray[np.int16]
    pairs: tuple[tuple[str, str], ...]


@cache
def part_numbers() -> dict[str, int]:
    """Number every ``concept / part`` seen in many violated drawings of all concepts, from 1 on."""
    names: dict[str, int] = {}
    for concept in (*SHAPES, *concepts()):
        scene = scenes.parse(f"a red {concept.name}" if concept in SHAPES else concept.phrase)
        for seed in range(40):
            values = scenes.violate(scene, VIOLATED[seed % 4], random.Random(seed))
            for drawn in scene.draw(values, seed).parts:
                names.setdefault(f"{drawn.owner} / {drawn.name}", len(names) + 1)
    return names


_COLORS = np.array(
    [[int(h[i : i + 2], 16) for i in (1, 3, 5)] for h in PALETTE.values()], dtype=np.float32
)


def _nearest_color(rgb: NDArray[np.float32]) -> int:
    return int(np.abs(_COLORS - rgb).sum(axis=1).argmin()) + 1


def patch_labels(
    drawing: Drawing, pixels: NDArray[np.uint8], patch: int, view: Box = WHOLE
) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
    """Return for each patch of a view its largest part, the part centered in it, and the color.

    The color is that of the part whose center lies in the patch.
    """
    size = pixels.shape[0]
    grid = size // patch
    index = drawing.part_map(size, view)
    numbers = part_numbers()
    labels = np.array(
        [0, *(numbers.get(f"{p.owner} / {p.name}", 0) for p in drawing.parts)], dtype=np.int16
    )
    blocks = (
        labels[index + 1]
        .reshape(grid, patch, grid, patch)
        .transpose(0, 2, 1, 3)
        .reshape(grid, grid, -1)
    )
    ordered = np.sort(blocks, axis=-1)
    parts = ordered[..., patch * patch // 2]  # the median label: the majority where there is one
    centres = np.zeros((grid, grid), np.int16)
    colours = np.zeros((grid, grid), np.int16)
    for i in np.unique(index):
        if i < 0:
            continue
        ys, xs = np.nonzero(index == i)
        if len(ys) < 6:
            continue
        cell = int(ys.mean()) // patch, int(xs.mean()) // patch
        centres[cell] = labels[i + 1]
        colours[cell] = _nearest_color(np.median(pixels[ys, xs], axis=0).astype(np.float32))
    return parts, centres, colours


def render(drawing: Drawing, size: int, chance: random.Random) -> NDArray[np.uint8]:
    """Render pixels at the judge's size, half of them larger and reduced as its processor does."""
    if chance.random() < 0.5:
        image = drawing.image(size)
    else:
        image = drawing.image(chance.choice((128, 160, 224))).resize(
            (size, size), Image.Resampling.BICUBIC
        )
    return np.asarray(image, dtype=np.uint8)


def facts_asked(scene: Scene, values: FactValues, chance: random.Random) -> list[tuple[str, str]]:
    """Return questions with their right answers: facts, what is shown, and statements.

    The statements are to confirm or to deny.
    """
    facts = list(scene.facts)
    chance.shuffle(facts)
    pairs = [(fact.question, scenes.right_answer(fact, values)) for fact in facts[:FACTS]]
    return [
        *pairs,
        chance.choice((_is_there, _statement, _what_is_shown))(scene, values, facts[0], chance),
    ]


def _is_there(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    shown = {group.concept.name for group in scene.groups} | {str(values.get("kind", ""))}
    if chance.random() < 0.5:
        return (
            f"Is there {scene.groups[0].concept.phrase} in the image?",
            "Yes"
            if "kind" not in values or values["kind"] == scene.groups[0].concept.name
            else "No",
        )
    other = chance.choice([c for c in (*SHAPES, *concepts()) if c.name not in shown])
    return f"Is there {other.phrase} in the image?", "No"


def _statement(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    right = scenes.right_answer(fact, values)
    said = (
        right
        if chance.random() < 0.5
        else chance.choice([a for a in (*fact.values.values(), *fact.others) if a != right])
    )
    return f"{fact.question} {said}?", "Yes" if said == right else "No"


def _what_is_shown(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    group = scene.groups[0]
    question = "What is shown in the image?"
    if len(scene.groups) > 1 or any(fact.question == question for fact in scene.facts):
        return _is_there(scene, values, fact, chance)
    kind = (
        str(values.get("kind", group.concept.name))
        if group.concept in SHAPES
        else group.concept.name
    )
    shown = scenes.nouns()[kind.lower()].concept
    return question, titled(shown.name if group.count == 1 else shown.plural)
