"""Simulates how often slices are found where there are none, and where a weakness was planted.

``python -m bench.slice_trial``: the prompts are those of the Primer world, with three models and
two seeds; the errors are drawn, and no model is run.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd
import typer
from scipy.stats import binomtest

from bench.measuring import JsonOption, launch, show
from hallascope.engine.error_analysis.conditions import Condition, parse_conditions, select_images
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.error_analysis.selection import JudgedImages
from hallascope.engine.error_analysis.slices.discovery import SliceUnits, slice_units
from hallascope.engine.error_analysis.slices.search import (
    Booleans,
    Floats,
    Units,
    find_groups,
    members,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.scores import FACETS
from hallascope.primer.scenes import parse, sample_prompt

WEAKNESS = "number above 3:yes;model:primer/hasty"
MODELS = ("primer/careful", "primer/hasty", "primer/careless")
SEEDS = 2
USUAL_ERROR = 0.12  # the mean share of wrong answers
WEAK_ERROR = 0.6  # where the weakness is
SAME_IMAGES = 0.9  # images in both of all in either, from which a slice is the planted one
# of the beta distribution of the share of wrong answers over prompts: prompts differ much
_CONCENTRATION = 8.0


def simulate_images(count: int, seed: int) -> JudgedImages:
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


def find_planted(
    judged: JudgedImages, searched: SliceUnits, weakness: Sequence[Condition]
) -> Booleans:
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


def draw_errors(
    units: Units,
    chance: np.random.Generator,
    planted: Booleans | None = None,
) -> Units:
    """Return the units with drawn errors, which depend on the prompt and on what is planted."""
    probabilities = draw_shares(units, chance, USUAL_ERROR)
    if planted is not None:
        weak = draw_shares(units, chance, WEAK_ERROR)
        probabilities = np.where(planted, weak, probabilities)
    wrong = chance.binomial(units.weights.astype(int), probabilities)
    return units._replace(errors=wrong / units.weights)


def draw_shares(units: Units, chance: np.random.Generator, mean: float) -> Floats:
    count = int(units.prompts.max()) + 1
    shares = chance.beta(mean * _CONCENTRATION, (1 - mean) * _CONCENTRATION, count)
    drawn: Floats = shares[units.prompts]
    return drawn


def is_same(
    inside: Booleans,
    planted: Booleans,
) -> bool:
    return float((inside & planted).sum()) >= SAME_IMAGES * float((inside | planted).sum())


def share_row(what: str, count: int, repetitions: int) -> dict[str, object]:
    """Return in how many selections a result came, with the Clopper-Pearson interval."""
    low, high = binomtest(count, repetitions).proportion_ci()
    return {"what": what, "share": count / repetitions, "low": low, "high": high, "of": repetitions}


def main(
    repetitions: Annotated[int, typer.Option(min=1, help="Selections of each kind.")] = 100,
    prompts: Annotated[int, typer.Option(min=50, max=4_000, help="Of the Primer world.")] = 400,
    weakness: Annotated[str, typer.Option(help="The planted group, as conditions.")] = WEAKNESS,
    seed: int = 0,
    as_json: JsonOption = False,
) -> None:
    judged = simulate_images(prompts, seed)
    searched = slice_units(judged)
    planted = find_planted(judged, searched, parse_conditions(weakness))
    chance = np.random.default_rng(seed)
    nothing = first = 0
    for repetition in range(repetitions):
        nothing += not find_groups(draw_errors(searched.units, chance), seed=repetition).groups
        units = draw_errors(searched.units, chance, planted)
        groups = find_groups(units, seed=repetition).groups
        first += bool(groups) and is_same(members(units, groups[0].conditions), planted)
    rows = [
        share_row("errors shuffled over prompts: nothing reported", nothing, repetitions),
        share_row(f"planted weakness ({weakness}): found first", first, repetitions),
    ]
    show(rows, as_json, images=len(judged.images))


if __name__ == "__main__":
    launch(main)
