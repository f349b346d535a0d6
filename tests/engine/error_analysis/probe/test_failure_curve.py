"""The curve of failures finds where half of the images fail, and says how sure that is."""

import math

import numpy as np
import pytest

from hallascope.engine.error_analysis.probe.allocation import choose_by_curve
from hallascope.engine.error_analysis.probe.failure_curve import (
    LevelCounts,
    estimate_difference,
    fit_curve,
    holds_to,
    mean_share_draws,
    share_of_level,
)

STEEP = [
    LevelCounts(failed=f, answered=20, value=v)
    for v, f in zip(range(1, 6), (0, 1, 9, 18, 20), strict=True)
]


def test_half_of_the_images_fail_where_the_counts_say() -> None:
    posterior = fit_curve(STEEP)
    boundary = posterior.boundary()
    assert 2.7 < boundary.low < boundary.value < boundary.high < 3.5
    assert boundary.value == pytest.approx(3.1, abs=0.15)
    assert holds_to(posterior, [1, 2, 3, 4, 5]) == 2


def test_a_boundary_outside_the_levels_is_said_to_lie_outside() -> None:
    def boundary(failed: int) -> float:
        levels = [LevelCounts(failed=failed, answered=20, value=value) for value in (1, 2, 3)]
        return fit_curve(levels).boundary().value

    assert boundary(0) == math.inf
    assert boundary(20) == -math.inf


def test_nothing_answered_leaves_the_boundary_open() -> None:
    levels = [LevelCounts(failed=0, answered=0, value=value) for value in (1, 2, 3, 4)]
    boundary = fit_curve(levels).boundary()
    assert (boundary.low, boundary.high) == (-math.inf, math.inf)
    assert holds_to(fit_curve(levels), [1, 2, 3, 4]) is None
    assert share_of_level(levels[0]) is None


def test_levels_without_an_order_have_no_curve() -> None:
    with pytest.raises(ValueError, match="two different values"):
        fit_curve([LevelCounts(failed=1, answered=2), LevelCounts(failed=1, answered=2)])


def test_the_interval_of_the_boundary_covers_the_truth_where_levels_are_chosen_by_thompson() -> (
    None
):
    values = (1, 2, 3, 4, 5, 6)
    truth = 3.6
    covered = 0
    runs = 120
    for run in range(runs):
        chance = np.random.default_rng(run)
        failed, drawn = [0] * 6, [0] * 6
        for _ in range(40):
            counts = [
                LevelCounts(failed=f, answered=d, value=v)
                for f, d, v in zip(failed, drawn, values, strict=True)
            ]
            place = choose_by_curve(drawn, counts, chance)
            drawn[place] += 1
            failed[place] += chance.random() < 1 / (1 + math.exp(-1.6 * (values[place] - truth)))
        counts = [
            LevelCounts(failed=f, answered=d, value=v)
            for f, d, v in zip(failed, drawn, values, strict=True)
        ]
        boundary = fit_curve(counts).boundary()
        covered += boundary.low <= truth <= boundary.high
    assert covered >= 0.9 * runs


def test_models_are_compared_level_by_level_however_their_images_are_spread() -> None:
    easy_first = [
        LevelCounts(failed=1, answered=40, value=1),
        LevelCounts(failed=9, answered=10, value=2),
    ]
    hard_first = [
        LevelCounts(failed=0, answered=10, value=1),
        LevelCounts(failed=36, answered=40, value=2),
    ]
    for ordered in (True, False):
        one, other = (
            mean_share_draws(counts, seed, ordered=ordered)
            for seed, counts in enumerate((easy_first, hard_first))
        )
        difference = estimate_difference(one, other)
        assert difference.low < 0 < difference.high
        assert abs(difference.value) < 0.08
