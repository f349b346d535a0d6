"""Primer concepts of the domain person: figures of history and today, told by their dress, gear and bearing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from data.primer.drawing import INK, Art, Part, Point, Shape, circle, ellipse, glow, line, part, path, polar, polygon, rect, shade, star
from data.primer.world import Concept, Fact, Values, Variation
from data.records import Category

METAL = "#b9c0ca"
DARK = "#3a3a46"
LEATHER = "#7d4f2e"
WOOD = "#a9743f"
BLADE = "#dfe5ea"


# --- forms that several figures share --------------------------------------------------------------------------


@dataclass(frozen=True)
class Panel:
    """A garment seen from the front: a trapezoid of half width `top` at `y0` and `bottom` at `y1`, with patterns on it."""

    y0: float
    y1: float
    top: float
    bottom: float
    x: float = 0.0
    sag: float = 2.0

    def half(self, y: float) -> float:
        return self.top + (self.bottom - self.top) * (y - self.y0) / (self.y1 - self.y0)

    def dip(self, y: float) -> float:
        return self.sag * (y - self.y0) / (self.y1 - self.y0)

    def cloth(self, fill: str) -> list[Shape]:
        x, a, b, y0, y1, sag = self.x, self.top, self.bottom, self.y0, self.y1, self.sag
        outline = (
            f"M{x - a:.2f},{y0 + 3:.2f} Q{x - a + 0.5:.2f},{y0:.2f} {x - a + 4:.2f},{y0:.2f} H{x + a - 4:.2f} Q{x + a - 0.5:.2f},{y0:.2f}"
            f" {x + a:.2f},{y0 + 3:.2f} L{x + b:.2f},{y1:.2f} Q{x:.2f},{y1 + 2 * sag:.2f} {x - b:.2f},{y1:.2f} Z"
        )
        side = (
            f"M{x + a * 0.55:.2f},{y0 + 0.6:.2f} H{x + a - 3:.2f} L{x + a - 0.8:.2f},{y0 + 3:.2f} L{x + b - 0.8:.2f},{y1:.2f}"
            f" Q{x + b * 0.8:.2f},{y1 + sag * 0.4:.2f} {x + b * 0.55:.2f},{y1 + sag * 0.6:.2f} Z"
        )
        return [path(outline, fill), path(side, shade(fill, -0.15), stroke=None)]

    def across(self, y: float, colour: str = INK, width: float = 1.0) -> Shape:
        half, dip = self.half(y) - 0.6, self.dip(y)
        return path(
            f"M{self.x - half:.2f},{y:.2f} Q{self.x:.2f},{y + 2 * dip:.2f} {self.x + half:.2f},{y:.2f}", None, stroke=colour, width=width
        )

    def grid(self, dx: float, dy: float, offset: bool = True, margin: float = 2.5) -> list[Point]:
        points: list[Point] = []
        rows = max(1, int((self.y1 - self.y0 - margin) / dy))
        first = self.y0 + (self.y1 - self.y0 - (rows - 1) * dy) / 2
        for row in range(rows):
            y = first + row * dy
            shift = dx / 2 if offset and row % 2 else 0.0
            reach = self.half(y) - margin
            n = int((reach + shift) / dx) + 1
            points += [(self.x + k * dx + shift, y + self.dip(y) * 0.6) for k in range(-n, n + 1) if abs(k * dx + shift) <= reach]
        return points

    def pattern(self, kind: str, colour: str) -> list[Shape]:
        """The marks of a surface: pleats, bands, spots, checks, zigzags, fur, flowers, knit, bricks, plates, lamellar, hearts or none."""
        span = self.y1 - self.y0
        if kind == "pleats":
            ends = [-0.84 + 0.28 * k for k in range(7)]
            return [
                line([(self.x + t * self.top, self.y0 + 2), (self.x + t * self.bottom, self.y1 + self.sag * 0.6)], colour, 1.1)
                for t in ends
            ]
        if kind == "bands":
            return [self.across(self.y0 + span * t, colour, 1.3) for t in (0.2, 0.4, 0.6, 0.8)]
        if kind == "spots":
            return [circle(x, y, 2.2, colour, stroke=None) for x, y in self.grid(8, 6.5, margin=3)]
        if kind == "checks":
            return [rect(x - 2.3, y - 2.3, 4.6, 4.6, colour, stroke=None) for x, y in self.grid(9.2, 4.6, margin=2.8)]
        if kind == "zigzags":
            shapes = []
            for y in (self.y0 + span * t for t in (0.22, 0.5, 0.78)):
                half, n = self.half(y) - 1.5, 8
                shapes.append(line([(self.x - half + 2 * half * i / n, y + (2.2 if i % 2 else -2.2)) for i in range(n + 1)], colour, 1.7))
            return shapes
        if kind == "fur":
            return [path(f"M{x - 1.8:.2f},{y - 2.4:.2f} l1.6,5 l1.8,-5", None, stroke=colour, width=1.1) for x, y in self.grid(4.6, 4.4)]
        if kind == "flowers":
            shapes = []
            for x, y in self.grid(9, 7.5, margin=3.4):
                shapes += [circle(*polar(x, y, 1.8, 72 * k - 90), 1.5, colour, stroke=None) for k in range(5)]
                shapes.append(circle(x, y, 1.1, shade(colour, 0.7), stroke=None))
            return shapes
        if kind == "knit":
            return [path(f"M{x - 2:.2f},{y - 1.6:.2f} l2,3 l2,-3", None, stroke=colour, width=1.5) for x, y in self.grid(4.6, 3.6, False)]
        if kind == "bricks":
            shapes = []
            rows = max(2, round(span / 5))
            for row in range(rows):
                top, low = self.y0 + span * row / rows, self.y0 + span * (row + 1) / rows
                if row:
                    shapes.append(self.across(top, colour, 1.3))
                for k in range(-3, 4):
                    at = k * 9 + (4.5 if row % 2 else 0)
                    if abs(at) < self.half(top) - 1.5:
                        drop = self.dip(low) * 0.8
                        shapes.append(line([(self.x + at, top + drop), (self.x + at, low + drop)], colour, 1.3))
            return shapes
        if kind == "plates":
            shapes = []
            for x, y in self.grid(6.2, 6.2, False, 2.6):
                shapes += [rect(x - 2.6, y - 2.5, 5.2, 5, None, 0.8, stroke=colour, width=1.1), circle(x, y, 1, colour, stroke=None)]
            return shapes
        if kind == "lamellar":
            shapes = []
            rows = max(2, round(span / 4.6))
            for row in range(rows):
                y = self.y0 + span * (row + 0.55) / rows
                shapes.append(self.across(y + span * 0.45 / rows, INK, 1.3))
                half = self.half(y) - 2
                n = max(2, int(half / 1.9))
                for i in range(n + 1):
                    at = -half + 2 * half * i / n
                    drop = self.dip(y) * (1 - (at / (half + 2)) ** 2)
                    shapes.append(line([(self.x + at, y - 1 + drop), (self.x + at, y + 0.9 + drop)], colour, 1.6))
            return shapes
        if kind == "hearts":
            heart = "m0,3 c-5,-3.4 -2.6,-6.4 0,-4 c2.6,-2.4 5,0.6 0,4 Z"
            return [path(f"M{x:.2f},{y - 0.6:.2f} {heart}", colour, stroke=None) for x, y in self.grid(8, 6.6, margin=3)]
        return []


def _limb(points: Sequence[Point], fill: str, width: float) -> list[Shape]:
    """An arm or leg along a shoulder, an elbow and a hand: a thick bent stroke with an ink outline and a shadow side."""
    (x0, y0), (x1, y1), (x2, y2) = points
    d = f"M{x0:.2f},{y0:.2f} Q{2 * x1 - (x0 + x2) / 2:.2f},{2 * y1 - (y0 + y2) / 2:.2f} {x2:.2f},{y2:.2f}"
    dark = (
        f"M{x0 + width * 0.28:.2f},{y0:.2f} Q{2 * x1 - (x0 + x2) / 2 + width * 0.28:.2f},{2 * y1 - (y0 + y2) / 2:.2f} "
        f"{x2 + width * 0.28:.2f},{y2:.2f}"
    )
    return [
        path(d, None, stroke=INK, width=width + 2.3),
        path(d, None, stroke=fill, width=width),
        path(dark, None, stroke=shade(fill, -0.14), width=width * 0.36),
    ]


def _hand(x: float, y: float, skin: str, r: float = 3.5) -> list[Shape]:
    return [circle(x, y, r, skin), ellipse(x + r * 0.3, y + r * 0.35, r * 0.5, r * 0.4, shade(skin, -0.12), stroke=None)]


def _shadow(v: Values, reach: float = 24.0) -> list[Part]:
    if v.get("scene") in ("space", "underwater", "sea"):
        return []
    return [part("shadow", ellipse(0, 46.5, reach, 2.8, "#20222c", stroke=None, opacity=0.2))]


def _head(skin: str, hair: str, y: float = -27.0, mouth: str = "smile", kohl: bool = False) -> list[Shape]:
    """Ears, head and a friendly face; `hair` colours the brows."""
    blush, low = shade("#e8604c", 0.1), shade(skin, -0.13)
    shapes = [ellipse(s * 10.6, y + 1, 2.3, 3, low) for s in (-1, 1)]
    shapes += [
        path(
            f"M-10.6,{y - 2} C-10.6,{y - 15} 10.6,{y - 15} 10.6,{y - 2} C10.6,{y + 8} 5,{y + 12} 0,{y + 12} C-5,{y + 12} -10.6,{y + 8} "
            f"-10.6,{y - 2} Z",
            skin,
        ),
        path(
            f"M6,{y - 10} C10.5,{y - 7} 10,{y - 2} 10,{y - 2} C10,{y + 7.6} 5,{y + 11.4} 0.6,{y + 11.4} C6,{y + 8} 8.4,{y} 6,{y - 10} Z",
            low,
            stroke=None,
        ),
    ]
    for s in (-1, 1):
        x = s * 4.3
        shapes.append(ellipse(s * 6.6, y + 4.4, 2.3, 1.6, blush, stroke=None, opacity=0.38))
        if kohl:
            shapes.append(path(f"M{x - s * 2.4},{y + 0.8} Q{x},{y - 2.4} {x + s * 4.6},{y + 1.4}", None, width=1.2))
        shapes += [ellipse(x, y + 0.6, 1.35, 1.75, INK, stroke=None), circle(x - 0.4, y - 0.1, 0.5, "#ffffff", stroke=None)]
        shapes.append(path(f"M{x - s * 2.2},{y - 3.0} q{s * 2.2},-1.6 {s * 4.4},0.1", None, stroke=shade(hair, -0.1), width=1.2))
    shapes.append(path(f"M-0.2,{y + 2} q1.5,2 -0.6,2.2", None, stroke=shade(skin, -0.38), width=0.9))
    bend = {"smile": 2.8, "calm": 1.3}[mouth]
    shapes.append(path(f"M-2.9,{y + 6.6} q2.9,{bend} 5.8,0", None, stroke="#7c2f2a", width=1.2))
    return shapes


def _hair(colour: str, y: float = -27.0) -> list[Shape]:
    """Short hair over a head, to be drawn after it."""
    return [
        path(f"M-11,{y} C-13,{y - 17} 13,{y - 17} 11,{y} C9.5,{y - 6} 5,{y - 8} -2,{y - 8} C-7,{y - 7.4} -9.6,{y - 5} -11,{y} Z", colour)
    ]


def _shoe(x: float, side: int, fill: str, y: float = 46.0) -> list[Shape]:
    d = (
        f"M{x - side * 3.8:.2f},{y:.2f} v-4.6 q0,-1.6 {side * 2},-1.6 h{side * 3} q0.6,3 {side * 4.2},3.6 q{side * 1.8},0.6 "
        f"{side * 1.4},2.6 Z"
    )
    return [path(d, fill), line([(x - side * 3.4, y - 0.7), (x + side * 6, y - 0.7)], shade(fill, -0.3), 1.0)]


def _held(name: str, shapes: Sequence[Shape], x: float, y: float, turn: float = 0.0) -> Part:
    """A thing drawn upright around its grip at (0, 0), put into a hand."""
    return part(name, shapes).moved(f"translate({x:.2f} {y:.2f}) rotate({turn:.2f})")


def _moved(parts: Sequence[Part], transform: str) -> list[Part]:
    return [p.moved(transform) for p in parts]


def _striped(inner: Sequence[Point], outer: Sequence[Point], colours: Sequence[str]) -> list[Shape]:
    """Quads between two edges given point for point, coloured in turn."""
    shapes = []
    for i, ((a, b), (c, d)) in enumerate(pairwise(zip(inner, outer, strict=True))):
        tone = colours[i % len(colours)]
        shapes.append(polygon([a, b, d, c], tone, stroke=tone, width=0.3))
    return shapes


def _blend(a: str, b: str, share: float) -> str:
    """The hex colour `share` of the way from one to the other."""
    mixed = [round(int(a[i : i + 2], 16) * (1 - share) + int(b[i : i + 2], 16) * share) for i in (1, 3, 5)]
    return "#" + "".join(f"{c:02x}" for c in mixed)


def _shaft(top: float, low: float, width: float, fill: str) -> Shape:
    return rect(-width / 2, top, width, low - top, fill, width / 2)


def _sword(blade: float) -> list[Shape]:
    """A straight sword pointing up from its grip."""
    return [
        polygon([(-2.4, -5), (-2.4, -blade), (0, -blade - 4), (2.4, -blade), (2.4, -5)], BLADE),
        polygon([(0.2, -5), (0.2, -blade - 2), (1.8, -blade), (1.8, -5)], shade(BLADE, -0.2), stroke=None),
        rect(-7, -6, 14, 3, "#d9a520", 1.4),
        rect(-1.5, -3.2, 3, 7, LEATHER, 1),
        circle(0, 5, 2.2, "#d9a520"),
    ]


# --- pharaoh ---------------------------------------------------------------------------------------------------

_NEMES = {"blue": ("blue", "gold"), "red": ("red", "white"), "green": ("green", "white"), "pink": ("pink", "purple")}

_PHARAOH_ARMS: dict[str, tuple[Point, Point, float]] = {
    "crossed": ((19, 6), (-7.5, 1.5), -43),
    "raised": ((24, -11), (30, -20), 8),
    "down": ((21, 3), (23, 16), 14),
    "spread": ((23, -4), (33, -4), 6),
}


def _crook(gold: str, blue: str) -> list[Shape]:
    d = "M0,11 V-15 C0,-26 12,-25 11,-17 C10.6,-14.6 9,-13.6 7.4,-14"
    rings = [line([(-1.3, y), (1.3, y)], blue, 2.2) for y in (6, -6, -12)]
    return [path(d, None, stroke=INK, width=5), path(d, None, stroke=gold, width=2.8), *rings]


def _flail(gold: str, blue: str) -> list[Shape]:
    shapes = [_shaft(-20, 11, 3.6, gold)]
    for k, end in enumerate((5.0, 9.5, 14.0)):
        d = f"M0,-19 Q{end},-20 {end},{-4 - k * 1.5}"
        shapes += [path(d, None, stroke=INK, width=3.6), path(d, None, stroke=blue, width=2), circle(end, -3.4 - k * 1.5, 2, gold)]
    return shapes


def _pharaoh_item(kind: str, left: bool, art: Art) -> tuple[str, list[Shape]]:
    gold, blue = art.tone("gold"), art.tone("blue")
    if kind == "regalia":
        return ("crook", _crook(gold, blue)) if left else ("flail", _flail(gold, blue))
    if kind == "swords":
        return "sword", _sword(17)
    if kind == "flowers":
        petals = [circle(*polar(0, -15, 5, 60 * k), 4, "#e8577a") for k in range(6)]
        stem = [line([(0, 10), (0, -12)], INK, 3.6), line([(0, 10), (0, -12)], "#3f9a52", 2)]
        return "flower", [*stem, *petals, circle(0, -15, 3.6, "#f6d24a")]
    flame = [
        path("M-5,-11 C-9,-19 -1,-20 0,-27 C4,-21 9,-18 5,-11 Z", "#ef7a2b"),
        path("M-2.4,-11 C-4,-16 0,-17 0.6,-21 C2,-17 4.4,-15 2.6,-11 Z", "#f9d85a", stroke=None),
    ]
    return "torch", [*flame, polygon([(-4.6, -11), (4.6, -11), (2, 11), (-2, 11)], WOOD)]


def _beard(kind: str) -> list[Shape]:
    tone = "#26305a"
    if kind == "bushy":
        d = "M-11,-22 C-15,-12 -12,-4 -7,-4 C-5,-1 5,-1 7,-4 C12,-4 15,-12 11,-22 C7,-15 -7,-15 -11,-22 Z"
        return [path(d, tone), *[path(f"M{x},-13 q1.5,3 0,6", None, stroke=shade(tone, 0.35), width=1) for x in (-7, -2.5, 2, 6.5)]]
    if kind == "forked":
        horns = [path(f"M0,-17 H{s * 4} Q{s * 5},-8 {s * 12},-3 Q{s * 2},-3 0,-10 Z", tone) for s in (-1, 1)]
        return [*horns, *[path(f"M{s * 2.6},-13 q{s * 1},5 {s * 4},7", None, stroke=shade(tone, 0.35), width=1) for s in (-1, 1)]]
    lines = [line([(-2.6, y), (2.6, y)], shade(tone, 0.4), 1.1) for y in (-11.5, -8.5, -5.5)]
    return [path("M-2.7,-16 H2.7 L3.5,-3.6 Q0,-1 -3.5,-3.6 Z", tone), *lines]


def _nemes(first: str, second: str) -> tuple[list[Shape], list[Shape]]:
    """The cloth behind the face and the two lappets before the shoulders."""
    n = 23
    inner = [polar(0, -27, 10, 118 + 304 * i / n) for i in range(n + 1)]
    outer = []
    for i in range(n + 1):
        angle = 118 + 304 * i / n
        low = abs(angle - 270) / 152
        outer.append(polar(0, -27, 15.5 + 6.5 * low**1.6, 270 + (angle - 270) * 0.9))
    edge = polygon([*outer, *reversed(inner)], first, width=2.2)
    back = [edge, *_striped(inner, outer, (first, second))]
    lappets: list[Shape] = []
    for s in (-1, 1):
        a = [(s * (9.5 - 0.3 * k), -17.5 + 3.2 * k) for k in range(8)]
        b = [(s * (18.5 - 0.6 * k), -15.5 + 3.2 * k) for k in range(8)]
        lappets += [polygon([*a, *reversed(b)], first, width=2.2), *_striped(a, b, (second, first))]
    return back, lappets


def _pharaoh(v: Values, art: Art) -> Sequence[Part]:
    skin = shade(art.tone("skin"), -0.18)
    gold, white = art.tone("gold"), art.tone("white")
    first, second = (art.tone(name) for name in _NEMES[str(v["stripes"])])
    sits = v["seat"] == "sit"
    parts = _shadow(v)
    if sits:
        parts.append(
            part(
                "throne",
                rect(-23, -25, 46, 50, shade(gold, -0.05), 3),
                rect(-18.5, -20.5, 37, 40, "#a63a2c", 2, width=0.9),
                rect(-27, 16, 54, 26, gold, 1.5),
                rect(-23.5, 20, 47, 18, shade(gold, -0.22), 1, stroke=None),
                *[rect(s * 24.5 - 4, 4, 8, 14, gold, 2) for s in (-1, 1)],
                rect(-22, 42, 44, 5, shade(gold, -0.15), 1),
            )
        )
    feet = 42.0 if sits else 46.0
    for s in (-1, 1):
        x = s * (8.5 if sits else 6.5)
        parts.append(part("leg", _limb([(x, 22), (x, 33), (x, feet - 3)], skin, 6.6)))
        parts.append(
            part(
                "sandal",
                _shoe(x, s, skin, feet),
                line([(x - s * 3.4, feet), (x + s * 6.4, feet)], gold, 2.4),
                line([(x - s * 2, feet - 5.4), (x + s * 3.4, feet - 1)], gold, 1.6),
            )
        )
    parts.append(
        part(
            "body",
            Panel(-13, 11, 15, 10.5).cloth(skin),
            path("M-7,-1 q3.5,2 6.5,0 M1,-1 q3.5,2 6.5,0", None, stroke=shade(skin, -0.3), width=0.9),
        )
    )
    kilt = Panel(9, 24, 11, 16.5, sag=2.6) if sits else Panel(9, 30, 11, 16, sag=2)
    mark = {"pleats": "#c9c0aa", "spots": "#2f8f8a", "checks": "#2f8f8a", "zigzags": "#2f8f8a"}[str(v["kilt"])]
    parts.append(part("kilt", kilt.cloth(white), kilt.pattern(str(v["kilt"]), mark)))
    parts.append(part("belt", path("M-11.4,8 Q0,11 11.4,8 L11.8,13 Q0,16 -11.8,13 Z", gold), rect(-3.4, 10, 6.8, 8, art.tone("blue"), 1.4)))
    rings = (("#2f8f8a", 15.5, 13.5), ("#d9a520", 13.4, 11), ("#b8382d", 11, 8.4), ("#d9a520", 8.6, 6))
    collar = [path(f"M{-rx},-14 A{rx},{ry} 0 0 0 {rx},-14 Z", tone, width=0.9) for tone, rx, ry in rings]
    back, lappets = _nemes(first, second)
    parts += [part("collar", collar), part("headdress", back)]
    parts.append(part("head", _head(skin, "#26201e", kohl=True)))
    brow = path("M-11,-31 C-9,-42 9,-42 11,-31 C7,-35.5 -7,-35.5 -11,-31 Z", gold)
    parts.append(part("headdress", path("M-12.6,-31 C-12,-47 12,-47 12.6,-31 C8,-38 -8,-38 -12.6,-31 Z", first), brow, lappets))
    snake = "M0,-33 C-5,-37 4,-40 0,-45"
    parts.append(
        part(
            "cobra",
            path(snake, None, stroke=INK, width=5.4),
            path(snake, None, stroke=gold, width=3.2),
            ellipse(0, -45, 3, 2.6, gold),
            circle(-1, -45.4, 0.6, INK, stroke=None),
            circle(1, -45.4, 0.6, INK, stroke=None),
        )
    )
    parts.append(part("beard", _beard(str(v["beard"]))))
    elbow, hand, turn = _PHARAOH_ARMS[str(v["arms"])]
    items: list[Part] = []
    for s in (-1, 1):
        name, shapes = _pharaoh_item(str(v["held"]), s > 0, art)
        hx, hy = s * hand[0], hand[1] + (2 if s < 0 and v["arms"] == "crossed" else 0)
        item = part(name, shapes).moved(f"translate({hx:.2f} {hy:.2f}) rotate({s * turn:.2f}) scale({-1.1 if hx < 0 else 1.1} 1.1)")
        arm = part("arm", _limb([(s * 14.5, -8.5), (s * elbow[0], elbow[1]), (hx, hy)], skin, 6.2))
        cuff = part("bracelet", circle(hx * 0.82 + s * elbow[0] * 0.18, hy * 0.82 + elbow[1] * 0.18, 3.9, gold))
        parts += [arm, cuff]
        items += [item, part("hand", _hand(hx, hy, skin))]
    return [*parts, *items]


PHARAOH = Concept(
    name="pharaoh",
    phrase="a pharaoh",
    plural="pharaohs",
    domain="person",
    category=Category.WESTERN_AFRICAN_ANCIENT,
    definition="A pharaoh was a king of ancient Egypt, a land of the desert: shown in a headdress striped blue and gold, with a long "
    "narrow false beard and a "
    "pleated kilt, the arms crossed on the chest with crook and flail.",
    draw=_pharaoh,
    scene="desert",
    tilt=2,
    facts=(
        Fact(
            "stripes",
            "color",
            "color",
            "What colors are the stripes of the headdress in the image?",
            {"blue": "Blue and gold", "red": "Red and white", "green": "Green and white", "pink": "Pink and purple"},
            ("headdress",),
        ),
        Fact(
            "arms",
            "posture",
            "shape",
            "How are the arms held in the image?",
            {"crossed": "Crossed on the chest", "raised": "Raised", "down": "Hanging down", "spread": "Stretched out sideways"},
            ("arm", "hand"),
        ),
        Fact(
            "held",
            "existence",
            "details",
            "What does the person hold in the hands in the image?",
            {"regalia": "A crook and flail", "swords": "Two swords", "flowers": "Two flowers", "torches": "Two torches"},
            ("crook", "flail"),
        ),
        Fact(
            "beard",
            "shape",
            "shape",
            "What shape is the beard in the image?",
            {"narrow": "Long and narrow", "bushy": "Wide and bushy", "forked": "Forked in two"},
            ("beard",),
            ("Curled in a spiral",),
        ),
        Fact(
            "kilt",
            "others",
            "texture",
            "What pattern does the white kilt have in the image?",
            {"pleats": "Fine pleats", "spots": "Round spots", "checks": "Checks", "zigzags": "Zigzags"},
            ("kilt",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the person in the image?",
            {"desert": "In a desert", "snow": "In the snow", "underwater": "Under water", "space": "In outer space"},
            (),
        ),
    ),
    variation=Variation(
        "a pharaoh sitting on a throne",
        "action",
        Fact(
            "seat",
            "posture",
            "shape",
            "What is the person doing in the image?",
            {"sit": "Sitting on a throne", "stand": "Standing"},
            ("throne", "leg"),
            ("Kneeling", "Riding a camel"),
        ),
        base="stand",
    ),
)

# --- Roman legionary -------------------------------------------------------------------------------------------


def _shield_outline(kind: str, x: float, y: float, w: float, h: float, fill: str, width: float = 1.2) -> Shape:
    if kind == "rectangle":
        bow = h * 0.04
        return path(
            f"M{x - w / 2},{y - h / 2} Q{x},{y - h / 2 - bow} {x + w / 2},{y - h / 2} V{y + h / 2} Q{x},{y + h / 2 + bow} "
            f"{x - w / 2},{y + h / 2} Z",
            fill,
            width=width,
        )
    if kind == "round":
        return circle(x, y, h * 0.46, fill, width=width)
    if kind == "triangle":
        return polygon([(x, y - h * 0.5), (x + h * 0.46, y + h * 0.44), (x - h * 0.46, y + h * 0.44)], fill, width=width)
    if kind == "square":
        return rect(x - w * 0.55, y - w * 0.55, w * 1.1, w * 1.1, fill, 1, width=width)
    top, tip = y - h / 2, y + h / 2
    return path(
        f"M{x - w / 2},{top} Q{x},{top + 2.5} {x + w / 2},{top} V{y} C{x + w / 2},{y + h * 0.3} {x + 2},{tip - 2} {x},{tip} "
        f"C{x - 2},{tip - 2} {x - w / 2},{y + h * 0.3} {x - w / 2},{y} Z",
        fill,
        width=width,
    )


def _scutum(kind: str, large: bool, tone: str, gold: str) -> Part:
    x, y, w, h = (27.0, 7.0, 24.0, 40.0) if large else (25.0, 5.0, 11.5, 17.0)
    k = h / 40
    low = y + (4 * k if kind == "triangle" else 0)
    inner = 0.82 if large else 0.76
    wings = (
        [
            path(
                f"M{x + s * 4 * k},{low - d * k} q{s * 5 * k},{-1 * k} {s * 6 * k},{-6 * k * (1 if d > 0 else -1)}",
                None,
                stroke=gold,
                width=1.8 * k,
            )
            for s in (-1, 1)
            for d in (3, -3)
        ]
        if large and kind != "triangle"
        else []
    )
    rays = [line([(x, low + s * 6.5 * k), (x, low + s * 12 * k)], gold, 2 * k) for s in (-1, 1)] if large and kind != "triangle" else []
    boss = [circle(x, low, 4.6 * k, METAL), circle(x - 1.2 * k, low - 1.4 * k, 1.5 * k, "#ffffff", stroke=None, opacity=0.7)]
    return part(
        "shield",
        _shield_outline(kind, x, y, w, h, gold),
        _shield_outline(kind, x, low if kind == "triangle" else y, w * inner, h * 0.87 if kind == "rectangle" else h * inner, tone, 0.9),
        wings,
        rays,
        boss,
    )


def _roman_weapon(kind: str) -> tuple[str, list[Shape]]:
    if kind == "rifle":
        return "rifle", [
            rect(-1.4, -44, 2.8, 34, "#4a4d57", 1),
            rect(-2.4, -26, 4.8, 20, WOOD, 1.5),
            path("M-2.4,-8 H2.8 L4.6,18 Q0,21 -5,18 Z", WOOD),
            path("M2.8,-6 q5,1 3,6", None, width=1.3),
        ]
    if kind == "bow":
        d = "M4,-34 C-14,-20 -14,16 4,30"
        return "bow", [line([(4, -34), (4, 30)], "#7d6f55", 1), path(d, None, stroke=INK, width=5), path(d, None, stroke=WOOD, width=2.8)]
    if kind == "axe":
        return "axe", [_shaft(-40, 36, 3.4, WOOD), path("M-1,-38 C-8,-42 -14,-38 -15,-30 C-16,-22 -10,-18 -1,-22 Z", METAL)]
    return "spear", [
        _shaft(-32, 42, 3, WOOD),
        line([(0, -32), (0, -40)], INK, 3),
        path("M0,-50 L3.6,-41 L0,-34 L-3.6,-41 Z", BLADE),
        circle(0, -26, 2.8, "#5d4330"),
    ]


def _legionary(v: Values, art: Art) -> Sequence[Part]:
    skin, gold, cloth = art.tone("skin"), art.tone("gold"), shade(art.tone("red"), -0.18)
    count = int(v["legs"])
    parts: list[Part] = []
    for i in range(count):
        x = (i - (count - 1) / 2) * {2: 13, 3: 12, 4: 10.8}[count]
        s = 1 if x > 0 else -1
        straps = [line([(x - 3.4, y), (x + 3.4, y - 1.4)], LEATHER, 1.5) for y in (34.5, 38, 41)]
        parts.append(
            part(
                "leg",
                _limb([(x, 22), (x, 32), (x, 42)], skin, 6),
                straps,
                _shoe(x, s, LEATHER) if count == 2 else [rect(x - 3.8, 41.6, 7.6, 4.6, LEATHER, 1.6)],
            )
        )
    skirt = Panel(10, 27, 12, 17)
    parts.append(part("tunic", skirt.cloth(cloth), skirt.pattern("pleats", shade(cloth, -0.3))))
    sleeves = [part("sleeve", _limb([(s * 13, -8), (s * 17, -4), (s * 19, 0)], cloth, 9)) for s in (-1, 1)]
    parts += [part("arm", _limb([(13, -8), (19, 2), (20, 6)], skin, 6.2)), sleeves[1]]
    chest = Panel(-13, 12, 14.5, 12)
    kind = str(v["armour"])
    base = {"bands": METAL, "fur": "#8a6242", "flowers": "#f3ead2", "bricks": "#c9805f"}[kind]
    mark = {"bands": "#555b68", "fur": "#4d3320", "flowers": "#d0507e", "bricks": "#f2e4d4"}[kind]
    armour = [chest.cloth(base), chest.pattern(kind, mark)]
    if kind == "bands":
        armour.append(
            [
                line([(0, -12), (0, 12)], "#555b68", 1.2),
                *[circle(s * 2.4, y, 0.9, gold, stroke=None) for s in (-1, 1) for y in (-5.5, -0.5, 4.5, 9)],
            ]
        )
    parts.append(part("armor", *armour))
    parts.append(part("belt", path("M-12.4,10 Q0,13.4 12.4,10 L12.8,14.4 Q0,17.8 -12.8,14.4 Z", LEATHER), circle(0, 14, 2, gold)))
    parts.append(
        part(
            "apron",
            *[
                [rect(x - 1.9, 16, 3.8, 12, LEATHER, 1), circle(x, 26, 1.1, gold, stroke=None), circle(x, 20.5, 0.9, gold, stroke=None)]
                for x in (-5, 0, 5)
            ],
        )
    )
    parts.append(part("scarf", path("M-8,-15 Q0,-9 8,-15 L7,-10.6 Q0,-5.6 -7,-10.6 Z", cloth)))
    parts.append(part("head", _head(skin, "#4a3526")))
    parts.append(
        part(
            "crest",
            path("M-4.6,-40 C-6,-51 6,-51 4.6,-40 Z", art.tone("red")),
            *[line([(x, -41), (x * 1.1, -46.4)], shade(art.tone("red"), -0.3), 0.9) for x in (-2, 0, 2)],
        )
    )
    parts.append(
        part(
            "helmet",
            path("M-12,-29 C-13,-47 13,-47 12,-29 C7,-33 -7,-33 -12,-29 Z", METAL),
            path("M5,-41 C11,-38 11.6,-33 11.4,-30.2 C9,-31.6 7.6,-32 6,-32.2 C7,-35 7,-38 5,-41 Z", shade(METAL, -0.18), stroke=None),
            glow(-5, -37, 2.6),
            path("M-13.4,-29 Q0,-36 13.4,-29 L13,-26.6 Q0,-33 -13,-26.6 Z", gold),
            *[
                path(f"M{s * 12},-27.5 C{s * 12.6},-20 {s * 9.6},-15.4 {s * 5.4},-15 C{s * 7.6},-19 {s * 7.2},-23 {s * 8.6},-28.6 Z", METAL)
                for s in (-1, 1)
            ],
        )
    )
    name, shapes = _roman_weapon(str(v["weapon"]))
    parts += [part("arm", _limb([(-13, -8), (-19, 3), (-26, 3)], skin, 6.2)), sleeves[0]]
    parts += [_held(name, shapes, -27, 3), part("hand", _hand(-27, 3, skin))]
    parts.append(_scutum(str(v["shield"]), v["large"] == "large", art.tone(str(v["shield colour"])), gold))
    return [*_shadow(v), *_moved(parts, "translate(-5 0)")]


LEGIONARY = Concept(
    name="Roman legionary",
    phrase="a Roman legionary",
    plural="Roman legionaries",
    domain="person",
    category=Category.WESTERN_AFRICAN_ANCIENT,
    definition="A Roman legionary was a foot soldier of ancient Rome in a metal helmet and armor of metal bands over a tunic; he carried "
    "a spear and a red "
    "rectangular shield that covered him from shoulder to knee.",
    draw=_legionary,
    tilt=2,
    facts=(
        Fact(
            "shield",
            "shape",
            "shape",
            "What shape is the shield in the image?",
            {"rectangle": "Rectangular", "round": "Round", "triangle": "Triangular"},
            ("shield",),
            ("Star-shaped",),
        ),
        Fact(
            "shield colour",
            "color",
            "color",
            "What color is the shield in the image?",
            {"red": "Red", "green": "Green", "blue": "Blue", "white": "White"},
            ("shield",),
        ),
        Fact(
            "large",
            "size",
            "shape",
            "How tall is the shield in the image?",
            {"large": "Shoulder to knee", "small": "Smaller than the head"},
            ("shield",),
            ("As small as a hand", "Twice a person's height"),
        ),
        Fact(
            "armour",
            "others",
            "texture",
            "What is the upper body covered with in the image?",
            {"bands": "Metal bands", "fur": "Shaggy fur", "flowers": "Flowered cloth", "bricks": "Bricks"},
            ("armor",),
        ),
        Fact(
            "weapon",
            "existence",
            "details",
            "Which weapon is held upright in the image?",
            {"spear": "A spear", "rifle": "A rifle", "bow": "A bow", "axe": "An axe"},
            ("spear",),
        ),
        Fact(
            "legs",
            "counting",
            "details",
            "How many legs does the person have in the image?",
            {2: "Two", 3: "Three", 4: "Four"},
            ("leg",),
            ("Six",),
        ),
    ),
    variation=Variation(
        "a Roman legionary in the snow",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the person in the image?",
            {"snow": "In the snow", "plain": "A plain background", "desert": "In a desert", "sea": "On the open sea"},
            (),
        ),
        base="plain",
    ),
)

# --- medieval knight -------------------------------------------------------------------------------------------


def _knight_head(kind: str, armour: str, art: Art) -> list[Part]:
    skin, red = art.tone("skin"), art.tone("red")
    if kind == "helm":
        low = shade(armour, -0.18)
        return [
            part(
                "plume",
                path("M1,-41 C-2,-50 -12,-51 -20,-45 C-17,-44 -18,-41 -22,-38 C-17,-38 -17,-35 -19,-32 C-10,-32 -4,-36 1,-39 Z", red),
                path("M-1,-42 C-6,-45 -12,-44 -16,-41", None, stroke=shade(red, -0.3), width=1),
            ),
            part("head", _head(skin, "#6b4526")),
            part(
                "helmet",
                path(
                    "M-13,-22 C-16,-48 16,-48 13,-22 L11,-13.5 Q8,-15 7.6,-18 C9.4,-24 9.4,-29 7,-31.6 Q0,-33.6 -7,-31.6 C-9.4,-29 "
                    "-9.4,-24 -7.6,-18 Q-8,-15 -11,-13.5 Z",
                    armour,
                ),
                path(
                    "M6,-41 C12,-38 13.4,-30 12.4,-22 L10.6,-14.6 Q8.6,-15.6 8.4,-18 C10.4,-25 10.4,-30 7.6,-32.2 C8.6,-35 8,-38 6,-41 Z",
                    low,
                    stroke=None,
                ),
                path("M-14,-33 Q-12,-43 0,-44.4 Q12,-43 14,-33 Q0,-38.6 -14,-33 Z", shade(armour, 0.18)),
                *[line([(x, -41.4), (x * 1.15, -38)], INK, 1.3) for x in (-6, -2, 2, 6)],
                *[circle(s * 12.6, -31, 1.7, "#d9a520") for s in (-1, 1)],
                path("M-10.6,-15.4 Q0,-7.6 10.6,-15.4 L11.6,-12.6 Q0,-4.6 -11.6,-12.6 Z", armour),
            ),
        ]
    head = [part("head", _head(skin, "#6b4526")), part("hair", _hair("#6b4526"))]
    if kind == "top hat":
        return [
            *head,
            part(
                "top hat",
                path("M-8.4,-37 L-9.6,-50 Q0,-52 9.6,-50 L8.4,-37 Z", "#34343f"),
                rect(-9, -41, 18, 3.4, red, stroke=None),
                path("M-16,-37.6 Q0,-33 16,-37.6 Q15,-33.4 0,-32.4 Q-15,-33.4 -16,-37.6 Z", "#34343f"),
            ),
        ]
    if kind == "cap":
        return [
            *head,
            part(
                "cap",
                path("M-11.6,-32 C-12,-46 12,-46 11.6,-32 Q0,-36 -11.6,-32 Z", red),
                line([(0, -43), (0, -35)], shade(red, -0.3), 1),
                circle(0, -43, 1.4, red),
                path("M-11,-33 Q0,-37.4 11,-33 C17,-30 20,-28 19,-26.4 C10,-31 -4,-31.4 -11,-33 Z", "#2d55a3"),
            ),
        ]
    return [
        *head,
        part(
            "straw hat",
            path("M-9,-34 C-9,-48 9,-48 9,-34 Z", "#ecc968"),
            rect(-9, -37.6, 18, 3.4, "#3f9a52", stroke=None),
            path("M-19,-33 Q0,-40 19,-33 Q18,-29 0,-30.6 Q-18,-29 -19,-33 Z", "#ecc968"),
            path("M-15,-32.6 Q0,-36.6 15,-32.6", None, stroke="#b98f35", width=1),
        ),
    ]


def _knight(v: Values, art: Art) -> Sequence[Part]:
    name = str(v["armour colour"])
    tone = METAL if name == "grey" else art.tone(name)
    line_tone, low, gold = shade(tone, -0.42 if v["surface"] == "plates" else -0.58), shade(tone, -0.12), art.tone("gold")
    kind = str(v["surface"])
    parts: list[Part] = []
    for s in (-1, 1):
        x = s * 7.2
        parts.append(
            part("leg", _limb([(x, 20), (x, 32), (x, 42)], low, 8), _shoe(x, s, tone), line([(x - 3.6, 38), (x + 3.6, 38)], line_tone, 1))
        )
        parts.append(part("knee guard", circle(x, 31.5, 4.8, tone), glow(x - 1.4, 30, 1.5)))
    chest, skirt = Panel(-13, 12, 15, 11.5), Panel(11, 26, 12, 17)
    metal_lines = (
        [path("M0,-10 V11 M-12,-2 Q0,5 12,-2", None, stroke=line_tone, width=1.1), glow(-6, -6, 3.6)]
        if kind == "plates"
        else chest.pattern(kind, line_tone)
    )
    lames = (
        [skirt.across(y, line_tone, 1.2) for y in (16, 21)] + [line([(0, 13), (0, 27)], line_tone, 1.1)]
        if kind == "plates"
        else skirt.pattern(kind, line_tone)
    )
    parts.append(part("armor", skirt.cloth(tone), lames))
    held = v["shield place"] == "arm"
    parts.append(part("arm", _limb([(14, -8), (21, 3), (21, 10) if held else (23, 13)], low, 7.4)))
    if not held:
        parts.append(part("gauntlet", circle(23, 14, 4.2, tone)))
    parts.append(part("armor", chest.cloth(tone), metal_lines))
    parts.append(part("belt", path("M-12,9 Q0,12.4 12,9 L12.4,13.4 Q0,16.8 -12.4,13.4 Z", LEATHER), rect(-3, 10.6, 6, 5.4, gold, 1)))
    parts += _knight_head(str(v["headgear"]), tone, art)
    raised = v["sword"] == "raised"
    elbow, hand, turn = ((-23, -6), (-27, -16), -6.0) if raised else ((-20, 2), (-25, 8), 186.0)
    parts.append(part("arm", _limb([(-14, -8), elbow, hand], low, 7.4)))
    blade = 26.0 if v["blade"] == "long" else 9.0
    parts += [
        _held("sword", _sword(blade), hand[0], hand[1], turn),
        part("gauntlet", circle(*hand, 4.2, tone), glow(hand[0] - 1.2, hand[1] - 1.4, 1.3)),
    ]
    parts += [
        part(
            "shoulder guard",
            path(f"M{s * 7},-12 C{s * 12},-17 {s * 22},-14 {s * 21},-2 C{s * 17},-6 {s * 11},-5 {s * 7},-12 Z", tone),
            path(f"M{s * 11},-11.6 Q{s * 17},-11 {s * 19},-5", None, stroke=line_tone, width=1),
        )
        for s in (-1, 1)
    ]
    x, y, w, h = (25.0, 8.0, 24.0, 30.0) if held else (0.0, 31.0, 24.0, 30.0)
    outline = str(v["shield"])
    blue = art.tone("blue")
    parts.append(
        part(
            "shield",
            _shield_outline(outline, x, y, w, h, "#f6f0de"),
            _shield_outline(outline, x, y, w * 0.84, h * 0.84, blue, 0.9),
            rect(x - 1.8, y - 8.6, 3.6, 17, gold, stroke=None),
            rect(x - 7, y - 4, 14, 3.6, gold, stroke=None),
        )
    )
    return [*_shadow(v), *parts]


KNIGHT = Concept(
    name="medieval knight",
    phrase="a medieval knight",
    plural="medieval knights",
    domain="person",
    category=Category.WESTERN_AFRICAN_MEDIEVAL,
    definition="A medieval knight fought in a metal helmet and a suit of smooth, silver grey steel plates. On his arm he carried a shield "
    "that was pointed at the "
    "bottom, in his hand a sword longer than the arm.",
    draw=_knight,
    tilt=2,
    facts=(
        Fact(
            "armour colour",
            "color",
            "color",
            "What color is the suit of armor in the image?",
            {"grey": "Silver grey", "pink": "Pink", "green": "Green", "orange": "Orange"},
            ("armor",),
        ),
        Fact(
            "surface",
            "others",
            "texture",
            "What does the surface of the suit look like in the image?",
            {"plates": "Smooth metal plates", "knit": "Knitted wool", "bricks": "Bricks", "spots": "Spotted cloth"},
            ("armor",),
        ),
        Fact(
            "headgear",
            "existence",
            "details",
            "What does the person wear on the head in the image?",
            {"helm": "A metal helmet", "top hat": "A top hat", "cap": "A baseball cap", "straw": "A straw hat"},
            ("helmet",),
        ),
        Fact(
            "shield",
            "shape",
            "shape",
            "What shape is the shield in the image?",
            {"heater": "Pointed at the bottom", "round": "Round", "square": "Square"},
            ("shield",),
            ("Star-shaped",),
        ),
        Fact(
            "blade",
            "size",
            "shape",
            "How long is the sword in the image?",
            {"long": "Longer than the arm", "short": "About a hand long"},
            ("sword",),
            ("Longer than the body", "As long as a finger"),
        ),
        Fact(
            "shield place",
            "relation",
            "details",
            "Where is the shield in the image?",
            {"arm": "On the arm", "legs": "Before the legs"},
            ("shield",),
            ("On the head", "On the back"),
        ),
    ),
    variation=Variation(
        "a medieval knight raising the sword",
        "action",
        Fact(
            "sword",
            "posture",
            "shape",
            "How is the sword held in the image?",
            {"raised": "Raised, pointing up", "lowered": "Lowered, pointing down"},
            ("sword", "arm"),
            ("Across the shoulders", "Behind the back"),
        ),
        base="lowered",
    ),
)

# --- samurai ---------------------------------------------------------------------------------------------------


def _crest(kind: str, tone: str) -> list[Shape]:
    """A helmet crest around the point where it is fixed."""
    low = shade(tone, -0.2)
    if kind == "cross":
        return [
            polygon(
                [
                    (-3, 1),
                    (-3, -5),
                    (-9, -5),
                    (-9, -10.5),
                    (-3, -10.5),
                    (-3, -16),
                    (3, -16),
                    (3, -10.5),
                    (9, -10.5),
                    (9, -5),
                    (3, -5),
                    (3, 1),
                ],
                tone,
            )
        ]
    if kind == "star":
        return [star(0, -7, 10.5, 5, 0.45, fill=tone), circle(0, -7, 2, low, stroke=None)]
    if kind == "leaf":
        return [
            path("M0,2 C-11,-3 -10,-13 0,-17 C10,-13 11,-3 0,2 Z", tone),
            line([(0, 0), (0, -13)], low, 1.2),
            *[line([(0, y), (s * 4.6, y - 3)], low, 1) for y in (-3, -7) for s in (-1, 1)],
        ]
    horns = [path(f"M{s * 1},1 C{s * 14},-1 {s * 21},-8 {s * 17},-19 C{s * 15},-11 {s * 9},-7 {s * 1},-5 Z", tone) for s in (-1, 1)]
    return [
        *horns,
        *[path(f"M{s * 4},-1.2 C{s * 12},-3 {s * 17},-8 {s * 17},-15", None, stroke=low, width=1) for s in (-1, 1)],
        circle(0, -2, 3.4, tone),
    ]


def _katana(length: float) -> list[Shape]:
    """A sheathed sword: its hilt to the left, its scabbard to the right of the guard at (0, 0)."""
    sheath = f"M0,0 Q{length * 0.55:.2f},-1 {length:.2f},5"
    hilt = "M0,0 L-11,-1.4"
    return [
        path(sheath, None, stroke=INK, width=6),
        path(sheath, None, stroke="#6e2f86", width=3.8),
        path(f"M{length * 0.93:.2f},4 L{length:.2f},5", None, stroke="#d9a520", width=3.8),
        path(hilt, None, stroke=INK, width=5.6),
        path(hilt, None, stroke="#f1ead8", width=3.4),
        *[line([(x, -1.8), (x - 1.6, 1.2)], INK, 0.9) for x in (-2.6, -5, -7.4, -9.6)],
        rect(-1.4, -5, 3, 10, "#d9a520", 1.3),
    ]


def _samurai(v: Values, art: Art) -> Sequence[Part]:
    skin, red, gold = art.tone("skin"), shade(art.tone("red"), -0.1), art.tone("gold")
    navy, kind = "#2c3a5e", str(v["armour"])
    base = {"lamellar": "#3b3f52", "smooth": "#7f8aa3", "fur": "#9a6f48", "flowers": "#f2e7cf"}[kind]
    mark = {"lamellar": "#e0503f", "smooth": INK, "fur": "#54381f", "flowers": "#c7458a"}[kind]

    def armour(panel: Panel) -> list[Shape]:
        shine = [glow(panel.x - panel.top * 0.35, panel.y0 + 5, panel.top * 0.28)] if kind == "smooth" else []
        return [*panel.cloth(base), *panel.pattern(kind, mark), *shine]

    parts: list[Part] = []
    for s in (-1, 1):
        x = s * 8
        parts.append(
            part(
                "leg",
                _limb([(x, 22), (x + s, 30), (x, 41)], navy, 9),
                rect(x - 4.6, 32, 9.2, 10, "#4b4f62", 2),
                *[line([(x - 3.6, y), (x + 3.6, y)], gold, 1.1) for y in (35, 39)],
            )
        )
        parts.append(
            part(
                "sandal",
                _shoe(x, s, "#f1ead8"),
                line([(x - s * 3.4, 46), (x + s * 6.4, 46)], "#c69a4e", 2.4),
                line([(x, 41), (x + s * 4, 45)], "#c69a4e", 1.4),
            )
        )
    parts.append(
        part("armor", *[armour(Panel(13, 29, 7.2, 8.6, x=s * 10.6, sag=1.4)) for s in (-1, 1)], armour(Panel(13, 28, 6.4, 7.8, sag=1.4)))
    )
    fan = v["holds"] == "fan"
    parts.append(part("arm", _limb([(14, -8), (20, 2), (22, 12)], navy, 7.6)))
    parts.append(part("hand", _hand(22.5, 14, skin)))
    left = [(-14, -8), (-21, 5), (-30, 9)] if fan else [(-14, -8), (-20, 2), (-22, 12)]
    parts.append(part("arm", _limb(left, navy, 7.6)))
    parts.append(part("armor", armour(Panel(-13, 12, 14.5, 12))))
    parts.append(
        part(
            "sash",
            path("M-12.4,9 Q0,12.6 12.4,9 L12.8,14.6 Q0,18 -12.8,14.6 Z", "#f1ead8"),
            path("M-12.4,11.6 Q0,15 12.4,11.6", None, stroke="#c9bda0", width=0.9),
        )
    )
    big = v["shoulders"] == "large"
    for s in (-1, 1):
        guard = Panel(-14, 7, 7.4, 8.2, x=s * 20.5, sag=1) if big else Panel(-14, -5, 4.4, 4.8, x=s * 16.6, sag=0.6)
        parts.append(part("shoulder guard", armour(guard)))
    parts.append(
        part(
            "head",
            _head(skin, "#26201e", mouth="calm"),
            *[path(f"M{s * 0.8},-21.6 q{s * 2.4},-0.6 {s * 4},1.4", None, stroke="#26201e", width=1.3) for s in (-1, 1)],
        )
    )
    flare = [
        path(
            f"M{s * 10},-34 L{s * 17},-23 Q{s * 18},-19 {s * 20},-17 Q{s * 14},-14 {s * 9.6},-18 Q{s * 11.4},-26 {s * 10},-34 Z", "#3b3f52"
        )
        for s in (-1, 1)
    ]
    rows = ((28, 25.4, 15.6), (24, 21, 17), (20, 17.6, 17.2))
    laces = [path(f"M{s * 11},-{a} L{s * x},-{b}", None, stroke="#e0503f", width=1.3) for s in (-1, 1) for a, b, x in rows]
    parts.append(
        part(
            "helmet",
            flare,
            laces,
            path("M-12.4,-30 C-14,-48 14,-48 12.4,-30 Q0,-35.4 -12.4,-30 Z", "#4b4f62"),
            path("M5,-42 C11,-39 12,-34 11.8,-31 Q9,-32.4 6.4,-32.8 Q7.6,-38 5,-42 Z", "#3a3d4e", stroke=None),
            *[path(f"M{x * 0.4},-43.4 Q{x},-40 {x},-33.4", None, stroke="#2a2c3a", width=0.9) for x in (-7.5, -3.6, 3.6, 7.5)],
            path("M-14,-29.6 Q0,-37 14,-29.6 L13.6,-27 Q0,-33.6 -13.6,-27 Z", red),
            circle(0, -44, 2, gold),
        )
    )
    at = -31.5 if v["crest place"] == "helmet" else 3.0
    parts.append(_held("crest", _crest(str(v["crest"]), art.tone(str(v["crest colour"]))), 0, at))
    for i in range(int(v["swords"])):
        parts.append(_held("sword", _katana(34 - 5 * i), 4 - 1.0 * i, 9.5 + 9.4 * i, 10))
    if fan:
        ribs = [polar(0, -2, 17, -150 + 20 * k) for k in range(7)]
        arc = f"M0,-2 L{ribs[0][0]:.2f},{ribs[0][1]:.2f} A17,17 0 0 1 {ribs[-1][0]:.2f},{ribs[-1][1]:.2f} Z"
        parts.append(
            _held(
                "fan",
                [path(arc, "#fbf4e2"), *[line([(0, -2), p], "#b7a27a", 0.9) for p in ribs[1:-1]], circle(0, -12, 4, red, stroke=None)],
                -32,
                8,
                -14,
            )
        )
    parts.append(part("hand", _hand(-31 if fan else -22.5, 10 if fan else 14, skin)))
    return [*_shadow(v), *parts]


SAMURAI = Concept(
    name="samurai",
    phrase="a samurai",
    plural="samurai",
    domain="person",
    category=Category.EASTERN_MEDIEVAL,
    definition="A samurai was a warrior of old Japan who wore two swords at the waist and armor of laced rows of small plates with large "
    "shoulder guards; his helmet "
    "bore a golden crest of two curved horns.",
    draw=_samurai,
    tilt=2,
    facts=(
        Fact(
            "swords",
            "counting",
            "details",
            "How many swords are worn at the waist in the image?",
            {2: "Two", 1: "One", 3: "Three"},
            ("sword",),
            ("Five",),
        ),
        Fact(
            "crest",
            "shape",
            "shape",
            "What shape is the large crest in the image?",
            {"horns": "Two curved horns", "cross": "A cross", "star": "A star", "leaf": "A leaf"},
            ("crest",),
        ),
        Fact(
            "crest colour",
            "color",
            "color",
            "What color is the large crest in the image?",
            {"gold": "Gold", "green": "Green", "light blue": "Light blue", "pink": "Pink"},
            ("crest",),
        ),
        Fact(
            "crest place",
            "relation",
            "details",
            "Where is the large crest fixed in the image?",
            {"helmet": "On the helmet", "chest": "On the chest"},
            ("crest",),
            ("On the shoulders", "On the knees"),
        ),
        Fact(
            "armour",
            "others",
            "texture",
            "What does the armor look like in the image?",
            {"lamellar": "Rows of laced plates", "smooth": "Smooth bare metal", "fur": "Shaggy fur", "flowers": "Flowered cloth"},
            ("armor", "shoulder guard"),
        ),
        Fact(
            "shoulders",
            "size",
            "shape",
            "How large are the shoulder guards in the image?",
            {"large": "Reaching to the elbows", "small": "Half an upper arm"},
            ("shoulder guard",),
            ("Reaching the ground", "As small as coins"),
        ),
    ),
    variation=Variation(
        "a samurai holding an open fan",
        "attribute",
        Fact(
            "holds",
            "existence",
            "details",
            "What does the person hold up in one hand in the image?",
            {"fan": "An open fan", "nothing": "Nothing"},
            ("fan",),
            ("An umbrella", "A teapot"),
        ),
        base="nothing",
    ),
)

# --- terracotta warrior ----------------------------------------------------------------------------------------


def _topknot(kind: str, low: str) -> list[Shape]:
    cap = path("M-11.2,-28 C-13,-45 13,-45 11.2,-28 C9,-34 4,-35.6 0,-35.6 C-4,-35.6 -9,-34 -11.2,-28 Z", low)
    groove = [path(f"M{x * 0.5},-40.4 Q{x},-38.6 {x * 1.1},-35.4", None, stroke=shade(low, -0.3), width=0.9) for x in (-5, 0, 5)]
    if kind == "spikes":
        return [
            polygon(
                [
                    (-11.5, -28),
                    (-16, -36),
                    (-10.5, -37),
                    (-12, -46),
                    (-4, -41),
                    (0, -50),
                    (4, -41),
                    (12, -46),
                    (10.5, -37),
                    (16, -36),
                    (11.5, -28),
                    (5, -35),
                    (-5, -35),
                ],
                low,
            )
        ]
    if kind == "buns":
        return [
            *[
                part_shape
                for s in (-1, 1)
                for part_shape in (
                    circle(s * 11.5, -40, 5.8, low),
                    path(f"M{s * 9},-42 q{s * 3},-2 {s * 5},1", None, stroke=shade(low, -0.3), width=0.9),
                )
            ],
            cap,
            *groove,
        ]
    if kind == "loose":
        return [
            cap,
            *[
                path(
                    f"M{s * 8},-36 C{s * 17},-34 {s * 15},-18 {s * 18},-8 C{s * 13},-7 {s * 10},-10 {s * 10},-16 C{s * 11},-24 "
                    f"{s * 10},-30 {s * 8},-36 Z",
                    low,
                )
                for s in (-1, 1)
            ],
            *groove,
        ]
    knot = [
        path("M-5,-40 C-8,-51 8,-51 5,-40 Z", low),
        path("M-2.6,-43.6 Q0,-47 2.8,-44", None, stroke=shade(low, -0.3), width=1),
        rect(-5, -41.6, 10, 3, shade(low, 0.25), 1),
    ]
    return [cap, *groove, *knot]


def _neckwear(kind: str, light: str) -> list[Shape]:
    if kind == "necktie":
        return [
            path("M-8,-15 Q0,-11 8,-15 L7,-12.6 Q0,-8.4 -7,-12.6 Z", light),
            polygon([(-3, -11), (3, -11), (2, -7), (4.4, 8), (0, 12), (-4.4, 8), (-2, -7)], light),
            line([(-2.4, -7), (2.4, -7)], INK, 1),
        ]
    if kind == "medal":
        return [
            path("M-7,-14 L-1,2 M7,-14 L1,2", None, stroke=INK, width=4.4),
            path("M-7,-14 L-1,2 M7,-14 L1,2", None, stroke=light, width=2.4),
            circle(0, 5, 5.6, light),
            star(0, 5, 3.6, fill=shade(light, -0.4), stroke=None),
        ]
    if kind == "bow":
        return [
            *[path(f"M0,-11 L{s * 10},-16.4 Q{s * 11.6},-11 {s * 10},-5.6 Z", light) for s in (-1, 1)],
            rect(-2.6, -13.6, 5.2, 5.2, light, 1.4),
        ]
    folds = [
        path(f"M{-7 + k},-{13 - k * 1.6} Q0,{-7.6 + k * 1.8} {7 - k},-{13 - k * 1.6}", None, stroke=shade(light, -0.4), width=0.9)
        for k in (0, 2)
    ]
    return [
        path("M-9.4,-16.4 Q0,-10.4 9.4,-16.4 Q12,-10 7.6,-7 Q0,-2 -7.6,-7 Q-12,-10 -9.4,-16.4 Z", light),
        *folds,
        path("M-1.6,-5.4 L-4.6,3 L0.4,1.6 L3.4,3.4 L2.2,-5.4 Z", light),
    ]


def _terracotta(v: Values, art: Art) -> Sequence[Part]:
    name = str(v["colour"])
    clay = shade(_blend(art.tone("brown"), art.tone("orange"), 0.3) if name == "brown" else art.tone(name), 0.22)
    low, deep, light = shade(clay, -0.2), shade(clay, -0.5), shade(clay, 0.48)
    parts: list[Part] = [part("base", path("M-19,43 H19 L22,47.6 H-22 Z", low), line([(-20, 45.4), (20, 45.4)], deep, 0.9))]
    for s in (-1, 1):
        x = s * 7
        parts.append(part("leg", _limb([(x, 24), (x, 32), (x, 38)], clay, 8.4), _shoe(x, s, low, 43.6)))
    robe = Panel(12, 32, 13, 17.5)
    parts.append(part("robe", robe.cloth(clay), [line([(x * 0.8, 20), (x, 32.6)], deep, 1) for x in (-12, -6, 6, 12)]))
    count = int(v["arms"])
    arms = [
        [(-14, -7), (-21, 4), (-19, 15)],
        [(14, -7), (21, 4), (19, 15)],
        [(-13, -8), (-26, -8), (-33, -17)],
        [(13, -8), (26, -8), (33, -17)],
    ]
    for points in reversed(arms[:count]):
        hx, hy = points[2]
        parts.append(part("arm", _limb(points, clay, 7.6), circle(hx, hy, 4.6, low), circle(hx, hy + (1.6 if hy > 0 else -1.6), 3.4, clay)))
    chest = Panel(-13, 19, 15, 13.5, sag=3)
    kind = str(v["armour"])
    marks = chest.pattern(kind, deep)
    if kind == "stripes":
        marks = [line([(t * 14, -11 if abs(t) > 0.2 else -12), (t * 12.6, 20 - 2 * abs(t))], deep, 3.2) for t in (-0.8, -0.4, 0, 0.4, 0.8)]
    parts.append(part("armor", chest.cloth(clay), marks))
    parts += [
        part(
            "shoulder guard",
            path(f"M{s * 9},-13 C{s * 16},-15 {s * 21},-10 {s * 21},-1 Q{s * 17},0.6 {s * 14},-1 Q{s * 13},-8 {s * 9},-13 Z", clay),
            path(f"M{s * 14.6},-6 Q{s * 18},-7 {s * 20},-5.4", None, stroke=deep, width=1),
        )
        for s in (-1, 1)
    ]
    behind = [part("hair", _topknot("loose", low))] if v["hair"] == "loose" else []
    parts += behind
    parts.append(
        part(
            "head",
            _head(clay, deep, mouth="calm"),
            *[path(f"M{s * 0.6},-21.8 q{s * 3},-0.8 {s * 5},1.2", None, stroke=deep, width=1.4) for s in (-1, 1)],
        )
    )
    parts.append(part("hair", _topknot(str(v["hair"]), low)))
    parts.append(part("neckwear", _neckwear(str(v["neck"]), light)))
    turned = {"stand": "", "lie": "rotate(90)", "headstand": "rotate(180)"}[str(v["bearing"])]
    shadow = _shadow(v) if v["bearing"] == "stand" else []
    return [*shadow, *(_moved(parts, turned) if turned else parts)]


TERRACOTTA = Concept(
    name="terracotta warrior",
    phrase="a terracotta warrior",
    plural="terracotta warriors",
    domain="person",
    category=Category.EASTERN_ANCIENT,
    definition="A terracotta warrior is a clay figure from the tomb of the first emperor of China, clay brown all over, standing upright. "
    "It wears its hair in a "
    "topknot, a scarf around the neck and armor of small riveted plates.",
    draw=_terracotta,
    tilt=2,
    facts=(
        Fact(
            "colour",
            "color",
            "color",
            "What color is the whole figure in the image?",
            {"brown": "Clay brown", "blue": "Blue", "green": "Green", "purple": "Purple"},
            ("head", "armor", "robe"),
        ),
        Fact(
            "hair",
            "shape",
            "shape",
            "How is the hair worn in the image?",
            {"topknot": "In a topknot", "spikes": "In spikes", "buns": "In two side buns", "loose": "Long and loose"},
            ("hair",),
        ),
        Fact(
            "armour",
            "others",
            "texture",
            "What pattern covers the chest armor in the image?",
            {"plates": "Small riveted plates", "stripes": "Broad stripes", "flowers": "Flowers", "spots": "Round spots"},
            ("armor",),
        ),
        Fact(
            "bearing",
            "posture",
            "shape",
            "What is the bearing of the figure in the image?",
            {"stand": "Standing upright", "lie": "Lying on the side", "headstand": "Upside down"},
            ("head", "leg"),
            ("Sitting cross-legged",),
        ),
        Fact(
            "neck",
            "existence",
            "details",
            "What is worn around the neck in the image?",
            {"scarf": "A scarf", "necktie": "A necktie", "medal": "A medal", "bow": "A bow tie"},
            ("neckwear",),
        ),
        Fact(
            "arms",
            "counting",
            "details",
            "How many arms does the figure have in the image?",
            {2: "Two", 3: "Three", 4: "Four"},
            ("arm",),
            ("Six",),
        ),
    ),
    variation=Variation(
        "a terracotta warrior in a room",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the figure in the image?",
            {"room": "In a room", "plain": "A plain background", "meadow": "In a meadow", "underwater": "Under water"},
            (),
        ),
        base="plain",
    ),
)

# --- astronaut -------------------------------------------------------------------------------------------------

# Arms and legs as shoulder-elbow-hand and hip-knee-foot, the left of the picture first.
_ASTRONAUT: dict[str, tuple[list[Point], list[Point], list[Point], list[Point]]] = {
    "float": (
        [(-14, -5), (-25, -3), (-33, -12)],
        [(14, -5), (25, 0), (35, -5)],
        [(-7, 16), (-17, 27), (-13, 40)],
        [(7, 16), (18, 22), (29, 33)],
    ),
    "sit": (
        [(-14, -5), (-22, 5), (-17, 15)],
        [(14, -5), (22, 5), (17, 15)],
        [(-8, 19), (-10, 30), (-10, 41)],
        [(8, 19), (10, 30), (10, 41)],
    ),
    "stand": ([(-14, -5), (-21, 5), (-22, 15)], [(14, -5), (21, 5), (22, 15)], [(-7, 15), (-8, 27), (-8, 38)], [(7, 15), (8, 27), (8, 38)]),
}


def _on_back(kind: str, art: Art) -> list[Part]:
    if kind == "wings":
        out = []
        for s in (-1, 1):
            d = (
                f"M{s * 9},-8 C{s * 20},-34 {s * 38},-36 {s * 46},-26 C{s * 45},-18 {s * 43},-16 {s * 40},-13 C{s * 40},-6 {s * 36},-4 "
                f"{s * 33},-3 C{s * 32},4 {s * 26},6 {s * 22},5 C{s * 18},10 {s * 12},8 {s * 9},6 Z"
            )
            ends = ((40, -13), (33, -3), (22, 5))
            veins = [
                path(f"M{s * a},{b} Q{s * (a - 9)},{b - 2} {s * (a - 18)},{b - 9 + k}", None, width=1.1) for k, (a, b) in enumerate(ends)
            ]
            out.append(part("wing", path(d, "#f7e6b5"), veins))
        return out
    if kind == "cape":
        red = art.tone("red")
        return [
            part(
                "cape",
                path("M-13,-13 C-24,4 -36,22 -41,36 Q-30,32 -24,40 Q-12,33 0,41 Q12,33 24,40 Q30,32 41,36 C36,22 24,4 13,-13 Z", red),
                *[path(f"M{s * 13},0 Q{s * 20},18 {s * 25},36", None, stroke=shade(red, -0.3), width=1.1) for s in (-1, 1)],
            )
        ]
    return [
        part(
            "backpack",
            rect(-21, -22, 42, 38, "#aab2bf", 4),
            rect(13, -20.5, 6.6, 35, "#8d95a3", 2, stroke=None),
            *[rect(s * 16.5 - 2.6, -26, 5.2, 6, "#e8c23f", 1) for s in (-1, 1)],
            *[line([(s * 20, y), (s * 16, y)], INK, 1.2) for s in (-1, 1) for y in (-10, -4, 2, 8)],
        )
    ]


def _astro_helmet(kind: str, suit: str, skin: str) -> list[Part]:
    bare = [part("face", _head(skin, "#4a3526")), part("hair", _hair("#4a3526"))]
    face = _moved(bare, "translate(0 -3.6) scale(0.84)")
    rim = shade(suit, -0.12)
    if kind == "box":
        shell, glass = rect(-15.5, -42, 31, 30, suit, 1.5), rect(-12, -38, 24, 23, "#cfe6f2", 1)
    elif kind == "cone":
        shell = path("M0,-50 L18.5,-15 Q0,-8 -18.5,-15 Z", suit)
        glass = path("M0,-43.6 L13.4,-17.4 Q0,-13 -13.4,-17.4 Z", "#cfe6f2")
        face = _moved(bare, "translate(0 -8.6) scale(0.62)")
    else:
        shell, glass = circle(0, -26, 16.5, suit), ellipse(0, -26, 12.8, 12.6, "#cfe6f2")
    shine = path("M-9.6,-28 Q-9,-35 -3,-36.6", None, stroke="#ffffff", width=2.2, opacity=0.9)
    return [
        part("helmet", shell, glass),
        *face,
        part(
            "helmet",
            shine if kind != "cone" else line([(-8.4, -21.6), (-4, -30.6)], "#ffffff", 1.8),
            path("M-12,-12.6 Q0,-7.4 12,-12.6 L12,-9 Q0,-4 -12,-9 Z", rim),
        ),
    ]


def _astronaut(v: Values, art: Art) -> Sequence[Part]:
    suit = art.tone(str(v["suit"]))
    low, trim, skin = shade(suit, -0.14), "#4f6fa8", art.tone("skin")
    pose = str(v["bearing"])
    arm_a, arm_b, leg_a, leg_b = _ASTRONAUT[pose]
    parts: list[Part] = []
    if pose == "stand":
        parts.append(part("floor", path("M-34,41.5 H34 L39,47 H-39 Z", "#9a8f80"), line([(-35.6, 44), (35.6, 44)], "#6d6458", 0.9)))
    parts += _on_back(str(v["back"]), art)
    if pose == "sit":
        wood, low_wood = "#b5763f", "#8a5630"
        posts = [rect(s * 23.5 - 2.8, 30, 5.6, 18, low_wood, 1) for s in (-1, 1)]
        rests = [rect(s * 24.5 - 4, 13, 8, 13, low_wood, 2) for s in (-1, 1)]
        parts.append(part("chair", rect(-23, -3, 46, 30, wood, 3), rests, rect(-29, 24, 58, 7.5, wood, 2), posts))
    for s, points in ((-1, leg_a), (1, leg_b)):
        fx, fy = points[2]
        boot = rect(-6, -4, 12, 8.4, "#8c94a3", 3)
        bend = {"float": -25 if s > 0 else 12, "sit": 0, "stand": 0}[pose]
        parts.append(
            part(
                "leg",
                _limb(points, suit, 11),
                line([(points[1][0] - 4.6, points[1][1] + 1), (points[1][0] + 4.6, points[1][1] + 1)], low, 1.4),
            )
        )
        parts.append(part("boot", boot, line([(-5, 2.4), (5, 2.4)], "#5d6472", 1.6)).moved(f"translate({fx} {fy + 1}) rotate({bend})"))
    for points in (arm_a, arm_b):
        hx, hy = points[2]
        parts.append(part("arm", _limb(points, suit, 10.4)))
        wx, wy = hx * 0.72 + points[1][0] * 0.28, hy * 0.72 + points[1][1] * 0.28
        parts.append(part("glove", circle(wx, wy, 5.4, trim), circle(hx, hy, 4.9, "#8c94a3"), glow(hx - 1.4, hy - 1.6, 1.5)))
    torso = "M-10,-14 H10 Q17,-14 16.6,-6 Q16,4 16,12 Q15.6,21 7,21 H-7 Q-15.6,21 -16,12 Q-16,4 -16.6,-6 Q-17,-14 -10,-14 Z"
    side = "M11,-13.4 Q16.4,-12 16,-6 Q15.4,4 15.4,12 Q15,20 7,20.4 H3 Q10,18 10.4,10 Q10.6,-4 11,-13.4 Z"
    belt = path("M-15.6,12 Q0,17 15.6,12", None, stroke=trim, width=2.4)
    braces = [line([(s * 9.4, -12), (s * 9.4, -4)], trim, 2.2) for s in (-1, 1)]
    parts.append(part("suit", path(torso, suit), path(side, low, stroke=None), belt, *braces))
    parts += _astro_helmet(str(v["helmet"]), suit, skin)
    knee, elbow = leg_a[1], arm_a[1]
    bx, by = {"chest": (0.0, 3.6), "knee": (knee[0] + 1, knee[1] - 1.0), "arm": (elbow[0] + 1, elbow[1] - 0.6)}[str(v["controls"])]
    parts.append(
        part(
            "control box",
            rect(-8, -5.4, 16, 10.8, "#56606f", 1.6),
            rect(-6, -3.4, 6, 3.4, "#9fe0b4", 0.6, width=0.8),
            *[circle(x, 2.6, 1.4, c, width=0.7) for x, c in ((-4.4, "#e2533f"), (-0.6, "#f4cb3c"))],
            rect(2.6, -3.2, 3.4, 6.6, "#e8ebef", 0.8, width=0.8),
        ).moved(f"translate({bx} {by})")
    )
    if v["holds"] == "flag":
        hx, hy = arm_b[2]
        parts.append(
            _held(
                "flag",
                [_shaft(-24, 12, 2.4, "#c9ccd2"), path("M1,-23 C5,-27 8,-20 13,-23 V-11 C8,-8 5,-15 1,-11 Z", art.tone("green"))],
                hx,
                hy,
                0 if pose == "float" else 6,
            )
        )
        parts.append(part("glove", circle(hx, hy, 4.4, "#8c94a3")))
    return _moved(parts, "rotate(9)") if pose == "float" else parts


ASTRONAUT = Concept(
    name="astronaut",
    phrase="an astronaut",
    plural="astronauts",
    domain="person",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="An astronaut floats in outer space in a white suit with a round helmet, a control box on the chest and a box-like "
    "backpack that keeps the wearer alive.",
    draw=_astronaut,
    scene="space",
    tilt=5,
    facts=(
        Fact(
            "suit",
            "color",
            "color",
            "What color is the suit in the image?",
            {"white": "White", "red": "Red", "green": "Green", "purple": "Purple"},
            ("suit", "arm", "leg"),
        ),
        Fact(
            "helmet",
            "shape",
            "shape",
            "What shape is the helmet in the image?",
            {"round": "Round", "box": "Square", "cone": "Pointed at the top"},
            ("helmet",),
            ("Star-shaped",),
        ),
        Fact(
            "back",
            "existence",
            "details",
            "What does the person wear on the back in the image?",
            {"pack": "A box-like backpack", "wings": "Feathered wings", "cape": "A cape"},
            ("backpack",),
            ("A guitar",),
        ),
        Fact(
            "bearing",
            "posture",
            "shape",
            "What is the bearing of the body in the image?",
            {"float": "Floating, limbs spread", "sit": "Sitting on a chair", "stand": "Standing on a floor"},
            ("arm", "leg"),
            ("Kneeling",),
        ),
        Fact(
            "controls",
            "relation",
            "details",
            "Where is the grey control box in the image?",
            {"chest": "On the chest", "knee": "On a knee", "arm": "On an arm"},
            ("control box",),
            ("Under a foot",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the person in the image?",
            {"space": "In outer space", "meadow": "In a meadow", "underwater": "Under water", "room": "In a room"},
            (),
        ),
    ),
    variation=Variation(
        "an astronaut holding a flag",
        "attribute",
        Fact(
            "holds",
            "existence",
            "details",
            "What does the person hold in one hand in the image?",
            {"flag": "A flag", "nothing": "Nothing"},
            ("flag",),
            ("A hammer", "A balloon"),
        ),
        base="nothing",
    ),
)

# --- firefighter -----------------------------------------------------------------------------------------------


def _fire_head(kind: str, art: Art) -> Part:
    red, gold = art.tone("red"), art.tone("gold")
    if kind == "tall":
        puffs = [circle(x, y, r, "#fbfaf5") for x, y, r in ((-8, -43, 6), (8, -43, 6), (0, -45, 6))]
        return part(
            "headgear",
            puffs,
            path("M-11,-32 L-11,-43 H11 L11,-32 Q0,-36 -11,-32 Z", "#fbfaf5"),
            rect(-9.8, -44.6, 19.6, 5, "#fbfaf5", stroke=None),
            *[line([(x, -41), (x, -35.6)], "#c8c4b8", 1) for x in (-5, 0, 5)],
        )
    if kind == "cone":
        return part(
            "headgear",
            path("M0,-51 L12,-31.6 Q0,-36 -12,-31.6 Z", art.tone("light blue")),
            *[circle(x, y, 1.6, "#f4cb3c", stroke=None) for x, y in ((0, -43), (-4, -37), (5, -36.4))],
            circle(0, -49, 2.4, "#ee8fb4"),
        )
    return part(
        "headgear",
        path("M-12,-31 C-14,-50 14,-50 12,-31 Z", red),
        path("M5,-43 C11,-41 12,-35 11.6,-31 H7 C8,-35 7.6,-40 5,-43 Z", shade(red, -0.2), stroke=None),
        *[path(f"M{x * 0.55},-43.2 Q{x},-39 {x},-33.6", None, stroke=shade(red, -0.32), width=1) for x in (-8, 8)],
        glow(-5.4, -40, 2.2),
        path("M-19,-31 Q0,-38 19,-31 Q18,-26.6 11,-28.4 Q0,-32.6 -11,-28.4 Q-18,-26.6 -19,-31 Z", red),
        path("M-5,-42 Q0,-46 5,-42 L4.4,-35 Q0,-31.6 -4.4,-35 Z", gold),
        star(0, -38.6, 2.8, fill="#fff3c4", stroke=None),
    )


def _fire_tool(kind: str, art: Art) -> tuple[str, list[Shape]]:
    if kind == "umbrella":
        tone = art.tone("purple")
        cover = "M-15,-22 C-13,-40 13,-40 15,-22 Q11,-26 7.6,-22 Q4,-26 0,-22 Q-4,-26 -7.6,-22 Q-11,-26 -15,-22 Z"
        return "umbrella", [
            _shaft(-36, 14, 2.2, DARK),
            path("M0,14 q0,6 5,4", None, stroke=INK, width=2.4),
            path(cover, tone),
            path("M-7.6,-22 Q-6,-33 0,-36 Q6,-33 7.6,-22", None, stroke=shade(tone, -0.3), width=1),
        ]
    if kind == "broom":
        return "broom", [
            _shaft(-30, 26, 2.8, WOOD),
            path("M-3,24 H3 L9,40 Q0,43 -9,40 Z", "#e9c25c"),
            *[line([(x * 0.4, 27), (x, 39)], "#a67f2b", 1) for x in (-5, 0, 5)],
            rect(-3.6, 22, 7.2, 4, "#c0402f", 1),
        ]
    if kind == "guitar":
        return "guitar", [
            rect(-1.8, -32, 3.6, 26, "#5d3a22", 1),
            rect(-3, -38, 6, 8, "#5d3a22", 1.4),
            path("M0,-8 C7,-9 9,-3 6.6,1 C12,4 13,17 0,18 C-13,17 -12,4 -6.6,1 C-9,-3 -7,-9 0,-8 Z", "#d98a3d"),
            circle(0, 5, 3.2, DARK),
            rect(-4, 11, 8, 2, "#5d3a22", stroke=None),
        ]
    hose = "M0,4 C-2,20 -14,18 -14,30 C-14,38 -2,34 0,39 C1,43 -8,44 -16,43"
    nozzle = [
        polygon([(-2.6, 4), (2.6, 4), (3.4, -10), (5, -17), (-5, -17), (-3.4, -10)], "#d9a520"),
        rect(-5.8, -20, 11.6, 4.4, "#b8382d", 1.4),
    ]
    return "hose", [
        path(hose, None, stroke=INK, width=7),
        path(hose, None, stroke="#e9dcc0", width=4.6),
        path(hose, None, stroke="#c9b88f", width=1),
        *nozzle,
    ]


def _cat(art: Art) -> list[Shape]:
    tone = art.tone("orange")
    low = shade(tone, -0.3)
    return [
        path("M7,8 C15,10 16,-2 11,-3", None, stroke=INK, width=5),
        path("M7,8 C15,10 16,-2 11,-3", None, stroke=tone, width=2.8),
        ellipse(1, 6, 8, 8, tone),
        polygon([(-7.4, -8), (-8, -16.4), (-1.6, -12)], tone),
        polygon([(7.4, -8), (8, -16.4), (1.6, -12)], tone),
        ellipse(0, -6, 8.2, 7, tone),
        *[line([(x, -12.6), (x * 0.8, -9.6)], low, 1.3) for x in (-2, 0.2, 2.4)],
        *[ellipse(s * 3.2, -6, 1.1, 1.5, INK, stroke=None) for s in (-1, 1)],
        polygon([(-1.2, -3.8), (1.2, -3.8), (0, -2.4)], "#c9526a", stroke=None),
        path("M-2.4,-1.4 q1.2,1.2 2.4,-0.6 q1.2,1.8 2.4,0.6", None, width=0.9),
        *[line([(s * 4.6, -3.4), (s * 9.4, y)], INK, 0.7) for s in (-1, 1) for y in (-4.4, -2.2)],
    ]


def _cylinder() -> list[Shape]:
    return [
        rect(-2, -19.5, 4, 5, "#8d929c", 1),
        rect(-5.4, -15.6, 10.8, 30, "#5aa06a", 5),
        rect(2, -13, 2.4, 25, "#41804f", 1.2, stroke=None),
        line([(-2.6, -10), (-2.6, 8)], "#a9d8b2", 1.4),
        rect(-5.4, 2, 10.8, 3.2, DARK, stroke=None),
    ]


def _firefighter(v: Values, art: Art) -> Sequence[Part]:
    skin, tone = art.tone("skin"), art.tone(str(v["coat colour"]))
    kind = str(v["marks"])
    silver = "#eef1f4"

    def marks(panel: Panel, at: Sequence[float]) -> list[Shape]:
        if kind == "bands":
            return [s for y in at for s in (panel.across(y, INK, 5.4), panel.across(y, "#8f99a6", 4.0), panel.across(y, silver, 2.4))]
        return panel.pattern(kind, "#7d2436")

    place = str(v["cylinder"])
    parts: list[Part] = []
    if place == "back":
        parts.append(part("air cylinder", _cylinder()).moved("translate(19 -10) rotate(24)"))
    legs = [Panel(14, 42, 7.8, 6.8, x=s * 8, sag=0.6) for s in (-1, 1)]
    for s, leg in zip((-1, 1), legs, strict=True):
        parts.append(part("boot", _shoe(s * 8.6, s, DARK, 46.6)))
        parts.append(part("trousers", leg.cloth(shade(tone, -0.06)), marks(leg, (35,))))
    low = {"long": 25.0, "short": -1.0, "floor": 42.0}[str(v["coat"])]
    wide = {"long": 16.5, "short": 14.6, "floor": 20.0}[str(v["coat"])]
    shirt = Panel(-10, 15, 13, 12.5)
    parts.append(part("shirt", shirt.cloth("#f4f1ea"), path("M-12.4,13 Q0,16 12.4,13 L12.6,16.4 Q0,19.6 -12.6,16.4 Z", DARK)))
    cat = v["animal"] == "cat"
    arm_left: list[Point] = [(-14, -8), (-21, 3), (-28, 3)]
    arm_right: list[Point] = [(14, -8), (23, 2), (25, 11)] if cat else [(14, -8), (21, 3), (22, 13)]
    coat = Panel(-13, low, 15.5, wide)
    bands = {"long": (3.0, 20.0), "short": (-5.0,), "floor": (3.0, 20.0, 36.0)}[str(v["coat"])]
    flap = line([(0, -11), (0, low + 1.6)], shade(tone, -0.45), 1.3)
    clips = [rect(-2.2, y - 1.2, 4.4, 2.4, "#c9ced6", 0.8, width=0.8) for y in (-6.0, 9.5, 14.5, 28.5) if y < low - 3]
    parts.append(part("arm", _limb(arm_right, tone, 8.6)))
    if not cat:
        parts.append(part("hand", _hand(22.5, 15, skin, 3.9)))
    parts.append(part("coat", coat.cloth(tone), marks(coat, bands), flap, clips))
    parts.append(
        part("strap", *[line([(s * 9, -12), (s * 8.6, min(low, 8.0))], DARK, 2.6) for s in (-1, 1)])
        if place == "back"
        else part("collar", path("M-9,-15 Q0,-9 9,-15 L8.4,-10.4 Q0,-5 -8.4,-10.4 Z", shade(tone, -0.2)))
    )
    parts.append(part("head", _head(skin, "#5a3a22")))
    parts.append(part("hair", _hair("#5a3a22")))
    parts.append(_fire_head(str(v["headgear"]), art))
    if place == "chest":
        parts.append(part("air cylinder", _cylinder()).moved("translate(0 5) scale(0.9)"))
    if place == "leg":
        parts.append(part("air cylinder", _cylinder()).moved("translate(13 32) scale(0.82)"))
    name, shapes = _fire_tool(str(v["tool"]), art)
    hand = (-29.0, 3.0)
    cuffs = (
        []
        if kind != "bands"
        else [part("cuff", line([(-23.4, 0.4), (-22.4, 6.6)], INK, 4.4), line([(-23.4, 0.4), (-22.4, 6.6)], silver, 2.4))]
    )
    parts += [
        part("arm", _limb(arm_left, tone, 8.6)),
        *cuffs,
        _held(name, shapes, *hand, turn=-8 if name == "hose" else 0),
        part("hand", _hand(*hand, skin, 3.9)),
    ]
    if cat:
        parts.append(part("cat", _cat(art)).moved("translate(18 0)"))
        parts.append(part("arm", _limb([(26, 12), (20, 15), (13, 13)], tone, 8)))
        parts.append(part("hand", _hand(10, 12, skin, 3.9)))
    return [*_shadow(v), *parts]


FIREFIGHTER = Concept(
    name="firefighter",
    phrase="a firefighter",
    plural="firefighters",
    domain="person",
    category=Category.WESTERN_AFRICAN_MODERN,
    definition="A firefighter works with a fire hose in a domed helmet with a brim and a yellow coat with reflective bands that reaches "
    "down to the thighs. An air "
    "cylinder is carried on the back.",
    draw=_firefighter,
    tilt=2,
    facts=(
        Fact(
            "headgear",
            "shape",
            "shape",
            "What shape is the headgear in the image?",
            {"brim": "Domed with a brim", "tall": "Tall and puffy", "cone": "A pointed cone"},
            ("headgear",),
            ("A flat square",),
        ),
        Fact(
            "marks",
            "others",
            "texture",
            "What is the coat marked with in the image?",
            {"bands": "Reflective bands", "spots": "Polka dots", "hearts": "Hearts"},
            ("coat",),
            ("Leopard spots",),
        ),
        Fact(
            "coat colour",
            "color",
            "color",
            "What color is the coat in the image?",
            {"yellow": "Yellow", "pink": "Pink", "light blue": "Light blue", "green": "Green"},
            ("coat",),
        ),
        Fact(
            "tool",
            "existence",
            "details",
            "Which tool does the person hold in the image?",
            {"hose": "A fire hose", "umbrella": "An umbrella", "broom": "A broom", "guitar": "A guitar"},
            ("hose",),
        ),
        Fact(
            "coat",
            "size",
            "shape",
            "How long is the coat in the image?",
            {"long": "Down to the thighs", "short": "Ending above the waist", "floor": "Down to the feet"},
            ("coat",),
            ("Trailing on the floor",),
        ),
        Fact(
            "cylinder",
            "relation",
            "details",
            "Where is the air cylinder in the image?",
            {"back": "On the back", "chest": "On the chest", "leg": "On a leg"},
            ("air cylinder",),
            ("On the head",),
        ),
    ),
    variation=Variation(
        "a firefighter carrying a cat",
        "action",
        Fact(
            "animal",
            "existence",
            "details",
            "Which animal does the person carry in the image?",
            {"cat": "A cat", "none": "No animal"},
            ("cat",),
            ("A dog", "A parrot"),
        ),
        base="none",
    ),
)

# --- woman in a hanbok -----------------------------------------------------------------------------------------

_HANBOK_ARMS: dict[str, tuple[Point, Point]] = {
    "folded": ((21, 3), (2.6, 8.6)),
    "raised": ((23, -12), (21, -37)),
    "spread": ((24, -5), (37, -3)),
    "hips": ((27, 0), (11.5, 7)),
}


def _skirt(kind: str, tone: str) -> list[Shape]:
    low, light = shade(tone, -0.15), shade(tone, -0.28)
    if kind == "narrow":
        folds = [line([(x * 0.8, 4), (x, 40)], light, 1) for x in (-5, 0, 5)]
        return [path("M-11,-2 H11 L11.5,41 Q0,43.6 -11.5,41 Z", tone), path("M5,0 H10.4 L10.8,41 Q8,42 6,42 Z", low, stroke=None), *folds]
    if kind == "trousers":
        legs = [path(f"M0,-2 H{s * 11} L{s * 16},40 Q{s * 9},43 {s * 3.4},40 L0,13 Z", tone) for s in (-1, 1)]
        return [
            *legs,
            path("M7,0 H10.4 L15.4,40 Q12,41.4 10,41.4 Z", low, stroke=None),
            line([(-7, 6), (-10, 38)], light, 1),
            line([(5, 10), (7, 38)], light, 1),
        ]
    if kind == "short":
        return [
            path("M-11,-2 H11 C19,7 27,17 31,29 Q23,35 16,31 Q8,36 0,32 Q-8,36 -16,31 Q-23,35 -31,29 C-27,17 -19,7 -11,-2 Z", tone),
            *[path(f"M{x * 0.35},3 Q{x * 0.6},14 {x},31", None, stroke=light, width=1) for x in (-20, -8, 8, 20)],
        ]
    folds = [
        path(f"M{x * 0.3},2 C{x * 0.55},12 {x * 0.95},26 {x},{45 - abs(x) * 0.06:.2f}", None, stroke=light, width=1.1)
        for x in (-25, -15, -5, 5, 15, 25)
    ]
    return [
        path("M-10.5,-2 H10.5 C24,8 34,24 34.5,42 Q0,51 -34.5,42 C-34,24 -24,8 -10.5,-2 Z", tone),
        path("M6,-1 H10 C23,8 33,24 33.6,41.6 Q26,44 18,45 C20,28 14,10 6,-1 Z", low, stroke=None),
        *folds,
    ]


def _ribbon(length: float, tone: str) -> list[Shape]:
    """A ribbon hanging from (0, 0), its end cut aslant."""
    return [
        polygon([(-2, 0), (2, 0), (3.7, length), (-3.7, length + 2.4)], tone),
        polygon([(0.6, 1), (1.6, 1), (3.1, length - 0.4), (1, length + 0.2)], shade(tone, -0.16), stroke=None),
    ]


def _hanbok(v: Values, art: Art) -> Sequence[Part]:
    skin, hair = shade(art.tone("skin"), 0.28), "#2a2326"
    upper, lower, bow = art.pick(
        (("yellow", "red", "purple"), ("pink", "green", "red"), ("green", "pink", "red"), ("yellow", "purple", "red"))
    )
    jacket, skirt = shade(art.tone(upper), 0.3), shade(art.tone(lower), 0.12)
    tie = shade(art.tone(bow), -0.05)
    parts: list[Part] = []
    if v["skirt"] != "bell":
        parts += [part("leg", _limb([(s * 7, 16), (s * 7, 30), (s * 7, 40)], skin, 5.4), _shoe(s * 7, s, "#f6f2ea")) for s in (-1, 1)]
    parts.append(part("hair", ellipse(0, -19, 9, 5.4, hair)))
    parts.append(part("skirt", _skirt(str(v["skirt"]), skirt)))
    long = v["jacket"] == "long"
    elbow, hand = _HANBOK_ARMS[str(v["hands"])]
    front = v["hands"] == "folded"
    arms: list[Part] = []
    for s in (-1, 1):
        hx, hy = s * hand[0], hand[1]
        dx, dy = hx - s * elbow[0], hy - elbow[1]
        reach = math.hypot(dx, dy)
        ux, uy = dx / reach, dy / reach
        near, far = (hx - 6.5 * ux, hy - 6.5 * uy), (hx - 4 * ux, hy - 4 * uy)
        cuff = _limb([near, ((near[0] + far[0]) / 2, (near[1] + far[1]) / 2), far], "#fbfaf5", 6.6)
        sleeve = _limb([(s * 12.5, -8), (s * elbow[0], elbow[1]), (hx - 10 * ux, hy - 10 * uy)], jacket, 9.2)
        arms.append(part("arm", _hand(hx, hy, skin, 3.4), cuff, sleeve))
    if not front:
        parts += arms
    low = 23.0 if long else 2.0
    body = Panel(-14, low, 13.5, 19 if long else 12.6, sag=2 if long else 1.6)
    parts.append(
        part(
            "jacket",
            body.cloth(jacket),
            path(f"M3,-6 Q5,{(low - 6) / 2:.1f} 4.6,{low + 1.4:.1f}", None, stroke=shade(jacket, -0.35), width=1),
        )
    )
    collar = art.tone(str(v["collar"])) if v["collar"] != "white" else "#ffffff"
    parts.append(part("neck", path("M-5,-18 H5 L4,-12 L0.6,-7 L-4,-12 Z", skin)))
    parts.append(
        part(
            "collar",
            path("M-7.4,-17.4 L-3.8,-17.4 L3.4,-5.2 L0.2,-1.6 Q-6,-8 -9.6,-13.6 Z", collar),
            path("M7.4,-17.4 L3.8,-17.4 L-2.4,-6.4 L0.8,-2 Q6.6,-8 9.6,-13.6 Z", collar),
        )
    )
    parts.append(part("head", _head(skin, hair)))
    fringe = "M0,-39 C-16,-40 -13,-22 -10.4,-21 C-10.6,-28 -7,-33.6 0,-37.4 C7,-33.6 10.6,-28 10.4,-21 C13,-22 16,-40 0,-39 Z"
    parts.append(
        part(
            "hair",
            path(fringe, hair),
            path("M-8.6,-33 Q-6,-37 -2.4,-38", None, stroke="#6a5a60", width=1),
            line([(0, -39), (0, -37)], "#6a5a60", 0.8),
        )
    )
    parts.append(
        part(
            "hairpin",
            *[
                [
                    line([(s * 9, -17.4), (s * 16, -16)], INK, 3.2),
                    line([(s * 9, -17.4), (s * 16, -16)], "#d9a520", 1.8),
                    circle(s * 16.5, -15.8, 2.3, "#3f9a78"),
                ]
                for s in (-1, 1)
            ],
        )
    )
    count = int(v["ribbons"])
    x, y, length = (1.5, -2.0, 34.0) if v["tie"] == "chest" else (1.5, 17.0, 23.0)
    spread = {1: 0.0, 2: 22.0, 3: 50.0, 4: 72.0}[count]
    for i in range(count):
        turn = 0 if count == 1 else -spread / 2 + spread * i / (count - 1)
        parts.append(_held("ribbon", _ribbon(length, tie), x, y, turn))
    parts.append(
        part(
            "knot",
            ellipse(x + 5.4, y - 1, 5.2, 2.6, tie),
            ellipse(x, y, 2.8, 2.8, tie),
            path(f"M{x + 2.4},{y - 0.6} h4", None, stroke=shade(tie, -0.35), width=0.9),
        )
    )
    if front:
        parts += arms
    return [*_shadow(v, 32 if v["skirt"] == "bell" else 20), *parts]


HANBOK = Concept(
    name="woman in a hanbok",
    phrase="a woman in a hanbok",
    plural="women in hanboks",
    domain="person",
    category=Category.EASTERN_MODERN,
    definition="The hanbok is the traditional dress of Korea: a short jacket with a white collar, tied on the chest with two long "
    "ribbons, over a full bell-shaped skirt. "
    "The wearer stands with the hands folded in front.",
    draw=_hanbok,
    tilt=2,
    facts=(
        Fact(
            "skirt",
            "shape",
            "shape",
            "What shape is the lower garment in the image?",
            {"bell": "Full and bell-shaped", "narrow": "Narrow and straight", "trousers": "Split like trousers", "short": "Short and wide"},
            ("skirt",),
        ),
        Fact(
            "jacket",
            "size",
            "shape",
            "How long is the jacket in the image?",
            {"short": "Ending above the waist", "long": "Down to the knees"},
            ("jacket", "arm"),
            ("Down to the ankles", "Trailing on the floor"),
        ),
        Fact(
            "ribbons",
            "counting",
            "details",
            "How many long ribbons hang down in the image?",
            {2: "Two", 1: "One", 3: "Three", 4: "Four"},
            ("ribbon",),
        ),
        Fact(
            "hands",
            "posture",
            "shape",
            "How are the hands held in the image?",
            {"folded": "Folded in front", "raised": "Raised overhead", "spread": "Stretched out sideways", "hips": "On the hips"},
            ("arm",),
        ),
        Fact(
            "collar",
            "color",
            "color",
            "What color is the collar in the image?",
            {"white": "White", "black": "Black", "blue": "Blue"},
            ("collar",),
            ("Green",),
        ),
        Fact(
            "tie",
            "relation",
            "details",
            "Where are the ribbons tied in the image?",
            {"chest": "On the chest", "knees": "At the knees"},
            ("knot", "ribbon"),
            ("In the hair", "Around the neck"),
        ),
    ),
    variation=Variation(
        "a woman in a hanbok in a meadow",
        "scene",
        Fact(
            "scene",
            "scene",
            "details",
            "Where is the person in the image?",
            {"meadow": "In a meadow", "plain": "A plain background", "night": "At night", "space": "In outer space"},
            (),
        ),
        base="plain",
    ),
)

CONCEPTS: tuple[Concept, ...] = (PHARAOH, LEGIONARY, KNIGHT, SAMURAI, TERRACOTTA, ASTRONAUT, FIREFIGHTER, HANBOK)
