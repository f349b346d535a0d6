"""Draws two scene graphs side by side as a picture, as the page lays them out.

It knows no run and writes no file.
"""

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from hallascope.data.evidence import Evidence
from hallascope.data.graph_layout.curves import SMALL, Curve, Point
from hallascope.data.graph_layout.layout import (
    LINE,
    PAD,
    TEXT,
    Block,
    Chip,
    Layout,
    Link,
    layout,
)
from hallascope.data.graph_layout.pairs import pairs
from hallascope.data.graph_layout.places import Place
from hallascope.data.graph_layout.rows import Kind

SCALE = 2  # px of the picture for one of the layout
MARGIN = 12  # px of the layout around all
LARGEST = 16_000  # px of a side; what would be larger is drawn smaller
PAPER, INK, SOFT, QUIET, LINE_COLOUR = "#ffffff", "#1d1f24", "#5c6270", "#f4f2ed", "#8b8a86"
COLOURS: dict[Kind | None, str] = {
    "correct": "#1a7f4e",
    "incorrect": "#b3261e",
    "left-out": "#7a5b00",
    None: LINE_COLOUR,
}
_SIGNS: dict[Kind, Sequence[Sequence[Point]]] = {  # lines in a box of 12 x 12, as on the page
    "correct": (((2.4, 6.5), (4.9, 9), (9.6, 3.5)),),
    "incorrect": (((3, 3), (9, 9)), ((9, 3), (3, 9))),
    "left-out": (
        ((4, 4.4), (4.6, 3), (6, 2.6), (7.4, 3), (7.6, 4.6), (6.2, 6), (6, 7.2)),
        ((6, 9.4), (6, 9.8)),
    ),
}
_FONTS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "Arial.ttf",
)  # Pillow's own lacks many scripts
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def png(evidence: Evidence) -> bytes:
    """Both graphs of the evidence as PNG, two px for each of the page.

    Raises ValueError where it has none.
    """
    if evidence.graphs is None:
        raise ValueError(
            "There are no scene graphs to draw: evaluate the picture with scene-graph."
        )
    placed = layout(pairs(evidence.graphs, evidence.findings), _measure)
    file = BytesIO()
    drawn(placed).save(file, "PNG", compress_level=3)
    return file.getvalue()


def drawn(placed: Layout) -> Image.Image:
    """The layout as a picture; relations that nothing rests on are thin lines without words."""
    scale = min(SCALE, LARGEST / (max(placed.width, placed.height) + 2 * MARGIN))
    size = (round((placed.width + 2 * MARGIN) * scale), round((placed.height + 2 * MARGIN) * scale))
    page = Image.new("RGB", size, PAPER)
    pen = Pen(ImageDraw.Draw(page), scale, MARGIN - placed.left, MARGIN)
    for heading in placed.headings:
        pen.text((heading.x, heading.y - 13), heading.text, 13, SOFT)
    for link in placed.links:
        _link(pen, link)
    for curve in sorted(placed.curves, key=lambda curve: not curve.quiet):
        _curve(pen, curve)
    for block in placed.blocks:
        _block(pen, block)
    return page


# --- fonts
# --------------------------------------------------------------------------------------------------------------------


@cache
def _font(size: float) -> Font:
    """A font of the system that knows many scripts, else the one that Pillow brings along."""
    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def _measure(text: str, size: float) -> float:
    return float(_font(size).getlength(text))


class Pen:
    """Draws in px of the layout on a picture of another size."""

    def __init__(self, draw: ImageDraw.ImageDraw, scale: float, left: float, top: float) -> None:
        self.draw, self.scale, self.left, self.top = draw, scale, left, top

    def at(self, point: Point) -> Point:
        return (point[0] + self.left) * self.scale, (point[1] + self.top) * self.scale

    def line(self, points: Sequence[Point], ink: str, width: float) -> None:
        self.draw.line(
            [self.at(point) for point in points],
            fill=ink,
            width=max(1, round(width * self.scale)),
            joint="curve",
        )

    def dashes(self, points: Sequence[Point], ink: str, width: float) -> None:
        """Every second of the short lines between the points."""
        for one, other in zip(points[::2], points[1::2], strict=False):
            self.line((one, other), ink, width)

    def shape(self, points: Sequence[Point], fill: str) -> None:
        self.draw.polygon([self.at(point) for point in points], fill=fill)

    def box(
        self,
        place: Place,
        radius: float,
        fill: str | None,
        ink: str | None = None,
        width: float = 1.4,
    ) -> None:
        sides = (*self.at((place.x, place.y)), *self.at((place.right, place.bottom)))
        self.draw.rounded_rectangle(
            sides, radius * self.scale, fill, ink, round(width * self.scale) if ink else 0
        )

    def text(self, place: Point, words: str, size: float, ink: str, bold: bool = False) -> None:
        stroke = self.scale * 0.25 if bold else 0
        self.draw.text(self.at(place), words, ink, _font(size * self.scale), stroke_width=stroke)

    def sign(self, kind: Kind | None, place: Point) -> None:
        """The sign of a state, 12 px wide, with its upper left corner there."""
        for points in _SIGNS[kind] if kind else ():
            self.line([(place[0] + x, place[1] + y) for x, y in points], COLOURS[kind], 1.8)


# --- what there is to draw
# ------------------------------------------------------------------------------------------------------


def _block(pen: Pen, block: Block) -> None:
    place = block.place
    pen.box(place, 10, PAPER, None if block.dashed else COLOURS[block.kind])
    if block.dashed:
        pen.dashes(_round(place), COLOURS[block.kind], 1.4)
    pen.sign(block.kind, (place.right - 24, place.y + PAD))
    top = place.y + PAD if block.thing else place.middle - LINE / 2 * len(block.lines)
    for i, line in enumerate(block.lines):
        pen.text(
            (place.x + PAD, top + LINE * i),
            line,
            TEXT,
            INK if block.thing else SOFT,
            bold=block.thing is not None,
        )
    for chip in block.chips:
        _words(pen, chip, QUIET, None)


def _round(place: Place, step: float = 5.0) -> list[Point]:
    """Points along the outline of a rectangle, so far apart."""
    corners = [
        (place.x, place.y),
        (place.right, place.y),
        (place.right, place.bottom),
        (place.x, place.bottom),
        (place.x, place.y),
    ]
    found: list[Point] = []
    for (x, y), (end, lower) in pairwise(corners):
        many = max(2, 2 * round((abs(end - x) + abs(lower - y)) / step / 2))
        found += [(x + (end - x) * i / many, y + (lower - y) * i / many) for i in range(many)]
    return found


def _words(pen: Pen, chip: Chip, fill: str, ink: str | None) -> None:
    """Words in their rectangle, after the sign of their state."""
    place = chip.place
    pen.box(place, 6, fill, ink, 1)
    pen.sign(chip.kind, (place.x + 5, place.y + 4))
    ink = COLOURS["incorrect"] if chip.kind == "incorrect" else INK
    pen.text((place.x + 7 + (14 if chip.kind else 0), place.y + 2.5), chip.text, SMALL, ink)


def _curve(pen: Pen, curve: Curve) -> None:
    points = [curve.at(i / 40) for i in range(41)]
    ink = "#e4e1da" if curve.quiet else COLOURS[curve.kind]
    (pen.dashes if curve.dashed else pen.line)(points, ink, 1.0 if curve.quiet else 1.6)
    (x, y), way = curve.end, -7 if curve.side == "asked" else 7
    pen.shape(((x, y), (x + way, y - 4), (x + way, y + 4)), ink)
    if not curve.quiet:
        _words(pen, Chip(curve.label, curve.text, curve.kind), PAPER, ink)


def _link(pen: Pen, link: Link) -> None:
    ink = COLOURS[link.kind] if link.kind else "#e4e1da"
    pen.line((link.start, link.end), ink, 1.2)
    if link.kind:
        x, y = (link.start[0] + link.end[0]) / 2, (link.start[1] + link.end[1]) / 2
        pen.box(Place(x - 10, y - 10, 20, 20), 10, PAPER, ink, 1.2)
        pen.sign(link.kind, (x - 6, y - 6))
