"""The pyramids of Giza: how it is drawn, what is true of it and how that can be violated."""

import math
from collections.abc import Sequence

from hallascope.data.records import Category
from hallascope.primer.concepts.location.forms import Surface, box, mix, outline_of, pattern, quad
from hallascope.primer.drawing.parts import Art, Part, Point, ellipse, part, polygon, shade
from hallascope.primer.world import Concept, Fact, Values, Variation

# Centre, base and half width of every building, the far ones first.
_EQUAL: dict[int, list[tuple[float, float, float]]] = {
    2: [(-22, 30, 27), (22, 30, 27)],
    3: [(0, 20, 24), (-26, 34, 23), (26, 34, 23)],
    4: [(-15, 16, 19), (15, 16, 19), (-30, 36, 19), (13, 36, 19)],
    5: [(-17, 14, 17), (17, 14, 17), (-33, 36, 16.5), (0, 36, 16.5), (33, 36, 16.5)],
}

_ONE_SMALL: dict[int, list[tuple[float, float, float]]] = {
    2: [(-11, 28, 38), (32, 36, 14)],
    3: [(15, 22, 31), (-17, 30, 32), (36, 36, 12)],
    4: [(2, 16, 26), (-24, 32, 25), (20, 32, 22), (39, 38, 10)],
    5: [(-15, 12, 20), (20, 12, 20), (-31, 34, 19), (3, 34, 19), (34, 36, 9)],
}


def _monument(kind: str, x: float, base: float, w: float) -> tuple[Surface, Surface]:
    """Lit front and shadow side of one building, `x` its centre and `w` its half width."""
    high = w * 1.62
    if kind == "triangle":
        apex, corner = (x, base - high), (x + w * 0.35, base + w * 0.1)
        return quad(apex, apex, (x - w, base), corner), quad(
            apex, apex, corner, (x + w, base - w * 0.04)
        )
    if kind == "block":
        left, top, split, right = x - w * 0.86, base - high * 0.8, x + w * 0.36, x + w * 0.86
        lit = box(left, top, split - left, base + w * 0.05 - top)
        return lit, quad(
            (split, top),
            (right, top + w * 0.06),
            (split, base + w * 0.05),
            (right, base - w * 0.04),
        )

    def dome(start: float, end: float) -> Surface:
        def at(s: float, t: float) -> Point:
            half = w * 0.92 * math.sqrt(max(0.0, 1 - (1 - t) ** 2))
            return x + half * mix(start, end, s), base - high * 0.78 * (1 - t)

        return at

    return dome(-1, 0.35), dome(0.35, 1)


def _cap(at: Surface) -> Surface:
    return lambda s, t: at(s, t * 0.34)


def _pyramids(v: Values, art: Art) -> Sequence[Part]:
    tone, kind = art.tone(str(v["colour"])), str(v["sides"])
    layout = (_EQUAL if v["heights"] == "equal" else _ONE_SMALL)[int(v["count"])]
    gold = art.tone("gold")
    parts: list[Part] = []
    for x, base, w in layout:
        lit, dark = _monument(kind, x, base, w)
        shadow = ellipse(
            x + w * 0.12, base, w * 1.05, w * 0.1, "#000000", stroke=None, opacity=0.13
        )
        sides = [
            polygon(outline_of(lit), tone, stroke=None),
            polygon(outline_of(dark), shade(tone, -0.26), stroke=None),
            *pattern(str(v["surface"]), lit, 5.6, tone, 0.8),
            *pattern(str(v["surface"]), dark, 5.6, shade(tone, -0.2), 0.8),
            polygon(outline_of(lit), None),
            polygon(outline_of(dark), None),
        ]
        parts.append(part("pyramid", shadow, sides))
        if v["tops"] == "gold":
            tips = [
                polygon(outline_of(_cap(lit)), shade(gold, 0.12)),
                polygon(outline_of(_cap(dark)), shade(gold, -0.2)),
            ]
            parts.append(part("golden top", tips))
    return parts


PYRAMIDS = Concept(
    name="pyramids of Giza",
    phrase="the pyramids of Giza",
    plural="groups of Giza pyramids",
    domain="location",
    category=Category.WESTERN_AFRICAN_ANCIENT,
    definition="The pyramids of Giza are three royal tombs in the Egyptian desert, one much smaller than the others. "
    "They are built of rows of sand-coloured stone blocks, with triangular sides over a square base.",
    draw=_pyramids,
    scene="desert",
    tilt=1.5,
    facts=(
        Fact(
            "count",
            "counting",
            "details",
            "How many large buildings stand together in the image?",
            {3: "Three", 2: "Two", 4: "Four", 5: "Five"},
            ("pyramid",),
        ),
        Fact(
            "sides",
            "shape",
            "shape",
            "What shape do the buildings have from the front in the image?",
            {"triangle": "Triangles", "dome": "Half circles", "block": "Rectangles"},
            ("pyramid",),
            ("Stars",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the stone of the buildings in the image?",
            {"beige": "Beige", "red": "Red", "blue": "Blue", "green": "Green"},
            ("pyramid",),
        ),
        Fact(
            "heights",
            "size",
            "shape",
            "How do the buildings compare in height in the image?",
            {"one small": "One is much smaller", "equal": "All are equally high"},
            ("pyramid",),
            ("One is much taller", "Every one differs"),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What do the walls of the buildings look like in the image?",
            {
                "blocks": "Rows of stone blocks",
                "glass": "Glass panes",
                "smooth": "Smooth and shiny",
            },
            ("pyramid",),
            ("Wooden planks",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where are the buildings in the image?",
            {
                "desert": "In a desert",
                "snow": "In the snow",
                "underwater": "Under water",
                "meadow": "In a meadow",
            },
            (),
        ),
    ),
    variation=Variation(
        "the pyramids of Giza with golden tops",
        "attribute",
        Fact(
            "tops",
            "color",
            "color",
            "What are the tops of the buildings like in the image?",
            {"gold": "Covered in gold", "plain": "Like the walls"},
            ("golden top",),
            ("Broken off", "Covered in moss"),
        ),
        base="plain",
    ),
)
