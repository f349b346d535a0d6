"""Draws the coat of a zebra: its pattern follows the body."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.animal.forms import Ribbon
from hallascope.primer.drawing.forms import spread_evenly
from hallascope.primer.drawing.parts import Art, Part, Shape, circle, part, polygon, shade
from hallascope.primer.world import DrawnValues

_LEGS = {
    4: (-27.0, -15.0, 7.0, 19.0),
    3: (-24.0, 5.0, 19.0),
    2: (-22.0, 15.0),
    6: (-28.0, -18.5, -9.0, 0.5, 10.0, 19.5),
}


def _barrel(t: float, power: float) -> float:
    return math.sqrt(max(0.0, 1 - abs(2 * t - 1) ** power))


def _mane(kind: str, neck: Ribbon, up: bool, mark: str, white: str) -> list[Shape]:
    if kind == "upright":
        return [
            neck.patch(t, t + 0.1, -1.5, -0.95, mark if i % 2 else white, width=0.9)
            for i, t in enumerate(spread_evenly(9, 0.2 if up else 0.34, 0.94))
        ]
    return [
        neck.patch(
            t,
            t + 0.13,
            -1.25,
            0.62 + 0.2 * (i % 2),
            mark,
            lean=-0.12,
            width=0.7,
            stroke=shade(mark, 0.35),
        )
        for i, t in enumerate(spread_evenly(8, 0.14, 0.85))
    ]


def _marks(band: Ribbon, pattern: str, fill: str, count: int) -> list[Shape]:
    """Return a coat pattern along a band: stripes, spots or checks."""
    if pattern == "stripes":
        return [
            band.patch((i + 0.3) / count, (i + 0.78) / count, -0.98, 0.98, fill, stroke=None)
            for i in range(count)
        ]
    if pattern == "checks":
        rows = (-0.98, -0.33, 0.33, 0.98)
        return [
            band.patch(i / count, (i + 1) / count, rows[k], rows[k + 1], fill, stroke=None)
            for i in range(count)
            for k in range(3)
            if (i + k) % 2
        ]
    if pattern == "spots":
        spots = []
        for i in range(count):
            for s in (-0.5, 0.45) if i % 2 else (0.0,):
                t = (i + 0.5) / count
                spots.append(
                    circle(*band.point_at(t, s), max(1.2, band.half(t) * 0.24), fill, stroke=None)
                )
        return spots
    return []


def _coated(band: Ribbon, count: int, v: DrawnValues, art: Art) -> list[Shape]:
    marks = _marks(band, v["pattern"], art.tone(v["marks"]), count)
    return [*band.body(art.tone("white"), -0.08), *marks, band.edge()]


def legs(v: DrawnValues, art: Art) -> Sequence[Part]:
    k = 0.76 if v["legs"] == 6 else 1.0
    parts = []
    for x in _LEGS[v["legs"]]:
        shank = Ribbon(
            ((x, 6), (x + 0.6, 18), (x - 1.2, 30), (x, 45)),
            lambda t: k * (4.8 - 1.7 * min(1, 1.8 * t)),
        )
        hoof = [(x - 3.2 * k, 42), (x + 3 * k, 42), (x + 4.4 * k, 48), (x - 4 * k, 48)]
        parts.append(part("leg", _coated(shank, 7, v, art), polygon(hoof, art.tone("black"))))
    return parts


def coat(v: DrawnValues, art: Art) -> Sequence[Part]:
    up = v["head"] == "up"
    trunk = Ribbon(
        ((-37, 1), (-18, -5), (4, 3), (26, -2)),
        lambda t: 16.5 * _barrel(t, 3.2) * (1 - 0.08 * math.sin(math.pi * t)),
    )
    neck = Ribbon(
        ((14, 1), (19, -7), (22, -18), (25, -28))
        if up
        else ((15, -3), (24, -4), (30, 6), (33, 18)),
        lambda t: 12.0 - 5.5 * t,
    )
    skull = Ribbon(
        ((20, -32), (28, -31), (36, -27), (45, -17))
        if up
        else ((30, 13), (35, 18), (39, 28), (40, 41)),
        lambda t: 7.4 * (1 - 0.38 * t) * _barrel(t, 6),
    )
    mane = _mane(v["mane"], neck, up, art.tone(v["marks"]), art.tone("white"))
    return [
        part("body", _coated(trunk, 9, v, art), polygon(trunk.ring())),
        part("neck", _coated(neck, 6, v, art)),
        part("mane", mane),
        part("head", _coated(skull, 6, v, art), polygon(skull.ring())),
    ]
