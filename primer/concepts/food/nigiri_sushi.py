"""Draws the grains of the rice under a slice of fish, which lie by chance."""

from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import is_inside, oval, scale_points, soft
from hallascope.primer.drawing.parts import Art, Shape, shade
from hallascope.primer.world import DrawnValues


def grains(v: DrawnValues, art: Art) -> Sequence[Shape]:
    half = 29.0 if v["longer"] == "slice" else 45.0
    top = -4.0 if v["slice place"] == "top" else -28.0
    right = [(half - 4, top), (half, top + 18), (half - 2, top + 34)]
    left = [(-x, y) for x, y in reversed(right)]
    form = soft([left[-1], *right, *left[:-1]], 9)
    white = art.tone("white")
    places = [
        (-half + 3.5 + i * 5.6 + (row % 2) * 2.7, top + 3.5 + row * 4.55, row)
        for row in range(7)
        for i in range(int(half / 2.7))
    ]
    return [
        oval(
            x + art.vary(-0.8, 0.8),
            y + art.vary(-0.7, 0.7),
            3.5,
            2.1,
            art.vary(-70, 70),
            shade(white, -0.02 - 0.015 * row),
            stroke="#a9a294",
            width=0.55,
        )
        for x, y, row in places
        if x < half - 2.5 and is_inside(scale_points(form, 0.95, 0, top + 17), x, y)
    ]
