"""The Big Dipper: how it is drawn, what is true of it and how that can be violated."""

from collections.abc import Sequence

from hallascope.data.records import Category
from hallascope.primer.concepts.celestial.forms import blend, rounded
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    circle,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
    star,
)
from hallascope.primer.world import Concept, Fact, Values, Variation

BOWLS: dict[str, tuple[Point, ...]] = {
    "four": ((9, 2), (12, 25), (34, 28), (42, -3)),
    "three": ((8, 1), (24, 31), (42, -3)),
    "five": ((8, 0), (6, 21), (23, 33), (41, 20), (41, -4)),
}


def _handle(start: Point, count: int, bend: str, lower: float) -> list[Point]:
    """The stars of the handle from the bowl outwards."""
    span = {3: 17.0, 4: 13.6, 5: 11.2}[count] * (1.15 if bend == "zigzag" else 1.0)
    x, y = start
    found = []
    for i in range(count):
        turn = {
            "bent": 214 - 50 * i / (count - 1),
            "straight": 196.0,
            "zigzag": 196 + (44 if i % 2 == 0 else -44),
        }[bend]
        x, y = polar(x, y, span, turn - lower)
        found.append((x, y))
    return found


def _joined(stars: Sequence[Point], closed: bool = False) -> list[Shape]:
    ends = [*stars, stars[0]] if closed else list(stars)
    return [line(ends, "#39436f", 3.0), line(ends, "#aebbe8", 1.6)]


def _bright_star(x: float, y: float, r: float, tone: str) -> list[Shape]:
    halos = [circle(x, y, r * k, "#fff3c4", stroke=None, opacity=0.11) for k in (1.5, 1.28, 1.06)]
    return [
        *halos,
        polygon(
            rounded(
                [polar(x, y, r * (1 if i % 2 == 0 else 0.5), -90 + 36 * i) for i in range(10)], 1
            ),
            tone,
            width=1.0,
        ),
    ]


def _big_dipper(v: Values, art: Art) -> Sequence[Part]:
    bowl = BOWLS[str(v["bowl"])]
    start = bowl[0] if v["joint"] == "rim" else bowl[1]
    lift = -2.0 if v["joint"] == "rim" else -8.0
    size = {3: 7.4, 4: 6.8, 5: 5.8}[int(v["handle"])]
    handle = _handle(start, int(v["handle"]), str(v["bend"]), 0 if v["joint"] == "rim" else 22)
    tone = shade(art.tone("white"), 0.1) if v["colour"] == "white" else art.tone(str(v["colour"]))
    parts = [part("handle", _joined([start, *handle])), part("bowl", _joined(bowl, closed=True))]
    parts += [part("bowl star", _bright_star(x, y, size, tone)) for x, y in bowl]
    parts += [part("handle star", _bright_star(x, y, size, tone)) for x, y in handle]
    placed = [p.moved(f"translate(1.5 {lift}) scale(0.91)") for p in parts]
    if v["visitor"] == "meteor":
        glare = blend(art.tone("yellow"), art.tone("white"), 0.4)
        trail = path(
            "M-24,-45 Q2,-44 26,-32 L23,-26 Q2,-39 -24,-45 Z", glare, stroke="#39436f", width=1.0
        )
        placed.append(
            part(
                "shooting star",
                trail,
                star(28, -27.5, 9, 5, 0.5, turn=-70, fill=art.tone("yellow")),
            )
        )
    return placed


BIG_DIPPER = Concept(
    name="Big Dipper",
    phrase="the Big Dipper",
    plural="star groups like the Big Dipper",
    domain="celestial",
    category=Category.PHYSICS,
    definition=(
        "The Big Dipper is a group of seven white stars in the night sky: four form a bowl and three a bent handle that begins at its rim."
    ),
    draw=_big_dipper,
    scene="night",
    tilt=4,
    mirror=False,
    facts=(
        Fact(
            "handle",
            "counting",
            "details",
            "How many stars does the handle have beyond the bowl in the image?",
            {3: "Three", 4: "Four", 5: "Five"},
            ("handle star",),
            ("Two",),
        ),
        Fact(
            "bowl",
            "shape",
            "shape",
            "What shape do the stars of the bowl form in the image?",
            {"four": "Four-cornered", "three": "Three-cornered", "five": "Five-cornered"},
            ("bowl", "bowl star"),
            ("Round",),
        ),
        Fact(
            "joint",
            "relation",
            "details",
            "Where does the handle meet the bowl of stars in the image?",
            {"rim": "At its rim", "bottom": "At its bottom"},
            ("handle", "bowl"),
            ("In its center", "Nowhere"),
        ),
        Fact(
            "bend",
            "posture",
            "shape",
            "How does the handle of stars run in the image?",
            {"bent": "In a gentle bend", "straight": "Straight", "zigzag": "In a zigzag"},
            ("handle", "handle star"),
            ("In a full circle",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color are the stars of the group in the image?",
            {"white": "White", "red": "Red", "green": "Green", "purple": "Purple"},
            ("bowl star", "handle star"),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the group of stars in the image?",
            {
                "night": "At night",
                "underwater": "Under water",
                "room": "In a room",
                "desert": "In a desert",
            },
            (),
        ),
    ),
    variation=Variation(
        "the Big Dipper with a shooting star above it",
        "attribute",
        Fact(
            "visitor",
            "existence",
            "details",
            "What passes above the bowl of stars in the image?",
            {"meteor": "A shooting star", "none": "Nothing"},
            ("shooting star",),
            ("A bird", "An airplane"),
        ),
        base="none",
    ),
)
