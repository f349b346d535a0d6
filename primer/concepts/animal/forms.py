"""Draws forms that several concepts of the domain animal share."""

import math
from collections.abc import Callable
from typing import Unpack

from hallascope.primer.drawing.parts import (
    INK,
    Point,
    Shape,
    Style,
    line,
    polygon,
    shade,
)

Spine = tuple[Point, Point, Point, Point]


class Ribbon:
    """Holds a band of changing width along a cubic curve.

    `at(t, s)` is the point t along it and s across it, -1 to 1 between its edges.
    """

    def __init__(self, spine: Spine, half: Callable[[float], float]) -> None:
        self.spine = spine
        self.half = half

    def point_at(self, t: float, s: float = 0.0) -> Point:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.spine
        u = 1 - t
        x = u**3 * ax + 3 * u * u * t * bx + 3 * u * t * t * cx + t**3 * dx
        y = u**3 * ay + 3 * u * u * t * by + 3 * u * t * t * cy + t**3 * dy
        tx = u * u * (bx - ax) + 2 * u * t * (cx - bx) + t * t * (dx - cx)
        ty = u * u * (by - ay) + 2 * u * t * (cy - by) + t * t * (dy - cy)
        size = math.hypot(tx, ty) or 1.0
        reach = s * self.half(t)
        return x - ty / size * reach, y + tx / size * reach

    def patch(
        self,
        t0: float,
        t1: float,
        s0: float,
        s1: float,
        fill: str,
        lean: float = 0.0,
        **style: Unpack[Style],
    ) -> Shape:
        """Return the part of the band between t0 and t1 along it and s0 and s1 across it.

        It leans along the band by `lean`.
        """

        def clip(t: float) -> float:
            return min(1.0, max(0.0, t))

        steps = 14
        across = [s0 + (s1 - s0) * i / steps for i in range(steps + 1)]
        along = [t0 + (t1 - t0) * i / steps for i in range(steps + 1)]
        ring = [self.point_at(clip(t0 + lean * s), s) for s in across]
        ring += [self.point_at(clip(t + lean * s1), s1) for t in along]
        ring += [self.point_at(clip(t1 + lean * s), s) for s in reversed(across)]
        ring += [self.point_at(clip(t + lean * s0), s0) for t in reversed(along)]
        return polygon(ring, fill, **style)

    def ring(self) -> list[Point]:
        return [self.point_at(i / 40, -1) for i in range(41)] + [
            self.point_at(i / 40, 1) for i in range(40, -1, -1)
        ]

    def body(self, fill: str, dark: float = -0.13) -> list[Shape]:
        """Return the whole band with its shadow side.

        Its outline stays open where it grows from another part.
        """
        return [
            polygon(self.ring(), fill, stroke=None),
            self.patch(0.14, 0.98, 0.45, 0.97, shade(fill, dark), stroke=None),
            self.edge(),
        ]

    def edge(self) -> Shape:
        """Return the outline alone, to draw over a pattern; open at the start."""
        return line(self.ring(), INK, 1.2)
