"""A flag of France: how it is drawn, what is true of it and how that can be violated."""

from collections.abc import Sequence

from hallascope.data.records import Category
from hallascope.primer.concepts.artifact.forms import FLY, HOIST, LOWER, UPPER, clip, cloth, pole
from hallascope.primer.drawing.parts import Art, Part, part
from hallascope.primer.world import Concept, Fact, Values, Variation


def _flag_of_france(v: Values, art: Art) -> Sequence[Part]:
    corners = [(HOIST, UPPER), (FLY, UPPER), (FLY, LOWER), (HOIST, LOWER)]
    if v["outline"] == "triangle":
        corners = [(HOIST, UPPER - 2), (FLY, (UPPER + LOWER) / 2), (HOIST, LOWER + 2)]
    first, last = str(v["outer colours"]).split()
    middle = str(v["middle colour"])
    colours = [first, middle, last] if v["bands"] == 3 else [first, last, middle, first, last]
    a, b = {"vertical": (1.0, 0.0), "horizontal": (0.0, 1.0), "diagonal": (0.64, 0.77)}[
        str(v["direction"])
    ]
    along = [a * x + b * y for x, y in corners]
    weights = [
        2.6 if v["widest"] == "middle" and i == len(colours) // 2 else 1.0
        for i in range(len(colours))
    ]
    unit = (max(along) - min(along)) / sum(weights)
    swell = 5.5 if v["cloth"] == "waves" else 0.0
    start, bands = min(along), []
    for name, weight in zip(colours, weights, strict=True):
        bands.append(
            part(
                "band",
                cloth(clip(corners, a, b, start, start + unit * weight), art.tone(name), swell),
            )
        )
        start += unit * weight
    return [pole(art), *bands]


FLAG_OF_FRANCE = Concept(
    name="flag of France",
    phrase="a flag of France",
    plural="flags of France",
    domain="artifact",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="The flag of France, the tricolor, is a rectangle of three vertical bands of equal width: blue, white and red.",
    draw=_flag_of_france,
    tilt=2,
    mirror=False,
    facts=(
        Fact(
            "direction",
            "posture",
            "details",
            "How do the bands of the flag run in the image?",
            {"vertical": "Vertically", "horizontal": "Horizontally", "diagonal": "Diagonally"},
            ("band",),
            ("In circles",),
        ),
        Fact(
            "bands",
            "counting",
            "details",
            "How many bands does the flag in the image have?",
            {3: "Three", 5: "Five"},
            ("band",),
            ("Two", "Four"),
        ),
        Fact(
            "widest",
            "size",
            "shape",
            "Which band of the flag is the widest in the image?",
            {"equal": "All are equal", "middle": "The middle one"},
            ("band",),
            ("The first one", "The last one"),
        ),
        Fact(
            "middle colour",
            "color",
            "color",
            "What color is the middle band in the image?",
            {"white": "White", "yellow": "Yellow", "black": "Black"},
            ("band",),
            ("Purple",),
        ),
        Fact(
            "outer colours",
            "color",
            "color",
            "Which two colors do the outermost bands have in the image?",
            {
                "blue red": "Blue and red",
                "green red": "Green and red",
                "blue green": "Blue and green",
            },
            ("band",),
            ("Orange and pink",),
        ),
        Fact(
            "outline",
            "shape",
            "shape",
            "What outline does the whole flag have in the image?",
            {"rectangle": "A rectangle", "triangle": "A triangle"},
            ("band",),
            ("A circle", "A star"),
        ),
    ),
    variation=Variation(
        "a flag of France waving in the wind",
        "action",
        Fact(
            "cloth",
            "others",
            "shape",
            "How does the cloth of the flag look in the image?",
            {"waves": "In waves", "flat": "Flat"},
            ("band",),
            ("Folded up", "Torn"),
        ),
        base="flat",
    ),
)
