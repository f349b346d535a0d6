"""Draws the lamps of a traffic light and the light of the one that shines."""

from collections.abc import Sequence

from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    glow,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import DrawnValues

_DARK = "#1b1c21"


def _lamp_colors(v: DrawnValues) -> list[str]:
    """Return the names of the lamps' colors from top to bottom."""
    between = [v["caution"]] * (v["lamps"] - 2)
    if v["red lamp"] == "top":
        return ["red", *between, "green"]
    if v["red lamp"] == "bottom":
        return ["green", *between, "red"]
    rest = ["green", *between]
    half = (len(rest) + 1) // 2
    return [*rest[:half], "red", *rest[half:]]


def _lens(y: float, r: float, tone: str, form: str) -> list[Shape]:
    if form == "round":
        shine = glow(-r * 0.32, y - r * 0.36, r * 0.3)
        return [circle(0, y, r + 1.6, _DARK), circle(0, y, r, tone), shine]
    corners = (
        [polar(0, y, r * 1.18, a) for a in (-45, 45, 135, 225)]
        if form == "square"
        else [polar(0, y + r * 0.2, r * 1.3, a) for a in (-90, 30, 150)]
    )
    shine = glow(-r * 0.2, y - r * 0.1, r * 0.25)
    return [polygon(corners, tone, stroke=_DARK, width=2.0), shine]


def _light(y: float, r: float, tone: str) -> list[Part]:
    glare = [circle(0, y, r * s, tone, stroke=None, opacity=0.2) for s in (2.1, 1.85, 1.6, 1.4)]
    rays = [
        line([polar(0, y, r * 1.5, a), polar(0, y, r * 1.95, a)], shade(tone, 0.5), 1.8)
        for a in range(0, 360, 36)
    ]
    return [part("light", glare), part("light", rays)]


def _hood(y: float, r: float, tone: str) -> Part:
    a = r + 2.2
    b = r + 3.4
    arch = (
        f"M{-a:.2f},{y - 1.5:.2f} a{a:.2f},{a:.2f} 0 0,1 {2 * a:.2f},0 "
        f"a{b:.2f},{r + 0.2:.2f} 0 0,0 {-2 * a:.2f},0 Z"
    )
    return part("hood", path(arch, shade(tone, 0.22), width=0.8))


def lamps(v: DrawnValues, art: Art) -> Sequence[Part]:
    case = art.tone("black")
    colors = _lamp_colors(v)
    form = v["lamp shape"]
    pitch = {3: 23.0, 4: 19.5, 5: 16.5}[len(colors)]
    r = pitch * 0.4
    large = {"equal": range(5), "top": (0,), "bottom": (len(colors) - 1,)}[v["largest lamp"]]
    parts: list[Part] = []
    light: list[Part] = []
    for i, name in enumerate(colors):
        y = -46.5 + pitch * (i + 0.5)
        tone = art.tone(name)
        shines = name == v["shining"]
        if shines:
            light = _light(y, r, tone)
        size = r if i in large else r / 1.7
        lens = _lens(y, size, shade(tone, 0.12 if shines else -0.16), form)
        parts.append(part("lamp", lens))
        if i in large and form == "round":
            parts.append(_hood(y, r, case))
    return [*light, *parts]
