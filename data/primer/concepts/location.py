"""Primer concepts of the domain location."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from data.primer.drawing import Art, Part, Point, Shape, circle, ellipse, line, part, path, polygon, rect, shade
from data.primer.world import Concept, Fact, Values, Variation
from data.records import Category

# A surface maps (s, t), both 0 to 1 from left to right and from top to bottom, to a point of the drawing.
Surface = Callable[[float, float], Point]
Height = Callable[[float], float]

DARK = "#3a332f"
GRASS = "#8dbb69"
WATER = "#4d9fd0"


def _mix(a: float, b: float, t: float) -> float:
    return a + (b - a) * t


def _quad(top_left: Point, top_right: Point, bottom_left: Point, bottom_right: Point) -> Surface:
    def at(s: float, t: float) -> Point:
        left = _mix(top_left[0], bottom_left[0], t), _mix(top_left[1], bottom_left[1], t)
        right = _mix(top_right[0], bottom_right[0], t), _mix(top_right[1], bottom_right[1], t)
        return _mix(left[0], right[0], s), _mix(left[1], right[1], s)

    return at


def _box(x: float, y: float, w: float, h: float) -> Surface:
    return _quad((x, y), (x + w, y), (x, y + h), (x + w, y + h))


def _outline(at: Surface, steps: int = 16) -> list[Point]:
    right = [at(1, i / steps) for i in range(steps + 1)]
    left = [at(0, 1 - i / steps) for i in range(steps + 1)]
    return right + left


def _across(at: Surface, t: float) -> list[Point]:
    return [at(i / 24, t) for i in range(25)]


def _strokes(lines: Sequence[Sequence[Point]], colour: str, width: float, opacity: float = 1.0) -> Shape:
    """Many open lines as one shape."""
    d = " ".join("M" + " L".join(f"{x:.2f},{y:.2f}" for x, y in points) for points in lines)
    return Shape(d, None, colour, width, opacity)


def _span(at: Surface, t: float) -> float:
    return math.dist(at(0, t), at(1, t))


def _masonry(at: Surface, rows: int, step: float) -> list[list[Point]]:
    lines = [_across(at, row / rows) for row in range(1, rows)]
    for row in range(rows):
        count = max(1, round(_span(at, (row + 0.5) / rows) / (step * 1.8)))
        for j in range(count + 1):
            s = (j + 0.5 * (row % 2)) / count
            if 0.02 < s < 0.98:
                lines.append([at(s, row / rows), at(s, (row + 1) / rows)])
    return lines


def _uprights(at: Surface, step: float) -> list[list[Point]]:
    count = max(2, round(_span(at, 0.8) / step))
    return [[at(j / count, t / 8) for t in range(9)] for j in range(1, count)]


def _crosses(at: Surface, rows: int, step: float) -> list[list[Point]]:
    count = max(1, round(_span(at, 0.5) / step))
    lines = []
    for row in range(rows):
        top, foot = row / rows, (row + 1) / rows
        for j in range(count):
            left, right = j / count, (j + 1) / count
            lines += [[at(left, top), at(right, foot)], [at(right, top), at(left, foot)]]
    return lines


def _pattern(kind: str, at: Surface, step: float, tone: str, width: float = 0.9) -> list[Shape]:
    """The marks of a material on a surface; `step` is the height of a block or the width of a plank."""
    ink = shade(tone, -0.5)
    rows = max(2, round(math.dist(at(0.5, 0), at(0.5, 1)) / step))
    if kind == "blocks":
        return [_strokes(_masonry(at, rows, step), ink, width)]
    if kind == "planks":
        nails = [circle(*at(s, t), 0.7, ink, stroke=None) for s in (0.12, 0.5, 0.88) for t in (0.2, 0.85)]
        return [_strokes(_uprights(at, step * 0.9), ink, width), *nails]
    if kind == "lattice":
        return [_strokes(_crosses(at, rows, step), ink, width)]
    if kind == "glass":
        panes = _uprights(at, step * 1.5) + [_across(at, row / rows) for row in range(1, rows)]
        shines = [_sheen(at, s, 0.16) for s in (0.1, 0.6)]
        return [*shines, _strokes(panes, "#f6fbfd", width * 1.5)]
    return [_sheen(at, 0.12, 0.14), _sheen(at, 0.34, 0.05)]


def _sheen(at: Surface, s: float, wide: float) -> Shape:
    corners = [at(s + 0.18, 0.08), at(s + 0.18 + wide, 0.08), at(s + wide, 0.92), at(s, 0.92)]
    return polygon(corners, "#ffffff", stroke=None, opacity=0.45)


def _edge(kind: str, top: Height, left: float, right: float, count: int, high: float) -> list[Point]:
    """The upper outline of a wall from left to right: square teeth, spikes, round bumps or smooth."""
    pitch = (right - left) / (count * 2 - 1 if kind == "teeth" else count)
    points: list[Point] = []
    if kind == "teeth":
        for i in range(count * 2 - 1):
            a, rise = left + i * pitch, high if i % 2 == 0 else 0.0
            points += [(x, top(x) - rise) for x in (a, a + pitch)]
    elif kind == "spikes":
        for i in range(count):
            points += [(left + (i + f) * pitch, top(left + (i + f) * pitch) - rise) for f, rise in ((0, 0), (0.5, high * 1.5), (1, 0))]
    elif kind == "bumps":
        for i in range(count):
            for k in range(9):
                x = left + (i + 0.5 - 0.5 * math.cos(math.pi * k / 8)) * pitch
                points.append((x, top(x) - high * 1.1 * math.sin(math.pi * k / 8)))
    else:
        points = [(_mix(left, right, i / 24), top(_mix(left, right, i / 24)) - high * 0.4) for i in range(25)]
    return points


def _plot() -> Part:
    """The patch of ground below a building."""
    return part("ground", ellipse(0, 46.5, 50, 3.5, "#cbbd9b", stroke=None), ellipse(0, 47, 40, 2, "#b3a482", stroke=None))


def _leaning(parts: Sequence[Part], degrees: float) -> list[Part]:
    return [replace(p, transform=f"skewX({-degrees:g}) {p.transform}".strip()) for p in parts]


# --- the pyramids of Giza --------------------------------------------------------------------------------------

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
        return _quad(apex, apex, (x - w, base), corner), _quad(apex, apex, corner, (x + w, base - w * 0.04))
    if kind == "block":
        left, top, split, right = x - w * 0.86, base - high * 0.8, x + w * 0.36, x + w * 0.86
        lit = _box(left, top, split - left, base + w * 0.05 - top)
        return lit, _quad((split, top), (right, top + w * 0.06), (split, base + w * 0.05), (right, base - w * 0.04))

    def dome(start: float, end: float) -> Surface:
        def at(s: float, t: float) -> Point:
            half = w * 0.92 * math.sqrt(max(0.0, 1 - (1 - t) ** 2))
            return x + half * _mix(start, end, s), base - high * 0.78 * (1 - t)

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
        shadow = ellipse(x + w * 0.12, base, w * 1.05, w * 0.1, "#000000", stroke=None, opacity=0.13)
        sides = [
            polygon(_outline(lit), tone, stroke=None),
            polygon(_outline(dark), shade(tone, -0.26), stroke=None),
            *_pattern(str(v["surface"]), lit, 5.6, tone, 0.8),
            *_pattern(str(v["surface"]), dark, 5.6, shade(tone, -0.2), 0.8),
            polygon(_outline(lit), None),
            polygon(_outline(dark), None),
        ]
        parts.append(part("pyramid", shadow, sides))
        if v["tops"] == "gold":
            tips = [polygon(_outline(_cap(lit)), shade(gold, 0.12)), polygon(_outline(_cap(dark)), shade(gold, -0.2))]
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
            {"blocks": "Rows of stone blocks", "glass": "Glass panes", "smooth": "Smooth and shiny"},
            ("pyramid",),
            ("Wooden planks",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where are the buildings in the image?",
            {"desert": "In a desert", "snow": "In the snow", "underwater": "Under water", "meadow": "In a meadow"},
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


# --- the Parthenon ---------------------------------------------------------------------------------------------


def _column(x: float, w: float, lean: float, kind: str, tone: str) -> Part:
    top, foot = -10.0, 29.0
    shaft = _quad((x + lean - w * 0.39, top + 4), (x + lean + w * 0.39, top + 4), (x - lean - w * 0.46, foot), (x - lean + w * 0.46, foot))
    side = _quad(shaft(0.66, 0), shaft(1, 0), shaft(0.66, 1), shaft(1, 1))
    ink = shade(tone, -0.5)
    if kind == "grooves":
        marks = _strokes([[shaft(s, 0.03), shaft(s, 1)] for s in (0.33, 0.67)], ink, 1.0)
    elif kind == "rings":
        marks = _strokes([[shaft(0, t), shaft(1, t)] for t in (0.14, 0.32, 0.5, 0.68, 0.86)], ink, 2.4)
    else:
        marks = _strokes([[shaft(0, t + 0.13), shaft(1, t)] for t in (0.04, 0.24, 0.44, 0.64, 0.84)], ink, 2.2)
    head = x + lean
    block = [(head - w * 0.56, top), (head + w * 0.56, top), (head + w * 0.4, top + 4), (head - w * 0.4, top + 4)]
    return part(
        "column",
        polygon(_outline(shaft), tone, stroke=None),
        polygon(_outline(side), shade(tone, -0.13), stroke=None),
        marks,
        polygon(_outline(shaft), None, width=1.0),
        polygon(block, tone, width=1.0),
    )


def _relief(x: float, high: float, tone: str) -> list[Shape]:
    """A robed figure carved in stone, standing at x with height `high`."""
    neck = -25 - high * 0.7
    robe = path(f"M{x - 3.2},-25 Q{x - 1.6},{neck:.2f} {x},{neck:.2f} Q{x + 1.6},{neck:.2f} {x + 3.2},-25 Z", tone, width=0.7)
    return [robe, circle(x, neck - high * 0.12, 1.0 + high * 0.07, tone, width=0.7)]


def _gable(kind: str, tone: str) -> Part:
    if kind == "triangle":
        outer, inner = [(-50, -22), (0, -48), (50, -22)], [(-36, -25), (0, -43.5), (36, -25)]
        shapes = [polygon(outer, tone), polygon(inner, shade(tone, -0.2), width=0.9)]
    elif kind == "dome":
        outer_d, inner_d = "M-48,-22 A48,27 0 0,1 48,-22 Z", "M-40,-25 A40,19 0 0,1 40,-25 Z"
        shapes = [path(outer_d, tone), path(inner_d, shade(tone, -0.2), width=0.9)]
    else:
        shapes = [rect(-48, -46, 96, 24, tone), rect(-43, -42, 86, 16, shade(tone, -0.2), width=0.9)]
    figures = [figure for x, high in ((-19, 5), (-9.5, 8), (0, 11), (9.5, 8), (19, 5)) for figure in _relief(x, high, shade(tone, 0.1))]
    return part("gable", shapes, figures)


def _footing(kind: str, tone: str) -> Part:
    if kind == "stilts":
        posts = [rect(x - 2.6, 31, 5.2, 17, "#8a5a35") for x in (-42, -21, 0, 21, 42)]
        return part("stilts", posts, rect(-48, 28.5, 96, 5.5, tone))
    if kind == "arches":
        holes = [path(f"M{x - 6.4},48 V42 a6.4,7 0 0,1 12.8,0 V48 Z", shade(tone, -0.62), width=1.0) for x in (-36, -18, 0, 18, 36)]
        return part("arches", rect(-48, 28.5, 96, 19.5, tone), holes)
    steps = [rect(-50 + 3 * i, 41.6 - 6.4 * i, 100 - 6 * i, 6.4, shade(tone, -0.05)) for i in range(3)]
    edges = [rect(-49.3 + 3 * i, 45.4 - 6.4 * i, 98.6 - 6 * i, 2, shade(tone, -0.22), stroke=None) for i in range(3)]
    return part("steps", steps, edges)


def _parthenon(v: Values, art: Art) -> Sequence[Part]:
    tone, count = art.tone(str(v["colour"])), int(v["columns"])
    tone = shade(tone, -0.03) if v["colour"] == "white" else tone
    lean = 6.5 if v["stand"] == "leaning" else 0.0
    w = {8: 7.8, 6: 8.6, 4: 9.6}[count]
    reach = 41 - lean
    hall = part("hall", rect(-43, -12, 86, 41, shade(tone, -0.52)), rect(-11, 0, 22, 29, shade(tone, -0.66), stroke=None))
    columns = [_column(_mix(-reach, reach, i / (count - 1)), w, lean, str(v["surface"]), tone) for i in range(count)]
    frieze = [rect(-46 + 8.74 * i, -20, 4.6, 5.4, shade(tone, -0.28), stroke=None) for i in range(11)]
    beam = part("beam", rect(-48, -22, 96, 12, tone), frieze, line([(-48, -13), (48, -13)], width=0.9))
    return [_plot(), _footing(str(v["base"]), tone), hall, *columns, beam, _gable(str(v["gable"]), tone)]


PARTHENON = Concept(
    name="Parthenon",
    phrase="the Parthenon",
    plural="Parthenons",
    domain="location",
    category=Category.WESTERN_AFRICAN_ANCIENT,
    definition="The Parthenon is a Greek temple of white marble that stands on wide steps. "
    "Eight upright columns with vertical grooves carry a triangular gable at its front.",
    draw=_parthenon,
    scene="day",
    tilt=1.5,
    facts=(
        Fact(
            "columns",
            "counting",
            "details",
            "How many columns stand at the front of the building in the image?",
            {8: "Eight", 6: "Six", 4: "Four"},
            ("column",),
            ("Two",),
        ),
        Fact(
            "gable",
            "shape",
            "shape",
            "What shape is the part above the columns in the image?",
            {"triangle": "A triangle", "dome": "A half circle", "flat": "A rectangle"},
            ("gable",),
            ("A star",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the stone of the building in the image?",
            {"white": "White", "red": "Red", "blue": "Blue", "green": "Green"},
            ("column", "gable", "beam"),
        ),
        Fact(
            "base",
            "relation",
            "details",
            "What does the building stand on in the image?",
            {"steps": "On wide steps", "stilts": "On wooden stilts", "arches": "On arches"},
            ("steps", "stilts", "arches"),
            ("On a boat",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What pattern do the columns have in the image?",
            {"grooves": "Vertical grooves", "rings": "Horizontal rings", "spiral": "Slanted bands"},
            ("column",),
            ("Dots",),
        ),
        Fact(
            "stand",
            "posture",
            "shape",
            "How do the columns stand in the image?",
            {"upright": "Upright", "leaning": "Leaning to one side"},
            ("column",),
            ("Lying down", "Crossed"),
        ),
    ),
    variation=Variation(
        "the Parthenon at night",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where or when is the building shown in the image?",
            {"night": "At night", "day": "Under a blue sky", "snow": "In the snow"},
            (),
            ("Under water",),
        ),
        base="day",
    ),
)


# --- Stonehenge ------------------------------------------------------------------------------------------------

# Centre, foot, width and height of every group of stones, the far ones first.
_STANDS: dict[str, list[tuple[float, float, float, float]]] = {
    "ring": [(0, 5, 25, 34), (-35, 14, 26, 36), (35, 14, 26, 36), (-21, 47, 31, 34), (21, 47, 31, 34)],
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

    outline = [rough(s, t) for s, t in _BOULDER] if kind == "rough" else [at(0, 0), at(1, 0), at(1, 1), at(0, 1)]
    side = polygon([at(0.68, 0.02), at(0.97, 0.04), at(0.98, 0.97), at(0.6, 0.98), at(0.74, 0.5)], shade(tone, -0.2), stroke=None)
    if kind == "rough":
        spots = [circle(*at(s, t), art.vary(0.6, 1.0), shade(tone, -0.3), stroke=None) for s, t in _PITS]
        marks = [*spots, polygon([at(0.1, 0.06), at(0.4, 0.06), at(0.3, 0.3), at(0.12, 0.26)], shade(tone, 0.3), stroke=None)]
    else:
        marks = _pattern(kind, at, 4.6 if kind == "blocks" else 2.9, tone, 0.9)
    return part(name, polygon(outline, tone, stroke=None), side, marks, polygon(outline, None))


def _stonehenge(v: Values, art: Art) -> Sequence[Part]:
    kind, tone, count = str(v["material"]), art.tone(str(v["paint"])), int(v["uprights"])
    parts: list[Part] = []
    for x, foot, w, h in _STANDS[str(v["arrangement"])]:
        lean = h * 0.16 if v["stand"] == "leaning" else 0.0
        wide = w * (0.34 if count == 1 else 0.28 if count == 2 else 0.23)
        thick, reach = h * 0.19, w / 2 - wide / 2
        centres = [x] if count == 1 else [_mix(x - reach, x + reach, i / (count - 1)) for i in range(count)]
        shadow = ellipse(x + 1, foot, w * 0.56, h * 0.07, "#000000", stroke=None, opacity=0.16)
        parts.append(part("shadow", shadow))
        top = foot - h + thick
        for c in centres:
            head, heel = c + lean, c - lean
            at = _quad((head - wide * 0.46, top), (head + wide * 0.46, top), (heel - wide / 2, foot), (heel + wide / 2, foot))
            parts.append(_stone(at, kind, tone, "upright stone", art))
        y, shift = {"top": (top - thick, lean), "middle": (foot - h * 0.54, 0.0), "ground": (foot - thick * 0.55, 0.0)}[str(v["lintel"])]
        parts.append(_stone(_box(x + shift - w * 0.52, y, w * 1.04, thick * 1.12), kind, shade(tone, 0.1), "top stone", art))
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
            {"meadow": "In a meadow", "desert": "In a desert", "snow": "In the snow", "underwater": "Under water"},
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


# --- the Great Wall of China -----------------------------------------------------------------------------------

_RIDGE: list[Point] = [(-50, 16), (-26, 2), (-4, 15), (23, -12), (50, 10)]


def _ridge(x: float) -> float:
    for (x0, y0), (x1, y1) in pairwise(_RIDGE):
        if x <= x1:
            return _mix(y0, y1, 0.5 - 0.5 * math.cos(math.pi * (x - x0) / (x1 - x0)))
    return _RIDGE[-1][1]


def _level(x: float) -> float:
    return 2.0


def _mountains(snowy: bool) -> list[Part]:
    far, mid, near = ("#c9d6e6", "#aebfd6", "#f1f6fb") if snowy else ("#a8c3bd", "#7fa893", GRASS)
    outline = [(-49, 34), (-38, -4), (-29, -17), (-20, -11), (-4, -45), (6, -33), (14, -37), (36, -8), (49, 34)]
    flank = [(-4, -45), (6, -33), (14, -37), (36, -8), (49, 34), (20, 20), (13, -14), (4, -24)]
    back = part("far mountains", polygon(outline, far), polygon(flank, mid, stroke=None), polygon(outline, None))
    brow = [(x, _ridge(x) + 11) for x in range(-47, 48)]
    hill = [*brow, (49, 36), (50, 45), (34, 48), (0, 49.5), (-34, 48), (-50, 45), (-49, 36)]
    dusk = [(x, _ridge(x) + 11) for x in range(26, 48)] + [(49, 36), (49.5, 44.6), (34, 47.5), (24, 48), (31, 32), (25, 18)]
    creases = ("M-27,26 q-5,8 -11,13", "M-4,33 q4,6 -1,11", "M15,20 q-5,12 0,21")
    folds = [path(d, None, stroke=shade(near, -0.25), width=1.0) for d in creases]
    leaf = shade(near, -0.12 if snowy else -0.28)
    trees = [circle(x, y, r, leaf, width=0.9) for x, y, r in ((-41, 40, 3.8), (-35, 42, 2.8), (6, 43, 3.2), (38, 41, 3.8), (43, 43, 2.6))]
    slope = [polygon(hill, near, stroke=None), polygon(dusk, shade(near, -0.14), stroke=None)]
    return [back, part("mountain", slope, folds, trees, polygon(hill, None))]


def _far_wall(tone: str) -> Part:
    """The wall winding on towards the far peak, narrower with distance."""
    left, right = [], []
    for i in range(33):
        t = i / 32
        x, half = -4 + (1 - (1 - t) ** 1.5) * 7.5 * math.sin(2.1 * math.pi * t**0.8), 1.1 + 2.3 * t
        left.append((x - half, -37 + 54 * t))
        right.append((x + half, -37 + 54 * t))
    edge = [(x - (x - u) * 0.4, y) for (x, y), (u, _) in zip(right, left, strict=True)]
    side = polygon([*right, *reversed(edge)], shade(tone, -0.25), stroke=None)
    whole = [*left, *reversed(right)]
    return part("far wall", polygon(whole, tone, stroke=None), side, polygon(whole, None, width=1.0))


def _field(snowy: bool) -> list[Part]:
    tone = "#f1f6fb" if snowy else GRASS
    tufts = [
        path(f"M{x},{y} q1,-4 0,-5 M{x},{y} q-2,-3 -3,-4 M{x},{y} q2,-3 4,-4", None, stroke=shade(tone, -0.3), width=1.0)
        for x, y in ((-36, 26), (-14, 38), (8, 24), (24, 40), (37, 28), (-28, 38))
    ]
    return [part("field", ellipse(0, 25, 50, 22, tone), ellipse(0, 40, 30, 6, shade(tone, -0.08), stroke=None), tufts)]


def _lake() -> list[Part]:
    places = ((-36, 26), (6, 24), (-14, 35), (16, 36), (-22, 43))
    waves = [path(f"M{x},{y} q4,-4 8,0 t8,0 t8,0", None, stroke="#dff1fa", width=1.5) for x, y in places]
    return [part("sea", ellipse(0, 25, 50, 22, WATER), waves)]


def _watchtower(x: float, foot: float, tone: str) -> Part:
    body = rect(x - 9, foot - 20, 18, 20, tone)
    openings = [path(f"M{x + dx - 2.2},{foot - 7} v-4 a2.2,2.6 0 0,1 4.4,0 v4 Z", DARK, stroke=None) for dx in (-4.2, 4.2)]
    slope = f"M{x - 13},{foot - 21} Q{x - 6},{foot - 22} {x - 4},{foot - 30} H{x + 4} Q{x + 6},{foot - 22} {x + 13},{foot - 21}"
    roof = path(f"{slope} Q{x},{foot - 17} {x - 13},{foot - 21} Z", "#5d4a44")
    side = rect(x + 4, foot - 19, 4.4, 18.4, shade(tone, -0.22), stroke=None)
    return part("watchtower", body, side, line([(x - 9, foot - 15), (x + 9, foot - 15)], width=0.8), openings, roof)


def _windmill(x: float, foot: float) -> Part:
    body = polygon([(x - 4.5, foot - 22), (x + 4.5, foot - 22), (x + 8, foot), (x - 8, foot)], "#f6efe0")
    cap = path(f"M{x - 5.5},{foot - 21} Q{x},{foot - 31} {x + 5.5},{foot - 21} Z", "#8a4a35")
    hub_y, blades = foot - 21, []
    for turn in (45, 135, 225, 315):
        dx, dy = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        ends = [(x, hub_y), (x + 12 * dx - 3 * dy, hub_y + 12 * dy + 3 * dx), (x + 12 * dx + 3 * dy, hub_y + 12 * dy - 3 * dx)]
        blades.append(polygon(ends, "#fdf8e8"))
    return part("windmill", body, rect(x - 2.2, foot - 7, 4.4, 7, DARK, r=2, stroke=None), cap, blades, circle(x, hub_y, 2, "#8a4a35"))


def _tent(x: float, foot: float) -> Part:
    corners, pole = [(x, foot - 24), (x + 14, foot), (x - 14, foot)], line([(x, foot - 24), (x, foot - 29)], width=1.2)
    stripes = [polygon([(x, foot - 24), (x + a, foot), (x + b, foot)], "#d4573f", stroke=None) for a, b in ((-14, -9), (9, 14))]
    door = polygon([(x, foot - 14), (x + 4.5, foot), (x - 4.5, foot)], DARK, width=0.9)
    flag = polygon([(x, foot - 29), (x + 7, foot - 27), (x, foot - 25)], "#d4573f", width=0.9)
    return part("tent", pole, flag, polygon(corners, "#f5d36b"), stripes, polygon(corners, None), door)


def _great_wall(v: Values, art: Art) -> Sequence[Part]:
    snowy, tone = v["scene"] == "snow", art.tone(str(v["colour"]))
    hilly = v["landscape"] == "mountains"
    top = _ridge if hilly else _level
    land = _mountains(snowy) if hilly else _field(snowy) if v["landscape"] == "field" else _lake()
    left, right, deep = -47.0, 47.0, 15.0

    def at(s: float, t: float) -> Point:
        x = _mix(left, right, s)
        return x, top(x) + deep * t

    foot = [(x, top(x) + deep) for x in range(47, -48, -2)]
    body = polygon([*_edge(str(v["edge"]), top, left, right, 13, 4.6), *foot], tone)
    low = polygon([*((x, top(x) + deep * 0.72) for x in range(-47, 48, 2)), *foot], shade(tone, -0.16), stroke=None)
    marks = _pattern(str(v["material"]), at, 4.7 if v["material"] == "blocks" else 5.0, tone, 0.9)
    if v["material"] == "smooth":
        marks = [_strokes([_across(at, 0.3)], shade(tone, 0.55), 2.2)]
    rim = line(_across(at, 0.03), width=0.9)
    wall = part("wall", body, low, marks, rim, polygon([*_edge(str(v["edge"]), top, left, right, 13, 4.6), *foot], None))
    makers: dict[str, Callable[[float, float], Part]] = {
        "watchtower": lambda x, y: _watchtower(x, y, shade(tone, 0.06)),
        "windmill": _windmill,
        "tent": _tent,
    }
    make = makers[str(v["buildings"])]
    if v["place"] == "on":
        places = [(x, top(x) + (9 if v["buildings"] == "watchtower" else 2)) for x in (-26, 23)]
    else:
        places = [(-22, 46), (18, 46)]
    if hilly:
        land.insert(1, _far_wall(shade(tone, 0.12)))
    return [*land, wall, *(make(x, y) for x, y in places)]


GREAT_WALL = Concept(
    name="Great Wall of China",
    phrase="the Great Wall of China",
    plural="Great Walls of China",
    domain="location",
    category=Category.EASTERN_ANCIENT,
    definition="The Great Wall of China is a long defensive wall of grey stone and brick that runs over mountain ridges. "
    "Its top edge has square teeth, and watchtowers stand on it.",
    draw=_great_wall,
    scene="day",
    tilt=1.5,
    facts=(
        Fact(
            "landscape",
            "scene",
            "details",
            "What landscape does the wall run through in the image?",
            {"mountains": "Mountains", "field": "A flat field", "sea": "The sea"},
            ("mountain", "field", "sea"),
            ("A city",),
        ),
        Fact(
            "edge",
            "shape",
            "shape",
            "What does the top edge of the wall look like in the image?",
            {"teeth": "Square teeth", "smooth": "Smooth", "spikes": "Pointed spikes", "bumps": "Round bumps"},
            ("wall",),
        ),
        Fact(
            "buildings",
            "existence",
            "details",
            "What kind of buildings belong to the wall in the image?",
            {"watchtower": "Watchtowers", "windmill": "Windmills", "tent": "Tents"},
            ("watchtower", "windmill", "tent"),
            ("Lighthouses",),
        ),
        Fact(
            "place",
            "relation",
            "details",
            "Where do the buildings stand in the image?",
            {"on": "On the wall", "below": "Below the wall"},
            ("watchtower", "windmill", "tent"),
            ("High above the wall", "Under the ground"),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the long wall in the image?",
            {"grey": "Grey", "red": "Red", "blue": "Blue", "yellow": "Yellow"},
            ("wall",),
        ),
        Fact(
            "material",
            "others",
            "texture",
            "What is the long wall made of in the image?",
            {"blocks": "Bricks", "planks": "Wooden planks", "smooth": "Smooth plaster"},
            ("wall",),
            ("Glass",),
        ),
    ),
    variation=Variation(
        "the Great Wall of China in the snow",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "What weather or time of day is there around the wall in the image?",
            {"snow": "In the snow", "day": "Under a blue sky", "night": "At night"},
            (),
            ("Under water",),
        ),
        base="day",
    ),
)


# --- a five-storied pagoda -------------------------------------------------------------------------------------


def _eaves(kind: str, eave: float, ridge: float, reach: float, neck: float, tone: str) -> list[Shape]:
    """One roof: `reach` and `neck` are its half widths at the eave and at the ridge."""
    rise = eave - ridge
    if kind == "curved":
        lift, sag = eave - rise * 0.62, eave + rise * 0.1
        low = f"Q{reach * 0.62:.2f},{sag:.2f} 0,{sag:.2f} Q{-reach * 0.62:.2f},{sag:.2f} {-reach:.2f},{lift:.2f}"
        d = (
            f"M{-reach:.2f},{lift:.2f} Q{-reach * 0.66:.2f},{eave - rise * 0.22:.2f} {-neck:.2f},{ridge:.2f} H{neck:.2f} "
            f"Q{reach * 0.66:.2f},{eave - rise * 0.22:.2f} {reach:.2f},{lift:.2f} {low} Z"
        )
        band = (
            f"M{-reach:.2f},{lift:.2f} Q{-reach * 0.56:.2f},{eave - rise * 0.16:.2f} 0,{eave - rise * 0.2:.2f} "
            f"Q{reach * 0.56:.2f},{eave - rise * 0.16:.2f} {reach:.2f},{lift:.2f} {low} Z"
        )
    elif kind == "drooping":
        drop = eave + rise * 0.42
        hem, crown = eave - rise * 0.22, neck * 0.4
        low = f"Q{reach * 0.7:.2f},{hem:.2f} 0,{hem:.2f} Q{-reach * 0.7:.2f},{hem:.2f} {-reach:.2f},{drop:.2f} Z"
        d = (
            f"M{-reach:.2f},{drop:.2f} Q{-reach:.2f},{ridge:.2f} {-crown:.2f},{ridge:.2f} H{crown:.2f} "
            f"Q{reach:.2f},{ridge:.2f} {reach:.2f},{drop:.2f} {low}"
        )
        band = (
            f"M{-reach:.2f},{drop:.2f} Q{-reach * 0.8:.2f},{eave - rise * 0.45:.2f} 0,{eave - rise * 0.45:.2f} "
            f"Q{reach * 0.8:.2f},{eave - rise * 0.45:.2f} {reach:.2f},{drop:.2f} {low}"
        )
    else:
        d = f"M{-reach:.2f},{eave:.2f} L{-neck:.2f},{ridge:.2f} H{neck:.2f} L{reach:.2f},{eave:.2f} Z"
        band = f"M{-reach:.2f},{eave:.2f} l{reach * 0.12:.2f},{-rise * 0.24:.2f} H{reach * 0.88:.2f} L{reach:.2f},{eave:.2f} Z"
    tiles = [[(neck * s, ridge + rise * 0.1), (reach * 0.62 * s, eave - rise * 0.28)] for s in (-0.8, -0.4, 0, 0.4, 0.8)]
    return [path(d, tone, stroke=None), path(band, shade(tone, -0.28), stroke=None), _strokes(tiles, shade(tone, -0.3), 0.8), path(d, None)]


def _finial(kind: str) -> Part:
    gold = "#d9a833"
    if kind == "flag":
        return part("flag", line([(0, -27), (0, -49)], width=1.8), path("M0,-49 q6,-3 10,0 t9,0 V-38 q-5,3 -9,0 t-10,0 Z", "#3f9a52"))
    if kind == "chimney":
        bricks = _pattern("blocks", _box(-5, -42, 10, 15), 3.8, "#b5654a", 0.8)
        smoke = [circle(x, y, r, "#e4e4e8", width=0.9) for x, y, r in ((3, -46, 2.8), (7, -48, 2))]
        return part("chimney", smoke, rect(-5, -42, 10, 15, "#b5654a"), bricks, rect(-6.5, -43.5, 13, 4, "#96503a"))
    rings = [ellipse(0, y, r, 1.1, gold, width=0.8) for y, r in ((-31.5, 5), (-34.8, 4.5), (-38.1, 4), (-41.4, 3.5))]
    mast = [line([(0, -26), (0, -48.5)], width=2.4), line([(0, -26), (0, -48)], gold, 1.2)]
    return part("spire", mast, rings, circle(0, -46.5, 2.1, gold, width=0.9))


def _storey(y0: float, y1: float, half: float) -> Part:
    timber, plaster = "#a8402f", "#f5ecd9"
    fills = ((-0.62, plaster), (0.0, DARK), (0.62, plaster))
    panels = [rect(half * (s - 0.13), y0 + 1.2, half * 0.26, y1 - y0 - 1.6, fill, stroke=None) for s, fill in fills]
    return part("storey", rect(-half, y0, half * 2, y1 - y0, timber), panels)


def _pagoda(v: Values, art: Art) -> Sequence[Part]:
    count, kind, tone = int(v["roofs"]), str(v["eaves"]), art.tone(str(v["colour"]))
    tone = shade(tone, -0.22) if v["colour"] == "grey" else tone
    low, high = {"shrinking": (44.0, 23.0), "growing": (23.0, 41.0), "equal": (34.0, 34.0)}[str(v["order"])]
    pitch = 69 / count
    reaches = [_mix(low, high, i / (count - 1)) for i in range(count)]
    built: list[Part] = []
    for i, reach in enumerate(reaches):
        foot = 42 - i * pitch
        eave, ridge = foot - pitch * 0.4, foot - pitch * 1.02
        upper = reaches[i + 1] if i + 1 < count else 8.0
        built.append(_storey(eave - pitch * 0.12, foot + pitch * 0.1, reach * 0.52))
        if v["lanterns"] == "hung":
            for x in (-reach * 0.82, reach * 0.82):
                lamp = [line([(x, eave - pitch * 0.15), (x, eave + 1)], width=0.9), ellipse(x, eave + 3.4, 3.1, 3.5, "#e8432f", width=1.0)]
                built.append(part("lantern", lamp, ellipse(x, eave + 3.4, 1.1, 2.6, "#ffcf5c", stroke=None)))
        built.append(part("roof", _eaves(kind, eave, ridge, reach, min(upper * 0.56, reach * 0.6), tone)))
    order = [p for p in built if p.name == "storey"] + [p for p in built if p.name == "roof"] + [p for p in built if p.name == "lantern"]
    tower = [_finial(str(v["top"])), *order]
    if v["stand"] == "leaning":
        tower = _leaning(tower, 12)
    slab = [rect(-46, 42, 92, 6.5, "#b9b3a6", r=1), rect(-45, 45.6, 90, 2.4, "#9b9588", stroke=None)]
    return [_plot(), part("platform", slab, rect(-9, 42, 18, 6.5, "#d6d0c2")), *tower]


PAGODA = Concept(
    name="five-storied pagoda",
    phrase="a five-storied pagoda",
    plural="five-storied pagodas",
    domain="location",
    category=Category.EASTERN_MEDIEVAL,
    definition="A five-storied pagoda is an upright Japanese temple tower with five grey tiled roofs and a tall spire on top. "
    "The roofs curve upward at their ends and get smaller toward the top.",
    draw=_pagoda,
    scene="day",
    tilt=1.5,
    facts=(
        Fact(
            "roofs",
            "counting",
            "details",
            "How many roofs does the tower have in the image?",
            {5: "Five", 3: "Three", 4: "Four", 7: "Seven"},
            ("roof",),
        ),
        Fact(
            "eaves",
            "shape",
            "shape",
            "How do the ends of the roofs run in the image?",
            {"curved": "Curved upward", "straight": "Straight", "drooping": "Curved downward"},
            ("roof",),
            ("Zigzag",),
        ),
        Fact(
            "order",
            "size",
            "shape",
            "How does the width of the roofs change in the image?",
            {"shrinking": "Smaller toward the top", "growing": "Larger toward the top", "equal": "All equally wide"},
            ("roof",),
            ("Widest in the middle",),
        ),
        Fact(
            "top",
            "existence",
            "details",
            "What is at the very top of the tower in the image?",
            {"spire": "A spire", "flag": "A flag", "chimney": "A chimney"},
            ("spire", "flag", "chimney"),
            ("A clock",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color are the roofs in the image?",
            {"grey": "Grey", "pink": "Pink", "light blue": "Light blue", "yellow": "Yellow"},
            ("roof",),
        ),
        Fact(
            "stand",
            "posture",
            "shape",
            "How does the tower stand in the image?",
            {"upright": "Upright", "leaning": "Leaning to one side"},
            ("storey", "roof"),
            ("Upside down", "Lying down"),
        ),
    ),
    variation=Variation(
        "a five-storied pagoda with red lanterns",
        "attribute",
        Fact(
            "lanterns",
            "existence",
            "details",
            "What hangs from the roofs in the image?",
            {"hung": "Red lanterns", "none": "Nothing"},
            ("lantern",),
            ("Ropes", "Banners"),
        ),
        base="none",
    ),
)


# --- a torii gate ----------------------------------------------------------------------------------------------


def _post(x: float, w: float, tone: str) -> Part:
    body = polygon([(x - w * 0.44, -38), (x + w * 0.44, -38), (x + w * 0.52, 46), (x - w * 0.52, 46)], tone)
    side = polygon([(x + w * 0.12, -37), (x + w * 0.4, -37), (x + w * 0.46, 45), (x + w * 0.14, 45)], shade(tone, -0.22), stroke=None)
    foot = polygon([(x - w * 0.62, 38), (x + w * 0.62, 38), (x + w * 0.7, 47.5), (x - w * 0.7, 47.5)], "#3a3a42")
    return part("post", body, side, foot)


def _top_beam(kind: str, y: float, half: float, tone: str) -> Part:
    """The upper beam with its dark cap around height `y`."""

    def curve(x: float) -> float:
        far = abs(x) / half
        return {"up": -8 * math.pow(far, 2.2) + 2, "down": 9 * math.pow(far, 2.2) - 4, "peak": 13 * far - 9}[kind]

    xs = [_mix(-half, half, i / 32) for i in range(33)]
    cap = [(x, y - 4.5 + curve(x)) for x in xs] + [(x * 0.97, y + 0.5 + curve(x)) for x in reversed(xs)]
    body = [(x * 0.97, y + 0.5 + curve(x)) for x in xs] + [(x * 0.93, y + 8 + curve(x)) for x in reversed(xs)]
    low = [(x * 0.945, y + 5.4 + curve(x)) for x in xs] + [(x * 0.93, y + 7.8 + curve(x)) for x in reversed(xs)]
    beam = [polygon(body, tone), polygon(low, shade(tone, -0.22), stroke=None), polygon(body, None)]
    return part("top beam", beam, polygon(cap, "#3a3a42"))


def _low_beam(y: float, half: float, tone: str) -> Part:
    wedges = [rect(s * 29.5 - 2, y - 3, 4, 3, "#3a3a42", width=0.8) for s in (-1, 1)] if half > 33 else []
    shadow = rect(-half + 0.6, y + 5, half * 2 - 1.2, 2.4, shade(tone, -0.22), stroke=None)
    return part("lower beam", wedges, rect(-half, y, half * 2, 8, tone), shadow)


def _closing(kind: str, x: float, y: float, w: float, h: float) -> list[Part]:
    if kind == "door":
        wood = "#9b6b3f"
        leaves = [rect(x, y, w / 2, h, wood), rect(x + w / 2, y, w / 2, h, shade(wood, -0.08))]
        bands = [rect(x, y + h * f, w, 3, shade(wood, -0.45), stroke=None) for f in (0.16, 0.76)]
        grain = _strokes(_uprights(_box(x, y, w, h), 5), shade(wood, -0.4), 0.9)
        return [part("door", leaves, grain, bands, [circle(x + w / 2 + dx, y + h * 0.5, 1.9, "#e2b93f") for dx in (-5, 5)])]
    if kind == "wall":
        clay = "#ded7ca"
        return [part("brick wall", rect(x, y, w, h, clay), _pattern("blocks", _box(x, y, w, h), 5.6, clay, 1.1))]
    return []


def _torii(v: Values, art: Art) -> Sequence[Part]:
    tone, count = art.tone(str(v["colour"])), int(v["posts"])
    tone = "#dd4426" if v["colour"] == "red" and art.random.random() < 0.5 else tone
    upper, lower = {"top": (48.0, 29.0), "lower": (29.0, 48.0), "equal": (40.0, 40.0)}[str(v["longest"])]
    reach = 23.0
    w = {2: 8.0, 3: 7.6, 4: 7.0}[count]
    posts = [_post(_mix(-reach, reach, i / (count - 1)), w, tone) for i in range(count)]
    high, low = (-40.0, -17.0) if v["place"] == "top" else (8.0, 27.0)
    gap_top, gap_foot = (-12.0, 46.0) if v["place"] == "top" else (-33.0, 10.0)
    fill = _closing(str(v["between"]), -reach, gap_top, reach * 2, gap_foot - gap_top)
    panel = rect(-2.2, high + 9.5, 4.4, low - high - 10.5, "#e7c75a", stroke=None)
    plaque = part("plaque", rect(-4, high + 7, 8, low - high - 6, "#3d5f8f"), panel)
    return [*fill, *posts, _low_beam(low, lower, tone), plaque, _top_beam(str(v["curve"]), high, upper, tone)]


TORII = Concept(
    name="torii gate",
    phrase="a torii gate",
    plural="torii gates",
    domain="location",
    category=Category.EASTERN_MEDIEVAL,
    definition="A torii is the red, open gate of a Japanese shrine: two posts with two crosswise beams at the top. "
    "The top beam is the longer one and often curves up at its ends.",
    draw=_torii,
    scene="meadow",
    tilt=2,
    facts=(
        Fact(
            "posts",
            "counting",
            "details",
            "How many upright posts does the structure have in the image?",
            {2: "Two", 3: "Three", 4: "Four"},
            ("post",),
            ("Six",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the wood of the structure in the image?",
            {"red": "Red", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("post", "top beam", "lower beam"),
        ),
        Fact(
            "longest",
            "size",
            "shape",
            "Which of the crosswise beams is longer in the image?",
            {"top": "The top beam", "lower": "The lower beam", "equal": "Both are equal"},
            ("top beam", "lower beam"),
            ("There is only one",),
        ),
        Fact(
            "curve",
            "shape",
            "shape",
            "What shape does the top beam have in the image?",
            {"up": "Ends curve up", "down": "Ends curve down", "peak": "A pointed gable"},
            ("top beam",),
            ("A full circle",),
        ),
        Fact(
            "place",
            "relation",
            "details",
            "Where do the beams cross the posts in the image?",
            {"top": "Near the top", "bottom": "Near the ground"},
            ("top beam", "lower beam"),
            ("Below the ground", "High above the posts"),
        ),
        Fact(
            "between",
            "existence",
            "details",
            "What closes the space between the posts in the image?",
            {"open": "Nothing", "door": "Wooden doors", "wall": "A brick wall"},
            ("post",),
            ("A curtain",),
        ),
    ),
    variation=Variation(
        "a torii gate on the open sea",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where does the structure stand in the image?",
            {"sea": "On the open sea", "meadow": "In a meadow", "desert": "In a desert", "snow": "In the snow"},
            (),
        ),
        base="meadow",
    ),
)


# --- the Eiffel Tower ------------------------------------------------------------------------------------------

_FOOT, _HEAD, _FIRST, _SECOND = 46.0, -39.0, 15.0, -7.0


def _silhouette(kind: str) -> Height:
    """The half width of the tower at height y."""

    def taper(y: float) -> float:
        t = (y - _HEAD) / (_FOOT - _HEAD)
        return 3.2 + 7 * t + 23.5 * math.pow(t, 2.6)

    def straight(y: float) -> float:
        return 18.0

    def inverted(y: float) -> float:
        return _mix(34.0, 18.0, (y - _HEAD) / (_FOOT - _HEAD))

    return {"taper": taper, "straight": straight, "inverted": inverted}[kind]


def _doorway(kind: str, half: float) -> Height:
    """The half width of the opening between the legs at height y."""
    crown = 22.0

    def inner(y: float) -> float:
        if y <= crown:
            return 0.0
        t = (y - crown) / (_FOOT - crown)
        return half * {"round": math.sqrt(1 - (1 - t) ** 2), "square": 1.0, "pointed": t}[kind]

    return inner


def _girder(at: Surface, kind: str, tone: str, step: float) -> list[Shape]:
    fill = shade(tone, 0.32) if kind == "lattice" else tone
    marks = _pattern(kind, at, step, tone, 1.1)
    return [polygon(_outline(at, 24), fill, stroke=None), *marks, polygon(_outline(at, 24), None, width=1.3)]


def _eiffel(v: Values, art: Art) -> Sequence[Part]:
    kind, tone = str(v["surface"]), art.tone(str(v["colour"]))
    half = _silhouette(str(v["outline"]))
    door = _doorway(str(v["opening"]), half(_FOOT) * 0.66)

    def slab(y0: float, y1: float, start: Height, end: Height) -> Surface:
        def at(s: float, t: float) -> Point:
            y = _mix(y0, y1, t)
            return _mix(start(y), end(y), s), y

        return at

    shaft = part("shaft", _girder(slab(_HEAD, _SECOND, lambda y: -half(y), half), kind, tone, 6.4))
    middle = part("shaft", _girder(slab(_SECOND, _FIRST, lambda y: -half(y), half), kind, tone, 7.4))
    ends = [(-1, lambda y: -half(y), lambda y: -door(y)), (1, door, half)]
    legs = [part("leg", _girder(slab(_FIRST, _FOOT, a, b), kind, tone, 6.6)) for _, a, b in ends]
    rim = [(s * door(22 + 0.01 + 24 * i / 24), 22.01 + 24 * i / 24) for s, r in ((-1, range(24, -1, -1)), (1, range(25))) for i in r]
    arch = part("arch", line(rim, "#23242b", 4.6), line(rim, shade(tone, -0.12), 2.4))
    thick, middle_foot = half(_FOOT) - door(_FOOT), (half(_FOOT) + door(_FOOT)) / 2
    feet = [part("foot", rect(s * middle_foot - thick / 2 - 1.5, 44.5, thick + 3, 4.5, "#b7ae9f")) for s in (-1, 1)]
    levels = {3: (15.0, -7.0, -32.0), 2: (15.0, -18.0), 1: (15.0,), 5: (15.0, 3.5, -8.5, -20.5, -33.0)}[int(v["platforms"])]
    decks = []
    for y in levels:
        wide = max(half(y) + 3.2, 8.0)
        rail = rect(-wide + 1, y - 2, wide * 2 - 2, 1.5, shade(tone, 0.25), stroke=None)
        decks.append(part("platform", rect(-wide, y - 2.6, wide * 2, 5.4, shade(tone, -0.42), r=0.8), rail))
    wide = half(_HEAD)
    roof = path(f"M{-wide},{_HEAD} Q0,{_HEAD - 8} {wide},{_HEAD} Z", shade(tone, -0.2))
    tip = part("tip", roof, line([(0, _HEAD - 3.5), (0, -49)], width=1.8))
    tower = [*feet, shaft, middle, *legs, arch, tip, *decks]
    if v["stand"] == "leaning":
        tower = _leaning(tower, 13)
    if v["strike"] == "lightning":
        bolt = polygon([(36, -50), (19, -33), (27, -31), (3, -8), (39, -35), (31, -38), (50, -50)], "#ffdf4a", width=1.4)
        tower.append(part("lightning", bolt))
    return [_plot(), *tower]


EIFFEL = Concept(
    name="Eiffel Tower",
    phrase="the Eiffel Tower",
    plural="Eiffel Towers",
    domain="location",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="The Eiffel Tower is a brown lattice tower of crossed iron bars in Paris that narrows toward the top. "
    "It stands upright on splayed legs joined by round arches and has three platforms.",
    draw=_eiffel,
    scene="day",
    tilt=1.5,
    facts=(
        Fact(
            "platforms",
            "counting",
            "details",
            "How many dark platforms does the tower have in the image?",
            {3: "Three", 2: "Two", 5: "Five", 1: "One"},
            ("platform",),
        ),
        Fact(
            "outline",
            "shape",
            "shape",
            "How does the width of the tower change in the image?",
            {"taper": "Narrower toward the top", "straight": "The same all the way", "inverted": "Wider toward the top"},
            ("shaft", "leg"),
            ("Widest in the middle",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What is the tower made of in the image?",
            {"lattice": "Crossed iron bars", "blocks": "Bricks", "glass": "Glass panes"},
            ("shaft", "leg"),
            ("Wooden planks",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the tower in the image?",
            {"brown": "Brown", "blue": "Blue", "green": "Green", "pink": "Pink"},
            ("shaft", "leg"),
        ),
        Fact(
            "opening",
            "shape",
            "shape",
            "What shape is the opening between the legs in the image?",
            {"round": "A round arch", "square": "A rectangle", "pointed": "A triangle"},
            ("arch", "leg"),
            ("A star",),
        ),
        Fact(
            "stand",
            "posture",
            "shape",
            "How does the tower stand in the image?",
            {"upright": "Upright", "leaning": "Leaning to one side"},
            ("shaft", "leg"),
            ("Upside down", "Lying down"),
        ),
    ),
    variation=Variation(
        "the Eiffel Tower being struck by lightning",
        "action",
        Fact(
            "strike",
            "existence",
            "details",
            "What is happening to the tower in the image?",
            {"lightning": "Lightning strikes it", "nothing": "Nothing"},
            ("lightning",),
            ("It is burning", "It is raining on it"),
        ),
        base="nothing",
    ),
)


# --- a medieval castle -----------------------------------------------------------------------------------------


def _round_tower(x: float, foot: float, tone: str, material: str, window: str) -> list[Part]:
    w, top = 11.0, -26.0
    body = rect(x - w, top, w * 2, foot - top, tone)
    side = rect(x + w * 0.35, top + 0.6, w * 0.6, foot - top - 1.2, shade(tone, -0.2), stroke=None)
    light = rect(x - w * 0.8, top + 0.6, w * 0.3, foot - top - 1.2, "#ffffff", stroke=None, opacity=0.25)
    marks = _pattern(material, _box(x - w, top, w * 2, foot - top), 6.2, tone, 0.8)
    roof = path(f"M{x},-46 L{x + w + 3},{top + 1} Q{x},{top + 6} {x - w - 3},{top + 1} Z", "#5b4a6e")
    dark = path(f"M{x},-46 L{x + w + 3},{top + 1} Q{x + 8},{top + 3.4} {x + 4},{top + 3.4} Z", "#473a58", stroke=None)
    pole = line([(x, -45), (x, -50)], width=1.1)
    flag = path(f"M{x},-50 l8,2 l-8,2.4 Z", "#e3b53c", width=0.9)
    tower = part("tower", body, light, side, marks, rect(x - w, top, w * 2, foot - top, None), pole, flag, roof, dark, path(roof.d, None))
    return [tower, _window(window, x, -9)]


def _window(kind: str, x: float, y: float) -> Part:
    if kind == "slit":
        return part("window", rect(x - 1.5, y - 5.5, 3, 11, DARK, r=1.5, width=1.0))
    glass = rect(x - 5.2, y - 6, 10.4, 12, "#bfe0ef", width=1.5)
    return part("window", glass, line([(x, y - 6), (x, y + 6)], width=1.2), line([(x - 5.2, y), (x + 5.2, y)], width=1.2))


def _surroundings(kind: str) -> Part:
    bank = ellipse(0, 41, 50, 8.6, "#7d9a58")
    if kind == "rails":
        ties = [polygon([(x - 1.4, 38), (x + 2.2, 38), (x + 2.2, 47.5), (x - 1.4, 47.5)], "#8a5a35", width=0.9) for x in range(-40, 41, 9)]
        rails = [line([(-46, y), (46, y)], "#23242b", 2.6) for y in (40.5, 45)]
        shine = [line([(-46, y), (46, y)], "#c4c9d1", 1.1) for y in (40.5, 45)]
        return part("railway tracks", bank, ties, rails, shine)
    if kind == "lava":
        blobs = [ellipse(x, y, rx, 1.3, "#ffd65a", stroke=None) for x, y, rx in ((-32, 43, 6), (-22, 46, 4), (26, 45, 6), (36, 41.5, 5))]
        return part("lava", bank, ellipse(0, 42, 46, 6.6, "#e2451f"), blobs)
    waves = [path(f"M{x},{y} q3,-2.6 6,0 t6,0", None, stroke="#dff1fa", width=1.2) for x, y in ((-38, 42), (-26, 46), (17, 46), (27, 42.5))]
    return part("moat", bank, ellipse(0, 42, 46, 6.6, WATER), waves)


def _gate(lowered: bool) -> list[Part]:
    wood = "#9a6a3d"
    frame = path("M-13,39 V22 A13,13 0 0,1 13,22 V39 Z", "#6e6a68")
    hole = path("M-10,39 V22 A10,10 0 0,1 10,22 V39 Z", "#2b2522")
    if lowered:
        bars = _strokes([[(x, 14), (x, 24)] for x in (-5, 0, 5)] + [[(-9.4, 19), (9.4, 19)]], "#9a9aa2", 1.2)
        bridge = _quad((-10, 37), (10, 37), (-15, 49.5), (15, 49.5))
        planks = _strokes([_across(bridge, t) for t in (0.25, 0.5, 0.75)], shade(wood, -0.45), 1.0)
        chains = _strokes([[(s * 10, 16), (s * 14, 46)] for s in (-1, 1)], "#23242b", 1.3)
        return [part("gate", frame, hole, bars), part("drawbridge", polygon(_outline(bridge), wood), planks, chains)]
    leaf = _box(-10.5, 11, 21, 28)
    bands = [rect(-10.5, y, 21, 2.4, "#4a4038", stroke=None) for y in (16, 31)]
    chains = _strokes([[(s * 12, 5), (s * 8, 15)] for s in (-1, 1)], "#23242b", 1.3)
    panel = [polygon(_outline(leaf), wood), _strokes(_uprights(leaf, 4.2), shade(wood, -0.45), 0.9), *bands, polygon(_outline(leaf), None)]
    return [part("gate", frame), part("drawbridge", panel, chains)]


def _castle(v: Values, art: Art) -> Sequence[Part]:
    tone, material, window = art.tone(str(v["colour"])), str(v["material"]), str(v["windows"])
    tone = shade(tone, 0.18) if v["colour"] == "grey" else tone
    top, foot, reach = -3.0, 39.0, 44.0
    face = _box(-reach, top, reach * 2, foot - top)
    outline = [*_edge(str(v["edge"]), lambda x: top, -reach, reach, 9, 6), (reach, foot), (-reach, foot)]
    shadow = rect(-reach, foot - 6, reach * 2, 6, shade(tone, -0.16), stroke=None)
    wall = part("wall", polygon(outline, tone), shadow, _pattern(material, face, 6.2, tone, 0.8), polygon(outline, None))
    wide = 36.0 if v["towers"] == "ends" else 14.0
    towers = [p for x in (-wide, wide) for p in _round_tower(x, foot, tone, material, window)]
    openings = [_window(window, x, 13) for x in (-19, 19)]
    front = [wall, *towers] if v["towers"] == "ends" else [*towers, wall]
    return [_surroundings(str(v["around"])), *front, *openings, *_gate(v["bridge"] == "lowered")]


CASTLE = Concept(
    name="medieval castle",
    phrase="a medieval castle",
    plural="medieval castles",
    domain="location",
    category=Category.WESTERN_AFRICAN_MEDIEVAL,
    definition="A medieval castle is a fortress of grey stone blocks behind a moat, with towers at the ends of its walls "
    "and a drawbridge at its gate. "
    "The walls are topped by square teeth and have narrow slits for windows.",
    draw=_castle,
    scene="meadow",
    tilt=1.5,
    facts=(
        Fact(
            "edge",
            "shape",
            "shape",
            "What does the top edge of the front wall look like in the image?",
            {"teeth": "Square teeth", "smooth": "Smooth", "spikes": "Pointed spikes", "bumps": "Round bumps"},
            ("wall",),
        ),
        Fact(
            "towers",
            "relation",
            "details",
            "Where do the two towers rise in the image?",
            {"ends": "At the ends", "middle": "In the middle"},
            ("tower",),
            ("Far in front", "Below the wall"),
        ),
        Fact(
            "around",
            "existence",
            "details",
            "What is in front of the walls in the image?",
            {"moat": "A moat with water", "lava": "A stream of lava", "rails": "Railway tracks"},
            ("moat", "lava", "railway tracks"),
            ("A car park",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color are the walls of the building in the image?",
            {"grey": "Grey", "pink": "Pink", "blue": "Blue", "green": "Green"},
            ("wall", "tower"),
        ),
        Fact(
            "material",
            "others",
            "texture",
            "What are the walls of the building made of in the image?",
            {"blocks": "Stone blocks", "planks": "Wooden planks", "glass": "Glass panes"},
            ("wall", "tower"),
            ("Straw",),
        ),
        Fact(
            "windows",
            "size",
            "shape",
            "How large are the windows in the image?",
            {"slit": "Narrow slits", "wide": "Wide and square"},
            ("window",),
            ("As high as the towers", "Tiny round dots"),
        ),
    ),
    variation=Variation(
        "a medieval castle lowering its drawbridge",
        "action",
        Fact(
            "bridge",
            "posture",
            "shape",
            "How is the drawbridge held in the image?",
            {"lowered": "Let down", "raised": "Pulled up"},
            ("drawbridge",),
            ("Broken in two", "Turned sideways"),
        ),
        base="raised",
    ),
)

CONCEPTS: tuple[Concept, ...] = (PYRAMIDS, PARTHENON, STONEHENGE, GREAT_WALL, PAGODA, TORII, EIFFEL, CASTLE)
