"""The docs' TIFA-like example prints the numbers that its simulated table gives."""

from pathlib import Path

import numpy as np

from hallascope.metrics.statistics.agreement import Study
from hallascope.metrics.statistics.correlation import NAMES
from hallascope.metrics.statistics.intervals import IntervalEstimate

DOCS = Path(__file__).parents[3] / "docs" / "scores.md"


def example(by_prompt: bool) -> Study:
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


def test_the_docs_print_what_the_example_gives() -> None:
    by_item = example(by_prompt=False).metrics()["tifa"]
    by_prompt = example(by_prompt=True).metrics()["tifa"]
    assert by_prompt.within is not None
    text = DOCS.read_text(encoding="utf-8")
    for name in NAMES:
        columns = (by_item.statistics, by_prompt.statistics, by_prompt.within.statistics)
        assert " | ".join(cell(column[name]) for column in columns) in text
    assert f"{by_prompt.within.groups} of 60 prompts" in text
