"""Outlines have names, things have places, shapes and backdrops are drawn whole and in part."""

import math

import numpy as np
import pytest

from hallascope.data.regions import Box
from hallascope.primer.drawing.backdrops import SCENES, backdrop
from hallascope.primer.drawing.outline_names import outline
from hallascope.primer.drawing.parts import Art, Drawing
from tests.primer.views import draw_view


@pytest.mark.parametrize("turn", [0.0, 11.0, 45.0, 77.0])
@pytest.mark.parametrize(
    "long, word",
    [(1.0, "Square"), (2.0, "Rectangular"), (1.2, None)],
    ids=["square", "rectangle", "in between"],
)
def test_an_outline_with_four_corners_has_its_name_however_it_is_turned(
    long: float, word: str | None, turn: float
) -> None:
    ys, xs = np.indices((120, 120)) - 60
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    assert outline((abs(xs * c + ys * s) < 25 * long) & (abs(ys * c - xs * s) < 25)) == word


def test_a_view_shows_the_same_as_a_cut_out_of_the_picture() -> None:
    drawing = draw_view("a ladybug").drawing
    view = Box(0.25, 0.25, 0.75, 0.75)
    whole, seen = (
        np.asarray(image, dtype=np.int16)
        for image in (drawing.image(256), drawing.image(128, view))
    )
    assert np.abs(whole[64:192, 64:192] - seen).mean() < 3
    assert (drawing.part_map(256)[64:192, 64:192] == drawing.part_map(128, view)).mean() > 0.97


def test_a_backdrop_covers_the_picture_and_is_no_part() -> None:
    drawings = {scene: Drawing(backdrop(scene, Art(0)), ()) for scene in SCENES}
    holes = [
        scene
        for scene, one in drawings.items()
        if (np.asarray(one.image(32)).sum(axis=2) == 0).any()
    ]
    assert holes == []
    assert all((one.part_map(32) == -1).all() for one in drawings.values())
