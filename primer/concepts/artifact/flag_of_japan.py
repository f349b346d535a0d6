"""Draws the cloth of a flag of Japan, bent by the wind."""

from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import (
    FLY,
    HOIST,
    LOWER,
    UPPER,
    clip,
    cloth,
    round,
)
from hallascope.primer.drawing.parts import Art, Part, Point, part, polar
from hallascope.primer.world import DrawnValues


def _emblem(form: str, x: float, y: float, r: float) -> list[Point]:
    if form == "star":
        return [polar(x, y, r * (1.12 if i % 2 == 0 else 0.48), -90 + 36 * i) for i in range(10)]
    if form == "square":
        return [polar(x, y, r * 1.22, a) for a in (-45, 45, 135, 225)]
    return round(x, y, r)


def field(v: DrawnValues, art: Art) -> Sequence[Part]:
    corners = [(HOIST, UPPER), (FLY, UPPER), (FLY, LOWER), (HOIST, LOWER)]
    r = 17.7 if v["emblem size"] == "large" else 8.5
    x = (HOIST + FLY) / 2
    y = (UPPER + LOWER) / 2
    if v["place"] == "pole":
        x = HOIST + r + 4
    elif v["place"] == "corner":
        x = FLY - r - 4
        y = LOWER - r - 3
    ground = art.tone(v["field"])
    tone = art.tone(v["emblem colour"])
    swell = 2.4
    parts = [part("field", cloth(corners, ground, swell))]

    def inside(points: Sequence[Point]) -> list[Point]:
        return clip(clip(points, 1, 0, HOIST + 0.7, FLY - 0.7), 0, 1, UPPER + 0.7, LOWER - 0.7)

    if v["around"] == "rays":
        for i in range(12):
            tips = [polar(x, y, 140, 30 * i + s) for s in (-7.5, 7.5)]
            roots = [polar(x, y, r * 1.45, 30 * i + s) for s in (7.5, -7.5)]
            piece = inside([*tips, *roots])
            parts += [part("ray", cloth(piece, tone, swell, stroke=None))] if len(piece) > 2 else []
    elif v["around"] == "ring":
        outer = inside(round(x, y, r * 1.34 + 4))
        inner = inside(round(x, y, r * 1.34))
        parts.append(part("ring", cloth(outer, tone, swell), cloth(inner, ground, swell)))
    return [*parts, part("emblem", cloth(_emblem(v["emblem shape"], x, y, r), tone, swell))]
