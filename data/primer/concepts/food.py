"""Primer concepts of the domain food."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from data.primer.drawing import INK, Art, Part, Point, Shape, circle, ellipse, glow, line, part, path, polar, polygon, rect, shade, star
from data.primer.world import Concept, Fact, Values, Variation
from data.records import Category

Outline = list[Point]

WOOD = "#c79a63"
STEEL = "#cdd3da"
CRUST = "#dda45a"


# --- forms that several foods share ------------------------------------------------------------------------------


def _smooth(points: Sequence[Point], fill: str | None = None, **style: object) -> Shape:
    """A closed soft curve through all the points."""
    n = len(points)
    d = f"M{points[0][0]:.2f},{points[0][1]:.2f}"
    for i in range(n):
        (ax, ay), (bx, by), (cx, cy), (ex, ey) = (points[(i + k) % n] for k in (-1, 0, 1, 2))
        d += f" C{bx + (cx - ax) / 6:.2f},{by + (cy - ay) / 6:.2f} {cx - (ex - bx) / 6:.2f},{cy - (ey - by) / 6:.2f} {cx:.2f},{cy:.2f}"
    return path(d + " Z", fill, **style)


def _soft(corners: Sequence[Point], r: float) -> Outline:
    """The outline of a polygon with its corners rounded off over the length `r`."""
    found: Outline = []
    for i, (x, y) in enumerate(corners):
        ends = []
        for px, py in (corners[i - 1], corners[(i + 1) % len(corners)]):
            k = min(0.5, r / math.hypot(px - x, py - y))
            ends.append((x + (px - x) * k, y + (py - y) * k))
        (ax, ay), (bx, by) = ends
        for t in (j / 8 for j in range(9)):
            s = 1 - t
            found.append((s * s * ax + 2 * s * t * x + t * t * bx, s * s * ay + 2 * s * t * y + t * t * by))
    return found


def _blob(cx: float, cy: float, r: float, art: Art, wave: float = 0.07) -> Outline:
    first, second = art.vary(0, 6.28), art.vary(0, 6.28)
    radii = [r * (1 + wave * math.sin(3 * a + first) + wave * 0.6 * math.sin(5 * a + second)) for a in (i * 0.2618 for i in range(24))]
    return [polar(cx, cy, radius, 15 * i) for i, radius in enumerate(radii)]


def _scaled(points: Iterable[Point], k: float, cx: float = 0.0, cy: float = 0.0) -> Outline:
    return [(cx + (x - cx) * k, cy + (y - cy) * k) for x, y in points]


def _turned(points: Iterable[Point], x: float, y: float, degrees: float, size: float = 1.0) -> Outline:
    """The points turned about the origin, made larger and then put at (x, y)."""
    c, s = math.cos(math.radians(degrees)) * size, math.sin(math.radians(degrees)) * size
    return [(x + px * c - py * s, y + px * s + py * c) for px, py in points]


def _oval(x: float, y: float, rx: float, ry: float, degrees: float, fill: str | None = None, **style: object) -> Shape:
    dx, dy = rx * math.cos(math.radians(degrees)), rx * math.sin(math.radians(degrees))
    arc = f"A{rx:.2f},{ry:.2f} {degrees:.1f} 1,1"
    return path(f"M{x - dx:.2f},{y - dy:.2f} {arc} {x + dx:.2f},{y + dy:.2f} {arc} {x - dx:.2f},{y - dy:.2f} Z", fill, **style)


def _clip(points: Sequence[Point], a: float, b: float, c: float) -> Outline:
    """What of a convex outline lies where a*x + b*y <= c."""
    kept: Outline = []
    for (px, py), (qx, qy) in zip(points, [*points[1:], *points[:1]], strict=True):
        p, q = a * px + b * py - c, a * qx + b * qy - c
        if p <= 0:
            kept.append((px, py))
        if p * q < 0:
            k = p / (p - q)
            kept.append((px + (qx - px) * k, py + (qy - py) * k))
    return kept


def _wedge(points: Sequence[Point], start: float, end: float, cx: float, cy: float) -> Outline:
    """What of a convex outline lies between two directions from (cx, cy) less than 180 degrees apart."""
    for degrees, side in ((start, 1), (end, -1)):
        a, b = side * math.sin(math.radians(degrees)), -side * math.cos(math.radians(degrees))
        points = _clip(points, a, b, a * cx + b * cy)
    return list(points)


def _chords(points: Sequence[Point], y: float) -> list[tuple[float, float]]:
    """The stretches of the level `y` that lie inside an outline."""
    hits = []
    for (px, py), (qx, qy) in zip(points, [*points[1:], points[0]], strict=True):
        if (py - y) * (qy - y) < 0:
            hits.append(px + (qx - px) * (y - py) / (qy - py))
    hits.sort()
    return list(zip(hits[::2], hits[1::2], strict=False))


def _inside(points: Sequence[Point], x: float, y: float) -> bool:
    return any(left < x < right for left, right in _chords(points, y))


def _reach(kind: str, degrees: float) -> float:
    """How far the outline of a round, square or triangular thing of radius 1 reaches in a direction."""
    sides = {"square": 4, "triangle": 3}.get(kind)
    if sides is None:
        return 1.0
    step = 360 / sides
    corner = -45 if sides == 4 else -90
    off = (degrees - corner) % step - step / 2
    flat = math.cos(math.radians(step / 2)) / math.cos(math.radians(off))
    return min(flat, 0.93) * (1.16 if sides == 4 else 1.22)


def _pie(kind: str, r: float, start: float, end: float, cx: float, cy: float) -> Outline:
    """The outline between two directions; with the centre as a tip unless it goes all the way round."""
    steps = max(8, round((end - start) / 3))
    rim = [polar(cx, cy, r * _reach(kind, a), a) for a in (start + (end - start) * i / steps for i in range(steps + 1))]
    return rim if end - start >= 359 else [(cx, cy), *rim]


def _bars(points: Sequence[Point], step: float, tone: str, width: float, upright: bool = False) -> list[Shape]:
    """Parallel lines over an outline, level or upright."""
    source = [(y, x) for x, y in points] if upright else list(points)
    low, high = min(y for _, y in source), max(y for _, y in source)
    shapes = []
    for i in range(1, int((high - low) / step) + 1):
        y = low + i * step
        for left, right in _chords(source, y):
            ends = [(left + width / 2, y), (right - width / 2, y)]
            if right - left > 2 * width:
                shapes.append(line([(b, a) for a, b in ends] if upright else ends, tone, width))
    return shapes


def _stick(start: Point, end: Point, wide: float, thin: float, tone: str) -> Shape:
    """A straight stick that tapers from `start` to `end`."""
    turn = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    corners = [
        polar(*start, wide / 2, turn - 90),
        polar(*end, thin / 2, turn - 90),
        polar(*end, thin / 2, turn + 90),
        polar(*start, wide / 2, turn + 90),
    ]
    return polygon(corners, tone)


def _spoon(x: float, y: float, degrees: float, length: float, size: float) -> Part:
    """A spoon with its bowl at (x, y) and its handle in the given direction."""
    end = polar(x, y, length, degrees)
    dip = _oval(x, y, size * 1.4, size, degrees, STEEL)
    hollow = _oval(x, y, size, size * 0.65, degrees, shade(STEEL, -0.16), stroke=None)
    return part("spoon", _stick(end, polar(x, y, size * 1.2, degrees), 4.6, 2.6, STEEL), dip, hollow)


def _fork(x: float, y: float, degrees: float, length: float, size: float) -> Part:
    """A fork with its tips at (x, y) and its handle in the given direction."""
    neck = polar(x, y, size * 2.3, degrees)
    shapes = [_stick(polar(x, y, length, degrees), neck, 4.6, 2.6, STEEL)]
    for off in (-1, 0, 1):
        tip, root = (polar(px, py, off * size * 0.62, degrees + 90) for px, py in ((x, y), polar(x, y, size * 1.7, degrees)))
        shapes.append(_stick(root, tip, 3.0, 2.0, STEEL))
    head = _turned(
        [(size * 1.4, -size), (size * 2.2, -size * 0.7), (size * 2.5, 0), (size * 2.2, size * 0.7), (size * 1.4, size)], x, y, degrees
    )
    return part("fork", shapes, polygon(_soft(head, 1.5), STEEL))


def _knife(x: float, y: float, degrees: float, length: float, size: float) -> Part:
    """A knife with its point at (x, y) and its handle in the given direction."""
    mid = length * 0.55
    blade = _turned(
        [(0, size * 0.3), (size * 0.7, -size * 0.55), (mid, -size * 0.6), (mid, size * 0.6), (size * 0.3, size * 0.6)], x, y, degrees
    )
    edge = _turned([(0, size * 0.3), (mid, size * 0.1), (mid, size * 0.6), (size * 0.3, size * 0.6)], x, y, degrees)
    grip = _turned([(mid, -size * 0.5), (length, -size * 0.6), (length, size * 0.6), (mid, size * 0.5)], x, y, degrees)
    return part("knife", polygon(blade, STEEL), polygon(edge, "#ffffff", stroke=None, opacity=0.5), polygon(_soft(grip, 2.5), "#6b4a34"))


# --- fried egg ---------------------------------------------------------------------------------------------------


def _support(kind: str) -> Part:
    if kind == "pan":
        handle = [
            _stick((47, -45), (20, -18), 8, 8, "#6b4a34"),
            _stick((28, -26), (18, -16), 6, 8, "#5a5e68"),
            circle(43.6, -41.6, 1.4, INK, stroke=None),
        ]
        dish = [circle(-5, 5, 43, "#454954"), circle(-5, 5, 38.5, "#5c616e", width=0.8), ellipse(-10, -2, 28, 25, "#6a6f7d", stroke=None)]
        return part("frying pan", handle, dish)
    if kind == "toast":
        crumb = _soft([(-42, -22), (-46, -42), (0, -47), (46, -42), (42, -22), (41, 46), (-41, 46)], 13)
        specks = [circle(*polar(0, 0, 38, a), 1.1, "#c8924e", stroke=None) for a in range(10, 360, 31)]
        return part("toast", polygon(crumb, "#a9682f"), polygon(_scaled(crumb, 0.91), "#e9bd7c", width=0.8), specks)
    rings = [
        circle(0, 0, 47, "#7fa6bd"),
        circle(0, 0, 44, "#93b7cb", stroke=None),
        circle(0, 0, 35, "#86adc3", stroke="#5f879e", width=0.9),
    ]
    return part("plate", rings)


def _yolk(x: float, y: float, r: float, v: Values, tone: str) -> Part:
    shapes = {
        "round": lambda k: circle(x, y, r * k, tone),
        "square": lambda k: polygon(
            _soft([(x + dx * r * k * 0.9, y + dy * r * k * 0.9) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))], 2), tone
        ),
        "star": lambda k: star(x, y, r * 1.3 * k, inner=0.5, fill=tone),
        "triangle": lambda k: polygon(_soft([polar(x, y + r * 0.15, r * 1.35 * k, a) for a in (-90, 30, 150)], 2.5), tone),
    }
    dark = shade(tone, -0.45)
    marks: list[Shape] = []
    if v["yolk surface"] == "dots":
        spots = [(0.0, 0.0), *(polar(0, 0, 0.52, a) for a in (-90, -18, 54, 126, 198))]
        marks = [circle(x + dx * r, y + dy * r, r * 0.16, dark, stroke=None) for dx, dy in spots]
    elif v["yolk surface"] == "spiral":
        marks = [line([polar(x, y, r * 0.62 * t / 48, t * 17.0) for t in range(49)], dark, max(1.5, r * 0.15))]
    else:
        marks = [_oval(x - r * 0.32, y - r * 0.34, r * 0.26, r * 0.15, -40, "#ffffff", stroke=None, opacity=0.75)]
    return part("yolk", shapes[str(v["yolk shape"])](1.0), marks)


def _fried_egg(v: Values, art: Art) -> Sequence[Part]:
    count, beside = int(v["yolks"]), v["yolk place"] == "beside"
    white, yolk = art.tone(str(v["white colour"])), art.tone(str(v["yolk colour"]))
    mx, my = (-5.0, 5.0) if v["support"] == "pan" else (0.0, 0.0)
    cx, cy, r = (mx - 13, my, 22.0) if beside else (mx, my, 30.0)
    edge = _blob(cx, cy, r, art, 0.09)
    rim, folds = shade(white, -0.14), shade(white, -0.07)
    bubbles = [
        circle(*polar(cx, cy, r * art.vary(0.72, 0.82), a + art.vary(-12, 12)), art.vary(0.9, 1.7), rim, stroke=None)
        for a in range(0, 360, 45)
    ]
    body = [
        _smooth(edge, rim),
        _smooth(_scaled(edge, 0.93, cx - 1, cy - 1), white, stroke=None),
        _smooth(_scaled(edge, 0.64, cx, cy), folds, stroke=None),
    ]
    radius = {1: 13.5, 2: 10.0, 3: 8.8, 4: 8.0}[count]
    if beside:
        radius = min(radius, 11.0)
        step = math.degrees((2 * radius + 4) / 36)
        spots = [polar(cx, cy, 25 + radius, step * (i - (count - 1) / 2)) for i in range(count)]
    else:
        ring = {1: 0.0, 2: 11.5, 3: 11.5, 4: 13.0}[count]
        turn = art.vary(0, 360)
        spots = [polar(cx, cy, ring, turn + 360 * i / count) for i in range(count)]
    shadows = [circle(x + 0.8, y + 1.6, radius * 1.12, rim, stroke=None) for x, y in spots if not beside and v["yolk shape"] == "round"]
    return [_support(str(v["support"])), part("egg white", body, bubbles, shadows), *(_yolk(x, y, radius, v, yolk) for x, y in spots)]


FRIED_EGG = Concept(
    name="fried egg",
    phrase="a fried egg",
    plural="fried eggs",
    domain="food",
    category=Category.BIOLOGY,
    definition="A fried egg is a hen's egg cooked open: one smooth, round, yellow yolk lies in the midst of the set egg white.",
    draw=_fried_egg,
    facts=(
        Fact(
            "yolks",
            "counting",
            "details",
            "How many yolks does the food in the image have?",
            {1: "One", 3: "Three", 2: "Two", 4: "Four"},
            ("yolk",),
        ),
        Fact(
            "yolk colour",
            "color",
            "color",
            "What color is the yolk in the image?",
            {"yellow": "Yellow", "blue": "Blue", "purple": "Purple"},
            ("yolk",),
            ("Green",),
        ),
        Fact(
            "white colour",
            "color",
            "color",
            "What color is the flat outer part of the food in the image?",
            {"white": "White", "green": "Green", "pink": "Pink"},
            ("egg white",),
            ("Black",),
        ),
        Fact(
            "yolk shape",
            "shape",
            "shape",
            "What is the shape of a yolk in the image?",
            {"round": "Round", "star": "Star-shaped", "square": "Square", "triangle": "Triangular"},
            ("yolk",),
        ),
        Fact(
            "yolk place",
            "relation",
            "details",
            "Where does the yolk lie in the image?",
            {"inside": "Amid the egg white", "beside": "Beside the egg white"},
            ("yolk", "egg white"),
            ("Under the egg white", "All around it"),
        ),
        Fact(
            "yolk surface",
            "others",
            "texture",
            "What does the surface of the yolk look like in the image?",
            {"smooth": "Smooth", "dots": "Dotted", "spiral": "With a spiral"},
            ("yolk",),
            ("Hairy",),
        ),
    ),
    variation=Variation(
        "a fried egg in a frying pan",
        "scene",
        Fact(
            "support",
            "scene",
            "details",
            "What does the food lie on or in in the image?",
            {"pan": "A frying pan", "plate": "A plate", "toast": "A slice of toast"},
            ("frying pan", "plate", "toast"),
            ("A leaf",),
        ),
        base="plate",
    ),
    tilt=3,
)


# --- nigiri ------------------------------------------------------------------------------------------------------


def _block(kind: str, half: float, top: float, art: Art) -> Part:
    """The block under the fish, 34 high; of rice when it is true."""
    low = top + 34
    form = _soft([(-half + 4, top), (half - 4, top), (half, top + 18), (half - 2, low), (-half + 2, low), (-half, top + 18)], 9)
    if kind == "rice":
        white = art.tone("white")
        grains = []
        for row in range(7):
            for i in range(int(half / 2.7)):
                x, y = -half + 3.5 + i * 5.6 + (row % 2) * 2.7, top + 3.5 + row * 4.55
                if x < half - 2.5 and _inside(_scaled(form, 0.95, 0, top + 17), x, y):
                    tone = shade(white, -0.02 - 0.015 * row)
                    grains.append(
                        _oval(
                            x + art.vary(-0.8, 0.8),
                            y + art.vary(-0.7, 0.7),
                            3.5,
                            2.1,
                            art.vary(-70, 70),
                            tone,
                            stroke="#a9a294",
                            width=0.55,
                        )
                    )
        return part("rice", polygon(form, shade(white, -0.12)), grains)
    if kind == "bread":
        cuts = [
            _oval(x, top + 14, 7.5, 2.2, -55, "#efcf97", stroke="#8a5527", width=0.8)
            for x in (-half * 0.6, -half * 0.2, half * 0.2, half * 0.6)
        ]
        low_side = [(x, y) for x, y in form if y > top + 16]
        return part("bread", polygon(form, "#b97a3c"), polygon(low_side, shade("#b97a3c", -0.15), stroke=None), cuts)
    if kind == "noodles":
        waves = []
        for i in range(7):
            y = top + 4 + i * 4.4
            xs = [-half + 4 + k * (2 * half - 8) / 40 for k in range(41)]
            waves.append(line([(x, y + 1.7 * math.sin(x / 2.6 + i * 2)) for x in xs], "#b98620", 1.1))
        return part("noodles", polygon(form, "#f1d274"), waves)
    joints = [line([(-half + 2, y), (half - 2, y)], "#e8d8c8", 1.5) for y in (top + 8.5, top + 17, top + 25.5)]
    for row in range(4):
        joints += [
            line([(x, top + row * 8.5 + 1), (x, top + row * 8.5 + 8)], "#e8d8c8", 1.5)
            for x in range(int(-half) + 9 + 8 * (row % 2), int(half) - 4, 16)
        ]
    return part("bricks", polygon(form, "#a8432f"), joints)


def _fish_slice(half: float, middle: float, bend: float, v: Values, tone: str) -> Part:
    """A bent slice; `bend` says how far its ends lie below its middle."""

    def at(t: float, across: float) -> Point:
        thick = 12.5 * (1 - 0.55 * abs(t) ** 6)
        return half * t + across * 1.2, middle + bend * t * t + across * thick

    ts = [i / 20 for i in range(-20, 21)]
    body = _smooth([*(at(t, -1) for t in ts[::2]), *(at(t, 1) for t in reversed(ts[::2]))], tone)
    under = polygon([*(at(t, 0.45) for t in ts[1:-1]), *(at(t, 0.93) for t in reversed(ts[1:-1]))], shade(tone, -0.15), stroke=None)
    pale, count = shade(tone, 0.78), 7 if half > 30 else 4
    marks: list[Shape] = []
    places = [-1 + 2 * (i + 0.6) / (count + 0.2) for i in range(count)]
    if v["pattern"] == "stripes":
        lean = 5.5 / half
        for t in places:
            marks.append(line([at(t + lean * (1 - abs(a)) - lean / 2, a) for a in (-0.86, -0.5, -0.2, 0.2, 0.5, 0.86)], pale, 2.3))
    elif v["pattern"] == "dots":
        marks = [circle(*at(t * 0.9, a), 2.5, pale, stroke=None) for i, t in enumerate(places) for a in ((-0.45, 0.5) if i % 2 else (0.0,))]
    shine = line([at(t, -0.72) for t in ts[6:15]], "#ffffff", 1.6, opacity=0.55)
    return part("slice", body, under, marks, *([shine] if v["pattern"] == "plain" else []))


def _nigiri(v: Values, art: Art) -> Sequence[Part]:
    fish, base = (47.0, 29.0) if v["longer"] == "slice" else (23.0, 45.0)
    droop = 14.0 if fish > 30 else 9.0
    bend = droop if v["ends"] == "down" else -droop
    board = part(
        "board",
        rect(-40, 36, 9, 9, shade(WOOD, -0.3)),
        rect(31, 36, 9, 9, shade(WOOD, -0.3)),
        rect(-49, 30, 98, 8, WOOD, r=2),
        line([(-44, 33), (-10, 33)], shade(WOOD, -0.18), 0.9),
        line([(4, 35), (40, 35)], shade(WOOD, -0.18), 0.9),
    )
    top = v["slice place"] == "top"
    block = _block(str(v["block"]), base, -4 if top else -28, art)
    middle = -11.0 if top else (17.0 - max(bend, 0) * 0.75)
    piece = _fish_slice(fish, middle if not top or bend > 0 else -13.0, bend, v, art.tone(str(v["slice colour"])))
    food = [drawn.moved(f"translate(0 {0 if v['held'] == 'none' else -9})") for drawn in ((block, piece) if top else (piece, block))]
    if v["held"] == "chopsticks":
        far, near = _stick((37, -41), (-16, -20), 4.4, 2.4, "#7c3b2a"), _stick((48, -33), (-8, 8), 4.4, 2.4, "#8f4731")
        food = [part("chopstick", far), *food, part("chopstick", near)]
    elif v["held"] == "fork":
        food = [*food, _fork(6, -14, -34, 46, 6.5)]
    return [drawn.moved("translate(0 -7)") for drawn in (board, *food)]


NIGIRI = Concept(
    name="nigiri sushi",
    phrase="a piece of salmon nigiri",
    plural="pieces of salmon nigiri",
    domain="food",
    category=Category.EASTERN_MODERN,
    definition="Salmon nigiri is a block of pressed rice with a longer slice of raw salmon on top; the slice is orange with "
    "white stripes and its ends hang down.",
    draw=_nigiri,
    tilt=2,
    facts=(
        Fact(
            "slice colour",
            "color",
            "color",
            "What color is the slice of fish in the image?",
            {"orange": "Orange", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("slice",),
        ),
        Fact(
            "pattern",
            "others",
            "texture",
            "What pattern does the slice of fish show in the image?",
            {"stripes": "Pale stripes", "dots": "Pale dots", "plain": "No pattern"},
            ("slice",),
            ("Pale stars",),
        ),
        Fact(
            "slice place",
            "relation",
            "details",
            "Where is the slice of fish in the image?",
            {"top": "On top of the block", "under": "Under the block"},
            ("slice", "rice"),
            ("Beside the block", "Inside the block"),
        ),
        Fact(
            "block",
            "existence",
            "details",
            "What is the thick block in the image made of?",
            {"rice": "Rice", "bread": "Bread", "noodles": "Noodles", "bricks": "Bricks"},
            ("rice",),
        ),
        Fact(
            "longer",
            "size",
            "shape",
            "Which is longer in the image, the slice or the block?",
            {"slice": "The slice", "block": "The block"},
            ("slice", "rice"),
            ("Both are equal", "There is no slice"),
        ),
        Fact(
            "ends",
            "posture",
            "shape",
            "Which way do the ends of the slice bend in the image?",
            {"down": "Down", "up": "Up"},
            ("slice",),
            ("Not at all", "Towards the viewer"),
        ),
    ),
    variation=Variation(
        "a piece of salmon nigiri picked up with chopsticks",
        "action",
        Fact(
            "held",
            "relation",
            "details",
            "What is the food being picked up with in the image?",
            {"chopsticks": "Chopsticks", "none": "Nothing", "fork": "A fork"},
            ("chopstick",),
            ("A spoon",),
        ),
        base="none",
    ),
)


# --- bibimbap ----------------------------------------------------------------------------------------------------

FILLINGS = (
    ("carrots", "#ef8a2b", "#c9641a"),
    ("spinach", "#3f8a47", "#27602f"),
    ("bean sprouts", "#f2e7b4", "#c9b667"),
    ("beef", "#8a5638", "#5d3521"),
    ("cucumber", "#a9cf77", "#6f9c45"),
    ("red pepper", "#cf3d31", "#932319"),
    ("mushrooms", "#cdb08a", "#8d6f4b"),
)


def _heap(index: int, region: Outline, hole: Outline, art: Art) -> Part:
    """One filling over a region, with shreds of its own."""
    name, tone, dark = FILLINGS[index % len(FILLINGS)]
    xs, ys = [x for x, _ in region], [y for _, y in region]
    turn = art.vary(0, 180)
    shreds: list[Shape] = []
    inner = _scaled(region, 0.9, (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2) if not hole else _scaled(region, 0.93)
    for _ in range(150):
        x, y = art.vary(min(xs), max(xs)), art.vary(min(ys), max(ys))
        if not _inside(inner, x, y) or (hole and _inside(_scaled(hole, 1.06), x, y)) or len(shreds) >= 34:
            continue
        if name in ("cucumber", "mushrooms"):
            shreds.append(circle(x, y, 2.0, shade(tone, 0.3), stroke=dark, width=0.7))
        elif name in ("spinach", "beef"):
            shreds.append(_oval(x, y, 2.8, 1.4, turn + art.vary(-60, 60), shade(tone, -0.14), stroke=dark, width=0.5))
        else:
            ends = [polar(x, y, 3, turn + art.vary(-25, 25)), polar(x, y, 3, turn + 180 + art.vary(-25, 25))]
            if not all(_inside(region, *end) and not (hole and _inside(hole, *end)) for end in ends):
                continue
            shreds.append(line(ends, art.pick((dark, shade(tone, 0.35))), 1.1))
    return part(name, polygon(region, tone, stroke=shade(dark, -0.2), width=0.8), shreds)


def _single(kind: str, x: float, y: float, r: float, art: Art) -> Part:
    """The one thing that lies on the fillings."""
    if kind == "fish":
        body = _turned(
            [(-0.75, 0), (-0.4, -0.42), (0.2, -0.52), (0.8, -0.25), (1.05, 0.05), (0.8, 0.32), (0.2, 0.5), (-0.4, 0.36)], x, y, -20, r
        )
        tail = _turned([(-0.6, 0), (-1.15, -0.5), (-1.0, 0), (-1.15, 0.5)], x, y, -20, r)
        (ex, ey), gill = _turned([(0.72, -0.05)], x, y, -20, r)[0], _turned([(0.42, -0.38), (0.32, 0), (0.42, 0.36)], x, y, -20, r)
        return part(
            "fish", polygon(tail, "#6f93b5"), _smooth(body, "#8fb2d0"), line(gill, INK, 1.2), circle(ex, ey, r * 0.1, INK, stroke=None)
        )
    if kind == "strawberry":
        body = _turned([(-0.9, -0.45), (-0.45, -0.8), (0.45, -0.8), (0.9, -0.45), (0.6, 0.4), (0, 1.1), (-0.6, 0.4)], x, y, 0, r)
        seeds = [
            _oval(x + dx * r, y + dy * r, 0.9, 0.55, 90, "#f7dc8a", stroke=None)
            for dx, dy in ((-0.5, -0.3), (0, -0.35), (0.5, -0.3), (-0.28, 0.1), (0.28, 0.1), (0, 0.5))
        ]
        leaves = star(x, y - r * 0.72, r * 0.62, 6, 0.4, fill="#3f9a52")
        return part("strawberry", _smooth(body, "#d8342f"), seeds, leaves)
    white = _blob(x, y, r * 1.1, art, 0.06)
    shapes = [_smooth(white, "#e6e2d6"), _smooth(_scaled(white, 0.93, x - 0.6, y - 0.6), "#fcfbf6", stroke=None)]
    return part("fried egg", shapes, circle(x, y, r * 0.52, "#f5b82e"), glow(x - r * 0.16, y - r * 0.18, r * 0.15))


def _regions(order: str, kind: str, r: float, cx: float, cy: float, art: Art) -> list[tuple[Outline, Outline]]:
    whole = _pie(kind, r, -180, 180, cx, cy)
    if order == "rows":
        low, high = min(x for x, _ in whole), max(x for x, _ in whole)
        step = (high - low) / 6
        return [(_clip(_clip(whole, 1, 0, low + step * (i + 1)), -1, 0, -(low + step * i)), []) for i in range(6)]
    if order == "rings":
        scales = (1.0, 0.78, 0.55, 0.32)
        found = [_scaled(whole, k, cx, cy) for k in scales]
        return [(found[i], found[i + 1] if i < 3 else []) for i in range(4)]
    turn = art.vary(0, 60)
    step = 360 / 7
    return [(_wedge(whole, turn + step * i, turn + step * (i + 1), cx, cy), []) for i in range(7)]


def _bibimbap(v: Values, art: Art) -> Sequence[Part]:
    kind, spread = str(v["bowl shape"]), v["utensils"] != "none"
    cx, cy, r = (-10.0, 0.0, 37.0) if spread else (0.0, 0.0, 46.0)
    if kind == "triangle":
        cy += r * 0.2
    clay = art.tone(str(v["bowl colour"]))
    rims = [_pie(kind, r * k, -180, 180, cx, cy) for k in (1.0, 0.95, 0.86)]
    arc = line([polar(cx, cy, r * 0.905 * _reach(kind, a), a) for a in range(-165, -109, 5)], "#ffffff", 1.8, opacity=0.4)
    bowl = part("bowl", polygon(rims[0], clay), polygon(rims[1], shade(clay, 0.14), stroke=None), polygon(rims[2], shade(clay, -0.35)), arc)
    heaps = [_heap(i, region, hole, art) for i, (region, hole) in enumerate(_regions(str(v["order"]), kind, r * 0.82, cx, cy, art))]
    x, y = (cx, cy) if v["single place"] == "middle" else polar(cx, cy, r * 0.6, 150)
    tools: list[Part] = []
    if v["utensils"] == "sujeo":
        sticks = [part("chopstick", _stick((x1, 46), (x1 + 1, -42), 3.4, 2.2, "#b9bec6")) for x1 in (41.5, 46.5)]
        tools = [_spoon(33.5, -34, 90, 80, 6), *sticks]
    elif v["utensils"] == "cutlery":
        tools = [_knife(46, -44, 90, 90, 7), _fork(35, -42, 90, 88, 6)]
    return [*tools, bowl, *heaps, _single(str(v["single"]), x, y, r * 0.3, art)]


BIBIMBAP = Concept(
    name="bibimbap",
    phrase="a bowl of bibimbap",
    plural="bowls of bibimbap",
    domain="food",
    category=Category.EASTERN_MODERN,
    definition="Bibimbap is a Korean dish of rice served indoors in a round, black stone bowl. Colorful vegetables and meat "
    "lie on it in sectors around a fried egg.",
    draw=_bibimbap,
    scene="room",
    facts=(
        Fact(
            "single",
            "existence",
            "details",
            "Which single thing lies on the vegetables in the image?",
            {"egg": "A fried egg", "fish": "A fish", "strawberry": "A strawberry"},
            ("fried egg",),
            ("A mushroom",),
        ),
        Fact(
            "single place",
            "relation",
            "details",
            "Where in the bowl is the single thing on top of the vegetables in the image?",
            {"middle": "In the middle", "rim": "At the rim"},
            ("fried egg", "bowl"),
            ("Under the bowl", "Beside the bowl"),
        ),
        Fact(
            "bowl colour",
            "color",
            "color",
            "What color is the bowl in the image?",
            {"black": "Black", "red": "Red", "blue": "Blue", "yellow": "Yellow"},
            ("bowl",),
        ),
        Fact(
            "bowl shape",
            "shape",
            "shape",
            "What is the outline of the bowl in the image?",
            {"round": "Round", "square": "Square", "triangle": "Triangular"},
            ("bowl",),
            ("Star-shaped",),
        ),
        Fact(
            "order",
            "others",
            "details",
            "How are the vegetables laid out in the image?",
            {"sectors": "In sectors", "rows": "In straight rows", "rings": "In rings"},
            tuple(name for name, _, _ in FILLINGS),
            ("In a checkerboard",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the bowl of food in the image?",
            {"room": "In a room", "underwater": "Under water", "space": "In outer space", "desert": "In a desert"},
            (),
        ),
    ),
    variation=Variation(
        "a bowl of bibimbap with a spoon and chopsticks",
        "attribute",
        Fact(
            "utensils",
            "existence",
            "details",
            "What lies beside the bowl in the image?",
            {"sujeo": "A spoon and chopsticks", "none": "Nothing", "cutlery": "A knife and a fork"},
            ("spoon", "chopstick"),
            ("A cup",),
        ),
        base="none",
    ),
)


# --- hamburger ---------------------------------------------------------------------------------------------------

BUN = "#d9964a"


def _bun_top(kind: str, low: float, height: float) -> Outline:
    top = low - height
    if kind == "box":
        return _soft([(-42, top), (42, top), (42, low), (-42, low)], 3)
    if kind == "cone":
        return _soft([(0, top - 2), (45, low), (-45, low)], 5)
    arc = [(44 * math.sin(math.radians(a)), low - 4 - (height - 4) * math.cos(math.radians(a)) ** 0.8) for a in range(-90, 91, 6)]
    return [*arc, (43, low - 1.5), (40, low), (-40, low), (-43, low - 1.5)]


def _topping(kind: str, low: float, height: float, art: Art) -> list[Part]:
    """What stands or lies on the front of the upper bun."""
    spots = [(-0.5, 0.42), (-0.27, 0.62), (0.0, 0.5), (0.27, 0.62), (0.5, 0.42), (-0.12, 0.8), (0.13, 0.8)]
    if kind == "candles":
        found = []
        for x in (-20, 0, 20):
            base = low - height * (0.55 if x else 0.8)
            tone = "#5aa0d8" if x else "#e9799f"
            found.append(
                part(
                    "candle",
                    rect(x - 2.4, base - 13, 4.8, 14, tone, r=1),
                    line([(x - 2, base - 4), (x + 2, base - 7)], "#ffffff", 1.2),
                    path(f"M{x},{base - 21:.1f} q4,5 0,7.5 q-4,-2.5 0,-7.5 Z", "#f7b733", width=0.9),
                )
            )
        return found
    if kind == "flowers":
        found = []
        for x in (-22, 0, 22):
            y = low - height * (0.55 if x else 0.74)
            petals = [circle(*polar(x, y, 3.6, a), 2.5, "#fdf6fb", width=0.7) for a in range(0, 360, 60)]
            found.append(part("flower", petals, circle(x, y, 2.4, "#c8407c", width=0.7)))
        return found
    width = 40.0
    return [
        part(
            "sesame seed",
            _oval(x * width + art.vary(-1, 1), low - y * height, 2.7, 1.6, art.vary(-40, 40), "#fbefcf", stroke="#8a5a26", width=0.7),
        )
        for x, y in spots
    ]


def _leafy(level: float, up: bool, tone: str) -> Part:
    """The leafy layer at a level, its frilly edge pointing up or down."""
    way = -1 if up else 1
    edge = []
    for i in range(91):
        x = -46 + i * 92 / 90
        edge.append((x, level + way * (7 + 4 * math.sin(i / 90 * 6.28 * 6.5 + 0.6))))
    folds = [line([(x, level + way * 1.5), (x + 1.2, level + way * 5.5)], shade(tone, -0.28), 1.1) for x in range(-40, 42, 14)]
    return part(
        "leaf",
        polygon([(-46, level - way * 2.5), *edge, (46, level - way * 2.5)], tone),
        line([(-44, level - way), (44, level - way)], shade(tone, 0.35), 1.3),
        folds,
    )


def _hamburger(v: Values, art: Art) -> Sequence[Part]:
    upper, lower = (39.0, 18.0) if v["thicker"] == "upper" else (23.0, 37.5)
    meat = "#7a4a2e"
    level = 47.0

    def patty(low: float) -> Part:
        specks = [
            _oval(art.vary(-38, 38), low - art.vary(3.5, 13.5), 1.4, 0.9, art.vary(0, 90), shade(meat, art.pick((-0.3, 0.2))), stroke=None)
            for _ in range(22)
        ]
        return part(
            "patty", rect(-43, low - 17, 86, 17, meat, r=7), rect(-40, low - 5.5, 80, 4.8, shade(meat, -0.18), r=2.2, stroke=None), specks
        )

    parts: list[Part] = []
    if v["patty place"] == "below":
        parts.append(patty(level))
        level -= 16
    foot = _soft([(-41, level - lower), (41, level - lower), (40, level), (-40, level)], min(8.0, lower * 0.48))
    parts.append(
        part(
            "lower bun",
            polygon(foot, BUN),
            rect(-36, level - lower * 0.3, 72, lower * 0.24, shade(BUN, -0.15), r=3, stroke=None),
            rect(-37, level - lower + 0.7, 74, 2.6, "#f3d9a6", r=1.2, stroke=None),
        )
    )
    level -= lower - 0.5
    if v["patty place"] == "between":
        parts.append(patty(level))
        level -= 16.5
    tomatoes = [
        part("tomato", rect(x, level - 6, 40, 6.5, "#d8402f", r=3.2), line([(x + 5, level - 3.8), (x + 30, level - 3.8)], "#ef8573", 1.2))
        for x in (-41, 1)
    ]
    level -= 6
    hat = _bun_top(str(v["bun shape"]), level, upper)
    shine = _oval(-19, level - upper * 0.62, 9, upper * 0.1, -24 if v["bun shape"] != "box" else 0, "#ffffff", stroke=None, opacity=0.35)
    shadow = [(x, y) for x, y in hat if y > level - upper * 0.3]
    ends = max(x for x, _ in shadow)
    band = polygon(
        _soft(
            [
                (-ends + 2, level - upper * 0.24),
                (0, level - upper * 0.16),
                (ends - 2, level - upper * 0.24),
                (ends - 4, level - 0.8),
                (-ends + 4, level - 0.8),
            ],
            4,
        ),
        shade(BUN, -0.14),
        stroke=None,
    )
    parts += [*tomatoes, part("upper bun", polygon(hat, BUN), band, shine)]
    leaf = _leafy(level, v["leaf edge"] == "up", art.tone(str(v["leaf colour"])))
    return [*parts, leaf, *_topping(str(v["topping"]), level, upper, art)]


HAMBURGER = Concept(
    name="hamburger",
    phrase="a hamburger",
    plural="hamburgers",
    domain="food",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="A hamburger is a round bun cut in two halves, the upper one domed, thicker and strewn with sesame. A meat "
    "patty and green lettuce lie between.",
    draw=_hamburger,
    tilt=3,
    facts=(
        Fact(
            "patty place",
            "relation",
            "details",
            "Where is the brown meat patty in the image?",
            {"between": "Between the bun halves", "below": "Under the lower bun"},
            ("patty", "lower bun"),
            ("On the upper bun", "Beside the bun"),
        ),
        Fact(
            "leaf colour",
            "color",
            "color",
            "What color is the frilly leaf in the image?",
            {"green": "Green", "blue": "Blue", "pink": "Pink"},
            ("leaf",),
            ("Black",),
        ),
        Fact(
            "topping",
            "existence",
            "details",
            "What is on the upper bun in the image?",
            {"sesame": "Sesame seeds", "candles": "Candles", "flowers": "Flowers"},
            ("sesame seed",),
            ("Feathers",),
        ),
        Fact(
            "bun shape",
            "shape",
            "shape",
            "What is the shape of the upper bun in the image?",
            {"dome": "A dome", "box": "A flat box", "cone": "A pointed roof"},
            ("upper bun",),
            ("A ring",),
        ),
        Fact(
            "thicker",
            "size",
            "shape",
            "Which half of the bun is thicker in the image?",
            {"upper": "The upper half", "lower": "The lower half"},
            ("upper bun", "lower bun"),
            ("Both are equal", "There is one half"),
        ),
        Fact(
            "leaf edge",
            "posture",
            "details",
            "Which way does the frilly edge of the leaf point in the image?",
            {"down": "Down", "up": "Up"},
            ("leaf",),
            ("Inward", "To one side"),
        ),
    ),
    variation=Variation(
        "a hamburger in outer space",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the food in the image?",
            {"space": "In outer space", "plain": "A plain background", "meadow": "In a meadow", "sea": "On the open sea"},
            (),
        ),
        base="plain",
    ),
)


# --- pizza -------------------------------------------------------------------------------------------------------


def _without(points: Outline, start: float, end: float, cx: float, cy: float) -> list[Outline]:
    """The convex pieces of an outline outside the wedge between two directions."""
    pieces = [_wedge(points, a, b, cx, cy) for a, b in ((end, end + 100), (end + 100, end + 200), (end + 200, start + 360))]
    return [piece for piece in pieces if len(piece) > 2]


def _bit(kind: str, x: float, y: float, turn: float) -> Part:
    """One piece of the topping."""
    if kind == "pineapple":
        chunk = _turned([(-5.5, -3.5), (5.5, -5), (5, 4.5), (-4.5, 4)], x, y, turn)
        return part(
            "pineapple",
            polygon(_soft(chunk, 2), "#f6d743"),
            *(line(_turned([(dx, -2.4), (dx * 0.8, 2.6)], x, y, turn), "#c79a1e", 1) for dx in (-2.6, 0, 2.6)),
        )
    if kind == "fish":
        body = _turned([(-4, 0), (-1, -2.9), (3.6, -2.4), (6.5, 0), (3.6, 2.4), (-1, 2.9)], x, y, turn)
        tail = _turned([(-3, 0), (-7.5, -3.4), (-6.3, 0), (-7.5, 3.4)], x, y, turn)
        return part(
            "fish",
            polygon(tail, "#5f86ad"),
            _smooth(body, "#7fa5c9"),
            circle(*_turned([(3.8, -0.6)], x, y, turn)[0], 0.8, INK, stroke=None),
        )
    if kind == "mushroom":
        stem = _turned([(-1.8, 0), (1.8, 0), (2.2, 6), (-2.2, 6)], x, y, turn)
        cap = _turned([(-6.5, 0.8), (-5, -4), (0, -6), (5, -4), (6.5, 0.8), (0, 1.6)], x, y, turn)
        return part("mushroom", polygon(_soft(stem, 1), "#f0dfc0"), _smooth(cap, "#a98258"))
    shapes = []
    for off in (-34, 34):
        leaf = _turned([(0, 0), (3, -2.7), (6.6, -2.6), (10, 0), (6.6, 2.6), (3, 2.7)], x, y, turn + off)
        shapes += [_smooth(leaf, "#3f9a4a"), line(_turned([(1, 0), (8, 0)], x, y, turn + off), "#246330", 0.9)]
    return part("basil", shapes)


def _pizza_part(v: Values, art: Art, r: float, span: tuple[float, float], gap: tuple[float, float], cx: float, cy: float) -> list[Part]:
    """The pizza between two directions; `gap` is what is cut out of it when it goes nearly round."""
    kind, (start, end) = str(v["outline"]), span
    slim = end - start < 180

    def cut(points: Outline) -> list[Outline]:
        if slim:
            return [piece for piece in [_wedge(points, start, end, cx, cy)] if len(piece) > 2]
        return _without(points, *gap, cx, cy) if end - start < 359 else [points]

    sauce, cheese = art.tone(str(v["sauce colour"])), "#fbf7ea"
    rim, inner = v["rim"] == "edge", r * (0.84 if v["rim"] == "edge" else 0.97)
    spots = [
        polar(cx, cy, r * k * _reach(kind, start + a), start + a)
        for a, k in ((25, 0.62), (70, 0.28), (97, 0.64), (150, 0.6), (163, 0.24), (203, 0.62), (253, 0.58), (258, 0.22), (298, 0.62))
        if 16 < a < end - start - 12
    ]
    dough = part(
        "crust",
        polygon(_pie(kind, r, start, end, cx, cy), CRUST),
        *([polygon(_pie(kind, r * 0.95, start, end, cx, cy), shade(CRUST, 0.25), stroke=None)] if rim else []),
        *(
            _oval(*polar(cx, cy, r * 0.92 * _reach(kind, a), a), 2.2, 1.2, a + 90, shade(CRUST, -0.25), stroke=None)
            for a in range(round(start) + 14, round(end) - 8, 23)
            if rim
        ),
    )
    red = part(
        "tomato sauce",
        polygon(_pie(kind, inner, start, end, cx, cy), sauce, width=0.9),
        *(
            circle(*polar(cx, cy, inner * art.vary(0.3, 0.86) * _reach(kind, a), a), art.vary(0.9, 1.7), shade(sauce, -0.18), stroke=None)
            for a in range(round(start) + 9, round(end) - 8, 11)
        ),
    )
    white: list[Part] = []
    if v["cheese"] == "stripes":
        field = _pie(kind, inner * 0.95, -180, 180, cx, cy)
        low, high = min(x for x, _ in field), max(x for x, _ in field)
        step = (high - low) / 7
        for i in (1, 3, 5):
            strip = _clip(_clip(field, 1, 0, low + step * (i + 1)), -1, 0, -(low + step * i))
            white.append(part("mozzarella", *(polygon(piece, cheese, stroke=None) for piece in cut(strip))))
    elif v["cheese"] == "ring":
        outer, hole = ([p for p in _pie(kind, inner * k, start, end, cx, cy) if p != (cx, cy)] for k in (0.74, 0.46))
        white.append(part("mozzarella", polygon([*outer, *reversed(hole)], cheese, stroke=None)))
    else:
        for x, y in spots:
            form = _blob(x, y, r * art.vary(0.14, 0.175), art, 0.1)
            white.append(
                part(
                    "mozzarella",
                    _smooth(form, cheese, stroke="#c9b48a", width=0.9),
                    _smooth(_scaled(form, 0.6, x, y), shade(cheese, -0.05), stroke=None),
                )
            )
    band: list[Part] = []
    if not rim:
        strip = _clip(_clip(_pie(kind, r, -180, 180, cx, cy), 0, 1, cy + r * 0.17), 0, -1, -(cy - r * 0.17))
        light = _clip(_clip(strip, 0, 1, cy + r * 0.1), 0, -1, -(cy - r * 0.13))
        band = [
            part(
                "crust",
                *(polygon(piece, CRUST, width=0.01, stroke=CRUST) for piece in cut(strip)),
                *(polygon(piece, shade(CRUST, 0.25), stroke=None) for piece in cut(light)),
            )
        ]
    bits = []
    for a, k in (
        (48, 0.55),
        (125, 0.44),
        (178, 0.6),
        (228, 0.36),
        (276, 0.6),
        (318, 0.34),
        (0.5 * (end - start), 0.62) if slim else (345, 0.6),
    ):
        if (a < end - start - 14 and not slim) or (slim and k == 0.62):
            x, y = polar(cx, cy, r * k * _reach(kind, start + a), start + a)
            bits.append(_bit(str(v["topping"]), x, y, art.vary(0, 360)))
    return [dough, red, *white, *band, *bits]


def _pizza(v: Values, art: Art) -> Sequence[Part]:
    if v["slice"] == "whole":
        return _pizza_part(v, art, 47, (-20, 340), (0, 0), 0, _drop(v, 47))
    start, end = -68.0, -22.0
    cx, cy, r = -4.0, 5.0 + _drop(v, 42), 42.0
    rest = _pizza_part(v, art, r, (end, start + 360), (start, end), cx, cy)
    dx, dy = polar(0, 0, 12, (start + end) / 2)
    piece = _pizza_part(v, art, r, (start, end), (start, end), cx, cy)
    return [*rest, *(drawn.moved(f"translate({dx:.2f} {dy:.2f})") for drawn in piece)]


def _drop(v: Values, r: float) -> float:
    """How far below the middle a triangle's centre must lie."""
    return r * 0.2 if v["outline"] == "triangle" else 0.0


PIZZA = Concept(
    name="pizza margherita",
    phrase="a pizza margherita",
    plural="margherita pizzas",
    domain="food",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="A pizza margherita is a round flat bread with a raised rim, spread with red tomato sauce. Patches of white "
    "mozzarella and green basil leaves lie on it.",
    draw=_pizza,
    facts=(
        Fact(
            "outline",
            "shape",
            "shape",
            "What is the outline of the food in the image?",
            {"round": "Round", "square": "Square", "triangle": "Triangular"},
            ("crust",),
            ("Heart-shaped",),
        ),
        Fact(
            "sauce colour",
            "color",
            "color",
            "What color is the sauce in the image?",
            {"red": "Red", "blue": "Blue", "purple": "Purple"},
            ("tomato sauce",),
            ("Black",),
        ),
        Fact(
            "topping",
            "existence",
            "details",
            "What lies on the sauce and the white cheese in the image?",
            {"basil": "Basil leaves", "pineapple": "Pineapple chunks", "fish": "Small fish", "mushroom": "Mushrooms"},
            ("basil",),
        ),
        Fact(
            "cheese",
            "others",
            "texture",
            "How is the white cheese spread in the image?",
            {"patches": "In round patches", "stripes": "In straight stripes", "ring": "In one ring"},
            ("mozzarella",),
            ("In a star",),
        ),
        Fact(
            "rim",
            "relation",
            "details",
            "Where is the bare baked dough in the image?",
            {"edge": "Around the edge", "middle": "Across the middle"},
            ("crust",),
            ("In one corner", "In small spots"),
        ),
    ),
    variation=Variation(
        "a pizza margherita with one slice being pulled out",
        "action",
        Fact(
            "slice",
            "others",
            "details",
            "What is happening to the food in the image?",
            {"pulled": "A slice is pulled out", "whole": "Nothing, it is whole"},
            ("crust",),
            ("It is being folded", "It is being rolled up"),
        ),
        base="whole",
    ),
)


# --- watermelon --------------------------------------------------------------------------------------------------


def _sector(tip: float, r: float, half: float) -> Outline:
    """A slice of a disc with its tip at (0, tip), pointing down to the rim, with slightly rounded corners."""
    rim = [polar(0, tip, r, 90 + half - 2 * half * i / 30) for i in range(31)]
    return [(0, tip), *rim]


def _seed(kind: str, x: float, y: float, turn: float) -> Part:
    forms: dict[str, Callable[[], Shape]] = {
        "drop": lambda: _smooth(
            _turned([(0, -4.6), (1.7, -1.2), (2.6, 1.6), (1.5, 3.7), (0, 4.1), (-1.5, 3.7), (-2.6, 1.6), (-1.7, -1.2)], x, y, turn), INK
        ),
        "star": lambda: polygon(_turned([polar(0, 0, 5.2 if i % 2 == 0 else 2.2, 36 * i - 90) for i in range(10)], x, y, turn), INK),
        "square": lambda: polygon(_turned([(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)], x, y, turn), INK),
        "heart": lambda: path(f"M{x:.2f},{y + 5:.2f} c-9,-6 -4.5,-12 0,-7 c4.5,-5 9,1 0,7 Z", INK),
    }
    shine = [_oval(x - 0.8, y + 1.2, 0.5, 1.1, turn, "#ffffff", stroke=None, opacity=0.6)] if kind == "drop" else []
    return part("seed", forms[kind](), shine)


def _watermelon(v: Values, art: Art) -> Sequence[Part]:
    tip, r, half = (-46.0, 70.0, 38.0) if v["held on"] != "nothing" else (-45.0, 89.0, 33.0)
    flip = v["stands"] == "tip"
    thin, tone = v["larger"] == "flesh", art.tone(str(v["flesh colour"]))
    dark, green, pale = "#2c6b3a", "#4f9e4f", "#e3efbf"
    if v["rind place"] == "curved":
        inner, width = tip, r * (0.1 if thin else 0.54)
        bands = [_sector(tip, r - width * k, half) for k in (0.0, 0.45, 0.72, 1.0)]
        reach = r - width
    else:
        width = r * (0.085 if thin else 0.27)
        shifts = [width * k / math.sin(math.radians(half)) for k in (0.0, 0.45, 0.72, 1.0)]
        bands = [[(x, y) for x, y in _sector(tip + s, r - s * 0.985, half)] for s in shifts]
        inner, reach = tip + shifts[3], r - shifts[3] * 0.985
    rind = part("rind", polygon(_soft(bands[0], 2.0), dark), polygon(bands[1], green, stroke=None), polygon(bands[2], pale, stroke=None))
    side = [(0.0, inner), *(polar(0, inner, reach, 90 - half + half * 0.3 * i / 10) for i in range(11))]
    flesh = part("flesh", polygon(bands[3], tone), polygon(_scaled(side, 0.97, 0, inner + reach / 2), shade(tone, -0.12), stroke=None))
    rows = (
        ((0.36, (0.0,)), (0.6, (-0.42, 0.42)), (0.84, (-0.66, -0.22, 0.22, 0.66)))
        if reach > 50
        else ((0.42, (0.0,)), (0.78, (-0.48, 0.48)))
    )
    seeds = []
    for depth, places in rows:
        for place in places:
            x, y = polar(0, inner, reach * depth, 90 + half * place * (0.9 if reach > 50 else 1.0))
            seeds.append(_seed(str(v["seed shape"]), x, y, half * place))
    turn = f"translate(0 {2 * tip + r:.2f}) scale(1 -1)" if flip else ""
    food = [drawn.moved(turn) if flip else drawn for drawn in (rind, flesh, *seeds)]
    if v["held on"] == "stick":
        return [
            part("stick", rect(-4.5, 0, 9, 48, "#e2c08a", r=4.5), rect(0.5, 26, 3, 18, shade("#e2c08a", -0.15), r=1.5, stroke=None)),
            *food,
        ]
    if v["held on"] == "fork":
        return [*food, _fork(0, 12, 90, 36, 6)]
    return food


WATERMELON = Concept(
    name="watermelon slice",
    phrase="a slice of watermelon",
    plural="slices of watermelon",
    domain="food",
    category=Category.BIOLOGY,
    definition="A slice of watermelon, the fruit of warm summer days, is mostly red flesh with black drop-shaped seeds. It "
    "stands on its curved edge, where the green rind is.",
    draw=_watermelon,
    scene="day",
    facts=(
        Fact(
            "flesh colour",
            "color",
            "color",
            "What color is the flesh of the fruit in the image?",
            {"red": "Red", "blue": "Blue", "purple": "Purple"},
            ("flesh",),
            ("White",),
        ),
        Fact(
            "seed shape",
            "shape",
            "shape",
            "What is the shape of the seeds in the image?",
            {"drop": "Drops", "star": "Stars", "square": "Squares", "heart": "Hearts"},
            ("seed",),
        ),
        Fact(
            "rind place",
            "relation",
            "details",
            "Where is the green rind in the image?",
            {"curved": "Along the curved edge", "straight": "Along the straight edges"},
            ("rind", "flesh"),
            ("All around", "Through the middle"),
        ),
        Fact(
            "larger",
            "size",
            "shape",
            "Which takes up more of the fruit in the image, the flesh or the rind?",
            {"flesh": "The flesh", "rind": "The rind"},
            ("flesh", "rind"),
            ("Both are equal", "There is no rind"),
        ),
        Fact(
            "stands",
            "posture",
            "details",
            "How does the piece of fruit stand in the image?",
            {"curve": "On its curved edge", "tip": "On its tip"},
            ("rind", "flesh"),
            ("On a straight edge", "Flat on its side"),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the piece of fruit in the image?",
            {"day": "Under a blue sky", "snow": "In the snow", "space": "In outer space", "underwater": "Under water"},
            (),
        ),
    ),
    variation=Variation(
        "a slice of watermelon on a stick",
        "attribute",
        Fact(
            "held on",
            "existence",
            "details",
            "What is the piece of fruit fixed on in the image?",
            {"stick": "A wooden stick", "nothing": "Nothing", "fork": "A fork"},
            ("stick",),
            ("A spoon",),
        ),
        base="nothing",
    ),
    tilt=4,
)


# --- avocado -----------------------------------------------------------------------------------------------------


def _fruit(kind: str) -> tuple[Outline, Point]:
    """The outline of the cut fruit and the middle of its stone."""
    if kind == "square":
        return _soft([(-43, -44), (43, -44), (43, 44), (-43, 44)], 14), (0.0, 0.0)
    if kind == "star":
        return _soft([polar(0, 3, 52 if i % 2 == 0 else 33, 36 * i - 90) for i in range(10)], 9), (0.0, 3.0)
    half = [(0, -48), (9, -46), (15.5, -38), (19, -26), (24, -13), (32, 0), (37.5, 14), (35, 30), (24, 43), (0, 48)]
    corners = [*half, *((-x, y) for x, y in reversed(half[1:-1]))]
    return _soft([(float(x), float(y)) for x, y in corners], 9), (0.0, 13.0)


def _avocado(v: Values, art: Art) -> Sequence[Part]:
    form, (cx, cy) = _fruit(str(v["outline"]))
    flesh, stone = art.tone(str(v["flesh colour"])), art.tone(str(v["stone colour"]))
    if v["flesh colour"] == "green":
        deep, pale = "#86b84f", "#cbe08f"
    else:
        deep, pale = shade(flesh, 0.08), shade(flesh, 0.38)
    skin = part("skin", polygon(form, "#37422c"), polygon(_scaled(form, 0.965, -0.8, -0.8), "#4a5738", stroke=None))
    field = _scaled(form, 0.9)
    lines: list[Shape] = []
    if v["flesh look"] != "smooth":
        mark = shade(flesh, -0.25) if v["flesh colour"] != "green" else "#4d7f34"
        lines = _bars(_scaled(form, 0.86), 9.5, mark, 2.6)
        if v["flesh look"] == "checks":
            lines += _bars(_scaled(form, 0.86), 9.5, mark, 2.6, upright=True)
    meat = part("flesh", polygon(field, deep, width=0.8), polygon(_scaled(form, 0.8), pale, stroke=None), lines)
    count, tiny = int(v["stones"]), v["stone size"] == "tiny"
    r = 4.6 if tiny else {1: 18.0, 2: 12.5, 3: 11.2, 4: 10.6}[count]
    ring = {1: 0.0, 2: 14.5, 3: 15.0, 4: 16.5}[count] * (0.75 if tiny else 1.0)
    turn = {1: 0, 2: 0, 3: -90, 4: -45}[count]
    stones = []
    for i in range(count):
        x, y = polar(cx, cy, ring, turn + 360 * i / count)
        moon = path(
            f"M{x - r:.2f},{y:.2f} A{r:.2f},{r:.2f} 0 0,0 {x + r:.2f},{y:.2f} A{r * 1.25:.2f},{r * 1.05:.2f} 0 0,1 {x - r:.2f},{y:.2f} Z",
            shade(stone, -0.2),
            stroke=None,
        )
        hollow = circle(x, y + 0.6, r * 1.1 + 0.8, shade(pale, -0.22), stroke=None)
        stones.append(part("stone", hollow, circle(x, y, r, stone), moon, circle(x, y, r), glow(x - r * 0.34, y - r * 0.4, r * 0.26)))
    tools = {"spoon": [_spoon(17, -27, -38, 38, 7)], "fork": [_fork(12, -22, -38, 44, 6)]}.get(str(v["tool"]), [])
    return [skin, meat, *tools, *stones]


AVOCADO = Concept(
    name="avocado half",
    phrase="a halved avocado",
    plural="halved avocados",
    domain="food",
    category=Category.BIOLOGY,
    definition="A halved avocado has the outline of a pear, dark skin and smooth green flesh. In its middle sits one large brown stone.",
    draw=_avocado,
    facts=(
        Fact(
            "stones",
            "counting",
            "details",
            "How many stones are in the flesh of the fruit in the image?",
            {1: "One", 3: "Three", 2: "Two", 4: "Four"},
            ("stone",),
        ),
        Fact(
            "stone colour",
            "color",
            "color",
            "What color is a stone of the fruit in the image?",
            {"brown": "Brown", "blue": "Blue", "yellow": "Yellow"},
            ("stone",),
            ("White",),
        ),
        Fact(
            "flesh colour",
            "color",
            "color",
            "What color is the flesh around the stone in the image?",
            {"green": "Green", "pink": "Pink", "purple": "Purple"},
            ("flesh",),
            ("Grey",),
        ),
        Fact(
            "outline",
            "shape",
            "shape",
            "What is the outline of the cut fruit in the image?",
            {"pear": "Like a pear", "square": "Square", "star": "Like a star"},
            ("skin", "flesh"),
            ("Like a banana",),
        ),
        Fact(
            "stone size",
            "size",
            "details",
            "How large is a stone compared with the fruit in the image?",
            {"large": "Large", "tiny": "Tiny"},
            ("stone",),
            ("Larger than the fruit", "Equal to the fruit"),
        ),
        Fact(
            "flesh look",
            "others",
            "texture",
            "What does the surface of the flesh look like in the image?",
            {"smooth": "Smooth", "stripes": "Striped", "checks": "Checkered"},
            ("flesh",),
            ("Hairy",),
        ),
    ),
    variation=Variation(
        "a halved avocado with a spoon in it",
        "attribute",
        Fact(
            "tool",
            "existence",
            "details",
            "What is stuck into the fruit in the image?",
            {"spoon": "A spoon", "none": "Nothing", "fork": "A fork"},
            ("spoon",),
            ("A candle",),
        ),
        base="none",
    ),
)


# --- mooncake ----------------------------------------------------------------------------------------------------

SQUASH = 0.56


def _cake_reach(kind: str, degrees: float) -> float:
    if kind == "star":
        off = abs((degrees + 90) % 72 - 36) / 36
        return 0.6 + 0.5 * off
    if kind == "triangle":
        return _reach("triangle", degrees)
    return 1 + 0.028 * math.cos(math.radians(degrees * 14))


def _prism(rim: Outline, height: float, tone: str) -> list[Shape]:
    """An upright solid seen from above its front: its side, lit from the left, and its top."""
    quads = []
    for (ax, ay), (bx, by) in zip(rim, [*rim[1:], rim[0]], strict=True):
        facing = (by - ay) / (math.hypot(bx - ax, by - ay) or 1)
        quads.append(([(ax, ay), (bx, by), (bx, by + height), (ax, ay + height)], shade(tone, -0.22 - 0.14 * facing), ay + by))
    quads.sort(key=lambda quad: quad[2])
    ink = [polygon(points, INK, width=2.4) for points, _, _ in quads]
    return [*ink, *(polygon(points, fill, stroke=fill, width=0.4) for points, fill, _ in quads), polygon(rim, tone)]


def _engraving(kind: str) -> list[Outline]:
    """The lines pressed into the top, in a disc of radius 1."""
    if kind == "stripes":
        return [[(x, -math.sqrt(1 - x * x)), (x, math.sqrt(1 - x * x))] for x in (-0.8, -0.48, -0.16, 0.16, 0.48, 0.8)]
    if kind == "plain":
        return []
    petals = []
    for i in range(8):
        bend = [(0.59 - 0.35 * math.cos(t), 0.24 * math.sin(t) * (1 - 0.25 * math.cos(t))) for t in (j * math.pi / 12 for j in range(25))]
        petals.append(_turned(bend, 0, 0, 45 * i))
    return [*petals, [polar(0, 0, 0.24, 12 * i) for i in range(31)]]


def _pressed(kind: str, cx: float, cy: float, r: float, tone: str, back: bool) -> list[Shape]:
    """The engraving on a top; `back` leaves only what lies behind the cut."""
    shapes: list[Shape] = []
    for mark in _engraving(kind):
        dense = [(ax + (bx - ax) * t / 4, ay + (by - ay) * t / 4) for (ax, ay), (bx, by) in pairwise(mark) for t in range(5)]
        kept = [(cx + x * r, cy + y * r * SQUASH) for x, y in dense if not back or y < -0.12]
        if len(kept) > 3:
            shapes.append(line(kept, tone, 1.7))
    return shapes


def _mooncake(v: Values, art: Art) -> Sequence[Part]:
    tone = shade("#da9236", art.vary(-0.1, 0.08))
    groove, kind, pattern = shade(tone, -0.42), str(v["outline"]), str(v["top"])
    cx, cy, r, height = -9.0, -19.0, 37.0, 20.0
    rim = [
        (cx + r * _cake_reach(kind, a) * math.cos(math.radians(a)), cy + r * SQUASH * _cake_reach(kind, a) * math.sin(math.radians(a)))
        for a in range(0, 360, 3)
    ]
    field = r * (0.82 if kind == "round" else 0.52)
    lip = [polygon(_scaled(rim, 0.91, cx, cy), shade(tone, 0.16), stroke=shade(tone, -0.25), width=0.7)]
    whole = part("cake", _prism(rim, height, tone), lip, _pressed(pattern, cx, cy, field, groove, False))

    hx, hy, hr, deep = 13.0, 16.0, 33.0, 29.0
    arc = [(hx + hr * math.cos(math.radians(a)), hy + hr * SQUASH * math.sin(math.radians(a))) for a in range(180, 361, 4)]
    lid = [(hx + (x - hx) * 0.9, hy + (y - hy) * 0.9 - 0.6) for x, y in arc]
    half = part(
        "cut cake",
        polygon([*arc, (hx + hr, hy + deep), (hx - hr, hy + deep)], tone),
        polygon(lid, shade(tone, 0.16), stroke=shade(tone, -0.25), width=0.7),
        _pressed(pattern, hx, hy, hr * 0.82, groove, True),
        polygon(_soft([(hx - hr, hy), (hx + hr, hy), (hx + hr, hy + deep), (hx - hr, hy + deep)], 2), shade(tone, -0.08)),
    )
    paste = part(
        "filling",
        rect(hx - hr + 4, hy + 4, 2 * hr - 8, deep - 8, "#5a3322", r=4),
        *(circle(hx + art.vary(-26, 26), hy + art.vary(7, deep - 7), 0.8, "#7a4c33", stroke=None) for _ in range(16)),
    )
    count, yolk = int(v["yolks"]), art.tone(str(v["yolk colour"]))
    size, step = {1: (9.0, 0.0), 3: (7.0, 18.0), 5: (4.9, 11.8)}[count]
    level = hy + deep / 2 if v["yolk place"] == "inside" else hy - size * 0.75
    yolks = []
    for i in range(count):
        x = hx + step * (i - (count - 1) / 2)
        yolks.append(
            part(
                "yolk",
                circle(x, level, size, yolk),
                circle(x + size * 0.12, level + size * 0.14, size * 0.7, shade(yolk, -0.08), stroke=None),
                glow(x - size * 0.3, level - size * 0.34, size * 0.3),
            )
        )
    tools = {"knife": [_knife(7, -16, -43, 54, 9)], "fork": [_fork(12, -20, -43, 48, 6.5)]}.get(str(v["tool"]), [])
    return [whole, *tools, half, paste, *yolks]


MOONCAKE = Concept(
    name="mooncake",
    phrase="a mooncake",
    plural="mooncakes",
    domain="food",
    category=Category.EASTERN_MEDIEVAL,
    definition="A mooncake is a round cake with a golden-brown crust and a pattern pressed into its top, eaten under the "
    "full moon of the Mid-Autumn night. "
    "Cut open, it shows a yellow egg yolk in dark filling.",
    draw=_mooncake,
    scene="night",
    tilt=3,
    facts=(
        Fact(
            "outline",
            "shape",
            "shape",
            "What is the outline of the uncut cake in the image?",
            {"round": "Round", "star": "Star-shaped", "triangle": "Triangular"},
            ("cake",),
            ("Heart-shaped",),
        ),
        Fact(
            "yolk colour",
            "color",
            "color",
            "What color is the yolk of the cut cake in the image?",
            {"yellow": "Yellow", "blue": "Blue", "green": "Green", "pink": "Pink"},
            ("yolk",),
        ),
        Fact(
            "top",
            "others",
            "texture",
            "What is pressed into the top of the uncut cake in the image?",
            {"flower": "A flower", "stripes": "Straight stripes", "plain": "Nothing"},
            ("cake",),
            ("A spiral",),
        ),
        Fact(
            "yolks",
            "counting",
            "details",
            "How many yolks does the cut cake show in the image?",
            {1: "One", 3: "Three", 5: "Five"},
            ("yolk",),
            ("Six",),
        ),
        Fact(
            "yolk place",
            "relation",
            "details",
            "Where is the yolk of the cut cake in the image?",
            {"inside": "Inside the filling", "top": "On top of the crust"},
            ("yolk", "filling"),
            ("Under the cake", "There is no yolk"),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where are the pieces of cake in the image?",
            {"night": "At night", "underwater": "Under water", "desert": "In a desert"},
            (),
            ("In the snow",),
        ),
    ),
    variation=Variation(
        "a mooncake being cut with a knife",
        "action",
        Fact(
            "tool",
            "existence",
            "details",
            "What is stuck into the uncut cake in the image?",
            {"knife": "A knife", "none": "Nothing", "fork": "A fork"},
            ("knife",),
            ("A candle",),
        ),
        base="none",
    ),
)

CONCEPTS: tuple[Concept, ...] = (FRIED_EGG, NIGIRI, BIBIMBAP, HAMBURGER, PIZZA, WATERMELON, AVOCADO, MOONCAKE)
