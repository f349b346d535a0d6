"""Holds the plain colored shapes of Primer: one concept a shape.

The color is a parameter that the prompt sets.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hallascope.data.records import Category
from hallascope.primer.drawing.parts import Art, Part
from hallascope.primer.drawing.svg_files import SvgDrawing
from hallascope.primer.world import Concept, FactValues

COLORS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black")
_NAMES = ("circle", "square", "triangle", "star", "heart", "hexagon", "cross", "crescent")
_DRAWING = SvgDrawing(
    Path(__file__).with_suffix(".svg"),
    {
        "kind": frozenset(_NAMES),
        "colour": frozenset(COLORS),
        "fill": frozenset(("plain", "dots", "holed")),
    },
    frozenset(_NAMES),
)


def _draw(values: FactValues, art: Art, *, name: str) -> Sequence[Part]:
    return _DRAWING({"kind": name, "colour": "red", "fill": "plain", **values}, art)


SHAPES: tuple[Concept, ...] = tuple(
    Concept(
        name=name,
        phrase=f"a {name}",
        plural="crosses" if name == "cross" else f"{name}s",
        domain="artifact",
        category=Category.PHYSICS,
        definition=f"A {name} is a plain plane figure.",
        facts=(),
        draw=partial(_draw, name=name),
        tilt=0,
        mirror=False,
    )
    for name in _NAMES
)
