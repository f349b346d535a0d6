"""Draws a traffic light by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import STEEL
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
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _lamp_colors(v: FactValues) -> list[str]:
    """Return the names of the lamps' colors from top to bottom."""
    between = [str(v["caution"])] * (int(v["lamps"]) - 2)
    if v["red lamp"] == "top":
        return ["red", *between, "green"]
    if v["red lamp"] == "bottom":
        return ["green", *between, "red"]
    rest = ["green", *between]
    return [*rest[: len(rest) // 2 + len(rest) % 2], "red", *rest[len(rest) // 2 + len(rest) % 2 :]]


def _lens(y: float, r: float, tone: str, form: str) -> list[Shape]:
    if form == "round":
        return [
            circle(0, y, r + 1.6, "#1b1c21"),
            circle(0, y, r, tone),
            glow(-r * 0.32, y - r * 0.36, r * 0.3),
        ]
    corners = (
        [polar(0, y, r * 1.18, a) for a in (-45, 45, 135, 225)]
        if form == "square"
        else [polar(0, y + r * 0.2, r * 1.3, a) for a in (-90, 30, 150)]
    )
    return [
        polygon(corners, tone, stroke="#1b1c21", width=2.0),
        glow(-r * 0.2, y - r * 0.1, r * 0.25),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    colors = _lamp_colors(v)
    form = str(v["lamp shape"])
    count = len(colors)
    pitch = {3: 23.0, 4: 19.5, 5: 16.5}[count]
    height = count * pitch + 5
    r = pitch * 0.4
    half = 16.0
    top = -49.0
    case = art.tone("black")
    pole = part(
        "pole",
        rect(-4, top + height - 4, 8, 99 - height, STEEL),
        rect(0.5, top + height, 3, 95 - height, shade(STEEL, -0.2), stroke=None),
        rect(-12, 44.5, 24, 4.5, shade(STEEL, -0.25), 1.5),
    )
    housing = part(
        "housing",
        [
            polygon(
                [(s * half, y - 6), (s * (half + 6), y - 5), (s * half, y + 5)], shade(case, -0.1)
            )
            for s in (-1, 1)
            for y in (top + 2.5 + pitch * (i + 0.5) for i in range(count))
        ],
        rect(-half - 0.4, top - 0.4, 2 * half + 0.8, height + 0.8, "#dfe1e6", 6.4),
        rect(-half + 1.2, top + 1.2, 2 * half - 2.4, height - 2.4, case, 5, width=0.8),
        rect(half - 5, top + 5, 2.8, height - 10, shade(case, -0.35), 1.4, stroke=None),
        rect(-half + 2.6, top + 5, 1.4, height - 10, shade(case, 0.3), 0.7, stroke=None),
    )
    lamps = []
    lit = []
    for i, name in enumerate(colors):
        y = top + 2.5 + pitch * (i + 0.5)
        tone = art.tone(name)
        largest = v["largest lamp"]
        size = (
            r
            if largest == "equal" or (largest, i) in (("top", 0), ("bottom", count - 1))
            else r / 1.7
        )
        shines = name == v["shining"]
        if shines:
            glare = [
                circle(0, y, r * s, tone, stroke=None, opacity=0.2) for s in (2.1, 1.85, 1.6, 1.4)
            ]
            lit = [part("light", glare)]
            rays = [[polar(0, y, r * 1.5, a), polar(0, y, r * 1.95, a)] for a in range(0, 360, 36)]
            lit.append(part("light", [line(ray, shade(tone, 0.5), 1.8) for ray in rays]))
        lamps.append(
            part("lamp", _lens(y, size, shade(tone, 0.12) if shines else shade(tone, -0.16), form))
        )
        if size == r and form == "round":
            a = r + 2.2
            b = r + 3.4
            arch = (
                f"M{-a:.2f},{y - 1.5:.2f} a{a:.2f},{a:.2f} 0 0,1 {2 * a:.2f},0 "
                f"a{b:.2f},{r + 0.2:.2f} 0 0,0 {-2 * a:.2f},0 Z"
            )
            lamps.append(part("hood", path(arch, shade(case, 0.22), width=0.8)))
    return [pole, housing, *lit, *lamps]
