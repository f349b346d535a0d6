"""A molecule of water: how it is drawn, what is true of it and how that can be violated."""

from collections.abc import Sequence

from hallascope.data.records import Category
from hallascope.primer.concepts.artifact.forms import molecule
from hallascope.primer.drawing.parts import Art, Part, polar
from hallascope.primer.world import Concept, Fact, Values, Variation

WATER_ANGLES: dict[tuple[str, int], tuple[float, ...]] = {
    ("bent", 2): (-52, 52),
    ("bent", 3): (-62, 0, 62),
    ("bent", 4): (-90, -30, 30, 90),
    ("straight", 2): (0, 180),
    ("straight", 3): (0, 149, 211),
    ("straight", 4): (-31, 31, 149, 211),
}


def _water(v: Values, art: Art) -> Sequence[Part]:
    radii = (20.0, 11.0) if v["larger"] == "centre" else (9.0, 15.5)
    reach, turn = (
        (38.0 if v["larger"] == "centre" else 33.5),
        art.pick((90, 90, -90)) + art.vary(-20, 20),
    )
    ends = [
        polar(0, 0, reach, turn + a)
        for a in WATER_ANGLES[str(v["arrangement"]), int(v["hydrogens"])]
    ]
    dx, dy = polar(0, 0, 10 if v["arrangement"] == "bent" else 0, turn + 180)
    if max(abs(x + dx) for x, _ in ends) + radii[1] > 49:
        dx = 0.0
    return [
        p.moved(f"translate({dx:.2f} {dy:.2f})")
        for p in molecule(v, art, ("oxygen atom", "hydrogen atom"), ends, radii)
    ]


WATER = Concept(
    name="water molecule",
    phrase="a molecule of water",
    plural="molecules of water",
    domain="artifact",
    category=Category.PHYSICS,
    definition="A water molecule is one oxygen atom joined to two hydrogen atoms, bent to one side at about 104.5 degrees. "
    "In ball-and-stick models oxygen is a large red ball and hydrogen a small white ball.",
    draw=_water,
    tilt=0,
    facts=(
        Fact(
            "hydrogens",
            "counting",
            "details",
            "How many outer atoms does the central atom have in the image?",
            {2: "Two", 3: "Three", 4: "Four"},
            ("hydrogen atom",),
            ("One",),
        ),
        Fact(
            "arrangement",
            "posture",
            "shape",
            "How are the outer atoms arranged around the central atom in the image?",
            {"bent": "Bent to one side", "straight": "On opposite sides"},
            ("hydrogen atom",),
            ("One behind the other", "In a ring"),
        ),
        Fact(
            "centre",
            "existence",
            "color",
            "Which atom do the outer atoms belong to in the image?",
            {
                "red": "An oxygen atom (red)",
                "black": "A carbon atom (black)",
                "blue": "A nitrogen atom (blue)",
                "yellow": "A sulfur atom (yellow)",
            },
            ("oxygen atom",),
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
            "Which atoms of the molecule in the image are larger?",
            {"centre": "The central atom", "outer": "The outer atoms"},
            ("oxygen atom", "hydrogen atom"),
            ("All are equal", "Only one outer atom"),
        ),
        Fact(
            "joined",
            "relation",
            "details",
            "What connects the outer atoms with the central atom in the image?",
            {"bonds": "Straight bonds", "nothing": "Nothing", "springs": "Springs"},
            ("bond",),
            ("A ring",),
        ),
    ),
    variation=Variation(
        "a molecule of water in the snow",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the molecule in the image?",
            {"snow": "In the snow", "plain": "A plain background", "desert": "In a desert"},
            (),
            ("In a room",),
        ),
        base="plain",
    ),
)
