"""Draws what a judge is trained on: pictures, references and regions with their questions.

Each question has its answer.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hallascope.backends.embedded.training.dataset import samples, shards
from hallascope.backends.embedded.training.dataset.samples import PatchSample
from hallascope.data.regions import Box, window
from hallascope.primer import extra_questions
from hallascope.primer.appearance import Appearance, RenderedScene
from hallascope.primer.benchmark import judge_samples, pair_criteria
from hallascope.primer.benchmark.judge_samples import jittered

PICTURES = 3  # in a sample: the picture, its reference, a region
QUESTIONS = 11  # asked of one picture at most
COMPARED = 5  # asked of the pair at most
SHARP = (224, 384, 512, 512)  # px of the pictures that regions are cut from
T = TypeVar("T")


@dataclass(frozen=True)
class LabeledJudgeSample:
    """Holds three labeled pictures, and what is asked of the reference and another.

    The other is the one it is compared with: `first`, 0 (the picture) or 2 (the region).
    """

    picture: PatchSample
    reference: PatchSample
    region: PatchSample
    compared: tuple[tuple[str, str], ...]
    first: int

    @property
    def pictures(self) -> tuple[PatchSample, PatchSample, PatchSample]:
        return self.picture, self.reference, self.region


def draw_sample(seed: int, size: int, patch: int) -> LabeledJudgeSample:
    """Draw the sample of one seed, its pictures `size` px wide: the same seed, the same sample."""
    chance = random.Random(f"sitting {seed}")
    drawn = judge_samples.sitting(f"sitting {seed}", chance)
    region = _draw_region(drawn.seen, drawn.look, size, patch, chance)
    picture = _draw_whole(drawn.picture, size, patch, drawn.picture is drawn.seen, chance)
    reference = _draw_whole(drawn.reference, size, patch, drawn.reference is drawn.seen, chance)
    criteria = [
        (pair_criteria.QUESTIONS[aspect], answer) for aspect, answer in drawn.compared.items()
    ]
    compared = tuple(_sample_some(criteria, COMPARED, chance))
    picture = _add_prompt_questions(picture, drawn.picture, chance)
    reference = _add_prompt_questions(reference, drawn.reference, chance)
    return LabeledJudgeSample(picture, reference, region, compared, 2 if drawn.by_region else 0)


def _draw_whole(
    view: RenderedScene, size: int, patch: int, ask_of_parts: bool, chance: random.Random
) -> PatchSample:
    """Return a whole picture with its facts, and two questions on its parts where asked for."""
    pixels = samples.render(view.drawing, size, chance)
    pairs = samples.questions_on_facts(view.scene, view.values, chance)
    if ask_of_parts:
        questions = _sample_some(extra_questions.of_picture(view, chance), 2, chance)
        pairs += [(q.question, q.answer) for q in questions]
    return PatchSample(pixels, *samples.patch_labels(view.drawing, pixels, patch), tuple(pairs))


def _add_prompt_questions(
    sample: PatchSample, view: RenderedScene, chance: random.Random
) -> PatchSample:
    """Add two questions that a reader of the prompt alone asks and that are not asked yet."""
    asked = dict(sample.pairs)
    new = [q for q in extra_questions.of_prompt(view) if q.question not in asked]
    more = [(q.question, q.answer) for q in _sample_some(new, 2, chance)]
    return replace(sample, pairs=(*sample.pairs, *more))


def _draw_region(
    view: RenderedScene, look: Appearance, size: int, patch: int, chance: random.Random
) -> PatchSample:
    """Return a region with the questions about it."""
    pixels, box = render_region(view, look, size, chance)
    questions = extra_questions.of_region(view, look, box, chance)
    pairs = tuple((q.question, q.answer) for q in questions)
    return PatchSample(pixels, *samples.patch_labels(view.drawing, pixels, patch, box), pairs)


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
    """Holds many samples.

    `pixels` (N, PICTURES, size, size, 3); labels (N, PICTURES, grid, grid); `first` (N,).
    `asked[n][k]` are the questions and answers of picture k of sample n, `compared[n]` those of
    its pair.
    """

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    centers: NDArray[np.int16]
    colors: NDArray[np.int16]
    first: NDArray[np.int16]
    asked: list[list[list[tuple[str, str]]]]
    compared: list[list[tuple[str, str]]]


def write(
    folder: Path, count: int, size: int, patch: int, workers: int = 2, per_shard: int = 500
) -> None:
    """Draw samples 0..count-1; shards that are already there are kept."""
    samples.part_numbers()  # once, before the workers fork
    draw = partial(_draw_shard, size, patch)
    shards.write(folder, count, draw, workers, per_shard, compressed=False)


def _draw_shard(size: int, patch: int, seeds: range) -> shards.Arrays:
    drawn = [draw_sample(seed, size, patch) for seed in seeds]
    return {
        "pixels": np.array([[s.pixels for s in sample.pictures] for sample in drawn]),
        "parts": np.array([[s.parts for s in sample.pictures] for sample in drawn]),
        "centres": np.array([[s.centers for s in sample.pictures] for sample in drawn]),
        "colours": np.array([[s.colors for s in sample.pictures] for sample in drawn]),
        "first": np.array([sample.first for sample in drawn], dtype=np.int16),
        "asked": np.array([json.dumps([s.pairs for s in sample.pictures]) for sample in drawn]),
        "compared": np.array([json.dumps(sample.compared) for sample in drawn]),
    }


def read_judge_shards(folder: Path, most: int | None = None) -> Iterator[JudgeShard]:
    """Return the shards of a folder in order, the first `most` of them."""
    for file in shards.files(folder)[:most]:
        with np.load(file) as shard:
            arrays = (shard[name] for name in ("pixels", "parts", "centres", "colours", "first"))
            texts = ([json.loads(row) for row in shard[name]] for name in ("asked", "compared"))
            yield JudgeShard(*arrays, *texts)
