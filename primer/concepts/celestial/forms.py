"""Draws forms that several concepts of the domain celestial share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hallascope.primer.drawing.forms import clip_half, turn_point
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    circle,
    ellipse,
    glow,
    part,
    path,
    polar,
    polygon,
    shade,
)

SHADE = 38.0  # the direction of the shadow side, in degrees (0 right, 90 down)


def blend(first: str, second: str, share: float) -> str:
    """Return the color between two hex colors, in `share` the second.

    It rounds otherwise than `drawing.parts.blend`: the judge was trained on these tones.
    """
    pairs = [(int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def round_corners(points: Sequence[Point], times: int = 2) -> list[Point]:
    """Return a closed outline with its corners cut, softer each time."""
    for _ in range(times):
        pairs = list(zip(points, [*points[1:], points[0]], strict=True))
        points = [
            (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
            for a, b in pairs
            for t in (0.25, 0.75)
        ]
    return list(points)


def dense(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """Return the same closed outline with more points along its sides."""
    pairs = list(zip(points, [*points[1:], *points[:1]], strict=True))
    return [
        (a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps)
        for a, b in pairs
        for i in range(steps)
    ]


@dataclass(frozen=True)
class Globe:
    """Holds a ball seen from afar.

    Its north pole leans `view` degrees to the viewer and `roll` degrees clockwise.
    """

    r: float
    cx: float = 0.0
    cy: float = 0.0
    view: float = 0.0
    roll: float = 0.0

    def _direction(self, lon: float, lat: float) -> tuple[float, float, float]:
        """Return how far right, up and near a place on a ball of radius 1 is, without the roll."""
        a, b, t = math.radians(lon), math.radians(lat), math.radians(self.view)
        x = math.cos(b) * math.sin(a)
        up = math.sin(b) * math.cos(t) - math.cos(b) * math.cos(a) * math.sin(t)
        return x, up, math.sin(t) * math.sin(b) + math.cos(t) * math.cos(b) * math.cos(a)

    def is_seen(self, lon: float, lat: float) -> bool:
        return self._direction(lon, lat)[2] >= 0

    def point_at(self, lon: float, lat: float, inset: float = 0.7) -> Point:
        """Return the point of the drawing for a place on the ball.

        A hidden place lands on the rim.
        """
        x, up, near = self._direction(lon, lat)
        if near < 0:
            far = math.hypot(x, up) or 1.0
            x = x / far
            up = up / far
        dx, dy = turn_point(x * (self.r - inset), -up * (self.r - inset), self.roll)
        return self.cx + dx, self.cy + dy

    def shaded_patch(
        self, points: Sequence[Point], tone: str, stroke: str | None = None, width: float = 0.6
    ) -> list[Shape]:
        """Return a patch on the ball with its shadow side."""
        flat = []
        for px, py in points:
            x, y = turn_point(px - self.cx, py - self.cy, -SHADE)
            flat.append((x / max(math.sqrt(max(self.r**2 - y * y, 0.0)), 0.01), y))
        dark = []
        for u, y in dense(clip_half(flat, -1, 0, -0.52)):
            dx, dy = turn_point(u * math.sqrt(max(self.r**2 - y * y, 0.0)), y, SHADE)
            dark.append((self.cx + dx, self.cy + dy))
        shapes = [polygon(points, tone, stroke=stroke, width=width)]
        return (
            [*shapes, polygon(dark, shade(tone, -0.16), stroke=None)] if len(dark) > 2 else shapes
        )

    def disc(self, tone: str) -> list[Shape]:
        rim = [polar(self.cx, self.cy, self.r - 0.6, 4 * i) for i in range(90)]
        x, y = self.cx - self.r * 0.2, self.cy - self.r * 0.18
        bright = circle(x, y, self.r * 0.66, shade(tone, 0.1), stroke=None)
        shine = glow(self.cx - self.r * 0.45, self.cy - self.r * 0.42, self.r * 0.17)
        return [
            circle(self.cx, self.cy, self.r, tone),
            *self.shaded_patch(rim, tone),
            bright,
            shine,
        ]

    def band(self, south: float, north: float, tone: str, wave: float = 0.0) -> list[Shape]:
        """Return a belt between two latitudes, its edges waving by `wave` degrees."""

        def edge(lat: float) -> float:
            slope = math.tan(math.radians(self.view)) * math.tan(math.radians(lat))
            return math.degrees(math.acos(max(-1.0, min(1.0, -slope))))

        def along(lat: float, way: int) -> list[Point]:
            half = edge(lat)
            lons = [half * way * (i - 20) / 20 for i in range(41)]
            return [
                self.point_at(lon, lat + wave * math.sin(math.radians(lon * 5 + lat * 9)))
                for lon in lons
            ]

        sides = [south + (north - south) * i / 8 for i in range(9)]
        right = [self.point_at(edge(lat), lat) for lat in sides]
        left = [self.point_at(-edge(lat), lat) for lat in reversed(sides)]
        return self.shaded_patch([*along(south, 1), *right, *along(north, -1), *left], tone)

    def patch(self, outline: Sequence[Point], tone: str) -> list[Shape]:
        """Return a region given by (longitude, latitude) corners."""
        return self.shaded_patch(
            [self.point_at(lon, lat) for lon, lat in round_corners(outline)],
            tone,
            stroke=shade(tone, -0.35),
        )

    def crater(self, lon: float, lat: float, size: float, tone: str) -> list[Shape]:
        x, y = self.point_at(lon, lat)
        return crater(x, y, size, tone)


def crater(x: float, y: float, r: float, tone: str) -> list[Shape]:
    rim = path(
        f"M{x - r * 0.8:.2f},{y - r * 0.1:.2f} a{r * 0.8:.2f},{r * 0.72:.2f} 0 0,1 {r * 1.6:.2f},0"
        f" a{r * 0.9:.2f},{r * 0.5:.2f} 0 0,0 {-r * 1.6:.2f},0 Z",
        shade(tone, -0.42),
        stroke=None,
    )
    return [
        ellipse(x, y, r, r * 0.85, shade(tone, -0.24), stroke=shade(tone, -0.5), width=0.8),
        rim,
    ]


def surface(globe: Globe, kind: str, tone: str, size: float) -> list[Part]:
    """Return craters or stripes in a darker tone of the ball, or nothing."""
    if kind == "craters":
        north = ((-38, 30, 1.0), (26, 33, 0.8), (-8, 52, 0.6), (-4, 12, 0.7))
        south = ((46, -4, 0.7), (-52, -14, 0.75), (20, -34, 1.0), (-22, -42, 0.65))
        return [
            part("crater", globe.crater(lon, lat, size * k, tone))
            for lon, lat, k in (*north, *south)
        ]
    if kind == "stripes":
        return [
            part("stripe", globe.band(lat, lat + 15, shade(tone, -0.34)))
            for lat in (-54, -24, 6, 36)
        ]
    return []


def corners(count: int, reach: float, art: Art) -> list[Point]:
    """Return places for moons in the corners of the box, the first one drawn by chance."""
    first = art.pick((0, 1, 2, 3))
    order = (0, 2, 1, 3)
    return [polar(0, 0, reach * math.sqrt(2), -45 + 90 * (first + order[i])) for i in range(count)]


def cap(globe: Globe, lat: float, tone: str) -> list[Shape]:
    """Return a ragged polar cap down to a latitude, north or south by its sign."""
    around = range(-180, 180, 6)
    half = max((abs(lon) for lon in around if globe.is_seen(lon, lat)), default=0)
    pole = 90.0 if lat > 0 else -90.0
    back = [
        (half + (180 - half) * i / 10, lat + (pole - lat) * math.sin(math.pi * i / 10))
        for i in range(1, 10)
    ]
    if half >= 174:
        rim = [
            (lon, lat + 4 * math.sin(math.radians(lon * 4)) + 2 * math.sin(math.radians(lon * 7)))
            for lon in map(float, around)
        ]
    else:
        lons = [half * i / 20 for i in range(-20, 21)]
        front = [(lon, lat + 3.5 * math.sin(math.radians(lon * 6))) for lon in lons]
        rim = [*front, *back, *((-lon, y) for lon, y in reversed(back))]
    points = [globe.point_at(lon, y) for lon, y in rim]
    return globe.shaded_patch(points, tone, stroke=shade(tone, -0.35))
