"""Draws what falls from a thunderstorm, higher or lower by chance."""

from collections.abc import Sequence

from hallascope.primer.drawing.forms import flower
from hallascope.primer.drawing.parts import INK, Art, Part, circle, ellipse, line, part, path, shade
from hallascope.primer.world import DrawnValues


def _drop(x: float, y: float, r: float, tone: str) -> Part:
    d = (
        f"M{x:.2f},{y - 1.9 * r:.2f} c{0.5 * r:.2f},{r:.2f} "
        f"{r:.2f},{1.4 * r:.2f} {r:.2f},{2 * r:.2f}"
        f" a{r:.2f},{r:.2f} 0 0,1 {-2 * r:.2f},0 "
        f"c0,{-0.6 * r:.2f} {0.5 * r:.2f},{-r:.2f} {r:.2f},{-2 * r:.2f} Z"
    )
    light = ellipse(
        x - 0.35 * r, y + 0.1 * r, 0.25 * r, 0.4 * r, "#ffffff", stroke=None, opacity=0.7
    )
    return part("raindrop", path(d, tone, width=1.0), light)


def _thing(kind: str, x: float, y: float, art: Art) -> Part:
    if kind == "flowers":
        return part("flower", flower(x, y, 5.0, art.tone("pink"), art.tone("white")))
    if kind == "leaves":
        leaf = path(
            f"M{x - 5:.2f},{y + 4:.2f} C{x - 6:.2f},{y - 4:.2f} "
            f"{x + 1:.2f},{y - 6:.2f} {x + 5:.2f},{y - 5:.2f}"
            f" C{x + 6:.2f},{y:.2f} {x + 2:.2f},{y + 6:.2f} {x - 5:.2f},{y + 4:.2f} Z",
            art.tone("orange"),
            width=1.0,
        )
        return part("leaf", leaf, line([(x - 6, y + 5), (x + 3, y - 3)], INK, 0.8))
    if kind == "coins":
        gold = art.tone("gold")
        rim = circle(x, y, 4.2, gold, width=1.0)
        return part("coin", rim, circle(x, y, 2.4, shade(gold, 0.35), width=0.6))
    return _drop(x, y + 1.2, 3.2, art.tone("blue"))


def falling(v: DrawnValues, art: Art) -> Sequence[Part]:
    big = v["larger"] == "cloud"
    below = v["bolt place"] == "below"
    middle = 0.0 if big else -27.0
    columns = (-38, -24, 14, 27, 40) if big else (-16, 16)
    rows = (-1, 16, 33) if below else (28, 40)
    return [
        _thing(v["falling"], middle + x, y + (4 if i % 2 else 0) + art.vary(-0.8, 0.8), art)
        for i, x in enumerate(columns)
        for y in rows
        if not (big and x > 20 and y > 0)
    ]
