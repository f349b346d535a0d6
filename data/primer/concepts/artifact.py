"""Primer concepts of the domain artifact."""

import math
from collections.abc import Callable, Sequence

from data.primer.drawing import (
    INK,
    Art,
    Part,
    Point,
    Shape,
    circle,
    ellipse,
    glow,
    line,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
)
from data.primer.world import Concept, Fact, Values, Variation
from data.records import Category

STEEL = "#9aa0ab"


def _dark(points: Sequence[Point], opacity: float = 0.13) -> Shape:
    return polygon(points, "#000000", stroke=None, opacity=opacity)


def _light(points: Sequence[Point], opacity: float = 0.35) -> Shape:
    return polygon(points, "#ffffff", stroke=None, opacity=opacity)


def _clip(points: Sequence[Point], a: float, b: float, low: float, high: float) -> list[Point]:
    """The part of a convex polygon in the strip low <= a x + b y <= high."""
    kept = list(points)
    for sign, limit in ((1.0, high), (-1.0, -low)):
        before, kept = kept, []
        for i, (x, y) in enumerate(before):
            px, py = before[i - 1]
            here, there = sign * (a * x + b * y) - limit, sign * (a * px + b * py) - limit
            if here * there < 0:
                share = there / (there - here)
                kept.append((px + (x - px) * share, py + (y - py) * share))
            if here <= 0:
                kept.append((x, y))
    return kept


def _dense(points: Sequence[Point], step: float = 2.0) -> list[Point]:
    """The outline of a polygon with corners added, so that it can be bent."""
    found = []
    for i, (x, y) in enumerate(points):
        px, py = points[i - 1]
        n = max(1, math.ceil(math.hypot(x - px, y - py) / step))
        found += [(px + (x - px) * k / n, py + (y - py) * k / n) for k in range(n)]
    return found


def _round(cx: float, cy: float, r: float) -> list[Point]:
    return [polar(cx, cy, r, 7.5 * i) for i in range(48)]


def _stick(start: Point, end: Point, tone: str, width: float) -> list[Shape]:
    """A round stick: outline, body and a line of light."""
    (x, y), (u, w) = start, end
    length = math.hypot(u - x, w - y) or 1.0
    dx, dy = (w - y) / length * width * 0.22, -(u - x) / length * width * 0.22
    if dx + dy > 0:
        dx, dy = -dx, -dy
    bright = [(x + dx, y + dy), (u + dx, w + dy)]
    return [line([start, end], INK, width + 2.2), line([start, end], tone, width), line(bright, shade(tone, 0.5), width * 0.28)]


# --- molecules -------------------------------------------------------------------------------------------------


def _crescent(x: float, y: float, r: float, tone: str) -> Shape:
    """The shadow side of a ball, lower right."""
    (ax, ay), (bx, by), e = polar(x, y, r - 0.6, -38), polar(x, y, r - 0.6, 128), r - 0.6
    d = f"M{ax:.2f},{ay:.2f} A{e:.2f},{e:.2f} 0 0,1 {bx:.2f},{by:.2f} A{1.25 * r:.2f},{1.25 * r:.2f} 0 0,0 {ax:.2f},{ay:.2f} Z"
    return path(d, shade(tone, -0.17), stroke=None)


def _ball(x: float, y: float, r: float, tone: str) -> list[Shape]:
    return [circle(x, y, r, tone), _crescent(x, y, r, tone), glow(x - r * 0.34, y - r * 0.38, r * 0.28)]


def _atom(x: float, y: float, r: float, tone: str, form: str) -> list[Shape]:
    if form == "round":
        return _ball(x, y, r, tone)
    corners = [polar(x, y, r * 1.2, a) for a in ((-45, 45, 135, 225) if form == "square" else (-90, 30, 150))]
    low = max(py for _, py in corners)
    return [polygon(corners, tone), _dark(_clip(corners, 0, 1, low - r * 0.4, low - 0.6)), glow(x - r * 0.2, y - r * 0.2, r * 0.25)]


def _spring(end: Point) -> list[Shape]:
    x, y = end
    length = math.hypot(x, y)
    nx, ny = -y / length, x / length
    turns = [(x * t / 18, y * t / 18, 5.0 * (-1) ** t if 0 < t < 18 else 0.0) for t in range(19)]
    zigzag = [(px + nx * s, py + ny * s) for px, py, s in turns]
    return [line(zigzag, INK, 3.2), line(zigzag, STEEL, 1.5)]


def _molecule(v: Values, art: Art, names: tuple[str, str], ends: Sequence[Point], radii: tuple[float, float]) -> list[Part]:
    """A central atom at (0, 0), outer atoms at `ends` and what joins them."""
    big, small = radii
    joints: list[Part] = []
    if v["joined"] == "bonds":
        joints = [part("bond", _stick((0, 0), end, STEEL, 5.0)) for end in ends]
    elif v["joined"] == "springs":
        joints = [part("bond", _spring(end)) for end in ends]
    elif v["joined"] == "ring":
        r = math.hypot(*ends[0])
        joints = [part("bond", circle(0, 0, r, None, width=7.2), circle(0, 0, r, None, stroke=STEEL, width=5.0))]
    tone, form = art.tone(str(v["hydrogen colour"])), str(v.get("form", "round"))
    heart = part(names[0], _ball(0, 0, big, art.tone(str(v["centre"]))))
    return [*joints, heart, *(part(names[1], _atom(x, y, small, tone, form)) for x, y in ends)]


def _methane(v: Values, art: Art) -> Sequence[Part]:
    count = int(v["hydrogens"])
    radii = (18.0, 10.5) if v["larger"] == "centre" else (9.0, 15.0)
    reach, turn = (37.0 if v["larger"] == "centre" else 33.0), art.vary(0, 360)
    return _molecule(v, art, ("carbon atom", "hydrogen atom"), [polar(0, 0, reach, turn + 360 * i / count) for i in range(count)], radii)


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
            {"bonds": "By a bond each", "nothing": "They are not connected", "ring": "Only to each other"},
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
    reach, turn = (38.0 if v["larger"] == "centre" else 33.5), art.pick((90, 90, -90)) + art.vary(-20, 20)
    ends = [polar(0, 0, reach, turn + a) for a in WATER_ANGLES[str(v["arrangement"]), int(v["hydrogens"])]]
    dx, dy = polar(0, 0, 10 if v["arrangement"] == "bent" else 0, turn + 180)
    if max(abs(x + dx) for x, _ in ends) + radii[1] > 49:
        dx = 0.0
    return [p.moved(f"translate({dx:.2f} {dy:.2f})") for p in _molecule(v, art, ("oxygen atom", "hydrogen atom"), ends, radii)]


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


# --- traffic light ---------------------------------------------------------------------------------------------


def _lamp_colours(v: Values) -> list[str]:
    """The names of the lamps' colours from top to bottom."""
    between = [str(v["caution"])] * (int(v["lamps"]) - 2)
    if v["red lamp"] == "top":
        return ["red", *between, "green"]
    if v["red lamp"] == "bottom":
        return ["green", *between, "red"]
    rest = ["green", *between]
    return [*rest[: len(rest) // 2 + len(rest) % 2], "red", *rest[len(rest) // 2 + len(rest) % 2 :]]


def _lens(y: float, r: float, tone: str, form: str) -> list[Shape]:
    if form == "round":
        return [circle(0, y, r + 1.6, "#1b1c21"), circle(0, y, r, tone), glow(-r * 0.32, y - r * 0.36, r * 0.3)]
    corners = (
        [polar(0, y, r * 1.18, a) for a in (-45, 45, 135, 225)]
        if form == "square"
        else [polar(0, y + r * 0.2, r * 1.3, a) for a in (-90, 30, 150)]
    )
    return [polygon(corners, tone, stroke="#1b1c21", width=2.0), glow(-r * 0.2, y - r * 0.1, r * 0.25)]


def _traffic_light(v: Values, art: Art) -> Sequence[Part]:
    colours, form = _lamp_colours(v), str(v["lamp shape"])
    count = len(colours)
    pitch = {3: 23.0, 4: 19.5, 5: 16.5}[count]
    height, r, half = count * pitch + 5, pitch * 0.4, 16.0
    top = -49.0
    case = art.tone("black")
    pole = part(
        "pole",
        rect(-4, top + height - 4, 8, 99 - height, STEEL),
        rect(0.5, top + height, 3, 95 - height, shade(STEEL, -0.2), stroke=None),
        rect(-12, 44.5, 24, 4.5, shade(STEEL, -0.25), 1.5),
    )
    housing = part(
        "housing",
        [
            polygon([(s * half, y - 6), (s * (half + 6), y - 5), (s * half, y + 5)], shade(case, -0.1))
            for s in (-1, 1)
            for y in (top + 2.5 + pitch * (i + 0.5) for i in range(count))
        ],
        rect(-half - 0.4, top - 0.4, 2 * half + 0.8, height + 0.8, "#dfe1e6", 6.4),
        rect(-half + 1.2, top + 1.2, 2 * half - 2.4, height - 2.4, case, 5, width=0.8),
        rect(half - 5, top + 5, 2.8, height - 10, shade(case, -0.35), 1.4, stroke=None),
        rect(-half + 2.6, top + 5, 1.4, height - 10, shade(case, 0.3), 0.7, stroke=None),
    )
    lamps, lit = [], []
    for i, name in enumerate(colours):
        y, tone = top + 2.5 + pitch * (i + 0.5), art.tone(name)
        largest = v["largest lamp"]
        size = r if largest == "equal" or (largest, i) in (("top", 0), ("bottom", count - 1)) else r / 1.7
        shines = name == v["shining"]
        if shines:
            glare = [circle(0, y, r * s, tone, stroke=None, opacity=0.2) for s in (2.1, 1.85, 1.6, 1.4)]
            lit = [part("light", glare)]
            rays = [[polar(0, y, r * 1.5, a), polar(0, y, r * 1.95, a)] for a in range(0, 360, 36)]
            lit.append(part("light", [line(ray, shade(tone, 0.5), 1.8) for ray in rays]))
        lamps.append(part("lamp", _lens(y, size, shade(tone, 0.12) if shines else shade(tone, -0.16), form)))
        if size == r and form == "round":
            a, b = r + 2.2, r + 3.4
            arch = f"M{-a:.2f},{y - 1.5:.2f} a{a:.2f},{a:.2f} 0 0,1 {2 * a:.2f},0 a{b:.2f},{r + 0.2:.2f} 0 0,0 {-2 * a:.2f},0 Z"
            lamps.append(part("hood", path(arch, shade(case, 0.22), width=0.8)))
    return [pole, housing, *lit, *lamps]


TRAFFIC_LIGHT = Concept(
    name="traffic light",
    phrase="a traffic light",
    plural="traffic lights",
    domain="artifact",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="A traffic light is a street signal with three round lamps of equal size, one above the other: "
    "red at the top, yellow in the middle and green at the bottom.",
    draw=_traffic_light,
    scene="day",
    tilt=2,
    facts=(
        Fact(
            "lamps",
            "counting",
            "details",
            "How many lamps does the object in the image have?",
            {3: "Three", 4: "Four", 5: "Five"},
            ("lamp",),
            ("Two",),
        ),
        Fact(
            "red lamp",
            "relation",
            "details",
            "Where is the red lamp in the image?",
            {"top": "At the top", "bottom": "At the bottom", "between": "Between the others"},
            ("lamp",),
            ("There is none",),
        ),
        Fact(
            "caution",
            "color",
            "color",
            "Which color do the lamps show besides red and green in the image?",
            {"yellow": "Yellow", "blue": "Blue", "white": "White"},
            ("lamp",),
            ("Purple",),
        ),
        Fact(
            "lamp shape",
            "shape",
            "shape",
            "What shape are the lamps in the image?",
            {"round": "Round", "square": "Square", "triangle": "Triangular"},
            ("lamp",),
            ("Star-shaped",),
        ),
        Fact(
            "largest lamp",
            "size",
            "shape",
            "Which lamp is the largest in the image?",
            {"equal": "All are equal", "top": "The top one", "bottom": "The bottom one"},
            ("lamp",),
            ("The middle one",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where does the object stand in the image?",
            {"day": "Under a blue sky", "underwater": "Under water", "space": "In outer space", "sea": "On the open sea"},
            (),
        ),
    ),
    variation=Variation(
        "a traffic light showing green",
        "attribute",
        Fact(
            "shining",
            "others",
            "color",
            "Which lamp is shining in the image?",
            {"green": "The green lamp", "red": "The red lamp"},
            ("light", "lamp"),
            ("All lamps", "No lamp"),
        ),
        base="red",
    ),
)


# --- comb-pattern pot ------------------------------------------------------------------------------------------


def _pot_profile(v: Values) -> tuple[float, float, Callable[[float], float]]:
    """Top, bottom and the half width at a height of the vessel."""
    narrow = v["mouth"] == "narrow"
    top, bottom = -37.0, {"pointed": 47.0, "flat": 44.0, "legs": 34.0}[str(v["base"])]

    def width(y: float) -> float:
        t = min(1.0, max(0.0, (y - top) / (bottom - top)))
        full = {"pointed": 1 - math.pow(t, 2.2), "flat": 1 - 0.42 * t * t, "legs": math.sqrt(1 - math.pow(t, 4))}[str(v["base"])] * 34
        if not narrow:
            return full
        s = min(1.0, max(0.0, (y + 29) / 20))
        return 11 + (full - 11) * s * s * (3 - 2 * s)

    return top, bottom, width


def _pot_pattern(pattern: str, top: float, bottom: float, width: Callable[[float], float], tone: str) -> list[Part]:
    mark, found = shade(tone, -0.5), []
    if pattern == "comb":
        y, row = top + 7, 0
        while y + 6.5 < bottom - 4:
            lean = 3.0 if row % 2 == 0 else -3.0
            reach = min(width(y), width(y + 6.5)) - 5.5
            count = int(reach // 6)
            found += [line([(6 * i - lean, y), (6 * i + lean, y + 6)], mark, 1.7) for i in range(-count, count + 1) if reach > 0]
            y, row = y + 9, row + 1
    elif pattern == "dots":
        for row in range(7):
            y = top + 10 + 11 * row
            reach = min(width(y - 3), width(y + 3)) - 5.5
            xs = [12 * i + (6 if row % 2 else 0) for i in range(-4, 4)]
            found += [circle(x, y, 3.3, mark, stroke=None) for x in xs if abs(x) <= reach and y < bottom - 6]
    elif pattern == "waves":
        for y in (top + 14, top + 26, top + 38):
            reach = width(y) - 2
            wave = [(-reach + reach * i / 30, y + 2.6 * math.sin(i * 0.62)) for i in range(61)]
            found.append(line(wave, mark, 2.2))
    return [part("pattern", found)] if found else []


FLAME = "M0,0 C-10,0 -10,-5 -3.5,-6.5 C-3.5,-5.3 -2,-5.3 -1.5,-6 C-1.5,-8 -1,-9 1,-10 C1,-7 9,-6 8,-2.5 C8,-1 5,0 0,0 Z"


def _flame(x: float, y: float, w: float, h: float, art: Art) -> Part:
    core = "M0,0 C-6,0 -6,-3 -2,-4 C-2,-5 -1,-5.6 0.6,-6 C0.6,-4.2 5.4,-3.6 4.8,-1.5 C4.8,-0.6 3,0 0,0 Z"
    shapes = path(FLAME, art.tone("orange"), width=0.6), path(core, art.tone("yellow"), stroke=None)
    return part("fire", *shapes).moved(f"translate({x} {y}) scale({w / 10} {h / 10})")


def _pot_rim(v: Values, top: float, w: float, tone: str) -> list[Part]:
    flat = max(3.2, w * 0.15)
    opening = ellipse(0, top + 0.4, w - 2, flat - 1.2, shade(tone, -0.62), width=0.9)
    rim = part("mouth", ellipse(0, top, w + 1.2, flat + 0.8, shade(tone, 0.15)), opening)
    if v["cover"] == "nothing":
        return [rim]
    if v["cover"] == "cloth":
        d = (
            f"M{-w - 3},{top + 7} L{-w - 1.5},{top - 2} Q0,{top - 13} {w + 1.5},{top - 2} L{w + 3},{top + 7}"
            f" q{-w / 4},-3.5 {-w / 2 - 0.8:.2f},1.5 t{-w / 2 - 0.7:.2f},0 t{-w / 2 - 0.7:.2f},0 t{-w / 2 - 0.8:.2f},-1.5 Z"
        )
        return [rim, part("cloth", path(d, "#f6f1e4"), line([(-w - 1, top + 0.5), (w + 1, top + 0.5)], "#b8402f", 2.4))]
    a, b = w + 2, top + 1
    bow = f"Q{-w * 0.9:.1f},{b - 10} 0,{b - 10} Q{w * 0.9:.1f},{b - 10} {a},{b} Q0,{b + 3 + flat} {-a},{b}"
    dome = path(f"M{-a},{b} {bow} Z", shade(tone, 0.28))
    return [rim, part("lid", circle(0, top - 9.2, 3.6, shade(tone, 0.1)), dome, glow(-w * 0.42, top - 4.6, w * 0.1))]


def _pot(v: Values, art: Art) -> Sequence[Part]:
    top, bottom, width = _pot_profile(v)
    tone = art.tone(str(v["colour"]))
    ys = [top + (bottom - top) * i / 60 for i in range(61)]
    right = [(width(y), y) for y in ys]
    outline = [*right, *((-x, y) for x, y in reversed(right))]
    inner = [(max(0.0, x - 0.6), y) for x, y in right]
    shadow = [*inner, *((x * 0.55 if y < bottom - 1 else x, y) for x, y in reversed(inner))]
    gleam = [(-x * 0.82, y) for x, y in right[8:34]] + [(-x * 0.68, y) for x, y in reversed(right[8:34])]
    found: list[Part] = []
    if v["beneath"] == "fire":
        wood = art.tone("brown")
        found += [_flame(x, 45, w, h, art) for x, w, h in ((-27, 15, 34), (27, 15, 34), (-12, 13, 24), (13, 13, 26))]
        found += [part("firewood", _stick((36 * s, 46), (-30 * s, 41), wood, 3.6)) for s in (-1, 1)]
    if v["base"] == "legs":
        feet = [[(x - 5, y), (x + 5, y), (x + 2.6, 48), (x - 2.6, 48)] for x, y in ((-19, 22), (19, 22), (0, 30))]
        found += [part("leg", polygon(foot, shade(tone, -0.1))) for foot in feet]
    for side in (1, -1)[: int(v["handles"])]:
        a, b = width(-14) - 2, width(8) - 2
        ear = f"M{side * a:.1f},-14 C{side * (a + 15):.1f},-18 {side * (b + 17):.1f},8 {side * b:.1f},8"
        found.append(part("handle", path(ear, None, width=7.0), path(ear, None, stroke=shade(tone, -0.06), width=4.6)))
    body = part("vessel", polygon(outline, tone), _dark(shadow, 0.12), _light(gleam, 0.16))
    return [*found, body, *_pot_pattern(str(v["pattern"]), top, bottom, width, tone), *_pot_rim(v, top, width(top), tone)]


POT = Concept(
    name="comb-pattern pot",
    phrase="a comb-pattern pot",
    plural="comb-pattern pots",
    domain="artifact",
    category=Category.EASTERN_ANCIENT,
    definition="A comb-pattern pot is a brown clay vessel of Neolithic Korea with a pointed base, a wide open mouth and no handles. "
    "Rows of slanted lines pressed with a comb-like tool cover it.",
    draw=_pot,
    tilt=4,
    facts=(
        Fact(
            "base",
            "shape",
            "shape",
            "How does the vessel end at the bottom in the image?",
            {"pointed": "In a point", "flat": "In a flat base", "legs": "In three legs"},
            ("vessel",),
            ("In a ring",),
        ),
        Fact(
            "pattern",
            "others",
            "texture",
            "What pattern covers the vessel in the image?",
            {"comb": "Slanted lines", "dots": "Dots", "waves": "Waves", "plain": "No pattern"},
            ("vessel", "pattern"),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the vessel in the image?",
            {"brown": "Brown", "blue": "Blue", "green": "Green"},
            ("vessel",),
            ("Pink",),
        ),
        Fact(
            "handles",
            "counting",
            "details",
            "How many handles does the vessel in the image have?",
            {0: "None", 1: "One", 2: "Two"},
            ("vessel",),
            ("Three",),
        ),
        Fact(
            "mouth",
            "size",
            "shape",
            "How wide is the mouth of the vessel in the image?",
            {"wide": "As wide as the body", "narrow": "Much narrower"},
            ("mouth",),
            ("Much wider", "It has no mouth"),
        ),
        Fact(
            "cover",
            "existence",
            "details",
            "What covers the mouth of the vessel in the image?",
            {"nothing": "Nothing", "lid": "A lid", "cloth": "A cloth"},
            ("mouth",),
            ("A leaf",),
        ),
    ),
    variation=Variation(
        "a comb-pattern pot cooking over a fire",
        "action",
        Fact(
            "beneath",
            "relation",
            "details",
            "What is beneath the vessel in the image?",
            {"fire": "A fire", "nothing": "Nothing"},
            ("fire", "firewood"),
            ("A table", "A river"),
        ),
        base="nothing",
    ),
)


# --- glass prism -----------------------------------------------------------------------------------------------

SPECTRA: dict[str, tuple[str, ...]] = {
    "red": ("red", "orange", "yellow", "green", "blue", "purple"),
    "purple": ("purple", "blue", "green", "yellow", "orange", "red"),
    "green": ("green", "blue", "purple", "red", "orange", "yellow"),
}


def _prism_body(v: Values, art: Art) -> Part:
    form = v["outline"]
    corners = [(0.0, -38.0), (35.0, 23.0), (-35.0, 23.0)]
    if form == "square":
        corners = [(-25.0, -27.0), (25.0, -27.0), (25.0, 23.0), (-25.0, 23.0)]
    elif form == "circle":
        corners = _round(0, -4, 27)
    if v["material"] == "glass":
        tone, cy = art.tone("light blue"), -2.0
        core = [(x * 0.8, cy + (y - cy) * 0.8) for x, y in corners]
        streaks = [_light(_clip(core, 0.87, 0.5, low, low + w), 0.5) for low, w in ((-15, 4.5), (-8, 1.8))]
        return part(
            "body",
            polygon(corners, tone, stroke=None, opacity=0.42),
            polygon(core, shade(tone, 0.3), stroke=None, opacity=0.4),
            streaks,
            polygon(corners, None, width=1.8),
            polygon(core, None, stroke="#ffffff", width=0.8, opacity=0.8),
        )
    pieces: list[Shape] = []
    if v["material"] == "wood":
        for i, x in enumerate(range(-36, 36, 9)):
            tone = shade(art.tone("brown"), 0.12 if i % 2 else 0.0)
            plank = _clip(corners, 1, 0, x, x + 9)
            pieces += [polygon(plank, tone, width=0.9)] if plank else []
            grain = _clip(corners, 1, 0, x + 3.4, x + 4.2)
            pieces += [_dark(grain, 0.25)] if grain else []
    else:
        for row, y in enumerate(range(-40, 26, 8)):
            course = _clip(corners, 0, 1, y, y + 8)
            for k, x in enumerate(range(-44 - 8 * (row % 2), 44, 16)):
                brick = _clip(course, 1, 0, x, x + 16) if course else []
                pieces += [polygon(brick, shade("#b5583f", 0.12 * ((k + row) % 3)), stroke="#efe3d2", width=1.4)] if brick else []
    return part("body", pieces, polygon(corners, None, width=1.8))


def _prism(v: Values, art: Art) -> Sequence[Part]:
    found: list[Part] = []
    wood = art.tone("brown")
    if v["support"] == "stand":
        found.append(
            part(
                "stand",
                rect(-4, 24, 8, 18, shade(wood, 0.1)),
                rect(1, 25, 2.6, 16, shade(wood, -0.12), stroke=None),
                rect(-23, 42, 46, 6.5, shade(wood, 0.1), 3),
                rect(-21, 45.4, 42, 2.4, shade(wood, -0.12), 1.2, stroke=None),
            )
        )
        found.append(part("stand", rect(-29, 22.5, 58, 5.5, shade(wood, 0.1), 2)))
    ax, bx, face = {"triangle": (-61.0, -35.0, 1330.0), "square": (-1.0, 0.0, 25.0), "circle": (-1.0, 0.0, 26.4)}[str(v["outline"])]
    entry, leave = (-(face + 4 * bx) / abs(ax), -4.0), ((face + 4 * bx) / abs(ax), -4.0)
    beam = _clip([(-50, 11), (-50, 18.5), (0, -8.5), (0, -16)], ax, bx, face, 999999)
    found.append(part("incoming light", polygon(beam, art.tone(str(v["light"])))))
    slope = 0.52 if v["direction"] == "down" else -0.52
    near, far = {"far": (6.0, 30.0), "near": (34.0, 7.0), "same": (16.0, 16.0)}[str(v["widest"])]
    x1, x2 = 10.0, 49.5
    y1, y2 = leave[1] + slope * (x1 - leave[0]), leave[1] + slope * (x2 - leave[0])

    def ray(low: float, high: float) -> list[Point]:
        ends = [(x1, y1 + low * near), (x2, y2 + low * far), (x2, y2 + high * far), (x1, y1 + high * near)]
        return _clip(ends, -ax, bx, face, 999999)

    names = SPECTRA[str(v["upper colour"])]
    rays = [polygon(ray(i / 6 - 0.5, (i + 1) / 6 - 0.5), art.tone(name), stroke=None) for i, name in enumerate(names)]
    found += [part("spectrum", rays, polygon(ray(-0.5, 0.5), None, width=1.3)), _prism_body(v, art)]
    if v["material"] == "glass":
        (a, b), (c, d) = entry, leave
        fan = [(a + 1.4, b - 1.8), (c - 1.4, d - 3.4), (c + 0.8, d + 3.4), (a + 0.4, b + 2.2)]
        found.append(part("light inside", polygon(fan, art.tone(str(v["light"])), stroke=None, opacity=0.6)))
    return found


PRISM = Concept(
    name="glass prism",
    phrase="a glass prism",
    plural="glass prisms",
    domain="artifact",
    category=Category.PHYSICS,
    definition="A glass prism is a clear three-sided block that splits white light into a widening band of colors bent toward its base. "
    "Red is bent the least and violet the most.",
    draw=_prism,
    tilt=3,
    facts=(
        Fact(
            "outline",
            "shape",
            "shape",
            "What outline does the body in the middle have in the image?",
            {"triangle": "A triangle", "square": "A square", "circle": "A circle"},
            ("body",),
            ("A star",),
        ),
        Fact(
            "light",
            "color",
            "color",
            "What color is the light before it enters the body in the image?",
            {"white": "White", "red": "Red", "green": "Green"},
            ("incoming light",),
            ("Blue",),
        ),
        Fact(
            "upper colour",
            "relation",
            "details",
            "Which color forms the upper edge of the band of colors in the image?",
            {"red": "Red", "purple": "Purple", "green": "Green"},
            ("spectrum",),
            ("Yellow",),
        ),
        Fact(
            "widest",
            "size",
            "shape",
            "Where is the band of colors widest in the image?",
            {"far": "At its far end", "near": "At the body", "same": "It is equally wide"},
            ("spectrum",),
            ("In its middle",),
        ),
        Fact(
            "direction",
            "posture",
            "shape",
            "Which way do the colors leave the body in the image?",
            {"down": "Downward", "up": "Upward"},
            ("spectrum",),
            ("Straight back", "In all directions"),
        ),
        Fact(
            "material",
            "others",
            "texture",
            "What is the body in the middle made of in the image?",
            {"glass": "Clear glass", "wood": "Wood", "brick": "Bricks"},
            ("body",),
            ("Cloth",),
        ),
    ),
    variation=Variation(
        "a glass prism on a wooden stand",
        "attribute",
        Fact(
            "support",
            "existence",
            "details",
            "What does the body in the middle rest on in the image?",
            {"stand": "A wooden stand", "nothing": "Nothing"},
            ("stand",),
            ("A book", "A hand"),
        ),
        base="nothing",
    ),
)


# --- viking longship -------------------------------------------------------------------------------------------


def _sail(cx: float, half: float, v: Values, art: Art) -> Part:
    top, bottom = -40.0, 3.0
    red, linen = art.tone("red"), "#f4ead2"
    square = v["sail shape"] == "square"
    corners = [(-half, top), (half, top), (half, bottom), (-half, bottom)] if square else [(0.0, top), (half, bottom), (-half, bottom)]

    def bent(points: Sequence[Point]) -> list[Point]:
        found = []
        for x, y in _dense(points):
            t = (y - top) / (bottom - top)
            found.append((cx + x * (1 + 0.1 * math.sin(math.pi * t)), y + 4.5 * t * (1 - (x / half) ** 2)))
        return found

    shapes = [polygon(bent(corners), red if v["sail pattern"] == "plain" else linen)]
    if v["sail pattern"] == "stripes":
        count = 7 if half > 20 else 5 if half > 12 else 3
        step = 2 * half / count
        strips = [_clip(corners, 1, 0, -half + step * i, -half + step * (i + 1)) for i in range(0, count, 2)]
        shapes += [polygon(bent(strip), red, width=0.7) for strip in strips]
    elif v["sail pattern"] == "dots":
        spots = [(0.0, 0.36), (-0.3, 0.64), (0.3, 0.64), (0.0, 0.86), (-0.6, 0.88), (0.6, 0.88)]
        if square:
            spots = [(a, b) for b in (0.18, 0.5, 0.82) for a in (-0.62, 0.0, 0.62)]
        shapes += [polygon(bent(_round(half * a, top + (bottom - top) * b, min(4.6, half * 0.26))), red, stroke=None) for a, b in spots]
    shapes += [_dark(bent(_clip(corners, 1, 0, half * 0.45, half - 0.3)), 0.1), polygon(bent(corners), None)]
    return part("sail", shapes)


def _hull(v: Values, tone: str) -> list[Part]:
    found = []
    if v["ends"] == "curved":
        stern = "M-37,22 C-45,10 -47,-4 -41,-12 C-37,-17 -31,-12 -35,-8"
        prow = "M37,22 C44,10 46,-2 42,-15"
        for d in (stern, prow):
            found.append(part("post", *(path(d, None, stroke=c, width=w) for c, w in ((INK, 7.4), (tone, 5.0), (shade(tone, 0.25), 1.2)))))
        head = "M38.6,-13 C38,-22 41,-27 46,-26 C49,-25.5 50,-23.5 49.6,-21.5 L45.5,-20.6 L48.6,-18.4 C47.6,-16.6 46,-16.4 45.2,-13 Z"
        ear, eye = path("M41,-24 l-2.4,-4.6 l5,2.6 Z", tone), circle(44.2, -23, 1.1, "#f7f0d8", width=0.6)
        found.append(part("carved head", path(head, tone), ear, eye))
        body = "M-40,11 C-28,18 -12,20 0,20 C12,20 28,18 40,11 C39,25 31,36.5 15,37.5 L-15,37.5 C-31,36.5 -39,25 -40,11 Z"
        under = "M-33.5,29 C-20,33 20,33 33.5,29 C29,34.5 23,37 15,37 L-15,37 C-23,37 -29,34.5 -33.5,29 Z"
        planks = ["M-37.5,20 C-20,26.5 20,26.5 37.5,20", "M-34,28 C-20,32.5 20,32.5 34,28"]
    else:
        planks = ["M-44,25 H44", "M-44,31 H44"]
        body = "M-44,18 H44 V37.5 H-44 Z"
        under = "M-43.4,31 H43.4 V37 H-43.4 Z"
    lines = [path(d, None, stroke=shade(tone, -0.4), width=0.8) for d in planks]
    return [*found, part("hull", path(body, tone), path(under, shade(tone, -0.18), stroke=None), lines)]


def _side(v: Values, art: Art) -> list[Part]:
    found = []
    for i in range(6):
        x = -27.5 + 11 * i
        y = 22.5 - 0.0035 * x * x
        if v["side"] == "shields":
            tone = art.tone(("yellow", "red", "blue")[i % 3])
            cross = [line([polar(x, y, 4.6, a), polar(x, y, 4.6, a + 180)], shade(tone, -0.3), 0.8) for a in (45, 135)]
            found.append(part("shield", circle(x, y, 5.1, tone), cross, circle(x, y, 1.6, "#d5d8dd", width=0.8)))
        elif v["side"] == "windows":
            found.append(part("window", rect(x - 3.4, y - 2.4, 6.8, 7.4, "#cfe9f5"), line([(x, y - 2.4), (x, y + 5)], INK, 0.9)))
    return found


def _longship(v: Values, art: Art) -> Sequence[Part]:
    count, wood = int(v["sails"]), art.tone("brown")
    half, centres = {1: (26.0, (0.0,)), 2: (15.0, (-18.0, 18.0)), 3: (9.5, (-24.0, 0.0, 24.0))}[count]
    found = [part("rope", line([(x, -46), (s * 38, 14)], shade(wood, -0.3), 0.7)) for x, s in ((centres[0], -1), (centres[-1], 1))]
    for cx in centres:
        found.append(part("mast", rect(cx - 1.7, -48, 3.4, 68, shade(wood, 0.12))))
        found.append(_sail(cx, half, v, art))
        if v["sail shape"] == "square":
            found.append(part("yard", rect(cx - half - 1.5, -42.4, 2 * half + 3, 3.6, shade(wood, 0.12), 1.8)))
        found.append(part("pennant", path(f"M{cx},-49 l8,2.4 l-8,2.4 Z", art.tone("yellow"), width=0.8)))
    found += _hull(v, wood)
    found += _side(v, art)
    if v["scene"] == "sea":
        foam = "M-43,37.5 q5,-5 10.7,0 t10.8,0 t10.7,0 t10.8,0 t10.7,0 t10.8,0 t10.7,0 t10.8,0 q-5,4.5 -20,4.5 H-24 q-15,0 -19,-4.5 Z"
        found.append(part("wave", path(foam, "#5b9fd4", stroke=None), path(foam.split(" q-5,4.5")[0], None, stroke="#e4f3fa", width=1.3)))
    if v["rowing"] == "oars":
        for i in range(6):
            x, ash = -19.5 + 10.5 * i, "#dcb67f"
            blade = ellipse(0, 0, 2.4, 4.6, ash)
            found.append(part("oar", _stick((x, 28), (x - 9, 41), ash, 1.6)))
            found.append(part("oar blade", blade).moved(f"translate({x - 11:.1f} 43.6) rotate(35)"))
    return found


LONGSHIP = Concept(
    name="viking longship",
    phrase="a viking longship",
    plural="viking longships",
    domain="artifact",
    category=Category.WESTERN_AFRICAN_MEDIEVAL,
    definition="A viking longship is a slender wooden seagoing ship with a single square, often striped sail. "
    "Its two ends curve upward and round shields could be hung along its side.",
    draw=_longship,
    scene="sea",
    tilt=3,
    facts=(
        Fact(
            "sails",
            "counting",
            "details",
            "How many sails does the vessel in the image carry?",
            {1: "One", 2: "Two", 3: "Three"},
            ("sail",),
            ("Five",),
        ),
        Fact(
            "sail shape",
            "shape",
            "shape",
            "What shape is each sail in the image?",
            {"square": "Four-cornered", "triangle": "Triangular"},
            ("sail",),
            ("Round", "Crescent-shaped"),
        ),
        Fact(
            "sail pattern",
            "others",
            "texture",
            "What pattern does the sailcloth show in the image?",
            {"stripes": "Stripes", "dots": "Dots", "plain": "No pattern"},
            ("sail",),
            ("Checks",),
        ),
        Fact(
            "side",
            "existence",
            "details",
            "What lines the side of the hull in the image?",
            {"shields": "Round shields", "windows": "Windows", "nothing": "Nothing"},
            ("hull", "shield"),
            ("Cannons",),
        ),
        Fact(
            "ends",
            "posture",
            "shape",
            "How do the two ends of the hull run in the image?",
            {"curved": "Curved upward", "flat": "Cut off straight"},
            ("hull", "post"),
            ("Bent downward", "Rolled inward"),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the vessel in the image?",
            {"sea": "On the open sea", "desert": "In a desert", "space": "In outer space", "room": "In a room"},
            (),
        ),
    ),
    variation=Variation(
        "a viking longship being rowed with oars",
        "action",
        Fact(
            "rowing",
            "existence",
            "details",
            "What reaches from the hull down to the water in the image?",
            {"oars": "Oars", "nothing": "Nothing"},
            ("oar",),
            ("Ladders", "Fishing nets"),
        ),
        base="nothing",
    ),
)


# --- flags -----------------------------------------------------------------------------------------------------

HOIST, FLY, UPPER, LOWER = -41.0, 48.0, -40.0, 19.0


def _cloth(points: Sequence[Point], fill: str, swell: float, stroke: str | None = INK) -> list[Shape]:
    """A piece of the flag's cloth, bent by the wind, with the shadows of the folds."""

    def bent(piece: Sequence[Point]) -> list[Point]:
        found = []
        for x, y in _dense(piece):
            t = (x - HOIST) / (FLY - HOIST)
            found.append((x, y + swell * math.sin(2 * math.pi * 1.15 * t) * min(1.0, 2.5 * t)))
        return found

    folds = []
    for middle in (0.31, 0.75) if swell else ():
        for reach in (0.16, 0.12, 0.08, 0.04):
            piece = _clip(points, 1, 0, HOIST + (middle - reach) * (FLY - HOIST), HOIST + (middle + reach) * (FLY - HOIST))
            folds += [_dark(bent(piece), 0.012 + 0.004 * swell)] if len(piece) > 2 else []
    return [polygon(bent(points), fill, stroke=None), *folds, *([polygon(bent(points), None, stroke=stroke)] if stroke else [])]


def _pole(art: Art) -> Part:
    tone = art.tone("gold")
    shaft, dim = rect(HOIST - 5, -44, 5, 93, "#b9bdc6", 1.5), rect(HOIST - 2.4, -43, 1.8, 91, "#8f94a0", stroke=None)
    return part("pole", shaft, dim, _ball(HOIST - 2.5, -45.4, 3.8, tone))


def _flag_of_france(v: Values, art: Art) -> Sequence[Part]:
    corners = [(HOIST, UPPER), (FLY, UPPER), (FLY, LOWER), (HOIST, LOWER)]
    if v["outline"] == "triangle":
        corners = [(HOIST, UPPER - 2), (FLY, (UPPER + LOWER) / 2), (HOIST, LOWER + 2)]
    first, last = str(v["outer colours"]).split()
    middle = str(v["middle colour"])
    colours = [first, middle, last] if v["bands"] == 3 else [first, last, middle, first, last]
    a, b = {"vertical": (1.0, 0.0), "horizontal": (0.0, 1.0), "diagonal": (0.64, 0.77)}[str(v["direction"])]
    along = [a * x + b * y for x, y in corners]
    weights = [2.6 if v["widest"] == "middle" and i == len(colours) // 2 else 1.0 for i in range(len(colours))]
    unit = (max(along) - min(along)) / sum(weights)
    swell = 5.5 if v["cloth"] == "waves" else 0.0
    start, bands = min(along), []
    for name, weight in zip(colours, weights, strict=True):
        bands.append(part("band", _cloth(_clip(corners, a, b, start, start + unit * weight), art.tone(name), swell)))
        start += unit * weight
    return [_pole(art), *bands]


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
            {"blue red": "Blue and red", "green red": "Green and red", "blue green": "Blue and green"},
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


def _emblem(form: str, x: float, y: float, r: float) -> list[Point]:
    if form == "star":
        return [polar(x, y, r * (1.12 if i % 2 == 0 else 0.48), -90 + 36 * i) for i in range(10)]
    if form == "square":
        return [polar(x, y, r * 1.22, a) for a in (-45, 45, 135, 225)]
    return _round(x, y, r)


def _flag_of_japan(v: Values, art: Art) -> Sequence[Part]:
    corners = [(HOIST, UPPER), (FLY, UPPER), (FLY, LOWER), (HOIST, LOWER)]
    r = 17.7 if v["emblem size"] == "large" else 8.5
    x, y = (HOIST + FLY) / 2, (UPPER + LOWER) / 2
    if v["place"] == "pole":
        x = HOIST + r + 4
    elif v["place"] == "corner":
        x, y = FLY - r - 4, LOWER - r - 3
    field, tone, swell = art.tone(str(v["field"])), art.tone(str(v["emblem colour"])), 2.4
    found = [_pole(art), part("field", _cloth(corners, field, swell))]

    def inside(points: Sequence[Point]) -> list[Point]:
        return _clip(_clip(points, 1, 0, HOIST + 0.7, FLY - 0.7), 0, 1, UPPER + 0.7, LOWER - 0.7)

    if v["around"] == "rays":
        for i in range(12):
            tips, roots = [polar(x, y, 140, 30 * i + s) for s in (-7.5, 7.5)], [polar(x, y, r * 1.45, 30 * i + s) for s in (7.5, -7.5)]
            piece = inside([*tips, *roots])
            found += [part("ray", _cloth(piece, tone, swell, stroke=None))] if len(piece) > 2 else []
    elif v["around"] == "ring":
        outer, inner = inside(_round(x, y, r * 1.34 + 4)), inside(_round(x, y, r * 1.34))
        found.append(part("ring", _cloth(outer, tone, swell), _cloth(inner, field, swell)))
    return [*found, part("emblem", _cloth(_emblem(str(v["emblem shape"]), x, y, r), tone, swell))]


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


# --- bar magnet ------------------------------------------------------------------------------------------------


def _nail(length: float) -> list[Shape]:
    tone = "#a9b0bb"
    shaft = polygon([(2, -1.6), (length - 5, -1.6), (length, 0), (length - 5, 1.6), (2, 1.6)], tone, width=0.9)
    return [shaft, _dark([(3, 0.3), (length - 3, 0.3), (length - 5, 1.3), (3, 1.3)], 0.2), rect(0, -3.4, 2.6, 6.8, tone, 0.8, width=0.9)]


def _leaf(length: float, art: Art) -> list[Shape]:
    tone = art.tone("green")
    blade = f"M0,0 C{length * 0.3},-7 {length * 0.7},-6 {length},0 C{length * 0.7},6 {length * 0.3},7 0,0 Z"
    return [path(blade, tone), line([(0, 0), (length - 3, 0)], shade(tone, -0.3), 0.9)]


def _pencil(length: float, art: Art) -> list[Shape]:
    tone = art.tone("yellow")
    tip = polygon([(length - 5, -2.6), (length, 0), (length - 5, 2.6)], "#f0dcb4", width=0.9)
    wood, rubber = rect(0, -2.6, length - 5, 5.2, tone, width=0.9), rect(0, -2.6, 3, 5.2, "#e79aa9", width=0.9)
    return [wood, rubber, tip, circle(length - 0.8, 0, 0.9, INK, stroke=None)]


def _clinging(v: Values, reach: float, art: Art) -> list[Part]:
    found = []
    for side in (0, 180):
        for turn, y in ((-32, -5.4), (0, 0.0), (32, 5.4)):
            length = 48.5 - reach
            if v["clinging"] == "nails":
                item = part("nail", _nail(length))
            elif v["clinging"] == "leaves":
                item = part("leaf", _leaf(length, art))
            else:
                item = part("pencil", _pencil(length, art))
            found.append(item.moved(f"rotate({side}) translate({reach + 0.3:.2f} {y}) rotate({turn})"))
    return found


def _field_lines(v: Values, reach: float) -> list[Part]:
    tone, found = "#5a6273", []
    for side in (-1, 1):
        if v["lines"] == "loops":
            for spread, height in ((7.0, 25.0), (13.0, 36.0), (18.0, 47.0)):
                y, e = side * height / 0.75, reach - 3
                arrow = [(-2.2, side * height - 3), (3.2, side * height), (-2.2, side * height + 3)]
                loop = path(f"M{e},0 C{e + spread},{y:.1f} {-e - spread},{y:.1f} {-e},0", None, stroke=tone, width=1.6)
                found.append(part("field line", loop, polygon(arrow, tone, stroke=None)))
        elif v["lines"] == "rays":
            for angle in range(35, 150, 22):
                found.append(part("field line", line([polar(0, 0, 26, side * angle), polar(0, 0, 47, side * angle)], tone, 1.6)))
        else:
            for height in (27.0, 36.0, 45.0):
                wave = [(-46 + 1.15 * i, side * height + 2.6 * math.sin(i * 0.5)) for i in range(81)]
                found.append(part("field line", line(wave, tone, 1.6)))
    return found


def _magnet(v: Values, art: Art) -> Sequence[Part]:
    reach, height = {"bar": (28.0, 9.5), "disc": (21.0, 21.0), "diamond": (28.0, 20.0)}[str(v["form"])]
    outline = {
        "bar": [(-reach, -height), (reach, -height), (reach, height), (-reach, height)],
        "disc": _round(0, 0, 21),
        "diamond": [(-reach, 0.0), (0.0, -height), (reach, 0.0), (0.0, height)],
    }[str(v["form"])]
    count = int(v["sections"])
    weights = [2.4 if v["lengths"] == "unequal" and i == 0 else 1.0 for i in range(count)]
    unit, start, sections = 2 * reach / sum(weights), -reach, []
    names = str(v["colours"]).split()
    for i, weight in enumerate(weights):
        piece, tone = _clip(outline, 1, 0, start, start + unit * weight), art.tone(names[i % 2])
        lit, dim = _clip(piece, 0, 1, -height * 0.72, -height * 0.45), _clip(piece, 0, 1, height * 0.5, height)
        extra = ([_light(lit)] if len(lit) > 2 else []) + ([_dark(dim, 0.16)] if len(dim) > 2 else [])
        sections.append(part("section", polygon(piece, tone, stroke=None), extra, polygon(piece, None)))
        start += unit * weight
    found = [*_field_lines(v, reach), *_clinging(v, reach, art), *sections]
    return [p.moved("rotate(90)") for p in found] if v["position"] == "upright" else found


MAGNET = Concept(
    name="bar magnet",
    phrase="a bar magnet",
    plural="bar magnets",
    domain="artifact",
    category=Category.PHYSICS,
    definition="A bar magnet is a straight magnet with two poles, often painted as a red and a blue half, and iron clings to its ends. "
    "Its field lines run in loops from one end to the other.",
    draw=_magnet,
    tilt=4,
    facts=(
        Fact(
            "sections",
            "counting",
            "details",
            "How many colored sections does the object in the image have?",
            {2: "Two", 3: "Three", 4: "Four"},
            ("section",),
            ("Six",),
        ),
        Fact(
            "colours",
            "color",
            "color",
            "Which two colors does the object show in the image?",
            {"red blue": "Red and blue", "yellow purple": "Yellow and purple", "white black": "White and black"},
            ("section",),
            ("Pink and brown",),
        ),
        Fact(
            "lengths",
            "size",
            "shape",
            "How long are the colored sections compared with each other in the image?",
            {"equal": "Equally long", "unequal": "One is much longer"},
            ("section",),
            ("Each one differs", "One is very thin"),
        ),
        Fact(
            "form",
            "shape",
            "shape",
            "What shape is the colored object in the image?",
            {"bar": "A straight bar", "disc": "A round disc", "diamond": "A diamond"},
            ("section",),
            ("A horseshoe",),
        ),
        Fact(
            "lines",
            "relation",
            "details",
            "How do the thin lines around the object run in the image?",
            {"loops": "In loops between the ends", "rays": "Straight outward", "waves": "In waves past it"},
            ("field line",),
            ("In one spiral",),
        ),
        Fact(
            "clinging",
            "existence",
            "details",
            "Which things cling to the ends of the object in the image?",
            {"nails": "Iron nails", "leaves": "Leaves", "pencils": "Pencils"},
            ("nail",),
            ("Feathers",),
        ),
    ),
    variation=Variation(
        "a bar magnet standing upright",
        "action",
        Fact(
            "position",
            "posture",
            "shape",
            "How is the colored object placed in the image?",
            {"upright": "Upright", "lying": "Lying level"},
            ("section",),
            ("On a slope", "Upside down"),
        ),
        base="lying",
    ),
)

CONCEPTS: tuple[Concept, ...] = (METHANE, WATER, TRAFFIC_LIGHT, POT, PRISM, LONGSHIP, FLAG_OF_FRANCE, FLAG_OF_JAPAN, MAGNET)
