"""The simulation of intervals draws what it says, and the intervals cover the truth."""

import numpy as np
import pytest

from bench.interval_coverage import (
    CORRELATIONS,
    correction_coverage,
    difference_coverage,
    draw_scores,
    equal_boards,
    false_positives,
    mean_coverage,
)


@pytest.mark.parametrize("strength", CORRELATIONS)
def test_scores_have_the_mean_and_the_correlation_that_are_named(strength: str) -> None:
    rho = CORRELATIONS[strength]
    scores = draw_scores(np.random.default_rng(0), 0.8, strength, (200_000,))
    assert scores.mean() == pytest.approx(0.8, abs=0.005)
    # the variance of a mean of five answers of which any two have the correlation rho
    assert scores.var() == pytest.approx(0.16 * (1 + 4 * rho) / 5, rel=0.02)
    assert set(np.unique(scores)) <= {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}


@pytest.mark.full
def test_intervals_cover_the_truth_in_every_cell() -> None:
    chance = np.random.default_rng(1)
    # of 300 draws at 95 %, four standard errors
    error = 4 * (0.95 * 0.05 / 300) ** 0.5
    for simulate in (mean_coverage, difference_coverage):
        cells = simulate(chance, 300)
        assert cells["covered"].min() > 0.95 - error
        assert cells["width"].min() > 0
    assert false_positives(chance, 300)["below"].max() < 0.05 + error
    boards = equal_boards(chance, 10).pivot(index=["correlation", "prompts"], columns="p")["below"]
    assert (boards["corrected"] <= boards["not corrected"]).all()
    for at_random in (False, True):
        assert correction_coverage(chance, 10, at_random=at_random)["covered"].mean() > 0.9
