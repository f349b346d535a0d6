"""Finds the parts of a Primer drawing in the picture: evidence for people, not for judges."""

from collections.abc import Mapping
from typing import Any

from hallascope.data.outlines import Polygon, trace

SIZE = 320  # pixels of the part map the outlines are taken from


def regions(truth: Mapping[str, Any]) -> dict[str, tuple[Polygon, ...]]:
    """Return outlines by the name of the part and of its concept, in [0, 1].

    They are measured from the upper left.

    `truth` is what a draughtsman kept of the picture; {} where it says nothing of a drawing.
    """
    if "values" not in truth:
        return {}
    import numpy as np

    from hallascope.primer import scenes

    drawing = scenes.parse(truth["prompt"]).draw(truth["values"], truth["chance"])
    index = drawing.part_map(SIZE)
    outlines: dict[str, tuple[Polygon, ...]] = {}
    # each part by itself: parts that touch are still counted apart
    for i, part in enumerate(drawing.parts):
        outlines[part.name] = outlines.get(part.name, ()) + trace(index == i)
    for owner in {part.owner for part in drawing.parts} - set(outlines):
        own_parts = [i for i, part in enumerate(drawing.parts) if part.owner == owner]
        outlines[owner] = trace(np.isin(index, own_parts))
    return {name: polygons for name, polygons in outlines.items() if polygons}
