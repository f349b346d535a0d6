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
    found: dict[str, tuple[Polygon, ...]] = {}
    for i, part in enumerate(
        drawing.parts
    ):  # each by itself: parts that touch are still counted apart
        found[part.name] = found.get(part.name, ()) + trace(index == i)
    for owner in {part.owner for part in drawing.parts} - set(found):
        found[owner] = trace(
            np.isin(index, [i for i, part in enumerate(drawing.parts) if part.owner == owner])
        )
    return {name: polygons for name, polygons in found.items() if polygons}
