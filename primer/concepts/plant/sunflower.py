"""Draws a sunflower by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.plant.forms import drawn_stem, form
from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import Art, Part, circle, part, polar, polygon, shade
from hallascope.primer.world import FactValues


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    green = art.tone("green")
    gold = art.tone(str(v["petal colour"]))
    heart = art.tone(str(v["disc colour"]))
    drooping = v["bearing"] == "drooping"
    radius = 13.5 if v["disc"] == "half" else 6.5
    x, y = (17.5, -1.0) if drooping else (0.0, -19.0)
    stem = (
        "M-4,49 C-6,14 -22,4 -20,-18 C-18,-44 14,-50 17.5,-12"
        if drooping
        else "M0,49 C3,34 -3,20 0,-10"
    )
    parts = [part("stem", drawn_stem(stem, green, 4.6))]
    nodes = ((-6.5, 28.0, -1), (-8.5, 20.0, 1)) if drooping else ((1.2, 38.0, -1), (1.2, 28.0, 1))
    for px, py, side in nodes:
        if v["along stem"] == "leaves":
            parts.append(
                part("leaf", form("heart", 25, 11, green)).with_transform(
                    put_at(px, py, side * (118 if drooping else 62))
                )
            )
        elif v["along stem"] == "thorns":
            thorns = [
                polygon([(0, dy - 3), (side * 11, dy - 3), (0, dy + 4)], shade(green, -0.2))
                for dy in (-4, 8)
            ]
            parts.append(part("thorn", thorns).with_transform(put_at(px, py)))
    kind, width = {"pointed": ("pointed", 4.6), "round": ("round", 5.2), "square": ("square", 4.0)}[
        str(v["petals"])
    ]
    start = radius * 0.7
    spread = {"around": range(360), "above": range(-89, 90), "below": range(91, 270)}[
        str(v["petal place"])
    ]
    for ring, tone, reach in ((0, shade(gold, -0.16), 29.0), (1, gold, 27.0)):
        count = 14
        for i in range(count):
            turn = (i + ring / 2) * 360 / count
            if any(round(turn + full) in spread for full in (0, -360)):
                cx, cy = polar(x, y, start, turn - 90)
                parts.append(
                    part(
                        "petal", form(kind, reach - start, width, tone, vein=False, shadow=-0.1)
                    ).with_transform(put_at(cx, cy, turn))
                )
    seeds = [(radius * 0.86 * math.sqrt(k / 60), k * 137.508) for k in range(3, 60)]
    dots = [circle(*polar(x, y, r, a), 0.8, shade(heart, -0.45), stroke=None) for r, a in seeds]
    core = circle(x, y, radius * 0.5, shade(heart, -0.25), stroke=None)
    return [*parts, part("disc", circle(x, y, radius, heart), [core, *dots] if radius > 9 else [])]
