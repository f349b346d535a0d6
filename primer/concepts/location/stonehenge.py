"""Stonehenge: how it is drawn, what is true of it and how that can be violated."""

from collections.abc import Sequence

from hallascope.data.records import Category
from hallascope.primer.concepts.location.forms import Surface, box, mix, pattern, quad
from hallascope.primer.drawing.parts import Art, Part, Point, circle, ellipse, part, polygon, shade
from hallascope.primer.world import Concept, Fact, Values, Variation

# Centre, foot, width and height of every group of stones, the far ones first.
_STANDS: dict[str, list[tuple[float, float, float, float]]] = {
    "ring": [
        (0, 5, 25, 34),
        (-35, 14, 26, 36),
        (35, 14, 26, 36),
        (-21, 47, 31, 34),
        (21, 47, 31, 34),
    ],
    "line": [(-31, 28, 23.5, 46), (0, 28, 23.5, 46), (31, 28, 23.5, 46)],
}

_BOULDER = (
    (0.1, 0),
    (0.5, -0.01),
    (0.9, 0),
    (1, 0.06),
    (0.97, 0.3),
    (1, 0.6),
    (1, 0.96),
    (0.5, 1),
    (0, 0.96),
    (0.02, 0.6),
    (0, 0.3),
    (0, 0.06),
)

_PITS = ((0.25, 0.2), (0.45, 0.45), (0.3, 0.72), (0.8, 0.3), (0.7, 0.8))


def _stone(at: Surface, kind: str, tone: str, name: str, art: Art) -> Part:
    def rough(s: float, t: float) -> Point:
        x, y = at(s, t)
        return x + art.vary(-0.55, 0.55), y + art.vary(-0.5, 0.5)

    outline = (
        [rough(s, t) for s, t in _BOULDER]
        if kind == "rough"
        else [at(0, 0), at(1, 0), at(1, 1), at(0, 1)]
    )
    side = polygon(
        [at(0.68, 0.02), at(0.97, 0.04), at(0.98, 0.97), at(0.6, 0.98), at(0.74, 0.5)],
        shade(tone, -0.2),
        stroke=None,
    )
    if kind == "rough":
        spots = [
            circle(*at(s, t), art.vary(0.6, 1.0), shade(tone, -0.3), stroke=None) for s, t in _PITS
        ]
        marks = [
            *spots,
            polygon(
                [at(0.1, 0.06), at(0.4, 0.06), at(0.3, 0.3), at(0.12, 0.26)],
                shade(tone, 0.3),
                stroke=None,
            ),
        ]
    else:
        marks = pattern(kind, at, 4.6 if kind == "blocks" else 2.9, tone, 0.9)
    return part(name, polygon(outline, tone, stroke=None), side, marks, polygon(outline, None))


def _stonehenge(v: Values, art: Art) -> Sequence[Part]:
    kind, tone, count = str(v["material"]), art.tone(str(v["paint"])), int(v["uprights"])
    parts: list[Part] = []
    for x, foot, w, h in _STANDS[str(v["arrangement"])]:
        lean = h * 0.16 if v["stand"] == "leaning" else 0.0
        wide = w * (0.34 if count == 1 else 0.28 if count == 2 else 0.23)
        thick, reach = h * 0.19, w / 2 - wide / 2
        centres = (
            [x]
            if count == 1
            else [mix(x - reach, x + reach, i / (count - 1)) for i in range(count)]
        )
        shadow = ellipse(x + 1, foot, w * 0.56, h * 0.07, "#000000", stroke=None, opacity=0.16)
        parts.append(part("shadow", shadow))
        top = foot - h + thick
        for c in centres:
            head, heel = c + lean, c - lean
            at = quad(
                (head - wide * 0.46, top),
                (head + wide * 0.46, top),
                (heel - wide / 2, foot),
                (heel + wide / 2, foot),
            )
            parts.append(_stone(at, kind, tone, "upright stone", art))
        y, shift = {
            "top": (top - thick, lean),
            "middle": (foot - h * 0.54, 0.0),
            "ground": (foot - thick * 0.55, 0.0),
        }[str(v["lintel"])]
        parts.append(
            _stone(
                box(x + shift - w * 0.52, y, w * 1.04, thick * 1.12),
                kind,
                shade(tone, 0.1),
                "top stone",
                art,
            )
        )
    return parts


STONEHENGE = Concept(
    name="Stonehenge",
    phrase="Stonehenge",
    plural="Stonehenges",
    domain="location",
    category=Category.WESTERN_AFRICAN_ANCIENT,
    definition="Stonehenge is a prehistoric ring of rough grey stones on a grassy plain in England. "
    "Pairs of tall upright stones carry flat stones that lie across their tops.",
    draw=_stonehenge,
    scene="meadow",
    tilt=2,
    facts=(
        Fact(
            "uprights",
            "counting",
            "details",
            "How many upright stones stand in each group in the image?",
            {2: "Two", 1: "One", 3: "Three"},
            ("upright stone",),
            ("Five",),
        ),
        Fact(
            "lintel",
            "relation",
            "details",
            "Where are the flat crosswise stones in the image?",
            {"top": "On top of the uprights", "middle": "Halfway up", "ground": "On the ground"},
            ("top stone",),
            ("Under the ground",),
        ),
        Fact(
            "arrangement",
            "shape",
            "shape",
            "How are the groups of stones arranged in the image?",
            {"ring": "In a ring", "line": "In a straight row"},
            ("upright stone",),
            ("In a spiral", "In a cross"),
        ),
        Fact(
            "stand",
            "posture",
            "shape",
            "How do the tall stones stand in the image?",
            {"upright": "Upright", "leaning": "Leaning to one side"},
            ("upright stone",),
            ("Lying flat", "Crossed"),
        ),
        Fact(
            "material",
            "others",
            "texture",
            "What are the posts made of in the image?",
            {"rough": "Rough stone", "blocks": "Small bricks", "planks": "Wooden planks"},
            ("upright stone",),
            ("Glass",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where are the stones in the image?",
            {
                "meadow": "In a meadow",
                "desert": "In a desert",
                "snow": "In the snow",
                "underwater": "Under water",
            },
            (),
            ("In a room",),
        ),
    ),
    variation=Variation(
        "Stonehenge painted red",
        "attribute",
        Fact(
            "paint",
            "color",
            "color",
            "What color are the stones in the image?",
            {"red": "Red", "grey": "Grey", "blue": "Blue"},
            ("upright stone", "top stone"),
            ("Yellow",),
        ),
        base="grey",
    ),
)
