"""Draws the girders of the Eiffel Tower: its surface follows the outline."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import Height, Surface, mix, outline_of, pattern
from hallascope.primer.drawing.parts import Art, Part, Point, part, polygon, shade
from hallascope.primer.world import DrawnValues

_FOOT = 46.0
_HEAD = -39.0
_FIRST = 15.0
_SECOND = -7.0
_CROWN = 22.0  # of the opening between the legs


def _half_width(kind: str, y: float) -> float:
    t = (y - _HEAD) / (_FOOT - _HEAD)
    if kind == "taper":
        return 3.2 + 7 * t + 23.5 * math.pow(t, 2.6)
    return 18.0 if kind == "straight" else mix(34.0, 18.0, t)


def _door(kind: str, half: float, y: float) -> float:
    if y <= _CROWN:
        return 0.0
    t = (y - _CROWN) / (_FOOT - _CROWN)
    return half * {"round": math.sqrt(1 - (1 - t) ** 2), "square": 1.0, "pointed": t}[kind]


def _between(y0: float, y1: float, start: Height, end: Height) -> Surface:
    def at(s: float, t: float) -> Point:
        y = mix(y0, y1, t)
        return mix(start(y), end(y), s), y

    return at


def girders(v: DrawnValues, art: Art) -> Sequence[Part]:
    kind = v["surface"]
    tone = art.tone(v["colour"])
    fill = shade(tone, 0.32) if kind == "lattice" else tone

    def right(y: float) -> float:
        return _half_width(v["outline"], y)

    def left(y: float) -> float:
        return -right(y)

    def door(y: float) -> float:
        return _door(v["opening"], right(_FOOT) * 0.66, y)

    def girder(name: str, at: Surface, step: float) -> Part:
        outline = outline_of(at, 24)
        marks = pattern(kind, at, step, tone, 1.1)
        return part(
            name, polygon(outline, fill, stroke=None), marks, polygon(outline, None, width=1.3)
        )

    return [
        girder("shaft", _between(_HEAD, _SECOND, left, right), 6.4),
        girder("shaft", _between(_SECOND, _FIRST, left, right), 7.4),
        girder("leg", _between(_FIRST, _FOOT, left, lambda y: -door(y)), 6.6),
        girder("leg", _between(_FIRST, _FOOT, door, right), 6.6),
    ]
