"""Draws what a judge is trained on: pictures and regions of them, with their questions.

Each question has its answer.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hallascope.backends.embedded.training.dataset import samples, shards
from hallascope.backends.embedded.training.dataset.samples import LabeledDrawing
from hallascope.data.regions import Box, window
from hallascope.primer import extra_questions, scenes
from hallascope.primer.appearance import Appearance, RenderedScene
from hallascope.primer.benchmark import judge_samples
from hallascope.primer.benchmark.judge_samples import jittered
from hallascope.primer.concepts import concepts
from hallascope.primer.scenes import Scene
from hallascope.primer.world import FactValue

QUESTIONS = 12  # asked of one picture at most
SITTINGS = 0.2  # share of the samples that are a picture, another one like it, and a region
LONE = 0.3  # share of the other samples that show one concept alone; more do by chance
OF_PARTS = 0.25  # share of the other pictures that are asked about their parts
SHARP = (224, 384, 512, 512)  # px of the pictures that regions are cut from
# How many pictures violate each fact with a probability, and how many give each value of a fact the
# same chance (None).
VIOLATED: tuple[float | None, ...] = (0.0, 0.3, 0.5, 0.5, None, None)
T = TypeVar("T")


def draw_sample(seed: int, size: int) -> list[LabeledDrawing]:
    """Draw the pictures of one seed, `size` px wide: the same seed, the same pictures."""
    chance = random.Random(f"judge sample {seed}")
    if chance.random() < SITTINGS:
        return _draw_sitting(f"judge sample {seed}", size, chance)
    scene = scenes.parse(_sample_prompt(chance))
    values = sample_values(scene, chance)
    view = RenderedScene(scene, values, scene.draw(values, f"judge sample {seed}"))
    picture = _draw_whole(view, size, chance.random() < OF_PARTS, chance)
    return [_add_prompt_questions(picture, view, chance)]


def _sample_prompt(chance: random.Random) -> str:
    """Return a prompt by chance, more often than in the grammar that of one concept."""
    if chance.random() < LONE:
        return chance.choice(concepts()).phrase
    return scenes.sample_prompt(chance)


def sample_values(scene: Scene, chance: random.Random) -> dict[str, FactValue]:
    """Return values of a picture, violated so that the usual answer is no safe one."""
    share = chance.choice(VIOLATED)
    if share is not None:
        return scenes.violate(scene, share, chance)
    values = scene.truths()
    for parameter in dict.fromkeys(fact.parameter for fact in scene.facts):
        options = [v for f in scene.facts if f.parameter == parameter for v in f.values]
        values[parameter] = chance.choice(list(dict.fromkeys(options)))
    return values


def _draw_sitting(seed: str, size: int, chance: random.Random) -> list[LabeledDrawing]:
    drawn = judge_samples.sitting(seed, chance)
    region = _draw_region(drawn.seen, drawn.look, size, chance)
    pictures = [
        _add_prompt_questions(_draw_whole(view, size, view is drawn.seen, chance), view, chance)
        for view in (drawn.picture, drawn.reference)
    ]
    return [*pictures, region]


def _draw_whole(
    view: RenderedScene, size: int, ask_of_parts: bool, chance: random.Random
) -> LabeledDrawing:
    """Return a whole picture with its facts, and two questions on its parts where asked for."""
    pixels = samples.render(view.drawing, size, chance)
    pairs = samples.questions_on_facts(view.scene, view.values, chance)
    if ask_of_parts:
        questions = _sample_some(extra_questions.of_picture(view, chance), 2, chance)
        pairs += [(q.question, q.answer) for q in questions]
    return LabeledDrawing(pixels, *samples.label_parts(view.drawing, pixels), tuple(pairs))


def _add_prompt_questions(
    sample: LabeledDrawing, view: RenderedScene, chance: random.Random
) -> LabeledDrawing:
    """Add a question that a reader of the prompt alone asks and that is not asked yet."""
    asked = dict(sample.pairs)
    new = [q for q in extra_questions.of_prompt(view) if q.question not in asked]
    more = [(q.question, q.answer) for q in _sample_some(new, 1, chance)]
    return replace(sample, pairs=(*sample.pairs, *more))


def _draw_region(
    view: RenderedScene, look: Appearance, size: int, chance: random.Random
) -> LabeledDrawing:
    """Return a region with the questions about it."""
    pixels, box = render_region(view, look, size, chance)
    questions = extra_questions.of_region(view, look, box, chance)
    pairs = tuple((q.question, q.answer) for q in questions)
    return LabeledDrawing(pixels, *samples.label_parts(view.drawing, pixels, view=box), pairs)


def render_region(
    view: RenderedScene, look: Appearance, size: int, chance: random.Random
) -> tuple[NDArray[np.uint8], Box]:
    """Return a region as a judge sees it, and where it is.

    It is cut out a little beside the thing or part; its pixels are (size, size, 3).
    """
    sharp = chance.choice(SHARP)
    cut = window(jittered(look.region, chance), sharp, sharp, square=True)
    box = Box(*(side / sharp for side in cut))
    image = view.drawing.image(min(cut[2] - cut[0], 2 * size), box)
    return np.asarray(image.resize((size, size), Image.Resampling.BICUBIC), dtype=np.uint8), box


def _sample_some(items: Sequence[T], most: int, chance: random.Random) -> list[T]:
    return chance.sample(items, min(most, len(items)))


# --- shards on disk ---


class JudgeShard(NamedTuple):
    """Holds N labeled pictures: pixels (N, size, size, 3), parts (N, grid, grid), centers.

    Centers are (N, CENTERS, 4); `asked[n]` are the questions and answers of picture n.
    """

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    centers: NDArray[np.int16]
    asked: list[list[tuple[str, str]]]


def write(folder: Path, count: int, size: int, *, workers: int = 2, per_shard: int = 200) -> None:
    """Draw samples 0..count-1; shards that are already there are kept."""
    samples.part_numbers()  # once, before the workers fork
    draw = partial(_draw_shard, size)
    shards.write(folder, count, draw, workers, per_shard, compressed=False)


def _draw_shard(size: int, seeds: range) -> shards.Arrays:
    drawn = [picture for seed in seeds for picture in draw_sample(seed, size)]
    return {
        "pixels": np.array([picture.pixels for picture in drawn]),
        "parts": np.array([picture.parts for picture in drawn]),
        "centers": np.array([picture.centers for picture in drawn]),
        "asked": np.array([json.dumps(picture.pairs) for picture in drawn]),
    }


def read_judge_shard(file: Path) -> JudgeShard:
    with np.load(file) as shard:
        asked = [json.loads(row) for row in shard["asked"]]
        return JudgeShard(shard["pixels"], shard["parts"], shard["centers"], asked)
