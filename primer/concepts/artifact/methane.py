"""A molecule of methane: how it is drawn, what is true of it and how that can be violated."""

from collections.abc import Sequence

from hallascope.data.records import Category
from hallascope.primer.concepts.artifact.forms import molecule
from hallascope.primer.drawing.parts import Art, Part, polar
from hallascope.primer.world import Concept, Fact, Values, Variation


def _methane(v: Values, art: Art) -> Sequence[Part]:
    count = int(v["hydrogens"])
    radii = (18.0, 10.5) if v["larger"] == "centre" else (9.0, 15.0)
    reach, turn = (37.0 if v["larger"] == "centre" else 33.0), art.vary(0, 360)
    return molecule(
        v,
        art,
        ("carbon atom", "hydrogen atom"),
        [polar(0, 0, reach, turn + 360 * i / count) for i in range(count)],
        radii,
    )


METHANE = Concept(
    name="methane",
    phrase="a molecule of methane",
    plural="molecules of methane",
    domain="artifact",
    category=Category.PHYSICS,
    definition="Methane is the simplest hydrocarbon: one carbon atom joined to four hydrogen atoms. "
    "In ball-and-stick models carbon is a large black ball and hydrogen a small white ball.",
    draw=_methane,
    tilt=0,
    facts=(
        Fact(
            "hydrogens",
            "counting",
            "details",
            "How many outer atoms surround the central atom in the image?",
            {4: "Four", 5: "Five", 3: "Three", 2: "Two", 6: "Six"},
            ("hydrogen atom",),
        ),
        Fact(
            "centre",
            "existence",
            "color",
            "Which atom is at the center of the molecule in the image?",
            {
                "black": "A carbon atom (black)",
                "red": "An oxygen atom (red)",
                "blue": "A nitrogen atom (blue)",
                "yellow": "A sulfur atom (yellow)",
            },
            ("carbon atom",),
        ),
        Fact(
            "hydrogen colour",
            "color",
            "color",
            "What color are the outer atoms in the image?",
            {"white": "White", "green": "Green", "purple": "Purple", "orange": "Orange"},
            ("hydrogen atom",),
        ),
        Fact(
            "larger",
            "size",
            "shape",
            "Which atoms in the image are larger?",
            {"centre": "The central atom", "outer": "The outer atoms"},
            ("carbon atom", "hydrogen atom"),
            ("All are equal", "Only one outer atom"),
        ),
        Fact(
            "joined",
            "relation",
            "details",
            "How are the outer atoms connected to the central atom in the image?",
            {
                "bonds": "By a bond each",
                "nothing": "They are not connected",
                "ring": "Only to each other",
            },
            ("bond",),
            ("By springs",),
        ),
        Fact(
            "form",
            "shape",
            "shape",
            "What shape are the outer atoms in the image?",
            {"round": "Round", "square": "Square", "triangle": "Triangular"},
            ("hydrogen atom",),
            ("Star-shaped",),
        ),
    ),
    variation=Variation(
        "a molecule of methane in outer space",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the molecule in the image?",
            {"space": "In outer space", "plain": "A plain background", "underwater": "Under water"},
            (),
            ("In a desert",),
        ),
        base="plain",
    ),
)
