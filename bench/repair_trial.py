"""Simulates repair experiments whose true effects are known: ``python -m bench.repair_trial``.

Facts of prompts of different difficulty fail by chance, and two judges err about each of them, both
by chance of their own. Prompts enter an experiment since the selecting judge found a failure, as
they do in a real one. No model runs.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray

from bench.measuring import launch
from hallascope.engine.error_analysis.remedy_effects import (
    EffectEstimate,
    PromptFacts,
    estimate_effect,
)

REMEDIES = ("nothing", "a third fewer failures", "best of n", "fools its judge")
FACTS = 5
REFERENCE_PROMPTS = 8_000  # from which the true effect is computed
DIFFICULTY = (1.2, 2.0)  # of the beta distribution of a prompt's share of failing facts
ERRORS = {"selecting": 0.15, "evaluating": 0.05, "truth": 0.0}  # how often each is wrong on a fact

Facts = NDArray[np.bool_]  # whether each is right, of shape (prompts, images, FACTS)


def draw(chance: Generator, shares: NDArray[np.float64], images: int) -> dict[str, Facts]:
    """Return the facts of images as each judge sees them, and as they are."""
    shape = (len(shares), images, FACTS)
    truth = chance.random(shape) >= shares[:, None, None]
    return {view: truth ^ (chance.random(shape) < error) for view, error in ERRORS.items()}


def experiment(
    chance: Generator, remedy: str, prompts: int, images: int
) -> dict[str, EffectEstimate]:
    """Return the gain by each view of an experiment on prompts that the selecting judge faults."""
    shares = chance.beta(*DIFFICULTY, 4 * prompts)
    before = draw(chance, shares, 1)
    chosen = np.flatnonzero(~before["selecting"].all(axis=(1, 2)))[:prompts]
    shares = shares[chosen]
    control = draw(chance, shares, images)
    after = draw(chance, shares * (2 / 3 if remedy == "a third fewer failures" else 1.0), 1)
    if remedy == "best of n":
        best = control["selecting"].sum(axis=2).argmax(axis=1)
        after = {view: facts[range(len(shares)), best][:, None] for view, facts in control.items()}
    elif remedy == "fools its judge":
        after["selecting"] = np.ones_like(after["selecting"])
    return {view: gain(before[view][chosen], control[view], after[view]) for view in ERRORS}


def gain(before: Facts, control: Facts, after: Facts) -> EffectEstimate:
    """Return the gain of a remedy beside fresh images, by one view."""
    prompts = [
        PromptFacts(
            before=states(first[0]),
            control=tuple(map(states, fresh)),
            after=tuple(map(states, own)),
        )
        for first, fresh, own in zip(before, control, after, strict=True)
    ]
    return estimate_effect(prompts).repaired.gain or EffectEstimate(0.0, None, None)


def states(facts: Facts) -> dict[str, bool]:
    """Return facts by name."""
    return {str(place): bool(state) for place, state in enumerate(facts)}


def simulate(experiments: int, prompts: int, images: int, seed: int) -> pd.DataFrame:
    """Return a row for each remedy: its true gain, what was measured, and how often it is held."""
    rows = []
    for place, remedy in enumerate(REMEDIES):
        chance = np.random.default_rng([seed, place])
        reference = experiment(chance, remedy, REFERENCE_PROMPTS, images)
        true_gain = reference["truth"].value
        found = [experiment(chance, remedy, prompts, images) for _ in range(experiments)]
        by_view = {view: [gains[view] for gains in found] for view in ERRORS}
        rows.append(
            {
                "remedy": remedy,
                "true gain": true_gain,
                **{view: np.mean([each.value for each in by_view[view]]) for view in ERRORS},
                "coverage, truth": coverage(by_view["truth"], true_gain),
                "coverage, judge": coverage(by_view["evaluating"], reference["evaluating"].value),
                "overstated": overstated(by_view["evaluating"], true_gain),
                "by the selecting judge": overstated(by_view["selecting"], true_gain),
            }
        )
    return pd.DataFrame(rows).set_index("remedy")


def coverage(estimates: Sequence[EffectEstimate], value: float) -> float:
    """Return how often the interval holds a value; one without ends holds all."""
    return float(
        np.mean([e.low is None or e.high is None or e.low <= value <= e.high for e in estimates])
    )


def overstated(estimates: Sequence[EffectEstimate], value: float) -> float:
    """Return how often the interval lies above a value."""
    return float(np.mean([e.low is not None and e.low > value for e in estimates]))


def main(experiments: int = 200, prompts: int = 60, images: int = 4, seed: int = 0) -> None:
    """Print what so many experiments with each remedy say; the same seed gives the same table."""
    print(simulate(experiments, prompts, images, seed).to_string(float_format="{:.3f}".format))


if __name__ == "__main__":
    launch(main)
