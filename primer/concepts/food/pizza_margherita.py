"""Draws a pizza margherita by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hallascope.primer.concepts.food.forms import (
    OutlinePoints,
    blob,
    oval,
    pie,
    place_points,
    reach_of,
    scale_points,
    smooth,
    soft,
    wedge,
)
from hallascope.primer.drawing.forms import clip_half, read_numbers
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    circle,
    line,
    part,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import DrawnValues

CRUST = "#dda45a"


# Outlines of the pieces of the topping around (0, 0), and where pieces lie.
_OUTLINES: dict[str, list[Point]] = read_numbers(__file__)


def _bit(kind: str, x: float, y: float, turn: float) -> Part:
    """Return one piece of the topping."""

    def placed(outline: str, off: float = 0.0) -> OutlinePoints:
        return place_points(_OUTLINES[outline], x, y, turn + off)

    if kind == "pineapple":
        fibers = [line(placed(f"fiber {i}"), "#c79a1e", 1) for i in (1, 2, 3)]
        return part("pineapple", polygon(soft(placed("chunk"), 2), "#f6d743"), fibers)
    if kind == "fish":
        eye = circle(*placed("eye")[0], 0.8, INK, stroke=None)
        return part(
            "fish", polygon(placed("tail"), "#5f86ad"), smooth(placed("fish"), "#7fa5c9"), eye
        )
    if kind == "mushroom":
        stem = polygon(soft(placed("stem"), 1), "#f0dfc0")
        return part("mushroom", stem, smooth(placed("cap"), "#a98258"))
    return part(
        "basil",
        [
            shape
            for off in (-34, 34)
            for shape in (
                smooth(placed("leaf", off), "#3f9a4a"),
                line(placed("vein", off), "#246330", 0.9),
            )
        ],
    )


@dataclass(frozen=True)
class _Cut:
    """Holds what of a pizza is drawn: all between two directions around its center."""

    kind: str
    r: float
    start: float
    end: float
    cx: float
    cy: float

    def outline(self, r: float) -> OutlinePoints:
        return pie(self.kind, r, self.start, self.end, self.cx, self.cy)

    def field(self, r: float) -> OutlinePoints:
        """Return the outline of the whole pizza."""
        return pie(self.kind, r, -180, 180, self.cx, self.cy)

    def point_at(self, share: float, degrees: float) -> Point:
        """Return the point so far, as a share of the radius, on the way to the rim."""
        return polar(self.cx, self.cy, self.r * share * reach_of(self.kind, degrees), degrees)

    def keep(self, points: OutlinePoints) -> list[OutlinePoints]:
        """Return the convex pieces of what of a convex outline is drawn."""
        if self.end - self.start >= 359:
            return [points]
        turns = [turn for turn in (0, 100, 200) if self.start + turn < self.end]
        edges = [*(self.start + turn for turn in turns), self.end]
        pieces = [wedge(points, *pair, self.cx, self.cy) for pair in pairwise(edges)]
        return [piece for piece in pieces if len(piece) > 2]


def _dough(cut: _Cut, rim: bool) -> Part:
    shapes = [polygon(cut.outline(cut.r), CRUST)]
    if rim:
        shapes += [polygon(cut.outline(cut.r * 0.95), shade(CRUST, 0.25), stroke=None)]
        for a in range(round(cut.start) + 14, round(cut.end) - 8, 23):
            dark = shade(CRUST, -0.25)
            shapes += [oval(*cut.point_at(0.92, a), 2.2, 1.2, a + 90, dark, stroke=None)]
    return part("crust", shapes)


def _sauce(cut: _Cut, inner: float, tone: str, art: Art) -> Part:
    dots = (
        circle(
            *polar(cut.cx, cut.cy, inner * art.vary(0.3, 0.86) * reach_of(cut.kind, a), a),
            art.vary(0.9, 1.7),
            shade(tone, -0.18),
            stroke=None,
        )
        for a in range(round(cut.start) + 9, round(cut.end) - 8, 11)
    )
    return part("tomato sauce", polygon(cut.outline(inner), tone, width=0.9), *dots)


def _cheese(kind: str, cut: _Cut, inner: float, art: Art) -> list[Part]:
    tone = "#fbf7ea"
    if kind == "stripes":
        field = cut.field(inner * 0.95)
        low = min(x for x, _ in field)
        high = max(x for x, _ in field)
        step = (high - low) / 7
        strips = [
            clip_half(clip_half(field, 1, 0, low + step * (i + 1)), -1, 0, -(low + step * i))
            for i in (1, 3, 5)
        ]
        return [
            part("mozzarella", *(polygon(piece, tone, stroke=None) for piece in cut.keep(strip)))
            for strip in strips
        ]
    if kind == "ring":
        outer, hole = (
            [p for p in cut.outline(inner * k) if p != (cut.cx, cut.cy)] for k in (0.74, 0.46)
        )
        return [part("mozzarella", polygon([*outer, *reversed(hole)], tone, stroke=None))]
    parts = []
    for a, k in _OUTLINES["cheese places"]:
        if 16 < a < cut.end - cut.start - 12:
            x, y = cut.point_at(k, cut.start + a)
            form = blob(x, y, cut.r * art.vary(0.14, 0.175), art, 0.1)
            middle = smooth(scale_points(form, 0.6, x, y), shade(tone, -0.05), stroke=None)
            parts.append(
                part("mozzarella", smooth(form, tone, stroke="#c9b48a", width=0.9), middle)
            )
    return parts


def _middle_crust(cut: _Cut) -> Part:
    """Return a crust that runs across the pizza instead of around it."""
    cy = cut.cy
    r = cut.r
    strip = clip_half(clip_half(cut.field(r), 0, 1, cy + r * 0.17), 0, -1, -(cy - r * 0.17))
    lit = clip_half(clip_half(strip, 0, 1, cy + r * 0.1), 0, -1, -(cy - r * 0.13))
    return part(
        "crust",
        *(polygon(piece, CRUST, width=0.01, stroke=CRUST) for piece in cut.keep(strip)),
        *(polygon(piece, shade(CRUST, 0.25), stroke=None) for piece in cut.keep(lit)),
    )


def _bits(kind: str, cut: _Cut, art: Art) -> list[Part]:
    """Return the topping: all over the pizza, one piece on a slice."""
    wide = cut.end - cut.start
    around = _OUTLINES["topping places"]
    places = [(a, k) for a, k in around if a < wide - 14] if wide > 180 else [(0.5 * wide, 0.62)]
    return [_bit(kind, *cut.point_at(k, cut.start + a), art.vary(0, 360)) for a, k in places]


def _pizza_part(
    v: DrawnValues, art: Art, r: float, start: float, end: float, center: Point
) -> list[Part]:
    """Return the pizza between two directions; the center of a triangle lies lower."""
    kind = v["outline"]
    cx, cy = center
    if kind == "triangle":
        cy += r * 0.2
    cut = _Cut(kind, r, start, end, cx, cy)
    tone = art.tone(v["sauce colour"])
    rim = v["rim"] == "edge"
    inner = r * (0.84 if rim else 0.97)
    return [
        _dough(cut, rim),
        _sauce(cut, inner, tone, art),
        *_cheese(v["cheese"], cut, inner, art),
        *([] if rim else [_middle_crust(cut)]),
        *_bits(v["topping"], cut, art),
    ]


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    if v["slice"] == "whole":
        return _pizza_part(v, art, 47, -20, 340, (0, 0))
    rest = _pizza_part(v, art, 42, -22, 292, (-4, 5))
    dx, dy = polar(0, 0, 12, -45)
    piece = _pizza_part(v, art, 42, -68, -22, (-4, 5))
    return [*rest, *(drawn.with_transform(f"translate({dx:.2f} {dy:.2f})") for drawn in piece)]
