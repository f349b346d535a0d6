"""Draws a tulip by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.plant.forms import drawn_stem, form, shadow_side
from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues


def _bloom(kind: str, tone: str, gold: str) -> list[Shape]:
    """Return a flower 30 high that grows upwards from the origin."""
    if kind == "star":
        petals = [
            polygon(
                [polar(0, -15, 7, a - 30), polar(0, -15, 18, a), polar(0, -15, 7, a + 30)], tone
            )
            for a in range(-90, 270, 60)
        ]
        return [*petals, circle(0, -15, 5, gold)]
    if kind == "ball":
        scales = [
            path(f"M{x - 4:.1f},{y} q4,5 8,0", None, stroke=shade(tone, -0.35), width=1)
            for x, y in ((-5, -23), (5, -23), (-9, -16), (0, -16), (9, -16), (-5, -9), (5, -9))
        ]
        return [
            circle(0, -15, 15, tone),
            shadow_side("M8,-27.5 A15,15 0 0,1 -6,-1.4 A18,18 0 0,0 8,-27.5 Z", tone),
            *scales,
        ]
    dark = shade(tone, -0.24)
    behind = [
        path(
            f"M{s * 2},-4 C{s * 14},-14 {s * 10},-26 {s * 5},-30 "
            f"C{-s},-26 {-s * 4},-14 {s * 2},-4 Z",
            dark,
        )
        for s in (-1, 1)
    ]
    left = path("M0,0 C-15,0 -19,-14 -13.5,-30 C-7,-26 -2,-17 0,0 Z", tone)
    right = path("M0,0 C15,0 19,-14 13.5,-30 C7,-26 2,-17 0,0 Z", shade(tone, -0.1))
    front = path("M0,0 C-12,-3 -11,-18 0,-27 C11,-18 12,-3 0,0 Z", shade(tone, 0.1))
    sheen = path("M-3.4,-5 C-6,-10 -5,-16 -1.5,-20", None, stroke=shade(tone, 0.45), width=1.3)
    return [*behind, left, right, front, sheen]


def _root(kind: str, art: Art) -> Part:
    threads = [
        line([(dx * 0.4, 42), (dx, 46), (dx * 1.15, 49.5)], shade(art.tone("beige"), -0.35), 1.3)
        for dx in (-6, -2, 2, 6)
    ]
    brown = art.tone("brown")
    if kind == "bulb":
        coat = path(
            "M0,27 C3,31 11,33 11,39 C11,45 5,47 0,47 C-5,47 -11,45 -11,39 C-11,33 -3,31 0,27 Z",
            brown,
        )
        rims = [
            path(
                f"M0,29 C{s * 5},35 {s * 5},42 {s * 2},46",
                None,
                stroke=shade(brown, -0.35),
                width=1,
            )
            for s in (-1, 1)
        ]
        return part(
            "bulb",
            threads,
            coat,
            shadow_side("M2,30 C6,33 11,34 11,39 C11,45 6,47 2,47 C8,42 7,36 2,30 Z", brown),
            rims,
        )
    if kind == "carrot":
        orange = art.tone("orange")
        marks = [
            line([(x, y), (x + 5, y)], shade(orange, -0.35), 1)
            for x, y in ((-7, 33), (0, 37), (-3, 42))
        ]
        return part(
            "carrot",
            path("M-9,29 C-6,26 6,26 9,29 C9,38 4,46 0,50 C-4,46 -9,38 -9,29 Z", orange),
            marks,
        )
    hairs = [
        path(f"M0,28 Q{x * 0.3:.1f},{40 - abs(x) * 0.3:.1f} {x},48", None, stroke=brown, width=1.8)
        for x in (-20, -12, -4, 4, 12, 20)
    ]
    return part("roots", hairs)


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    green = art.tone("green")
    tone = art.tone(str(v["flower colour"]))
    count = int(v["flowers"])
    kind = str(v["leaves"])
    scale = {1: 1.16, 2: 0.84, 3: 0.68}[count]
    fork = 30.0 if count == 1 else 4.0
    blooms: list[tuple[str, str]] = []
    if v["bearing"] == "upright":
        spots = {1: ((0, -15),), 2: ((-18, -20), (18, -20)), 3: ((-24, -12), (0, -28), (24, -12))}[
            count
        ]
        for x, y in spots:
            blooms.append(
                (f"M0,{fork} C0,{fork - 14} {x},{y + 14} {x},{y}", put_at(x, y + 1, x * 0.4))
            )
    else:
        hooks = {
            1: ((0, 19, -40),),
            2: ((-8, -25, -38), (8, 25, -38)),
            3: ((-14, -31, -24), (0, 10, -42), (22, 37, -24)),
        }[count]
        for x, end, y in hooks:
            run = (
                f"M0,{fork} C0,{fork - 12} {x},{y + 20} {x},{y + 3} "
                f"C{x},{y - 9} {end},{y - 9} {end},{y + 4}"
            )
            blooms.append((run, put_at(end, y + 3, 180)))
    parts = [_root(str(v["below"]), art)]
    base = v["leaf place"] == "base"
    for side in (-1, 1):
        lean, height = (25.0, 29.0) if base else (66.0, 1.0)
        if kind == "long":
            drawn = form("pointed", 50 if base else 42, 7.4, shade(green, 0.06 * side))
        else:
            drawn = (
                form("round", 21, 10.5, shade(green, 0.06 * side))
                if kind == "round"
                else form("heart", 22, 12, green)
            )
            lean = 62.0
            height = 24.0 if base else 1.0
        parts.append(part("leaf", drawn).with_transform(put_at(side * 0.5, height, side * lean)))
    stems = [f"M0,29 V{fork}"] if count > 1 else []
    parts.append(
        part(
            "stem",
            [
                shape
                for d in [*stems, *(b[0] for b in blooms)]
                for shape in drawn_stem(d, shade(green, 0.08), 3.2)
            ],
        )
    )
    for _, place in blooms:
        parts.append(
            part("flower", _bloom(str(v["flower"]), tone, art.tone("gold"))).with_transform(
                f"{place} scale({scale})"
            )
        )
    return parts
