"""Draws a water lily by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.plant.forms import drawn_stem, form
from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    circle,
    ellipse,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues


def _pond(kind: str, art: Art) -> Part:
    """Return what the water lily lies on."""
    if kind == "water":
        blue = shade(art.tone("light blue"), -0.1)
        ripples = [
            path(
                f"M{x},{y} q{w / 4},-2 {w / 2},0 t{w / 2},0",
                None,
                stroke=shade(blue, 0.55),
                width=1.2,
            )
            for x, y, w in ((-38, 13, 14), (22, 8, 16), (30, 40, 10), (-26, 44.5, 14), (2, 47, 14))
        ]
        return part(
            "water",
            ellipse(0, 25, 49.5, 24.5, blue),
            ellipse(0, 28, 42, 18, shade(blue, -0.1), stroke=None),
            ripples,
        )
    if kind == "sand":
        sand = art.tone("beige")
        grains = [
            circle(art.vary(-38, 38), art.vary(18, 42), 0.8, shade(sand, -0.4), stroke=None)
            for _ in range(40)
        ]
        return part("sand", ellipse(0, 25, 49.5, 24.5, sand), grains)
    grass = shade(art.tone("green"), 0.4)
    tufts = [
        path(
            f"M{x},{y} l-2,-5 l2.4,3 l1,-5 l1.4,5 l2.4,-3 l-2,5 Z", shade(grass, -0.3), stroke=None
        )
        for x, y in (
            (-42, 26),
            (-34, 38),
            (-20, 45),
            (0, 48),
            (16, 45),
            (32, 41),
            (41, 30),
            (36, 18),
            (-36, 17),
            (20, 13),
        )
    ]
    return part("grass", ellipse(0, 25, 49.5, 24.5, grass), tufts)


def _pad(v: FactValues, art: Art, large: bool) -> Part:
    """Return the floating leaf, in perspective or on edge."""
    green = art.tone("green")
    flat = v["pad bearing"] == "flat"
    if flat:
        x, y, rx, ry = (-3.0, 26.0, 42.0, 18.0) if large else (-25.0, 36.0, 16.0, 7.5)
    else:
        x, y, rx, ry = (-14.0, -2.0, 30.0, 30.0) if large else (-33.0, 16.0, 14.0, 14.0)
    if v["pad"] == "square":
        back = 0.72 if flat else 0.9
        rim = [(-back, -0.9), (back, -0.9), (0.93, 0.9), (-0.93, 0.9)]
    elif v["pad"] == "star":
        rim = [polar(0, 0, 1.1 if k % 2 == 0 else 0.5, k * 36 - 90) for k in range(10)]
    else:
        rim = [(0.0, 0.0), *(polar(0, 0, 1, a) for a in range(152, 152 + 329, 4))]
    veins = [polar(0, 0, 0.42 if v["pad"] == "star" else 0.78, a) for a in range(-180, 180, 36)]
    outline = [(x + rx * a, y + ry * b) for a, b in rim]
    depth = [polygon([(a, b + 2) for a, b in outline], shade(green, -0.4))] if flat else []
    ribs = [line([(x, y), (x + rx * a, y + ry * b)], shade(green, 0.3), 1.0) for a, b in veins]
    return part("leaf pad", depth, polygon(outline, green), ribs)


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    large = v["wider"] == "leaf"
    tone = art.tone(str(v["petal colour"]))
    scale = 1.0 if large else 1.38
    tall = v["flower place"] == "tall"
    x = 8.0 if large else 9.0
    high = -12.0 if large else -5.0
    low = 21.0 if large else 22.0
    y = high if tall else low
    parts = [_pond(str(v["ground"]), art), _pad(v, art, large)]
    if tall:
        parts.append(
            part(
                "stalk",
                drawn_stem(
                    f"M{x},28 C{x + 4},16 {x - 4},6 {x},{y}", shade(art.tone("green"), -0.1), 3.4
                ),
            )
        )
    place = f"{put_at(x, y)} scale({scale})"
    rows: tuple[tuple[tuple[float, ...], float, float, float], ...] = (
        ((-76, 76, -54, 54, -32, 32, -10.5, 10.5), 30, 6.0, -0.14),
        ((-66, 66, -43, 43, -21, 21, 0), 25.5, 5.6, -0.06),
    )
    for turns, length, width, dark in rows:
        for turn in turns:
            petal = form(
                "pointed",
                length - (5 if abs(turn) > 60 else 0),
                width,
                shade(tone, dark),
                False,
                -0.07,
            )
            parts.append(part("petal", petal).with_transform(f"{place} rotate({turn})"))
    gold = art.tone(str(v["heart"]))
    threads = [
        line([(0, -3), polar(0, -4, 12, a - 90)], shade(gold, -0.2), 1.5)
        for a in range(-64, 65, 16)
    ]
    knobs = [circle(*polar(0, -4, 12, a - 90), 1.7, gold, width=0.8) for a in range(-64, 65, 16)]
    parts.append(
        part("stamens", ellipse(0, -7, 10, 7.5, gold, width=1), threads, knobs).with_transform(
            place
        )
    )
    for turn in (-76, 76, -48, 48, -18, 18):
        petal = form("pointed", 17 if abs(turn) > 60 else 12.5, 5.0, tone, False, -0.08)
        parts.append(part("petal", petal).with_transform(f"{place} translate(0 2) rotate({turn})"))
    return parts
