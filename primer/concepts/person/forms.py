"""Draws forms that several concepts of the domain person share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hallascope.primer.drawing.forms import petals, put_at, tube
from hallascope.primer.drawing.parts import (
    INK,
    Part,
    Point,
    Shape,
    circle,
    ellipse,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues

METAL = "#b9c0ca"
LEATHER = "#7d4f2e"
WOOD = "#a9743f"
BLADE = "#dfe5ea"


@dataclass(frozen=True, kw_only=True)
class GarmentPanel:
    """Holds a garment seen from the front: a trapezoid with patterns on it.

    Its half width is `top` at `y0` and `bottom` at `y1`.
    """

    y0: float
    y1: float
    top: float
    bottom: float
    x: float = 0.0
    sag: float = 2.0

    @property
    def span(self) -> float:
        return self.y1 - self.y0

    def half(self, y: float) -> float:
        return self.top + (self.bottom - self.top) * (y - self.y0) / (self.y1 - self.y0)

    def dip(self, y: float) -> float:
        return self.sag * (y - self.y0) / (self.y1 - self.y0)

    def cloth(self, fill: str) -> list[Shape]:
        x = self.x
        a = self.top
        b = self.bottom
        y0 = self.y0
        y1 = self.y1
        sag = self.sag
        outline = (
            f"M{x - a:.2f},{y0 + 3:.2f} "
            f"Q{x - a + 0.5:.2f},{y0:.2f} {x - a + 4:.2f},{y0:.2f} "
            f"H{x + a - 4:.2f} Q{x + a - 0.5:.2f},{y0:.2f}"
            f" {x + a:.2f},{y0 + 3:.2f} L{x + b:.2f},{y1:.2f} "
            f"Q{x:.2f},{y1 + 2 * sag:.2f} {x - b:.2f},{y1:.2f} Z"
        )
        side = (
            f"M{x + a * 0.55:.2f},{y0 + 0.6:.2f} H{x + a - 3:.2f} "
            f"L{x + a - 0.8:.2f},{y0 + 3:.2f} L{x + b - 0.8:.2f},{y1:.2f}"
            f" Q{x + b * 0.8:.2f},{y1 + sag * 0.4:.2f} {x + b * 0.55:.2f},{y1 + sag * 0.6:.2f} Z"
        )
        return [path(outline, fill), path(side, shade(fill, -0.15), stroke=None)]

    def line_across(self, y: float, color: str = INK, width: float = 1.0) -> Shape:
        half = self.half(y) - 0.6
        dip = self.dip(y)
        return path(
            f"M{self.x - half:.2f},{y:.2f} "
            f"Q{self.x:.2f},{y + 2 * dip:.2f} {self.x + half:.2f},{y:.2f}",
            None,
            stroke=color,
            width=width,
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
            points += [
                (self.x + k * dx + shift, y + self.dip(y) * 0.6)
                for k in range(-n, n + 1)
                if abs(k * dx + shift) <= reach
            ]
        return points

    def pattern(self, kind: str, color: str) -> list[Shape]:
        """Return the marks of a surface, one of PATTERNS; nothing for any other kind."""
        return PATTERNS[kind](self, color) if kind in PATTERNS else []


def _pleats(panel: GarmentPanel, color: str) -> list[Shape]:
    ends = [-0.84 + 0.28 * k for k in range(7)]
    return [
        line(
            [
                (panel.x + t * panel.top, panel.y0 + 2),
                (panel.x + t * panel.bottom, panel.y1 + panel.sag * 0.6),
            ],
            color,
            1.1,
        )
        for t in ends
    ]


def _bands(panel: GarmentPanel, color: str) -> list[Shape]:
    return [panel.line_across(panel.y0 + panel.span * t, color, 1.3) for t in (0.2, 0.4, 0.6, 0.8)]


def _spots(panel: GarmentPanel, color: str) -> list[Shape]:
    return [circle(x, y, 2.2, color, stroke=None) for x, y in panel.grid(8, 6.5, margin=3)]


def _checks(panel: GarmentPanel, color: str) -> list[Shape]:
    return [
        rect(x - 2.3, y - 2.3, 4.6, 4.6, color, stroke=None)
        for x, y in panel.grid(9.2, 4.6, margin=2.8)
    ]


def _zigzags(panel: GarmentPanel, color: str) -> list[Shape]:
    shapes = []
    for y in (panel.y0 + panel.span * t for t in (0.22, 0.5, 0.78)):
        half = panel.half(y) - 1.5
        n = 8
        shapes.append(
            line(
                [
                    (panel.x - half + 2 * half * i / n, y + (2.2 if i % 2 else -2.2))
                    for i in range(n + 1)
                ],
                color,
                1.7,
            )
        )
    return shapes


def _fur(panel: GarmentPanel, color: str) -> list[Shape]:
    return [
        path(f"M{x - 1.8:.2f},{y - 2.4:.2f} l1.6,5 l1.8,-5", None, stroke=color, width=1.1)
        for x, y in panel.grid(4.6, 4.4)
    ]


def _flowers(panel: GarmentPanel, color: str) -> list[Shape]:
    shapes = []
    for x, y in panel.grid(9, 7.5, margin=3.4):
        shapes += petals(x, y, 1.8, 1.5, 5, color, -90, stroke=None)
        shapes.append(circle(x, y, 1.1, shade(color, 0.7), stroke=None))
    return shapes


def _knit(panel: GarmentPanel, color: str) -> list[Shape]:
    return [
        path(f"M{x - 2:.2f},{y - 1.6:.2f} l2,3 l2,-3", None, stroke=color, width=1.5)
        for x, y in panel.grid(4.6, 3.6, False)
    ]


def _bricks(panel: GarmentPanel, color: str) -> list[Shape]:
    shapes = []
    rows = max(2, round(panel.span / 5))
    for row in range(rows):
        top = panel.y0 + panel.span * row / rows
        low = panel.y0 + panel.span * (row + 1) / rows
        if row:
            shapes.append(panel.line_across(top, color, 1.3))
        for k in range(-3, 4):
            at = k * 9 + (4.5 if row % 2 else 0)
            if abs(at) < panel.half(top) - 1.5:
                drop = panel.dip(low) * 0.8
                shapes.append(
                    line([(panel.x + at, top + drop), (panel.x + at, low + drop)], color, 1.3)
                )
    return shapes


def _plates(panel: GarmentPanel, color: str) -> list[Shape]:
    shapes = []
    for x, y in panel.grid(6.2, 6.2, False, 2.6):
        shapes += [
            rect(x - 2.6, y - 2.5, 5.2, 5, None, 0.8, stroke=color, width=1.1),
            circle(x, y, 1, color, stroke=None),
        ]
    return shapes


def _lamellar(panel: GarmentPanel, color: str) -> list[Shape]:
    """Return rows of small plates laced to each other."""
    shapes = []
    rows = max(2, round(panel.span / 4.6))
    for row in range(rows):
        y = panel.y0 + panel.span * (row + 0.55) / rows
        shapes.append(panel.line_across(y + panel.span * 0.45 / rows, INK, 1.3))
        half = panel.half(y) - 2
        n = max(2, int(half / 1.9))
        for i in range(n + 1):
            at = -half + 2 * half * i / n
            drop = panel.dip(y) * (1 - (at / (half + 2)) ** 2)
            shapes.append(
                line([(panel.x + at, y - 1 + drop), (panel.x + at, y + 0.9 + drop)], color, 1.6)
            )
    return shapes


def _hearts(panel: GarmentPanel, color: str) -> list[Shape]:
    heart = "m0,3 c-5,-3.4 -2.6,-6.4 0,-4 c2.6,-2.4 5,0.6 0,4 Z"
    return [
        path(f"M{x:.2f},{y - 0.6:.2f} {heart}", color, stroke=None)
        for x, y in panel.grid(8, 6.6, margin=3)
    ]


PATTERNS: dict[str, Callable[[GarmentPanel, str], list[Shape]]] = {
    "pleats": _pleats,
    "bands": _bands,
    "spots": _spots,
    "checks": _checks,
    "zigzags": _zigzags,
    "fur": _fur,
    "flowers": _flowers,
    "knit": _knit,
    "bricks": _bricks,
    "plates": _plates,
    "lamellar": _lamellar,
    "hearts": _hearts,
}


def limb(points: Sequence[Point], fill: str, width: float) -> list[Shape]:
    """Return an arm or leg along a shoulder, an elbow and a hand.

    It is a thick bent stroke with an ink outline and a shadow side.
    """
    (x0, y0), (x1, y1), (x2, y2) = points
    d = (
        f"M{x0:.2f},{y0:.2f} "
        f"Q{2 * x1 - (x0 + x2) / 2:.2f},{2 * y1 - (y0 + y2) / 2:.2f} {x2:.2f},{y2:.2f}"
    )
    dark = (
        f"M{x0 + width * 0.28:.2f},{y0:.2f} "
        f"Q{2 * x1 - (x0 + x2) / 2 + width * 0.28:.2f},{2 * y1 - (y0 + y2) / 2:.2f} "
        f"{x2 + width * 0.28:.2f},{y2:.2f}"
    )
    return [
        *tube(d, width, fill, 2.3),
        path(dark, None, stroke=shade(fill, -0.14), width=width * 0.36),
    ]


def fist(x: float, y: float, skin: str, r: float = 3.5) -> list[Shape]:
    return [
        circle(x, y, r, skin),
        ellipse(x + r * 0.3, y + r * 0.35, r * 0.5, r * 0.4, shade(skin, -0.12), stroke=None),
    ]


def ground_shadow(v: FactValues, reach: float = 24.0) -> list[Part]:
    if v.get("scene") in ("space", "underwater", "sea"):
        return []
    return [part("shadow", ellipse(0, 46.5, reach, 2.8, "#20222c", stroke=None, opacity=0.2))]


def bare_head(
    skin: str, hair: str, y: float = -27.0, mouth: str = "smile", kohl: bool = False
) -> list[Shape]:
    """Ears, head and a friendly face; `hair` colors the brows."""
    blush = shade("#e8604c", 0.1)
    low = shade(skin, -0.13)
    shapes = [ellipse(s * 10.6, y + 1, 2.3, 3, low) for s in (-1, 1)]
    shapes += [
        path(
            f"M-10.6,{y - 2} C-10.6,{y - 15} 10.6,{y - 15} 10.6,{y - 2} "
            f"C10.6,{y + 8} 5,{y + 12} 0,{y + 12} C-5,{y + 12} -10.6,{y + 8} "
            f"-10.6,{y - 2} Z",
            skin,
        ),
        path(
            f"M6,{y - 10} C10.5,{y - 7} 10,{y - 2} 10,{y - 2} "
            f"C10,{y + 7.6} 5,{y + 11.4} 0.6,{y + 11.4} C6,{y + 8} 8.4,{y} 6,{y - 10} Z",
            low,
            stroke=None,
        ),
    ]
    for s in (-1, 1):
        x = s * 4.3
        shapes.append(ellipse(s * 6.6, y + 4.4, 2.3, 1.6, blush, stroke=None, opacity=0.38))
        if kohl:
            shapes.append(
                path(
                    f"M{x - s * 2.4},{y + 0.8} Q{x},{y - 2.4} {x + s * 4.6},{y + 1.4}",
                    None,
                    width=1.2,
                )
            )
        shapes += [
            ellipse(x, y + 0.6, 1.35, 1.75, INK, stroke=None),
            circle(x - 0.4, y - 0.1, 0.5, "#ffffff", stroke=None),
        ]
        shapes.append(
            path(
                f"M{x - s * 2.2},{y - 3.0} q{s * 2.2},-1.6 {s * 4.4},0.1",
                None,
                stroke=shade(hair, -0.1),
                width=1.2,
            )
        )
    shapes.append(
        path(f"M-0.2,{y + 2} q1.5,2 -0.6,2.2", None, stroke=shade(skin, -0.38), width=0.9)
    )
    bend = {"smile": 2.8, "calm": 1.3}[mouth]
    shapes.append(path(f"M-2.9,{y + 6.6} q2.9,{bend} 5.8,0", None, stroke="#7c2f2a", width=1.2))
    return shapes


def short_hair(color: str, y: float = -27.0) -> list[Shape]:
    """Return short hair over a head, to be drawn after it."""
    return [
        path(
            f"M-11,{y} C-13,{y - 17} 13,{y - 17} 11,{y} C9.5,{y - 6} "
            f"5,{y - 8} -2,{y - 8} C-7,{y - 7.4} -9.6,{y - 5} -11,{y} Z",
            color,
        )
    ]


def shoe(x: float, side: int, fill: str, y: float = 46.0) -> list[Shape]:
    d = (
        f"M{x - side * 3.8:.2f},{y:.2f} v-4.6 q0,-1.6 {side * 2},-1.6 "
        f"h{side * 3} q0.6,3 {side * 4.2},3.6 q{side * 1.8},0.6 "
        f"{side * 1.4},2.6 Z"
    )
    return [
        path(d, fill),
        line([(x - side * 3.4, y - 0.7), (x + side * 6, y - 0.7)], shade(fill, -0.3), 1.0),
    ]


def in_hand(name: str, shapes: Sequence[Shape], x: float, y: float, turn: float = 0.0) -> Part:
    """Return a thing drawn upright around its grip at (0, 0), put into a hand."""
    return part(name, shapes).with_transform(put_at(x, y, turn))


def transform_parts(parts: Sequence[Part], transform: str) -> list[Part]:
    return [p.with_transform(transform) for p in parts]


def shaft(top: float, low: float, width: float, fill: str) -> Shape:
    return rect(-width / 2, top, width, low - top, fill, width / 2)


def sword(blade: float) -> list[Shape]:
    """Return a straight sword pointing up from its grip."""
    return [
        polygon([(-2.4, -5), (-2.4, -blade), (0, -blade - 4), (2.4, -blade), (2.4, -5)], BLADE),
        polygon(
            [(0.2, -5), (0.2, -blade - 2), (1.8, -blade), (1.8, -5)],
            shade(BLADE, -0.2),
            stroke=None,
        ),
        rect(-7, -6, 14, 3, "#d9a520", 1.4),
        rect(-1.5, -3.2, 3, 7, LEATHER, 1),
        circle(0, 5, 2.2, "#d9a520"),
    ]


def shield_outline(
    kind: str, x: float, y: float, w: float, h: float, fill: str, width: float = 1.2
) -> Shape:
    if kind == "rectangle":
        bow = h * 0.04
        return path(
            f"M{x - w / 2},{y - h / 2} Q{x},{y - h / 2 - bow} "
            f"{x + w / 2},{y - h / 2} V{y + h / 2} Q{x},{y + h / 2 + bow} "
            f"{x - w / 2},{y + h / 2} Z",
            fill,
            width=width,
        )
    if kind == "round":
        return circle(x, y, h * 0.46, fill, width=width)
    if kind == "triangle":
        return polygon(
            [(x, y - h * 0.5), (x + h * 0.46, y + h * 0.44), (x - h * 0.46, y + h * 0.44)],
            fill,
            width=width,
        )
    if kind == "square":
        return rect(x - w * 0.55, y - w * 0.55, w * 1.1, w * 1.1, fill, 1, width=width)
    top = y - h / 2
    tip = y + h / 2
    return path(
        f"M{x - w / 2},{top} Q{x},{top + 2.5} {x + w / 2},{top} V{y} "
        f"C{x + w / 2},{y + h * 0.3} {x + 2},{tip - 2} {x},{tip} "
        f"C{x - 2},{tip - 2} {x - w / 2},{y + h * 0.3} {x - w / 2},{y} Z",
        fill,
        width=width,
    )
