"""Primer concepts of the domain animal."""

import math
from collections.abc import Callable, Sequence

from data.primer.drawing import INK, Art, Part, Point, Shape, circle, ellipse, glow, line, part, path, polar, polygon, rect, shade, star
from data.primer.world import Concept, Fact, Values, Variation
from data.records import Category

Spine = tuple[Point, Point, Point, Point]


# --- forms that several animals share ----------------------------------------------------------------------------


class _Ribbon:
    """A band of changing width along a cubic curve; `at(t, s)` is t along it and s across it, -1 to 1 between its edges."""

    def __init__(self, spine: Spine, half: Callable[[float], float]) -> None:
        self.spine, self.half = spine, half

    def at(self, t: float, s: float = 0.0) -> Point:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.spine
        u = 1 - t
        x = u**3 * ax + 3 * u * u * t * bx + 3 * u * t * t * cx + t**3 * dx
        y = u**3 * ay + 3 * u * u * t * by + 3 * u * t * t * cy + t**3 * dy
        tx = u * u * (bx - ax) + 2 * u * t * (cx - bx) + t * t * (dx - cx)
        ty = u * u * (by - ay) + 2 * u * t * (cy - by) + t * t * (dy - cy)
        size = math.hypot(tx, ty) or 1.0
        reach = s * self.half(t)
        return x - ty / size * reach, y + tx / size * reach

    def patch(self, t0: float, t1: float, s0: float, s1: float, fill: str, lean: float = 0.0, **style: object) -> Shape:
        """The part of the band between t0 and t1 along it and s0 and s1 across it, leaning along it by `lean`."""

        def clip(t: float) -> float:
            return min(1.0, max(0.0, t))

        steps = 14
        across = [s0 + (s1 - s0) * i / steps for i in range(steps + 1)]
        along = [t0 + (t1 - t0) * i / steps for i in range(steps + 1)]
        ring = [self.at(clip(t0 + lean * s), s) for s in across]
        ring += [self.at(clip(t + lean * s1), s1) for t in along]
        ring += [self.at(clip(t1 + lean * s), s) for s in reversed(across)]
        ring += [self.at(clip(t + lean * s0), s0) for t in reversed(along)]
        return polygon(ring, fill, **style)

    def ring(self) -> list[Point]:
        return [self.at(i / 40, -1) for i in range(41)] + [self.at(i / 40, 1) for i in range(40, -1, -1)]

    def body(self, fill: str, dark: float = -0.13) -> list[Shape]:
        """The whole band with its shadow side; its outline stays open where it grows from another part."""
        return [polygon(self.ring(), fill, stroke=None), self.patch(0.14, 0.98, 0.45, 0.97, shade(fill, dark), stroke=None), self.edge()]

    def edge(self) -> Shape:
        """The outline alone, to draw over a pattern; open at the start."""
        return line(self.ring(), INK, 1.2)


def _barrel(wide: float, power: float = 4.0) -> Callable[[float], float]:
    return lambda t: wide * math.sqrt(max(0.0, 1 - abs(2 * t - 1) ** power))


def _taper(start: float, end: float) -> Callable[[float], float]:
    """From `start` to `end`, closing in a round tip."""
    return lambda t: (start + (end - start) * t) * (1.0 if t < 0.9 else math.sqrt(max(0.0, 1 - ((t - 0.9) / 0.1) ** 2)))


def _tube(d: str, width: float, fill: str) -> list[Shape]:
    """A thick outlined line along path data."""
    return [path(d, None, stroke=INK, width=width + 2.4), path(d, None, stroke=fill, width=width)]


def _bent(points: Sequence[Point], width: float, fill: str) -> list[Shape]:
    return _tube("M" + " L".join(f"{x:.2f},{y:.2f}" for x, y in points), width, fill)


def _shadow(cx: float, cy: float, rx: float, ry: float, colour: str, amount: float = -0.15) -> Shape:
    """The shadow crescent at the lower right of an ellipse."""
    (x0, y0), (x1, y1) = ((cx + rx * 0.96 * math.cos(a), cy + ry * 0.96 * math.sin(a)) for a in (-0.85, 2.3))
    d = (
        f"M{x0:.2f},{y0:.2f} A{rx * 0.96:.2f},{ry * 0.96:.2f} 0 0,1 "
        f"{x1:.2f},{y1:.2f} A{rx * 1.3:.2f},{ry * 1.3:.2f} 0 0,0 {x0:.2f},{y0:.2f} Z"
    )
    return path(d, shade(colour, amount), stroke=None)


def _ball(cx: float, cy: float, rx: float, ry: float, fill: str) -> list[Shape]:
    return [ellipse(cx, cy, rx, ry, fill), _shadow(cx, cy, rx, ry, fill), glow(cx - rx * 0.4, cy - ry * 0.45, min(rx, ry) * 0.26)]


def _fur(cx: float, cy: float, r: float, fill: str) -> list[Shape]:
    """A furry ball."""
    tufts = [
        line([polar(cx, cy, d, a), polar(cx, cy, d + r * 0.17, a + 3)], shade(fill, -0.3), 0.9)
        for d, step in ((r * 0.66, 36), (r * 0.36, 72))
        for a in range(9, 369, step)
    ]
    return [
        star(cx, cy, r, 34, 0.93, fill=fill),
        _shadow(cx, cy, r * 0.91, r * 0.91, fill),
        *tufts,
        glow(cx - r * 0.35, cy - r * 0.4, r * 0.22),
    ]


def _eye(x: float, y: float, r: float) -> list[Shape]:
    return [
        circle(x, y, r, "#fdfdfb", width=0.9),
        circle(x + r * 0.1, y + r * 0.05, r * 0.62, INK, stroke=None),
        circle(x - r * 0.15, y - r * 0.25, r * 0.24, "#ffffff", stroke=None),
    ]


def _dot_eye(x: float, y: float, r: float) -> list[Shape]:
    return [circle(x, y, r, INK, stroke=None), circle(x - r * 0.3, y - r * 0.35, r * 0.34, "#ffffff", stroke=None)]


def _spread(count: int, low: float, high: float) -> list[float]:
    """`count` numbers from low to high; one alone lies in the middle."""
    if count == 1:
        return [(low + high) / 2]
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def _feelers(x: float, y: float, reach: float, rise: float, name: str = "antenna") -> list[Part]:
    """Two curved feelers with knobs, growing upwards from beside (x, y)."""
    return [
        part(
            name,
            path(f"M{x + side * 2:.2f},{y:.2f} q{side * 1:.2f},{-rise * 0.8:.2f} {side * reach:.2f},{-rise:.2f}", None, width=2.2),
            circle(x + side * (reach + 2), y - rise, 2.3, INK),
        )
        for side in (-1, 1)
    ]


# --- ladybug -----------------------------------------------------------------------------------------------------

_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    7: ((0.0, -0.4), (0.6, -0.3), (0.64, 0.3), (0.29, 0.7)),
    5: ((0.0, -0.4), (0.6, -0.12), (0.42, 0.55)),
    3: ((0.0, -0.4), (0.5, 0.3)),
    2: ((0.5, 0.0),),
}
_NARROW_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    7: ((0.0, -0.42), (0.5, -0.08), (0.5, 0.3), (0.4, 0.67)),
    5: ((0.0, -0.42), (0.5, 0.0), (0.47, 0.5)),
    3: ((0.0, -0.4), (0.5, 0.2)),
    2: ((0.5, 0.1),),
}


def _cover(side: int, form: str, fill: str) -> tuple[list[Shape], float, float]:
    """One wing cover with its half width and half height, its seam at x = 0 and its middle at y = 0."""
    wide, high = {"round": (31.0, 31.0), "narrow": (17.0, 35.0), "square": (28.0, 30.0)}[form]
    if form == "square":
        outer = [rect(min(0, side * wide), -high, wide, 2 * high, fill)]
        if side > 0:
            outer.append(rect(wide - 6, -high + 1, 5.2, 2 * high - 2, shade(fill, -0.14), stroke=None))
        return outer, wide, high
    sweep = 1 if side > 0 else 0
    d = f"M0,{-high} A{wide},{high} 0 0,{sweep} 0,{high} Z"
    outer = [path(d, fill)]
    if side > 0:
        inner = f"A{wide * 1.35:.1f},{high * 1.02:.1f} 0 0,0 {wide * 0.4:.1f},{-high * 0.88:.1f}"
        outer.append(
            path(
                f"M{wide * 0.4:.1f},{-high * 0.88:.1f} A{wide * 0.97:.1f},{high * 0.97:.1f} 0 0,1 1,{high * 0.96:.1f} {inner} Z",
                shade(fill, -0.14),
                stroke=None,
            )
        )
    return outer, wide, high


def _leaf(art: Art) -> Part:
    green = art.tone("green")
    veins = [
        path(f"M{x},{2 - x * 0.12} q6,{s * 8} 13,{s * 17}", None, stroke=shade(green, 0.3), width=1)
        for x in (-30, -13, 4, 20)
        for s in (-1, 1)
    ]
    outline = path("M-50,8 C-32,-44 20,-48 49,-6 C26,40 -24,48 -50,8 Z", shade(green, 0.12))
    return part(
        "leaf",
        outline,
        path("M-50,8 Q0,4 49,-6 C26,40 -24,48 -50,8 Z", green, stroke=None),
        path("M-50,8 Q0,4 49,-6", None, stroke=shade(green, 0.35), width=1.6),
        veins,
    )


def _bloom(cx: float, cy: float, r: float, petals: int, colour: str, name: str = "flower") -> Part:
    shapes = []
    for i in range(petals):
        x, y = polar(cx, cy, r * 0.66, 360 * i / petals)
        shapes.append(circle(x, y, r * 0.36, colour))
    return part(name, shapes, circle(cx, cy, r * 0.5, "#f0c648"))


def _ladybug(v: Values, art: Art) -> Sequence[Part]:
    black, wings = art.tone("black"), art.tone(str(v["covers"]))
    form, count = str(v["outline"]), int(v["legs"])
    ground = {"leaf": [_leaf(art)], "flower": [_bloom(0, 0, 49, 8, art.tone("pink"))], "nothing": []}[str(v["perch"])]
    covers = [_cover(side, form, wings) for side in (-1, 1)]
    wide, high = covers[0][1:]
    legs = []
    for side in (-1, 1):
        for slope in _spread(count // 2, -1, 1):
            edge = wide * (1.0 if form == "square" else math.sqrt(1 - (slope * 0.62) ** 2))
            y = slope * high * 0.62
            knee, foot = (side * (edge + 6), y + slope * 5), (side * (edge + 11), y + slope * 14 + 2)
            legs.append(part("leg", line([(0, y), knee, foot], black, 4.2)))
    spots = [
        part("spot", circle(side * x * wide, y * high, 4.6 if form == "narrow" else 5.2, black, stroke=None))
        for x, y in (_NARROW_SPOTS if form == "narrow" else _SPOTS)[int(v["spots"])]
        for side in ((1, -1) if x else (1,))
    ]
    back = [part("wing cover", shapes) for shapes, _, _ in covers]
    seam = part("wing cover", line([(0, -high), (0, high)], INK, 1.6), glow(-wide * 0.42, -high * 0.62, 3.6))
    large = v["head"] == "large"
    frame = "translate(0 17) scale(0.78)" if large else "translate(0 10)"
    trunk = [p.moved(frame) for p in [*legs, *back, seam, *spots]]
    hy, r = (-20.0, 23.0) if large else (10.0 - high - 5, 11.0)
    neck = part(
        "chest",
        ellipse(0, 10 - high + 5, min(wide * 0.66, 19), 8.5, black),
        [ellipse(s * min(wide * 0.5, 13), 10 - high + 3, 3, 4, "#fbfaf5", stroke=None) for s in (-1, 1)],
    )
    head = part("head", _ball(0, hy, r, r * 0.92, black), _eye(-r * 0.52, hy - r * 0.32, r * 0.27), _eye(r * 0.52, hy - r * 0.32, r * 0.27))
    if v["feelers"] == "antennae":
        top = _feelers(0, hy - r * 0.7, 9, 10 if not large else 11)
    elif v["feelers"] == "ears":
        top = [
            part(
                "ear",
                circle(s * (r * 0.6 + 5), hy - r * 0.55 - 3, 7.5, black),
                circle(s * (r * 0.6 + 5), hy - r * 0.55 - 3, 4, "#d99aa8", stroke=None),
            )
            for s in (-1, 1)
        ]
    else:
        top = []
    beetle = [*trunk, *top, *([] if large else [neck]), head]
    return [*ground, *(p.moved("scale(0.76)") for p in beetle)] if ground else beetle


# --- honeybee ----------------------------------------------------------------------------------------------------


def _bee_wing(form: str, half: float, turn: float, x: float, y: float) -> Part:
    film, end = "#dcebf5", half * (1.25 if half > 5 else 0.95)
    shapes = {
        "oval": [ellipse(21, 0, 19, half, film)],
        "triangle": [polygon([(0, 0), (38, -end), (38, end)], film)],
        "square": [rect(5, -half, 31, 2 * half, film), line([(0, 0), (5, 0)])],
    }[form]
    veins = [
        line([(4, 0), (31, 0)], "#7f95a6", 0.8),
        line([(14, 0), (26, half * 0.5)], "#7f95a6", 0.7),
        line([(14, 0), (26, -half * 0.5)], "#7f95a6", 0.7),
    ]
    return part("wing", shapes, veins).moved(f"translate({x:.2f} {y:.2f}) rotate({turn:.2f})")


def _marks(band: _Ribbon, pattern: str, fill: str, count: int) -> list[Shape]:
    """A coat pattern along a band: stripes, spots or checks."""
    if pattern == "stripes":
        return [band.patch((i + 0.3) / count, (i + 0.78) / count, -0.98, 0.98, fill, stroke=None) for i in range(count)]
    if pattern == "checks":
        rows = (-0.98, -0.33, 0.33, 0.98)
        return [
            band.patch(i / count, (i + 1) / count, rows[k], rows[k + 1], fill, stroke=None)
            for i in range(count)
            for k in range(3)
            if (i + k) % 2
        ]
    if pattern == "spots":
        found = []
        for i in range(count):
            for s in (-0.5, 0.45) if i % 2 else (0.0,):
                t = (i + 0.5) / count
                found.append(circle(*band.at(t, s), max(1.2, band.half(t) * 0.24), fill, stroke=None))
        return found
    return []


def _honeybee(v: Values, art: Art) -> Sequence[Part]:
    coat, black = art.tone(str(v["coat"])), art.tone("black")
    up = -8.0 if v["place"] == "flower" else 0.0
    root = {"middle": (4.0, -6.0), "rear": (-24.0, 2.0), "head": (25.0, -2.0)}[str(v["wing place"])]
    low, high = {"middle": (-154, -30), "rear": (-126, -40), "head": (-140, -53)}[str(v["wing place"])]
    count = int(v["wings"])
    spread = 0.5 if count == 2 else 1.0
    mid = (low + high) / 2
    turns = _spread(count, mid + (low - mid) * spread, mid + (high - mid) * spread)
    wings = [_bee_wing(str(v["wing shape"]), {2: 9.0, 4: 7.2}.get(count, 4.3), turn, *root) for turn in turns]
    belly = _Ribbon(((0, 2), (-18, 0), (-32, 8), (-41, 22)), lambda t: 14.5 * math.sqrt(max(0.0, 1 - abs(1.45 * t - 0.45) ** 2.6)))
    pattern = str(v["pattern"])
    abdomen = part("abdomen", belly.body(coat), _marks(belly, pattern, black, 5 if pattern == "stripes" else 6), belly.edge())
    x, y = belly.at(0.97)
    tip = {
        "sting": [part("sting", polygon([(x - 6, y - 5), (x + 7, y - 2), (x - 5, y + 17)], black))],
        "tail": [part("tail", _tube(f"M{x},{y} q-5,10 2,12 q7,1 6,-5 q-2,-4 -5,-1", 2.6, coat))],
        "none": [],
    }[str(v["tip"])]
    legs = []
    for i, start in enumerate((-5.0, -1.0, 4.0, 8.0, 13.0, 17.0)):
        lean = (start - 6) * 0.9
        legs.append(part("leg", line([(start, 8), (start + lean * 0.7, 18), (start + lean * 0.8 - 3, 27 + (i % 2))], black, 2.6)))
    fuzz = part("thorax", _fur(6, 0, 16, coat))
    head = part("head", ellipse(25, 4, 9.5, 10.5, black), ellipse(28, 2, 3.6, 5.4, "#5b4636", width=0.8), glow(27, -0.5, 1.4))
    feelers = [part("antenna", path(f"M{29 + k},-4 q{2 + k},-10 {12 + k},{-8 + 4 * k}", None, width=2)) for k in (0, 1.6)]
    bee = [p.moved(f"translate(0 {7 + up:.1f})") for p in [*legs, *tip, *wings, abdomen, fuzz, *feelers, head]]
    if v["place"] != "flower":
        return bee
    pink = art.tone("pink")
    blossom = part(
        "flower",
        [_petal(8, 37, 34, 12, turn, shade(pink, 0.14)) for turn in range(-90, 270, 30)],
        [_petal(8, 37, 28, 9, turn, pink) for turn in range(-75, 285, 30)],
        ellipse(8, 36, 15, 6, "#f0c648"),
        _shadow(8, 36, 15, 6, "#f0c648"),
    )
    return [part("stem", _tube("M8,40 V47", 3, art.tone("green"))), blossom, *bee]


def _petal(cx: float, cy: float, rx: float, ry: float, turn: float, fill: str) -> Shape:
    """One petal of a flower that is seen from the side."""
    (x0, y0), (x1, y1), (x2, y2) = (polar(0, 0, 1, turn + d) for d in (-17, 0, 17))
    return path(
        f"M{cx},{cy} L{cx + x0 * rx * 0.8:.1f},{cy + y0 * ry * 0.8:.1f} "
        f"Q{cx + x1 * rx * 1.15:.1f},{cy + y1 * ry * 1.15:.1f} {cx + x2 * rx * 0.8:.1f},{cy + y2 * ry * 0.8:.1f} Z",
        fill,
        width=0.9,
    )


# --- spider ------------------------------------------------------------------------------------------------------


def _web() -> Part:
    silk = "#a4adb8"
    spokes = [line([(0, 0), polar(0, 0, 49, a)], silk, 0.8) for a in range(0, 360, 36)]
    rings = []
    for r in (14, 23, 32, 41, 48):
        d = "M" + " ".join(
            f"{polar(0, 0, r, a)[0]:.1f},{polar(0, 0, r, a)[1]:.1f} "
            f"Q{polar(0, 0, r * 0.86, a + 18)[0]:.1f},{polar(0, 0, r * 0.86, a + 18)[1]:.1f}"
            for a in range(0, 360, 36)
        )
        rings.append(path(f"{d} {r},0", None, stroke=silk, width=0.8))
    return part("web", spokes, rings)


def _half_width(balls: Sequence[tuple[float, float, float, float]], y: float) -> float:
    return max(7.0, *(rx * math.sqrt(max(0.0, 1 - ((y - cy) / ry) ** 2)) for _, cy, rx, ry in balls), 7.0)


def _spider(v: Values, art: Art) -> Sequence[Part]:
    brown = art.tone("brown")
    leg_tone, count, long = shade(brown, -0.35), int(v["legs"]), v["leg length"] == "long"
    balls = {
        2: ((0.0, -13.0, 12.0, 12.5), (0.0, 17.0, 16.5, 19.5)),
        1: ((0.0, 5.0, 17.0, 31.0),),
        3: ((0.0, -16.0, 10.5, 10.5), (0.0, 3.0, 10.5, 9.5), (0.0, 25.0, 14.0, 14.0)),
    }[int(v["segments"])]
    middle = -12.0 if v["leg place"] == "front" else 18.0
    legs = []
    for side in (-1, 1):
        for k in _spread(count // 2, -1, 1):
            y = middle + k * 9
            if long:
                edge, up = _half_width(balls, y), 1 if v["leg place"] == "front" else -1
                knee = (side * (edge + 14), y + k * 13 - 7)
                foot = (side * (45 - 7 * abs(k)), max(-47, min(47, y + k * 25 + up * 7)))
                points = [(side * edge * 0.4, y), knee, foot]
            else:
                low = middle + k * 15
                reach = _half_width(balls, low)
                points = [(0.0, middle + k * 6), (side * (reach + 6), low - 2), (side * (reach + 11), low + 2)]
            legs.append(part("leg", _bent(points, 2.6, leg_tone)))
    body = []
    for i, ball in enumerate(balls):
        marks = []
        if i == len(balls) - 1:
            _, cy, rx, ry = ball
            marks = [
                path(
                    f"M{-rx * w:.1f},{cy + dy:.1f} Q0,{cy + dy - 6:.1f} {rx * w:.1f},{cy + dy:.1f} "
                    f"Q0,{cy + dy - 2:.1f} {-rx * w:.1f},{cy + dy:.1f} Z",
                    shade(brown, 0.4),
                    stroke=None,
                )
                for w, dy in ((0.5, ry * 0.0), (0.42, ry * 0.3), (0.3, ry * 0.58))
            ]
        body.append(part("body section", _ball(*ball, shade(brown, 0.08 if i else -0.12)), marks))
    top = balls[0][1] - balls[0][3]
    eyes = part(
        "eye",
        [s for x, y in ((-3, 6), (3, 6), (-7, 8), (7, 8)) for s in _eye(x, top + y, 2.5 if y == 6 else 1.7)],
        [circle(x, top + y, 1.1, "#fdfdfb", width=0.6) for x, y in ((-2, 11), (2, 11), (-5.5, 12.5), (5.5, 12.5))],
    )
    front = {
        "fangs": [
            part(
                "fang",
                path(
                    f"M{s * 5.4},{top - 5} C{s * 7.5},{top - 11} {s * 5},{top - 15} {s * 0.6},{top - 17} "
                    f"C{s * 2.6},{top - 13} {s * 2.4},{top - 9} {s * 1.6},{top - 5} Z",
                    "#f4efe2",
                ),
                ellipse(s * 4.3, top - 1, 4, 6.6, leg_tone),
            )
            for s in (-1, 1)
        ],
        "antennae": _feelers(0, top + 3, 9, 17),
        "beak": [
            part(
                "beak",
                polygon([(-7, top + 3), (7, top + 3), (0, top - 13)], art.tone("yellow")),
                line([(0, top + 1), (0, top - 9)], INK, 1),
            )
        ],
    }[str(v["mouth"])]
    return [*([_web()] if v["perch"] == "web" else []), *legs, *front, *reversed(body), eyes]


# --- octopus -----------------------------------------------------------------------------------------------------


def _octopus(v: Values, art: Art) -> Sequence[Part]:
    skin = art.tone(str(v["skin"]))
    g = 1 if v["arm place"] == "below" else -1
    count, under = int(v["arms"]), shade(skin, 0.62)
    arms = []
    for turn in _spread(count, 176, 4):
        sway = math.cos(math.radians(turn))
        end = (sway * 43, 11 + 34 * math.sin(math.radians(turn)))
        curl = 13 * max(-1.0, min(1.0, 3 * sway)) if abs(sway) > 0.02 else 6.0
        root, bend = (sway * 17, 2 * g), (sway * 30, (12 + 12 * (1 - abs(sway))) * g)
        spine: Spine = (root, bend, (end[0] - curl * 1.1, (end[1] + 9) * g), (end[0] + curl * 0.3, (end[1] - 4) * g))
        arm = _Ribbon(spine, _taper(5.4, 2.2))
        marks: list[Shape] = []
        if v["arm surface"] == "suckers":
            marks = [circle(*arm.at(t), arm.half(t) * 0.52, under, stroke=shade(skin, -0.4), width=0.7) for t in _spread(6, 0.36, 0.92)]
        elif v["arm surface"] == "stripes":
            marks = [arm.patch(t, t + 0.07, -0.96, 0.96, shade(skin, -0.6), stroke=None) for t in _spread(5, 0.34, 0.88)]
        arms.append(part("arm", arm.body(skin), marks))
    cy = -16.0 * g
    shapes = {
        "round": _ball(0, cy - 3 * g, 25, 26, skin),
        "triangle": [
            path(
                f"M0,{-49 * g} Q4,{-48 * g} 6,{-44 * g} L27,{4 * g} Q27,{9 * g} 20,{9 * g} "
                f"H-20 Q-27,{9 * g} -27,{4 * g} L-6,{-44 * g} Q-4,{-48 * g} 0,{-49 * g} Z",
                skin,
            ),
            polygon([(8, -36 * g), (25, 5 * g), (12, 7 * g)], shade(skin, -0.14), stroke=None),
        ],
        "square": [
            rect(-24, cy - 3 * g - 25, 48, 50, skin, 3),
            rect(14, cy - 3 * g - 24, 9, 48, shade(skin, -0.14), stroke=None),
            glow(-14, cy - 3 * g - 17, 5),
        ],
    }[str(v["head shape"])]
    freckles = [
        circle(x, cy + y * g, r, shade(skin, -0.2), stroke=None)
        for x, y, r in ((-9, -13, 1.6), (4, -17, 1.9), (9, -10, 1.3), (-3, -8, 1.2))
    ]
    eyes = []
    for x in {1: (0.0,), 2: (-11.0, 11.0), 3: (-14.0, 0.0, 14.0)}[int(v["eyes"])]:
        y = cy + 8 * g
        eyes.append(
            part(
                "eye",
                ellipse(x, y, 6, 6.8, "#fbf4dc"),
                ellipse(x, y + 0.6, 4.3, 3, INK, stroke=None),
                circle(x - 1.6, y - 0.6, 1.2, "#ffffff", stroke=None),
                path(f"M{x - 6},{y - 1.5} A6,6.8 0 0,1 {x + 6},{y - 1.5} Q{x},{y - 5.5} {x - 6},{y - 1.5} Z", shade(skin, -0.2), width=0.9),
            )
        )
    order = sorted(range(count), key=lambda i: -abs(i - (count - 1) / 2))
    return [*(arms[i] for i in order), part("head", shapes, freckles), *eyes]


# --- zebra -------------------------------------------------------------------------------------------------------


def _zebra(v: Values, art: Art) -> Sequence[Part]:
    white, mark, pattern = art.tone("white"), art.tone(str(v["marks"])), str(v["pattern"])
    up = v["head"] == "up"
    trunk = _Ribbon(((-37, 1), (-18, -5), (4, 3), (26, -2)), lambda t: _barrel(16.5, 3.2)(t) * (1 - 0.08 * math.sin(math.pi * t)))
    spine: Spine = ((14, 1), (19, -7), (22, -18), (25, -28)) if up else ((15, -3), (24, -4), (30, 6), (33, 18))
    neck = _Ribbon(spine, lambda t: 12.0 - 5.5 * t)
    face: Spine = ((20, -32), (28, -31), (36, -27), (45, -17)) if up else ((30, 13), (35, 18), (39, 28), (40, 41))
    skull = _Ribbon(face, lambda t: 7.4 * (1 - 0.38 * t) * math.sqrt(max(0.0, 1 - abs(2 * t - 1) ** 6)))

    def coated(name: str, band: _Ribbon, count: int) -> Part:
        closed = [] if name == "neck" else [polygon(band.ring(), None)]
        return part(name, band.body(white, -0.08), _marks(band, pattern, mark, count), band.edge(), closed)

    legs = []
    for x in {4: (-27.0, -15.0, 7.0, 19.0), 3: (-24.0, 5.0, 19.0), 2: (-22.0, 15.0), 6: (-28.0, -18.5, -9.0, 0.5, 10.0, 19.5)}[
        int(v["legs"])
    ]:
        k = 0.76 if v["legs"] == 6 else 1.0
        shank = _Ribbon(((x, 6), (x + 0.6, 18), (x - 1.2, 30), (x, 45)), lambda t, k=k: k * (4.8 - 1.7 * min(1, 1.8 * t)))  # type: ignore[misc]
        hoof = polygon([(x - 3.2 * k, 42), (x + 3 * k, 42), (x + 4.4 * k, 48), (x - 4 * k, 48)], art.tone("black"))
        legs.append(part("leg", shank.body(white, -0.08), _marks(shank, pattern, mark, 7), shank.edge(), hoof))
    if v["mane"] == "upright":
        mane = [
            neck.patch(t, t + 0.1, -1.5, -0.95, mark if i % 2 else white, width=0.9)
            for i, t in enumerate(_spread(9, 0.2 if up else 0.34, 0.94))
        ]
    else:
        mane = [
            neck.patch(t, t + 0.13, -1.25, 0.62 + 0.2 * (i % 2), mark, lean=-0.12, width=0.7, stroke=shade(mark, 0.35))
            for i, t in enumerate(_spread(8, 0.14, 0.85))
        ]
    tail = {
        "tuft": [
            part(
                "tail",
                _tube("M-35,-5 C-43,-2 -43,8 -42,15", 2.4, white),
                path("M-44,13 C-48,22 -45,29 -42,32 C-38,27 -38,20 -40,13 Z", mark),
            )
        ],
        "bushy": [
            part(
                "tail",
                path("M-33,-8 C-46,-14 -51,2 -48,16 C-46,28 -40,34 -36,36 C-33,24 -32,14 -31,2 Z", mark),
                path("M-38,-2 C-43,8 -42,20 -38,28", None, stroke=shade(mark, 0.4), width=1.1),
            )
        ],
        "curly": [part("tail", _tube("M-34,-4 C-40,-4 -44,-10 -40,-14 C-35,-17 -33,-9 -39,-7 C-45,-6 -49,-12 -46,-18", 2.8, white))],
    }[str(v["tail"])]
    px, py = skull.at(0.12, -0.9)
    turn = 0 if up else 52
    crown = {
        "ears": [
            part(
                "ear",
                path("M-3,3 C-6,-6 -2,-11 0,-13 C4,-9 5,-3 3,3 Z", white),
                path("M-1,1 C-2,-4 0,-8 0.4,-9 C2,-6 2,-2 1.4,1 Z", mark, stroke=None),
            ).moved(f"translate({px + d:.2f} {py:.2f}) rotate({turn + a}) scale(0.82)")
            for d, a in ((4.5, 16), (-1, -10))
        ],
        "horns": [
            part("horn", path("M-3,3 C-4,-8 -9,-10 -14,-10 C-10,-16 2,-15 3,3 Z", "#c9b184")).moved(
                f"translate({px + d:.2f} {py + 1:.2f}) rotate({turn + a}) scale({m} 0.7)"
            )
            for d, a, m in ((4, 10, -0.8), (-1, -4, 0.8))
        ],
        "horn": [
            part(
                "horn",
                polygon([(-3.4, 3), (3.4, 3), (0.5, -15)], "#e5c15a"),
                line([(-2, -2), (2.4, -4)], INK, 0.8),
                line([(-1.4, -7), (1.8, -9)], INK, 0.8),
            ).moved(f"translate({px + 4:.2f} {py + 2:.2f}) rotate({turn + 28}) scale(0.85)")
        ],
    }[str(v["crown"])]
    nose = part(
        "muzzle", skull.patch(0.76, 0.995, -0.98, 0.98, art.tone("black")), circle(*skull.at(0.9, -0.35), 1, "#777b85", stroke=None)
    )
    eye = part("eye", _dot_eye(*skull.at(0.3, -0.25), 2.1))
    head = [coated("head", skull, 6), nose, eye]
    back_mane = [part("mane", mane)]
    coat = [coated("body", trunk, 9), coated("neck", neck, 6)]
    return [*tail, *legs, *crown[1:], *coat, *back_mane, *head, *crown[:1]]


# --- penguin -----------------------------------------------------------------------------------------------------


def _penguin(v: Values, art: Art) -> Sequence[Part]:
    black, white, feet = art.tone("black"), art.tone("white"), art.tone(str(v["feet"]))
    back, front = {"back": (black, white), "front": (white, black), "all": (black, black)}[str(v["dark"])]
    long = v["legs"] == "long"
    lying = v["stance"] == "lying"
    body = [
        part(
            "body",
            path("M-6,-32 C-18,-24 -24,-4 -22,16 C-21,30 -14,40 0,40 C17,40 25,26 24,6 C23,-12 17,-22 13,-32 Z", back),
            path(
                "M-20,18 C-19,30 -12,38 0,38 C5,38 8,37 11,35 C-4,34 -14,28 -20,18 Z",
                shade(back, -0.2 if back == white else -0.35),
                stroke=None,
            ),
        ),
        part(
            "belly",
            path("M11,-24 C19,-16 23,-6 23,8 C23,24 17,38 2,39 C-6,32 -8,16 -4,2 C-1,-10 6,-16 11,-24 Z", front, width=0.9),
            path("M20,-6 C25,14 20,37 2,38.5 C14,30 19,14 20,-6 Z", shade(front, -0.1), stroke=None),
        ),
        part("tail", polygon([(-18, 26), (-27, 40), (-9, 37)], back)),
    ]
    head = [
        part(
            "beak",
            path("M13,-40 C20,-40 26,-37 30,-33 C24,-32 18,-31 13,-32 Z", art.tone("orange")),
            line([(14, -35.5), (27, -34)], INK, 0.8),
        ),
        part(
            "head",
            circle(5, -36, 12.5, black),
            path("M-3,-26 A12.5,12.5 0 0,0 17,-33 A16,16 0 0,1 -3,-26 Z", shade(black, -0.3), stroke=None),
            path("M2,-44 C7,-46 11,-43 11,-39 C8,-40 5,-41 2,-44 Z", white, stroke=None),
        ),
        part("eye", _eye(9, -37.5, 2.8)),
    ]
    grey = shade(black, 0.16)
    limb = {
        "flipper": [
            part(
                "flipper",
                path("M-9,-17 C-1,-17 3,-10 2,0 C1,10 -6,20 -13,26 C-17,16 -17,-10 -9,-17 Z", grey),
                path("M-1,-4 C-1,6 -6,15 -12,21 C-8,10 -5,4 -1,-4 Z", shade(grey, -0.25), stroke=None),
            )
        ],
        "arm": [
            part(
                "arm",
                [s for dx, dy in ((-8, 6), (-3.5, 10), (2, 10), (7, 5)) for s in _bent([(-6, 13), (-6 + dx, 13 + dy)], 2.8, "#e0ac7e")],
                _tube("M-7,-14 Q-13,0 -6,12", 7, "#e0ac7e"),
            )
        ],
        "none": [],
    }[str(v["limb"])]
    scarf = []
    if v["wear"] != "nothing":
        cloth = art.tone(str(v["wear"]))
        scarf = [
            part(
                "scarf",
                path("M-4,-20 C-12,-16 -12,2 -7,8 L3,5 C-1,-2 0,-12 4,-19 Z", cloth),
                line([(-9, -4), (0, -6)], shade(cloth, 0.5), 1.8),
            ),
            part(
                "scarf",
                path("M-9,-28 C0,-22 10,-22 17,-27 L19,-19 C10,-13 -2,-13 -12,-19 Z", cloth),
                path("M-11,-21 C0,-15 10,-16 18,-21 L19,-19 C10,-13 -2,-13 -12,-19 Z", shade(cloth, -0.2), stroke=None),
            ),
        ]
    if lying:
        head = [p.moved("rotate(-62 5 -33)") for p in head]
    trunk = [*body, *head, *limb, *scarf] if not scarf else [*body, *scarf[1:], *head, *limb, *scarf[:1]]
    if long:
        trunk = [p.moved("translate(0 -14) scale(0.72)") for p in trunk]
    legs = []
    for x in (-9.0, 8.0):
        x, top, toe = (x * 0.75, 10.0, 44.0) if long else (x, 36.0, 44.0)
        foot = path(
            f"M{x - 4},{toe - 3} Q{x - 6},{toe + 3} {x - 5},{toe + 4} L{x - 1},{toe + 2} L{x + 3},{toe + 4.5} "
            f"L{x + 6},{toe + 2} L{x + 13},{toe + 3} Q{x + 10},{toe - 5} {x + 2},{toe - 6} Z",
            feet,
        )
        legs.append(part("foot", _bent([(x, top), (x, toe - 2)], 4.5, feet), foot))
    turn = {"upright": "", "lying": "translate(-3 8) rotate(90) scale(0.95)", "inverted": "rotate(180)"}[str(v["stance"])]
    return [p.moved(turn) if turn else p for p in [*legs, *trunk]]


# --- bat ---------------------------------------------------------------------------------------------------------


def _bat_wing(material: str, tone: str) -> list[Shape]:
    """A wing to the right of its root (0, 0), reaching to x = 40."""
    if material == "feathers":
        shapes = []
        for reach, drop, colour in ((1.0, 1.0, shade(tone, -0.1)), (0.66, 0.62, shade(tone, 0.12))):
            for i in range(8):
                x = (36 - i * 4.4) * reach
                root, tip = (x * 0.75, -11 + i * 1.4), (x + (5 - i) * 0.6, (14 + i * 1.6 - (3 - i) * 1.2 * (i < 3)) * drop)
                quill = _Ribbon((root, root, tip, tip), lambda t: 0.6 + 3.3 * math.sqrt(max(0.0, 1 - abs(2 * t - 1) ** 2.4)))
                shapes.append(polygon(quill.ring(), colour, width=1.0))
        return [*shapes, path("M-2,-4 Q12,-22 24,-20 Q34,-18 38,-6 Q30,-12 22,-12 Q12,-10 2,8 Z", shade(tone, 0.2))]
    if material == "scales":
        sail = path("M0,-6 Q12,-24 24,-22 Q38,-16 41,16 Q30,18 20,24 Q10,24 0,24 Z", "#6fae8a")
        scales = []
        for row in range(7):
            for k in range(8):
                x, y = 2.5 + k * 5 + (row % 2) * 2.5, -15 + row * 5.4
                if -8 - 1.0 * x < y < 20 and x < 36 and y > -19 + abs(x - 22) * 0.6:
                    scales.append(path(f"M{x - 2.7:.1f},{y:.1f} q2.7,6 5.4,0", None, stroke="#2d6b4c", width=1.1))
        return [sail, *scales]
    bones = ((24, -22), (41, 16), (27, 17), (13, 20))
    sail = path("M0,-4 Q12,-10 24,-22 Q36,-14 41,16 Q33,10 27,17 Q20,13 13,20 Q7,17 0,24 Z", tone)
    dark = path("M24,-22 Q36,-14 41,16 Q33,10 27,17 Q30,-2 24,-22 Z", shade(tone, -0.15), stroke=None)
    ribs = [line([bones[0], tip], shade(tone, -0.5), 1.3) for tip in bones[1:]]
    return [
        sail,
        dark,
        *ribs,
        line([(0, 0), bones[0]], shade(tone, -0.5), 2.6),
        path("M22,-21 q0,-6 4,-7 q0,4 0,7 Z", "#efe6d2", width=0.8),
        path(sail.d, None),
    ]


def _bat(v: Values, art: Art) -> Sequence[Part]:
    fur = art.tone(str(v["fur"]))
    skin = shade(fur, -0.28) if v["fur"] != "white" else "#d9b9a2"
    count = int(v["wings"])
    wings = []
    for side in (1, -1)[: min(count, 2)]:
        for turn, tall, y in ((0, 1.0, 2.0),) if count < 4 else ((-26, 0.62, -3.0), (26, 0.62, 13.0)):
            wings.append(
                part("wing", _bat_wing(str(v["wing surface"]), skin)).moved(
                    f"scale({side} 1) translate(7 {y}) rotate({turn}) scale(1 {tall})"
                )
            )
    feet = [
        part("foot", _bent([(s * 5, 25), (s * 5, 36)], 2.4, skin), [line([(s * 5, 36), (s * 5 + d, 41)], INK, 1.5) for d in (-2.4, 0, 2.4)])
        for s in (-1, 1)
    ]
    branch = part("branch", _Ribbon(((-48, 43), (-16, 38), (16, 45), (48, 40)), lambda t: 3.6 - 0.8 * t).body("#7d5a3c", -0.2))
    body = part("body", _fur(0, 10, 19, fur), ellipse(0, 12, 9, 11, shade(fur, 0.22), stroke=None))
    ears = {
        "pointed": [
            part(
                "ear",
                path(f"M{s * 2},-24 C{s * 4},-38 {s * 11},-45 {s * 15},-48 C{s * 18},-38 {s * 17},-28 {s * 12},-17 Z", fur),
                path(
                    f"M{s * 6},-26 C{s * 8},-35 {s * 11},-39 {s * 13.5},-42 C{s * 15},-34 {s * 14},-28 {s * 11},-22 Z",
                    "#d99aa8",
                    stroke=None,
                ),
            )
            for s in (-1, 1)
        ],
        "round": [part("ear", circle(s * 13, -29, 9, fur), circle(s * 13, -29, 5.4, "#d99aa8", stroke=None)) for s in (-1, 1)],
        "drooping": [
            part(
                "ear",
                path(
                    f"M{s * 5},-29 C{s * 16},-38 {s * 25},-28 {s * 24},-6 C{s * 23},2 "
                    f"{s * 17},2 {s * 16},-5 C{s * 16},-14 {s * 14},-18 {s * 10},-20 Z",
                    fur,
                ),
                path(f"M{s * 17},-24 C{s * 21},-18 {s * 21},-8 {s * 20},-3", None, stroke="#d99aa8", width=2.6),
            )
            for s in (-1, 1)
        ],
    }[str(v["ears"])]
    head = part("head", _ball(0, -18, 14, 13, fur))
    eyes = part("eye", _dot_eye(-6.5, -20, 2.7), _dot_eye(6.5, -20, 2.7))
    face = {
        "snout": [
            part(
                "snout",
                ellipse(0, -12.5, 6.6, 5, shade(fur, 0.3)),
                path("M-3,-15 Q0,-17 3,-15 Q2,-12 0,-12 Q-2,-12 -3,-15 Z", INK, stroke=None),
                path("M-3.6,-10 Q0,-8 3.6,-10", None, width=1.1),
                [polygon([(s * 2 - 0.8, -9.2), (s * 2 + 0.8, -9.2), (s * 2, -6.6)], "#ffffff", width=0.5) for s in (-1, 1)],
            )
        ],
        "beak": [part("beak", polygon([(-7.5, -17), (7.5, -17), (0, -1)], art.tone("yellow")), line([(-5, -13), (5, -13)], INK, 1))],
        "trunk": [
            part(
                "trunk",
                _tube("M0,-14 C2,-6 0,0 -5,4 Q-9,7 -12,3", 6, shade(fur, 0.3)),
                [line([(-1.6, y), (3.4, y + 0.6)], shade(fur, -0.3), 0.9) for y in (-9, -5)],
            )
        ],
    }[str(v["face"])]
    whole = [
        *wings,
        *feet,
        branch,
        body,
        *(ears if v["ears"] != "drooping" else []),
        head,
        *(ears if v["ears"] == "drooping" else []),
        eyes,
        *face,
    ]
    return [p.moved("rotate(180)") for p in whole] if v["stance"] == "hanging" else whole


# --- flamingo ----------------------------------------------------------------------------------------------------


def _flamingo(v: Values, art: Art) -> Sequence[Part]:
    coat = art.tone(str(v["plumage"]))
    limb, long = shade(coat, -0.2), v["legs"] == "long"
    foot_y, hip = (48.0, -2.0) if long else (41.0, 20.0)

    def standing(x: float) -> Part:
        knee = (hip + foot_y) / 2
        return part(
            "leg",
            _bent([(x, hip), (x - 1, knee), (x, foot_y)], 2.4, limb),
            circle(x - 1, knee, 2.5 if long else 1.8, limb),
            path(f"M{x - 2},{foot_y - 2} L{x - 4},{foot_y + 2} H{x + 11} Q{x + 6},{foot_y - 3} {x + 2},{foot_y - 3} Z", limb),
        )

    fold = 21 if long else 14
    tucked = part(
        "leg",
        _bent([(-2, hip), (5, hip + fold), (-16, hip + fold - 6 if long else hip + fold - 2)], 2.4, limb),
        circle(5, hip + fold, 2.3, limb),
        path(
            f"M-15,{hip + fold - (8 if long else 5)} L-24,{hip + fold + 1} "
            f"L-17,{hip + fold - 1} L-16,{hip + fold + 4} L-13,{hip + fold - 3} Z",
            limb,
        ),
    )
    legs = {"one": [tucked, standing(-5)], "two": [standing(-14), standing(5)]}[str(v["stance"])]
    spine: Spine = ((9, 2), (50, -12), (-14, -36), (17, -42)) if v["neck"] == "curved" else ((10, 0), (12, -14), (14, -28), (17, -41))
    neck = _Ribbon(spine, lambda t: 6.5 - 3.0 * min(1, 1.6 * t))
    body = part(
        "body",
        path("M-34,4 C-30,-14 -8,-20 8,-13 C20,-8 22,4 14,11 C2,19 -20,14 -34,4 Z", coat),
        path("M-28,7 C-10,12 8,10 18,-2 C19,4 17,9 14,11 C2,19 -16,14 -28,7 Z", shade(coat, -0.13), stroke=None),
    )
    wing = part(
        "wing",
        path("M8,-7 C-2,-15 -22,-12 -38,6 C-26,6 -22,9 -16,8 C-8,11 8,8 8,-7 Z", shade(coat, 0.14)),
        path("M-28,3 C-20,0 -14,0 -6,-4", None, stroke=shade(coat, -0.25), width=1.2),
        path("M-20,7 C-12,5 -8,3 0,-1", None, stroke=shade(coat, -0.25), width=1.2),
    )
    tail = []
    if v["tail"] == "small":
        tail = [part("tail", path("M-28,-4 L-42,2 L-36,5 L-43,10 L-26,10 Z", shade(coat, -0.12)))]
    else:
        for turn in (-10, 10, 30, 50, 70, 90):
            tail.append(
                part(
                    "tail",
                    ellipse(16, 0, 18, 5.6, shade(coat, 0.1 if turn % 20 else -0.06)),
                    circle(27, 0, 3.4, shade(coat, -0.35), width=0.8),
                ).moved(f"translate(-18 -2) rotate({180 + turn})")
            )
    head = part("head", ellipse(20, -41, 8, 7, coat), _shadow(20, -41, 8, 7, coat), _eye(21.5, -42.5, 2.3))
    pale, dark = "#f7e3cf", art.tone("black")
    beak = {
        "down": [
            path("M25,-46 C34,-46 39,-41 38,-28 C36,-24 33,-23 31,-24 C33,-31 31,-36 25,-37 Z", pale),
            path("M37.9,-34 C38.4,-31 38.2,-29 38,-28 C36,-24 33,-23 31,-24 C32.2,-28 32.2,-31 31.5,-33 Z", dark),
        ],
        "straight": [polygon([(25, -46.5), (48, -41), (25, -36.5)], pale), polygon([(38, -43.4), (48, -41), (38, -39)], dark)],
        "up": [
            path("M25,-37 C36,-36 42,-41 43,-50 C40,-50 37,-49 36,-47 C34,-45 30,-45 25,-46 Z", pale),
            path("M41.5,-43.5 C42.5,-45.5 43,-48 43,-50 C40,-50 37,-49 36,-47 Z", dark),
        ],
    }[str(v["beak"])]
    bird = [*tail, body, part("neck", neck.body(coat)), wing, part("beak", beak), head]
    return [*legs, *(p.moved("translate(0 -7) scale(0.86)" if long else "translate(0 15) scale(0.86)") for p in bird)]


# --- the concepts ------------------------------------------------------------------------------------------------

LADYBUG = Concept(
    name="ladybug",
    phrase="a ladybug",
    plural="ladybugs",
    domain="animal",
    category=Category.BIOLOGY,
    definition="The seven-spot ladybug is a small round beetle with red wing covers, seven black spots and six legs. "
    "Its small black head bears two antennae.",
    draw=_ladybug,
    tilt=18,
    facts=(
        Fact(
            "spots",
            "counting",
            "details",
            "How many spots are on the animal's back in the image?",
            {7: "Seven", 3: "Three", 5: "Five", 2: "Two"},
            ("spot",),
        ),
        Fact(
            "covers",
            "color",
            "color",
            "What color are the animal's wing covers in the image?",
            {"red": "Red", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("wing cover",),
        ),
        Fact(
            "legs",
            "counting",
            "details",
            "How many legs does the animal have in the image?",
            {6: "Six", 4: "Four", 8: "Eight"},
            ("leg",),
            ("Ten",),
        ),
        Fact(
            "outline",
            "shape",
            "shape",
            "What shape do the closed wing covers form together in the image?",
            {"round": "Round", "narrow": "Long and narrow", "square": "Square"},
            ("wing cover",),
            ("Triangular",),
        ),
        Fact(
            "feelers",
            "existence",
            "details",
            "What grows on the animal's head in the image?",
            {"antennae": "Two antennae", "ears": "Two round ears", "none": "Nothing"},
            ("antenna",),
            ("A horn",),
        ),
        Fact(
            "head",
            "size",
            "shape",
            "How large is the animal's head compared with the rest of its body in the image?",
            {"small": "Much smaller", "large": "About equal"},
            ("head",),
            ("Much larger", "There is no head"),
        ),
    ),
    variation=Variation(
        "a ladybug sitting on a leaf",
        "action",
        Fact(
            "perch",
            "relation",
            "details",
            "What is the animal sitting on in the image?",
            {"leaf": "A leaf", "nothing": "Nothing", "flower": "A flower"},
            ("leaf",),
            ("A stone",),
        ),
        base="nothing",
    ),
)

HONEYBEE = Concept(
    name="honeybee",
    phrase="a honeybee",
    plural="honeybees",
    domain="animal",
    category=Category.BIOLOGY,
    definition="A honeybee is a furry golden insect with a dark-striped abdomen that ends in a sting. "
    "Its four oval wings and six legs grow from the thorax.",
    draw=_honeybee,
    facts=(
        Fact(
            "wings",
            "counting",
            "details",
            "How many wings does the animal have in the image?",
            {4: "Four", 2: "Two", 6: "Six"},
            ("wing",),
            ("One",),
        ),
        Fact(
            "pattern",
            "others",
            "texture",
            "What pattern is on the animal's abdomen in the image?",
            {"stripes": "Dark stripes", "spots": "Dark spots", "none": "No pattern"},
            ("abdomen",),
            ("Stars",),
        ),
        Fact(
            "coat",
            "color",
            "color",
            "What is the main color of the animal's furry body in the image?",
            {"gold": "Golden", "blue": "Blue", "green": "Green", "pink": "Pink"},
            ("thorax", "abdomen"),
        ),
        Fact(
            "wing place",
            "relation",
            "details",
            "Where on the body do the wings grow in the image?",
            {"middle": "On the middle part", "rear": "On the rear part", "head": "On the head"},
            ("wing",),
            ("On the legs",),
        ),
        Fact(
            "wing shape",
            "shape",
            "shape",
            "What shape are the animal's wings in the image?",
            {"oval": "Oval", "triangle": "Triangular", "square": "Rectangular"},
            ("wing",),
            ("Star-shaped",),
        ),
        Fact(
            "tip",
            "existence",
            "details",
            "What is at the rear tip of the animal's abdomen in the image?",
            {"sting": "A sting", "tail": "A curly tail", "none": "Nothing"},
            ("sting",),
            ("A pair of pincers",),
        ),
    ),
    variation=Variation(
        "a honeybee standing on a flower",
        "action",
        Fact(
            "place",
            "posture",
            "details",
            "Where is the animal resting or moving in the image?",
            {"flower": "Standing on a flower", "air": "Flying in the air"},
            ("flower",),
            ("Sitting on a stone", "Crawling on a leaf"),
        ),
        base="air",
    ),
)

SPIDER = Concept(
    name="spider",
    phrase="a spider",
    plural="spiders",
    domain="animal",
    category=Category.BIOLOGY,
    definition="A spider has a body of two sections and eight long legs that all grow from the front one. "
    "It has fangs, but neither antennae nor wings.",
    draw=_spider,
    tilt=12,
    facts=(
        Fact(
            "legs",
            "counting",
            "details",
            "How many legs does the animal have in the image?",
            {8: "Eight", 6: "Six", 4: "Four"},
            ("leg",),
            ("Ten",),
        ),
        Fact(
            "segments",
            "counting",
            "shape",
            "How many sections does the animal's body consist of in the image?",
            {2: "Two", 1: "One", 3: "Three"},
            ("body section",),
            ("Five",),
        ),
        Fact(
            "leg length",
            "size",
            "shape",
            "How long are the legs compared with the body in the image?",
            {"long": "About as long", "short": "Much shorter"},
            ("leg",),
            ("Ten times as long", "There are no legs"),
        ),
        Fact(
            "leg place",
            "relation",
            "details",
            "Where on the body do the legs grow in the image?",
            {"front": "On the front half", "rear": "On the rear half"},
            ("leg",),
            ("All around", "On the eyes"),
        ),
        Fact(
            "mouth",
            "existence",
            "details",
            "What does the animal have at the front of its head in the image?",
            {"fangs": "Two fangs", "antennae": "Two antennae", "beak": "A beak"},
            ("fang",),
            ("A trunk",),
        ),
    ),
    variation=Variation(
        "a spider sitting in its web",
        "action",
        Fact(
            "perch",
            "relation",
            "details",
            "What is the animal sitting in or on in the image?",
            {"web": "A web", "nothing": "Nothing"},
            ("web",),
            ("A flower", "A leaf"),
        ),
        base="nothing",
    ),
)

OCTOPUS = Concept(
    name="octopus",
    phrase="an octopus",
    plural="octopuses",
    domain="animal",
    category=Category.BIOLOGY,
    definition="An octopus lives under water and has a rounded head with two eyes. Eight arms with round suckers grow below the head.",
    draw=_octopus,
    scene="underwater",
    facts=(
        Fact(
            "arms",
            "counting",
            "details",
            "How many arms does the animal have in the image?",
            {8: "Eight", 6: "Six", 4: "Four", 5: "Five"},
            ("arm",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the animal in the image?",
            {"underwater": "Under water", "desert": "In a desert", "snow": "In the snow", "meadow": "In a meadow"},
            (),
        ),
        Fact(
            "arm surface",
            "others",
            "texture",
            "What is on the animal's arms in the image?",
            {"suckers": "Round suckers", "stripes": "Dark stripes", "none": "Nothing"},
            ("arm",),
            ("Feathers",),
        ),
        Fact(
            "head shape",
            "shape",
            "shape",
            "What shape is the animal's head in the image?",
            {"round": "Round", "triangle": "Triangular", "square": "Square"},
            ("head",),
            ("Star-shaped",),
        ),
        Fact(
            "arm place",
            "relation",
            "details",
            "Where do the animal's arms grow in the image?",
            {"below": "Below the head", "above": "Above the head"},
            ("arm", "head"),
            ("Beside the eyes only", "Behind the eyes"),
        ),
        Fact(
            "eyes",
            "counting",
            "details",
            "How many eyes does the animal have in the image?",
            {2: "Two", 1: "One", 3: "Three"},
            ("eye",),
            ("Six",),
        ),
    ),
    variation=Variation(
        "a purple octopus",
        "attribute",
        Fact(
            "skin",
            "color",
            "color",
            "What color is the animal's skin in the image?",
            {"purple": "Purple", "orange": "Orange", "green": "Green"},
            ("head", "arm"),
            ("White",),
        ),
        base="orange",
    ),
)

ZEBRA = Concept(
    name="zebra",
    phrase="a zebra",
    plural="zebras",
    domain="animal",
    category=Category.BIOLOGY,
    definition="A zebra is a wild horse of the African grassland with black and white stripes, four legs and a short upright mane. "
    "It has two ears but no horns, and a thin tail with a tuft.",
    draw=_zebra,
    scene="meadow",
    tilt=2,
    facts=(
        Fact(
            "pattern",
            "others",
            "texture",
            "What pattern does the animal's coat have in the image?",
            {"stripes": "Stripes", "spots": "Spots", "checks": "Checks"},
            ("body", "neck"),
            ("Stars",),
        ),
        Fact(
            "marks",
            "color",
            "color",
            "Which two colors does the animal's coat have in the image?",
            {"black": "Black and white", "red": "Red and white", "blue": "Blue and white", "green": "Green and white"},
            ("body", "neck"),
        ),
        Fact(
            "legs",
            "counting",
            "details",
            "How many legs does the animal have in the image?",
            {4: "Four", 3: "Three", 6: "Six", 2: "Two"},
            ("leg",),
        ),
        Fact(
            "mane",
            "posture",
            "shape",
            "How does the animal's mane lie in the image?",
            {"upright": "Short and upright", "hanging": "Long and hanging"},
            ("mane",),
            ("Braided", "There is no mane"),
        ),
        Fact(
            "tail",
            "shape",
            "shape",
            "What does the animal's tail look like in the image?",
            {"tuft": "Thin with a tuft", "bushy": "Long and bushy", "curly": "Short and curly"},
            ("tail",),
            ("There is no tail",),
        ),
        Fact(
            "crown",
            "existence",
            "details",
            "What grows on top of the animal's head in the image?",
            {"ears": "Only two ears", "horns": "Two curved horns", "horn": "A single horn"},
            ("ear",),
            ("Antlers",),
        ),
    ),
    variation=Variation(
        "a zebra grazing with its head down",
        "action",
        Fact(
            "head",
            "posture",
            "shape",
            "How does the animal hold its head in the image?",
            {"down": "Down to the ground", "up": "Raised high"},
            ("head", "neck"),
            ("Turned backward", "Hidden under the body"),
        ),
        base="up",
    ),
)

PENGUIN = Concept(
    name="penguin",
    phrase="a gentoo penguin",
    plural="gentoo penguins",
    domain="animal",
    category=Category.BIOLOGY,
    definition="The gentoo penguin is a seabird of snowy coasts that stands upright on very short legs. "
    "It has a black back, a white belly, flippers and orange feet.",
    draw=_penguin,
    scene="snow",
    tilt=4,
    facts=(
        Fact(
            "stance",
            "posture",
            "shape",
            "How does the animal hold its body in the image?",
            {"upright": "Upright", "lying": "Lying on its belly", "inverted": "Upside down"},
            ("body", "belly"),
            ("Lying on its back",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the animal in the image?",
            {"snow": "In the snow", "desert": "In a desert", "meadow": "In a meadow", "underwater": "Under water"},
            (),
        ),
        Fact(
            "dark",
            "relation",
            "color",
            "Where is the plumage below the head black in the image?",
            {"back": "Only on the back", "front": "Only on the belly", "all": "On back and belly"},
            ("body", "belly"),
            ("Nowhere",),
        ),
        Fact(
            "feet",
            "color",
            "color",
            "What color are the animal's feet in the image?",
            {"orange": "Orange", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("foot",),
        ),
        Fact(
            "legs",
            "size",
            "shape",
            "How long are the animal's legs in the image?",
            {"short": "Very short", "long": "Very long"},
            ("foot",),
            ("Longer on one side", "There are no legs"),
        ),
        Fact(
            "limb",
            "existence",
            "details",
            "What does the animal have at its side in the image?",
            {"flipper": "A flipper", "arm": "An arm with a hand", "none": "Nothing"},
            ("flipper",),
            ("A paw",),
        ),
    ),
    variation=Variation(
        "a gentoo penguin wearing a red scarf",
        "attribute",
        Fact(
            "wear",
            "existence",
            "details",
            "What does the animal wear around its neck in the image?",
            {"red": "A red scarf", "nothing": "Nothing", "green": "A green scarf"},
            ("scarf",),
            ("A yellow ribbon",),
        ),
        base="nothing",
    ),
)

BAT = Concept(
    name="bat",
    phrase="a bat",
    plural="bats",
    domain="animal",
    category=Category.BIOLOGY,
    definition="A bat is a furry mammal that is active at night and rests hanging upside down by its feet. "
    "It has a snout, pointed ears and two wings of bare skin.",
    draw=_bat,
    scene="night",
    tilt=3,
    facts=(
        Fact(
            "stance",
            "posture",
            "shape",
            "How does the animal hold on to the branch in the image?",
            {"hanging": "Hanging upside down", "upright": "Standing upright"},
            ("body", "head"),
            ("Lying along it", "With its wings"),
        ),
        Fact(
            "wing surface",
            "others",
            "texture",
            "What are the animal's wings made of in the image?",
            {"skin": "Bare skin", "feathers": "Feathers", "scales": "Scales"},
            ("wing",),
            ("Leaves",),
        ),
        Fact(
            "ears",
            "shape",
            "shape",
            "What shape are the animal's ears in the image?",
            {"pointed": "Pointed", "round": "Round", "drooping": "Long and drooping"},
            ("ear",),
            ("Square",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where or when is the animal shown in the image?",
            {"night": "At night", "day": "Under a blue sky", "underwater": "Under water", "snow": "In the snow"},
            (),
        ),
        Fact(
            "face",
            "existence",
            "details",
            "What is in the middle of the animal's face in the image?",
            {"snout": "A short snout", "beak": "A beak", "trunk": "A trunk"},
            ("snout",),
            ("Nothing",),
        ),
        Fact(
            "wings",
            "counting",
            "details",
            "How many wings does the animal have in the image?",
            {2: "Two", 4: "Four", 1: "One"},
            ("wing",),
            ("Six",),
        ),
    ),
    variation=Variation(
        "a white bat",
        "attribute",
        Fact(
            "fur",
            "color",
            "color",
            "What color is the animal's fur in the image?",
            {"white": "White", "brown": "Brown", "green": "Green"},
            ("body", "head"),
            ("Red",),
        ),
        base="brown",
    ),
)

FLAMINGO = Concept(
    name="flamingo",
    phrase="a flamingo",
    plural="flamingos",
    domain="animal",
    category=Category.BIOLOGY,
    definition="A flamingo is a pink wading bird with very long legs that often rests on one of them. "
    "It has a curved neck, a beak bent downward and a small tail.",
    draw=_flamingo,
    scene="day",
    tilt=2,
    facts=(
        Fact(
            "plumage",
            "color",
            "color",
            "What color is the animal's plumage in the image?",
            {"pink": "Pink", "blue": "Blue", "green": "Green", "yellow": "Yellow"},
            ("body", "neck"),
        ),
        Fact(
            "stance",
            "posture",
            "shape",
            "How does the animal stand in the image?",
            {"one": "On one leg", "two": "On two legs"},
            ("leg",),
            ("On its wings", "On four legs"),
        ),
        Fact(
            "neck",
            "shape",
            "shape",
            "What shape is the animal's neck in the image?",
            {"curved": "Curved like an S", "straight": "Straight"},
            ("neck",),
            ("Coiled in a ring", "There is no neck"),
        ),
        Fact(
            "legs",
            "size",
            "shape",
            "How long are the legs compared with the animal's body in the image?",
            {"long": "About as long", "short": "Much shorter"},
            ("leg",),
            ("Five times as long", "There are no legs"),
        ),
        Fact(
            "beak",
            "shape",
            "shape",
            "Which way does the animal's beak bend in the image?",
            {"down": "Downward", "straight": "It is straight", "up": "Upward"},
            ("beak",),
            ("Sideways",),
        ),
        Fact(
            "tail",
            "size",
            "shape",
            "How large is the animal's tail in the image?",
            {"small": "Much smaller than the body", "large": "As large as the body"},
            ("tail",),
            ("Twice the body", "There is no tail"),
        ),
    ),
    variation=Variation(
        "a flamingo in the snow",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the animal in the image?",
            {"snow": "In the snow", "day": "Under a blue sky", "desert": "In a desert"},
            (),
            ("In a room",),
        ),
        base="day",
    ),
)

CONCEPTS: tuple[Concept, ...] = (LADYBUG, HONEYBEE, SPIDER, OCTOPUS, ZEBRA, PENGUIN, BAT, FLAMINGO)
