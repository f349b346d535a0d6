"""Draws what a judge is trained on: pictures, references and regions with their questions.

Each question has its answer.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

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

PICTURES = 3  # in a sitting: the picture, its reference, a region
QUESTIONS, COMPARED = 11, 5  # at most asked of one picture, and of the pair
SHARP = (224, 384, 512, 512)  # px of the pictures that regions are cut from
T = TypeVar("T")


@dataclass(frozen=True)
class LabeledJudgeSample:
    """Three labelled pictures, and what is asked of the reference and the one it is compared with:
    `first`, 0 or 2.
    """

    picture: PatchSample
    reference: PatchSample
    region: PatchSample
    compared: tuple[tuple[str, str], ...]
    first: int

    @property
    def pictures(self) -> tuple[PatchSample, PatchSample, PatchSample]:
        return self.picture, self.reference, self.region


def draw_sitting(seed: int, size: int, patch: int) -> LabeledJudgeSample:
    """The sitting of one seed, its pictures `size` px wide: the same seed always gives the same."""
    chance = random.Random(f"sitting {seed}")
    made = judge_samples.sitting(f"sitting {seed}", chance)
    region = _region(made.seen, made.look, size, patch, chance)
    picture, reference = (
        _whole(view, size, patch, view is made.seen, chance)
        for view in (made.picture, made.reference)
    )
    asked = [(pair_criteria.QUESTIONS[aspect], answer) for aspect, answer in made.compared.items()]
    compared = tuple(_some(asked, COMPARED, chance))
    picture, reference = (
        _with_prompt(s, view, chance)
        for s, view in ((picture, made.picture), (reference, made.reference))
    )
    return LabeledJudgeSample(picture, reference, region, compared, 2 if made.by_region else 0)


def _whole(
    view: RenderedScene, size: int, patch: int, more: bool, chance: random.Random
) -> PatchSample:
    """A whole picture with its facts, and two questions on its parts where `more` is asked."""
    pixels = samples.render(view.drawing, size, chance)
    asked = samples.facts_asked(view.scene, view.values, chance)
    if more:
        asked += [
            (q.question, q.answer)
            for q in _some(extra_questions.of_picture(view, chance), 2, chance)
        ]
    return PatchSample(pixels, *samples.patch_labels(view.drawing, pixels, patch), tuple(asked))


def _with_prompt(sample: PatchSample, view: RenderedScene, chance: random.Random) -> PatchSample:
    """Add two questions that a reader of the prompt alone asks and nobody has asked yet."""
    told = dict(sample.pairs)
    asked = _some([q for q in extra_questions.of_prompt(view) if q.question not in told], 2, chance)
    return replace(sample, pairs=(*sample.pairs, *((q.question, q.answer) for q in asked)))


def _region(
    view: RenderedScene, look: Appearance, size: int, patch: int, chance: random.Random
) -> PatchSample:
    """A region with the questions about it."""
    pixels, shown = seen_close(view, look, size, chance)
    asked = tuple(
        (q.question, q.answer) for q in extra_questions.of_region(view, look, shown, chance)
    )
    return PatchSample(pixels, *samples.patch_labels(view.drawing, pixels, patch, shown), asked)


def seen_close(
    view: RenderedScene, look: Appearance, size: int, chance: random.Random
) -> tuple[NDArray[np.uint8], Box]:
    """A region as a judge sees it, cut out a little beside the thing or part.

    Its pixels (size, size, 3), and where it is.
    """
    sharp = chance.choice(SHARP)
    cut = window(jittered(look.region, chance), sharp, sharp, square=True)
    shown = Box(*(side / sharp for side in cut))
    drawn = view.drawing.image(min(cut[2] - cut[0], 2 * size), shown)
    return np.asarray(drawn.resize((size, size), Image.Resampling.BICUBIC), dtype=np.uint8), shown


def _some(asked: Sequence[T], most: int, chance: random.Random) -> list[T]:
    return chance.sample(asked, min(most, len(asked)))


# --- shards on disk
# --------------------------------------------------------------------------------------------------


class JudgeShard(NamedTuple):
    """Many sittings.

    `pixels` (N, PICTURES, size, size, 3); labels (N, PICTURES, grid, grid); `first` (N,).

    `asked[n][k]` are the questions and answers of picture k of sitting n, `compared[n]` those of
    its pair.
    """

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    centres: NDArray[np.int16]
    colours: NDArray[np.int16]
    first: NDArray[np.int16]
    asked: list[list[list[tuple[str, str]]]]
    compared: list[list[tuple[str, str]]]


def write(
    folder: Path, count: int, size: int, patch: int, workers: int = 2, per_shard: int = 500
) -> None:
    """Draw sittings 0..count-1; shards that are already there are kept."""
    samples.part_numbers()  # once, before the workers fork
    shards.write(folder, count, partial(_arrays, size, patch), workers, per_shard, packed=False)


def _arrays(size: int, patch: int, seeds: range) -> shards.Arrays:
    drawn = [draw_sitting(seed, size, patch) for seed in seeds]
    return {
        "pixels": _stacked(drawn, lambda s: s.pixels),
        "parts": _stacked(drawn, lambda s: s.parts),
        "centres": _stacked(drawn, lambda s: s.centres),
        "colours": _stacked(drawn, lambda s: s.colours),
        "first": np.array([sitting.first for sitting in drawn], dtype=np.int16),
        "asked": np.array([json.dumps([s.pairs for s in sitting.pictures]) for sitting in drawn]),
        "compared": np.array([json.dumps(sitting.compared) for sitting in drawn]),
    }


def _stacked(
    drawn: Sequence[LabeledJudgeSample], of: Callable[[PatchSample], NDArray[Any]]
) -> NDArray[Any]:
    return np.stack([np.stack([of(sample) for sample in sitting.pictures]) for sitting in drawn])


def read_judge_shards(folder: Path, most: int | None = None) -> Iterator[JudgeShard]:
    """The shards of a folder in order, the first `most` of them."""
    for file in shards.files(folder)[:most]:
        with np.load(file) as held:
            texts = ([json.loads(row) for row in held[name]] for name in ("asked", "compared"))
            yield JudgeShard(
                *(held[name] for name in ("pixels", "parts", "centres", "colours", "first")), *texts
            )
