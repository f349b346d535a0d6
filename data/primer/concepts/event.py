"""Primer concepts of the domain event."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from data.primer.drawing import INK, Art, Part, Point, Shape, circle, ellipse, glow, line, part, path, polar, polygon, rect, shade, star
from data.primer.world import Concept, Fact, Values, Variation
from data.records import Category

Blob = tuple[float, float, float, float]

_HEAP: tuple[Blob, ...] = (
    (-0.31, 0.14, 0.19, 0.33),
    (-0.15, -0.10, 0.21, 0.38),
    (0.13, -0.06, 0.20, 0.36),
    (0.32, 0.16, 0.18, 0.30),
    (0.00, 0.20, 0.36, 0.28),
)
_PLUME: tuple[Blob, ...] = (
    (0.00, 0.40, 0.13, 0.16),
    (-0.05, 0.22, 0.19, 0.20),
    (0.08, 0.12, 0.22, 0.20),
    (-0.30, -0.08, 0.20, 0.26),
    (0.31, -0.06, 0.19, 0.25),
    (-0.12, -0.22, 0.22, 0.27),
    (0.15, -0.20, 0.21, 0.28),
)


def _puffs(blobs: Sequence[Blob], x: float, y: float, w: float, h: float, tone: str) -> list[Shape]:
    """A heap of round puffs in a box centred at (x, y) with one outline around all, lit from the upper left."""
    placed = [(x + bx * w, y + by * h, rx * w, ry * h) for bx, by, rx, ry in blobs]
    edge = [ellipse(*blob, INK, width=2.4) for blob in placed]
    dark = [ellipse(*blob, shade(tone, -0.16), stroke=None) for blob in placed]
    body = [ellipse(cx - 0.09 * rx, cy - 0.14 * ry, rx * 0.89, ry * 0.84, tone, stroke=None) for cx, cy, rx, ry in placed]
    light = [ellipse(cx - 0.25 * rx, cy - 0.4 * ry, rx * 0.5, ry * 0.36, shade(tone, 0.22), stroke=None) for cx, cy, rx, ry in placed]
    return [*edge, *dark, *body, *light]


def _turned(points: Sequence[Point], degrees: float) -> list[Point]:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x * c - y * s, x * s + y * c) for x, y in points]


def _walk(points: Sequence[Point], step: float) -> list[Point]:
    """Points evenly spread along a polyline, about `step` apart, both ends included."""
    lengths = [math.dist(a, b) for a, b in pairwise(points)]
    total = sum(lengths)
    count = max(1, round(total / step))
    found = []
    for i in range(count + 1):
        left, k = total * i / count, 0
        while k < len(lengths) - 1 and left > lengths[k]:
            left -= lengths[k]
            k += 1
        (ax, ay), (bx, by) = points[k], points[k + 1]
        t = min(1.0, left / lengths[k])
        found.append((ax + (bx - ax) * t, ay + (by - ay) * t))
    return found


def _drop(x: float, y: float, r: float, tone: str) -> list[Shape]:
    d = (
        f"M{x:.2f},{y - 1.9 * r:.2f} c{0.5 * r:.2f},{r:.2f} {r:.2f},{1.4 * r:.2f} {r:.2f},{2 * r:.2f}"
        f" a{r:.2f},{r:.2f} 0 0,1 {-2 * r:.2f},0 c0,{-0.6 * r:.2f} {0.5 * r:.2f},{-r:.2f} {r:.2f},{-2 * r:.2f} Z"
    )
    return [path(d, tone, width=1.0), ellipse(x - 0.35 * r, y + 0.1 * r, 0.25 * r, 0.4 * r, "#ffffff", stroke=None, opacity=0.7)]


def _flower(x: float, y: float, r: float, petal: str, heart: str) -> list[Shape]:
    petals = [circle(*polar(x, y, r * 0.58, 18 + 72 * i), r * 0.46, petal, width=0.9) for i in range(5)]
    return [*petals, circle(x, y, r * 0.34, heart, width=0.9)]


def _bubble(x: float, y: float, r: float, tone: str) -> list[Shape]:
    return [circle(x, y, r, shade(tone, 0.55), stroke=shade(tone, -0.45), width=1.1), glow(x - r * 0.3, y - r * 0.35, r * 0.4)]


def _fish(x: float, y: float, r: float, tone: str) -> list[Shape]:
    tail = polygon([(x + 0.5 * r, y), (x + 1.3 * r, y - 0.7 * r), (x + 1.3 * r, y + 0.7 * r)], shade(tone, -0.15), width=1.0)
    return [tail, ellipse(x - 0.2 * r, y, r, 0.68 * r, tone, width=1.0), circle(x - 0.7 * r, y - 0.12 * r, 0.14 * r, INK, stroke=None)]


# --- rainbow ---------------------------------------------------------------------------------------------------

_SPECTRUM: dict[int, tuple[str, ...]] = {
    7: ("red", "orange", "yellow", "green", "light blue", "blue", "purple"),
    4: ("red", "yellow", "green", "blue"),
    3: ("red", "yellow", "green"),
    2: ("red", "yellow"),
}


def _arch(shape: str, r: float) -> list[Point]:
    """The line of an arch at distance `r` from the middle of its foot line."""
    if shape == "square":
        return [(-r, 0.0), (-r, -r), (r, -r), (r, 0.0)]
    if shape == "pointed":
        return [(-r, 0.0), (0.0, -1.25 * r), (r, 0.0)]
    return [polar(0, 0, r, 180 + 180 * i / 48) for i in range(49)]


def _pot(x: float, y: float, art: Art) -> list[Shape]:
    heap = ((-6, -8), (6, -8), (-3.4, -11.6), (3.6, -11.4), (0, -14), (0, -9))
    coins = [circle(x + dx, y + dy, 3.9, art.tone("gold"), width=0.9) for dx, dy in heap]
    shine = [circle(x + dx - 0.8, y + dy - 0.8, 1.4, shade(art.tone("gold"), 0.5), stroke=None) for dx, dy in heap]
    d = (
        f"M{x - 9:.2f},{y - 6:.2f} C{x - 15:.2f},{y + 3:.2f} {x - 10:.2f},{y + 11:.2f} {x:.2f},{y + 11:.2f}"
        f" C{x + 10:.2f},{y + 11:.2f} {x + 15:.2f},{y + 3:.2f} {x + 9:.2f},{y - 6:.2f} Z"
    )
    rim = rect(x - 11, y - 8, 22, 4.2, shade(art.tone("black"), 0.15), 2.0)
    return [*coins, *shine, path(d, art.tone("black")), rim, glow(x - 5, y + 1, 2.6)]


def _rainbow(v: Values, art: Art) -> Sequence[Part]:
    names = list(_SPECTRUM[int(v["bands"])])
    lead = str(v["outermost"])
    if lead in names:
        names[names.index(lead)] = names[0]
    names[0] = lead
    turn = {"down": 0.0, "up": 180.0, "side": 90.0}[str(v["opening"])]
    shape, outer, inner, drop = str(v["form"]), 47.0, 17.0, 23.0
    thick = (outer - inner) / len(names)
    bands = []
    for i, name in enumerate(names):
        far, near = outer - i * thick, outer - (i + 1) * thick
        if v["surface"] == "dots":
            middle = _turned([(x, y + drop) for x, y in _arch(shape, (far + near) / 2)], turn)
            size = min(thick * 0.47, 4.4)
            shapes = [circle(x, y, size, art.tone(name), width=0.8) for x, y in _walk(middle, max(2.4 * size, 5.4))]
        else:
            rim = [(x, y + drop) for x, y in [*_arch(shape, far), *reversed(_arch(shape, near))]]
            sheen = [(x, y + drop) for x, y in _arch(shape, far - thick * 0.3)]
            shapes = [
                polygon(_turned(rim, turn), art.tone(name), width=0.9),
                Shape(line(_turned(sheen, turn)).d, None, "#ffffff", thick * 0.16, 0.3),
            ]
        bands.append(part("band", shapes))
    feet = [_turned([(side * (outer + inner) / 2, drop)], turn)[0] for side in (-1, 1)]
    ends = []
    for x, y in feet:
        if v["ends"] == "clouds":
            spot = (1.05 * x, y + 3) if turn == 0 else (1.1 * x, -1.25 * drop) if turn == 180 else (-1.25 * drop, 1.05 * y)
            ends.append(part("cloud", _puffs(_HEAP, *spot, 37, 24 if turn == 0 else 20, art.tone("white"))))
        elif v["ends"] == "pots":
            ends.append(part("pot of gold", _pot(x, y + 2, art)))
    return [*bands, *ends]


RAINBOW = Concept(
    name="rainbow",
    phrase="a rainbow",
    plural="rainbows",
    domain="event",
    category=Category.PHYSICS,
    definition="A rainbow is a round arc of seven smooth bands of color that sunlight forms in raindrops. "
    "Red is its outermost band and violet its innermost.",
    draw=_rainbow,
    facts=(
        Fact(
            "bands",
            "counting",
            "details",
            "How many bands of different colors are there in the image?",
            {7: "Seven", 4: "Four", 3: "Three", 2: "Two"},
            ("band",),
        ),
        Fact(
            "outermost",
            "color",
            "color",
            "What color is the outermost band in the image?",
            {"red": "Red", "purple": "Purple", "green": "Green", "blue": "Blue"},
            ("band",),
        ),
        Fact(
            "form",
            "shape",
            "shape",
            "What form do the colored bands have in the image?",
            {"arc": "A round arc", "square": "A square arch", "pointed": "A pointed arch"},
            ("band",),
            ("A spiral",),
        ),
        Fact(
            "opening",
            "posture",
            "shape",
            "To which side is the arch open in the image?",
            {"down": "Downward", "up": "Upward", "side": "Sideways"},
            ("band",),
            ("It is closed",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What do the colored bands consist of in the image?",
            {"smooth": "Smooth stripes", "dots": "Rows of dots"},
            ("band",),
            ("Zigzag lines", "Small squares"),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where are the colored bands in the image?",
            {"day": "Under a blue sky", "room": "In a room", "underwater": "Under water", "space": "In outer space"},
            (),
        ),
    ),
    variation=Variation(
        "a rainbow with pots of gold at its ends",
        "attribute",
        Fact(
            "ends",
            "existence",
            "details",
            "What is at the two ends of the arch in the image?",
            {"pots": "Pots of gold", "clouds": "White clouds", "none": "Nothing"},
            ("pot of gold",),
            ("Two trees",),
        ),
        base="clouds",
    ),
    scene="day",
    tilt=4.0,
)


# --- volcanic eruption -----------------------------------------------------------------------------------------


def _mountain(form: str, tone: str) -> list[Shape]:
    dark, light = shade(tone, -0.22), shade(tone, 0.14)
    if form == "box":
        return [rect(-35, -7, 70, 51, tone), rect(12, -6.4, 22.4, 49.8, dark, stroke=None), rect(-33.5, -5, 6, 46, light, stroke=None)]
    if form == "ball":
        moon = path("M14,-6.5 A28,28 0 0,1 -12,43.5 A34,34 0 0,0 14,-6.5 Z", dark, stroke=None)
        return [circle(0, 18, 28, tone), moon, ellipse(-15, 6, 4, 8, light, stroke=None)]
    body = path("M-46,44 C-30,34 -18,10 -12,-7 Q0,-3 12,-7 C18,10 30,34 46,44 Q0,49 -46,44 Z", tone)
    side = path("M11.4,-6.6 C18,10 30,34 45,43.7 Q30,46 14,46 C20,30 8,14 5,-5.4 Z", dark, stroke=None)
    ridge = path("M-11,-4 C-16,12 -26,30 -38,40 C-28,34 -16,18 -8,-3 Z", light, stroke=None)
    return [body, side, ridge]


def _flow(tone: str) -> list[Shape]:
    body = path(
        "M-10.6,-7 C-13,4 -22,12 -22,26 C-22,33 -14,33 -13.5,26 C-13,18 -9,13 -6,8 C-4,16 -7,28 -5,38 C-3.6,44 4,44 4.6,38"
        " C5.4,28 1.6,18 4.6,9 C8,14 14,18 14.4,28 C14.8,35 23,34 22.6,27 C22,12 13,4 10.6,-7 Q0,-3.4 -10.6,-7 Z",
        tone,
    )
    core = [
        line(p, shade(tone, 0.42), 2.2)
        for p in (
            [(-8, 1), (-13, 9), (-17, 18), (-18, 26)],
            [(-1, 3), (-1.4, 14), (-1, 26), (-0.4, 37)],
            [(8, 2), (12, 9), (16.5, 18), (18.4, 27)],
        )
    ]
    return [body, *core]


def _half(form: str, y: float) -> float:
    """Half the width of the mountain at the height `y`, roughly."""
    if form == "box":
        return 35.0
    return math.sqrt(784 - (y - 18) ** 2) if form == "ball" else 12 + 0.19 * (y + 7) + 0.0092 * (y + 7) ** 2


def _hoops(form: str, tone: str) -> list[Shape]:
    shapes = []
    for top in (1.0, 14.0):
        a, b, foot = _half(form, top), _half(form, top + 7), top + 7
        bow = 1.0 if form == "box" else 4.0
        d = f"M{-a:.2f},{top} Q0,{top + bow} {a:.2f},{top} L{b:.2f},{foot} Q0,{foot + bow} {-b:.2f},{foot} Z"
        shapes += [path(d, tone), line([(-a * 0.75, top + 3 + bow * 0.3), (-a * 0.15, top + 3 + bow * 0.5)], shade(tone, 0.42), 2.0)]
    return shapes


def _thrown(kind: str, x: float, y: float, art: Art) -> Part:
    if kind == "flowers":
        return part("flower", _flower(x, y, 5.6, art.tone("pink"), art.tone("yellow")))
    if kind == "bubbles":
        return part("soap bubble", _bubble(x, y, 5, art.tone("light blue")))
    if kind == "stars":
        return part("star", star(x, y, 6, fill=art.tone("yellow"), width=1.0))
    rock = [polar(x, y, r, a) for r, a in ((5, 10), (4.4, 65), (5.2, 120), (4.3, 175), (5.1, 235), (4.4, 300))]
    heat = [polar(x, y, r, a) for r, a in ((3.0, 200), (2.8, 260), (2.8, 320), (1.6, 30), (1.2, 120))]
    return part("glowing rock", polygon(rock, "#4c3a38"), polygon(heat, "#ff9a3c", stroke=None))


def _volcano(v: Values, art: Art) -> Sequence[Part]:
    ash_tone = shade(art.tone("grey"), -0.22) if v["ash"] == "grey" else art.tone(str(v["ash"]))
    lava_tone, form = art.tone(str(v["lava"])), str(v["mountain"])
    above = v["ash place"] == "above"
    ash = part("ash cloud", _puffs(_PLUME, 0, -27.5, 82, 45, ash_tone) if above else _puffs(_HEAP, 0, 38, 98, 19, ash_tone))
    lip = part("crater", ellipse(0, -7, 11.4, 3.4, "#33262b"), ellipse(0, -6.4, 7.6, 2, "#7c4034", stroke=None))
    lava = part("lava", _flow(lava_tone) if v["flow"] == "slopes" else _hoops(form, lava_tone))
    hill = part("mountain", _mountain(form, art.tone("brown")))
    ground = part("ground", ellipse(0, 44, 48, 4.4, shade(art.tone("green"), -0.1)))
    sway = art.vary(-1.5, 1.5)
    things = [_thrown(str(v["thrown"]), x, y + sway, art) for x, y in ((-24, -9), (25, -12), (-38, 4), (39, 2))]
    return [ground, *([ash] if above else []), hill, lip, lava, *([] if above else [ash]), *things]


VOLCANO = Concept(
    name="volcanic eruption",
    phrase="a volcanic eruption",
    plural="volcanic eruptions",
    domain="event",
    category=Category.EARTH_SCIENCE,
    definition="In a volcanic eruption glowing red lava leaves the crater of a cone-shaped mountain and runs down its slopes. "
    "Glowing rocks fly out and a grey cloud of ash rises above the crater.",
    draw=_volcano,
    facts=(
        Fact(
            "mountain",
            "shape",
            "shape",
            "What shape is the mountain in the image?",
            {"cone": "A cone", "box": "A box", "ball": "A ball"},
            ("mountain",),
            ("A ring",),
        ),
        Fact(
            "lava",
            "color",
            "color",
            "What color is the lava in the image?",
            {"red": "Red", "green": "Green", "blue": "Blue", "purple": "Purple"},
            ("lava",),
        ),
        Fact(
            "ash",
            "color",
            "color",
            "What color is the large cloud in the image?",
            {"grey": "Grey", "pink": "Pink", "green": "Green", "yellow": "Yellow"},
            ("ash cloud",),
        ),
        Fact(
            "ash place",
            "relation",
            "details",
            "Where is the large cloud in the image?",
            {"above": "Above the mountain", "foot": "At the mountain's foot"},
            ("ash cloud", "mountain"),
            ("Inside it", "Behind it"),
        ),
        Fact(
            "thrown",
            "existence",
            "details",
            "What flies out of the mountain in the image?",
            {"rocks": "Glowing rocks", "flowers": "Flowers", "bubbles": "Soap bubbles", "stars": "Stars"},
            ("glowing rock",),
        ),
        Fact(
            "flow",
            "others",
            "details",
            "How does the lava run over the mountain in the image?",
            {"slopes": "Down the slopes", "hoops": "In rings around it"},
            ("lava",),
            ("Up into the sky", "In a spiral"),
        ),
    ),
    variation=Variation(
        "a volcanic eruption at night",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where does the mountain stand in the image?",
            {"night": "At night", "day": "Under a blue sky", "plain": "A plain background"},
            (),
            ("In a room",),
        ),
        base="day",
    ),
    tilt=2.0,
)


# --- thunderstorm ----------------------------------------------------------------------------------------------


def _bolt(form: str, x: float, top: float, height: float, tone: str) -> list[Shape]:
    if form == "zigzag":
        corners = ((-0.08, 0), (0.20, 0), (0.06, 0.36), (0.24, 0.36), (-0.16, 1), (-0.02, 0.54), (-0.22, 0.54))
        pale = ((0.02, 0.06), (0.10, 0.06), (-0.03, 0.43), (0.09, 0.43), (-0.07, 0.72), (0.03, 0.48), (-0.12, 0.48))
        scaled = [[(x + dx * height, top + dy * height) for dx, dy in shape] for shape in (corners, pale)]
        return [polygon(scaled[0], tone), polygon(scaled[1], shade(tone, 0.5), stroke=None)]
    if form == "straight":
        return [rect(x - 4, top, 8, height, tone), rect(x - 2.4, top + 2, 2.2, height - 4, shade(tone, 0.5), stroke=None)]
    spine = [(x + 8 * math.sin(i / 40 * 4 * math.pi), top + height * i / 40) for i in range(41)]
    return [line(spine, INK, 8.4), line(spine, tone, 6.0), line([(a - 1, b) for a, b in spine[2:-2]], shade(tone, 0.5), 1.4)]


def _falling(kind: str, x: float, y: float, art: Art) -> Part:
    if kind == "flowers":
        return part("flower", _flower(x, y, 5.0, art.tone("pink"), art.tone("white")))
    if kind == "leaves":
        leaf = path(
            f"M{x - 5:.2f},{y + 4:.2f} C{x - 6:.2f},{y - 4:.2f} {x + 1:.2f},{y - 6:.2f} {x + 5:.2f},{y - 5:.2f}"
            f" C{x + 6:.2f},{y:.2f} {x + 2:.2f},{y + 6:.2f} {x - 5:.2f},{y + 4:.2f} Z",
            art.tone("orange"),
            width=1.0,
        )
        return part("leaf", leaf, line([(x - 6, y + 5), (x + 3, y - 3)], INK, 0.8))
    if kind == "coins":
        return part("coin", circle(x, y, 4.2, art.tone("gold"), width=1.0), circle(x, y, 2.4, shade(art.tone("gold"), 0.35), width=0.6))
    return part("raindrop", _drop(x, y + 1.2, 3.2, art.tone("blue")))


def _tree(x: float, foot: float, height: float, lean: float, art: Art) -> list[Shape]:
    """A leafy tree on its foot, its top `lean` times its height to the side."""
    green, wide = art.tone("green"), height * 0.2
    top, bow = x + lean * height, x + lean * height * 0.25
    d = (
        f"M{x - height * 0.07:.2f},{foot:.2f} Q{bow - height * 0.06:.2f},{foot - height * 0.35:.2f}"
        f" {top - height * 0.03:.2f},{foot - height * 0.7:.2f} L{top + height * 0.04:.2f},{foot - height * 0.66:.2f}"
        f" Q{bow + height * 0.07:.2f},{foot - height * 0.3:.2f} {x + height * 0.08:.2f},{foot:.2f} Z"
    )
    trunk = path(d, art.tone("brown"), width=1.0)
    y = foot - height * 0.68
    crown = [(top, y + wide * 0.3, wide * 1.2, wide * 0.85), (top + lean * wide * 0.7, y - wide * 0.6, wide * 0.9, wide * 0.85)]
    if lean:
        crown.append((top + lean * wide * 2.6, y + wide * 0.1, wide, wide * 0.55))
    else:
        crown.append((top, y - wide * 0.2, wide * 0.9, wide))
    edge = [ellipse(*blob, INK, width=2.2) for blob in crown]
    fill = [ellipse(*blob, green, stroke=None) for blob in crown]
    lit = [ellipse(cx - rx * 0.25, cy - ry * 0.35, rx * 0.45, ry * 0.35, shade(green, 0.22), stroke=None) for cx, cy, rx, ry in crown[:2]]
    return [trunk, *edge, *fill, *lit]


def _thunderstorm(v: Values, art: Art) -> Sequence[Part]:
    big, below = v["larger"] == "cloud", v["bolt place"] == "below"
    wide, tall, cx = (92.0, 36.0, 0.0) if big else (42.0, 20.0, -27.0)
    cy = -29.0 if below else 4.0
    tone = shade(art.tone("grey"), -0.34) if v["cloud"] == "grey" else art.tone(str(v["cloud"]))
    reach = 54.0 if below else 46.0
    top = cy + tall * 0.18 if below else -49.0
    bx = cx - (2 if big else 0)
    bolt = part("lightning bolt", _bolt(str(v["bolt"]), bx, top, reach, art.tone(str(v["bolt colour"]))))
    columns = (-38, -24, 14, 27, 40) if big else (-16, 16)
    rows = (-1, 16, 33) if below else (28, 40)
    drops = [
        _falling(str(v["falling"]), cx + x, y + (4 if i % 2 else 0) + art.vary(-0.8, 0.8), art)
        for i, x in enumerate(columns)
        for y in rows
        if not (big and x > 20 and y > 0)
    ]
    lean = -0.42 if v["tree"] == "bent" else 0.0
    foot = 46.5
    tree = part("tree", _tree(32, foot, 36, lean, art) if big else _tree(31, foot, 80, lean * 0.6, art))
    ground = part("ground", ellipse(0, 47, 48, 2.8, shade(art.tone("green"), -0.2)))
    cloud = part("cloud", _puffs(_HEAP, cx, cy, wide, tall, tone))
    return [ground, *drops, bolt, cloud, tree]


THUNDERSTORM = Concept(
    name="thunderstorm",
    phrase="a thunderstorm",
    plural="thunderstorms",
    domain="event",
    category=Category.EARTH_SCIENCE,
    definition="A thunderstorm is a storm in which yellow zigzag lightning strikes down from a huge dark grey cloud. "
    "Heavy rain falls from the cloud.",
    draw=_thunderstorm,
    facts=(
        Fact(
            "cloud",
            "color",
            "color",
            "What color is the cloud in the image?",
            {"grey": "Dark grey", "pink": "Pink", "green": "Green", "purple": "Purple"},
            ("cloud",),
        ),
        Fact(
            "bolt",
            "shape",
            "shape",
            "What shape is the lightning bolt in the image?",
            {"zigzag": "Zigzag", "straight": "A straight bar", "wavy": "Wavy"},
            ("lightning bolt",),
            ("A ring",),
        ),
        Fact(
            "bolt colour",
            "color",
            "color",
            "What color is the lightning bolt in the image?",
            {"yellow": "Yellow", "red": "Red", "green": "Green", "blue": "Blue"},
            ("lightning bolt",),
        ),
        Fact(
            "bolt place",
            "relation",
            "details",
            "Where is the lightning relative to the cloud in the image?",
            {"below": "Below it", "above": "Above it"},
            ("lightning bolt", "cloud"),
            ("Beside it", "Around it"),
        ),
        Fact(
            "falling",
            "existence",
            "details",
            "What falls to the ground in the image?",
            {"rain": "Raindrops", "leaves": "Leaves", "coins": "Coins", "flowers": "Flowers"},
            ("raindrop",),
        ),
        Fact(
            "larger",
            "size",
            "shape",
            "Which is larger in the image, the cloud or the tree?",
            {"cloud": "The cloud", "tree": "The tree"},
            ("cloud", "tree"),
            ("Both are equal", "There is no tree"),
        ),
    ),
    variation=Variation(
        "a thunderstorm bending a tree",
        "action",
        Fact(
            "tree",
            "posture",
            "shape",
            "How does the tree stand in the image?",
            {"bent": "Bent to the side", "upright": "Upright"},
            ("tree",),
            ("Upside down", "Split in two"),
        ),
        base="upright",
    ),
    tilt=3.0,
)


# --- total solar eclipse ---------------------------------------------------------------------------------------


def _segment(y: float, fill: str, r: float = 47.4, **style: object) -> Shape:
    """The part of the round sky below the height `y`."""
    half = math.sqrt(r * r - y * y)
    return path(f"M{-half:.2f},{y:.2f} A{r},{r} 0 0,0 {half:.2f},{y:.2f} Z", fill, **style)


def _corona(x: float, y: float, art: Art) -> list[Shape]:
    white = art.tone("white")
    shapes = [circle(x, y, 39 - 1.3 * i, white, stroke=None, opacity=0.05 + 0.012 * i) for i in range(11)]
    for i in range(30):
        angle = 12 * i + art.vary(-4, 4)
        reach = (30.5 + 8.5 * abs(math.cos(math.radians(angle)))) * art.vary(0.9, 1.03)
        (ax, ay), (bx, by), (tx, ty) = polar(x, y, 22, angle - 13), polar(x, y, 22, angle + 13), polar(x, y, reach, angle)
        (cx, cy), (dx, dy) = polar(x, y, 28, angle - 4), polar(x, y, 28, angle + 4)
        d = f"M{ax:.2f},{ay:.2f} Q{cx:.2f},{cy:.2f} {tx:.2f},{ty:.2f} Q{dx:.2f},{dy:.2f} {bx:.2f},{by:.2f} Z"
        shapes.append(path(d, white, stroke=None, opacity=0.4))
    return [*shapes, circle(x, y, 24.8, white, stroke=None)]


def _around(kind: str, x: float, y: float, art: Art) -> Part:
    if kind == "petals":
        petal = art.tone("white")
        shapes = [ellipse(*polar(x, y, 28, 36 * i), 7.4, 7.4, petal) for i in range(10)]
        return part("flower petals", shapes)
    if kind == "ring":
        wide = path(
            f"M{x - 42:.2f},{y + 8:.2f} C{x - 38:.2f},{y - 12:.2f} {x + 38:.2f},{y - 26:.2f} {x + 42:.2f},{y - 8:.2f}"
            f" C{x + 38:.2f},{y + 12:.2f} {x - 38:.2f},{y + 26:.2f} {x - 42:.2f},{y + 8:.2f} Z",
            art.tone("white"),
        )
        return part("planet ring", wide)
    if kind == "rays":
        return part("pointed rays", star(x, y, 39, 8, 0.66, fill=art.tone("white")))
    return part("corona", _corona(x, y, art))


def _eclipse(v: Values, art: Art) -> Sequence[Part]:
    x, y = (0.0 if v["place"] == "front" else -8.5), -8.0
    sky_tone = {"dark": shade(art.tone("blue"), -0.66), "light": art.tone("light blue"), "pink": art.tone("pink")}[str(v["sky"])]
    spots = [polar(0, 0, art.vary(42, 45), angle + art.vary(-8, 8)) for angle in (165, 190, 215, 240, 300, 325, 350, 15)]
    sky = part("sky", circle(0, 0, 48, sky_tone, width=1.6), [circle(a, b, art.vary(0.6, 0.9), "#ffffff", stroke=None) for a, b in spots])
    dusk = art.tone("orange")
    glowing = [_segment(20 + 2 * i, dusk, stroke=None, opacity=0.08 + 0.05 * i) for i in range(8)]
    trees = []
    for tx in (-30, -24, 22, 29):
        h = art.vary(9, 13)
        trees.append(polygon([(tx - 3.4, 36), (tx, 36 - h), (tx + 3.4, 36)], "#171a2c", stroke=None))
    land = part("land", glowing, trees, _segment(34, "#171a2c", stroke=None))
    size = 22.8 if v["size"] == "same" else 11.0
    mx = x + (27.0 if v["place"] == "side" else 0.0)
    tone = art.tone(str(v["disc"]))
    if v["form"] == "square":
        side = rect(mx + size * 0.55, y - size * 0.95, size * 0.4, size * 1.9, shade(tone, -0.15), stroke=None)
        disc = [rect(mx - size, y - size, 2 * size, 2 * size, tone), side]
    else:
        disc = [circle(mx, y, size, tone), circle(mx - size * 0.12, y - size * 0.12, size * 0.8, shade(tone, 0.06), stroke=None)]
    yellow = art.tone("yellow")
    sun = part("sun", circle(x, y, 22.4, yellow, width=1.0), circle(x - 4, y - 4, 15, shade(yellow, 0.25), stroke=None))
    moon = part("dark disc", disc)
    parts = [sky, land, _around(str(v["around"]), x, y, art), sun, moon]
    if v["bead"] == "one":
        gx, gy = x + 16.2, y - 16.2
        flash = star(gx, gy, 12, 8, 0.32, -90, "#fffbe0", stroke="#c9a437", width=0.7)
        halo = circle(gx, gy, 9, "#ffffff", stroke=None, opacity=0.4)
        parts.append(part("bright spot", halo, flash, circle(gx, gy, 4.4, "#ffffff", stroke=None)))
    return parts


ECLIPSE = Concept(
    name="total solar eclipse",
    phrase="a total solar eclipse",
    plural="total solar eclipses",
    domain="event",
    category=Category.EARTH_SCIENCE,
    definition="In a total solar eclipse the round black disc of the moon, which looks as large as the sun, stands right in front of it. "
    "The sky turns dark and only the sun's white corona glows around the disc.",
    draw=_eclipse,
    facts=(
        Fact(
            "disc",
            "color",
            "color",
            "What color is the disc in front of the sun in the image?",
            {"black": "Black", "red": "Red", "green": "Green", "blue": "Blue"},
            ("dark disc",),
        ),
        Fact(
            "around",
            "existence",
            "details",
            "What surrounds the sun in the image?",
            {"corona": "A soft glow", "petals": "Flower petals", "ring": "A tilted ring", "rays": "Eight big spikes"},
            ("corona",),
        ),
        Fact(
            "size",
            "size",
            "shape",
            "How large does the disc in front look beside the sun in the image?",
            {"same": "As large", "small": "Half as large"},
            ("dark disc",),
            ("Twice as large", "Only a tiny dot"),
        ),
        Fact(
            "place",
            "relation",
            "details",
            "Where does the disc stand relative to the sun in the image?",
            {"front": "Right in front", "side": "Off to the side"},
            ("dark disc",),
            ("Fully behind", "Far below"),
        ),
        Fact(
            "form",
            "shape",
            "shape",
            "What shape is the disc in front in the image?",
            {"round": "Round", "square": "Square"},
            ("dark disc",),
            ("Triangular", "A star"),
        ),
        Fact(
            "sky",
            "color",
            "color",
            "How does the sky look in the image?",
            {"dark": "Dark", "light": "Bright blue", "pink": "Pink"},
            ("sky",),
            ("Green",),
        ),
    ),
    variation=Variation(
        "a total solar eclipse with a diamond ring",
        "attribute",
        Fact(
            "bead",
            "existence",
            "details",
            "What shines at the edge of the sun in the image?",
            {"one": "One bright spot", "none": "No bright spot"},
            ("bright spot",),
            ("Many flames", "A crescent moon"),
        ),
        base="none",
    ),
    tilt=4.0,
)


# --- tornado ---------------------------------------------------------------------------------------------------

_WIDTHS: dict[str, Callable[[float], float]] = {
    "top": lambda t: 3.6 + 21 * (1 - t) ** 1.5,
    "bottom": lambda t: 3.6 + 21 * t**1.5,
    "middle": lambda t: 3.6 + 20 * math.sin(math.pi * t) ** 1.6,
}


def _whirl(x: float, top: float, foot: float, slim: float, v: Values, tone: str, bow: float) -> list[Shape]:
    """One whirling column from `top` to `foot`; `slim` narrows it."""

    def spine(t: float) -> float:
        return x + bow * math.sin(t * 2.2 * math.pi) * (0.4 + 0.6 * t)

    def half(t: float) -> float:
        return max(2.6, slim * _WIDTHS[str(v["widest"])](t))

    steps = [i / 40 for i in range(41)]
    height = foot - top
    left = [(spine(t) - half(t) * (1 + 0.06 * math.sin(t * 40)), top + height * t) for t in steps]
    right = [(spine(t) + half(t) * (1 + 0.06 * math.sin(t * 40 + 1.5)), top + height * t) for t in steps]
    shaded = [(spine(t) + half(t) * 0.35, top + height * t) for t in steps]
    shapes = [polygon([*left, *reversed(right)], tone), polygon([*shaded, *reversed(right)], shade(tone, -0.17), stroke=None)]
    if v["surface"] == "dots":
        for i, t in enumerate((0.1, 0.26, 0.42, 0.58, 0.74, 0.9)):
            r = min(4.2, half(t) * 0.5)
            gaps: tuple[float, ...] = (-0.5, 0.5) if half(t) > 10 else (0.0,)
            if half(t) > 17:
                gaps = (-0.66, 0.0, 0.66) if i % 2 == 0 else (-0.4, 0.4)
            shapes += [circle(spine(t) + g * half(t), top + height * t, r, "#fffdf2", width=0.9) for g in gaps]
    elif v["surface"] == "stripes":
        for g in (-0.5, 0.0, 0.5):
            shapes.append(line([(spine(t) + g * half(t), top + height * t) for t in steps], INK, 2.0 * max(slim, 0.6)))
    else:
        for t in (0.08, 0.22, 0.36, 0.5, 0.64, 0.78, 0.91):
            w, cx, cy = half(t) * 1.06, spine(t), top + height * t
            dip = min(7.0, 2.0 + w * 0.3)
            d = (
                f"M{cx - w:.2f},{cy - dip * 0.4:.2f} C{cx - w * 0.6:.2f},{cy + dip:.2f}"
                f" {cx + w * 0.5:.2f},{cy + dip:.2f} {cx + w:.2f},{cy - dip * 0.5:.2f}"
            )
            shapes += [Shape(d, None, INK, 2.6), Shape(d, None, shade(tone, 0.5), 1.2)]
    return [*shapes, polygon([*left, *reversed(right)], None)]


def _house(x: float, y: float, art: Art) -> list[Shape]:
    wall, roof = art.tone("beige"), art.tone("red")
    corners = [(-9, -3), (9, -3), (9, 10), (-9, 10)]
    eaves = [(-12, -2), (0, -12), (12, -2)]
    door = [(-3, 2), (3, 2), (3, 10), (-3, 10)]
    shapes = [polygon(corners, wall), polygon(eaves, roof), polygon(door, art.tone("brown"), width=0.9)]
    return [
        polygon([(x + a, y + b) for a, b in _turned(points, 16)], shape.fill, width=shape.width)
        for points, shape in zip((corners, eaves, door), shapes, strict=True)
    ]


def _car(x: float, y: float, art: Art) -> list[Shape]:
    body = [(-13, 4), (-13, -1), (-7, -2), (-4, -8), (6, -8), (9, -2), (13, 0), (13, 4)]
    pane = [(-4.6, -2), (-2.4, -6), (4.8, -6), (6.4, -2)]
    hubs = _turned([(-7, 4.6), (7, 4.6)], 16)
    wheels = [circle(x + a, y + b, r, tone, width=0.8) for a, b in hubs for r, tone in ((3.4, INK), (1.3, "#cfd3da"))]
    shapes = [
        polygon([(x + a, y + b) for a, b in _turned(body, 16)], art.tone("blue")),
        polygon([(x + a, y + b) for a, b in _turned(pane, 16)], "#dff0fa", width=0.8),
    ]
    return [*shapes, *wheels]


def _plank(x: float, y: float, turn: float, art: Art) -> Shape:
    return polygon([(x + a, y + b) for a, b in _turned([(-6, -1.7), (6, -1.7), (6, 1.7), (-6, 1.7)], turn)], art.tone("brown"), width=1.0)


def _tornado(v: Values, art: Art) -> Sequence[Part]:
    above, count = v["cloud place"] == "above", int(v["columns"])
    top, foot = (-36.0, 42.0) if above else (-47.0, 36.0)
    tone = art.tone("grey") if v["colour"] == "grey" else art.tone(str(v["colour"]))
    slim = {1: 1.0, 2: 0.72, 3: 0.52}[count]
    places = {1: (0.0,), 2: (-23.0, 23.0), 3: (-32.0, 0.0, 32.0)}[count]
    bow = art.vary(3.0, 4.6) * (1 if count == 1 else 0.6)
    columns = [part("whirl", _whirl(x, top, foot, slim, v, tone, bow)) for x in places]
    dust = [part("dust", _puffs(_HEAP, x, 42, 34 * slim + 4, 13, art.tone("beige"))) for x in places] if above else []
    cloud = part("cloud", _puffs(_HEAP, 0, -35 if above else 36, 96, 27, shade(art.tone("grey"), -0.4)))
    spread = 1.0 if v["widest"] == "top" else 1.12
    if v["carried"] == "house":
        carried = [part("house", _house(33, 12, art))]
    elif v["carried"] == "car":
        carried = [part("car", _car(32, 13, art))]
    else:
        bits = ((-30 * spread, 0, 30), (30 * spread, 4, -35), (-26 * spread, 24, -20), (28 * spread, 25, 45))
        carried = [part("bits of wood", [_plank(x, y, turn + art.vary(-8, 8), art) for x, y, turn in bits])]
    return [*columns, *dust, cloud, *carried]


TORNADO = Concept(
    name="tornado",
    phrase="a tornado",
    plural="tornadoes",
    domain="event",
    category=Category.EARTH_SCIENCE,
    definition="A tornado is one grey column of whirling air that hangs from a storm cloud down to the open land. "
    "It has the shape of a funnel, widest at the top and narrow at the ground.",
    draw=_tornado,
    facts=(
        Fact(
            "columns",
            "counting",
            "details",
            "How many whirling columns are there in the image?",
            {1: "One", 2: "Two", 3: "Three"},
            ("whirl",),
            ("Five",),
        ),
        Fact(
            "widest",
            "size",
            "shape",
            "Where is the whirling column widest in the image?",
            {"top": "At the top", "bottom": "At the bottom", "middle": "In the middle"},
            ("whirl",),
            ("Nowhere",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the whirling column in the image?",
            {"grey": "Grey", "pink": "Pink", "green": "Green", "yellow": "Yellow"},
            ("whirl",),
        ),
        Fact(
            "cloud place",
            "relation",
            "details",
            "Where is the dark cloud relative to the whirl in the image?",
            {"above": "Above it", "below": "Below it"},
            ("cloud",),
            ("Beside it", "Inside it"),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What pattern does the whirling column show in the image?",
            {"swirls": "Swirling bands", "dots": "Dots", "stripes": "Upright stripes"},
            ("whirl",),
            ("Hearts",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the whirling column in the image?",
            {"meadow": "In a meadow", "room": "In a room", "underwater": "Under water", "space": "In outer space"},
            (),
        ),
    ),
    variation=Variation(
        "a tornado lifting a house",
        "action",
        Fact(
            "carried",
            "existence",
            "details",
            "What is carried through the air in the image?",
            {"house": "A house", "wood": "Bits of wood", "car": "A car"},
            ("house",),
            ("A ship",),
        ),
        base="wood",
    ),
    scene="meadow",
    tilt=3.0,
)


# --- raising of the Olympic flag -------------------------------------------------------------------------------

_RINGS = ("blue", "black", "red", "yellow", "green", "light blue")


def _gauge(form: str, x: float, y: float) -> float:
    """The distance of a point from a ring's middle as the form measures it: constant along the form's edge."""
    if form == "square":
        return max(abs(x), abs(y)) * 1.12
    if form == "triangle":
        return max(y, -0.5 * y + 0.866 * x, -0.5 * y - 0.866 * x) * 1.5
    return math.hypot(x, y)


def _edge(form: str, r: float) -> list[Point]:
    found = []
    for i in range(120):
        x, y = polar(0, 0, 1, 3 * i - 90)
        reach = r / _gauge(form, x, y)
        found.append((x * reach, y * reach))
    return found


def _runs(flags: Sequence[bool]) -> list[list[int]]:
    """The stretches of true flags around a closed loop, each as its indices in order."""
    start = next((i for i, flag in enumerate(flags) if not flag), 0)
    runs: list[list[int]] = []
    for k in range(len(flags)):
        i = (start + k) % len(flags)
        if flags[i]:
            if not runs or not flags[i - 1]:
                runs.append([])
            runs[-1].append(i)
    return runs


def _ring(form: str, place: Point, r: float, earlier: Sequence[Point], tone: str, warp: Callable[[Point], Point]) -> list[Shape]:
    """One ring, cut where it passes below an earlier one: at one of their two crossings."""
    (cx, cy), thick = place, 0.33 * r
    outer, middle, inner = ([warp((cx + x, cy + y)) for x, y in _edge(form, r + step * thick)] for step in (0.5, 0.0, -0.5))
    shown = [True] * 120
    for ax, ay in earlier:
        inside = [abs(_gauge(form, cx + x - ax, cy + y - ay) - r) < thick * 0.5 + 0.5 for x, y in _edge(form, r)]
        crossings = _runs(inside)
        if len(crossings) == 2:
            for i in crossings[0]:
                shown[i] = False
    if all(shown):
        d = line([*middle, middle[0]]).d
        return [Shape(d, None, INK, thick + 1.6), Shape(d, None, tone, thick)]
    return [
        polygon([*(outer[i] for i in run), *(inner[i] for i in reversed(run))], tone, width=0.8) for run in _runs(shown) if len(run) > 1
    ]


def _ring_places(count: int, arrangement: str, linked: bool) -> tuple[list[Point], float]:
    """The middles of the rings around (0, 0) and their radius, so that all fit in 68 x 37."""
    if arrangement != "rows":
        step, slope = (1.5 if linked else 2.8), (0.0 if arrangement == "row" else 0.42)
        ends = (count - 1) / 2
        r = min(9.4, 34 / (step * ends + 1.2), 18 / (step * ends * slope + 1.2))
        return [((i - ends) * step * r, (ends - i) * step * slope * r) for i in range(count)], r
    upper = (count + 1) // 2
    step, fall = (2.3, 1.0) if linked else (2.8, 2.7)
    r = min(9.8, 17.5 / (fall / 2 + 1.2))
    row = [((i - (upper - 1) / 2) * step * r, -fall * r / 2) for i in range(upper)]
    shift = 0.0 if upper > count - upper else step / 4
    low = [((i - (count - upper - 1) / 2) * step * r + shift * r, fall * r / 2) for i in range(count - upper)]
    return [(x - shift * r, y) for x, y in row] + low, r


def _standing(x: float, coat: str, hair: str, art: Art) -> list[Shape]:
    """A small person with the face to the left; arms are drawn apart."""
    legs = [rect(x + dx, 37, 3.4, 10, "#46506a", 1.0, width=1.0) for dx in (-3.8, 0.6)]
    shoes = [ellipse(x + dx, 47.4, 3, 1.5, "#2f2f38", width=0.8) for dx in (-2.8, 1.6)]
    body = path(f"M{x - 5:.2f},39.6 L{x - 4.2:.2f},26.6 Q{x:.2f},23.6 {x + 4.2:.2f},26.6 L{x + 5:.2f},39.6 Z", coat)
    side = path(f"M{x + 1.8:.2f},39 L{x + 1.6:.2f},26 L{x + 3.7:.2f},27 L{x + 4.4:.2f},39 Z", shade(coat, -0.15), stroke=None)
    d = f"M{x - 4.2:.2f},17.6 A5,5 0 1,1 {x + 3.4:.2f},22.6 Q{x + 1.4:.2f},19.2 {x + 1:.2f},16.6 Q{x - 1:.2f},18 {x - 4.2:.2f},17.6 Z"
    mane = path(d, hair, width=0.9)
    face = [
        circle(x, 19, 4.8, art.tone("skin")),
        mane,
        circle(x - 2.8, 19.8, 0.6, INK, stroke=None),
        line([(x - 3.4, 21.8), (x - 2.0, 22.2)], INK, 0.6),
    ]
    return [*legs, *shoes, body, side, *face]


def _arm(points: Sequence[Point], coat: str, art: Art) -> list[Shape]:
    return [line(points, INK, 4.2), circle(*points[-1], 1.8, art.tone("skin"), width=0.9), line(points[:-1], coat, 2.6)]


def _raiser(x: float, art: Art) -> list[Shape]:
    """A person who pulls the rope of the flag with both hands."""
    coat = art.tone("light blue")
    far = _arm([(x - 2.4, 28.6), (x - 5.4, 25.4), (x - 7.6, 20.4), (x - 8.6, 17.4)], shade(coat, -0.15), art)
    near = _arm([(x + 1, 29.2), (x - 3, 32.4), (x - 6.8, 30.6), (x - 8.8, 28.6)], coat, art)
    return [*far, *_standing(x, coat, "#3a2a22", art), *near]


def _watcher(x: float, coat: str, hair: str, art: Art) -> list[Shape]:
    arm = _arm([(x + 1.4, 28.6), (x + 2.4, 32.6), (x + 2, 36.4), (x + 1.6, 38)], shade(coat, -0.06), art)
    return [*_standing(x, coat, hair, art), *arm]


def _olympic_flag(v: Values, art: Art) -> Sequence[Part]:
    leaning = v["pole"] == "leaning"
    left, top = -36.0, (-46.0 if v["height"] == "top" else -19.0)
    wide, tall, wave = 82.0, 45.0, art.vary(1.5, 2.2)

    def warp(p: Point) -> Point:
        return p[0], p[1] + wave * math.sin((p[0] - left) / wide * 2 * math.pi) * min(1.0, (p[0] - left) / 14)

    xs = [left + wide * i / 40 for i in range(41)]
    upper, lower = [warp((x, top)) for x in xs], [warp((x, top + tall)) for x in xs]
    field = art.tone(str(v["field"]))
    fold = [x for x in xs if 0.55 * wide < x - left < 0.8 * wide]
    crease = [*(warp((x, top + 0.6)) for x in fold), *(warp((x - 4, top + tall - 0.6)) for x in reversed(fold))]
    cloth = part("flag", polygon([*upper, *reversed(lower)], field), polygon(crease, shade(field, -0.06), stroke=None))
    count, form, linked = int(v["rings"]), str(v["form"]), v["link"] == "linked"
    places, r = _ring_places(count, str(v["arrangement"]), linked)
    middle = (left + wide / 2, top + tall / 2)
    centres = [(middle[0] + x, middle[1] + y) for x, y in places]
    rings = [
        part("ring", _ring(form, centre, r, centres[:i] if linked else (), art.tone(_RINGS[i]), warp)) for i, centre in enumerate(centres)
    ]
    pole = part(
        "pole",
        rect(left - 5, -47, 3.4, 95, "#b9bec8", 1.2),
        rect(left - 2.9, -46, 1, 93, "#8f95a1", stroke=None),
        circle(left - 3.3, -46.6, 3.0, art.tone("gold")),
    )
    rope = part("rope", line([(left - 0.6, -44), (left - 0.6, 44)], "#7a6a52", 0.9))
    base = part("base", rect(left - 12, 44, 18, 5, "#8d929c", 1.0))
    person = part("person", _raiser(left + 8.4, art))
    flying = [pole, rope, cloth, *rings]
    if leaning:
        shift = f"translate(-4 47) rotate(-24) scale(0.76) translate({-left + 3.3:.2f} -47)"
        flying = [p.moved(shift) for p in flying]
        person, base = person.moved("translate(29 0)"), base.moved("translate(33 0)")
    crowd = ((16, "beige", INK), (30, "pink", "#6d4a2c"), (43, "light blue", "#3a2a22")) if v["height"] == "top" and not leaning else ()
    watchers = [part("person", _watcher(x, art.tone(coat), hair, art)) for x, coat, hair in crowd]
    return [*flying, base, person, *watchers]


OLYMPIC_FLAG = Concept(
    name="raising of the Olympic flag",
    phrase="the raising of the Olympic flag",
    plural="raisings of the Olympic flag",
    domain="event",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="At the opening of the Olympic Games a white flag with five interlocking round rings is raised on an upright pole. "
    "Blue, black and red rings stand in the upper row, yellow and green ones in the lower row.",
    draw=_olympic_flag,
    facts=(
        Fact(
            "rings",
            "counting",
            "details",
            "How many colored figures are on the flag in the image?",
            {5: "Five", 3: "Three", 4: "Four", 6: "Six"},
            ("ring",),
        ),
        Fact(
            "form",
            "shape",
            "shape",
            "What shape are the colored figures on the flag in the image?",
            {"round": "Round rings", "square": "Squares", "triangle": "Triangles"},
            ("ring",),
            ("Stars",),
        ),
        Fact(
            "field",
            "color",
            "color",
            "What color is the cloth of the flag in the image?",
            {"white": "White", "pink": "Pink", "orange": "Orange", "purple": "Purple"},
            ("flag",),
        ),
        Fact(
            "link",
            "relation",
            "details",
            "How do the figures on the flag lie to each other in the image?",
            {"linked": "They interlock", "apart": "They are apart"},
            ("ring",),
            ("One inside another", "All in one pile"),
        ),
        Fact(
            "arrangement",
            "others",
            "details",
            "How are the figures on the flag arranged in the image?",
            {"rows": "In two rows", "row": "In one level row", "slant": "In a slanting line"},
            ("ring",),
            ("In a circle",),
        ),
        Fact(
            "pole",
            "posture",
            "shape",
            "How does the flagpole stand in the image?",
            {"upright": "Upright", "leaning": "Leaning far over"},
            ("pole",),
            ("Lying flat", "Upside down"),
        ),
    ),
    variation=Variation(
        "the raising of the Olympic flag halfway up the pole",
        "attribute",
        Fact(
            "height",
            "relation",
            "details",
            "How high on the pole is the flag in the image?",
            {"half": "Halfway up", "top": "At the top"},
            ("flag",),
            ("On the ground", "Off the pole"),
        ),
        base="top",
    ),
    scene="day",
    tilt=2.0,
    mirror=False,
)


# --- Christmas -------------------------------------------------------------------------------------------------


def _fir(form: str, tone: str) -> list[Shape]:
    dark, light = shade(tone, -0.2), shade(tone, 0.16)
    if form == "ball":
        rim = [polar(0, -3, 29 + (1.6 if i % 2 else -1.2), 10 * i) for i in range(36)]
        side = path("M16,-27 A29,29 0 0,1 -14,22.5 A36,36 0 0,0 16,-27 Z", dark, stroke=None)
        return [polygon(rim, tone), side, ellipse(-12, -16, 6, 4, light, stroke=None)]
    if form == "box":
        side = rect(13, -31.4, 13.4, 58.8, dark, 2.5, stroke=None)
        return [rect(-27, -32, 54, 60, tone, 3), side, rect(-24, -29, 5, 52, light, 2, stroke=None)]
    tiers = []
    for top, foot, half in ((4, 30, 33), (-16, 10, 25), (-37, -9, 17)):
        hem = [half * (1 - i / 4) for i in range(9)]
        drops = [foot + (1.6 if abs(b) < half else -1) for b in hem]
        joints = zip(pairwise(hem), drops[1:], strict=True)
        bottom = "".join(f" Q{(a + b) / 2:.2f},{foot + 4.4:.2f} {b:.2f},{y:.2f}" for (a, b), y in joints)
        reach = half * 0.35
        d = f"M0,{top} Q{reach:.2f},{foot - 10} {half},{foot - 1}{bottom} Q{-reach:.2f},{foot - 10} 0,{top} Z"
        shadow = (
            f"M1,{top + 3} Q{reach:.2f},{foot - 9} {half - 1.6:.2f},{foot - 0.6:.2f}"
            f" Q{half * 0.8:.2f},{foot + 2.4:.2f} {half * 0.52:.2f},{foot + 1.2:.2f} Q{half * 0.2:.2f},{foot - 8} 1,{top + 3} Z"
        )
        tiers += [path(d, tone), path(shadow, dark, stroke=None)]
        tiers.append(line([(-half * 0.2, foot - 9), (-half * 0.5, foot - 3.6)], light, 1.8))
    return tiers


def _hung(kind: str, x: float, y: float, tone: str) -> Part:
    if kind == "fish":
        return part("fish", _fish(x, y, 5.0, tone))
    if kind == "mushrooms":
        stalk = rect(x - 1.8, y - 0.5, 3.6, 5.6, "#f4ead6", 1.2, width=0.9)
        cap = path(f"M{x - 5.4:.2f},{y:.2f} A5.4,5 0 0,1 {x + 5.4:.2f},{y:.2f} Z", tone, width=1.0)
        specks = [circle(x + dx, y + dy, 0.9, "#ffffff", stroke=None) for dx, dy in ((-1.6, -2), (2, -1.6))]
        return part("mushroom", stalk, cap, specks)
    hook = rect(x - 1.1, y - 5.6, 2.2, 2.0, "#d9a520", 0.4, width=0.7)
    return part("shiny ball", hook, circle(x, y, 4.2, tone, width=1.0), glow(x - 1.4, y - 1.5, 1.5))


def _present(x: float, y: float, w: float, h: float, tone: str, ribbon: str) -> Part:
    bow = [ellipse(x - 2.6, y - h / 2 - 1.6, 2.8, 1.9, ribbon, width=0.9), ellipse(x + 2.6, y - h / 2 - 1.6, 2.8, 1.9, ribbon, width=0.9)]
    side = rect(x + w * 0.2, y - h / 2 + 0.6, w * 0.3 - 0.6, h - 1.2, shade(tone, -0.15), stroke=None)
    return part("present", rect(x - w / 2, y - h / 2, w, h, tone, 0.8), side, rect(x - 1.6, y - h / 2, 3.2, h, ribbon, width=0.8), bow)


def _tree_top(kind: str, art: Art) -> Part:
    yellow = art.tone("yellow")
    if kind == "moon":
        return part("crescent moon", path("M3,-50 A9,9 0 1,0 3,-33 A11,11 0 0,1 3,-50 Z", yellow))
    if kind == "flower":
        return part("flower", _flower(0, -40, 9.5, art.tone("pink"), yellow))
    if kind == "fish":
        return part("fish", _fish(0, -40, 9, art.tone("orange")))
    return part("star", star(0, -39.5, 10, fill=yellow), star(-0.6, -40.2, 5, fill=shade(yellow, 0.4), stroke=None))


def _christmas(v: Values, art: Art) -> Sequence[Part]:
    tree_tone = art.tone(str(v["colour"]))
    trunk = part("trunk", rect(-4.5, 27, 9, 15, art.tone("brown")), rect(1, 27.6, 3, 13.8, shade(art.tone("brown"), -0.2), stroke=None))
    fir = part("tree", _fir(str(v["form"]), shade(tree_tone, -0.12) if v["colour"] == "green" else tree_tone))
    hues = [art.tone(name) for name in ("red", "gold", "light blue", "red", "pink", "gold", "red")]
    spots = ((-4, -18), (6.5, -7), (-11, 1), (13, 12), (-2, 13), (-20, 22), (20, 25))
    hung = [_hung(str(v["hung"]), x, y, hue) for (x, y), hue in zip(spots, hues, strict=True)]
    tree = [trunk, fir, *hung, _tree_top(str(v["top"]), art)]
    looks = (("red", "gold"), ("blue", "white"), ("purple", "yellow"))
    below, within = ((-26, 39, 18, 14), (24, 38, 17, 16), (4, 42, 15, 10)), ((5, -14, 12, 10), (-12, 9, 14, 12), (11, 18, 14, 12))
    boxes = below if v["presents"] == "under" else within
    presents = [_present(x, y, w, h, art.tone(a), art.tone(b)) for (x, y, w, h), (a, b) in zip(boxes, looks, strict=True)]
    lean = "translate(10 42) rotate(-24) scale(0.9) translate(0 -42)"
    rug = part("rug", ellipse(0, 45, 42, 4.6, shade(art.tone("red"), -0.2)))
    if v["posture"] == "leaning":
        tree = [p.moved(lean) for p in tree]
        presents = presents if v["presents"] == "under" else [p.moved(lean) for p in presents]
    return [rug, *tree, *presents]


CHRISTMAS = Concept(
    name="Christmas",
    phrase="a Christmas celebration",
    plural="Christmas celebrations",
    domain="event",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="At Christmas people put up a cone-shaped green fir tree, hang shiny balls in it and set a star on its top. "
    "Presents lie under the tree.",
    draw=_christmas,
    facts=(
        Fact(
            "form",
            "shape",
            "shape",
            "What shape is the tree in the image?",
            {"cone": "A cone", "ball": "A ball", "box": "A box"},
            ("tree",),
            ("A ring",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color are the branches of the tree in the image?",
            {"green": "Green", "purple": "Purple", "orange": "Orange", "light blue": "Light blue"},
            ("tree",),
        ),
        Fact(
            "top",
            "existence",
            "details",
            "What is on the top of the tree in the image?",
            {"star": "A star", "moon": "A crescent moon", "flower": "A flower", "fish": "A fish"},
            ("star",),
        ),
        Fact(
            "hung",
            "existence",
            "details",
            "What hangs in the branches of the tree in the image?",
            {"balls": "Shiny balls", "fish": "Fish", "mushrooms": "Mushrooms"},
            ("shiny ball",),
            ("Shoes",),
        ),
        Fact(
            "presents",
            "relation",
            "details",
            "Where are the presents in the image?",
            {"under": "Under the tree", "in": "In the branches"},
            ("present",),
            ("Above the tree", "Inside a cart"),
        ),
        Fact(
            "posture",
            "posture",
            "shape",
            "How does the tree stand in the image?",
            {"upright": "Upright", "leaning": "Leaning far over"},
            ("tree",),
            ("Upside down", "Lying flat"),
        ),
    ),
    variation=Variation(
        "a Christmas celebration in the snow",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where does the tree stand in the image?",
            {"snow": "In the snow", "room": "In a room", "desert": "In a desert"},
            (),
            ("Under water",),
        ),
        base="room",
    ),
    tilt=2.0,
)


# --- lantern festival ------------------------------------------------------------------------------------------


def _lantern_body(form: str, surface: str, tone: str) -> list[Shape]:
    """A lantern around (0, 0), 28 wide and 25 high."""
    dark, light = shade(tone, -0.2), shade(tone, 0.3)
    if form == "box":
        body, side = rect(-13, -12.5, 26, 25, tone), rect(6, -12, 6.4, 24, dark, stroke=None)
    elif form == "triangle":
        body, side = polygon([(0, -13), (14.5, 12.5), (-14.5, 12.5)], tone), polygon([(1, -11), (13.4, 12), (6, 12)], dark, stroke=None)
    else:
        body, side = ellipse(0, 0, 14.2, 12.6, tone), path("M4,-12 C16,-8 16,8 4,12 C10,6 10,-6 4,-12 Z", dark, stroke=None)
    shine = ellipse(-5.6 if form != "triangle" else -3, -3 if form != "triangle" else 4, 2.6, 4.4, light, stroke=None, opacity=0.75)
    if surface == "dots":
        marks = [circle(x, y, 2.3, "#fff6dc", width=0.8) for x, y in ((0, -6), (-4.8, 1), (4.8, 1), (0, 8), (-8, 8), (8, 8))]
    elif surface == "waves":
        rows = ((1, 5), (8, 9)) if form == "triangle" else ((-5, 10), (5, 10))
        waves = [f"M{-w},{y} q{w / 4},-6 {w / 2},0 t{w / 2},0 t{w / 2},0 t{w / 2},0" for y, w in rows]
        marks = [Shape(d, None, tone, wide) for d in waves for tone, wide in ((INK, 3.6), ("#fff6dc", 2.0))]
    elif form == "box":
        marks = [line([(x, -12.5), (x, 12.5)], INK, 1.2) for x in (-6.5, 0, 6.5)]
    elif form == "triangle":
        marks = [line([(0, -13), (x, 12.5)], INK, 1.2) for x in (-7, 0, 7)]
    else:
        marks = [ellipse(0, 0, 8.6, 12.6, None, width=1.2), ellipse(0, 0, 3.2, 12.6, None, width=1.2)]
    return [body, side, shine, *marks]


def _tassel(x: float, y: float, way: int, tone: str) -> list[Shape]:
    """A tassel from (x, y), hanging with `way` 1 and standing up with -1."""
    skirt = polygon([(x - 2.4, y + 5 * way), (x + 2.4, y + 5 * way), (x + 5, y + 20 * way), (x - 5, y + 20 * way)], tone, width=1.0)
    threads = [line([(x + d * 0.5, y + 7 * way), (x + d, y + 19 * way)], shade(tone, -0.3), 0.8) for d in (-2.4, 0, 2.4)]
    return [line([(x, y), (x, y + 5 * way)], shade(tone, -0.3), 1.6), skirt, *threads, circle(x, y + 4.6 * way, 2.8, tone, width=1.0)]


def _sky_body(kind: str, art: Art) -> Part:
    yellow, x, y = art.tone("yellow"), 27.0, -38.0
    if kind == "crescent":
        d = f"M{x + 3},{y - 10} A10.5,10.5 0 1,0 {x + 3},{y + 10} A12.5,12.5 0 0,1 {x + 3},{y - 10} Z"
        return part("moon", path(d, shade(yellow, 0.35)))
    if kind == "sun":
        return part("sun", star(x, y, 12, 10, 0.68, fill=art.tone("orange")), circle(x, y, 7, yellow))
    craters = [circle(x + dx, y + dy, r, shade(yellow, 0.15), stroke=None) for dx, dy, r in ((-3.5, -3, 2.4), (4, 1, 1.8), (-1, 5, 1.5))]
    return part("moon", circle(x, y, 10.6, shade(yellow, 0.5)), craters)


def _lanterns(v: Values, art: Art) -> Sequence[Part]:
    tone, gold, below = art.tone(str(v["colour"])), art.tone("gold"), v["tassels"] == "below"
    blown = v["swing"] == "blown"
    middle = 21.0 if below else 33.0

    def sag(x: float) -> float:
        return -17.0 - 7.5 * (x / 48) ** 2 * 1.4

    rope = [(x, sag(x)) for x in range(-48, 49, 4)]
    parts = [_sky_body(str(v["sky body"]), art), part("line", line(rope, INK, 2.8), line(rope, art.tone("beige"), 1.5))]
    places = (-45.0, -13.0, 19.0) if blown else (-33.0, 0.0, 33.0)
    for i, x in enumerate(places):
        knot = sag(x)
        drop = middle + (5.0 if i == 1 else -1.5)
        string = [line([(0, 0), (0, drop - 12)], INK, 2.6), line([(0, 0), (0, drop - 12)], art.tone("beige"), 1.3)]
        cap = [rect(-5.4, drop - 15.4, 10.8, 4, gold, 0.8, width=1.0), rect(-5.4, drop + 11.4, 10.8, 4, gold, 0.8, width=1.0)]
        globe = part("lantern", _lantern_body(str(v["form"]), str(v["surface"]), tone)).moved(f"translate(0 {drop:.2f})")
        tassel = part("tassel", _tassel(0, drop + 15.4, 1, gold) if below else _tassel(0, drop - 15.4, -1, gold))
        turn = -30 if blown else art.vary(-2, 2)
        place = f"translate({x:.2f} {knot:.2f}) rotate({turn:.2f})"
        parts += [p.moved(place) for p in (part("string", string), tassel, globe, part("lantern cap", cap))]
    return parts


LANTERN_FESTIVAL = Concept(
    name="lantern festival",
    phrase="a lantern festival",
    plural="lantern festivals",
    domain="event",
    category=Category.EASTERN_MODERN,
    definition="At the Chinese Lantern Festival, held at night under the first full moon of the year, "
    "rows of round red ribbed lanterns hang from lines. "
    "Golden tassels hang below the lanterns.",
    draw=_lanterns,
    facts=(
        Fact(
            "colour",
            "color",
            "color",
            "What color are the lanterns in the image?",
            {"red": "Red", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("lantern",),
        ),
        Fact(
            "form",
            "shape",
            "shape",
            "What shape are the lanterns in the image?",
            {"round": "Round", "box": "Square", "triangle": "Triangular"},
            ("lantern",),
            ("Star-shaped",),
        ),
        Fact(
            "tassels",
            "relation",
            "details",
            "Where are the tassels in the image?",
            {"below": "Below the lanterns", "above": "Above the lanterns"},
            ("tassel",),
            ("Beside the lanterns", "On the ground"),
        ),
        Fact(
            "sky body",
            "existence",
            "details",
            "What shines in the sky in the image?",
            {"full": "A full moon", "crescent": "A crescent moon", "sun": "The sun"},
            ("moon",),
            ("A comet",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What pattern do the lanterns have in the image?",
            {"ribs": "Upright ribs", "dots": "Dots", "waves": "Wavy lines"},
            ("lantern",),
            ("Hearts",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "When or where are the lanterns shown in the image?",
            {"night": "At night", "day": "Under a blue sky", "underwater": "Under water", "desert": "In a desert"},
            (),
        ),
    ),
    variation=Variation(
        "a lantern festival in strong wind",
        "action",
        Fact(
            "swing",
            "posture",
            "shape",
            "How do the lanterns hang in the image?",
            {"blown": "Blown to one side", "still": "Straight down"},
            ("lantern",),
            ("Upside down", "In a heap"),
        ),
        base="still",
    ),
    scene="night",
    tilt=3.0,
)

CONCEPTS: tuple[Concept, ...] = (RAINBOW, VOLCANO, THUNDERSTORM, ECLIPSE, TORNADO, OLYMPIC_FLAG, CHRISTMAS, LANTERN_FESTIVAL)
