"""Accuracies are estimated without truth: as crowd-kit estimates them."""

from collections.abc import Iterator

import pytest

from hallascope.metrics.juries.votes import ItemAnswer, estimate_truth

# 40 items with 4 choices: the letter of the judge, then what it answered
ANSWERS = """
a1b1c1d1 a1b1c0d3 a3b2c1d1 a3b1c3d1 a2b2c2d0 b2c3d0 a2b0c2d2 a0b1c3d2 b1c1d1 a2b2d2 a3b3c2d2
a1b1c3d1 a1b1c3d3 b0c0d0 a2b2c3d2 a1b1c1d3 a0b1c1d0 a1b2c1d1 a1b1c1d1 a3b2c2d2 a0b0c2d0 a3b3c2d3
a0b0c0d1 a1b1c1d1 a2b2c0d2 a3b0c0d3 a2b2c1d0 a2b2c0d2 a2b2c0d2 a2c0d1 a3b3c3d0 a0b2c0d3 a2b3c2d2
a1b0c0d2 a2b2c2 a1b2c0d0 a1b1c0d0 a3c1d1 a1b1c1d2 a3b2c3d1
"""
# `OneCoinDawidSkene(n_iter=500, tol=1e-12)` of crowd-kit 1.4.2 on these answers, each item under
# all four rotations of its choices, so that its prior over the choices is uniform as ours is
CROWD_KIT = {"a": 0.843534, "b": 0.716462, "c": 0.499401, "d": 0.510617}


def _answers() -> Iterator[ItemAnswer]:
    for item, given in enumerate(ANSWERS.split()):
        for judge, answer in zip(given[::2], given[1::2], strict=True):
            yield ItemAnswer(item, judge, answer)


def test_the_estimates_are_those_of_crowd_kit() -> None:
    found = estimate_truth(list(_answers()), choices=4)
    assert found.accuracies == pytest.approx(CROWD_KIT, abs=1e-4)


def test_nothing_is_estimated_from_nothing() -> None:
    assert estimate_truth([]).accuracies == {}
    with pytest.raises(ValueError, match="1 choices"):
        estimate_truth([], choices=1)
