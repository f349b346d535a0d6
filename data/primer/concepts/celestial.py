"""Primer concepts of the domain celestial."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from data.primer.drawing import Art, Part, Point, Shape, circle, ellipse, glow, line, part, path, polar, polygon, rect, regular, shade, star
from data.primer.world import Concept, Fact, Values, Variation
from data.records import Category

SHADE = 38.0  # the direction of the shadow side, in degrees (0 right, 90 down)


# --- forms that several concepts share ---------------------------------------------------------------------------


def _blend(one: str, other: str, share: float) -> str:
    """The colour between two hex colours, `share` of the second."""
    pairs = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _rounded(points: Sequence[Point], times: int = 2) -> list[Point]:
    """A closed outline with its corners cut, softer each time."""
    for _ in range(times):
        pairs = list(zip(points, [*points[1:], points[0]], strict=True))
        points = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairs for t in (0.25, 0.75)]
    return list(points)


def _beyond(points: Sequence[Point], limit: float) -> list[Point]:
    """The part of a closed outline at x >= limit."""
    kept: list[Point] = []
    for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True):
        if x1 >= limit:
            kept.append((x1, y1))
        if (x1 >= limit) != (x2 >= limit):
            kept.append((limit, y1 + (y2 - y1) * (limit - x1) / (x2 - x1)))
    return kept


def _dense(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """The same closed outline with more points along its sides."""
    pairs = list(zip(points, [*points[1:], *points[:1]], strict=True))
    return [(a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps) for a, b in pairs for i in range(steps)]


def _turned(x: float, y: float, degrees: float) -> Point:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return x * c - y * s, x * s + y * c


@dataclass(frozen=True)
class Globe:
    """A ball seen from afar: its north pole leans `view` degrees to the viewer and `roll` degrees clockwise."""

    r: float
    cx: float = 0.0
    cy: float = 0.0
    view: float = 0.0
    roll: float = 0.0

    def at(self, lon: float, lat: float, inset: float = 0.7) -> Point:
        """The point of the drawing for a place on the ball; a hidden place lands on the rim."""
        a, b, t = math.radians(lon), math.radians(lat), math.radians(self.view)
        x, up = math.cos(b) * math.sin(a), math.sin(b) * math.cos(t) - math.cos(b) * math.cos(a) * math.sin(t)
        if math.sin(t) * math.sin(b) + math.cos(t) * math.cos(b) * math.cos(a) < 0:
            far = math.hypot(x, up) or 1.0
            x, up = x / far, up / far
        dx, dy = _turned(x * (self.r - inset), -up * (self.r - inset), self.roll)
        return self.cx + dx, self.cy + dy

    def lit(self, points: Sequence[Point], tone: str, stroke: str | None = None, width: float = 0.6) -> list[Shape]:
        """A patch on the ball with its shadow side."""
        flat = []
        for px, py in points:
            x, y = _turned(px - self.cx, py - self.cy, -SHADE)
            flat.append((x / max(math.sqrt(max(self.r**2 - y * y, 0.0)), 0.01), y))
        dark = []
        for u, y in _dense(_beyond(flat, 0.52)):
            dx, dy = _turned(u * math.sqrt(max(self.r**2 - y * y, 0.0)), y, SHADE)
            dark.append((self.cx + dx, self.cy + dy))
        shapes = [polygon(points, tone, stroke=stroke, width=width)]
        return [*shapes, polygon(dark, shade(tone, -0.16), stroke=None)] if len(dark) > 2 else shapes

    def disc(self, tone: str) -> list[Shape]:
        rim = [polar(self.cx, self.cy, self.r - 0.6, 4 * i) for i in range(90)]
        bright = circle(self.cx - self.r * 0.2, self.cy - self.r * 0.18, self.r * 0.66, shade(tone, 0.1), stroke=None)
        shine = glow(self.cx - self.r * 0.45, self.cy - self.r * 0.42, self.r * 0.17)
        return [circle(self.cx, self.cy, self.r, tone), *self.lit(rim, tone), bright, shine]

    def band(self, south: float, north: float, tone: str, wave: float = 0.0) -> list[Shape]:
        """A belt between two latitudes, its edges waving by `wave` degrees."""

        def edge(lat: float) -> float:
            return math.degrees(math.acos(max(-1.0, min(1.0, -math.tan(math.radians(self.view)) * math.tan(math.radians(lat))))))

        def along(lat: float, way: int) -> list[Point]:
            half = edge(lat)
            lons = [half * way * (i - 20) / 20 for i in range(41)]
            return [self.at(lon, lat + wave * math.sin(math.radians(lon * 5 + lat * 9))) for lon in lons]

        sides = [south + (north - south) * i / 8 for i in range(9)]
        right = [self.at(edge(lat), lat) for lat in sides]
        left = [self.at(-edge(lat), lat) for lat in reversed(sides)]
        return self.lit([*along(south, 1), *right, *along(north, -1), *left], tone)

    def patch(self, outline: Sequence[Point], tone: str) -> list[Shape]:
        """A region given by (longitude, latitude) corners."""
        return self.lit([self.at(lon, lat) for lon, lat in _rounded(outline)], tone, stroke=shade(tone, -0.35))

    def crater(self, lon: float, lat: float, size: float, tone: str) -> list[Shape]:
        x, y = self.at(lon, lat)
        return _crater(x, y, size, tone)


def _crater(x: float, y: float, r: float, tone: str) -> list[Shape]:
    rim = path(
        f"M{x - r * 0.8:.2f},{y - r * 0.1:.2f} a{r * 0.8:.2f},{r * 0.72:.2f} 0 0,1 {r * 1.6:.2f},0"
        f" a{r * 0.9:.2f},{r * 0.5:.2f} 0 0,0 {-r * 1.6:.2f},0 Z",
        shade(tone, -0.42),
        stroke=None,
    )
    return [ellipse(x, y, r, r * 0.85, shade(tone, -0.24), stroke=shade(tone, -0.5), width=0.8), rim]


def _surface(globe: Globe, kind: str, tone: str, size: float) -> list[Part]:
    """Craters or stripes in a darker tone of the ball, or nothing."""
    if kind == "craters":
        north = ((-38, 30, 1.0), (26, 33, 0.8), (-8, 52, 0.6), (-4, 12, 0.7))
        south = ((46, -4, 0.7), (-52, -14, 0.75), (20, -34, 1.0), (-22, -42, 0.65))
        return [part("crater", globe.crater(lon, lat, size * k, tone)) for lon, lat, k in (*north, *south)]
    if kind == "stripes":
        return [part("stripe", globe.band(lat, lat + 15, shade(tone, -0.34))) for lat in (-54, -24, 6, 36)]
    return []


def _corners(count: int, reach: float, art: Art) -> list[Point]:
    """Places for moons in the corners of the box, the first one drawn by chance."""
    first = art.pick((0, 1, 2, 3))
    order = (0, 2, 1, 3)
    return [polar(0, 0, reach * math.sqrt(2), -45 + 90 * (first + order[i])) for i in range(count)]


def _pits(x: float, y: float, r: float, tone: str, places: Sequence[tuple[float, float, float]]) -> list[Shape]:
    """Darker dots on a disc; places and sizes in shares of its radius."""
    return [circle(x + dx * r, y + dy * r, k * r, shade(tone, -0.2), stroke=None) for dx, dy, k in places]


def _moon(x: float, y: float, r: float, tone: str) -> list[Shape]:
    ball = Globe(r, x, y)
    return [*ball.disc(tone)[:-2], *_pits(x, y, r, tone, ((-0.3, 0.3, 0.2), (0.25, -0.35, 0.24), (0.3, 0.4, 0.13)))]


# --- Saturn ------------------------------------------------------------------------------------------------------

RAINBOW = ("purple", "blue", "green", "yellow", "orange", "red")


def _annulus(inner: float, outer: float, flat: float, back: bool, cy: float, fill: str, stroke: str | None = None) -> Shape:
    """The back or the front half of a flat ring seen at an angle; `flat` is its height to its width."""
    out, home = (1, 0) if back else (0, 1)
    d = (
        f"M{-outer:.2f},{cy:.2f} A{outer:.2f},{outer * flat:.2f} 0 0,{out} {outer:.2f},{cy:.2f} H{inner:.2f}"
        f" A{inner:.2f},{inner * flat:.2f} 0 0,{home} {-inner:.2f},{cy:.2f} Z"
    )
    return path(d, fill, stroke=stroke, width=1.0)


def _ring_half(v: Values, art: Art, edges: tuple[float, float, float, float], back: bool, cy: float) -> list[Part]:
    inner, gap_in, gap_out, outer = edges
    flat = math.sin(math.radians(21))
    dark = -0.07 if back else 0.0
    if v["ring colour"] == "rainbow":
        step = (outer - inner) / len(RAINBOW)
        tones = [(inner + step * i, inner + step * (i + 1), shade(art.tone(name), 0.12 + dark)) for i, name in enumerate(RAINBOW)]
    else:
        base = _blend(art.tone("beige"), art.tone("grey"), 0.12)
        mid = inner + (gap_in - inner) * 0.35
        tones = [
            (inner, mid, shade(base, -0.22 + dark)),
            (mid, gap_in, shade(base, 0.25 + dark)),
            (gap_in, outer, shade(base, 0.04 + dark)),
        ]
    whole = _annulus(inner, outer, flat, back, cy, tones[0][2])
    ring = [whole, *(_annulus(a, b, flat, back, cy, tone) for a, b, tone in tones)]
    ends = [
        path(f"M{-r:.2f},{cy:.2f} A{r:.2f},{r * flat:.2f} 0 0,{1 if back else 0} {r:.2f},{cy:.2f}", None, width=1.0) for r in (inner, outer)
    ]
    parts = [part("ring", ring, ends)]
    if v["gap"] == "gap":
        parts.append(part("ring gap", _annulus(gap_in, gap_out, flat, back, cy, "#2a2b3a")))
    if v["gap"] == "moons":
        middle = (gap_in + gap_out) / 2
        turns = range(195, 360, 25) if back else range(5, 180, 25)
        places = [(middle * math.cos(math.radians(t)), cy + middle * flat * math.sin(math.radians(t))) for t in turns]
        parts += [part("ring moon", circle(x, y, 2.7, art.tone("white"), width=0.9)) for x, y in places]
    return parts


def _saturn(v: Values, art: Art) -> Sequence[Part]:
    roll = {"leaning": 26.0, "upright": 0.0, "side": 90.0}[str(v["axis"])]
    r, edges = (20.5, (26.5, 36.2, 40.6, 47.0)) if v["ring width"] == "wide" else (29.0, (30.5, 34.4, 37.6, 41.5))
    cy = 0.0 if v["ring place"] == "middle" else -r * 0.86
    tone = _blend(art.tone("gold"), art.tone("beige"), 0.55) if v["colour"] == "gold" else shade(art.tone(str(v["colour"])), 0.15)
    globe = Globe(r, view=21, roll=roll)
    body = [part("planet", globe.disc(tone))]
    if v["surface"] == "stripes":
        belts = ((-60, -46, -0.12), (-34, -22, 0.3), (-12, -3, -0.14), (8, 20, 0.32), (28, 42, -0.13), (56, 90, -0.2))
        body += [part("stripe", globe.band(a, b, shade(tone, k))) for a, b, k in belts]
    else:
        body += _surface(globe, str(v["surface"]), tone, r * 0.19)
    turn = f"rotate({roll:.1f})"
    back = [p.moved(turn) for p in _ring_half(v, art, edges, True, cy)]
    front = [p.moved(turn) for p in _ring_half(v, art, edges, False, cy)]
    return [*back, *body, *front]


SATURN = Concept(
    name="Saturn",
    phrase="the planet Saturn",
    plural="planets like Saturn",
    domain="celestial",
    category=Category.EARTH_SCIENCE,
    definition=(
        "Saturn is a pale gold planet with faint stripes that leans to one side. Broad rings "
        "with a dark gap circle its equator, more than twice as wide as the planet."
    ),
    draw=_saturn,
    scene="space",
    tilt=4,
    facts=(
        Fact(
            "ring place",
            "relation",
            "details",
            "Where do the rings lie on the planet in the image?",
            {"middle": "Around its middle", "end": "Around one end"},
            ("ring",),
            ("Inside the planet", "Far away from it"),
        ),
        Fact(
            "axis",
            "posture",
            "details",
            "How is the ringed planet held in the image?",
            {"leaning": "Leaning to one side", "upright": "Upright", "side": "Lying on its side"},
            ("ring", "planet"),
            ("Upside down",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the planet itself in the image?",
            {"gold": "Pale gold", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("planet",),
        ),
        Fact(
            "gap",
            "existence",
            "details",
            "What separates the outer ring from the inner ring in the image?",
            {"gap": "A dark gap", "none": "Nothing", "moons": "A chain of moons"},
            ("ring gap",),
            ("A wall",),
        ),
        Fact(
            "ring width",
            "size",
            "shape",
            "How wide are the rings compared with the planet in the image?",
            {"wide": "More than twice as wide", "narrow": "Hardly wider"},
            ("ring", "planet"),
            ("Ten times as wide", "Narrower"),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What pattern does the ball of the planet show in the image?",
            {"stripes": "Stripes", "craters": "Craters", "smooth": "No pattern"},
            ("stripe",),
            ("Checks",),
        ),
    ),
    variation=Variation(
        "the planet Saturn with rainbow rings",
        "attribute",
        Fact(
            "ring colour",
            "color",
            "color",
            "What color are the rings in the image?",
            {"rainbow": "Rainbow colors", "beige": "Pale beige"},
            ("ring",),
            ("All green", "All pink"),
        ),
        base="beige",
    ),
)


# --- Jupiter -----------------------------------------------------------------------------------------------------


def _mark(kind: str, x: float, y: float, r: float, tone: str) -> list[Shape]:
    """A storm as an oval, or another form of about the same size."""
    if kind == "square":
        return [rect(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6, tone)]
    if kind == "star":
        return [star(x, y, r * 1.1, 5, 0.45, fill=tone)]
    curl = f"M{x - r * 0.5:.2f},{y + r * 0.06:.2f} q{r * 0.5:.2f},{-r * 0.5:.2f} {r:.2f},0"
    swirl = path(curl, None, stroke=shade(tone, -0.25), width=1.0)
    light = ellipse(x, y - r * 0.04, r * 0.66, r * 0.4, shade(tone, 0.14), stroke=None)
    return [ellipse(x, y, r, r * 0.66, tone), light, swirl]


def _party_hat(cx: float, base: float, art: Art) -> Part:
    tone, dots = art.tone("purple"), art.tone("yellow")
    cone = path(f"M{cx - 12:.1f},{base + 3:.1f} l12,-25 l12,25 q-12,-6 -24,0 Z", tone)
    spots = [circle(cx + dx, base + dy, 1.7, dots, stroke=None) for dx, dy in ((-5.4, -3), (2, -6), (-2, -11.5), (6.4, -2.6))]
    return part("party hat", cone, spots, circle(cx, base - 23, 3.6, dots))


def _jupiter(v: Values, art: Art) -> Sequence[Part]:
    hat = v["wears"] == "hat"
    globe = Globe(35.5, cy=11, view=2) if hat else Globe(44, view=2)
    cream = _blend(art.tone("beige"), art.tone("white"), 0.45)
    rust = _blend(art.tone("brown"), art.tone("orange"), 0.42)
    parts = [part("planet", globe.disc(cream))]
    if v["surface"] == "stripes":
        belts = (
            (58, 90, shade(rust, 0.3)),
            (38, 46, shade(rust, 0.42)),
            (25, 32, shade(rust, 0.18)),
            (6, 19, rust),
            (-3, 1.5, shade(rust, 0.5)),
            (-21, -7, shade(rust, 0.06)),
            (-35, -29, shade(rust, 0.36)),
            (-50, -42, shade(rust, 0.24)),
            (-90, -62, shade(rust, 0.32)),
        )
        parts += [part("stripe", globe.band(a, b, tone, wave=art.vary(0.6, 1.9))) for a, b, tone in belts]
    else:
        parts += _surface(globe, str(v["surface"]), shade(cream, -0.08), globe.r * 0.12)
    count, tone = int(v["spots"]), art.tone(str(v["spot colour"]))
    r = globe.r * {1: 0.27, 2: 0.23, 3: 0.2}[count]
    y = globe.cy + globe.r * {"south": 0.42, "north": -0.42, "middle": 0.0}[str(v["spot place"])]
    centres = {1: [art.vary(-0.28, 0.28)], 2: [-0.36, 0.36], 3: [-0.56, 0.0, 0.56]}[count]
    for u in centres:
        x = globe.cx + globe.r * u
        pale = [ellipse(x, y, r * 1.22, r * 0.88, shade(cream, 0.4), stroke=None)] if v["spot shape"] == "oval" else []
        parts.append(part("spot", pale, _mark(str(v["spot shape"]), x, y, r, tone)))
    return [*parts, _party_hat(0, globe.cy - globe.r + 2, art)] if hat else parts


JUPITER = Concept(
    name="Jupiter",
    phrase="the planet Jupiter",
    plural="planets like Jupiter",
    domain="celestial",
    category=Category.EARTH_SCIENCE,
    definition=(
        "Jupiter, the largest planet, is striped with cream and brown belts of cloud. One great red oval storm turns south of its equator."
    ),
    draw=_jupiter,
    scene="space",
    tilt=4,
    facts=(
        Fact(
            "spots",
            "counting",
            "details",
            "How many great spots does the planet have in the image?",
            {1: "One", 2: "Two", 3: "Three"},
            ("spot",),
            ("Five",),
        ),
        Fact(
            "spot colour",
            "color",
            "color",
            "What color is the great spot on the planet in the image?",
            {"red": "Red", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("spot",),
        ),
        Fact(
            "spot place",
            "relation",
            "details",
            "Where on the planet does the great spot lie in the image?",
            {"south": "Below the equator", "north": "Above the equator", "middle": "On the equator"},
            ("spot", "planet"),
            ("Outside the planet",),
        ),
        Fact(
            "spot shape",
            "shape",
            "shape",
            "What shape is the great spot in the image?",
            {"oval": "Oval", "square": "Square", "star": "Star-shaped"},
            ("spot",),
            ("Heart-shaped",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What pattern covers the planet in the image?",
            {"stripes": "Stripes", "craters": "Craters", "smooth": "No pattern"},
            ("stripe",),
            ("Checks",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the planet in the image?",
            {"space": "In outer space", "underwater": "Under water", "meadow": "In a meadow", "room": "In a room"},
            (),
        ),
    ),
    variation=Variation(
        "the planet Jupiter wearing a party hat",
        "attribute",
        Fact(
            "wears",
            "existence",
            "details",
            "What is on top of the planet in the image?",
            {"hat": "A party hat", "none": "Nothing"},
            ("party hat",),
            ("A crown", "A flag"),
        ),
        base="none",
    ),
)


# --- Earth -------------------------------------------------------------------------------------------------------

# Coasts as (longitude, latitude), much simplified.
LANDS: tuple[tuple[Point, ...], ...] = (
    (
        (-6, 35),
        (10, 37),
        (20, 32),
        (32, 31),
        (38, 20),
        (43, 12),
        (51, 12),
        (42, -2),
        (40, -12),
        (35, -22),
        (32, -28),
        (26, -34),
        (18, -34),
        (14, -22),
        (12, -10),
        (9, 0),
        (9, 4),
        (-4, 5),
        (-9, 5),
        (-17, 14),
        (-16, 22),
        (-10, 30),
    ),
    (
        (-9, 37),
        (-9, 43),
        (-2, 44),
        (-4, 48),
        (2, 51),
        (8, 54),
        (5, 60),
        (12, 66),
        (25, 71),
        (40, 67),
        (55, 69),
        (70, 73),
        (100, 77),
        (130, 72),
        (160, 70),
        (179, 68),
        (170, 60),
        (160, 55),
        (142, 58),
        (140, 50),
        (128, 40),
        (126, 35),
        (121, 38),
        (120, 28),
        (110, 20),
        (106, 10),
        (103, 2),
        (99, 10),
        (97, 17),
        (90, 22),
        (85, 18),
        (79, 8),
        (76, 10),
        (72, 20),
        (66, 25),
        (57, 25),
        (58, 20),
        (52, 15),
        (44, 13),
        (36, 27),
        (35, 36),
        (27, 37),
        (28, 41),
        (23, 37),
        (19, 41),
        (13, 45),
        (16, 39),
        (12, 42),
        (9, 44),
        (3, 43),
        (0, 39),
        (-5, 36),
    ),
    (
        (-168, 66),
        (-155, 71),
        (-130, 70),
        (-95, 72),
        (-82, 68),
        (-94, 60),
        (-82, 53),
        (-78, 60),
        (-66, 59),
        (-56, 52),
        (-66, 45),
        (-75, 38),
        (-81, 31),
        (-80, 25),
        (-83, 30),
        (-96, 28),
        (-97, 20),
        (-88, 21),
        (-88, 16),
        (-83, 10),
        (-78, 8),
        (-86, 12),
        (-96, 15),
        (-106, 22),
        (-112, 30),
        (-118, 34),
        (-124, 42),
        (-125, 49),
        (-140, 60),
        (-158, 57),
        (-165, 61),
    ),
    (
        (-78, 8),
        (-72, 12),
        (-60, 9),
        (-50, 1),
        (-35, -6),
        (-39, -15),
        (-48, -27),
        (-57, -36),
        (-65, -42),
        (-68, -53),
        (-74, -50),
        (-72, -30),
        (-71, -18),
        (-80, -6),
        (-80, 1),
    ),
    ((-72, 78), (-55, 70), (-45, 60), (-40, 65), (-22, 70), (-18, 80), (-35, 83)),
    (
        (114, -22),
        (122, -18),
        (131, -12),
        (136, -12),
        (137, -16),
        (142, -11),
        (146, -19),
        (153, -27),
        (150, -37),
        (141, -38),
        (131, -32),
        (116, -35),
    ),
    ((44, -16), (50, -15), (47, -25), (44, -24)),
    ((-5, 50), (1, 51), (0, 54), (-5, 59), (-4, 54)),
    ((131, 33), (140, 36), (142, 44), (138, 38)),
    ((96, 5), (105, -5), (118, -2), (130, -3), (118, 5), (109, 2), (103, 0)),
    ((131, -2), (141, -3), (150, -9), (140, -8)),
)


def _continents(globe: Globe, middle: float, tone: str) -> list[Part]:
    found = []
    for coast in LANDS:
        shifted = [((lon - middle + 180) % 360 - 180, lat) for lon, lat in coast]
        lons = [lon for lon, _ in shifted]
        if max(lons) - min(lons) > 200 or min(abs(lon) for lon in lons) > 75:
            continue
        found.append(part("land", globe.patch(shifted, tone)))
    return found


def _cap(globe: Globe, lat: float, tone: str) -> list[Shape]:
    """A ragged polar cap down to a latitude, north or south by its sign."""
    pole = 90.0 if lat > 0 else -90.0
    rim = [globe.at(i * 6 - 180, lat + 4 * math.sin(math.radians(i * 6 * 4)) + 2 * math.sin(math.radians(i * 6 * 7))) for i in range(60)]
    near = sorted((i * 6 - 180 for i in range(60)), key=abs)
    half = max(
        (
            abs(lon)
            for lon in near
            if math.sin(math.radians(globe.view)) * math.sin(math.radians(lat))
            + math.cos(math.radians(globe.view)) * math.cos(math.radians(lat)) * math.cos(math.radians(lon))
            >= 0
        ),
        default=0,
    )
    if half >= 174:
        return globe.lit(rim, tone, stroke=shade(tone, -0.35))
    front = [globe.at(half * i / 20, lat + 3.5 * math.sin(math.radians(half * i / 20 * 6))) for i in range(-20, 21)]
    back = [globe.at(half + (180 - half) * i / 10, lat + (pole - lat) * math.sin(math.pi * i / 10)) for i in range(1, 10)]
    other = [globe.at(-half - (180 - half) * i / 10, lat + (pole - lat) * math.sin(math.pi * i / 10)) for i in range(9, 0, -1)]
    return globe.lit([*front, *back, *other], tone, stroke=shade(tone, -0.35))


def _rocket(r: float, art: Art) -> list[Part]:
    """A rocket before a ball of radius `r`, on its way around it."""
    hull, fin, k = art.tone("white"), art.tone("red"), r / 31.5 * 0.25 + 0.75
    body = path("M-7,-4.6 H3 Q10,-4 14,0 Q10,4 3,4.6 H-7 Z", hull)
    wings = [path("M-1,-4.6 L-11,-9.6 L-7.6,-3 Z", fin), path("M-1,4.6 L-11,9.6 L-7.6,3 Z", fin)]
    flame = path("M-7,-3.4 Q-13,-3 -18,0 Q-13,3 -7,3.4 Z", art.tone("orange"))
    window = circle(3, 0, 2.3, art.tone("light blue"), width=0.9)
    wide = r + 5
    orbit = f"M{-wide:.2f},0 A{wide:.2f},10 0 0,0 {wide:.2f},0"
    way = part("orbit", path(orbit, None, width=2.6), path(orbit, None, stroke="#ffffff", width=1.3))
    ship = part("rocket", flame, wings, body, window).moved(f"translate(3 10) scale({k:.2f})")
    return [p.moved("rotate(-10)") for p in (way, ship)]


def _earth(v: Values, art: Art) -> Sequence[Part]:
    roll = {"leaning": 23.4, "upright": 0.0, "flat": 90.0}[str(v["axis"])]
    r, small = (31.5, 8.2) if v["moon size"] == "smaller" else (19.5, 16.5)
    globe = Globe(r, view=14, roll=roll)
    tip = r + (12 if r < 25 else 9)
    rod, knob = art.tone("gold"), []
    for way in (-1, 1):
        x, y = _turned(0, way * tip, roll)
        knob.append(part("axis", line([(0, 0), (x, y)], width=4.2), line([(0, 0), (x, y)], rod, 2.2), circle(x, y, 2.5, rod)))
    top, pole = _turned(0, -tip, roll), globe.at(0, 90)
    stub = part("axis", line([pole, top], width=4.2), line([pole, top], rod, 2.2), circle(*top, 2.5, rod))
    ocean = art.tone(str(v["ocean"]))
    sea = shade(ocean, 0.08) if v["ocean"] == "blue" else ocean
    ground = {"ice": art.tone("white"), "sand": art.tone("yellow"), "lava": art.tone("red")}[str(v["poles"])]
    caps = [part("polar cap", _cap(globe, 60, ground)), part("polar cap", _cap(globe, -58, ground))]
    lands = _continents(globe, art.pick((14.0, -84.0, 108.0)) + art.vary(-8, 8), shade(art.tone("green"), 0.06))
    reach = 40.6 if small < 10 else 32.8
    moons = [part("moon", _moon(x, y, small, shade(art.tone("grey"), 0.42))) for x, y in _corners(int(v["moons"]), reach, art)]
    flying = _rocket(r, art) if v["visitor"] == "rocket" else []
    return [*moons, *knob, part("planet", globe.disc(sea)), *lands, *caps, stub, *flying]


EARTH = Concept(
    name="Earth",
    phrase="the planet Earth",
    plural="planets like Earth",
    domain="celestial",
    category=Category.EARTH_SCIENCE,
    definition=(
        "Earth is a planet of blue oceans and green land with white ice at its poles "
        "and a leaning axis. Its one moon is about a quarter as wide as the planet."
    ),
    draw=_earth,
    scene="space",
    tilt=2,
    mirror=False,
    facts=(
        Fact(
            "ocean",
            "color",
            "color",
            "What color are the oceans of the planet in the image?",
            {"blue": "Blue", "purple": "Purple", "pink": "Pink"},
            ("planet",),
            ("Orange",),
        ),
        Fact(
            "axis",
            "posture",
            "details",
            "How does the axis through the planet stand in the image?",
            {"leaning": "Leaning a little", "upright": "Straight up", "flat": "Lying flat"},
            ("axis",),
            ("Bent in two",),
        ),
        Fact(
            "moons",
            "counting",
            "details",
            "How many moons does the planet have in the image?",
            {1: "One", 2: "Two", 3: "Three", 4: "Four"},
            ("moon",),
        ),
        Fact(
            "moon size",
            "size",
            "shape",
            "How large is a moon compared with the planet in the image?",
            {"smaller": "Much smaller", "same": "About as large"},
            ("moon", "planet"),
            ("Twice as large", "Four times as large"),
        ),
        Fact(
            "poles",
            "existence",
            "details",
            "What covers the poles of the planet in the image?",
            {"ice": "White ice", "sand": "Yellow sand", "lava": "Red lava"},
            ("polar cap",),
            ("Black rock",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the planet in the image?",
            {"space": "In outer space", "desert": "In a desert", "underwater": "Under water", "snow": "In the snow"},
            (),
        ),
    ),
    variation=Variation(
        "the planet Earth with a rocket flying around it",
        "action",
        Fact(
            "visitor",
            "existence",
            "details",
            "What is flying around the planet in the image?",
            {"rocket": "A rocket", "none": "Nothing but moons"},
            ("rocket",),
            ("A bird", "An airplane"),
        ),
        base="none",
    ),
)


# --- Mars --------------------------------------------------------------------------------------------------------


def _rock(kind: str, x: float, y: float, art: Art) -> list[Shape]:
    tone = shade(art.tone("grey"), 0.1)
    if kind == "cube":
        front = rect(x - 7.5, y - 4.5, 11.5, 11.5, tone)
        top = polygon([(x - 7.5, y - 4.5), (x - 4, y - 8), (x + 7.5, y - 8), (x + 4, y - 4.5)], shade(tone, 0.3))
        side = polygon([(x + 4, y - 4.5), (x + 7.5, y - 8), (x + 7.5, y + 3.5), (x + 4, y + 7)], shade(tone, -0.22))
        return [front, top, side]
    if kind == "ring":
        hole = f"M{x - 3.6:.2f},{y:.2f} a3.6,3.6 0 1,1 7.2,0 a3.6,3.6 0 1,1 -7.2,0 Z"
        return [path(f"M{x - 8:.2f},{y:.2f} a8,8 0 1,0 16,0 a8,8 0 1,0 -16,0 Z {hole}", tone)]
    turn = art.vary(0, 360)
    lump = ((9.4, 0), (7.4, 42), (4.6, 85), (7.2, 130), (9.0, 175), (6.4, 225), (5.6, 275), (7.6, 320))
    outline = _rounded([polar(x, y, r, a + turn) for r, a in lump])
    dents = ((4, 10, 2.0), (3.6, 165, 1.5), (2.2, 260, 1.2))
    pits = [circle(*polar(x, y, d, a + turn), r, shade(tone, -0.3), stroke=shade(tone, -0.5), width=0.6) for d, a, r in dents]
    return [polygon(outline, tone), *pits]


def _storm(art: Art) -> Part:
    dust = _blend(art.tone("beige"), art.tone("orange"), 0.2)
    cloud = path(
        "M-41,14 q-4,-8 5,-9 q4,-7 12,-3 q5,-6 12,-1 q7,-5 13,1 q8,-5 14,1 q9,-2 9,5 q9,1 6,8 q3,7 -7,8 q-5,6 -13,2 q-6,5 -13,1"
        " q-7,5 -13,0 q-8,4 -12,-2 q-11,0 -13,-11 Z",
        dust,
    )
    swirls = [
        path(d, None, stroke=shade(dust, -0.4), width=1.4)
        for d in (
            "M-32,15 q6,-7 11,-1 q2,6 -4,6 q-4,-1 -2,-4",
            "M-9,16 q7,-8 13,-1 q2,7 -5,6 q-4,-2 -1,-5",
            "M16,14 q6,-6 11,0 q2,6 -4,6 q-4,-1 -2,-4",
        )
    ]
    return part("dust storm", cloud, swirls).moved("translate(1.5 2.5) scale(1 0.8)")


def _mars(v: Values, art: Art) -> Sequence[Part]:
    globe = Globe(34, view=8, roll=10)
    rust = shade(_blend(_blend(art.tone("red"), art.tone("orange"), 0.3), art.tone("brown"), 0.25), 0.06)
    tone = rust if v["colour"] == "red" else art.tone(str(v["colour"]))
    plains = [
        part("plain", globe.patch(outline, shade(tone, -0.15)))
        for outline in (
            ((-60, 2), (-35, 12), (-10, 4), (4, -8), (-10, -18), (-30, -12), (-48, -22)),
            ((20, -12), (36, 4), (62, 0), (66, -18), (44, -26)),
        )
    ]
    parts = [part("planet", globe.disc(tone)), *plains, *_surface(globe, str(v["surface"]), tone, 5.6)]
    ice = art.tone("white")
    if v["ice"] == "poles":
        parts += [part("ice", _cap(globe, 58, ice)), part("ice", _cap(globe, -60, ice))]
    elif v["ice"] == "equator":
        parts.append(part("ice", globe.band(-8, 12, ice, wave=2)))
    else:
        field = [(24 * math.cos(a / 2), 4 + 24 * math.sin(a / 2) * (1 + 0.12 * (a % 2))) for a in range(12)]
        parts.append(part("ice", globe.patch(field, ice)))
    moons = [part("moon", _rock(str(v["moon shape"]), x, y, art)) for x, y in _corners(int(v["moons"]), 39.5, art)]
    return [*parts, *moons, *([_storm(art)] if v["weather"] == "storm" else [])]


MARS = Concept(
    name="Mars",
    phrase="the planet Mars",
    plural="planets like Mars",
    domain="celestial",
    category=Category.EARTH_SCIENCE,
    definition=(
        "Mars is a rust-red planet with many craters and white ice at its poles. Two small moons shaped like potatoes go around it."
    ),
    draw=_mars,
    scene="space",
    tilt=5,
    facts=(
        Fact(
            "colour",
            "color",
            "color",
            "What color is the ground of the planet in the image?",
            {"red": "Rust red", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("planet",),
        ),
        Fact(
            "moons",
            "counting",
            "details",
            "How many moons go around the planet in the image?",
            {2: "Two", 1: "One", 3: "Three", 4: "Four"},
            ("moon",),
        ),
        Fact(
            "moon shape",
            "shape",
            "shape",
            "What shape do the moons of the planet have in the image?",
            {"potato": "Like potatoes", "cube": "Like cubes", "ring": "Like rings"},
            ("moon",),
            ("Like stars",),
        ),
        Fact(
            "ice",
            "relation",
            "details",
            "Where is the white ice on the planet in the image?",
            {"poles": "At the poles", "equator": "Around the equator", "patch": "In one central patch"},
            ("ice",),
            ("All over it",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What marks the ground of the planet in the image?",
            {"craters": "Craters", "stripes": "Stripes", "smooth": "Nothing"},
            ("crater",),
            ("Checks",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the planet in the image?",
            {"space": "In outer space", "sea": "On the open sea", "meadow": "In a meadow", "snow": "In the snow"},
            (),
        ),
    ),
    variation=Variation(
        "the planet Mars swept by a dust storm",
        "action",
        Fact(
            "weather",
            "existence",
            "details",
            "What is sweeping over the planet in the image?",
            {"storm": "A dust storm", "calm": "Nothing"},
            ("dust storm",),
            ("A flood", "A flock of birds"),
        ),
        base="calm",
    ),
)


# --- the waxing crescent moon ------------------------------------------------------------------------------------

MOON = 42.0


def _half_width(outline: str, y: float) -> float:
    if outline == "square":
        return MOON * 0.82
    if outline == "diamond":
        return MOON * 1.1 - abs(y)
    return math.sqrt(max(MOON**2 - y * y, 0.0))


def _slice(outline: str, left: float, right: float) -> list[Point]:
    """The part of the moon's disc between two shares of its half width, -1 at the left edge to 1 at the right one."""
    top = {"round": MOON, "square": MOON * 0.82, "diamond": MOON * 1.1}[outline]
    ys = [-top * math.cos(math.pi * i / 60) for i in range(61)]
    return [*((right * _half_width(outline, y), y) for y in ys), *((left * _half_width(outline, y), y) for y in reversed(ys))]


def _crescent(v: Values, art: Art) -> Sequence[Part]:
    outline, edge = str(v["outline"]), {"thin": 0.44, "half": 0.0, "most": -0.42}[str(v["amount"])]
    night = _blend(art.tone("grey"), "#2c3050", 0.62)
    light = _blend(art.tone("white"), art.tone("beige"), 0.22) if v["colour"] == "white" else shade(art.tone(str(v["colour"])), 0.1)
    dim = [
        ellipse(MOON * x, MOON * y, MOON * r, MOON * r * 0.8, shade(night, -0.14), stroke=None)
        for x, y, r in ((-0.5, -0.3, 0.17), (-0.34, 0.34, 0.22), (-0.66, 0.12, 0.1))
    ]
    parts = [part("unlit part", polygon(_slice(outline, -1, 1), night), dim)]
    lit = [polygon(_slice(outline, edge, 1), light), polygon(_slice(outline, edge, edge + 0.1), shade(light, -0.13), stroke=None)]
    parts.append(part("lit part", lit))
    if v["surface"] == "craters":
        rows = [(-1, 0.56, 6.2), (-18, 0.54, 4.4), (16, 0.54, 4.8)]
        if v["amount"] != "thin":
            rows += [(7, 0.2, 3.8), (-12, 0.24, 3.4), (20, 0.22, 3.0)]
        for y, share, r in rows:
            half = _half_width(outline, y)
            x = half * (edge + (1 - edge) * share)
            parts.append(part("crater", _crater(x, y, min(r, half * (1 - edge) * 0.3), light)))
    if v["surface"] == "stripes":
        for y0 in (-27, -9, 9, 27):
            ys = [y0 - 3.5 + 7 * i / 6 for i in range(7)]
            right = [(_half_width(outline, y) * 0.985, y) for y in ys]
            left = [(_half_width(outline, y) * (edge + 0.02), y) for y in reversed(ys)]
            parts.append(part("stripe", polygon([*right, *left], shade(light, -0.42), stroke=None)))
    parts.append(part("outline", polygon(_slice(outline, -1, 1), None)))
    dark = (edge - 1) / 2 * _half_width(outline, 0)
    if v["unlit"] == "star":
        parts.append(part("star", star(dark, 0, min(11, 0.23 * (1 + edge) * MOON + 3.5), 5, 0.48, fill=art.tone("yellow"))))
    if v["unlit"] == "lights":
        spots = [(_half_width(outline, y) * ((edge - 1) / 2 + side * (edge + 1)), y) for y in (-13, 0, 13) for side in (-0.17, 0.17)]
        parts += [part("light", circle(x, y, 3.1, art.tone("yellow"), width=0.9)) for x, y in spots]
    turn = {"right": 0, "bottom": 90, "left": 180, "top": 270}[str(v["side"])]
    return [p.moved(f"rotate({turn})") for p in parts]


CRESCENT = Concept(
    name="waxing crescent moon",
    phrase="a waxing crescent moon",
    plural="waxing crescent moons",
    domain="celestial",
    category=Category.EARTH_SCIENCE,
    definition=(
        "A waxing crescent is the young moon: seen from the north, only a thin white curve "
        "on its right side is lit. Craters mark the lit part; the rest is dim grey."
    ),
    draw=_crescent,
    scene="night",
    tilt=4,
    mirror=False,
    facts=(
        Fact(
            "side",
            "posture",
            "details",
            "To which side does the lit part of the object face in the image?",
            {"right": "To the right", "left": "To the left", "bottom": "Downward", "top": "Upward"},
            ("lit part",),
        ),
        Fact(
            "amount",
            "size",
            "shape",
            "How much of the disk is lit in the image?",
            {"thin": "Less than half", "half": "Half of it", "most": "More than half"},
            ("lit part", "unlit part"),
            ("None of it",),
        ),
        Fact(
            "colour",
            "color",
            "color",
            "What color is the lit part of the object in the image?",
            {"white": "White", "green": "Green", "red": "Red", "blue": "Blue"},
            ("lit part",),
        ),
        Fact(
            "outline",
            "shape",
            "shape",
            "What outline does the whole object have in the image?",
            {"round": "Round", "square": "Square", "diamond": "Diamond-shaped"},
            ("lit part", "unlit part"),
            ("Heart-shaped",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What marks the lit part of the object in the image?",
            {"craters": "Craters", "stripes": "Stripes", "smooth": "Nothing"},
            ("crater",),
            ("Checks",),
        ),
        Fact(
            "unlit",
            "existence",
            "details",
            "What shines inside the unlit part of the disk in the image?",
            {"nothing": "Nothing", "star": "A star", "lights": "Rows of lights"},
            ("unlit part",),
            ("A fire",),
        ),
    ),
    variation=Variation(
        "a waxing crescent moon under a blue sky",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the object in the image?",
            {"day": "Under a blue sky", "night": "At night", "desert": "In a desert"},
            (),
            ("Under water",),
        ),
        base="night",
    ),
)


# --- comet -------------------------------------------------------------------------------------------------------


def _tail(head: Point, heading: float, length: float, bend: float, end: float, start: float, tone: str) -> list[Shape]:
    """A tail that widens from `start` to `end`, turns by `bend` degrees on its way and frays at its end."""

    def edge(share: float, side: float) -> Point:
        x, y = polar(*head, length * share, heading + bend * share)
        return polar(x, y, (start + (end - start) * share) / 2 * side, heading + bend * share * 1.6 + 90)

    def body(width: float, cut: float) -> list[Point]:
        steps = [cut * i / 12 for i in range(13)]
        frayed = [edge(cut * k, width * side) for k, side in ((0.93, 0.62), (1.06, 0.3), (0.97, 0.05), (1.13, -0.22), (0.95, -0.55))]
        return [*(edge(s, width) for s in steps), *frayed, *(edge(s, -width) for s in reversed(steps))]

    return [
        polygon(body(1, 0.9), tone, stroke=shade(tone, -0.5), width=1.0),
        polygon(body(0.62, 0.74), shade(tone, 0.38), stroke=None),
        polygon(body(0.28, 0.56), shade(tone, 0.75), stroke=None),
    ]


def _small_sun(x: float, y: float, art: Art) -> Part:
    tone = art.tone("yellow")
    rays = star(x, y, 14.5, 12, 0.76, turn=art.vary(0, 30), fill=art.tone("orange"))
    return part("sun", rays, circle(x, y, 9.2, tone), glow(x - 3, y - 3.4, 3))


def _nucleus(kind: str, x: float, y: float, r: float, tone: str) -> list[Shape]:
    if kind == "star":
        return [star(x, y, r * 1.4, 5, 0.48, fill=tone)]
    if kind == "square":
        return [rect(x - r, y - r, 2 * r, 2 * r, tone)]
    pits = _pits(x, y, r, tone, ((0.3, 0.35, 0.26), (-0.42, 0.3, 0.17), (0.36, -0.36, 0.2)))
    return [circle(x, y, r, tone, stroke=shade(tone, -0.6), width=1.0), *pits, glow(x - r * 0.3, y - r * 0.4, r * 0.36)]


def _comet(v: Values, art: Art) -> Sequence[Part]:
    sun = (-34.5, 34.5)
    head = {"away": (-4.0, 4.0), "toward": (26.0, -26.0), "past": (17.0, 26.0)}[str(v["tail way"])]
    heading = {"away": -45.0, "toward": 135.0, "past": -100.0}[str(v["tail way"])]
    long = v["tail length"] == "long"
    reach, wide = (62.5, 1.0) if long else (30.0, 0.6)
    dust = _blend(art.tone("white"), art.tone("yellow"), 0.42)
    bends = {1: (), 2: (26,), 3: (28, -28), 4: (26, -26, 50)}[int(v["tails"])]
    tails = []
    for bend in bends:
        lean = bend * 0.62 if long else bend * 1.3
        far = reach * (0.68 if long and bend > 40 else 0.88)
        tails.append(part("tail", _tail(head, heading + lean, far, bend * 0.42 if long else 0, 13 * wide, 7, dust)))
    straight = _tail(head, heading, reach, 0, 13 * wide, 7, shade(art.tone(str(v["tail colour"])), 0.12))
    tails.append(part("straight tail", straight))
    haze: list[Part] = []
    if v["haze"] == "haze":
        mist = shade(art.tone("light blue"), 0.12)
        glint = [circle(*head, r, shade(mist, light), stroke=None) for r, light in ((12, 0.4), (9.8, 0.75))]
        haze = [part("haze", circle(*head, 14, mist, stroke=shade(mist, -0.3), width=0.9), glint)]
    ice = _blend(art.tone("white"), art.tone("grey"), 0.32)
    core = [part("head", _nucleus(str(v["head"]), *head, 7.0, ice))]
    if v["state"] == "breaking":
        shift = [polar(*head, 18.5, heading + turn) for turn in (110, 150, 195, 235)]
        core += [part("piece", regular(x, y, 4.4, 5, turn=40 * i, fill=ice)) for i, (x, y) in enumerate(shift)]
        crack = line([(head[0] + dx, head[1] + dy) for dx, dy in ((-6, -3), (-1, 1), (1, -2), (6, 3))], width=1.6)
        core.append(part("crack", crack))
    if v["haze"] == "ring":
        x, y = head
        hoop = [_annulus(10, 14.5, 0.4, back, 0, art.tone("gold"), stroke="#23242b") for back in (True, False)]
        place = f"translate({x:.1f} {y:.1f}) rotate(-14)"
        return [_small_sun(*sun, art), *tails, part("hoop", hoop[0]).moved(place), *core, part("hoop", hoop[1]).moved(place)]
    return [_small_sun(*sun, art), *tails, *haze, *core]


COMET = Concept(
    name="comet",
    phrase="a comet",
    plural="comets",
    domain="celestial",
    category=Category.PHYSICS,
    definition=(
        "A comet is a round lump of ice and dust in a glowing haze. Two very long tails, a "
        "straight blue one of gas and a bent pale one of dust, point away from the Sun."
    ),
    draw=_comet,
    scene="space",
    tilt=5,
    facts=(
        Fact(
            "tail way",
            "relation",
            "details",
            "Which way does the straight tail point in the image?",
            {"away": "Away from the sun", "toward": "Toward the sun", "past": "Sideways to the sun"},
            ("straight tail", "sun"),
            ("All around",),
        ),
        Fact(
            "tails",
            "counting",
            "details",
            "How many tails does the object have in the image?",
            {2: "Two", 1: "One", 3: "Three", 4: "Four"},
            ("tail", "straight tail"),
        ),
        Fact(
            "tail length",
            "size",
            "shape",
            "How long are the tails compared with the head in the image?",
            {"long": "Much longer", "short": "Shorter"},
            ("straight tail", "head"),
            ("Exactly as long", "Too short to see"),
        ),
        Fact(
            "tail colour",
            "color",
            "color",
            "What color is the straight tail in the image?",
            {"blue": "Blue", "green": "Green", "red": "Red", "purple": "Purple"},
            ("straight tail",),
        ),
        Fact(
            "head",
            "shape",
            "shape",
            "What shape is the head of the object in the image?",
            {"round": "Round", "star": "Star-shaped", "square": "Square"},
            ("head",),
            ("Heart-shaped",),
        ),
        Fact(
            "haze",
            "existence",
            "details",
            "What surrounds the head of the object in the image?",
            {"haze": "A glowing haze", "ring": "A golden ring", "none": "Nothing"},
            ("haze",),
            ("Leaves",),
        ),
    ),
    variation=Variation(
        "a comet breaking apart",
        "action",
        Fact(
            "state",
            "others",
            "details",
            "What is happening to the head of the object in the image?",
            {"breaking": "It breaks apart", "whole": "It stays whole"},
            ("head", "piece"),
            ("It burns up", "It melts away"),
        ),
        base="whole",
    ),
)


# --- the Big Dipper ----------------------------------------------------------------------------------------------

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
        turn = {"bent": 214 - 50 * i / (count - 1), "straight": 196.0, "zigzag": 196 + (44 if i % 2 == 0 else -44)}[bend]
        x, y = polar(x, y, span, turn - lower)
        found.append((x, y))
    return found


def _joined(stars: Sequence[Point], closed: bool = False) -> list[Shape]:
    ends = [*stars, stars[0]] if closed else list(stars)
    return [line(ends, "#39436f", 3.0), line(ends, "#aebbe8", 1.6)]


def _bright_star(x: float, y: float, r: float, tone: str) -> list[Shape]:
    halos = [circle(x, y, r * k, "#fff3c4", stroke=None, opacity=0.11) for k in (1.5, 1.28, 1.06)]
    return [*halos, polygon(_rounded([polar(x, y, r * (1 if i % 2 == 0 else 0.5), -90 + 36 * i) for i in range(10)], 1), tone, width=1.0)]


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
        glare = _blend(art.tone("yellow"), art.tone("white"), 0.4)
        trail = path("M-24,-45 Q2,-44 26,-32 L23,-26 Q2,-39 -24,-45 Z", glare, stroke="#39436f", width=1.0)
        placed.append(part("shooting star", trail, star(28, -27.5, 9, 5, 0.5, turn=-70, fill=art.tone("yellow"))))
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
            {"night": "At night", "underwater": "Under water", "room": "In a room", "desert": "In a desert"},
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


# --- the Sun -----------------------------------------------------------------------------------------------------

SUN = 27.0


def _corona(art: Art) -> list[Shape]:
    gold, orange, turn = art.tone("yellow"), art.tone("orange"), art.vary(0, 360)

    def flames(height: float, base: float) -> list[Point]:
        waves = [(math.sin(math.radians(7 * a + turn)), math.sin(math.radians(12 * a - turn))) for a in range(0, 360, 3)]
        return [polar(0, 0, SUN + base + height * (one + 0.6 * two), 3 * i) for i, (one, two) in enumerate(waves)]

    return [
        *(circle(0, 0, SUN + far, shade(orange, 0.3), stroke=None, opacity=0.12) for far in (20, 18, 16, 14)),
        polygon(flames(3.2, 11.5), shade(orange, 0.3), stroke=orange, width=0.8),
        polygon(flames(2.2, 7.5), shade(gold, 0.2), stroke=None),
        circle(0, 0, SUN + 3.4, shade(gold, 0.55), stroke=None),
    ]


def _prominence(kind: str, turn: float, tone: str, scale: float) -> Part:
    dark = shade(tone, -0.4)
    if kind == "arch":
        arch = "M-9,1.4 C-11,-18 11,-18 9,1.4 L5.4,1.4 C6,-11.5 -6,-11.5 -5.4,1.4 Z"
        gleam = path("M-6.8,-2 C-5.6,-13 5.6,-13 6.8,-2", None, stroke=shade(tone, 0.35), width=1.0)
        shapes = [path(arch, tone, stroke=dark, width=1.0), gleam]
    elif kind == "spike":
        shapes = [polygon([(-7, 1), (0, -15), (7, 1)], tone, stroke=dark, width=1.0)]
    else:
        shapes = [circle(0, -6.4, 6.4, tone, stroke=dark, width=1.0), glow(-2, -8.6, 1.9)]
    return part("prominence", shapes).moved(f"rotate({turn:.1f}) translate(0 {-SUN:.1f}) scale({scale:.2f})")


def _spot_places(place: str) -> tuple[tuple[float, float, float], ...]:
    """Centres and half widths of the sunspots."""
    if place == "poles":
        return ((-5.5, -20, 4.6), (6.5, -18.5, 3.6), (-6, 18.5, 3.6), (5, 20, 4.6))
    if place == "rim":
        return tuple((*polar(0, 0, 21.2, 20 + 60 * i), 4.2) for i in range(6))
    return ((-12.5, -7.5, 5.0), (-4.0, -11.0, 2.8), (10, -8, 3.9), (-8, 10, 3.6), (8, 8, 5.2), (15.8, 10.5, 2.8))


def _spot(x: float, y: float, r: float, rim: str, dark: str, art: Art) -> list[Shape]:
    rough = [art.vary(0.88, 1.12) for _ in range(9)]
    rings = [[polar(0, 0, r * share * k, 40 * i) for i, k in enumerate(rough)] for share in (1.16, 0.72)]
    outer, inner = ([(x + dx, y + 0.76 * dy) for dx, dy in _rounded(ring)] for ring in rings)
    return [polygon(outer, rim, stroke=shade(rim, -0.35), width=0.6), polygon(inner, dark, stroke=None)]


def _sun(v: Values, art: Art) -> Sequence[Part]:
    tone = _blend(art.tone("yellow"), art.tone("white"), 0.3) if v["colour"] == "yellow" else shade(art.tone(str(v["colour"])), 0.12)
    parts = []
    if v["around"] == "corona":
        parts.append(part("corona", _corona(art)))
    if v["around"] == "ring":
        grey = shade(art.tone("grey"), 0.2)
        hoop = "M-47,0 a47,47 0 1,0 94,0 a47,47 0 1,0 -94,0 Z M-42,0 a42,42 0 1,1 84,0 a42,42 0 1,1 -84,0 Z"
        parts.append(part("hoop", path(hoop, grey)))
    first = art.vary(15, 75)
    flame = _blend(art.tone("red"), art.tone("orange"), 0.55)
    parts += [_prominence(str(v["edge"]), first + 90 * i + art.vary(-16, 16), flame, art.vary(0.85, 1.12)) for i in range(4)]
    cells = [(*polar(0, 0, SUN * art.vary(0.1, 0.82), 36 * i + art.vary(-14, 14)), art.vary(1.6, 3.2)) for i in range(10)]
    grain = [ellipse(x, y, r * 1.5, r, shade(tone, 0.42), stroke=None) for x, y, r in cells]
    rings = [circle(0, 0, SUN * k, shade(tone, light), stroke=None) for k, light in ((0.88, 0.1), (0.7, 0.22))]
    parts.append(part("disk", circle(0, 0, SUN, shade(tone, -0.05)), rings, grain))
    dark = art.tone(str(v["spot colour"]))
    rim = {"black": _blend(tone, art.tone("brown"), 0.5)}.get(str(v["spot colour"]), shade(dark, -0.15))
    return [*parts, *(part("spot", _spot(x, y, r, rim, dark, art)) for x, y, r in _spot_places(str(v["spots"])))]


SUN_CONCEPT = Concept(
    name="Sun",
    phrase="the Sun",
    plural="stars like the Sun",
    domain="celestial",
    category=Category.PHYSICS,
    definition=(
        "The Sun is a pale yellow ball of hot gas in a glowing corona, with arches "
        "of gas at its edge. Dark spots lie in two belts along its equator."
    ),
    draw=_sun,
    scene="space",
    tilt=4,
    facts=(
        Fact(
            "colour",
            "color",
            "color",
            "What color is the disk of the star in the image?",
            {"yellow": "Pale yellow", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("disk",),
        ),
        Fact(
            "spots",
            "relation",
            "details",
            "Where do the spots lie on the disk in the image?",
            {"equator": "Along the equator", "poles": "At the poles", "rim": "All along the edge"},
            ("spot",),
            ("Outside the disk",),
        ),
        Fact(
            "spot colour",
            "color",
            "color",
            "What color are the spots on the disk in the image?",
            {"black": "Black", "white": "White", "red": "Red"},
            ("spot",),
            ("Orange",),
        ),
        Fact(
            "around",
            "existence",
            "details",
            "What surrounds the disk of the star in the image?",
            {"corona": "A glowing corona", "ring": "A grey ring", "none": "Nothing"},
            ("corona",),
            ("Clouds",),
        ),
        Fact(
            "edge",
            "shape",
            "shape",
            "What shape are the things that rise from the edge of the disk in the image?",
            {"arch": "Arches", "spike": "Pointed spikes", "ball": "Balls"},
            ("prominence",),
            ("Crosses",),
        ),
    ),
    variation=Variation(
        "the Sun in a blue sky",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the star in the image?",
            {"day": "Under a blue sky", "space": "In outer space", "night": "At night"},
            (),
            ("Under water",),
        ),
        base="space",
    ),
)

CONCEPTS: tuple[Concept, ...] = (SATURN, JUPITER, EARTH, MARS, CRESCENT, COMET, BIG_DIPPER, SUN_CONCEPT)
