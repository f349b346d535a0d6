"""Images go to the levels that tell most: near the boundary, or to those that fail most."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.probe.allocation import (
    choose_by_curve,
    keep_worst_half,
    plan_halving,
)
from hallascope.engine.error_analysis.probe.failure_curve import LevelCounts


def test_most_images_go_to_the_levels_beside_the_boundary() -> None:
    chance = np.random.default_rng(1)
    drawn = [0] * 8
    for _ in range(80):
        counts = [
            LevelCounts(failed=n if place > 4 else 0, answered=n, value=place)
            for place, n in enumerate(drawn)
        ]
        drawn[choose_by_curve(drawn, counts, chance)] += 1
    assert drawn[4] + drawn[5] > sum(drawn) / 2
    assert min(drawn) >= 2


@given(levels=st.integers(2, 12), images=st.integers(1, 300))
def test_halving_spends_no_more_than_it_has_and_begins_with_all_levels(
    levels: int, images: int
) -> None:
    remaining, spent = levels, 0
    for each in plan_halving(levels, images):
        spent += each * remaining
        remaining = -(-remaining // 2)
    assert spent <= images
    if images >= levels * 4:
        assert plan_halving(levels, images)[0] >= 1
        assert spent > images / 2


def test_the_half_that_failed_most_is_kept() -> None:
    counts = [LevelCounts(failed=f, answered=4) for f in (0, 3, 1, 4)]
    assert keep_worst_half([0, 1, 2, 3], counts) == [1, 3]
