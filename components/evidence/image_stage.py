"""Shows the image of an exhibit: zoomable, with its marks as an overlay.

Outlines, boxes and labels can be switched off.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from hallascope.components.evidence.exhibit import Exhibit, ImageRegion, size
from hallascope.components.evidence.image_tags import tag_row
from hallascope.components.html.markup import icon, image, join, key_attributes, tag, undrawn
from hallascope.components.html.signs import ICONS
from hallascope.data.outlines import OutlinePoint, Polygon, area, middle

BOX = 4000  # the overlay's own units across the image; whole ones are fine enough
# the cosine of a turn of 37 degrees; a smaller turn is drawn as a curve, a larger one is a corner
_GENTLE = 0.8
_SHOWN = {"masks": "Masks", "boxes": "Boxes", "labels": "Labels"}
_ZOOM = {"out": ("−", "Zoom out"), "fit": ("100 %", "The whole image"), "in": ("+", "Zoom in")}


def picture(exhibit: Exhibit) -> Markup:
    """Return the panel with the image, its tools, and the line that says what is marked."""
    heading = tag("h2", "Image ", tag("span", exhibit.name, class_="which"))
    if not exhibit.path:
        stage = tag("div", tag("p", exhibit.placeholder), class_="stage empty")
        return tag("section", heading, stage, class_="panel picture")
    revised = Markup()
    if exhibit.revised:  # faults may come from it
        summary = tag("summary", "The provider rewrote the prompt")
        revised = tag("details", summary, tag("p", exhibit.revised), class_="revised")
    return tag(
        "section",
        heading,
        _stage(exhibit, exhibit.path),
        _tools(exhibit.marks),
        tag("p", exhibit.hint, class_="hint", aria_live="polite", data_idle=exhibit.hint),
        tag_row(exhibit.tags) if exhibit.tags is not None else Markup(),
        revised,
        class_="panel picture",
    )


def _stage(exhibit: Exhibit, path: Path) -> Markup:
    """Return what zooms and moves: the image, its marks and their labels."""
    width, height = size(path)
    labels = [_tag(mark) + _numbers(mark) for mark in exhibit.marks if mark.polygons or mark.box]
    canvas = tag(
        "div",
        image(path, exhibit.alt, width, height),
        overlay(exhibit.marks),
        # the script draws them where labels are on, or what is chosen is counted
        tag("div", undrawn(*labels), class_="tags", aria_hidden="true"),
        class_="canvas",
    )
    return tag(
        "div",
        canvas,
        class_="stage",
        tabindex="0",
        role="group",
        aria_label="The image: plus and minus zoom, arrows move it",
    )


def _tools(marks: Sequence[ImageRegion]) -> Markup:
    useful = {"masks": bool(marks), "boxes": any(mark.box for mark in marks), "labels": bool(marks)}
    toggles = (
        tag("button", label, class_="toggle", data_show=name, aria_pressed="false")
        for name, label in _SHOWN.items()
        if useful[name]
    )
    zoom = (
        tag("button", sign, data_zoom=way, aria_label=label, title=label)
        for way, (sign, label) in _ZOOM.items()
    )
    return tag(
        "div",
        tag("span", *toggles, class_="toggles"),
        tag("span", *zoom, class_="zoom"),
        class_="tools",
        role="toolbar",
        aria_label="How the image is shown",
    )


# --- outlines and boxes ---


def overlay(marks: Sequence[ImageRegion]) -> Markup:
    """Return all marks, small ones over large ones, each a button that leads there and back."""
    order = sorted(range(len(marks)), key=lambda i: -_extent(marks[i]))
    around = join(tag("rect", width=BOX, height=BOX, fill="#fff"), tag("path", d=""))
    return tag(
        "svg",
        tag("mask", around, class_="around"),
        tag("rect", class_="veil", width=BOX, height=BOX),
        tag("rect", class_="whole", width=BOX, height=BOX),
        tag("path", class_="halo", d=""),
        *(_region(i, marks[i]) for i in order),
        class_="overlay",
        viewBox=f"0 0 {BOX} {BOX}",
        preserveAspectRatio="none",
        role="group",
        aria_label="Parts of the image",
        data_ring="marks",
    )


def outline(shape: Polygon) -> str:
    """Return a polygon as SVG path data in the overlay's units.

    Its curves go through the middles of its sides, but its corners stay corners.
    """
    points = np.round(np.asarray(shape) * BOX).astype(int)
    sides = np.roll(points, -1, axis=0) - points
    middles = points + sides // 2
    start = middles[-1]
    path = f"M{_pair(start)}"
    for point, end, cosine in zip(points, middles, _turn_cosines(sides), strict=True):
        if cosine > _GENTLE:
            path += f"q{_pair(point - start)} {_pair(end - start)}"
        else:
            path += f"l{_pair(point - start)} {_pair(end - point)}"
        start = end
    return path + "z"


def _turn_cosines(sides: NDArray[np.int_]) -> NDArray[np.float64]:
    """Return the cosine of the turn from each side's predecessor to it; `sides` is (n, 2)."""
    before = np.roll(sides, 1, axis=0)
    lengths = np.maximum(np.hypot(*sides.T), 1)
    cosines: NDArray[np.float64] = (sides * before).sum(axis=1) / (lengths * np.roll(lengths, 1))
    return cosines


def _pair(vector: NDArray[np.int_]) -> str:
    return f"{vector[0]} {vector[1]}"


def _extent(mark: ImageRegion) -> float:
    """Return about the share of the image that the mark covers.

    What has no outline counts by its box.
    """
    if mark.polygons:
        return sum(abs(area(shape)) for shape in mark.polygons)
    return mark.box.area if mark.box else 0.0


def _region(order: int, mark: ImageRegion) -> Markup:
    name = f"{mark.name}: {mark.words}" if mark.words else mark.name
    quiet = "quiet" if mark.quiet else None
    return tag(
        "g",
        tag("title", name),
        _shape(mark),
        _box(mark),
        class_=" ".join(filter(None, ("region", mark.kind, quiet))),
        tabindex="-1",
        role="button",
        aria_pressed="false",
        data_order=order,
        data_part=mark.name,
        **key_attributes(mark.keys, mark.under),
        aria_label=name,
    )


def _shape(mark: ImageRegion) -> Markup:
    """Return the outlines in one path.

    It is the box where there are none, so that it can be pointed at all the same.
    """
    shapes = mark.polygons
    if not shapes and mark.box:
        shapes = (mark.box.corners,)
    return tag("path", class_="shape", d="".join(outline(shape) for shape in shapes))


def _box(mark: ImageRegion) -> Markup:
    if not mark.box:
        return Markup()
    left, top, right, bottom = (BOX * side for side in mark.box.sides)
    return tag(
        "rect",
        class_="box",
        x=f"{left:.0f}",
        y=f"{top:.0f}",
        width=f"{right - left:.0f}",
        height=f"{bottom - top:.0f}",
    )


# --- labels and numbers ---
# They are HTML over the overlay, so that an oblong image does not stretch them.


def _tag(mark: ImageRegion) -> Markup:
    """Return the name at the upper edge.

    Where it would leave the image it goes inside, or ends at the right edge.
    """
    left, top, right, _ = mark.box.sides if mark.box else _bounds(mark)
    low = top < 0.07
    flip = left > 0.6
    names = ("tag", mark.kind, "low" if low else None, "flip" if flip else None)
    return tag(
        "span",
        icon(ICONS[mark.kind]) if mark.kind else "",
        mark.name,
        class_=" ".join(filter(None, names)),
        **key_attributes(mark.keys, mark.under),
        style=f"left:{100 * (right if flip else left):.2f}%;top:{100 * top:.2f}%",
    )


def _bounds(mark: ImageRegion) -> tuple[float, float, float, float]:
    xs, ys = np.concatenate([np.asarray(shape) for shape in mark.polygons]).T
    return float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())


def _numbers(mark: ImageRegion) -> Markup:
    places = sort_clockwise([middle(shape) for shape in countable_outlines(mark.polygons)])
    return join(
        *(
            tag(
                "span",
                number,
                class_="count",
                **key_attributes(mark.keys, mark.under),
                style=f"left:{100 * x:.2f}%;top:{100 * y:.2f}%",
            )
            for number, (x, y) in enumerate(places, 1)
        )
    )


def countable_outlines(shapes: Sequence[Polygon]) -> list[Polygon]:
    """Return the shapes that can be counted, without holes and slivers.

    Holes run the other way round; slivers are of something half hidden.
    """
    largest = max((area(shape) for shape in shapes), key=abs, default=0.0)
    return [
        shape
        for shape in shapes
        if area(shape) * largest > 0 and abs(area(shape)) > abs(largest) / 8
    ]


def sort_clockwise(places: Sequence[OutlinePoint]) -> list[OutlinePoint]:
    """Return the places in clockwise order round their common middle, the topmost first."""
    if not places:
        return []
    x, y = np.mean(places, axis=0)
    turns = np.array([np.arctan2(cx - x, y - cy) for cx, cy in places])
    turns -= turns[np.argmin([cy for _, cy in places])]
    return [places[i] for i in np.argsort(turns % (2 * np.pi), kind="stable")]
