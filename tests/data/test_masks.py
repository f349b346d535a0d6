"""Masks survive being counted as runs, and things that do not touch are told apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays
from pydantic import TypeAdapter

from hallascope.data import masks
from hallascope.data.masks import Pixels
from hallascope.data.regions import Box, Mask

KEPT = TypeAdapter(Mask)


def disc(size: int, x: float, y: float, radius: float) -> Pixels:
    rows, columns = np.mgrid[:size, :size]
    found: Pixels = (columns - x) ** 2 + (rows - y) ** 2 <= radius**2
    return found


# --- run lengths
# --------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(("value", "counts"), [(False, (12,)), (True, (0, 12))])
def test_an_empty_and_a_full_mask_are_one_run(value: bool, counts: tuple[int, ...]) -> None:
    mask = masks.encode(np.full((3, 4), value))
    assert mask == Mask(3, 4, counts)
    assert (masks.array(mask) == value).all()
    assert masks.box(mask) == (Box(0, 0, 1, 1) if value else None)


@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=40)))
def test_a_mask_comes_back_from_its_text_and_from_json(pixels: Pixels) -> None:
    mask = masks.encode(pixels)
    assert Mask.from_compressed(mask.compressed(), *pixels.shape) == mask
    assert KEPT.validate_json(KEPT.dump_json(mask)) == mask


def test_fifty_masks_of_1024_pixels_stay_small() -> None:
    found = [masks.encode(disc(1024, 300 + 9 * n, 500, 60 + 8 * n)) for n in range(50)]
    assert sum(len(mask.compressed()) for mask in found) < 64 * 1024


# --- boxes
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Box(0, 0, 0.5, 0.5), Box(0, 0, 0.5, 0.5), 1.0),
        (Box(0, 0, 0.5, 1), Box(0.25, 0, 0.75, 1), 1 / 3),
        (Box(0, 0, 0.5, 1), Box(0.5, 0, 1, 1), 0.0),
        (Box(0, 0, 1, 1), Box(0.25, 0.25, 0.75, 0.75), 0.25),
    ],
)
def test_overlap_is_intersection_over_union(one: Box, other: Box, expected: float) -> None:
    assert masks.overlap(one, other) == pytest.approx(expected) == masks.overlap(other, one)


def test_pixels_that_a_box_holds_in_part_are_inside() -> None:
    found = masks.box_pixels(Box(0.3, 0, 0.7, 0.5), 4, 4)
    assert np.flatnonzero(found.any(axis=0)).tolist() == [1, 2]
    assert np.flatnonzero(found.any(axis=1)).tolist() == [0, 1]


# --- pieces
# --------------------------------------------------------------------------------------------------


def test_two_discs_are_two_pieces_best_first_each_with_its_own_box_and_mean() -> None:
    left, right = disc(64, 15, 32, 10), disc(64, 48, 32, 10)
    found = masks.pieces(0.6 * left + 0.9 * right, 0.5)
    assert [piece.score for piece in found] == pytest.approx([0.9, 0.6])
    assert (found[0].pixels == right).all()
    assert found[1].box == Box(5 / 64, 22 / 64, 26 / 64, 43 / 64)


def test_discs_that_touch_are_one_piece_and_a_gap_of_one_pixel_parts_them() -> None:
    touching = disc(64, 20, 32, 10) | disc(64, 41, 32, 10)
    parted = touching.copy()
    assert len(masks.pieces(touching * 1.0)) == 1
    parted[:, 30] = False
    assert len(masks.pieces(parted * 1.0)) == 2


def test_pieces_hang_together_over_what_is_likely_enough_and_that_counts_for_nothing() -> None:
    parted = (disc(64, 20, 32, 10) | disc(64, 41, 32, 10)) * 1.0
    parted[:, 29:32] = 0.2 * (parted[:, 29:32] > 0)
    assert len(masks.pieces(parted)) == len(masks.pieces(parted, join=0.3)) == 2
    (together,) = masks.pieces(parted, join=0.2)
    assert (together.pixels == (parted >= 0.5)).all()
    assert together.score == 1.0


def test_squares_that_touch_with_their_corners_are_two_pieces() -> None:
    heat = np.kron(np.eye(2), np.ones((8, 8)))
    assert len(masks.pieces(heat)) == 2


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


def test_specks_are_dropped_by_their_share_of_the_picture() -> None:
    heat = disc(100, 50, 50, 10) * 1.0
    heat[3, 3] = heat[90, 5:8] = 1.0
    assert len(masks.pieces(heat)) == 3
    assert len(masks.pieces(heat, min_area=0.0003)) == 2
    assert len(masks.pieces(heat, min_area=0.0004)) == 1


def test_the_threshold_itself_counts_and_nothing_below_it() -> None:
    assert len(masks.pieces(np.full((4, 4), 0.5), 0.5)) == 1
    assert masks.pieces(np.full((4, 4), 0.49), 0.5) == []
    assert masks.pieces(np.zeros((4, 4)), 0.0)[0].box == Box(0, 0, 1, 1)


def test_a_box_beside_every_piece_finds_none() -> None:
    assert (
        masks.best_component(Box(0.8, 0.8, 1, 1), masks.pieces(disc(64, 15, 15, 10) * 1.0)) is None
    )
    assert masks.best_component(Box(0, 0, 1, 1), []) is None
