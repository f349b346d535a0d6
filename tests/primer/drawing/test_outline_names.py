"""A mask has the name of its outline where it is a plain one."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from hallascope.primer.drawing.outline_names import outline
from hallascope.primer.drawing.parts import Drawing as Plain
from hallascope.primer.drawing.parts import part as drawn_part
from hallascope.primer.drawing.parts import regular, star


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
    assert outline(_drawn(regular(50, 50, 30, 3, fill="#d0342c", stroke=None))) == "Triangular"
    assert outline(_drawn(regular(50, 50, 30, 6, fill="#d0342c", stroke=None))) is None
    assert outline(_drawn(star(50, 50, 40, 8, 0.3, fill="#d0342c", stroke=None))) == "Irregular"
    tiny = np.zeros((120, 120), bool)
    tiny[3:9, 3:9] = True
    assert outline(tiny) is None
