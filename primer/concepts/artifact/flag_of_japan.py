"""A flag of Japan: how it is drawn, what is true of it and how that can be violated."""

from collections.abc import Sequence

from hallascope.data.records import Category
from hallascope.primer.concepts.artifact.forms import (
    FLY,
    HOIST,
    LOWER,
    UPPER,
    clip,
    cloth,
    pole,
    round,
)
from hallascope.primer.drawing.parts import Art, Part, Point, part, polar
from hallascope.primer.world import Concept, Fact, Values, Variation


def _emblem(form: str, x: float, y: float, r: float) -> list[Point]:
    if form == "star":
        return [polar(x, y, r * (1.12 if i % 2 == 0 else 0.48), -90 + 36 * i) for i in range(10)]
    if form == "square":
        return [polar(x, y, r * 1.22, a) for a in (-45, 45, 135, 225)]
    return round(x, y, r)


def _flag_of_japan(v: Values, art: Art) -> Sequence[Part]:
    corners = [(HOIST, UPPER), (FLY, UPPER), (FLY, LOWER), (HOIST, LOWER)]
    r = 17.7 if v["emblem size"] == "large" else 8.5
    x, y = (HOIST + FLY) / 2, (UPPER + LOWER) / 2
    if v["place"] == "pole":
        x = HOIST + r + 4
    elif v["place"] == "corner":
        x, y = FLY - r - 4, LOWER - r - 3
    field, tone, swell = art.tone(str(v["field"])), art.tone(str(v["emblem colour"])), 2.4
    found = [pole(art), part("field", cloth(corners, field, swell))]

    def inside(points: Sequence[Point]) -> list[Point]:
        return clip(clip(points, 1, 0, HOIST + 0.7, FLY - 0.7), 0, 1, UPPER + 0.7, LOWER - 0.7)

    if v["around"] == "rays":
        for i in range(12):
            tips, roots = (
                [polar(x, y, 140, 30 * i + s) for s in (-7.5, 7.5)],
                [polar(x, y, r * 1.45, 30 * i + s) for s in (7.5, -7.5)],
            )
            piece = inside([*tips, *roots])
            found += [part("ray", cloth(piece, tone, swell, stroke=None))] if len(piece) > 2 else []
    elif v["around"] == "ring":
        outer, inner = inside(round(x, y, r * 1.34 + 4)), inside(round(x, y, r * 1.34))
        found.append(part("ring", cloth(outer, tone, swell), cloth(inner, field, swell)))
    return [*found, part("emblem", cloth(_emblem(str(v["emblem shape"]), x, y, r), tone, swell))]


FLAG_OF_JAPAN = Concept(
    name="flag of Japan",
    phrase="a flag of Japan",
    plural="flags of Japan",
    domain="artifact",
    category=Category.EASTERN_MODERN,
    definition="The flag of Japan, the Hinomaru, is a white field with one plain red disc in its center. "
    "The disc is three fifths as tall as the flag.",
    draw=_flag_of_japan,
    tilt=2,
    mirror=False,
    facts=(
        Fact(
            "emblem colour",
            "color",
            "color",
            "What color is the emblem on the flag in the image?",
            {"red": "Red", "blue": "Blue", "black": "Black"},
            ("emblem",),
            ("Pink",),
        ),
        Fact(
            "field",
            "color",
            "color",
            "What color is the field behind the emblem in the image?",
            {"white": "White", "green": "Green", "yellow": "Yellow"},
            ("field",),
            ("Brown",),
        ),
        Fact(
            "emblem shape",
            "shape",
            "shape",
            "What shape is the emblem on the flag in the image?",
            {"disc": "A disc", "star": "A star", "square": "A square"},
            ("emblem",),
            ("A crescent",),
        ),
        Fact(
            "place",
            "relation",
            "details",
            "Where on the flag is the emblem in the image?",
            {"centre": "In the center", "pole": "Next to the pole", "corner": "In a far corner"},
            ("emblem",),
            ("Outside the flag",),
        ),
        Fact(
            "emblem size",
            "size",
            "shape",
            "How tall is the emblem compared with the flag in the image?",
            {"large": "More than half", "small": "About a quarter"},
            ("emblem",),
            ("Taller than the flag", "Exactly as tall"),
        ),
        Fact(
            "around",
            "existence",
            "details",
            "What surrounds the emblem on the field in the image?",
            {"nothing": "Nothing", "rays": "Rays", "ring": "A ring"},
            ("field",),
            ("Leaves",),
        ),
    ),
    variation=Variation(
        "a flag of Japan in the snow",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the flag in the image?",
            {"snow": "In the snow", "plain": "A plain background", "desert": "In a desert"},
            (),
            ("Under water",),
        ),
        base="plain",
    ),
)
