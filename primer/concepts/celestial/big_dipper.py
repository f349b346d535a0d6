"""Draws the Big Dipper by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import blend, round_corners
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    circle,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
    star,
)
from hallascope.primer.world import DrawnValues

BOWLS: dict[str, tuple[Point, ...]] = {
    "four": ((9, 2), (12, 25), (34, 28), (42, -3)),
    "three": ((8, 1), (24, 31), (42, -3)),
    "five": ((8, 0), (6, 21), (23, 33), (41, 20), (41, -4)),
}


def _handle(start: Point, count: int, bend: str, lower: float) -> list[Point]:
    """Return the stars of the handle from the bowl outwards."""
    span = {3: 17.0, 4: 13.6, 5: 11.2}[count] * (1.15 if bend == "zigzag" else 1.0)
    x, y = start
    points = []
    for i in range(count):
        turn = {
            "bent": 214 - 50 * i / (count - 1),
            "straight": 196.0,
            "zigzag": 196 + (44 if i % 2 == 0 else -44),
        }[bend]
        x, y = polar(x, y, span, turn - lower)
        points.append((x, y))
    return points


def _joined(stars: Sequence[Point], closed: bool = False) -> list[Shape]:
    ends = [*stars, stars[0]] if closed else list(stars)
    return [line(ends, "#39436f", 3.0), line(ends, "#aebbe8", 1.6)]


def _bright_star(x: float, y: float, r: float, tone: str) -> list[Shape]:
    halos = [circle(x, y, r * k, "#fff3c4", stroke=None, opacity=0.11) for k in (1.5, 1.28, 1.06)]
    return [
        *halos,
        polygon(
            round_corners(
                [polar(x, y, r * (1 if i % 2 == 0 else 0.5), -90 + 36 * i) for i in range(10)], 1
            ),
            tone,
            width=1.0,
        ),
    ]


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    bowl = BOWLS[v["bowl"]]
    start = bowl[0] if v["joint"] == "rim" else bowl[1]
    lift = -2.0 if v["joint"] == "rim" else -8.0
    size = {3: 7.4, 4: 6.8, 5: 5.8}[v["handle"]]
    handle = _handle(start, v["handle"], v["bend"], 0 if v["joint"] == "rim" else 22)
    tone = shade(art.tone("white"), 0.1) if v["colour"] == "white" else art.tone(v["colour"])
    parts = [part("handle", _joined([start, *handle])), part("bowl", _joined(bowl, closed=True))]
    parts += [part("bowl star", _bright_star(x, y, size, tone)) for x, y in bowl]
    parts += [part("handle star", _bright_star(x, y, size, tone)) for x, y in handle]
    placed = [p.with_transform(f"translate(1.5 {lift}) scale(0.91)") for p in parts]
    if v["visitor"] == "meteor":
        glare = blend(art.tone("yellow"), art.tone("white"), 0.4)
        trail = path(
            "M-24,-45 Q2,-44 26,-32 L23,-26 Q2,-39 -24,-45 Z", glare, stroke="#39436f", width=1.0
        )
        placed.append(
            part(
                "shooting star",
                trail,
                star(28, -27.5, 9, 5, 0.5, turn=-70, fill=art.tone("yellow")),
            )
        )
    return placed
