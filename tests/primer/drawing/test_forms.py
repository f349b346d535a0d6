"""Forms are put, turned and spread_evenly where they are asked for."""

import pytest

from hallascope.primer.drawing.forms import petals, put_at, spread_evenly, turn_point, turn_points


def test_a_point_turns_clockwise_on_the_page() -> None:
    assert turn_point(1, 0, 90) == pytest.approx((0, 1))
    assert turn_points([(1, 0), (0, 1)], 180) == [pytest.approx((-1, 0)), pytest.approx((0, -1))]


def test_numbers_are_spread_evenly_and_one_alone_lies_in_the_middle() -> None:
    assert spread_evenly(3, 0, 10) == [0, 5, 10]
    assert spread_evenly(1, 0, 10) == [5]


def test_the_transform_moves_before_it_turns() -> None:
    assert put_at(1, 2, 30) == "translate(1.00 2.00) rotate(30.00)"


def test_there_are_as_many_petals_as_asked_for() -> None:
    assert len({petal.d for petal in petals(0, 0, 10, 2, 5, "#ffffff")}) == 5
