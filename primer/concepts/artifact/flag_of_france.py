"""Draws the bands of a flag of France, bent by the wind."""

from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import FLY, HOIST, LOWER, UPPER, clip, cloth
from hallascope.primer.drawing.parts import Art, Part, part
from hallascope.primer.world import DrawnValues


def bands(v: DrawnValues, art: Art) -> Sequence[Part]:
    corners = [(HOIST, UPPER), (FLY, UPPER), (FLY, LOWER), (HOIST, LOWER)]
    if v["outline"] == "triangle":
        corners = [(HOIST, UPPER - 2), (FLY, (UPPER + LOWER) / 2), (HOIST, LOWER + 2)]
    first, last = v["outer colours"].split()
    middle = v["middle colour"]
    colors = [first, middle, last] if v["bands"] == 3 else [first, last, middle, first, last]
    a, b = {"vertical": (1.0, 0.0), "horizontal": (0.0, 1.0), "diagonal": (0.64, 0.77)}[
        v["direction"]
    ]
    along = [a * x + b * y for x, y in corners]
    weights = [
        2.6 if v["widest"] == "middle" and i == len(colors) // 2 else 1.0
        for i in range(len(colors))
    ]
    unit = (max(along) - min(along)) / sum(weights)
    swell = 5.5 if v["cloth"] == "waves" else 0.0
    start = min(along)
    parts = []
    for name, weight in zip(colors, weights, strict=True):
        parts.append(
            part(
                "band",
                cloth(clip(corners, a, b, start, start + unit * weight), art.tone(name), swell),
            )
        )
        start += unit * weight
    return parts
