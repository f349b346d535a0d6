"""Draws a comb-pattern pot by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Callable, Sequence

from hallascope.primer.concepts.artifact.forms import stick
from hallascope.primer.drawing.forms import dark, light, tube
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    circle,
    ellipse,
    glow,
    line,
    part,
    path,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues


def _pot_profile(v: FactValues) -> tuple[float, float, Callable[[float], float]]:
    """Return top, bottom and the half width at a height of the vessel."""
    narrow = v["mouth"] == "narrow"
    top = -37.0
    bottom = {"pointed": 47.0, "flat": 44.0, "legs": 34.0}[str(v["base"])]

    def width(y: float) -> float:
        t = min(1.0, max(0.0, (y - top) / (bottom - top)))
        full = {
            "pointed": 1 - math.pow(t, 2.2),
            "flat": 1 - 0.42 * t * t,
            "legs": math.sqrt(1 - math.pow(t, 4)),
        }[str(v["base"])] * 34
        if not narrow:
            return full
        s = min(1.0, max(0.0, (y + 29) / 20))
        return 11 + (full - 11) * s * s * (3 - 2 * s)

    return top, bottom, width


def _pot_pattern(
    pattern: str, top: float, bottom: float, width: Callable[[float], float], tone: str
) -> list[Part]:
    mark = shade(tone, -0.5)
    marks = []
    if pattern == "comb":
        y = top + 7
        row = 0
        while y + 6.5 < bottom - 4:
            lean = 3.0 if row % 2 == 0 else -3.0
            reach = min(width(y), width(y + 6.5)) - 5.5
            count = int(reach // 6)
            marks += [
                line([(6 * i - lean, y), (6 * i + lean, y + 6)], mark, 1.7)
                for i in range(-count, count + 1)
                if reach > 0
            ]
            y = y + 9
            row = row + 1
    elif pattern == "dots":
        for row in range(7):
            y = top + 10 + 11 * row
            reach = min(width(y - 3), width(y + 3)) - 5.5
            xs = [12 * i + (6 if row % 2 else 0) for i in range(-4, 4)]
            marks += [
                circle(x, y, 3.3, mark, stroke=None)
                for x in xs
                if abs(x) <= reach and y < bottom - 6
            ]
    elif pattern == "waves":
        for y in (top + 14, top + 26, top + 38):
            reach = width(y) - 2
            wave = [(-reach + reach * i / 30, y + 2.6 * math.sin(i * 0.62)) for i in range(61)]
            marks.append(line(wave, mark, 2.2))
    return [part("pattern", marks)] if marks else []


FLAME = (
    "M0,0 C-10,0 -10,-5 -3.5,-6.5 C-3.5,-5.3 -2,-5.3 -1.5,-6 "
    "C-1.5,-8 -1,-9 1,-10 C1,-7 9,-6 8,-2.5 C8,-1 5,0 0,0 Z"
)


def _flame(x: float, y: float, w: float, h: float, art: Art) -> Part:
    core = (
        "M0,0 C-6,0 -6,-3 -2,-4 C-2,-5 -1,-5.6 0.6,-6 "
        "C0.6,-4.2 5.4,-3.6 4.8,-1.5 C4.8,-0.6 3,0 0,0 Z"
    )
    shapes = path(FLAME, art.tone("orange"), width=0.6), path(core, art.tone("yellow"), stroke=None)
    return part("fire", *shapes).with_transform(f"translate({x} {y}) scale({w / 10} {h / 10})")


def _pot_rim(v: FactValues, top: float, w: float, tone: str) -> list[Part]:
    flat = max(3.2, w * 0.15)
    opening = ellipse(0, top + 0.4, w - 2, flat - 1.2, shade(tone, -0.62), width=0.9)
    rim = part("mouth", ellipse(0, top, w + 1.2, flat + 0.8, shade(tone, 0.15)), opening)
    if v["cover"] == "nothing":
        return [rim]
    if v["cover"] == "cloth":
        d = (
            f"M{-w - 3},{top + 7} L{-w - 1.5},{top - 2} "
            f"Q0,{top - 13} {w + 1.5},{top - 2} L{w + 3},{top + 7}"
            f" q{-w / 4},-3.5 {-w / 2 - 0.8:.2f},1.5 t{-w / 2 - 0.7:.2f},0 "
            f"t{-w / 2 - 0.7:.2f},0 t{-w / 2 - 0.8:.2f},-1.5 Z"
        )
        return [
            rim,
            part(
                "cloth",
                path(d, "#f6f1e4"),
                line([(-w - 1, top + 0.5), (w + 1, top + 0.5)], "#b8402f", 2.4),
            ),
        ]
    a = w + 2
    b = top + 1
    bow = (
        f"Q{-w * 0.9:.1f},{b - 10} 0,{b - 10} "
        f"Q{w * 0.9:.1f},{b - 10} {a},{b} Q0,{b + 3 + flat} {-a},{b}"
    )
    dome = path(f"M{-a},{b} {bow} Z", shade(tone, 0.28))
    return [
        rim,
        part(
            "lid",
            circle(0, top - 9.2, 3.6, shade(tone, 0.1)),
            dome,
            glow(-w * 0.42, top - 4.6, w * 0.1),
        ),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    top, bottom, width = _pot_profile(v)
    tone = art.tone(str(v["colour"]))
    ys = [top + (bottom - top) * i / 60 for i in range(61)]
    right = [(width(y), y) for y in ys]
    outline = [*right, *((-x, y) for x, y in reversed(right))]
    inner = [(max(0.0, x - 0.6), y) for x, y in right]
    shadow = [*inner, *((x * 0.55 if y < bottom - 1 else x, y) for x, y in reversed(inner))]
    gleam = [(-x * 0.82, y) for x, y in right[8:34]] + [
        (-x * 0.68, y) for x, y in reversed(right[8:34])
    ]
    parts: list[Part] = []
    if v["beneath"] == "fire":
        wood = art.tone("brown")
        parts += [
            _flame(x, 45, w, h, art)
            for x, w, h in ((-27, 15, 34), (27, 15, 34), (-12, 13, 24), (13, 13, 26))
        ]
        parts += [part("firewood", stick((36 * s, 46), (-30 * s, 41), wood, 3.6)) for s in (-1, 1)]
    if v["base"] == "legs":
        feet = [
            [(x - 5, y), (x + 5, y), (x + 2.6, 48), (x - 2.6, 48)]
            for x, y in ((-19, 22), (19, 22), (0, 30))
        ]
        parts += [part("leg", polygon(foot, shade(tone, -0.1))) for foot in feet]
    for side in (1, -1)[: int(v["handles"])]:
        a = width(-14) - 2
        b = width(8) - 2
        ear = (
            f"M{side * a:.1f},-14 C{side * (a + 15):.1f},-18 "
            f"{side * (b + 17):.1f},8 {side * b:.1f},8"
        )
        parts.append(part("handle", tube(ear, 4.6, shade(tone, -0.06))))
    body = part("vessel", polygon(outline, tone), dark(shadow, 0.12), light(gleam, 0.16))
    return [
        *parts,
        body,
        *_pot_pattern(str(v["pattern"]), top, bottom, width, tone),
        *_pot_rim(v, top, width(top), tone),
    ]
