"""Primer concepts of the domain plant."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from data.primer.drawing import INK, Art, Part, Point, Shape, circle, ellipse, glow, line, part, path, polar, polygon, rect, shade
from data.primer.world import Concept, Fact, Values, Variation
from data.records import Category

# Right sides of leaf and petal forms that grow from (0, 0) up to about (0, -1), half as wide as 1: a start and cubic triples.
FORMS: dict[str, tuple[Point, ...]] = {
    "pointed": ((0, 0), (1.05, -0.15), (1.25, -0.62), (0, -1)),
    "round": ((0, 0), (1.33, 0), (1.33, -1), (0, -1)),
    "square": ((0, 0), (0.3, 0), (0.7, 0), (1, 0), (1, -0.3), (1, -0.7), (1, -1), (0.7, -1), (0.3, -1), (0, -1)),
    "notched": ((0, 0), (0.45, -0.12), (1.1, -0.38), (1.08, -0.7), (1.05, -1.06), (0.3, -1.1), (0, -0.82)),
    "heart": ((0, 0), (0.3, 0.14), (1.15, 0.12), (1.05, -0.3), (0.95, -0.6), (0.35, -0.78), (0, -1)),
}


def _at(x: float, y: float, turn: float = 0.0) -> str:
    return f"translate({x:.2f} {y:.2f}) rotate({turn:.2f})"


def _cubic(points: Sequence[Point]) -> str:
    return " ".join("C" + " ".join(f"{x:.2f},{y:.2f}" for x, y in points[i : i + 3]) for i in range(0, len(points), 3))


def _form(kind: str, length: float, width: float, fill: str, vein: bool = True, shadow: float = -0.14) -> list[Shape]:
    """A leaf or petal that grows upwards from the origin; `width` is half its breadth."""
    side = [(x * width, y * length) for x, y in FORMS[kind]]
    back = [(-x, y) for x, y in reversed(side[:-1])]
    right = f"M0,0 {_cubic(side[1:])}"
    shapes = [path(f"{right} {_cubic(back)} Z", fill), path(f"{right} Z", shade(fill, shadow), stroke=None)]
    if vein:
        shapes.append(line([(0, 0), (0, -0.78 * length)], shade(fill, -0.38), 0.9))
    return [*shapes, path(f"{right} {_cubic(back)} Z", None)]


def _shadow(d: str, tone: str) -> Shape:
    return path(d, shade(tone, -0.14), stroke=None)


def _stem(d: str, tone: str, width: float) -> list[Shape]:
    """A stalk along a curve: ink edge, colour and a light stripe."""
    return [
        path(d, None, stroke=INK, width=width + 2.2),
        path(d, None, stroke=tone, width=width),
        path(d, None, stroke=shade(tone, 0.22), width=width * 0.3),
    ]


def _sunflower(v: Values, art: Art) -> Sequence[Part]:
    green, gold, heart = art.tone("green"), art.tone(str(v["petal colour"])), art.tone(str(v["disc colour"]))
    drooping = v["bearing"] == "drooping"
    radius = 13.5 if v["disc"] == "half" else 6.5
    x, y = (17.5, -1.0) if drooping else (0.0, -19.0)
    stem = "M-4,49 C-6,14 -22,4 -20,-18 C-18,-44 14,-50 17.5,-12" if drooping else "M0,49 C3,34 -3,20 0,-10"
    parts = [part("stem", _stem(stem, green, 4.6))]
    nodes = ((-6.5, 28.0, -1), (-8.5, 20.0, 1)) if drooping else ((1.2, 38.0, -1), (1.2, 28.0, 1))
    for px, py, side in nodes:
        if v["along stem"] == "leaves":
            parts.append(part("leaf", _form("heart", 25, 11, green)).moved(_at(px, py, side * (118 if drooping else 62))))
        elif v["along stem"] == "thorns":
            thorns = [polygon([(0, dy - 3), (side * 11, dy - 3), (0, dy + 4)], shade(green, -0.2)) for dy in (-4, 8)]
            parts.append(part("thorn", thorns).moved(_at(px, py)))
    kind, width = {"pointed": ("pointed", 4.6), "round": ("round", 5.2), "square": ("square", 4.0)}[str(v["petals"])]
    start = radius * 0.7
    spread = {"around": range(360), "above": range(-89, 90), "below": range(91, 270)}[str(v["petal place"])]
    for ring, tone, reach in ((0, shade(gold, -0.16), 29.0), (1, gold, 27.0)):
        count = 14
        for i in range(count):
            turn = (i + ring / 2) * 360 / count
            if any(round(turn + full) in spread for full in (0, -360)):
                cx, cy = polar(x, y, start, turn - 90)
                parts.append(part("petal", _form(kind, reach - start, width, tone, vein=False, shadow=-0.1)).moved(_at(cx, cy, turn)))
    seeds = [(radius * 0.86 * math.sqrt(k / 60), k * 137.508) for k in range(3, 60)]
    dots = [circle(*polar(x, y, r, a), 0.8, shade(heart, -0.45), stroke=None) for r, a in seeds]
    core = circle(x, y, radius * 0.5, shade(heart, -0.25), stroke=None)
    return [*parts, part("disc", circle(x, y, radius, heart), [core, *dots] if radius > 9 else [])]


SUNFLOWER = Concept(
    name="sunflower",
    phrase="a sunflower",
    plural="sunflowers",
    domain="plant",
    category=Category.BIOLOGY,
    definition=(
        "The sunflower is a tall plant with broad green leaves along its stem. "
        "Its head has a wide brown disc of seeds with pointed yellow petals all around it."
    ),
    draw=_sunflower,
    scene="day",
    facts=(
        Fact(
            "petal colour",
            "color",
            "color",
            "What color are the petals of the flower in the image?",
            {"yellow": "Yellow", "blue": "Blue", "white": "White", "pink": "Pink"},
            ("petal",),
        ),
        Fact(
            "disc colour",
            "color",
            "color",
            "What color is the disc in the middle of the flower in the image?",
            {"brown": "Brown", "white": "White", "light blue": "Light blue", "red": "Red"},
            ("disc",),
        ),
        Fact(
            "disc",
            "size",
            "shape",
            "How wide is the disc of the flower compared to the whole flower head in the image?",
            {"half": "About half as wide", "tiny": "A tiny dot"},
            ("disc",),
            ("Wider than the petals", "Exactly as wide"),
        ),
        Fact(
            "petals",
            "shape",
            "shape",
            "What shape are the petals of the flower in the image?",
            {"pointed": "Pointed", "round": "Round", "square": "Square"},
            ("petal",),
            ("Star-shaped",),
        ),
        Fact(
            "petal place",
            "relation",
            "details",
            "Where do the petals sit relative to the disc in the image?",
            {"around": "All around it", "above": "Only above it", "below": "Only below it"},
            ("petal", "disc"),
            ("Inside it",),
        ),
        Fact(
            "along stem",
            "existence",
            "details",
            "What grows along the stem of the flower in the image?",
            {"leaves": "Green leaves", "thorns": "Thorns", "nothing": "Nothing"},
            ("leaf", "stem"),
            ("Berries",),
        ),
    ),
    variation=Variation(
        "a drooping sunflower",
        "action",
        Fact(
            "bearing",
            "posture",
            "shape",
            "How is the head of the flower held in the image?",
            {"drooping": "Drooping", "upright": "Upright"},
            ("stem",),
            ("Lying on the ground", "Floating in the air"),
        ),
        base="upright",
    ),
)


def _arm_line(side: int, base: float, reach: float, bend: str, offset: float, tip: float) -> str:
    """The run of a cactus arm from the trunk, moved `offset` to its outer side."""
    r = 8.0
    if bend == "sideways":
        return f"M0,{base + offset:.2f} H{side * (reach + tip - 16):.2f}"
    way = 1 if bend == "up" else -1
    sweep = 0 if (side > 0) == (bend == "up") else 1
    corner = f"A{r + offset:.2f},{r + offset:.2f} 0 0,{sweep} {side * (reach + offset):.2f},{base - way * r:.2f}"
    return f"M0,{base + way * offset:.2f} H{side * (reach - r):.2f} {corner} V{base - way * (r + tip):.2f}"


def _growth(kind: str, green: str, x: float, y: float, turn: float) -> Part:
    if kind == "leaves":
        return part("leaf", _form("pointed", 11, 3.8, shade(green, 0.12))).moved(_at(x, y, turn))
    hairs = [line([(0, 1), (dx, -4.6)], INK, 1.1) for dx in (-2.4, 0, 2.4)]
    return part("spines", hairs).moved(_at(x, y, turn))


def _saguaro(v: Values, art: Art) -> Sequence[Part]:
    green = art.tone(str(v["colour"]))
    trunk, arm = (19.0, 10.0) if v["thicker"] == "trunk" else (9.0, 17.0)
    bend, skin = str(v["arms"]), str(v["skin"])
    sides = ((-1, 16.0, 30.0), (1, 5.0, 30.0))
    tip = {"up": 22.0, "down": 16.0, "sideways": 17.0}[bend]
    dark = shade(green, -0.42)
    parts = []
    ends: list[tuple[float, float, float]] = [(0.0, -40.0, 0.0)]
    growth: list[tuple[float, float, float]] = []
    for side, low, reach in sides:
        base = low if bend != "down" else low - 16
        run = _arm_line(side, base, reach, bend, 0, tip)
        body = [path(run, None, stroke=INK, width=arm + 2.4), path(run, None, stroke=green, width=arm)]
        body.append(path(_arm_line(side, base, reach, bend, arm * 0.3, tip), None, stroke=shade(green, -0.12), width=arm * 0.34))
        parts.append(part("arm", body))
        across: list[tuple[Point, Point]] = []
        if bend == "sideways":
            ends.append((side * (reach + tip - 16 + arm / 2), base, side * 90.0))
            across = [((side * px, base - arm / 2), (side * px, base + arm / 2)) for px in (16, 22, 28)]
            growth += [(side * px, base + s * arm / 2, 0 if s < 0 else 180) for px in (18, 28) for s in (-1, 1)]
        else:
            way = -1 if bend == "up" else 1
            ends.append((side * reach, base + way * (8 + tip + arm / 2), 0.0 if bend == "up" else 180.0))
            rows = [base + way * (8 + q) for q in (1, 9, 17)]
            across = [((side * reach - arm / 2, py), (side * reach + arm / 2, py)) for py in rows]
            growth += [(side * (reach + s * arm / 2), py, side * s * 90) for py in rows[:2] for s in (-1, 1)]
            growth.append((side * (reach - 9), base - way * arm / 2, 180 if bend == "up" else 0))
        if v["pattern"] == "ribs":
            lines = [_arm_line(side, base, reach, bend, o * arm, tip) for o in (-0.22, 0.22)]
            parts.append(part("ribs", [path(d, None, stroke=dark, width=1.3) for d in lines]))
        elif v["pattern"] == "rings":
            parts.append(part("rings", [line(pair, dark, 1.6) for pair in across]))
        else:
            parts.append(part("spots", [circle((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 2.2, dark, stroke=None) for a, b in across]))
    half = trunk / 2
    shadow = rect(half * 0.3, -36, half * 0.6, 80, shade(green, -0.12), half * 0.3, stroke=None)
    parts.append(part("trunk", rect(-half, -40, trunk, 87, green, r=half), shadow))
    if v["pattern"] == "ribs":
        ribs = [(o * trunk, abs(o) * trunk * 0.45 - 40) for o in (-0.3, -0.1, 0.1, 0.3)]
        parts.append(part("ribs", [line([(x, y), (x, 44)], dark, 1.3) for x, y in ribs]))
    elif v["pattern"] == "rings":
        parts.append(part("rings", [line([(-half, py), (half, py)], dark, 1.6) for py in range(-30, 44, 8)]))
    else:
        parts.append(part("spots", [circle(o * trunk, py, 2.2, dark, stroke=None) for py in range(-30, 44, 12) for o in (-0.22, 0.22)]))
    growth += [(s * half, py, s * 90) for py in (-28, -16, -4, 30, 40) for s in (-1, 1)]
    if skin != "nothing":
        parts += [_growth(skin, green, *place) for place in growth]
    for x, y, turn in ends:
        if v["tips"] == "flowers":
            petals = [shape for a in (-60, -30, 0, 30, 60) for shape in [ellipse(*polar(0, 0, 5.4, a - 90), 2.6, 2.6, art.tone("white"))]]
            parts.append(part("flower", petals, circle(0, -2, 3, art.tone("yellow"))).moved(_at(x, y, turn)))
        elif v["tips"] == "fruit":
            parts.append(part("fruit", ellipse(0, -3.4, 4, 5, art.tone("red"))).moved(_at(x, y, turn)))
    stones = [ellipse(-9, 47, 6, 3, shade(art.tone("grey"), 0.3)), ellipse(8, 47.4, 7.5, 2.6, shade(art.tone("grey"), 0.15))]
    return [*parts, part("stones", stones)]


SAGUARO = Concept(
    name="saguaro cactus",
    phrase="a saguaro cactus",
    plural="saguaro cacti",
    domain="plant",
    category=Category.BIOLOGY,
    definition=(
        "The saguaro is a tree-like cactus of the desert with a thick, ribbed green trunk covered in spines. Its thinner arms bend upwards."
    ),
    draw=_saguaro,
    scene="desert",
    tilt=2,
    facts=(
        Fact(
            "scene",
            "scene",
            "details",
            "Where does the plant stand in the image?",
            {"desert": "In a desert", "snow": "In the snow", "underwater": "Under water", "sea": "On the open sea"},
            (),
        ),
        Fact(
            "arms",
            "posture",
            "shape",
            "Which way do the arms of the plant point in the image?",
            {"up": "Upwards", "down": "Downwards", "sideways": "Straight sideways"},
            ("arm",),
            ("Towards each other",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color are the trunk and arms of the plant in the image?",
            {"green": "Green", "blue": "Blue", "red": "Red", "purple": "Purple"},
            ("trunk", "arm"),
        ),
        Fact(
            "skin",
            "existence",
            "details",
            "What grows out of the skin of the plant in the image?",
            {"spines": "Spines", "leaves": "Leaves", "nothing": "Nothing"},
            ("spines",),
            ("Feathers",),
        ),
        Fact(
            "pattern",
            "others",
            "texture",
            "What pattern does the skin of the plant have in the image?",
            {"ribs": "Ribs along it", "rings": "Rings across it", "spots": "Round spots"},
            ("ribs",),
            ("A checkerboard",),
        ),
        Fact(
            "thicker",
            "size",
            "shape",
            "Which part of the plant is thicker in the image?",
            {"trunk": "The trunk", "arms": "The arms"},
            ("trunk", "arm"),
            ("Both are equally thick", "The roots"),
        ),
    ),
    variation=Variation(
        "a saguaro cactus with white flowers",
        "attribute",
        Fact(
            "tips",
            "existence",
            "details",
            "What is at the tips of the trunk and the arms in the image?",
            {"flowers": "White flowers", "none": "Nothing", "fruit": "Red fruits"},
            ("flower",),
            ("Green leaves",),
        ),
        base="none",
    ),
)


def _mark(kind: str, length: float, width: float, pale: str) -> list[Shape]:
    """The mark on one clover leaflet."""
    if kind == "stripes":
        return [line([(dx * width, -0.36 * length), (dx * width, -0.68 * length)], pale, 2.6) for dx in (-0.44, 0, 0.44)]
    if kind == "spot":
        return [circle(0, -0.55 * length, 0.4 * width, pale, stroke=None)]
    return [line([(-0.72 * width, -0.48 * length), (0, -0.7 * length), (0.72 * width, -0.48 * length)], pale, 3.4)]


def _guest(kind: str, art: Art) -> list[Part]:
    """The small animal that may sit on a clover's stalk."""
    x, y = 3.0, 32.0
    if kind == "ladybug":
        spots = [circle(x + dx, y + dy, 1.3, INK, stroke=None) for dx, dy in ((-3, -1), (3, -1), (-2.6, 4), (2.6, 4))]
        wings = [ellipse(x, y + 1, 7, 7.6, art.tone("red")), line([(x, y - 5), (x, y + 8)], INK, 1.1)]
        return [part("ladybug", circle(x, y - 7, 3.8, art.tone("black")), wings, spots, glow(x - 3, y - 2.6, 1.6))]
    if kind == "snail":
        body = path(f"M{x - 10},{y + 8} q0,-4 6,-4 h10 q2,-8 6,-6 q2,2 0,8 q-1,3 -5,3 h-15 Z", art.tone("beige"))
        curl = path(f"M{x},{y} m4,1 a4,4 0 1,0 -4,4 a2.4,2.4 0 0,0 1,-4", None, width=1.2)
        return [part("snail", body, circle(x - 1, y - 1, 7.5, art.tone("brown")), curl)]
    return []


def _clover(v: Values, art: Art) -> Sequence[Part]:
    count, kind, tone = int(v["leaflets"]), str(v["form"]), art.tone(str(v["colour"]))
    stalk = shade(art.tone("green"), 0.1)
    ratio = {"notched": 1.0, "pointed": 0.86, "square": 0.8}[kind]
    places: list[tuple[float, float, float]] = []
    if v["joined"] == "point":
        first = 0.0 if count % 2 else 180 / count
        gap = 9.0 if kind == "square" else 3.5
        places = [(*polar(0, -9, gap, first + 360 * i / count - 90), first + 360 * i / count) for i in range(count)]
        length, width = 36 - gap, {3: 17.0, 4: 13.4, 5: 10.8, 6: 9.2}[count]
        run = "M0,-9 C-1,12 -2,28 6,49"
    else:
        length, width = (24.0, 10.4) if count == 6 else (28.0, 12.0)
        rows = {3: [8.0], 4: [14.0, -14.0], 5: [20.0, -6.0], 6: [20.0, -3.0, -26.0]}[count]
        places = [(side * 1.5, y, side * 66.0) for y in rows for side in (-1, 1)]
        top = rows[-1] - (15 if count % 2 else -4)
        if count % 2:
            places.append((0.0, top, 0.0))
        run = f"M0,{top} C0,12 -1,30 6,49"
    twigs = [f"M0,-9 L{x:.1f},{y:.1f}" for x, y, _ in places] if v["joined"] == "point" else []
    parts = [part("stalk", [shape for d in (*twigs, run) for shape in _stem(d, stalk, 2.4)])]
    pale = shade(tone, 0.62)
    for x, y, turn in places:
        shapes = [*_form(kind, length, width * ratio, tone, shadow=-0.1), *_mark(str(v["mark"]), length, width * ratio, pale)]
        parts.append(part("leaflet", shapes).moved(_at(x, y, turn)))
    return [*parts, *_guest(str(v["guest"]), art)]


CLOVER = Concept(
    name="white clover leaf",
    phrase="a clover leaf",
    plural="clover leaves",
    domain="plant",
    category=Category.BIOLOGY,
    definition=(
        "A white clover leaf has three heart-shaped green leaflets that meet at the tip of the stalk, each with a pale V-shaped mark. "
        "It grows in meadows."
    ),
    draw=_clover,
    scene="meadow",
    facts=(
        Fact(
            "leaflets",
            "counting",
            "details",
            "How many leaflets does the leaf have in the image?",
            {3: "Three", 4: "Four", 5: "Five", 6: "Six"},
            ("leaflet",),
        ),
        Fact(
            "form",
            "shape",
            "shape",
            "What shape are the leaflets in the image?",
            {"notched": "Heart-shaped", "pointed": "Pointed ovals", "square": "Square"},
            ("leaflet",),
            ("Star-shaped",),
        ),
        Fact(
            "mark",
            "others",
            "texture",
            "What pale mark do the leaflets carry in the image?",
            {"chevron": "A V-shaped band", "stripes": "Three stripes", "spot": "A round spot"},
            ("leaflet",),
            ("A checkerboard",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color are the leaflets in the image?",
            {"green": "Green", "purple": "Purple", "red": "Red", "blue": "Blue"},
            ("leaflet",),
        ),
        Fact(
            "joined",
            "relation",
            "details",
            "Where are the leaflets joined to the stalk in the image?",
            {"point": "All at one point", "row": "In pairs along it"},
            ("leaflet", "stalk"),
            ("They do not touch it", "All at its foot"),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where does the leaf grow in the image?",
            {"meadow": "In a meadow", "desert": "In a desert", "snow": "In the snow", "space": "In outer space"},
            (),
        ),
    ),
    variation=Variation(
        "a clover leaf with a ladybug on its stalk",
        "attribute",
        Fact(
            "guest",
            "existence",
            "details",
            "What sits on the stalk of the leaf in the image?",
            {"ladybug": "A ladybug", "none": "Nothing", "snail": "A snail"},
            ("ladybug",),
            ("A butterfly",),
        ),
        base="none",
    ),
)


def _bloom(kind: str, tone: str, gold: str) -> list[Shape]:
    """A flower 30 high that grows upwards from the origin."""
    if kind == "star":
        petals = [polygon([polar(0, -15, 7, a - 30), polar(0, -15, 18, a), polar(0, -15, 7, a + 30)], tone) for a in range(-90, 270, 60)]
        return [*petals, circle(0, -15, 5, gold)]
    if kind == "ball":
        scales = [
            path(f"M{x - 4:.1f},{y} q4,5 8,0", None, stroke=shade(tone, -0.35), width=1)
            for x, y in ((-5, -23), (5, -23), (-9, -16), (0, -16), (9, -16), (-5, -9), (5, -9))
        ]
        return [circle(0, -15, 15, tone), _shadow("M8,-27.5 A15,15 0 0,1 -6,-1.4 A18,18 0 0,0 8,-27.5 Z", tone), *scales]
    dark = shade(tone, -0.24)
    behind = [path(f"M{s * 2},-4 C{s * 14},-14 {s * 10},-26 {s * 5},-30 C{-s},-26 {-s * 4},-14 {s * 2},-4 Z", dark) for s in (-1, 1)]
    left = path("M0,0 C-15,0 -19,-14 -13.5,-30 C-7,-26 -2,-17 0,0 Z", tone)
    right = path("M0,0 C15,0 19,-14 13.5,-30 C7,-26 2,-17 0,0 Z", shade(tone, -0.1))
    front = path("M0,0 C-12,-3 -11,-18 0,-27 C11,-18 12,-3 0,0 Z", shade(tone, 0.1))
    sheen = path("M-3.4,-5 C-6,-10 -5,-16 -1.5,-20", None, stroke=shade(tone, 0.45), width=1.3)
    return [*behind, left, right, front, sheen]


def _root(kind: str, art: Art) -> Part:
    threads = [line([(dx * 0.4, 42), (dx, 46), (dx * 1.15, 49.5)], shade(art.tone("beige"), -0.35), 1.3) for dx in (-6, -2, 2, 6)]
    brown = art.tone("brown")
    if kind == "bulb":
        coat = path("M0,27 C3,31 11,33 11,39 C11,45 5,47 0,47 C-5,47 -11,45 -11,39 C-11,33 -3,31 0,27 Z", brown)
        rims = [path(f"M0,29 C{s * 5},35 {s * 5},42 {s * 2},46", None, stroke=shade(brown, -0.35), width=1) for s in (-1, 1)]
        return part("bulb", threads, coat, _shadow("M2,30 C6,33 11,34 11,39 C11,45 6,47 2,47 C8,42 7,36 2,30 Z", brown), rims)
    if kind == "carrot":
        orange = art.tone("orange")
        marks = [line([(x, y), (x + 5, y)], shade(orange, -0.35), 1) for x, y in ((-7, 33), (0, 37), (-3, 42))]
        return part("carrot", path("M-9,29 C-6,26 6,26 9,29 C9,38 4,46 0,50 C-4,46 -9,38 -9,29 Z", orange), marks)
    hairs = [path(f"M0,28 Q{x * 0.3:.1f},{40 - abs(x) * 0.3:.1f} {x},48", None, stroke=brown, width=1.8) for x in (-20, -12, -4, 4, 12, 20)]
    return part("roots", hairs)


def _tulip(v: Values, art: Art) -> Sequence[Part]:
    green, tone = art.tone("green"), art.tone(str(v["flower colour"]))
    count, kind = int(v["flowers"]), str(v["leaves"])
    scale = {1: 1.16, 2: 0.84, 3: 0.68}[count]
    fork = 30.0 if count == 1 else 4.0
    blooms: list[tuple[str, str]] = []
    if v["bearing"] == "upright":
        spots = {1: ((0, -15),), 2: ((-18, -20), (18, -20)), 3: ((-24, -12), (0, -28), (24, -12))}[count]
        for x, y in spots:
            blooms.append((f"M0,{fork} C0,{fork - 14} {x},{y + 14} {x},{y}", _at(x, y + 1, x * 0.4)))
    else:
        hooks = {1: ((0, 19, -40),), 2: ((-8, -25, -38), (8, 25, -38)), 3: ((-14, -31, -24), (0, 10, -42), (22, 37, -24))}[count]
        for x, end, y in hooks:
            run = f"M0,{fork} C0,{fork - 12} {x},{y + 20} {x},{y + 3} C{x},{y - 9} {end},{y - 9} {end},{y + 4}"
            blooms.append((run, _at(end, y + 3, 180)))
    parts = [_root(str(v["below"]), art)]
    base = v["leaf place"] == "base"
    for side in (-1, 1):
        lean, height = (25.0, 29.0) if base else (66.0, 1.0)
        if kind == "long":
            drawn = _form("pointed", 50 if base else 42, 7.4, shade(green, 0.06 * side))
        else:
            drawn = _form("round", 21, 10.5, shade(green, 0.06 * side)) if kind == "round" else _form("heart", 22, 12, green)
            lean, height = 62.0, (24.0 if base else 1.0)
        parts.append(part("leaf", drawn).moved(_at(side * 0.5, height, side * lean)))
    stems = [f"M0,29 V{fork}"] if count > 1 else []
    parts.append(part("stem", [shape for d in [*stems, *(b[0] for b in blooms)] for shape in _stem(d, shade(green, 0.08), 3.2)]))
    for _, place in blooms:
        parts.append(part("flower", _bloom(str(v["flower"]), tone, art.tone("gold"))).moved(f"{place} scale({scale})"))
    return parts


TULIP = Concept(
    name="tulip",
    phrase="a tulip",
    plural="tulips",
    domain="plant",
    category=Category.BIOLOGY,
    definition=(
        "The tulip grows from a bulb and carries a single, upright, cup-shaped flower on its stem. "
        "Its leaves are long and pointed and rise from the base of the stem."
    ),
    draw=_tulip,
    facts=(
        Fact(
            "flower",
            "shape",
            "shape",
            "What shape does a blossom of the plant have in the image?",
            {"cup": "A cup", "star": "A flat star", "ball": "A ball"},
            ("flower",),
            ("A heart",),
        ),
        Fact(
            "leaves",
            "shape",
            "shape",
            "What do the leaves of the plant look like in the image?",
            {"long": "Long and pointed", "round": "Round", "heart": "Heart-shaped"},
            ("leaf",),
            ("Split into fingers",),
        ),
        Fact(
            "leaf place",
            "relation",
            "details",
            "Where on the stem of the plant do the leaves grow in the image?",
            {"base": "At its foot", "top": "Halfway up"},
            ("leaf", "stem"),
            ("On the petals", "Under the roots"),
        ),
        Fact(
            "flowers",
            "counting",
            "details",
            "How many flowers grow on the stem in the image?",
            {1: "One", 2: "Two", 3: "Three"},
            ("flower",),
            ("Six",),
        ),
        Fact(
            "bearing",
            "posture",
            "shape",
            "How does the stem hold its blossom in the image?",
            {"upright": "Upright", "hanging": "Hanging down"},
            ("flower", "stem"),
            ("Lying flat", "Pointing sideways"),
        ),
        Fact(
            "below",
            "existence",
            "details",
            "What is at the bottom of the plant in the image?",
            {"bulb": "A brown bulb", "roots": "Long thin roots", "carrot": "A carrot"},
            ("bulb",),
            ("A flower pot",),
        ),
    ),
    variation=Variation(
        "a purple tulip",
        "attribute",
        Fact(
            "flower colour",
            "color",
            "color",
            "What color is the flower in the image?",
            {"purple": "Purple", "red": "Red", "light blue": "Light blue", "yellow": "Yellow"},
            ("flower",),
        ),
        base="red",
    ),
)


def _bamboo(v: Values, art: Art) -> Sequence[Part]:
    tone, leafy = art.tone(str(v["colour"])), art.tone("green")
    stalk = shade(tone, 0.16)
    half = 10.5
    ys = [44.0, 27.0, 5.0, -17.0, -40.0]
    xs = {"straight": [0.0] * 5, "zigzag": [-7.0, 8.0, -8.0, 8.0, -7.0], "bow": [-15.0, -2.0, 4.0, -2.0, -15.0]}[str(v["growth"])]
    spine = list(zip(xs, ys, strict=True))
    if v["growth"] == "bow":
        arc = [(4 - 19 * ((y - 3) / 43) ** 2, y) for y in (44 - k * 5.25 for k in range(17))]
    else:
        arc = spine
    parts: list[Part] = []
    sides: dict[str, tuple[tuple[int, int], ...]] = {
        "alternate": ((1, -1), (2, 1), (3, -1)),
        "one": ((1, 1), (2, 1), (3, 1)),
        "pairs": ((1, -1), (1, 1), (3, -1), (3, 1)),
    }
    thick = v["branches"] == "thick"
    kind, length, width = {"narrow": ("pointed", 21.0, 2.9), "round": ("round", 13.0, 6.0), "heart": ("heart", 15.0, 7.0)}[str(v["leaves"])]
    for node, side in sides[str(v["order"])]:
        x, y = spine[node]
        x += side * (half - (4 if thick else 1))
        end = (x + side * (13 if thick else 12), y - (11 if thick else 9))
        run = f"M{x:.1f},{y:.1f} L{end[0]:.1f},{end[1]:.1f}"
        parts.append(part("branch", _stem(run, shade(stalk, -0.08), 12.5 if thick else 1.8)))
        for turn in (128, 92, 56) if v["leaves"] == "narrow" else (125, 65):
            px, py = polar(*end, 5 if thick else 0, turn - 90)
            px = end[0] + side * (px - end[0])
            leaf = part("leaf", _form(kind, length, width, shade(leafy, -0.04 if turn > 100 else 0.1)))
            parts.append(leaf.moved(_at(px, py, side * turn)))
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
            parts.append(part("node", ridge, line([(x - half, y + 3.4), (x + half, y + 3.4)], shade(stalk, -0.4), 1.1)))
    elif v["joints"] == "stripes":
        pairs = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(spine)]
        streaks = [(x + dx, y) for x, y in pairs for dx in (-5, 0, 5)]
        parts.append(part("stripes", [line([(x, y - 7), (x, y + 7)], shade(stalk, -0.5), 2.2) for x, y in streaks]))
    x, y = spine[-1]
    pale = art.tone("beige")
    lip = ellipse(x, y, half, 6.2, pale)
    if v["inside"] == "hollow":
        cut = [lip, ellipse(x, y, half - 2.4, 4.4, "#2b2a22")]
    elif v["inside"] == "solid":
        cut = [lip, *(ellipse(x, y, half * k, 6.2 * k, None, stroke=art.tone("brown"), width=0.9) for k in (0.66, 0.28))]
    else:
        seeds = [circle(x + dx, y + dy, 1.0, INK, stroke=None) for dx, dy in ((-5, 0), (0, 2), (5, -0.4), (0, -2))]
        cut = [lip, ellipse(x, y, half - 1.8, 4.8, art.tone("red"), stroke=None), *seeds]
    return [*parts, part("cut top", cut)]


BAMBOO = Concept(
    name="bamboo",
    phrase="a stalk of bamboo",
    plural="stalks of bamboo",
    domain="plant",
    category=Category.BIOLOGY,
    definition=(
        "Bamboo is a giant grass with a straight, hollow green stalk divided by ring-shaped nodes. "
        "From the nodes thin branches with narrow pointed leaves grow on alternating sides."
    ),
    draw=_bamboo,
    facts=(
        Fact(
            "joints",
            "others",
            "texture",
            "What marks does the stalk of the plant show in the image?",
            {"rings": "Rings across it", "stripes": "Stripes along it", "nothing": "No marks at all"},
            ("node",),
            ("Round spots",),
        ),
        Fact(
            "growth",
            "posture",
            "shape",
            "How does the stalk of the plant grow in the image?",
            {"straight": "Straight up", "zigzag": "In a zigzag", "bow": "Bent like a bow"},
            ("stalk",),
            ("In a spiral",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the stalk of the plant in the image?",
            {"green": "Green", "blue": "Blue", "red": "Red", "purple": "Purple"},
            ("stalk",),
        ),
        Fact(
            "leaves",
            "shape",
            "shape",
            "What shape are the leaves of the plant in the image?",
            {"narrow": "Narrow and pointed", "round": "Round", "heart": "Heart-shaped"},
            ("leaf",),
            ("Square",),
        ),
        Fact(
            "inside",
            "existence",
            "details",
            "What is inside the stalk at its cut top in the image?",
            {"hollow": "A dark hollow", "solid": "Solid wood", "flesh": "Red flesh with seeds"},
            ("cut top",),
            ("Blue water",),
        ),
        Fact(
            "order",
            "relation",
            "details",
            "On which sides of the stalk do the branches grow in the image?",
            {"alternate": "On alternating sides", "one": "All on one side", "pairs": "In opposite pairs"},
            ("branch",),
            ("Only at the top",),
        ),
        Fact(
            "branches",
            "size",
            "shape",
            "How thick are the branches compared to the stalk in the image?",
            {"thin": "Much thinner", "thick": "Almost as thick"},
            ("branch", "stalk"),
            ("Twice as thick", "Five times as thick"),
        ),
    ),
    variation=Variation(
        "a stalk of bamboo in the snow",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the plant in the image?",
            {"snow": "In the snow", "plain": "A plain background", "night": "At night", "underwater": "Under water"},
            (),
        ),
        base="plain",
    ),
)


def _pond(kind: str, art: Art) -> Part:
    """What the water lily lies on."""
    if kind == "water":
        blue = shade(art.tone("light blue"), -0.1)
        ripples = [
            path(f"M{x},{y} q{w / 4},-2 {w / 2},0 t{w / 2},0", None, stroke=shade(blue, 0.55), width=1.2)
            for x, y, w in ((-38, 13, 14), (22, 8, 16), (30, 40, 10), (-26, 44.5, 14), (2, 47, 14))
        ]
        return part("water", ellipse(0, 25, 49.5, 24.5, blue), ellipse(0, 28, 42, 18, shade(blue, -0.1), stroke=None), ripples)
    if kind == "sand":
        sand = art.tone("beige")
        grains = [circle(art.vary(-38, 38), art.vary(18, 42), 0.8, shade(sand, -0.4), stroke=None) for _ in range(40)]
        return part("sand", ellipse(0, 25, 49.5, 24.5, sand), grains)
    grass = shade(art.tone("green"), 0.4)
    tufts = [
        path(f"M{x},{y} l-2,-5 l2.4,3 l1,-5 l1.4,5 l2.4,-3 l-2,5 Z", shade(grass, -0.3), stroke=None)
        for x, y in ((-42, 26), (-34, 38), (-20, 45), (0, 48), (16, 45), (32, 41), (41, 30), (36, 18), (-36, 17), (20, 13))
    ]
    return part("grass", ellipse(0, 25, 49.5, 24.5, grass), tufts)


def _pad(v: Values, art: Art, large: bool) -> Part:
    """The floating leaf, in perspective or on edge."""
    green = art.tone("green")
    flat = v["pad bearing"] == "flat"
    if flat:
        x, y, rx, ry = (-3.0, 26.0, 42.0, 18.0) if large else (-25.0, 36.0, 16.0, 7.5)
    else:
        x, y, rx, ry = (-14.0, -2.0, 30.0, 30.0) if large else (-33.0, 16.0, 14.0, 14.0)
    if v["pad"] == "square":
        back = 0.72 if flat else 0.9
        rim = [(-back, -0.9), (back, -0.9), (0.93, 0.9), (-0.93, 0.9)]
    elif v["pad"] == "star":
        rim = [polar(0, 0, 1.1 if k % 2 == 0 else 0.5, k * 36 - 90) for k in range(10)]
    else:
        rim = [(0.0, 0.0), *(polar(0, 0, 1, a) for a in range(152, 152 + 329, 4))]
    veins = [polar(0, 0, 0.42 if v["pad"] == "star" else 0.78, a) for a in range(-180, 180, 36)]
    outline = [(x + rx * a, y + ry * b) for a, b in rim]
    depth = [polygon([(a, b + 2) for a, b in outline], shade(green, -0.4))] if flat else []
    ribs = [line([(x, y), (x + rx * a, y + ry * b)], shade(green, 0.3), 1.0) for a, b in veins]
    return part("leaf pad", depth, polygon(outline, green), ribs)


def _lily(v: Values, art: Art) -> Sequence[Part]:
    large = v["wider"] == "leaf"
    tone = art.tone(str(v["petal colour"]))
    scale = 1.0 if large else 1.38
    tall = v["flower place"] == "tall"
    x = 8.0 if large else 9.0
    y = (-12.0 if large else -5.0) if tall else (21.0 if large else 22.0)
    parts = [_pond(str(v["ground"]), art), _pad(v, art, large)]
    if tall:
        parts.append(part("stalk", _stem(f"M{x},28 C{x + 4},16 {x - 4},6 {x},{y}", shade(art.tone("green"), -0.1), 3.4)))
    place = f"{_at(x, y)} scale({scale})"
    rows: tuple[tuple[tuple[float, ...], float, float, float], ...] = (
        ((-76, 76, -54, 54, -32, 32, -10.5, 10.5), 30, 6.0, -0.14),
        ((-66, 66, -43, 43, -21, 21, 0), 25.5, 5.6, -0.06),
    )
    for turns, length, width, dark in rows:
        for turn in turns:
            petal = _form("pointed", length - (5 if abs(turn) > 60 else 0), width, shade(tone, dark), False, -0.07)
            parts.append(part("petal", petal).moved(f"{place} rotate({turn})"))
    gold = art.tone(str(v["heart"]))
    threads = [line([(0, -3), polar(0, -4, 12, a - 90)], shade(gold, -0.2), 1.5) for a in range(-64, 65, 16)]
    knobs = [circle(*polar(0, -4, 12, a - 90), 1.7, gold, width=0.8) for a in range(-64, 65, 16)]
    parts.append(part("stamens", ellipse(0, -7, 10, 7.5, gold, width=1), threads, knobs).moved(place))
    for turn in (-76, 76, -48, 48, -18, 18):
        petal = _form("pointed", 17 if abs(turn) > 60 else 12.5, 5.0, tone, False, -0.08)
        parts.append(part("petal", petal).moved(f"{place} translate(0 2) rotate({turn})"))
    return parts


LILY = Concept(
    name="water lily",
    phrase="a water lily",
    plural="water lilies",
    domain="plant",
    category=Category.BIOLOGY,
    definition=(
        "The water lily floats on still water with wide, round leaves that lie flat and have a notch. "
        "Its flower rests on the surface and has many pointed petals around yellow stamens."
    ),
    draw=_lily,
    tilt=2,
    facts=(
        Fact(
            "ground",
            "scene",
            "details",
            "On what does the plant lie in the image?",
            {"water": "On water", "sand": "On sand", "grass": "On grass"},
            ("water",),
            ("On a wooden floor",),
        ),
        Fact(
            "pad",
            "shape",
            "shape",
            "What shape is the leaf of the plant in the image?",
            {"notched": "Round with a notch", "square": "Square", "star": "A star"},
            ("leaf pad",),
            ("Long and narrow",),
        ),
        Fact(
            "flower place",
            "relation",
            "details",
            "Where is the flower of the plant in the image?",
            {"floating": "Low, at leaf level", "tall": "High on a stalk"},
            ("petal",),
            ("Underneath the leaf", "In a flower pot"),
        ),
        Fact(
            "heart",
            "color",
            "color",
            "What color is the middle of the flower in the image?",
            {"yellow": "Yellow", "blue": "Blue", "red": "Red", "black": "Black"},
            ("stamens",),
        ),
        Fact(
            "wider",
            "size",
            "shape",
            "Which is wider in the image, the leaf or the flower?",
            {"leaf": "The leaf", "flower": "The flower"},
            ("leaf pad", "petal"),
            ("Both are equally wide", "There is no leaf"),
        ),
        Fact(
            "pad bearing",
            "posture",
            "shape",
            "How is the leaf of the plant held in the image?",
            {"flat": "Lying flat", "upright": "Standing upright"},
            ("leaf pad",),
            ("Rolled up", "Hanging from above"),
        ),
    ),
    variation=Variation(
        "a pink water lily",
        "attribute",
        Fact(
            "petal colour",
            "color",
            "color",
            "What color are the petals of the flower in the image?",
            {"pink": "Pink", "white": "White", "light blue": "Light blue", "orange": "Orange"},
            ("petal",),
        ),
        base="white",
    ),
)


def _frond(start: Point, bend: Point, end: Point, width: float, tone: str) -> list[Shape]:
    """A feather-shaped palm leaf along a curve."""

    def spot(t: float, offset: float) -> Point:
        u = 1 - t
        x = u * u * start[0] + 2 * u * t * bend[0] + t * t * end[0]
        y = u * u * start[1] + 2 * u * t * bend[1] + t * t * end[1]
        dx, dy = u * (bend[0] - start[0]) + t * (end[0] - bend[0]), u * (bend[1] - start[1]) + t * (end[1] - bend[1])
        size = math.hypot(dx, dy) or 1.0
        return x - dy / size * offset, y + dx / size * offset

    teeth = 6
    edges: list[list[Point]] = []
    for side in (-1, 1):
        edge: list[Point] = []
        for i in range(teeth):
            t = i / teeth
            swell = width * math.sin(math.pi * (0.2 + 0.86 * t))
            edge += [spot(t, side * width * 0.22), spot(min(1.0, t + 0.2), side * swell)]
        edges.append(edge)
    rib = line([spot(k / 8, 0) for k in range(9)], shade(tone, 0.35), 0.9)
    return [polygon([start, *edges[0], end, *reversed(edges[1])], tone, width=0.9), rib]


def _fruits(kind: str, x: float, y: float, size: float, art: Art) -> list[Part]:
    places = ((-9.5, 3), (9.5, 3), (0, 6.5))
    if kind == "coconuts":
        brown = art.tone("brown")
        shapes = [circle(0, 0, 6, brown), _shadow("M4,-4.4 A6,6 0 0,1 -4,4.4 A8,8 0 0,0 4,-4.4 Z", brown), glow(-2, -2, 1.6)]
    elif kind == "apples":
        red = art.tone("red")
        shapes = [circle(0, 0, 6, red), line([(0, -5), (1, -8)], INK, 1.4), glow(-2, -2, 1.6)]
    else:
        shapes = [path("M-3,-7 C-7,2 -3,10 5,11 C3,8 1,2 2,-6 Z", art.tone("yellow"))]
    return [part(kind[:-1], shapes).moved(f"{_at(x + size * dx, y + size * dy)} scale({size})") for dx, dy in places]


def _crown(x: float, y: float, size: float, v: Values, art: Art) -> list[Part]:
    tone = art.tone(str(v["colour"]))
    parts = []
    if v["fronds"] == "upright":
        for turn, dark in ((-34, -0.2), (34, -0.2), (-11, -0.12), (11, -0.12), (-23, 0.04), (23, 0.04), (0, 0.08)):
            end = polar(x, y, size * 34, turn - 90)
            parts.append(part("frond", _frond((x, y), ((x + end[0]) / 2, (y + end[1]) / 2), end, size * 5.0, shade(tone, dark))))
        return [*_fruits(str(v["fruit"]), x, y, size, art), *parts]
    plan = (
        (-14, -26, -30, -24, -0.1),
        (14, -26, 30, -24, -0.1),
        (-26, -24, -43, 0, 0.02),
        (26, -24, 43, 0, 0.02),
        (0, -20, -5, -31, 0.0),
        (-20, -14, -31, 19, 0.14),
        (20, -14, 31, 19, 0.14),
    )
    for bx, by, ex, ey, dark in plan:
        bend, end = (x + size * bx, y + size * by), (x + size * ex, y + size * ey)
        parts.append(part("frond", _frond((x, y), bend, end, size * 7.6, shade(tone, dark))))
    return [*parts, *_fruits(str(v["fruit"]), x, y, size, art)]


def _taper(points: Sequence[Point], low: float, high: float, bark: str) -> list[Shape]:
    """A trunk from foot to top with ring scars; `low` and `high` are its widths."""
    last = len(points) - 1
    widths = [low + (high - low) * i / last for i in range(last + 1)]
    left = [(x - w / 2, y) for (x, y), w in zip(points, widths, strict=True)]
    right = [(x + w / 2, y) for (x, y), w in zip(points, widths, strict=True)]
    inner = [(x + w * 0.14, y) for (x, y), w in zip(points, widths, strict=True)]
    whole = polygon([*left, *reversed(right)], bark)
    shadow = polygon([*inner, *reversed(right)], shade(bark, -0.14), stroke=None)
    scars = [f"M{a:.1f},{y:.1f} Q{(a + b) / 2:.1f},{y + 2.4:.1f} {b:.1f},{y:.1f}" for (a, y), (b, _) in zip(left, right, strict=True)]
    return [whole, shadow, *(path(d, None, stroke=shade(bark, -0.4), width=0.9) for d in scars[1:-1]), replace(whole, fill=None)]


def _palm(v: Values, art: Art) -> Sequence[Part]:
    bark = shade(art.tone("brown"), 0.22)
    thick = v["trunk"] == "thick"
    forked = v["stem"] == "forked"
    low, high = (27.0, 23.0) if thick else (8.0, 5.6)
    lean = 0.0 if forked else 5.0
    foot, top = 45.0, (-14.0 if v["crown"] == "top" else -40.0)
    run = [(-lean + 2 * lean * (k / 12) ** 1.6, foot + (top - foot) * k / 12) for k in range(13)]
    parts = [part("sand", ellipse(0, 44, 30, 6, art.tone("beige")))]
    tops = [run[-1]]
    if forked:
        run = run[: 8 if v["crown"] == "top" else 6]
        tops = [(-22.0, top), (22.0, top)]
        for tip in tops:
            sx, sy = run[-1]
            limb = [(sx + (tip[0] - sx) * (k / 7) ** 0.8, sy + 6 + (tip[1] - sy - 6) * k / 7) for k in range(8)]
            parts.append(part("trunk", _taper(limb, low * 0.62, high * 0.62, bark)))
    parts.append(part("trunk", _taper(run, low, low if forked else high, bark)))
    if v["crown"] == "top":
        for x, y in tops:
            parts += _crown(x, y - 3, 0.66 if forked else 1.0, v, art)
    else:
        level = 6.0 if v["crown"] == "middle" else 35.0
        x = min(run, key=lambda spot: abs(spot[1] - level))[0]
        parts += _crown(x, level, 0.74, v, art)
    return parts


PALM = Concept(
    name="coconut palm",
    phrase="a coconut palm",
    plural="coconut palms",
    domain="plant",
    category=Category.BIOLOGY,
    definition=(
        "The coconut palm has a slender, unbranched trunk with a crown of arching green fronds at its top. "
        "Its brown coconuts hang under the crown."
    ),
    draw=_palm,
    scene="day",
    tilt=3,
    facts=(
        Fact(
            "stem",
            "shape",
            "shape",
            "What form does the trunk of the tree have in the image?",
            {"single": "A single column", "forked": "Forked in two"},
            ("trunk",),
            ("Coiled like a spring", "Tied in a knot"),
        ),
        Fact(
            "crown",
            "relation",
            "details",
            "Where on the trunk do the leaves of the tree grow in the image?",
            {"top": "At its top", "middle": "Halfway up", "foot": "At its foot"},
            ("frond", "trunk"),
            ("Inside it",),
        ),
        Fact(
            "fruit",
            "existence",
            "details",
            "What fruits does the tree bear in the image?",
            {"coconuts": "Brown coconuts", "bananas": "Yellow bananas", "apples": "Red apples"},
            ("coconut",),
            ("Purple grapes",),
        ),
        Fact(
            "trunk",
            "size",
            "shape",
            "How thick is the trunk of the tree in the image?",
            {"slender": "Slender", "thick": "Thick as a barrel"},
            ("trunk",),
            ("Thin as a thread", "Wider than the leaves"),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color are the leaves of the tree in the image?",
            {"green": "Green", "blue": "Blue", "orange": "Orange", "pink": "Pink"},
            ("frond",),
        ),
        Fact(
            "fronds",
            "posture",
            "shape",
            "How does the tree hold its leaves in the image?",
            {"arching": "Arching outwards", "upright": "Straight up"},
            ("frond",),
            ("Flat on the ground", "Rolled into balls"),
        ),
    ),
    variation=Variation(
        "a coconut palm at night",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where or when is the tree shown in the image?",
            {"night": "At night", "day": "Under a blue sky", "snow": "In the snow", "space": "In outer space"},
            (),
        ),
        base="day",
    ),
)

Profile = tuple[Callable[[float], float], Callable[[float], float]]

# Centre line and half width of the fruit's forms at height t, 0 at the top and 1 at the bottom.
FRUIT_FORMS: dict[str, Profile] = {
    "cone": (lambda t: 0.0, lambda t: 32 * (1 - (1 - t / 0.22) ** 2) ** 0.5 if t < 0.22 else 32 * (1 - ((t - 0.22) / 0.78) ** 1.5) ** 0.74),
    "square": (lambda t: 0.0, lambda t: 28 * (1 - abs(2 * t - 1) ** 10) ** 0.35),
    "crescent": (lambda t: 14 - 28 * math.sin(math.pi * t), lambda t: 16 * abs(math.sin(math.pi * (0.07 + 0.93 * t))) ** 0.55),
}
FRUIT_TOP, FRUIT_HEIGHT = -18.0, 66.0


def _bite(y: float) -> float:
    """How far to the right the bitten fruit still reaches at height y."""
    edge = 99.0
    for cx, cy, r in ((27.0, 4.0, 9.0), (24.0, 17.0, 9.5)):
        if abs(y - cy) < r:
            edge = min(edge, cx - math.sqrt(r * r - (y - cy) ** 2))
    return edge


def _strawberry(v: Values, art: Art) -> Sequence[Part]:
    tone, green, gold = art.tone(str(v["colour"])), art.tone("green"), art.tone("yellow")
    centre, half = FRUIT_FORMS[str(v["form"])]
    bitten = v["state"] == "bitten"

    def right(t: float) -> float:
        full = centre(t) + half(t)
        return min(full, _bite(FRUIT_TOP + FRUIT_HEIGHT * t) + (centre(0.45) + half(0.45) - 25)) if bitten else full

    steps = [k / 60 for k in range(61)]
    level = [FRUIT_TOP + FRUIT_HEIGHT * t for t in steps]
    leftward = [(centre(t) - half(t), y) for t, y in zip(steps, level, strict=True)]
    rightward = [(right(t), y) for t, y in zip(steps, level, strict=True)]
    shadow = [(max(centre(t) - half(t), right(t) - half(t) * 0.42), y) for t, y in zip(steps, level, strict=True)]
    body = [polygon([*leftward, *reversed(rightward)], tone), polygon([*shadow, *reversed(rightward)], shade(tone, -0.14), stroke=None)]
    if bitten:
        gap = [(right(t), y) for t, y in zip(steps, level, strict=True) if right(t) < centre(t) + half(t) - 0.5]
        body.append(polygon([*gap, *((x - 4.5, y) for x, y in reversed(gap))], shade(tone, 0.72), stroke=None))
    parts = [part("fruit", body, polygon([*leftward, *reversed(rightward)], None), glow(centre(0.4) - half(0.4) * 0.66, 9, 3.6))]
    band = {"over": (0.17, 0.95), "tip": (0.66, 0.97), "middle": (0.4, 0.62)}[str(v["seeds"])]
    small = v["seed size"] == "small"
    step, length, width = (10.5, 5.0, 1.7) if small else (16.0, 13.0, 4.2)
    row = 0
    y = FRUIT_TOP + FRUIT_HEIGHT * band[0] + length * 0.5
    while y < FRUIT_TOP + FRUIT_HEIGHT * band[1]:
        t = (y - FRUIT_TOP) / FRUIT_HEIGHT
        low, high = centre(t) - half(t) + width + 2, right(t) - width - (6.5 if bitten else 2)
        fits = max(1, int((high - low) / step) + 1)
        if fits > 2 and fits % 2 != row % 2:
            fits -= 1
        for k in range(fits):
            x = (low + high) / 2 + (k - (fits - 1) / 2) * step
            drop = _form("pointed", length, width, gold, False, -0.12)
            parts.append(part("seed", drop).moved(_at(x, y + length * 0.5)))
        row += 1
        y += step * 0.84
    neck = centre(0.04)
    stalk = f"M{neck:.1f},-17 C{neck:.1f},-30 {neck - 4:.1f},-40 -8,-48"
    count = int(v["leaflets"])
    hub = (26.0, -30.0)
    parts.append(part("stalk", _stem(f"M{neck * 0.6 - 2:.1f},-32 C4,-38 14,-38 {hub[0]},{hub[1]}", green, 1.6), _stem(stalk, green, 3.0)))
    fan = {2: (20, 130), 3: (-20, 62, 144), 4: (-42, 28, 98, 168), 5: (-64, -8, 48, 104, 160)}[count]
    for turn in fan:
        drawn = _form("round", 16.5, 6.6 if count < 4 else 4.9, shade(green, 0.08))
        parts.append(part("leaflet", drawn).moved(_at(*polar(*hub, 2.5, turn - 90), turn)))
    if v["cap"] == "leaves":
        for turn in (-118, 118, -88, 88, -150, 150, 180):
            parts.append(part("cap", _form("pointed", 23 if abs(turn) < 170 else 16, 5.2, green)).moved(_at(neck, -17, turn)))
    elif v["cap"] == "flower":
        for turn in range(0, 360, 72):
            parts.append(part("blossom", _form("round", 13, 6.4, art.tone("pink"), False, -0.08)).moved(_at(neck, -17, turn + 36)))
        parts.append(part("blossom", circle(neck, -17, 4.4, gold)))
    return parts


STRAWBERRY = Concept(
    name="strawberry",
    phrase="a strawberry",
    plural="strawberries",
    domain="plant",
    category=Category.BIOLOGY,
    definition=(
        "The strawberry is a red, cone-shaped fruit with tiny seeds all over its outside and a cap of green leaves on top. "
        "The leaves of the plant have three leaflets."
    ),
    draw=_strawberry,
    facts=(
        Fact(
            "colour",
            "color",
            "color",
            "What color is the fruit in the image?",
            {"red": "Red", "blue": "Blue", "purple": "Purple", "white": "White"},
            ("fruit",),
        ),
        Fact(
            "form",
            "shape",
            "shape",
            "What shape is the fruit in the image?",
            {"cone": "A cone", "square": "A square", "crescent": "A crescent"},
            ("fruit",),
            ("A star",),
        ),
        Fact(
            "seeds",
            "relation",
            "details",
            "Where on the fruit are the seeds in the image?",
            {"over": "All over it", "tip": "Only at its bottom", "middle": "Only around its middle"},
            ("seed", "fruit"),
            ("At its top",),
        ),
        Fact(
            "cap",
            "existence",
            "details",
            "What is directly on top of the fruit, around its stalk, in the image?",
            {"leaves": "A cap of leaves", "flower": "A pink blossom", "nothing": "Only the stalk"},
            ("cap",),
            ("A shell",),
        ),
        Fact(
            "seed size",
            "size",
            "shape",
            "How large are the seeds compared to the fruit in the image?",
            {"small": "Tiny", "large": "Very large"},
            ("seed",),
            ("Larger than the fruit", "Too small to see"),
        ),
        Fact(
            "leaflets",
            "counting",
            "details",
            "How many leaflets does the leaf beside the fruit's stalk have in the image?",
            {3: "Three", 5: "Five", 2: "Two", 4: "Four"},
            ("leaflet",),
        ),
    ),
    variation=Variation(
        "a bitten strawberry",
        "action",
        Fact(
            "state",
            "others",
            "details",
            "What has happened to the fruit in the image?",
            {"bitten": "Someone bit into it", "whole": "Nothing, it is whole"},
            ("fruit",),
            ("It was cut in half", "It was peeled"),
        ),
        base="whole",
    ),
)

CONCEPTS: tuple[Concept, ...] = (SUNFLOWER, SAGUARO, CLOVER, TULIP, BAMBOO, LILY, PALM, STRAWBERRY)
