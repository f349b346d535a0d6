"""Draws the Eiffel Tower by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import (
    Height,
    Surface,
    lean,
    mix,
    outline_of,
    pattern,
    plot,
)
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues

_FOOT = 46.0
_HEAD = -39.0
_FIRST = 15.0
_SECOND = -7.0


def _silhouette(kind: str) -> Height:
    """Return the half width of the tower at height y."""

    def taper(y: float) -> float:
        t = (y - _HEAD) / (_FOOT - _HEAD)
        return 3.2 + 7 * t + 23.5 * math.pow(t, 2.6)

    def straight(y: float) -> float:
        return 18.0

    def inverted(y: float) -> float:
        return mix(34.0, 18.0, (y - _HEAD) / (_FOOT - _HEAD))

    return {"taper": taper, "straight": straight, "inverted": inverted}[kind]


def _doorway(kind: str, half: float) -> Height:
    """Return the half width of the opening between the legs at height y."""
    crown = 22.0

    def inner(y: float) -> float:
        if y <= crown:
            return 0.0
        t = (y - crown) / (_FOOT - crown)
        return half * {"round": math.sqrt(1 - (1 - t) ** 2), "square": 1.0, "pointed": t}[kind]

    return inner


def _girder(at: Surface, kind: str, tone: str, step: float) -> list[Shape]:
    fill = shade(tone, 0.32) if kind == "lattice" else tone
    marks = pattern(kind, at, step, tone, 1.1)
    return [
        polygon(outline_of(at, 24), fill, stroke=None),
        *marks,
        polygon(outline_of(at, 24), None, width=1.3),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    kind = str(v["surface"])
    tone = art.tone(str(v["colour"]))
    half = _silhouette(str(v["outline"]))
    door = _doorway(str(v["opening"]), half(_FOOT) * 0.66)

    def slab(y0: float, y1: float, start: Height, end: Height) -> Surface:
        def at(s: float, t: float) -> Point:
            y = mix(y0, y1, t)
            return mix(start(y), end(y), s), y

        return at

    shaft = part("shaft", _girder(slab(_HEAD, _SECOND, lambda y: -half(y), half), kind, tone, 6.4))
    middle = part(
        "shaft", _girder(slab(_SECOND, _FIRST, lambda y: -half(y), half), kind, tone, 7.4)
    )
    ends = [(-1, lambda y: -half(y), lambda y: -door(y)), (1, door, half)]
    legs = [part("leg", _girder(slab(_FIRST, _FOOT, a, b), kind, tone, 6.6)) for _, a, b in ends]
    rim = [
        (s * door(22 + 0.01 + 24 * i / 24), 22.01 + 24 * i / 24)
        for s, r in ((-1, range(24, -1, -1)), (1, range(25)))
        for i in r
    ]
    arch = part("arch", line(rim, "#23242b", 4.6), line(rim, shade(tone, -0.12), 2.4))
    thick = half(_FOOT) - door(_FOOT)
    middle_foot = (half(_FOOT) + door(_FOOT)) / 2
    feet = [
        part("foot", rect(s * middle_foot - thick / 2 - 1.5, 44.5, thick + 3, 4.5, "#b7ae9f"))
        for s in (-1, 1)
    ]
    levels = {
        3: (15.0, -7.0, -32.0),
        2: (15.0, -18.0),
        1: (15.0,),
        5: (15.0, 3.5, -8.5, -20.5, -33.0),
    }[int(v["platforms"])]
    decks = []
    for y in levels:
        wide = max(half(y) + 3.2, 8.0)
        rail = rect(-wide + 1, y - 2, wide * 2 - 2, 1.5, shade(tone, 0.25), stroke=None)
        decks.append(
            part("platform", rect(-wide, y - 2.6, wide * 2, 5.4, shade(tone, -0.42), r=0.8), rail)
        )
    wide = half(_HEAD)
    roof = path(f"M{-wide},{_HEAD} Q0,{_HEAD - 8} {wide},{_HEAD} Z", shade(tone, -0.2))
    tip = part("tip", roof, line([(0, _HEAD - 3.5), (0, -49)], width=1.8))
    tower = [*feet, shaft, middle, *legs, arch, tip, *decks]
    if v["stand"] == "leaning":
        tower = lean(tower, 13)
    if v["strike"] == "lightning":
        bolt = polygon(
            [(36, -50), (19, -33), (27, -31), (3, -8), (39, -35), (31, -38), (50, -50)],
            "#ffdf4a",
            width=1.4,
        )
        tower.append(part("lightning", bolt))
    return [plot(), *tower]
