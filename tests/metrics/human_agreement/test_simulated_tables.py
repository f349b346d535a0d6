"""Simulated people and metrics of known quality get the agreement that follows from it."""

import numpy as np

from hallascope.metrics.statistics.agreement import Study
from hallascope.metrics.statistics.correlation import NAMES
from hallascope.metrics.statistics.intervals import IntervalEstimate


def tifa_example(by_prompt: bool) -> Study:
    """Return 60 prompts with an image by each of five models, three ratings each."""
    chance = np.random.default_rng(22)
    scores: dict[str, float] = {}
    ratings: dict[str, list[float]] = {}
    prompts: dict[str, str] = {}
    for prompt in range(60):
        ease = chance.normal()
        for model in range(5):
            item = f"{prompt}-{model}"
            quality = ease + 0.6 * chance.normal()
            share = 0.6 + 0.2 * quality + 0.1 * chance.normal() + 0.12 * ease
            scores[item] = round(float(np.clip(share, 0, 1)) * 10) / 10
            ratings[item] = [
                float(np.clip(round(3 + quality + 0.5 * chance.normal()), 1, 5)) for _ in range(3)
            ]
            prompts[item] = str(prompt)
    return Study({"tifa": scores}, ratings, groups=prompts if by_prompt else None)


def cell(estimate: IntervalEstimate) -> str:
    assert estimate.low is not None
    assert estimate.high is not None
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def test_ratings_of_simulated_people() -> None:
    by_item = tifa_example(by_prompt=False).metrics()["tifa"]
    by_prompt = tifa_example(by_prompt=True).metrics()["tifa"]
    assert by_prompt.within is not None
    expected = {
        "pearson": ("0.898 (0.877 to 0.919)", "0.898 (0.865 to 0.923)", "0.687 (0.580 to 0.766)"),
        "spearman": ("0.905 (0.881 to 0.925)", "0.905 (0.865 to 0.929)", "0.683 (0.566 to 0.772)"),
        "kendall": ("0.785 (0.755 to 0.816)", "0.785 (0.738 to 0.821)", "0.596 (0.479 to 0.694)"),
        "pairwise_accuracy": (
            "0.798 (0.777 to 0.818)",
            "0.798 (0.764 to 0.823)",
            "0.587 (0.528 to 0.643)",
        ),
    }
    for name in NAMES:
        columns = (by_item.statistics, by_prompt.statistics, by_prompt.within.statistics)
        assert tuple(cell(column[name]) for column in columns) == expected[name]
    assert by_prompt.within.groups == 54
