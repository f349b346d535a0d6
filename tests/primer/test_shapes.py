"""Plain shapes are drawn as one part, in the color and with the fill that are asked for."""

import pytest

from hallascope.primer.appearance import named_color
from hallascope.primer.compose import portrait
from hallascope.primer.drawing.parts import Art
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.parametrize("color", COLORS)
def test_a_shape_is_one_part_in_its_color(shape: Concept, color: str) -> None:
    [part] = shape.draw({"colour": color}, Art(0))
    assert part.name == shape.name
    assert [named_color(str(drawn.fill)) for drawn in part.shapes] == [color]


@pytest.mark.parametrize(("fill", "count"), [("plain", 1), ("dots", 6), ("holed", 2)])
def test_a_fill_is_drawn_over_the_shape(fill: str, count: int) -> None:
    [part] = SHAPES[0].draw({"fill": fill}, Art(0))
    assert len(part.shapes) == count


def test_another_kind_is_drawn_and_named_in_place_of_the_shape() -> None:
    assert [part.name for part in SHAPES[0].draw({"kind": "star"}, Art(0))] == ["star"]


def test_every_shape_is_seen() -> None:
    for shape in SHAPES:
        assert (portrait(shape, {}, 0).part_map(64) == 0).sum() > 300
