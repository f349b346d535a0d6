"""Draws forms that several concepts of the domain food share."""

import math
from collections.abc import Iterable, Sequence
from typing import Unpack

from hallascope.primer.drawing.forms import clip_half
from hallascope.primer.drawing.parts import (
    Art,
    Point,
    Shape,
    Style,
    path,
    polar,
)

OutlinePoints = list[Point]


def smooth(points: Sequence[Point], fill: str | None = None, **style: Unpack[Style]) -> Shape:
    """Return a closed soft curve through all the points."""
    n = len(points)
    d = f"M{points[0][0]:.2f},{points[0][1]:.2f}"
    for i in range(n):
        (ax, ay), (bx, by), (cx, cy), (ex, ey) = (points[(i + k) % n] for k in (-1, 0, 1, 2))
        d += (
            f" C{bx + (cx - ax) / 6:.2f},{by + (cy - ay) / 6:.2f} "
            f"{cx - (ex - bx) / 6:.2f},{cy - (ey - by) / 6:.2f} {cx:.2f},{cy:.2f}"
        )
    return path(d + " Z", fill, **style)


def soft(corners: Sequence[Point], r: float) -> OutlinePoints:
    """Return the outline of a polygon with its corners rounded off over the length `r`."""
    outline: OutlinePoints = []
    for i, (x, y) in enumerate(corners):
        ends = []
        for px, py in (corners[i - 1], corners[(i + 1) % len(corners)]):
            k = min(0.5, r / math.hypot(px - x, py - y))
            ends.append((x + (px - x) * k, y + (py - y) * k))
        (ax, ay), (bx, by) = ends
        for t in (j / 8 for j in range(9)):
            s = 1 - t
            outline.append(
                (s * s * ax + 2 * s * t * x + t * t * bx, s * s * ay + 2 * s * t * y + t * t * by)
            )
    return outline


def blob(cx: float, cy: float, r: float, art: Art, wave: float = 0.07) -> OutlinePoints:
    first = art.vary(0, 6.28)
    second = art.vary(0, 6.28)
    radii = [
        r * (1 + wave * math.sin(3 * a + first) + wave * 0.6 * math.sin(5 * a + second))
        for a in (i * 0.2618 for i in range(24))
    ]
    return [polar(cx, cy, radius, 15 * i) for i, radius in enumerate(radii)]


def scale_points(
    points: Iterable[Point], k: float, cx: float = 0.0, cy: float = 0.0
) -> OutlinePoints:
    return [(cx + (x - cx) * k, cy + (y - cy) * k) for x, y in points]


def place_points(
    points: Iterable[Point], x: float, y: float, degrees: float, size: float = 1.0
) -> OutlinePoints:
    """Return the points turned about the origin, made larger and then put at (x, y)."""
    c = math.cos(math.radians(degrees)) * size
    s = math.sin(math.radians(degrees)) * size
    return [(x + px * c - py * s, y + px * s + py * c) for px, py in points]


def oval(
    x: float,
    y: float,
    rx: float,
    ry: float,
    degrees: float,
    fill: str | None = None,
    **style: Unpack[Style],
) -> Shape:
    dx = rx * math.cos(math.radians(degrees))
    dy = rx * math.sin(math.radians(degrees))
    arc = f"A{rx:.2f},{ry:.2f} {degrees:.1f} 1,1"
    return path(
        f"M{x - dx:.2f},{y - dy:.2f} {arc} "
        f"{x + dx:.2f},{y + dy:.2f} {arc} {x - dx:.2f},{y - dy:.2f} Z",
        fill,
        **style,
    )


def wedge(points: Sequence[Point], start: float, end: float, cx: float, cy: float) -> OutlinePoints:
    """Return what of a convex outline lies between two directions from (cx, cy).

    The directions are less than 180 degrees apart.
    """
    for degrees, side in ((start, 1), (end, -1)):
        a = side * math.sin(math.radians(degrees))
        b = -side * math.cos(math.radians(degrees))
        points = clip_half(points, a, b, a * cx + b * cy)
    return list(points)


def chords(points: Sequence[Point], y: float) -> list[tuple[float, float]]:
    """Return the stretches of the level `y` that lie inside an outline."""
    hits = []
    for (px, py), (qx, qy) in zip(points, [*points[1:], *points[:1]], strict=True):
        if (py - y) * (qy - y) < 0:
            hits.append(px + (qx - px) * (y - py) / (qy - py))
    hits.sort()
    return list(zip(hits[::2], hits[1::2], strict=False))


def is_inside(points: Sequence[Point], x: float, y: float) -> bool:
    return any(left < x < right for left, right in chords(points, y))


def reach_of(kind: str, degrees: float) -> float:
    """Return how far an outline of radius 1 reaches in a direction.

    It is that of a round, square or triangular thing.
    """
    sides = {"square": 4, "triangle": 3}.get(kind)
    if sides is None:
        return 1.0
    step = 360 / sides
    corner = -45 if sides == 4 else -90
    off = (degrees - corner) % step - step / 2
    flat = math.cos(math.radians(step / 2)) / math.cos(math.radians(off))
    return min(flat, 0.93) * (1.16 if sides == 4 else 1.22)


def pie(kind: str, r: float, start: float, end: float, cx: float, cy: float) -> OutlinePoints:
    """Return the outline between two directions.

    The center is its tip, unless it goes all the way round.
    """
    steps = max(8, round((end - start) / 3))
    rim = [
        polar(cx, cy, r * reach_of(kind, a), a)
        for a in (start + (end - start) * i / steps for i in range(steps + 1))
    ]
    return rim if end - start >= 359 else [(cx, cy), *rim]
