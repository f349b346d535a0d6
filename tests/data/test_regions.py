"""Boxes and masks are plain values that refuse what cannot be, and are clipped and cut out."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, text
from pydantic import TypeAdapter

from hallascope.data.regions import Box, Mask, clip, window

KEPT = TypeAdapter(Mask)


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


@given(lists(integers(0, 2**40), min_size=1, max_size=12).filter(any))
def test_runs_of_any_length_come_back(counts: list[int]) -> None:
    mask = Mask(1, sum(counts), tuple(counts))
    assert Mask.from_compressed(mask.compressed(), 1, sum(counts)) == mask


@given(text(max_size=30), integers(1, 9), integers(1, 9))
def test_any_text_is_a_mask_or_one_sentence(written: str, height: int, width: int) -> None:
    mask = None
    with suppress(ValueError):
        mask = Mask.from_compressed(written, height, width)
    assert mask is None or (sum(mask.counts), mask.height, mask.width) == (
        height * width,
        height,
        width,
    )


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
    [
        (Box(0.4, 0.4, 0.6, 0.6), (38, 38, 62, 62)),
        (Box(0.4, 0.45, 0.6, 0.55), (38, 38, 62, 62)),
        (Box(0.0, 0.0, 0.2, 0.1), (0, 0, 24, 24)),
        (Box(0.0, 0.0, 1.0, 1.0), (0, 0, 100, 100)),
        (Box(0.9, 0.9, 0.90001, 0.90001), (90, 90, 91, 91)),
    ],
)
def test_a_window_is_square_has_a_margin_and_stays_in_the_picture(
    region: Box, expected: tuple[int, int, int, int]
) -> None:
    assert window(region, 100, 100, square=True) == expected


def test_a_window_that_need_not_be_square_keeps_the_form_of_the_region() -> None:
    assert window(Box(0.4, 0.45, 0.6, 0.55), 100, 100) == (38, 43, 62, 57)
    assert window(Box(0.0, 0.0, 1.0, 0.1), 200, 100, square=True) == (0, 0, 200, 100)
