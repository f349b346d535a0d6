"""A mark is graded by its place or its part, and every composition has a level."""

from dataclasses import replace

import numpy as np
import pytest

from hallascope.data import masks
from hallascope.data.teaching.exercise import (
    GROWN,
    Grade,
    MarkedPoint,
    grade,
    grow,
    holds,
    tally,
)
from hallascope.primer.teaching.exercises import DrawnExercise, make_exercise
from hallascope.primer.teaching.faults import FIRST


def lit(found: DrawnExercise) -> masks.Pixels:
    assert found.exercise.lit
    return masks.array(found.exercise.lit)


def test_a_mark_counts_within_the_part_and_up_to_six_hundredths_of_the_picture_beside_it() -> None:
    found = make_exercise(FIRST).exercise
    pixels = lit(make_exercise(FIRST))
    row = int(np.nonzero(pixels.any(axis=1))[0][0])  # the topmost of the five
    column = int(np.nonzero(pixels[row])[0].mean())
    side = pixels.shape[0]
    for beside, right in ((GROWN - 0.01, True), (GROWN + 0.02, False)):
        at = MarkedPoint((column + 0.5) / side, (row + 0.5) / side - beside)
        assert grade(found, at, found.wrong).place is right
    assert not grade(found, MarkedPoint(0.02, 0.02), found.wrong).place
    assert grade(found, None, 0).place is False


def test_without_a_known_place_none_is_graded() -> None:
    found = replace(make_exercise(FIRST).exercise, near=None, lit=None)
    assert grade(found, MarkedPoint(0.5, 0.5), found.wrong) == Grade(None, True)
    assert tally([Grade(None, True), Grade(True, False), Grade(False, True)]) == (1, 2, 2, 3)


@pytest.mark.parametrize(
    "at", [MarkedPoint(-0.1, 0.5), MarkedPoint(0.5, 1.01), MarkedPoint(float("nan"), 0.5)]
)
def test_a_place_outside_of_the_picture_is_wrong(at: MarkedPoint) -> None:
    assert not holds(masks.encode(np.ones((8, 8), dtype=bool)), at)


def test_a_mask_grows_by_a_share_of_the_picture_and_an_empty_one_does_not() -> None:
    pixels = np.zeros((50, 100), dtype=bool)
    assert not grow(pixels).any()
    pixels[25, 50] = True
    rows, columns = np.nonzero(grow(pixels))
    assert (columns.max() - 50, rows.max() - 25) == (6, 6)
