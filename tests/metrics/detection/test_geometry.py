"""How boxes stand to one another, and what one covers of another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data import masks
from hallascope.data.regions import Box
from hallascope.metrics.detection.geometry import (
    center,
    covered_share,
    masks_cover,
    middle,
    relations,
    touches,
)
from hallascope.metrics.parsing.words.position_words import INVERSE

LEFT, RIGHT = Box(0.1, 0.3, 0.4, 0.6), Box(0.5, 0.3, 0.8, 0.6)
TABLE = Box(0.1, 0.5, 0.9, 0.9)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (LEFT, RIGHT, {"left of", "next to"}),
        (RIGHT, LEFT, {"right of", "next to"}),
        (Box(0.0, 0.3, 0.1, 0.6), Box(0.8, 0.3, 0.9, 0.6), {"left of"}),  # far apart
        (Box(0.4, 0.3, 0.6, 0.55), TABLE, {"above", "on"}),
        (Box(0.4, 0.1, 0.6, 0.3), TABLE, {"above"}),
        (TABLE, Box(0.4, 0.1, 0.6, 0.3), {"below"}),
        (Box(0.4, 0.65, 0.6, 0.75), TABLE, {"in"}),
        (LEFT, LEFT, set()),
        (LEFT, Box(0.13, 0.3, 0.43, 0.6), set()),  # hardly apart
    ],
)
def test_relations_follow_from_boxes_and_centers(one: Box, other: Box, expected: set[str]) -> None:
    assert relations(one, middle(one), other, middle(other)) == expected


_SIDES = st.floats(0.0, 0.9).flatmap(
    lambda low: st.tuples(st.just(low), st.floats(low + 0.05, 1.0))
)
_BOXES = st.tuples(_SIDES, _SIDES).map(
    lambda sides: Box(sides[0][0], sides[1][0], sides[0][1], sides[1][1])
)


@given(_BOXES, _BOXES)
def test_a_relation_holds_the_other_way_round_as_its_inverse(one: Box, other: Box) -> None:
    there = relations(one, middle(one), other, middle(other))
    back = relations(other, middle(other), one, middle(one))
    assert {INVERSE[name] for name in there if name in INVERSE} == {
        name for name in back if name in INVERSE
    }
    assert 0 <= covered_share(one, other) <= 1 + 1e-9


def test_the_center_is_the_mean_of_the_masks_pixels() -> None:
    pixels = np.zeros((4, 8), dtype=bool)
    assert center(masks.encode(pixels)) is None
    pixels[1, 2:4] = True
    assert center(masks.encode(pixels)) == pytest.approx((3 / 8, 1.5 / 4))


def test_a_mask_covers_another_only_in_pictures_of_one_size() -> None:
    small, large = np.zeros((8, 8), dtype=bool), np.ones((8, 8), dtype=bool)
    small[2:4, 2:4] = True
    assert masks_cover(masks.encode(small), masks.encode(large))
    assert not masks_cover(masks.encode(small), masks.encode(~small))
    assert not masks_cover(masks.encode(small), masks.encode(np.ones((8, 9), dtype=bool)))


def test_boxes_touch_that_overlap_or_lie_close() -> None:
    assert touches(TABLE, Box(0.4, 0.3, 0.6, 0.6))
    assert touches(TABLE, Box(0.4, 0.3, 0.6, 0.46))
    assert not touches(TABLE, Box(0.4, 0.1, 0.6, 0.4))
    assert not touches(LEFT, RIGHT)
