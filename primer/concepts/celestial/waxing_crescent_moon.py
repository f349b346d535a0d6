"""A waxing crescent moon: how it is drawn, what is true of it and how that can be violated."""

import math
from collections.abc import Sequence

from hallascope.data.records import Category
from hallascope.primer.concepts.celestial.forms import blend, crater
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    circle,
    ellipse,
    part,
    polygon,
    shade,
    star,
)
from hallascope.primer.world import Concept, Fact, Values, Variation

MOON = 42.0


def _half_width(outline: str, y: float) -> float:
    if outline == "square":
        return MOON * 0.82
    if outline == "diamond":
        return MOON * 1.1 - abs(y)
    return math.sqrt(max(MOON**2 - y * y, 0.0))


def _slice(outline: str, left: float, right: float) -> list[Point]:
    """The part of the moon's disc between two shares of its half width, -1 at the left edge to 1 at
    the right one.
    """
    top = {"round": MOON, "square": MOON * 0.82, "diamond": MOON * 1.1}[outline]
    ys = [-top * math.cos(math.pi * i / 60) for i in range(61)]
    return [
        *((right * _half_width(outline, y), y) for y in ys),
        *((left * _half_width(outline, y), y) for y in reversed(ys)),
    ]


def _crescent(v: Values, art: Art) -> Sequence[Part]:
    outline, edge = str(v["outline"]), {"thin": 0.44, "half": 0.0, "most": -0.42}[str(v["amount"])]
    night = blend(art.tone("grey"), "#2c3050", 0.62)
    light = (
        blend(art.tone("white"), art.tone("beige"), 0.22)
        if v["colour"] == "white"
        else shade(art.tone(str(v["colour"])), 0.1)
    )
    dim = [
        ellipse(MOON * x, MOON * y, MOON * r, MOON * r * 0.8, shade(night, -0.14), stroke=None)
        for x, y, r in ((-0.5, -0.3, 0.17), (-0.34, 0.34, 0.22), (-0.66, 0.12, 0.1))
    ]
    parts = [part("unlit part", polygon(_slice(outline, -1, 1), night), dim)]
    lit = [
        polygon(_slice(outline, edge, 1), light),
        polygon(_slice(outline, edge, edge + 0.1), shade(light, -0.13), stroke=None),
    ]
    parts.append(part("lit part", lit))
    if v["surface"] == "craters":
        rows = [(-1, 0.56, 6.2), (-18, 0.54, 4.4), (16, 0.54, 4.8)]
        if v["amount"] != "thin":
            rows += [(7, 0.2, 3.8), (-12, 0.24, 3.4), (20, 0.22, 3.0)]
        for y, share, r in rows:
            half = _half_width(outline, y)
            x = half * (edge + (1 - edge) * share)
            parts.append(part("crater", crater(x, y, min(r, half * (1 - edge) * 0.3), light)))
    if v["surface"] == "stripes":
        for y0 in (-27, -9, 9, 27):
            ys = [y0 - 3.5 + 7 * i / 6 for i in range(7)]
            right = [(_half_width(outline, y) * 0.985, y) for y in ys]
            left = [(_half_width(outline, y) * (edge + 0.02), y) for y in reversed(ys)]
            parts.append(part("stripe", polygon([*right, *left], shade(light, -0.42), stroke=None)))
    parts.append(part("outline", polygon(_slice(outline, -1, 1), None)))
    dark = (edge - 1) / 2 * _half_width(outline, 0)
    if v["unlit"] == "star":
        parts.append(
            part(
                "star",
                star(
                    dark,
                    0,
                    min(11, 0.23 * (1 + edge) * MOON + 3.5),
                    5,
                    0.48,
                    fill=art.tone("yellow"),
                ),
            )
        )
    if v["unlit"] == "lights":
        spots = [
            (_half_width(outline, y) * ((edge - 1) / 2 + side * (edge + 1)), y)
            for y in (-13, 0, 13)
            for side in (-0.17, 0.17)
        ]
        parts += [part("light", circle(x, y, 3.1, art.tone("yellow"), width=0.9)) for x, y in spots]
    turn = {"right": 0, "bottom": 90, "left": 180, "top": 270}[str(v["side"])]
    return [p.moved(f"rotate({turn})") for p in parts]


CRESCENT = Concept(
    name="waxing crescent moon",
    phrase="a waxing crescent moon",
    plural="waxing crescent moons",
    domain="celestial",
    category=Category.EARTH_SCIENCE,
    definition=(
        "A waxing crescent is the young moon: seen from the north, only a thin white curve "
        "on its right side is lit. Craters mark the lit part; the rest is dim grey."
    ),
    draw=_crescent,
    scene="night",
    tilt=4,
    mirror=False,
    facts=(
        Fact(
            "side",
            "posture",
            "details",
            "To which side does the lit part of the object face in the image?",
            {"right": "To the right", "left": "To the left", "bottom": "Downward", "top": "Upward"},
            ("lit part",),
        ),
        Fact(
            "amount",
            "size",
            "shape",
            "How much of the disk is lit in the image?",
            {"thin": "Less than half", "half": "Half of it", "most": "More than half"},
            ("lit part", "unlit part"),
            ("None of it",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the lit part of the object in the image?",
            {"white": "White", "green": "Green", "red": "Red", "blue": "Blue"},
            ("lit part",),
        ),
        Fact(
            "outline",
            "shape",
            "shape",
            "What outline does the whole object have in the image?",
            {"round": "Round", "square": "Square", "diamond": "Diamond-shaped"},
            ("lit part", "unlit part"),
            ("Heart-shaped",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What marks the lit part of the object in the image?",
            {"craters": "Craters", "stripes": "Stripes", "smooth": "Nothing"},
            ("crater",),
            ("Checks",),
        ),
        Fact(
            "unlit",
            "existence",
            "details",
            "What shines inside the unlit part of the disk in the image?",
            {"nothing": "Nothing", "star": "A star", "lights": "Rows of lights"},
            ("unlit part",),
            ("A fire",),
        ),
    ),
    variation=Variation(
        "a waxing crescent moon under a blue sky",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the object in the image?",
            {"day": "Under a blue sky", "night": "At night", "desert": "In a desert"},
            (),
            ("Under water",),
        ),
        base="night",
    ),
)
