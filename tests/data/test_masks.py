"""Masks, boxes and outlines: they survive being written, keep their shape, and refuse what cannot
be.
"""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from PIL import Image, ImageDraw
from pydantic import TypeAdapter

from hallascope.data import masks, outlines
from hallascope.data.masks import Pixels, array, encode
from hallascope.data.outlines import Polygon, polygons, trace
from hallascope.data.regions import Box, Mask, clip, window
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
    ("one", "other", "expected"), cases("masks", "overlap_is_intersection_over_union")
)
def test_overlap_is_intersection_over_union(
    one: list[float], other: list[float], expected: float
) -> None:
    first, second = Box(*one), Box(*other)
    assert masks.overlap(first, second) == pytest.approx(expected)
    assert masks.overlap(second, first) == pytest.approx(expected)


def test_pixels_that_a_box_holds_in_part_are_inside() -> None:
    found = masks.box_pixels(Box(0.3, 0, 0.7, 0.5), 4, 4)
    assert np.flatnonzero(found.any(axis=0)).tolist() == [1, 2]
    assert np.flatnonzero(found.any(axis=1)).tolist() == [0, 1]


def test_two_discs_are_two_pieces_best_first_each_with_its_own_box_and_mean() -> None:
    left, right = disc(64, 15, 32, 10), disc(64, 48, 32, 10)
    found = masks.pieces(0.6 * left + 0.9 * right, 0.5)
    assert [piece.score for piece in found] == pytest.approx([0.9, 0.6])
    assert (found[0].pixels == right).all()
    assert found[1].box == Box(5 / 64, 22 / 64, 26 / 64, 43 / 64)


def test_pieces_hang_together_over_what_is_likely_enough_and_that_counts_for_nothing() -> None:
    parted = (disc(64, 20, 32, 10) | disc(64, 41, 32, 10)) * 1.0
    parted[:, 29:32] = 0.2 * (parted[:, 29:32] > 0)
    assert len(masks.pieces(parted)) == len(masks.pieces(parted, join=0.3)) == 2
    (together,) = masks.pieces(parted, join=0.2)
    assert (together.pixels == (parted >= 0.5)).all()
    assert together.score == 1.0


def test_a_disc_within_a_ring_is_a_piece_of_its_own_and_each_is_found_by_its_box() -> None:
    ring, core = disc(64, 32, 32, 28) & ~disc(64, 32, 32, 20), disc(64, 32, 32, 8)
    found = masks.pieces((ring | core) * 1.0)
    assert len(found) == 2
    for shape in (ring, core):
        box = masks.box(masks.encode(shape))
        assert box is not None
        piece = masks.best_component(box, found)
        assert piece is not None
        assert (piece.pixels == shape).all()


TOUCHING = disc(64, 20, 32, 10) | disc(64, 41, 32, 10)
PARTED = TOUCHING & (np.arange(64) != 30)
SPECKS = disc(100, 50, 50, 10)
SPECKS[3, 3] = SPECKS[90, 5:8] = True


@pytest.mark.parametrize(
    ("heat", "options", "number"),
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


@pytest.mark.parametrize("counts", [(), (5,), (3, 4), (-1, 7), (7, -1)])
def test_runs_that_do_not_fill_the_picture_are_no_mask(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="a mask of 2 x 3 pixels"):
        Mask(2, 3, counts)


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


def test_a_rectangle_is_clipped_to_the_picture() -> None:
    assert clip(-0.5, 0.2, 0.5, 7) == Box(0, 0.2, 0.5, 1)
    assert clip(1.2, 0.2, 1.5, 0.4) is None
    assert clip(0.3, 0.2, 0.3, 0.4) is None


@pytest.mark.parametrize(
    ("region", "expected"),
    cases("masks", "a_window_is_square_has_a_margin_and_stays_in_the_picture"),
)
def test_a_window_is_square_has_a_margin_and_stays_in_the_picture(
    region: list[float], expected: list[int]
) -> None:
    assert window(Box(*region), 100, 100, square=True) == tuple(expected)


def test_a_window_that_need_not_be_square_keeps_the_form_of_the_region() -> None:
    assert window(Box(0.4, 0.45, 0.6, 0.55), 100, 100) == (38, 43, 62, 57)
    assert window(Box(0.0, 0.0, 1.0, 0.1), 200, 100, square=True) == (0, 0, 200, 100)


SQUARE = ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3))


def ring_mask(side: int, r: float = 0.3, hole: float = 0.0) -> Pixels:
    ys, xs = (np.mgrid[:side, :side] + 0.5) / side - 0.5
    far = np.hypot(xs, ys)
    ring: Pixels = (far < r) & (far >= hole)
    return ring


def painted(found: tuple[Polygon, ...], side: int = 1024) -> Pixels:
    """The polygons as pixels again, holes taken out."""
    picture = Image.new("1", (side, side))
    for shape in sorted(found, key=lambda one: -abs(outlines.area(one))):
        ImageDraw.Draw(picture).polygon(
            [(x * side - 0.5, y * side - 0.5) for x, y in shape], fill=outlines.area(shape) > 0
        )
    return np.asarray(picture)


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


def test_a_hole_is_an_outline_that_runs_the_other_way_round() -> None:
    ring = trace(ring_mask(256, 0.3, hole=0.15))
    outer, inner = sorted((outlines.area(shape) for shape in ring), key=abs, reverse=True)
    assert outer == pytest.approx(math.pi * 0.3**2, rel=0.02)
    assert inner == pytest.approx(-math.pi * 0.15**2, rel=0.04)


@pytest.mark.parametrize("side", [64, 512])
def test_few_points_keep_the_shape_at_every_size(side: int) -> None:
    found = trace(ring_mask(side, 0.35, hole=0.2))
    mask, again = ring_mask(1024, 0.35, hole=0.2), painted(found)
    assert sum(map(len, found)) < 140
    assert (again & mask).sum() / (again | mask).sum() > (0.93 if side == 64 else 0.98)


def test_nothing_has_no_outline_and_specks_are_left_out() -> None:
    mask = np.zeros((40, 40), bool)
    assert trace(mask) == ()
    mask[3:5, 3:5] = True
    assert trace(mask) == ()


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


def test_area_and_middle_of_a_square() -> None:
    assert outlines.area(SQUARE) == pytest.approx(0.04)
    assert outlines.middle(SQUARE) == pytest.approx((0.2, 0.2))
    assert outlines.middle(((0.1, 0.1), (0.3, 0.3))) == pytest.approx((0.2, 0.2)), (
        "a line has no area, but a middle"
    )
