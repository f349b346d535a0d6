"""Draws what lies on a hamburger by chance: specks on the patty, seeds on the bun."""

from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import oval
from hallascope.primer.drawing.parts import Art, Part, Shape, part, shade
from hallascope.primer.world import DrawnValues

MEAT = "#7a4a2e"


def _bun_heights(v: DrawnValues) -> tuple[float, float]:
    return (39.0, 18.0) if v["thicker"] == "upper" else (23.0, 37.5)


def specks(v: DrawnValues, art: Art) -> Sequence[Shape]:
    low = 47.0 if v["patty place"] == "below" else 47.5 - _bun_heights(v)[1]
    return [
        oval(
            art.vary(-38, 38),
            low - art.vary(3.5, 13.5),
            1.4,
            0.9,
            art.vary(0, 90),
            shade(MEAT, art.pick((-0.3, 0.2))),
            stroke=None,
        )
        for _ in range(22)
    ]


def sesame(v: DrawnValues, art: Art) -> Sequence[Part]:
    upper, lower = _bun_heights(v)
    low = 25.5 - lower if v["patty place"] == "below" else 25.0 - lower
    places = (
        (-0.5, 0.42),
        (-0.27, 0.62),
        (0.0, 0.5),
        (0.27, 0.62),
        (0.5, 0.42),
        (-0.12, 0.8),
        (0.13, 0.8),
    )
    return [
        part(
            "sesame seed",
            oval(
                x * 40 + art.vary(-1, 1),
                low - y * upper,
                2.7,
                1.6,
                art.vary(-40, 40),
                "#fbefcf",
                stroke="#8a5a26",
                width=0.7,
            ),
        )
        for x, y in places
    ]
