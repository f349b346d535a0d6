"""Where the parts of a Primer drawing are in the picture: evidence for people to look at, never for a judge."""

from collections.abc import Mapping
from typing import Any

Polygon = tuple[tuple[float, float], ...]
SIZE = 320  # pixels of the part map the outlines are taken from
_LEAST = 6  # pixels; smaller islands are not shown


def regions(truth: Mapping[str, Any]) -> dict[str, tuple[Polygon, ...]]:
    """Outlines by the name of the part, and by the name of the concept it belongs to, in [0, 1] from the upper left.

    `truth` is what a draughtsman kept of the picture; {} where it says nothing of a drawing.
    """
    if "values" not in truth:
        return {}
    import numpy as np

    from data.primer import scenes

    drawing = scenes.parse(truth["prompt"]).draw(truth["values"], truth["chance"])
    index = drawing.part_map(SIZE)
    found: dict[str, tuple[Polygon, ...]] = {}
    for i, part in enumerate(drawing.parts):  # each by itself: parts that touch are still counted apart
        found[part.name] = found.get(part.name, ()) + outlines(index == i)
    for owner in {part.owner for part in drawing.parts} - set(found):
        found[owner] = outlines(np.isin(index, [i for i, part in enumerate(drawing.parts) if part.owner == owner]))
    return {name: polygons for name, polygons in found.items() if polygons}


def outlines(mask: Any) -> tuple[Polygon, ...]:
    """The outlines of a boolean mask of shape (height, width), points (x, y) in [0, 1]; islands of a few pixels are left out."""
    import contourpy
    import numpy as np

    height, width = mask.shape
    padded = np.pad(mask.astype(float), 1)
    lines = contourpy.contour_generator(z=padded).lines(0.5)
    polygons = []
    for line in lines:
        points = np.asarray(line) - 0.5  # one pixel of padding, half a pixel to the pixel's corner
        if _area(points) >= _LEAST:
            kept = points[:: max(1, len(points) // 160)]
            polygons.append(tuple((round(float(x) / width, 4), round(float(y) / height, 4)) for x, y in kept))
    return tuple(polygons)


def _area(points: Any) -> float:
    x, y = points[:, 0], points[:, 1]
    return abs(float((x[:-1] * y[1:] - x[1:] * y[:-1]).sum())) / 2
