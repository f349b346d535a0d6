"""Outlines have names, things have places, shapes and backdrops are drawn whole and in part."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from hallascope.data.regions import Box
from hallascope.primer.appearance import named_color
from hallascope.primer.drawing.backdrops import SCENES, backdrop
from hallascope.primer.drawing.outline_names import outline
from hallascope.primer.drawing.parts import Art, Drawing, polar, polygon, star
from hallascope.primer.drawing.parts import Drawing as Plain
from hallascope.primer.drawing.parts import part as drawn_part
from hallascope.primer.shapes import COLORS, SHAPES
from tests.primer.views import draw_view


def _drawn(*shapes: object) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = Plain("", (drawn_part("one", *shapes),)).part_map(120) >= 0  # type: ignore[arg-type]
    return mask


@pytest.mark.parametrize("turn", [0.0, 11.0, 45.0, 77.0])
@pytest.mark.parametrize(
    ("long", "word"),
    [(1.0, "Square"), (2.0, "Rectangular"), (1.2, None)],
    ids=["square", "rectangle", "in between"],
)
def test_an_outline_with_four_corners_has_its_name_however_it_is_turned(
    long: float, word: str | None, turn: float
) -> None:
    ys, xs = np.indices((120, 120)) - 60
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    assert outline((abs(xs * c + ys * s) < 25 * long) & (abs(ys * c - xs * s) < 25)) == word


@pytest.mark.parametrize(("long", "word"), [(1.0, "Round"), (1.6, "Oval"), (1.2, None)])
def test_an_ellipse_is_round_oval_or_in_between(long: float, word: str | None) -> None:
    ys, xs = np.indices((120, 120)) - 60
    assert outline((xs / (30 * long)) ** 2 + ((ys + xs * 0.0) / 30) ** 2 < 1) == word


def test_triangles_are_triangular_what_is_ragged_irregular_and_what_is_small_nothing() -> None:
    def regular(sides: int) -> object:
        corners = [polar(50, 50, 30, 360 * i / sides - 90) for i in range(sides)]
        return polygon(corners, "#d0342c", stroke=None)

    assert outline(_drawn(regular(3))) == "Triangular"
    assert outline(_drawn(regular(6))) is None
    assert outline(_drawn(star(50, 50, 40, 8, 0.3, fill="#d0342c", stroke=None))) == "Irregular"
    tiny = np.zeros((120, 120), bool)
    tiny[3:9, 3:9] = True
    assert outline(tiny) is None


def test_a_view_shows_the_same_as_a_cut_out_of_the_picture() -> None:
    drawing = draw_view("a ladybug").drawing
    view = Box(0.25, 0.25, 0.75, 0.75)
    whole, seen = (
        np.asarray(image, dtype=np.int16)
        for image in (drawing.image(256), drawing.image(128, view))
    )
    assert np.abs(whole[64:192, 64:192] - seen).mean() < 3
    assert (drawing.part_map(256)[64:192, 64:192] == drawing.part_map(128, view)).mean() > 0.97


@pytest.mark.parametrize("place", [(122, 53, 206, 137), (57, 122, 141, 206), (106, 62, 190, 146)])
def test_a_square_view_gives_square_pixels_wherever_it_lies(
    place: tuple[int, int, int, int],
) -> None:
    view = Box(*(side / 224 for side in place))
    drawing = draw_view("a ladybug").drawing
    assert drawing.part_map(128, view).shape == (128, 128)
    assert drawing.image(128, view).size == (128, 128)


def test_a_backdrop_covers_the_picture_and_is_no_part() -> None:
    drawings = {scene: Drawing(backdrop(scene, Art(0)), ()) for scene in SCENES}
    holes = [
        scene
        for scene, one in drawings.items()
        if (np.asarray(one.image(32)).sum(axis=2) == 0).any()
    ]
    assert holes == []
    assert all((one.part_map(32) == -1).all() for one in drawings.values())


def test_no_two_backdrops_look_alike() -> None:
    means = [
        np.asarray(Drawing(backdrop(s, Art(0)), ()).image(32)).mean(axis=(0, 1)) for s in SCENES
    ]
    for i, mean in enumerate(means):
        assert all(np.abs(mean - other).max() > 4 for other in means[:i])


def test_a_shape_is_one_part_in_its_color() -> None:
    for shape in SHAPES:
        for color in COLORS:
            [part] = shape.draw({"colour": color}, Art(0))
            fills = [named_color(str(drawn.fill)) for drawn in part.shapes]
            assert (part.name, fills) == (shape.name, [color])
