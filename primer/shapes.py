"""Holds the plain colored shapes of Primer: one concept a shape.

The color is a parameter that the prompt sets.
"""

from collections.abc import Callable, Sequence
from functools import partial

from hallascope.data.records import Category
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    part,
    path,
    polygon,
    rect,
    regular,
    shade,
    star,
)
from hallascope.primer.world import Concept, FactValues

COLORS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black")

_OUTLINES: dict[str, Callable[[str], Shape]] = {
    "circle": lambda tone: circle(0, 0, 40, tone, width=1.8),
    "square": lambda tone: rect(-36, -36, 72, 72, tone, width=1.8),
    "triangle": lambda tone: polygon([(0, -40), (42, 34), (-42, 34)], tone, width=1.8),
    "star": lambda tone: star(0, 3, 46, fill=tone, width=1.8),
    "heart": lambda tone: path(
        "M0,40 C-56,4 -44,-38 -20,-38 C-8,-38 -2,-30 0,-22 C2,-30 8,-38 20,-38 C44,-38 56,4 0,40 Z",
        tone,
        width=1.8,
    ),
    "hexagon": lambda tone: regular(0, 0, 43, 6, fill=tone, width=1.8),
    "cross": lambda tone: polygon(
        [
            (-14, -42),
            (14, -42),
            (14, -14),
            (42, -14),
            (42, 14),
            (14, 14),
            (14, 42),
            (-14, 42),
            (-14, 14),
            (-42, 14),
            (-42, -14),
            (-14, -14),
        ],
        tone,
        width=1.8,
    ),
    "crescent": lambda tone: path(
        "M14,-43 A44,44 0 1,0 40,16 A36,36 0 1,1 14,-43 Z", tone, width=1.8
    ),
}

_FILLS: dict[str, Callable[[str], list[Shape]]] = {
    "plain": lambda _: [],
    "dots": lambda tone: [
        circle(x, y, 4.4, shade(tone, 0.72), stroke=None)
        for x, y in ((-11, 2), (9, 12), (6, -14), (-12, 22), (-16, -14))
    ],
    "holed": lambda tone: [circle(-4, 4, 13, "#fbfaf5", width=1.8)],
}


def _draw(values: FactValues, art: Art, *, name: str) -> Sequence[Part]:
    kind = str(values.get("kind", name))
    tone = art.tone(str(values.get("colour", "red")))
    return [part(kind, _OUTLINES[kind](tone), _FILLS[str(values.get("fill", "plain"))](tone))]


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
    for name in _OUTLINES
)
