"""Draws forms that several concepts of the domain artifact share."""

import math
from collections.abc import Sequence

from hallascope.primer.drawing.forms import dark
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    Shape,
    circle,
    glow,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import DrawnValues

STEEL = "#9aa0ab"


def clip(points: Sequence[Point], a: float, b: float, low: float, high: float) -> list[Point]:
    """Return the part of a convex polygon in the strip low <= a x + b y <= high."""
    kept = list(points)
    for sign, limit in ((1.0, high), (-1.0, -low)):
        before = kept
        kept = []
        for i, (x, y) in enumerate(before):
            px, py = before[i - 1]
            here = sign * (a * x + b * y) - limit
            there = sign * (a * px + b * py) - limit
            if here * there < 0:
                share = there / (there - here)
                kept.append((px + (x - px) * share, py + (y - py) * share))
            if here <= 0:
                kept.append((x, y))
    return kept


def dense(points: Sequence[Point], step: float = 2.0) -> list[Point]:
    """Return the outline of a polygon with corners added, so that it can be bent."""
    outline = []
    for i, (x, y) in enumerate(points):
        px, py = points[i - 1]
        n = max(1, math.ceil(math.hypot(x - px, y - py) / step))
        outline += [(px + (x - px) * k / n, py + (y - py) * k / n) for k in range(n)]
    return outline


def round(cx: float, cy: float, r: float) -> list[Point]:
    return [polar(cx, cy, r, 7.5 * i) for i in range(48)]


def stick(start: Point, end: Point, tone: str, width: float) -> list[Shape]:
    """Return a round stick: outline, body and a line of light."""
    (x, y), (u, w) = start, end
    length = math.hypot(u - x, w - y) or 1.0
    dx = (w - y) / length * width * 0.22
    dy = -(u - x) / length * width * 0.22
    if dx + dy > 0:
        dx = -dx
        dy = -dy
    bright = [(x + dx, y + dy), (u + dx, w + dy)]
    return [
        line([start, end], INK, width + 2.2),
        line([start, end], tone, width),
        line(bright, shade(tone, 0.5), width * 0.28),
    ]


def ball(x: float, y: float, r: float, tone: str) -> list[Shape]:
    """Return a ball with its shadow side, lower right."""
    e = r - 0.6
    (ax, ay), (bx, by) = polar(x, y, e, -38), polar(x, y, e, 128)
    d = (
        f"M{ax:.2f},{ay:.2f} A{e:.2f},{e:.2f} 0 0,1 {bx:.2f},{by:.2f} "
        f"A{1.25 * r:.2f},{1.25 * r:.2f} 0 0,0 {ax:.2f},{ay:.2f} Z"
    )
    return [
        circle(x, y, r, tone),
        path(d, shade(tone, -0.17), stroke=None),
        glow(x - r * 0.34, y - r * 0.38, r * 0.28),
    ]


def atom(x: float, y: float, r: float, tone: str, form: str) -> list[Shape]:
    if form == "round":
        return ball(x, y, r, tone)
    corners = [
        polar(x, y, r * 1.2, a)
        for a in ((-45, 45, 135, 225) if form == "square" else (-90, 30, 150))
    ]
    low = max(py for _, py in corners)
    return [
        polygon(corners, tone),
        dark(clip(corners, 0, 1, low - r * 0.4, low - 0.6)),
        glow(x - r * 0.2, y - r * 0.2, r * 0.25),
    ]


def spring(end: Point) -> list[Shape]:
    x, y = end
    length = math.hypot(x, y)
    nx = -y / length
    ny = x / length
    turns = [(x * t / 18, y * t / 18, 5.0 * (-1) ** t if 0 < t < 18 else 0.0) for t in range(19)]
    zigzag = [(px + nx * s, py + ny * s) for px, py, s in turns]
    return [line(zigzag, INK, 3.2), line(zigzag, STEEL, 1.5)]


def molecule(
    v: DrawnValues,
    art: Art,
    names: tuple[str, str],
    ends: Sequence[Point],
    radii: tuple[float, float],
) -> list[Part]:
    """Return a central atom at (0, 0), outer atoms at `ends` and what joins them."""
    big, small = radii
    joints: list[Part] = []
    if v["joined"] == "bonds":
        joints = [part("bond", stick((0, 0), end, STEEL, 5.0)) for end in ends]
    elif v["joined"] == "springs":
        joints = [part("bond", spring(end)) for end in ends]
    elif v["joined"] == "ring":
        r = math.hypot(*ends[0])
        joints = [
            part(
                "bond",
                circle(0, 0, r, None, width=7.2),
                circle(0, 0, r, None, stroke=STEEL, width=5.0),
            )
        ]
    tone = art.tone(v["hydrogen colour"])
    form = str(v.get("form", "round"))
    heart = part(names[0], ball(0, 0, big, art.tone(v["centre"])))
    return [*joints, heart, *(part(names[1], atom(x, y, small, tone, form)) for x, y in ends)]


HOIST = -41.0
FLY = 48.0
UPPER = -40.0
LOWER = 19.0


def cloth(
    points: Sequence[Point], fill: str, swell: float, stroke: str | None = INK
) -> list[Shape]:
    """Return a piece of the flag's cloth, bent by the wind, with the shadows of the folds."""

    def bent(piece: Sequence[Point]) -> list[Point]:
        points = []
        for x, y in dense(piece):
            t = (x - HOIST) / (FLY - HOIST)
            points.append((x, y + swell * math.sin(2 * math.pi * 1.15 * t) * min(1.0, 2.5 * t)))
        return points

    folds = []
    for middle in (0.31, 0.75) if swell else ():
        for reach in (0.16, 0.12, 0.08, 0.04):
            piece = clip(
                points,
                1,
                0,
                HOIST + (middle - reach) * (FLY - HOIST),
                HOIST + (middle + reach) * (FLY - HOIST),
            )
            folds += [dark(bent(piece), 0.012 + 0.004 * swell)] if len(piece) > 2 else []
    return [
        polygon(bent(points), fill, stroke=None),
        *folds,
        *([polygon(bent(points), None, stroke=stroke)] if stroke else []),
    ]
