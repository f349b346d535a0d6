"""Draws forms that several concepts of the domain event share."""

from collections.abc import Sequence

from hallascope.primer.drawing.forms import petals
from hallascope.primer.drawing.parts import INK, Shape, circle, ellipse, shade

Blob = tuple[float, float, float, float]

HEAP: tuple[Blob, ...] = (
    (-0.31, 0.14, 0.19, 0.33),
    (-0.15, -0.10, 0.21, 0.38),
    (0.13, -0.06, 0.20, 0.36),
    (0.32, 0.16, 0.18, 0.30),
    (0.00, 0.20, 0.36, 0.28),
)


def puffs(blobs: Sequence[Blob], x: float, y: float, w: float, h: float, tone: str) -> list[Shape]:
    """Return a heap of round puffs in a box centered at (x, y), lit from the upper left.

    A single outline runs around all of them.
    """
    placed = [(x + bx * w, y + by * h, rx * w, ry * h) for bx, by, rx, ry in blobs]
    edge = [ellipse(*blob, INK, width=2.4) for blob in placed]
    dark = [ellipse(*blob, shade(tone, -0.16), stroke=None) for blob in placed]
    body = [
        ellipse(cx - 0.09 * rx, cy - 0.14 * ry, rx * 0.89, ry * 0.84, tone, stroke=None)
        for cx, cy, rx, ry in placed
    ]
    light = [
        ellipse(cx - 0.25 * rx, cy - 0.4 * ry, rx * 0.5, ry * 0.36, shade(tone, 0.22), stroke=None)
        for cx, cy, rx, ry in placed
    ]
    return [*edge, *dark, *body, *light]


def flower(x: float, y: float, r: float, petal: str, heart: str) -> list[Shape]:
    return [
        *petals(x, y, r * 0.58, r * 0.46, 5, petal, 18, width=0.9),
        circle(x, y, r * 0.34, heart, width=0.9),
    ]
