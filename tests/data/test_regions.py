"""Boxes and masks are plain values that refuse what cannot be, and are clipped and cut out."""

import pytest

from hallascope.data.regions import Box, Mask, clip, window


@pytest.mark.parametrize("counts", [(), (5,), (3, 4), (-1, 7), (7, -1)])
def test_runs_that_do_not_fill_the_picture_are_no_mask(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="a mask of 2 x 3 pixels"):
        Mask(2, 3, counts)


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
    with pytest.raises(ValueError, match="as shares of the picture"):
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
