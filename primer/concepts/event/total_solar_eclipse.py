"""Draws a total solar eclipse by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence
from typing import Unpack

from hallascope.primer.drawing.forms import petals
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    Style,
    circle,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
    star,
)
from hallascope.primer.world import FactValues


def _segment(y: float, fill: str, r: float = 47.4, **style: Unpack[Style]) -> Shape:
    """Return the part of the round sky below the height `y`."""
    half = math.sqrt(r * r - y * y)
    return path(f"M{-half:.2f},{y:.2f} A{r},{r} 0 0,0 {half:.2f},{y:.2f} Z", fill, **style)


def _corona(x: float, y: float, art: Art) -> list[Shape]:
    white = art.tone("white")
    shapes = [
        circle(x, y, 39 - 1.3 * i, white, stroke=None, opacity=0.05 + 0.012 * i) for i in range(11)
    ]
    for i in range(30):
        angle = 12 * i + art.vary(-4, 4)
        reach = (30.5 + 8.5 * abs(math.cos(math.radians(angle)))) * art.vary(0.9, 1.03)
        (ax, ay), (bx, by), (tx, ty) = (
            polar(x, y, 22, angle - 13),
            polar(x, y, 22, angle + 13),
            polar(x, y, reach, angle),
        )
        (cx, cy), (dx, dy) = polar(x, y, 28, angle - 4), polar(x, y, 28, angle + 4)
        d = (
            f"M{ax:.2f},{ay:.2f} Q{cx:.2f},{cy:.2f} {tx:.2f},{ty:.2f} "
            f"Q{dx:.2f},{dy:.2f} {bx:.2f},{by:.2f} Z"
        )
        shapes.append(path(d, white, stroke=None, opacity=0.4))
    return [*shapes, circle(x, y, 24.8, white, stroke=None)]


def _around(kind: str, x: float, y: float, art: Art) -> Part:
    if kind == "petals":
        return part("flower petals", petals(x, y, 28, 7.4, 10, art.tone("white")))
    if kind == "ring":
        wide = path(
            f"M{x - 42:.2f},{y + 8:.2f} C{x - 38:.2f},{y - 12:.2f} "
            f"{x + 38:.2f},{y - 26:.2f} {x + 42:.2f},{y - 8:.2f}"
            f" C{x + 38:.2f},{y + 12:.2f} {x - 38:.2f},{y + 26:.2f} {x - 42:.2f},{y + 8:.2f} Z",
            art.tone("white"),
        )
        return part("planet ring", wide)
    if kind == "rays":
        return part("pointed rays", star(x, y, 39, 8, 0.66, fill=art.tone("white")))
    return part("corona", _corona(x, y, art))


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    x = 0.0 if v["place"] == "front" else -8.5
    y = -8.0
    sky_tone = {
        "dark": shade(art.tone("blue"), -0.66),
        "light": art.tone("light blue"),
        "pink": art.tone("pink"),
    }[str(v["sky"])]
    spots = [
        polar(0, 0, art.vary(42, 45), angle + art.vary(-8, 8))
        for angle in (165, 190, 215, 240, 300, 325, 350, 15)
    ]
    sky = part(
        "sky",
        circle(0, 0, 48, sky_tone, width=1.6),
        [circle(a, b, art.vary(0.6, 0.9), "#ffffff", stroke=None) for a, b in spots],
    )
    dusk = art.tone("orange")
    glowing = [_segment(20 + 2 * i, dusk, stroke=None, opacity=0.08 + 0.05 * i) for i in range(8)]
    trees = []
    for tx in (-30, -24, 22, 29):
        h = art.vary(9, 13)
        trees.append(
            polygon([(tx - 3.4, 36), (tx, 36 - h), (tx + 3.4, 36)], "#171a2c", stroke=None)
        )
    land = part("land", glowing, trees, _segment(34, "#171a2c", stroke=None))
    size = 22.8 if v["size"] == "same" else 11.0
    mx = x + (27.0 if v["place"] == "side" else 0.0)
    tone = art.tone(str(v["disc"]))
    if v["form"] == "square":
        side = rect(
            mx + size * 0.55,
            y - size * 0.95,
            size * 0.4,
            size * 1.9,
            shade(tone, -0.15),
            stroke=None,
        )
        disc = [rect(mx - size, y - size, 2 * size, 2 * size, tone), side]
    else:
        disc = [
            circle(mx, y, size, tone),
            circle(mx - size * 0.12, y - size * 0.12, size * 0.8, shade(tone, 0.06), stroke=None),
        ]
    yellow = art.tone("yellow")
    sun = part(
        "sun",
        circle(x, y, 22.4, yellow, width=1.0),
        circle(x - 4, y - 4, 15, shade(yellow, 0.25), stroke=None),
    )
    moon = part("dark disc", disc)
    parts = [sky, land, _around(str(v["around"]), x, y, art), sun, moon]
    if v["bead"] == "one":
        gx = x + 16.2
        gy = y - 16.2
        flash = star(gx, gy, 12, 8, 0.32, -90, "#fffbe0", stroke="#c9a437", width=0.7)
        halo = circle(gx, gy, 9, "#ffffff", stroke=None, opacity=0.4)
        parts.append(part("bright spot", halo, flash, circle(gx, gy, 4.4, "#ffffff", stroke=None)))
    return parts
