"""Simulates how often slices are found where there are none, and where a weakness was planted.

The prompts are those of the Primer world, the errors are drawn: no model is run.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from hallascope.engine.error_analysis.conditions import Condition, select_images
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.error_analysis.selection import JudgedImages
from hallascope.engine.error_analysis.slices.discovery import (
    SliceUnits,
    condition_words,
    slice_units,
)
from hallascope.engine.error_analysis.slices.search import Floats, Units, find_groups, members
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.scores import FACETS
from hallascope.metrics.statistics.intervals import Interval, clopper_pearson
from hallascope.primer.scenes import parse, sample_prompt

WEAKNESS = (Condition("number above 3", "yes"), Condition("model", "primer/hasty"))
MODELS = ("primer/careful", "primer/hasty", "primer/careless")
PROMPTS = 400
SEEDS = 2
USUAL_ERROR = 0.12  # the mean share of wrong answers
WEAK_ERROR = 0.6  # where the weakness is
SAME_IMAGES = 0.9  # images in both of all in either, from which a slice is the planted one
# of the beta distribution of the share of wrong answers over prompts: prompts differ much
_CONCENTRATION = 8.0


class SliceTrialPart(NamedTuple):
    """Holds how many of `repetitions` simulated selections had a result, and its 95 % interval."""

    count: int
    repetitions: int
    interval: Interval

    @property
    def share(self) -> float:
        """Return count / repetitions."""
        return self.count / self.repetitions


@dataclass(frozen=True, kw_only=True)
class SliceTrial:
    """Holds the results of a simulation.

    `nothing_reported`: where errors are shuffled over prompts, so that there is nothing to report.
    `planted_first`: where one group of images fails more, and the first slice is that group.
    """

    nothing_reported: SliceTrialPart
    planted_first: SliceTrialPart
    weakness: str
    planted_images: int
    images: int
    prompts: int
    looked_at: int
    seed: int


def run_slice_trial(
    repetitions: int = 100,
    *,
    weakness: Sequence[Condition] = WEAKNESS,
    prompts: int = PROMPTS,
    seed: int = 0,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> SliceTrial:
    """Simulate selections of judged images, with errors at random and with a planted weakness.

    `report` is told how many repetitions of how many are done. The same seed gives the same result.
    Raises BadRequest where no image, or every one, meets the conditions of the weakness.
    """
    judged = _simulated_images(prompts, seed)
    searched = slice_units(judged)
    planted = _planted(judged, searched, weakness)
    chance = np.random.default_rng(seed)
    nothing = first = looked_at = 0
    for repetition in range(repetitions):
        found = find_groups(_with_errors(searched.units, chance), seed=repetition)
        looked_at = found.looked_at
        nothing += not found.groups
        units = _with_errors(searched.units, chance, planted)
        groups = find_groups(units, seed=repetition).groups
        first += bool(groups) and _same(members(units, groups[0].conditions), planted)
        report(repetition + 1, repetitions)
    return SliceTrial(
        nothing_reported=_part(nothing, repetitions),
        planted_first=_part(first, repetitions),
        weakness=", ".join(condition_words(condition) for condition in weakness),
        planted_images=len(np.unique(searched.evaluations[planted])),
        images=len(judged.images),
        prompts=prompts,
        looked_at=looked_at,
        seed=seed,
    )


def _simulated_images(count: int, seed: int) -> JudgedImages:
    """Return images of every model and seed for prompts by chance, with the questions of each."""
    chance = random.Random(f"slices {seed}")
    prompts: dict[str, None] = {}
    while len(prompts) < count:
        prompts[sample_prompt(chance)] = None
    asked = {prompt: parse(prompt).questions() for prompt in prompts}
    images = [
        {
            "evaluation": 0,
            "model": model,
            "seed": number,
            "prompt": prompt,
            "settings": "{}",
            "error": 0.0,
            **dict.fromkeys(FACETS, ""),
            "domain": questions.domain or "",
            "category": str(questions.category or ""),
        }
        for prompt in prompts
        for questions in [asked[prompt]]
        for model in MODELS
        for number in range(SEEDS)
    ]
    table = pd.DataFrame(images)
    table["evaluation"] = table.index
    types = {
        prompt: Counter(question.coi for question in questions.questions)
        for prompt, questions in asked.items()
    }
    parts = [
        (evaluation, coi, 0.0, number)
        for evaluation, prompt in zip(table["evaluation"], table["prompt"], strict=True)
        for coi, number in types[prompt].items()
    ]
    columns = ["evaluation", "coi", "wrong", "answered"]
    return JudgedImages(table, pd.DataFrame(parts, columns=columns), 0, ())


def _planted(
    judged: JudgedImages, searched: SliceUnits, weakness: Sequence[Condition]
) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    features = image_features(judged.images, judged.parts)
    chosen = judged.images["evaluation"][select_images(features, weakness)]
    planted = np.isin(searched.evaluations, chosen.to_numpy())
    if not planted.any() or planted.all():
        some = "No" if not planted.any() else "Every"
        raise BadRequest(
            f"{some} simulated image meets the conditions of the weakness: name others, such as"
            " `number above 3:yes;model:primer/hasty`."
        )
    return planted


def _with_errors(
    units: Units,
    chance: np.random.Generator,
    planted: "np.ndarray[tuple[int], np.dtype[np.bool_]] | None" = None,
) -> Units:
    """Return the units with drawn errors, which depend on the prompt and on what is planted."""
    probabilities = _by_prompt(units, chance, USUAL_ERROR)
    if planted is not None:
        weak = _by_prompt(units, chance, WEAK_ERROR)
        probabilities = np.where(planted, weak, probabilities)
    wrong = chance.binomial(units.weights.astype(int), probabilities)
    return units._replace(errors=wrong / units.weights)


def _by_prompt(units: Units, chance: np.random.Generator, mean: float) -> Floats:
    count = int(units.prompts.max()) + 1
    shares = chance.beta(mean * _CONCENTRATION, (1 - mean) * _CONCENTRATION, count)
    drawn: Floats = shares[units.prompts]
    return drawn


def _same(
    inside: "np.ndarray[tuple[int], np.dtype[np.bool_]]",
    planted: "np.ndarray[tuple[int], np.dtype[np.bool_]]",
) -> bool:
    return float((inside & planted).sum()) >= SAME_IMAGES * float((inside | planted).sum())


def _part(count: int, repetitions: int) -> SliceTrialPart:
    return SliceTrialPart(
        count, repetitions, clopper_pearson(count / repetitions, float(repetitions))
    )
