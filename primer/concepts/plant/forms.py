"""Draws forms that several concepts of the domain plant share."""

from collections.abc import Sequence

from hallascope.primer.drawing.forms import tube
from hallascope.primer.drawing.parts import Point, Shape, line, path, shade

# Right sides of leaf and petal forms that grow from (0, 0) up to about (0, -1), half as wide as 1:
# a start and cubic triples.
FORMS: dict[str, tuple[Point, ...]] = {
    "pointed": ((0, 0), (1.05, -0.15), (1.25, -0.62), (0, -1)),
    "round": ((0, 0), (1.33, 0), (1.33, -1), (0, -1)),
    "square": (
        (0, 0),
        (0.3, 0),
        (0.7, 0),
        (1, 0),
        (1, -0.3),
        (1, -0.7),
        (1, -1),
        (0.7, -1),
        (0.3, -1),
        (0, -1),
    ),
    "notched": (
        (0, 0),
        (0.45, -0.12),
        (1.1, -0.38),
        (1.08, -0.7),
        (1.05, -1.06),
        (0.3, -1.1),
        (0, -0.82),
    ),
    "heart": (
        (0, 0),
        (0.3, 0.14),
        (1.15, 0.12),
        (1.05, -0.3),
        (0.95, -0.6),
        (0.35, -0.78),
        (0, -1),
    ),
}


def cubic(points: Sequence[Point]) -> str:
    return " ".join(
        "C" + " ".join(f"{x:.2f},{y:.2f}" for x, y in points[i : i + 3])
        for i in range(0, len(points), 3)
    )


def form(
    kind: str, length: float, width: float, fill: str, vein: bool = True, shadow: float = -0.14
) -> list[Shape]:
    """A leaf or petal that grows upwards from the origin; `width` is half its breadth."""
    side = [(x * width, y * length) for x, y in FORMS[kind]]
    back = [(-x, y) for x, y in reversed(side[:-1])]
    right = f"M0,0 {cubic(side[1:])}"
    shapes = [
        path(f"{right} {cubic(back)} Z", fill),
        path(f"{right} Z", shade(fill, shadow), stroke=None),
    ]
    if vein:
        shapes.append(line([(0, 0), (0, -0.78 * length)], shade(fill, -0.38), 0.9))
    return [*shapes, path(f"{right} {cubic(back)} Z", None)]


def drawn_stem(d: str, tone: str, width: float) -> list[Shape]:
    """Return a stalk along a curve: ink edge, color and a light stripe."""
    return [
        *tube(d, width, tone, 2.2),
        path(d, None, stroke=shade(tone, 0.22), width=width * 0.3),
    ]
