"""Draws a thunderstorm by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.event.forms import HEAP, flower, puffs
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _drop(x: float, y: float, r: float, tone: str) -> list[Shape]:
    d = (
        f"M{x:.2f},{y - 1.9 * r:.2f} c{0.5 * r:.2f},{r:.2f} "
        f"{r:.2f},{1.4 * r:.2f} {r:.2f},{2 * r:.2f}"
        f" a{r:.2f},{r:.2f} 0 0,1 {-2 * r:.2f},0 "
        f"c0,{-0.6 * r:.2f} {0.5 * r:.2f},{-r:.2f} {r:.2f},{-2 * r:.2f} Z"
    )
    return [
        path(d, tone, width=1.0),
        ellipse(x - 0.35 * r, y + 0.1 * r, 0.25 * r, 0.4 * r, "#ffffff", stroke=None, opacity=0.7),
    ]


def _bolt(form: str, x: float, top: float, height: float, tone: str) -> list[Shape]:
    if form == "zigzag":
        corners = (
            (-0.08, 0),
            (0.20, 0),
            (0.06, 0.36),
            (0.24, 0.36),
            (-0.16, 1),
            (-0.02, 0.54),
            (-0.22, 0.54),
        )
        pale = (
            (0.02, 0.06),
            (0.10, 0.06),
            (-0.03, 0.43),
            (0.09, 0.43),
            (-0.07, 0.72),
            (0.03, 0.48),
            (-0.12, 0.48),
        )
        scaled = [
            [(x + dx * height, top + dy * height) for dx, dy in shape] for shape in (corners, pale)
        ]
        return [polygon(scaled[0], tone), polygon(scaled[1], shade(tone, 0.5), stroke=None)]
    if form == "straight":
        return [
            rect(x - 4, top, 8, height, tone),
            rect(x - 2.4, top + 2, 2.2, height - 4, shade(tone, 0.5), stroke=None),
        ]
    spine = [(x + 8 * math.sin(i / 40 * 4 * math.pi), top + height * i / 40) for i in range(41)]
    return [
        line(spine, INK, 8.4),
        line(spine, tone, 6.0),
        line([(a - 1, b) for a, b in spine[2:-2]], shade(tone, 0.5), 1.4),
    ]


def _falling(kind: str, x: float, y: float, art: Art) -> Part:
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
        return part(
            "coin",
            circle(x, y, 4.2, art.tone("gold"), width=1.0),
            circle(x, y, 2.4, shade(art.tone("gold"), 0.35), width=0.6),
        )
    return part("raindrop", _drop(x, y + 1.2, 3.2, art.tone("blue")))


def _tree(x: float, foot: float, height: float, lean: float, art: Art) -> list[Shape]:
    """Return a leafy tree on its foot, its top `lean` times its height to the side."""
    green = art.tone("green")
    wide = height * 0.2
    top = x + lean * height
    bow = x + lean * height * 0.25
    d = (
        f"M{x - height * 0.07:.2f},{foot:.2f} Q{bow - height * 0.06:.2f},{foot - height * 0.35:.2f}"
        f" {top - height * 0.03:.2f},{foot - height * 0.7:.2f} "
        f"L{top + height * 0.04:.2f},{foot - height * 0.66:.2f}"
        f" Q{bow + height * 0.07:.2f},{foot - height * 0.3:.2f} "
        f"{x + height * 0.08:.2f},{foot:.2f} Z"
    )
    trunk = path(d, art.tone("brown"), width=1.0)
    y = foot - height * 0.68
    crown = [
        (top, y + wide * 0.3, wide * 1.2, wide * 0.85),
        (top + lean * wide * 0.7, y - wide * 0.6, wide * 0.9, wide * 0.85),
    ]
    if lean:
        crown.append((top + lean * wide * 2.6, y + wide * 0.1, wide, wide * 0.55))
    else:
        crown.append((top, y - wide * 0.2, wide * 0.9, wide))
    edge = [ellipse(*blob, INK, width=2.2) for blob in crown]
    fill = [ellipse(*blob, green, stroke=None) for blob in crown]
    lit = [
        ellipse(
            cx - rx * 0.25, cy - ry * 0.35, rx * 0.45, ry * 0.35, shade(green, 0.22), stroke=None
        )
        for cx, cy, rx, ry in crown[:2]
    ]
    return [trunk, *edge, *fill, *lit]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    big = v["larger"] == "cloud"
    below = v["bolt place"] == "below"
    wide, tall, cx = (92.0, 36.0, 0.0) if big else (42.0, 20.0, -27.0)
    cy = -29.0 if below else 4.0
    tone = shade(art.tone("grey"), -0.34) if v["cloud"] == "grey" else art.tone(str(v["cloud"]))
    reach = 54.0 if below else 46.0
    top = cy + tall * 0.18 if below else -49.0
    bx = cx - (2 if big else 0)
    bolt = part(
        "lightning bolt", _bolt(str(v["bolt"]), bx, top, reach, art.tone(str(v["bolt colour"])))
    )
    columns = (-38, -24, 14, 27, 40) if big else (-16, 16)
    rows = (-1, 16, 33) if below else (28, 40)
    drops = [
        _falling(str(v["falling"]), cx + x, y + (4 if i % 2 else 0) + art.vary(-0.8, 0.8), art)
        for i, x in enumerate(columns)
        for y in rows
        if not (big and x > 20 and y > 0)
    ]
    lean = -0.42 if v["tree"] == "bent" else 0.0
    foot = 46.5
    tree = part(
        "tree", _tree(32, foot, 36, lean, art) if big else _tree(31, foot, 80, lean * 0.6, art)
    )
    ground = part("ground", ellipse(0, 47, 48, 2.8, shade(art.tone("green"), -0.2)))
    cloud = part("cloud", puffs(HEAP, cx, cy, wide, tall, tone))
    return [ground, *drops, bolt, cloud, tree]
