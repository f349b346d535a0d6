"""Shows the picture of an exhibit as HTML: zoomable, with its marks as an overlay.

Outlines, boxes and labels can be switched off.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hallascope.components.evidence.exhibit import Exhibit, ImageRegion, size
from hallascope.components.html.markup import icon, image, keyed, text
from hallascope.data.outlines import OutlinePoint, Polygon, area, middle

BOX = 4000  # the overlay's own units across the picture; whole ones are fine enough
# the cosine of a turn of 37 degrees; a smaller turn is drawn as a curve, a larger one is a corner
_GENTLE = 0.8
_SIGNS = {"correct": "check", "incorrect": "cross", "left-out": "question"}
_SHOWN = {"masks": "Outlines", "boxes": "Boxes", "labels": "Labels"}
_ZOOM = {"out": ("−", "Zoom out"), "fit": ("100 %", "The whole picture"), "in": ("+", "Zoom in")}


def picture(shown: Exhibit) -> str:
    """Return the panel with the picture, its tools, and the line that says what is marked."""
    heading = f'<h2>Picture <span class="which">{text(shown.name)}</span></h2>'
    if not shown.path:
        return (
            f'<section class="panel picture">{heading}<div class="stage'
            f' empty"><p>{text(shown.placeholder)}</p></div></section>'
        )
    width, height = size(shown.path)
    return (
        f'<section class="panel picture">{heading}<div class="stage" tabindex="0" role="group"'
        ' aria-label="The picture: plus and minus zoom, arrows move it">'
        f'<div class="canvas">{image(shown.path, shown.alt, width, height)}'
        f"{overlay(shown.marks)}{_tags(shown.marks)}</div></div>{_tools(shown.marks)}"
        f'<p class="hint" aria-live="polite" data-idle="{text(shown.hint)}">{text(shown.hint)}</p>'
        f"{_revised(shown.revised)}</section>"
    )


def _revised(prompt: str | None) -> str:
    """Return the prompt as the service changed it, from which faults may come."""
    return (
        '<details class="revised"><summary>The service changed the'
        f" prompt</summary><p>{text(prompt)}</p></details>"
        if prompt
        else ""
    )


def _tools(marks: Sequence[ImageRegion]) -> str:
    there = {"masks": bool(marks), "boxes": any(mark.box for mark in marks), "labels": bool(marks)}
    toggles = "".join(
        f'<button type="button" class="toggle" data-show="{name}"'
        f' aria-pressed="false">{label}</button>'
        for name, label in _SHOWN.items()
        if there[name]
    )
    zoom = "".join(
        f'<button type="button" data-zoom="{way}" aria-label="{label}"'
        f' title="{label}">{sign}</button>'
        for way, (sign, label) in _ZOOM.items()
    )
    return (
        '<div class="tools" role="toolbar" aria-label="How the picture is shown"><span'
        f' class="toggles">{toggles}</span><span class="zoom">{zoom}</span></div>'
    )


# --- outlines and boxes
# --------------------------------------------------------------------------------------------------


def overlay(marks: Sequence[ImageRegion]) -> str:
    """Return all marks, small ones over large ones, each a button that leads there and back."""
    drawn = "".join(
        _region(i, marks[i]) for i in sorted(range(len(marks)), key=lambda i: -_extent(marks[i]))
    )
    return (
        f'<svg class="overlay" viewBox="0 0 {BOX} {BOX}" preserveAspectRatio="none" role="group"'
        ' aria-label="Parts of the picture" data-ring="marks"><mask class="around"><rect'
        f' width="{BOX}" height="{BOX}" fill="#fff"/><path d=""/></mask><rect class="veil"'
        f' width="{BOX}" height="{BOX}"/><rect class="whole" width="{BOX}" height="{BOX}"/><path'
        f' class="halo" d=""/>{drawn}</svg>'
    )


def outline(shape: Polygon) -> str:
    """Return a polygon as SVG path data in the overlay's units.

    Its curves go through the middles of its sides, but its corners stay corners.
    """
    points = np.round(np.asarray(shape) * BOX).astype(int)
    sides = np.roll(points, -1, axis=0) - points
    middles = points + sides // 2
    lengths = np.maximum(np.hypot(*sides.T), 1)
    turns = (sides * np.roll(sides, 1, axis=0)).sum(axis=1) / (lengths * np.roll(lengths, 1))
    parts = [f"M{_pair(middles[-1])}"]
    at = middles[-1]
    for point, end, turn in zip(points, middles, turns, strict=True):
        parts.append(
            f"q{_pair(point - at)} {_pair(end - at)}"
            if turn > _GENTLE
            else f"l{_pair(point - at)} {_pair(end - point)}"
        )
        at = end
    return "".join(parts) + "z"


def _pair(vector: NDArray[np.int_]) -> str:
    return f"{vector[0]} {vector[1]}"


def _extent(mark: ImageRegion) -> float:
    """Share of the picture that the mark covers, more or less.

    What has no outline counts by its box.
    """
    if mark.polygons:
        return sum(abs(area(shape)) for shape in mark.polygons)
    return mark.box.area if mark.box else 0.0


def _region(order: int, mark: ImageRegion) -> str:
    name = f"{mark.name}: {mark.words}" if mark.words else mark.name
    classes = " ".join(filter(None, ("region", mark.kind, "quiet" if mark.quiet else None)))
    return (
        f'<g class="{classes}" tabindex="-1" role="button" aria-pressed="false"'
        f' data-order="{order}" data-part="{text(mark.name)}" {keyed(mark.keys, mark.under)}'
        f' aria-label="{text(name)}"><title>{text(name)}</title>{_shape(mark)}{_box(mark)}</g>'
    )


def _shape(mark: ImageRegion) -> str:
    """The outlines in one path.

    The box where there are none, so that it can be pointed at all the same.
    """
    shapes = mark.polygons or ((_corners(mark),) if mark.box else ())
    return f'<path class="shape" d="{"".join(outline(shape) for shape in shapes)}"/>'


def _corners(mark: ImageRegion) -> Polygon:
    left, top, right, bottom = mark.box.sides if mark.box else (0.0, 0.0, 1.0, 1.0)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _box(mark: ImageRegion) -> str:
    if not mark.box:
        return ""
    left, top, right, bottom = (BOX * side for side in mark.box.sides)
    return (
        f'<rect class="box" x="{left:.0f}" y="{top:.0f}" width="{right - left:.0f}"'
        f' height="{bottom - top:.0f}"/>'
    )


# --- labels and numbers: HTML over the overlay, so that an oblong picture does not stretch them
# ----------------------------------


def _tags(marks: Sequence[ImageRegion]) -> str:
    body = "".join(_tag(mark) + _numbers(mark) for mark in marks if mark.polygons or mark.box)
    return f'<div class="tags" aria-hidden="true">{body}</div>'


def _tag(mark: ImageRegion) -> str:
    """The name at the upper edge.

    Where it would leave the picture it goes inside, or ends at the right edge.
    """
    left, top, right, _ = mark.box.sides if mark.box else _bounds(mark)
    low = top < 0.07
    flip = left > 0.6
    names = ("tag", mark.kind, "low" if low else None, "flip" if flip else None)
    classes = " ".join(filter(None, names))
    sign = icon(_SIGNS[mark.kind]) if mark.kind else ""
    place = f"left:{100 * (right if flip else left):.2f}%;top:{100 * top:.2f}%"
    return (
        f'<span class="{classes}" {keyed(mark.keys, mark.under)}'
        f' style="{place}">{sign}{text(mark.name)}</span>'
    )


def _bounds(mark: ImageRegion) -> tuple[float, float, float, float]:
    xs, ys = np.concatenate([np.asarray(shape) for shape in mark.polygons]).T
    return float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())


def _numbers(mark: ImageRegion) -> str:
    return "".join(
        f'<span class="count" {keyed(mark.keys, mark.under)}'
        f' style="left:{100 * x:.2f}%;top:{100 * y:.2f}%">{n}</span>'
        for n, (x, y) in enumerate(
            sort_clockwise([middle(shape) for shape in countable_outlines(mark.polygons)]), 1
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
    """Round their common middle as the hand of a clock goes, from the topmost on."""
    if not places:
        return []
    x, y = np.mean(places, axis=0)
    turns = np.array([np.arctan2(cx - x, y - cy) for cx, cy in places])
    turns -= turns[np.argmin([cy for _, cy in places])]
    return [places[i] for i in np.argsort(turns % (2 * np.pi), kind="stable")]
