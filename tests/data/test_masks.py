"""Masks, boxes and outlines: they survive being written, keep their shape, and refuse what cannot
be.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from pydantic import TypeAdapter

from hallascope.data import masks, outlines
from hallascope.data.masks import Pixels, array, encode
from hallascope.data.outlines import polygons, trace
from hallascope.data.regions import Box, Mask, window
from tests.data.cases import cases

KEPT = TypeAdapter(Mask)


def disc(size: int, x: float, y: float, radius: float) -> Pixels:
    rows, columns = np.mgrid[:size, :size]
    found: Pixels = (columns - x) ** 2 + (rows - y) ** 2 <= radius**2
    return found


@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=12)))
def test_an_array_comes_back_as_it_was_with_its_area_and_box(pixels: Pixels) -> None:
    mask = masks.encode(pixels)
    assert (masks.array(mask) == pixels).all()
    assert masks.area(mask) == pixels.sum()
    box = masks.box(mask)
    assert (box is None) == (not pixels.any())
    if box:
        within = masks.box_pixels(box, *pixels.shape)
        assert not (pixels & ~within).any()
        assert within.any(axis=0).sum() == np.ptp(np.flatnonzero(pixels.any(axis=0))) + 1
        assert within.any(axis=1).sum() == np.ptp(np.flatnonzero(pixels.any(axis=1))) + 1


def test_runs_go_down_the_columns_and_begin_with_background_as_in_coco() -> None:
    assert masks.encode(np.array([[0, 1, 1], [0, 0, 1]], dtype=bool)).counts == (2, 1, 1, 2)
    assert masks.encode(np.array([[1, 0], [1, 0]], dtype=bool)).counts == (0, 2, 2)


@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=40)))
def test_a_mask_comes_back_from_its_text_and_from_json(pixels: Pixels) -> None:
    mask = masks.encode(pixels)
    assert Mask.from_compressed(mask.compressed(), *pixels.shape) == mask
    assert KEPT.validate_json(KEPT.dump_json(mask)) == mask


@pytest.mark.parametrize(
    "one, other, expected", cases("masks", "overlap_is_intersection_over_union")
)
def test_overlap_is_intersection_over_union(
    one: list[float], other: list[float], expected: float
) -> None:
    first, second = Box(*one), Box(*other)
    assert masks.overlap(first, second) == pytest.approx(expected)
    assert masks.overlap(second, first) == pytest.approx(expected)


TOUCHING = disc(64, 20, 32, 10) | disc(64, 41, 32, 10)
PARTED = TOUCHING & (np.arange(64) != 30)
SPECKS = disc(100, 50, 50, 10)
SPECKS[3, 3] = SPECKS[90, 5:8] = True


@pytest.mark.parametrize(
    "heat, options, number",
    [
        (TOUCHING, {}, 1),
        (PARTED, {}, 2),  # by a gap of one pixel
        (np.kron(np.eye(2), np.ones((8, 8))), {}, 2),  # squares that touch with their corners
        (SPECKS, {}, 3),
        (SPECKS, {"min_area": 0.0003}, 2),
        (SPECKS, {"min_area": 0.0004}, 1),
        (np.full((4, 4), 0.5), {"threshold": 0.5}, 1),
        (np.full((4, 4), 0.49), {"threshold": 0.5}, 0),
        (np.zeros((4, 4)), {"threshold": 0.0}, 1),
    ],
)
def test_pieces_are_what_hangs_together_above_the_threshold_without_specks(
    heat: Any, options: dict[str, float], number: int
) -> None:
    assert len(masks.pieces(heat * 1.0, **options)) == number


def test_the_text_is_the_one_that_coco_s_algorithm_gives() -> None:
    # by hand from `rleToString`: the fourth run on as differences (3, -35, 0, 0, 0, 16), then five
    # bits a character
    mask = Mask(9, 10, (6, 1, 40, 4, 5, 4, 5, 4, 21))
    assert mask.compressed() == "61X13mN000`0"
    assert mask.coco() == {"size": [9, 10], "counts": "61X13mN000`0"}
    assert Mask.from_compressed("61X13mN000`0", 9, 10) == mask


@pytest.mark.parametrize("written", ["", "zz", "X", "6é", "\x01", "o" * 40 + "0", "5", "7"])
def test_a_text_that_is_no_mask_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="mask"):
        Mask.from_compressed(written, 2, 3)


def test_masks_that_older_stores_hold_as_numbers_are_read_and_damaged_ones_refused() -> None:
    assert KEPT.validate_json('{"height": 2, "width": 3, "counts": [2, 1, 3]}') == Mask(
        2, 3, (2, 1, 3)
    )
    for damaged in (
        '{"size": [2], "counts": "6"}',
        '{"size": [2, 3], "counts": "5"}',
        '{"size": [2, 3]}',
    ):
        with pytest.raises(ValueError, match=r"[mM]ask"):
            KEPT.validate_json(damaged)


@pytest.mark.parametrize(
    "sides",
    [
        (0.5, 0, 0.5, 1),
        (0.6, 0, 0.5, 1),
        (0, 0, 1.1, 1),
        (-0.1, 0, 1, 1),
        (0, 0.5, 1, 0.2),
        (0, 0, float("nan"), 1),
    ],
)
def test_a_box_that_is_empty_or_leaves_the_picture_is_none(sides: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="as shares of the image"):
        Box(*sides)


@pytest.mark.parametrize(
    "region, expected",
    cases("masks", "a_window_is_square_has_a_margin_and_stays_in_the_picture"),
)
def test_a_window_is_square_has_a_margin_and_stays_in_the_picture(
    region: list[float], expected: list[int]
) -> None:
    assert window(Box(*region), 100, 100, square=True) == tuple(expected)


SQUARE = ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3))


def test_a_square_has_the_outline_of_a_square_and_two_islands_two_outlines() -> None:
    mask = np.zeros((100, 100), bool)
    mask[20:60, 30:50] = True
    (square,) = trace(mask)
    xs, ys = zip(*square, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx(
        (0.30, 0.50, 0.20, 0.60), abs=0.011
    )
    mask[80:90, 80:90] = True
    assert len(trace(mask)) == 2


def test_area_and_middle_of_a_square() -> None:
    assert outlines.area(SQUARE) == pytest.approx(0.04)
    assert outlines.middle(SQUARE) == pytest.approx((0.2, 0.2))
    assert outlines.middle(((0.1, 0.1), (0.3, 0.3))) == pytest.approx((0.2, 0.2)), (
        "a line has no area, but a middle"
    )


@settings(max_examples=20)
@given(st.integers(1, 24), st.integers(1, 24), st.randoms(use_true_random=False))
def test_any_mask_gives_closed_lines_within_the_picture(
    height: int, width: int, chance: object
) -> None:
    mask = np.array([[chance.random() < 0.6 for _ in range(width)] for _ in range(height)])  # type: ignore[attr-defined]
    found = polygons(encode(mask))
    assert all(0 <= value <= 1 for shape in found for point in shape for value in point)
    assert all(len(shape) >= 3 for shape in found)
    assert array(encode(mask)).shape == mask.shape
