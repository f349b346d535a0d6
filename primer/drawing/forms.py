"""Forms that concepts of more than one domain are drawn with; they know no concept."""

import math
from collections.abc import Iterable, Sequence
from typing import Unpack

from hallascope.primer.drawing.parts import INK, Point, Shape, Style, circle, path, polar, polygon


def put_at(x: float, y: float, turn: float = 0.0) -> str:
    """The transform that puts what is drawn around (0, 0) at (x, y), turned by so many degrees."""
    return f"translate({x:.2f} {y:.2f}) rotate({turn:.2f})"


def turned(x: float, y: float, degrees: float) -> Point:
    """The point turned about (0, 0), clockwise."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return x * c - y * s, x * s + y * c


def turned_all(points: Iterable[Point], degrees: float) -> list[Point]:
    return [turned(x, y, degrees) for x, y in points]


def spaced(count: int, low: float, high: float) -> list[float]:
    """`count` numbers from low to high; one alone lies in the middle."""
    if count == 1:
        return [(low + high) / 2]
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def tube(d: str, width: float, fill: str, edge: float = 2.4) -> list[Shape]:
    """Return a thick line along path data with an ink edge, `edge` wide on both sides together."""
    return [path(d, None, stroke=INK, width=width + edge), path(d, None, stroke=fill, width=width)]


def petals(
    x: float,
    y: float,
    reach: float,
    r: float,
    count: int,
    fill: str,
    turn: float = 0.0,
    **style: Unpack[Style],
) -> list[Shape]:
    """Discs of radius `r` around (x, y), the first at angle `turn` degrees."""
    return [
        circle(*polar(x, y, reach, turn + 360 * i / count), r, fill, **style) for i in range(count)
    ]


def dark(points: Sequence[Point], opacity: float = 0.13) -> Shape:
    """A shadow over what was drawn before."""
    return polygon(points, "#000000", stroke=None, opacity=opacity)


def light(points: Sequence[Point], opacity: float = 0.35) -> Shape:
    """A sheen over what was drawn before."""
    return polygon(points, "#ffffff", stroke=None, opacity=opacity)
