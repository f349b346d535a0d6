"""Draws named vector parts as SVG, as pixels and as exact masks."""

import colorsys
import io
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypedDict, TypeVar, Unpack
from xml.sax.saxutils import quoteattr

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from hallascope.data.regions import Box

INK = "#23242b"

# The tones of the named colors. Every drawing varies them a little (see `Art.tone`), so a color is
# never one exact value, yet two names never come near each other.
PALETTE: dict[str, str] = {
    "red": "#d0342c",
    "orange": "#ef8a2b",
    "yellow": "#f4cb3c",
    "green": "#3f9a52",
    "blue": "#2f6fc9",
    "light blue": "#8cc6ee",
    "purple": "#7a4bb0",
    "pink": "#ee8fb4",
    "brown": "#8a5a35",
    "black": "#2f2f38",
    "grey": "#8d929c",
    "white": "#fbfaf5",
    "gold": "#d9a520",
    "beige": "#e6d2a8",
    "skin": "#e0ac7e",
}

WHOLE = Box(0, 0, 1, 1)
Point = tuple[float, float]
T = TypeVar("T")


@dataclass(frozen=True)
class Shape:
    """Holds one filled and outlined SVG path.

    Units: the hundredth of the drawing's box, y pointing down.
    """

    d: str
    fill: str | None = None
    stroke: str | None = INK
    width: float = 1.2
    opacity: float = 1.0

    def svg(self, flat: str | None = None) -> str:
        """Return the markup of the shape.

        With `flat`, everything it covers in that one color without soft edges.
        """
        fill = self.fill or "none"
        stroke = self.stroke or "none"
        if flat is not None:
            fill = flat if self.fill else "none"
            stroke = flat if self.stroke else "none"
        opacity = "" if flat or self.opacity == 1.0 else f' opacity="{self.opacity:g}"'
        crisp = ' shape-rendering="crispEdges"' if flat else ""
        line = (
            f' stroke="{stroke}" stroke-width="{self.width:g}" stroke-linejoin="round"'
            ' stroke-linecap="round"'
        )
        return f'<path d={quoteattr(self.d)} fill="{fill}"{line}{opacity}{crisp}/>'


@dataclass(frozen=True)
class Part:
    """Holds a named part of a concept, such as ``hydrogen atom``.

    Its shapes are drawn in order, later parts over earlier ones. `transform` is an SVG transform
    list that places the part; parts with the same name are counted apart.
    """

    name: str
    shapes: tuple[Shape, ...]
    transform: str = ""
    owner: str = ""

    def with_transform(self, transform: str, owner: str = "") -> "Part":
        return replace(
            self, transform=f"{transform} {self.transform}".strip(), owner=owner or self.owner
        )

    def svg(self, flat: str | None = None) -> str:
        body = "".join(shape.svg(flat) for shape in self.shapes)
        return f"<g transform={quoteattr(self.transform)}>{body}</g>" if self.transform else body


def part(name: str, *shapes: Shape | Sequence[Shape]) -> Part:
    """Return a part from shapes and lists of shapes, drawn in the order given."""
    flat: list[Shape] = []
    for item in shapes:
        flat.extend([item] if isinstance(item, Shape) else item)
    return Part(name, tuple(flat))


# --- primitives: each returns one Shape; the style keywords are those of Style


class Style(TypedDict, total=False):
    """Names the keywords of Shape that say how it is painted, besides its fill."""

    stroke: str | None
    width: float
    opacity: float


def trace(points: Iterable[Point]) -> str:
    """Return the path data of an open polyline."""
    return "M" + " L".join(f"{x:.2f},{y:.2f}" for x, y in points)


def ellipse(
    cx: float, cy: float, rx: float, ry: float, fill: str | None = None, **style: Unpack[Style]
) -> Shape:
    d = (
        f"M{cx - rx:.2f},{cy:.2f} a{rx:.2f},{ry:.2f} 0 1,0 {2 * rx:.2f},0 a{rx:.2f},{ry:.2f} 0 1,0"
        f" {-2 * rx:.2f},0 Z"
    )
    return Shape(d, fill, **style)


def circle(
    cx: float, cy: float, r: float, fill: str | None = None, **style: Unpack[Style]
) -> Shape:
    return ellipse(cx, cy, r, r, fill, **style)


def polygon(points: Iterable[Point], fill: str | None = None, **style: Unpack[Style]) -> Shape:
    return Shape(f"{trace(points)} Z", fill, **style)


def line(
    points: Iterable[Point], stroke: str = INK, width: float = 1.6, opacity: float = 1.0
) -> Shape:
    """Return an open polyline without fill."""
    return Shape(trace(points), None, stroke, width, opacity)


path = Shape  # of any SVG path data: absolute and relative commands, curves and arcs


def rect(
    x: float,
    y: float,
    w: float,
    h: float,
    fill: str | None = None,
    r: float = 0.0,
    **style: Unpack[Style],
) -> Shape:
    """Return a rectangle by its left, top, width and height, with corner radius `r`."""
    r = min(r, w / 2, h / 2)
    if r <= 0:
        return polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], fill, **style)
    a = f"a{r:.2f},{r:.2f} 0 0,1"
    d = (
        f"M{x + r:.2f},{y:.2f} h{w - 2 * r:.2f} {a} {r:.2f},{r:.2f} v{h - 2 * r:.2f} {a}"
        f" {-r:.2f},{r:.2f} h{-(w - 2 * r):.2f} {a} {-r:.2f},{-r:.2f} v{-(h - 2 * r):.2f} {a}"
        f" {r:.2f},{-r:.2f} Z"
    )
    return Shape(d, fill, **style)


def star(
    cx: float,
    cy: float,
    r: float,
    points: int = 5,
    inner: float = 0.45,
    turn: float = -90.0,
    fill: str | None = None,
    **style: Unpack[Style],
) -> Shape:
    """Return a star of `points` tips at radius `r` and valleys at `inner * r`.

    The first tip is at angle `turn` degrees.
    """
    corners = [
        polar(cx, cy, r if i % 2 == 0 else r * inner, turn + i * 180.0 / points)
        for i in range(2 * points)
    ]
    return polygon(corners, fill, **style)


def polar(cx: float, cy: float, r: float, degrees: float) -> Point:
    """Return the point at distance `r` from (cx, cy); 0 degrees points right, 90 down."""
    return cx + r * math.cos(math.radians(degrees)), cy + r * math.sin(math.radians(degrees))


def glow(cx: float, cy: float, r: float) -> Shape:
    """Return a soft white highlight for a round part.

    Draw it inside the part, upper left.
    """
    return ellipse(cx, cy, r, r * 0.8, "#ffffff", stroke=None, opacity=0.45)


# --- color and chance


def shade(color: str, amount: float) -> str:
    """Return the hex color made lighter (amount > 0) or darker (amount < 0), -1 to 1.

    Lighter is towards white, darker towards black.
    """
    channels = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    target = 255 if amount > 0 else 0
    return "#" + "".join(f"{round(c + (target - c) * abs(amount)):02x}" for c in channels)


def blend(first: str, second: str, share: float) -> str:
    """Return the hex color with `share` (0 to 1) of the second color and the rest of the first."""
    pairs = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * (1 - share) + b * share):02x}" for a, b in pairs)


class Art:
    """Holds the chance in one drawing: all variety that is not a fact comes from here, by seed."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(str(seed))
        self._tones: dict[str, str] = {}

    def tone(self, name: str) -> str:
        """Return a hex tone of a named color that varies slightly from drawing to drawing.

        It is the same within one.
        """
        if name not in self._tones:
            red, green, blue = (int(PALETTE[name][i : i + 2], 16) / 255 for i in (1, 3, 5))
            hue, light, full = colorsys.rgb_to_hls(red, green, blue)
            hue = (hue + self.random.uniform(-0.012, 0.012)) % 1.0
            light = min(0.985, max(0.05, light + self.random.uniform(-0.035, 0.035)))
            mixed = colorsys.hls_to_rgb(hue, light, full)
            self._tones[name] = "#" + "".join(f"{round(c * 255):02x}" for c in mixed)
        return self._tones[name]

    def shade(self, color: str, low: float, high: float) -> str:
        """Return a hex color made lighter or darker by a share between the two.

        It is the same within one drawing.
        """
        if color not in self._tones:
            self._tones[color] = shade(color, self.vary(low, high))
        return self._tones[color]

    def vary(self, low: float, high: float) -> float:
        """Return a number between the two, evenly spread."""
        return self.random.uniform(low, high)

    def pick(self, options: Sequence[T]) -> T:
        return self.random.choice(options)


# --- a finished drawing


@dataclass(frozen=True)
class Drawing:
    """Holds a backdrop (SVG markup in a 100 x 100 box) and parts over it, the last on top."""

    backdrop: str
    parts: tuple[Part, ...]

    @cached_property
    def svg(self) -> str:
        return self._wrap(self.backdrop + "".join(p.svg() for p in self.parts))

    def image(self, size: int = 512, view: Box = WHOLE) -> Image.Image:
        """Return RGB pixels, anti-aliased, `size` x `size`.

        Of a square `view` of the picture, where one is given.
        """
        return _pixels(self._wrap(self.backdrop + "".join(p.svg() for p in self.parts), view), size)

    def part_map(self, size: int = 512, view: Box = WHOLE) -> NDArray[np.int16]:
        """Return for each pixel the index of the visible part, -1 where the backdrop shows.

        Shape (size, size).
        """
        flat = "".join(p.svg(f"#{i + 1:06x}") for i, p in enumerate(self.parts))
        ground = '<rect width="100" height="100" fill="#000000"/>'
        raw = np.asarray(_pixels(self._wrap(ground + flat, view), size), dtype=np.int32)
        index: NDArray[np.int16] = (
            (raw[..., 0] << 16) + (raw[..., 1] << 8) + raw[..., 2] - 1
        ).astype(np.int16)
        return index

    @staticmethod
    def _wrap(body: str, view: Box = WHOLE) -> str:
        seen = " ".join(
            f"{100 * side:g}"
            for side in (view.left, view.top, view.right - view.left, view.bottom - view.top)
        )
        # Without sides, a view of 37.5 by 37.5 becomes 125 px by 128.
        sides = "" if view == WHOLE else ' width="100" height="100"'
        return f'<svg xmlns="http://www.w3.org/2000/svg"{sides} viewBox="{seen}">{body}</svg>'


def _pixels(svg: str, size: int) -> Image.Image:
    png = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size, skip_system_fonts=True)
    return Image.open(io.BytesIO(png)).convert("RGB")
