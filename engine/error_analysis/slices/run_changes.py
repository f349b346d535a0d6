"""Compares two runs, models or judges image by image: what is better, what is worse, by slice.

The same image is paired with itself, all others by prompt, model and seed. Where each side has one
model alone, and not the same, the two models are paired.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from hallascope.engine.error_analysis.conditions import Condition, feature_groups
from hallascope.engine.error_analysis.features import QUESTION_TYPE, WRONG, image_features
from hallascope.engine.error_analysis.selection import (
    ErrorSelection,
    JudgedImages,
    read_judged_images,
    share_range,
)
from hallascope.engine.error_analysis.slices.discovery import group_name
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.storage.catalog import ListedRun
from hallascope.engine.storage.store import Store
from hallascope.metrics.statistics.paired_difference import (
    MIN_PROMPTS,
    difference_interval,
    holm,
)
from hallascope.metrics.statistics.sign_flips import sign_flip_tests

Change = Literal["better", "worse", "unchanged"]
CHANGES: tuple[Change, ...] = ("better", "worse", "unchanged")
ComparedKind = Literal["run", "model", "judge"]
_SHARE = {
    "run": "choose two runs of the same prompts and seeds. To compare two models of one run, use"
    " Errors, Compare, Models.",
    "model": "choose two models that drew the same prompts with the same seeds.",
    "judge": "let both judge the same images.",
}
LEVEL = 0.05
_FLIPS = 40_000  # drawn in a test, so that a p that is corrected for many slices can be small
_SAME = 1e-9  # errors that differ by less are the same
_NOT_OF_IMAGES = (QUESTION_TYPE, WRONG, "seed")  # the first two are about answers


@dataclass(frozen=True, kw_only=True)
class SliceChange:
    """Holds how the images of a slice changed from the first run to the second.

    `conditions` is () for all images. `error_rates`: the mean error of each run, in [0, 1]; each
    prompt counts once. `difference` is the second minus the first, below 0 where it got better,
    with its 95 % interval over prompts, None under two prompts. `p` is of a test by sign flips of
    the prompts' differences, and `corrected_p` by Holm's method over all slices that were tested;
    None under six prompts. `counts`: how many images got better, worse, or are unchanged.
    """

    conditions: tuple[Condition, ...]
    error_rates: tuple[float, float]
    difference: float
    low: float | None
    high: float | None
    p: float | None
    corrected_p: float | None
    counts: tuple[int, int, int]
    prompts: int

    @property
    def name(self) -> str:
        """Return what the images have in common, in words."""
        return group_name(self.conditions) or "All images"

    @property
    def images(self) -> int:
        """Return how many images are paired."""
        return sum(self.counts)

    @property
    def verdict(self) -> Change:
        """Return "better" or "worse" where the change is more than chance, else "unchanged"."""
        if self.corrected_p is None or self.corrected_p >= LEVEL:
            return "unchanged"
        return "better" if self.difference < 0 else "worse"


class ImageChange(NamedTuple):
    """Holds one image in both runs: their evaluations and their errors in [0, 1]."""

    prompt: str
    models: tuple[str, str]
    seed: int
    evaluations: tuple[int, int]
    errors: tuple[float, float]

    @property
    def change(self) -> Change:
        """Return whether the image got better or worse."""
        difference = self.errors[1] - self.errors[0]
        if abs(difference) < _SAME:
            return "unchanged"
        return "better" if difference < 0 else "worse"


class ComparedSide(NamedTuple):
    """Names a run, a model or a judge by its id and for people, and selects its images."""

    id: str
    name: str
    selection: ErrorSelection


@dataclass(frozen=True, kw_only=True)
class RunChanges:
    """Holds two runs, models or judges by one metric: all images, slices, and what changed.

    `slices` begin with those that changed beyond chance, the worst first. `images` are those that
    got worse or better, from the most worse to the most better. `unpaired` counts the images of
    the first and of the second run that are in no pair, `left_out` the questions of each without
    an answer.
    """

    kind: ComparedKind
    one: ComparedSide
    other: ComparedSide
    metric: str
    whole: SliceChange
    slices: tuple[SliceChange, ...]
    images: tuple[ImageChange, ...]
    unpaired: tuple[int, int]
    left_out: tuple[int, int]

    @property
    def is_worse(self) -> bool:
        """Return whether all images together, or a slice, got worse beyond chance."""
        return any(each.verdict == "worse" for each in (self.whole, *self.slices))

    @property
    def sentence(self) -> str:
        """Return what the comparison says, in one sentence."""
        better, worse, same = self.whole.counts
        words = f"The second {self.kind} is {self.whole.verdict} than the first"
        if self.whole.verdict == "unchanged":
            words = f"The two {self.kind}s cannot be told apart"
        return (
            f"{words}: {better:,} images got better, {worse:,} got worse, {same:,} are unchanged."
        )


def compare_run_errors(
    store: Store, one: ListedRun, other: ListedRun, metric: str = "ihalla"
) -> RunChanges:
    """Return what changed from one run to another, by slice.

    Raises BadRequest where it is the same run twice, and where no image can be paired.
    """
    first, second = (
        ComparedSide(
            run.id, run.name, ErrorSelection(metric=metric, filters=Filters(runs=(run.id,)))
        )
        for run in (one, other)
    )
    return compare_errors(store, "run", first, second)


def compare_errors(
    store: Store, kind: ComparedKind, one: ComparedSide, other: ComparedSide
) -> RunChanges:
    """Return what changed from one run, model or judge to another, by slice.

    Raises BadRequest where it is the same twice, and where no image can be paired.
    """
    if one.id == other.id:
        raise BadRequest(f"A {kind} is compared with itself: choose two {kind}s.")
    sides = share_range(
        [read_judged_images(store, side.selection) for side in (one, other)], one.selection.metric
    )
    pairs = _pair(*(side.images for side in sides))
    if pairs.empty:
        raise BadRequest(f"These {kind}s share no image pair: {_SHARE[kind]}")
    groups = [*_groups(pairs, sides[0]), *_question_groups(pairs, sides)]
    measured = [_measure(group, conditions) for conditions, group in groups]
    tested = [at for at, each in enumerate(measured) if each.p is not None]
    corrected = dict(zip(tested, holm([measured[at].p or 0.0 for at in tested]), strict=True))
    slices = [replace(each, corrected_p=corrected.get(at)) for at, each in enumerate(measured)]
    whole, *narrower = slices
    order = {"worse": 0, "better": 1, "unchanged": 2}
    narrower.sort(key=lambda each: (order[each.verdict], -abs(each.difference)))
    images = [image for image in _images(pairs) if image.change != "unchanged"]
    images.sort(key=lambda image: image.errors[0] - image.errors[1])
    return RunChanges(
        kind=kind,
        one=one,
        other=other,
        metric=one.selection.metric,
        whole=whole,
        slices=tuple(narrower),
        images=tuple(images),
        unpaired=(len(sides[0].images) - len(pairs), len(sides[1].images) - len(pairs)),
        left_out=(sides[0].left_out, sides[1].left_out),
    )


def _pair(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each image in both runs: the columns of the first, and `_second` ones."""
    shared = set(first["generation"]) & set(second["generation"])
    first, second = (
        images.assign(same=images["generation"].where(images["generation"].isin(shared), ""))
        for images in (first, second)
    )
    keys = ["same", "model", "prompt", "seed", "trial"]
    models = [set(images["model"]) for images in (first, second)]
    if models[0].isdisjoint(models[1]) and len(models[0]) == len(models[1]) == 1:
        keys.remove("model")
    chosen = ["evaluation", "error", "model"]
    once = first.drop_duplicates(keys, keep="last")
    second_columns = [*keys, *(name for name in chosen if name not in keys)]
    other = second.drop_duplicates(keys, keep="last")[second_columns]
    joined = once.merge(other, on=keys, suffixes=("", "_second"), how="inner")
    if "model_second" not in joined.columns:
        joined["model_second"] = joined["model"]
    return joined


def _groups(
    pairs: pd.DataFrame, first: JudgedImages
) -> Iterator[tuple[tuple[Condition, ...], pd.DataFrame]]:
    """Yield all pairs, then those of each value of a feature that enough prompts have.

    A group of the same pairs as one before it is left out.
    """
    yield (), pairs
    features = image_features(pairs, first.parts)
    names = [name for name in features.columns if name not in _NOT_OF_IMAGES]
    for condition, met in feature_groups(features, names):
        if pairs["prompt"][met].nunique() >= MIN_PROMPTS:
            yield (condition,), pairs[met]


def _question_groups(
    pairs: pd.DataFrame, sides: Sequence[JudgedImages]
) -> Iterator[tuple[tuple[Condition, ...], pd.DataFrame]]:
    """Yield the pairs by the answers to each question type, which both runs answered."""
    errors = []
    for side in sides:
        parts = side.parts[side.parts["answered"] > 0] if len(side.parts) else side.parts
        own = parts.assign(error=parts["wrong"] / parts["answered"])
        errors.append(own.set_index(["evaluation", "coi"])["error"])
    types = [set(own.index.get_level_values("coi")) for own in errors]
    for coi in sorted(types[0] & types[1]):
        columns = {
            name: pairs[evaluation].map(own.xs(coi, level="coi"))
            for name, evaluation, own in zip(
                ("error", "error_second"), ("evaluation", "evaluation_second"), errors, strict=True
            )
        }
        answered = pairs.assign(**columns).dropna(subset=["error", "error_second"])
        if answered["prompt"].nunique() >= MIN_PROMPTS:
            yield (Condition(QUESTION_TYPE, coi),), answered


def _measure(pairs: pd.DataFrame, conditions: tuple[Condition, ...]) -> SliceChange:
    differences = (pairs["error_second"] - pairs["error"]).to_numpy(dtype=float)
    means = pairs.groupby("prompt")[["error", "error_second"]].mean()
    by_prompt = (means["error_second"] - means["error"]).to_numpy(copy=True)
    by_prompt[np.abs(by_prompt) < _SAME] = 0.0
    interval = difference_interval(by_prompt)
    enough = len(by_prompt) >= MIN_PROMPTS
    better = int((differences < -_SAME).sum())
    worse = int((differences > _SAME).sum())
    return SliceChange(
        conditions=conditions,
        error_rates=(float(means["error"].mean()), float(means["error_second"].mean())),
        difference=float(by_prompt.mean()),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        p=sign_flip_tests(by_prompt[:, np.newaxis], drawn=_FLIPS).p[0] if enough else None,
        corrected_p=None,
        counts=(better, worse, len(pairs) - better - worse),
        prompts=len(by_prompt),
    )


def _images(pairs: pd.DataFrame) -> Iterable[ImageChange]:
    columns = ("prompt", "model", "model_second", "seed", "evaluation", "evaluation_second")
    rows = zip(*(pairs[name].tolist() for name in columns), strict=True)
    errors = zip(pairs["error"].tolist(), pairs["error_second"].tolist(), strict=True)
    for (prompt, one, other, seed, first, second), changed in zip(rows, errors, strict=True):
        yield ImageChange(prompt, (one, other), seed, (first, second), changed)
