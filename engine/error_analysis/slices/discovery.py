"""Finds slices: groups of judged images in which models fail more than elsewhere, beyond chance.

Where a metric asks questions, what fails is an answer, and the question type is a feature; else it
is an image.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hallascope.engine.error_analysis.conditions import (
    Condition,
    feature_groups,
    format_conditions,
    select_images,
)
from hallascope.engine.error_analysis.features import (
    CLUSTER,
    MODEL,
    QUESTION_TYPE,
    WRONG,
    image_features,
)
from hallascope.engine.error_analysis.prompt_features import YES
from hallascope.engine.error_analysis.selection import JudgedImages
from hallascope.engine.error_analysis.slices.search import (
    FEWEST_PROMPTS,
    FEWEST_UNITS,
    Booleans,
    GroupSearch,
    Units,
    find_groups,
    members,
)
from hallascope.metrics.reading.words.language import NUMBERS
from hallascope.metrics.statistics.intervals import mean_interval

MOST_SLICES = 10
_WORDS = {
    "question type": "questions about {}",
    "wrong question type": "wrong answers about {}",
    "length": "{} prompts",
    "number": "the number {}",
    "knowledge": "{} knowledge beside the prompt",
}


@dataclass(frozen=True, kw_only=True)
class Slice:
    """Holds a group of images that fails more than the rest.

    `error_rate` and `rest_error_rate` are means in [0, 1] of the group and of all else; `low` and
    `high` are the 95 % interval of the first over prompts, None under two prompts. `images` and
    `prompts` count the group, and `evaluations` are its images, the worst first. `p` is of a test
    over prompts, `corrected_p` by Benjamini and Hochberg over all groups that were looked at.
    """

    conditions: tuple[Condition, ...]
    error_rate: float
    rest_error_rate: float
    low: float | None
    high: float | None
    images: int
    prompts: int
    p: float
    corrected_p: float
    evaluations: tuple[int, ...]

    @property
    def lift(self) -> float | None:
        """Return how many times the rest it fails; None where the rest does not fail."""
        return self.error_rate / self.rest_error_rate if self.rest_error_rate else None

    @property
    def name(self) -> str:
        """Return what the images have in common, in words."""
        return group_name(self.conditions)

    @property
    def sentence(self) -> str:
        """Return the slice as one sentence: what, how often wrong there, and elsewhere."""
        elsewhere = 100 * self.rest_error_rate
        digits = 1 if 0 < elsewhere < 1 else 0
        return (
            f"{self.name}: {100 * self.error_rate:.0f} % wrong in {self.images:,} images"
            f" (elsewhere {elsewhere:.{digits}f} %)"
        )

    @property
    def address(self) -> str:
        """Return the conditions in their written form, as `parse_conditions` reads it."""
        return format_conditions(self.conditions)


@dataclass(frozen=True, kw_only=True)
class SliceReport:
    """Holds the slices of a selection, the strongest first, and what they were found among.

    `error_rate` is the mean over all `counted` answers, or images, of which `left_out` have none.
    `by_questions`: the errors are of answers, not of images.
    """

    slices: tuple[Slice, ...]
    looked_at: int
    images: int
    prompts: int
    error_rate: float | None
    by_questions: bool
    counted: int = 0
    left_out: int = 0


class SliceUnits(NamedTuple):
    """Holds what is searched: the units, the conditions of their columns, and their images."""

    units: Units
    conditions: tuple[Condition, ...]
    evaluations: NDArray[np.int64]
    by_questions: bool


def find_slices(judged: JudgedImages, *, most: int = MOST_SLICES, seed: int = 0) -> SliceReport:
    """Return the groups of images that fail more than the rest, beyond chance.

    Groups have at most three conditions, ten images and five prompts at least; the false discovery
    rate over all groups looked at is at most 2.5 %. The same seed gives the same slices.
    """
    if judged.images.empty:
        return SliceReport(
            slices=(), looked_at=0, images=0, prompts=0, error_rate=None, by_questions=False
        )
    searched = slice_units(judged)
    units = searched.units
    found = find_groups(units, most=most, seed=seed)
    return SliceReport(
        slices=_slices(searched, found),
        looked_at=found.looked_at,
        images=len(judged.images),
        prompts=judged.images["prompt"].nunique(),
        error_rate=float(units.weights @ units.errors / units.weights.sum()),
        by_questions=searched.by_questions,
        counted=int(units.weights.sum()),
        left_out=judged.left_out,
    )


def slice_evaluations(judged: JudgedImages, conditions: Sequence[Condition]) -> tuple[int, ...]:
    """Return the images that meet the conditions, the worst first.

    A question type among the conditions says by which answers an image is bad.
    """
    if judged.images.empty:
        return ()
    searched = slice_units(judged, conditions)
    return _worst_first(searched, members(searched.units, range(len(conditions))))


def slice_units(judged: JudgedImages, wanted: Sequence[Condition] | None = None) -> SliceUnits:
    """Return what is searched of judged images: their answers, or themselves.

    The conditions are all that can describe a group, or those that are `wanted`.
    """
    images = judged.images
    features = image_features(images, judged.parts)
    parts = judged.parts[judged.parts["answered"] > 0] if len(judged.parts) else judged.parts
    by_questions = not parts.empty
    if by_questions:
        row_by_evaluation = pd.Series(images.index, index=images["evaluation"])
        rows = row_by_evaluation.loc[parts["evaluation"]].to_numpy()
        errors = (parts["wrong"] / parts["answered"]).to_numpy(dtype=float)
        weights = parts["answered"].to_numpy(dtype=float)
        features = features.loc[rows].reset_index(drop=True)
        features[QUESTION_TYPE] = parts["coi"].to_numpy()
    else:
        rows = images.index.to_numpy()
        errors = images["error"].to_numpy(dtype=float)
        weights = np.ones(len(images))
        features = features.reset_index(drop=True)
    prompts = pd.factorize(images["prompt"].loc[rows])[0]
    if wanted is None:
        conditions, met = _condition_columns(features, prompts)
    else:
        conditions = list(wanted)
        columns = [select_images(features, [condition]).to_numpy() for condition in conditions]
        met = np.array(columns, dtype=bool).reshape(-1, len(features)).T
    numbers = {name: at for at, name in enumerate(features.columns)}
    units = Units(
        errors=np.clip(errors, 0.0, 1.0),
        weights=weights,
        prompts=prompts,
        models=pd.factorize(features[MODEL])[0],
        conditions=met,
        features=[numbers.get(_family(condition.feature), -1) for condition in conditions],
    )
    evaluations = images["evaluation"].loc[rows].to_numpy(dtype=np.int64)
    return SliceUnits(units, tuple(conditions), evaluations, by_questions)


def group_name(conditions: Sequence[Condition]) -> str:
    """Return what images have in common that meet the conditions, in words."""
    words = ", ".join(map(condition_words, conditions))
    return words[:1].upper() + words[1:]


def condition_words(condition: Condition) -> str:
    """Return a condition in words: "numbers above three", "concept ladybug"."""
    feature, value = condition
    if feature.startswith("number above "):
        least = int(feature.rpartition(" ")[2])
        words = f"numbers above {NUMBERS[least]}"
        return words if value == YES else f"numbers up to {NUMBERS[least]}"
    if feature in ("negation", "style words"):
        return f"with {feature}" if value == YES else f"without {feature}"
    if feature in _WORDS:
        return _WORDS[feature].format(value)
    return f"{feature.removeprefix('setting ')} {value}"


# --- conditions


def _condition_columns(
    features: pd.DataFrame, prompts: NDArray[np.intp]
) -> tuple[list[Condition], Booleans]:
    """Return the conditions that enough units and prompts meet, none twice under two names."""
    conditions: list[Condition] = []
    columns: list[Booleans] = []
    # what is wrong says the same as the error
    names = sorted((name for name in features.columns if name != WRONG), key=_preference)
    for condition, met in feature_groups(features, names):
        if met.sum() >= FEWEST_UNITS and len(np.unique(prompts[met])) >= FEWEST_PROMPTS:
            conditions.append(condition)
            columns.append(met)
    return conditions, np.array(columns, dtype=bool).reshape(-1, len(features)).T


def _preference(feature: str) -> tuple[int, str]:
    """Return the order in which names are given to groups that two conditions describe alike."""
    if feature.startswith("number above"):
        return 0, feature
    return (2 if feature == CLUSTER else 1), feature


def _family(feature: str) -> str:
    """Return the feature that an ordered one is about."""
    return "number" if feature.startswith("number above") else feature


# --- slices


def _slices(searched: SliceUnits, found: GroupSearch) -> tuple[Slice, ...]:
    units = searched.units
    weighted = units.weights * units.errors
    slices = []
    for group in found.groups:
        inside = members(units, group.conditions)
        count = int(units.prompts.max()) + 1
        totals = np.bincount(units.prompts[inside], weighted[inside], count)
        sizes = np.bincount(units.prompts[inside], units.weights[inside], count)
        interval = mean_interval(totals[sizes > 0].tolist(), sizes[sizes > 0].tolist())
        rest = units.weights[~inside].sum()
        evaluations = _worst_first(searched, inside)
        slices.append(
            Slice(
                conditions=tuple(searched.conditions[at] for at in group.conditions),
                error_rate=float(totals.sum() / sizes.sum()),
                rest_error_rate=float(weighted[~inside].sum() / rest) if rest else 0.0,
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                images=len(evaluations),
                prompts=int((sizes > 0).sum()),
                p=group.p,
                corrected_p=group.corrected_p,
                evaluations=evaluations,
            )
        )
    return tuple(slices)


def _worst_first(searched: SliceUnits, inside: Booleans) -> tuple[int, ...]:
    errors = pd.Series(searched.units.errors[inside]).groupby(searched.evaluations[inside]).mean()
    ordered = errors.sort_values(ascending=False, kind="stable").index
    return tuple(int(evaluation) for evaluation in ordered)


def slice_report_document(report: SliceReport) -> dict[str, Any]:
    """Return the slices, the strongest first, and what they were found among."""
    return {
        "slices": [slice_document(found) for found in report.slices],
        "looked_at": report.looked_at,
        "images": report.images,
        "prompts": report.prompts,
        "error_rate": report.error_rate,
        "n": report.counted,
        "left_out": report.left_out,
        "by_questions": report.by_questions,
    }


def slice_document(found: Slice) -> dict[str, Any]:
    """Return one slice; `address` is the form of `?slice=` and of `--where`."""
    fields = asdict(found)
    return {
        "sentence": found.sentence,
        **fields,
        "conditions": [condition._asdict() for condition in found.conditions],
        "lift": found.lift,
        "address": found.address,
        "evaluations": list(found.evaluations),
    }
