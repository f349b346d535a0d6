"""Draws a stalk of bamboo by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hallascope.primer.concepts.plant.forms import drawn_stem, form
from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    circle,
    ellipse,
    line,
    part,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tone = art.tone(str(v["colour"]))
    leafy = art.tone("green")
    stalk = shade(tone, 0.16)
    half = 10.5
    ys = [44.0, 27.0, 5.0, -17.0, -40.0]
    xs = {
        "straight": [0.0] * 5,
        "zigzag": [-7.0, 8.0, -8.0, 8.0, -7.0],
        "bow": [-15.0, -2.0, 4.0, -2.0, -15.0],
    }[str(v["growth"])]
    spine = list(zip(xs, ys, strict=True))
    bow = [(4 - 19 * ((y - 3) / 43) ** 2, y) for y in (44 - k * 5.25 for k in range(17))]
    arc = bow if v["growth"] == "bow" else spine
    parts: list[Part] = []
    sides: dict[str, tuple[tuple[int, int], ...]] = {
        "alternate": ((1, -1), (2, 1), (3, -1)),
        "one": ((1, 1), (2, 1), (3, 1)),
        "pairs": ((1, -1), (1, 1), (3, -1), (3, 1)),
    }
    thick = v["branches"] == "thick"
    kind, length, width = {
        "narrow": ("pointed", 21.0, 2.9),
        "round": ("round", 13.0, 6.0),
        "heart": ("heart", 15.0, 7.0),
    }[str(v["leaves"])]
    for node, side in sides[str(v["order"])]:
        x, y = spine[node]
        x += side * (half - (4 if thick else 1))
        end = (x + side * (13 if thick else 12), y - (11 if thick else 9))
        run = f"M{x:.1f},{y:.1f} L{end[0]:.1f},{end[1]:.1f}"
        parts.append(part("branch", drawn_stem(run, shade(stalk, -0.08), 12.5 if thick else 1.8)))
        for turn in (128, 92, 56) if v["leaves"] == "narrow" else (125, 65):
            px, py = polar(*end, 5 if thick else 0, turn - 90)
            px = end[0] + side * (px - end[0])
            leaf = part(
                "leaf", form(kind, length, width, shade(leafy, -0.04 if turn > 100 else 0.1))
            )
            parts.append(leaf.with_transform(put_at(px, py, side * turn)))
    left = [(x - half, y) for x, y in arc]
    right = [(x + half, y) for x, y in arc]
    light = [(x - half * 0.55, y) for x, y in arc]
    turns = [math.radians(a) for a in range(15, 180, 15)]
    foot = [(arc[0][0] + half * math.cos(a), arc[0][1] + 5 * math.sin(a)) for a in turns]
    strip = [*((x + half * 0.35, y) for x, y in arc), *reversed(right), *foot[:4]]
    rim = polygon([*left, *reversed(right), *foot], stalk)
    body = [rim, polygon(strip, shade(stalk, -0.16), stroke=None)]
    parts.append(part("stalk", body, line(light, shade(stalk, 0.45), 1.8), replace(rim, fill=None)))
    if v["joints"] == "rings":
        for x, y in spine[1:-1]:
            ridge = rect(x - half - 1.4, y - 2, 2 * half + 2.8, 4, shade(stalk, 0.3), r=2)
            parts.append(
                part(
                    "node",
                    ridge,
                    line([(x - half, y + 3.4), (x + half, y + 3.4)], shade(stalk, -0.4), 1.1),
                )
            )
    elif v["joints"] == "stripes":
        pairs = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(spine)]
        streaks = [(x + dx, y) for x, y in pairs for dx in (-5, 0, 5)]
        parts.append(
            part(
                "stripes",
                [line([(x, y - 7), (x, y + 7)], shade(stalk, -0.5), 2.2) for x, y in streaks],
            )
        )
    x, y = spine[-1]
    pale = art.tone("beige")
    lip = ellipse(x, y, half, 6.2, pale)
    if v["inside"] == "hollow":
        cut = [lip, ellipse(x, y, half - 2.4, 4.4, "#2b2a22")]
    elif v["inside"] == "solid":
        cut = [
            lip,
            *(
                ellipse(x, y, half * k, 6.2 * k, None, stroke=art.tone("brown"), width=0.9)
                for k in (0.66, 0.28)
            ),
        ]
    else:
        seeds = [
            circle(x + dx, y + dy, 1.0, INK, stroke=None)
            for dx, dy in ((-5, 0), (0, 2), (5, -0.4), (0, -2))
        ]
        cut = [lip, ellipse(x, y, half - 1.8, 4.8, art.tone("red"), stroke=None), *seeds]
    return [*parts, part("cut top", cut)]
