"""Draws Jupiter: its belts wave by chance, and its storms follow them."""

from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import Globe, blend, surface
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    ellipse,
    part,
    path,
    rect,
    shade,
    star,
)
from hallascope.primer.world import DrawnValues


def _mark(kind: str, x: float, y: float, r: float, tone: str) -> list[Shape]:
    """Return a storm as an oval, or another form of about the same size."""
    if kind == "square":
        return [rect(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6, tone)]
    if kind == "star":
        return [star(x, y, r * 1.1, 5, 0.45, fill=tone)]
    curl = f"M{x - r * 0.5:.2f},{y + r * 0.06:.2f} q{r * 0.5:.2f},{-r * 0.5:.2f} {r:.2f},0"
    swirl = path(curl, None, stroke=shade(tone, -0.25), width=1.0)
    light = ellipse(x, y - r * 0.04, r * 0.66, r * 0.4, shade(tone, 0.14), stroke=None)
    return [ellipse(x, y, r, r * 0.66, tone), light, swirl]


def planet(v: DrawnValues, art: Art) -> Sequence[Part]:
    globe = Globe(35.5, cy=11, view=2) if v["wears"] == "hat" else Globe(44, view=2)
    cream = blend(art.tone("beige"), art.tone("white"), 0.45)
    rust = blend(art.tone("brown"), art.tone("orange"), 0.42)
    parts = [part("planet", globe.disc(cream))]
    if v["surface"] == "stripes":
        belts = (
            (58, 90, shade(rust, 0.3)),
            (38, 46, shade(rust, 0.42)),
            (25, 32, shade(rust, 0.18)),
            (6, 19, rust),
            (-3, 1.5, shade(rust, 0.5)),
            (-21, -7, shade(rust, 0.06)),
            (-35, -29, shade(rust, 0.36)),
            (-50, -42, shade(rust, 0.24)),
            (-90, -62, shade(rust, 0.32)),
        )
        parts += [
            part("stripe", globe.band(a, b, tone, wave=art.vary(0.6, 1.9))) for a, b, tone in belts
        ]
    else:
        parts += surface(globe, v["surface"], shade(cream, -0.08), globe.r * 0.12)
    count = v["spots"]
    tone = art.tone(v["spot colour"])
    r = globe.r * {1: 0.27, 2: 0.23, 3: 0.2}[count]
    y = globe.cy + globe.r * {"south": 0.42, "north": -0.42, "middle": 0.0}[v["spot place"]]
    centers = {1: [art.vary(-0.28, 0.28)], 2: [-0.36, 0.36], 3: [-0.56, 0.0, 0.56]}[count]
    for u in centers:
        x = globe.cx + globe.r * u
        pale = (
            [ellipse(x, y, r * 1.22, r * 0.88, shade(cream, 0.4), stroke=None)]
            if v["spot shape"] == "oval"
            else []
        )
        parts.append(part("spot", pale, _mark(v["spot shape"], x, y, r, tone)))
    return parts
