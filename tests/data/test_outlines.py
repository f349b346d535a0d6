"""Outlines: where they run, that few points are enough, that holes are kept, and that nothing
strange makes them stumble.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from hallascope.data import outlines
from hallascope.data.masks import Pixels, array, encode
from hallascope.data.outlines import Polygon, polygons, trace

SQUARE = ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3))


def disc(side: int, r: float = 0.3, hole: float = 0.0) -> Pixels:
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


def test_points_stay_in_the_picture_where_a_part_touches_its_edge() -> None:
    (whole,) = trace(np.ones((50, 50), bool))
    assert all(0 <= value <= 1 for point in whole for value in point)
    assert abs(outlines.area(whole)) > 0.97


def test_a_hole_is_an_outline_that_runs_the_other_way_round() -> None:
    ring = trace(disc(256, 0.3, hole=0.15))
    outer, inner = sorted((outlines.area(shape) for shape in ring), key=abs, reverse=True)
    assert outer == pytest.approx(math.pi * 0.3**2, rel=0.02)
    assert inner == pytest.approx(-math.pi * 0.15**2, rel=0.04)


@pytest.mark.parametrize("side", [64, 256, 512, 1024])
def test_few_points_keep_the_shape_at_every_size(side: int) -> None:
    found = trace(disc(side, 0.35, hole=0.2))
    mask, again = disc(1024, 0.35, hole=0.2), painted(found)
    assert sum(map(len, found)) < 140
    assert (again & mask).sum() / (again | mask).sum() > (0.93 if side == 64 else 0.98)


def test_an_oblong_picture_is_measured_by_its_own_sides() -> None:
    mask = np.zeros((100, 400), bool)
    mask[25:75, 100:300] = True
    (shape,) = trace(mask)
    xs, ys = zip(*shape, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((0.25, 0.75, 0.25, 0.75), abs=0.02)


def test_nothing_has_no_outline_and_specks_are_left_out() -> None:
    mask = np.zeros((40, 40), bool)
    assert trace(mask) == ()
    mask[3:5, 3:5] = True
    assert trace(mask) == ()


def test_the_same_mask_is_outlined_once() -> None:
    assert polygons(encode(disc(64))) is polygons(encode(disc(64)))


@given(st.integers(1, 24), st.integers(1, 24), st.randoms(use_true_random=False))
def test_any_mask_gives_closed_lines_within_the_picture(
    height: int, width: int, chance: object
) -> None:
    mask = np.array([[chance.random() < 0.6 for _ in range(width)] for _ in range(height)])  # type: ignore[attr-defined]
    found = polygons(encode(mask))
    assert all(0 <= value <= 1 for shape in found for point in shape for value in point)
    assert all(len(shape) >= 3 for shape in found)
    assert array(encode(mask)).shape == mask.shape


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=3, max_size=40),
    st.floats(0.01, 20),
)
def test_no_point_is_further_from_the_simplified_line_than_allowed(
    points: list[tuple[float, float]], tolerance: float
) -> None:
    line = np.array(points)
    kept = outlines.simplify(line, tolerance)
    ends = np.roll(kept, -1, axis=0)
    for point in line:
        lines = min(_off(point, a, b) for a, b in zip(kept, ends, strict=True))
        assert lines <= tolerance + 1e-6


def _off(point: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """From the line through two points, as the rule measures it."""
    along = b - a
    length = float(np.hypot(*along))
    return float(
        abs(along[0] * (point - a)[1] - along[1] * (point - a)[0]) / length
        if length
        else np.hypot(*(point - a))
    )


def test_area_and_middle_of_a_square() -> None:
    assert outlines.area(SQUARE) == pytest.approx(0.04)
    assert outlines.middle(SQUARE) == pytest.approx((0.2, 0.2))
    assert outlines.middle(((0.1, 0.1), (0.3, 0.3))) == pytest.approx((0.2, 0.2)), (
        "a line has no area, but a middle"
    )


def test_smoothing_keeps_a_circle_where_it_is_and_a_short_line_as_it_is() -> None:
    turns = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    circle = 0.5 + 0.2 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    found = outlines.smooth(circle)
    assert outlines.middle(found) == pytest.approx((0.5, 0.5))
    assert abs(outlines.area(found)) == pytest.approx(math.pi * 0.04, rel=0.05)
    assert np.array_equal(outlines.smooth(np.array(SQUARE)), SQUARE)
