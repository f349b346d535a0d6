"""Draws a zebra by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Callable, Sequence

from hallascope.primer.concepts.animal.forms import Ribbon, Spine, coat_marks, dot_eye
from hallascope.primer.drawing.forms import spread_evenly, tube
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    line,
    part,
    path,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues


def _barrel(wide: float, power: float = 4.0) -> Callable[[float], float]:
    return lambda t: wide * math.sqrt(max(0.0, 1 - abs(2 * t - 1) ** power))


def _mane(kind: str, neck: Ribbon, up: bool, mark: str, white: str) -> list[Shape]:
    if kind == "upright":
        return [
            neck.patch(t, t + 0.1, -1.5, -0.95, mark if i % 2 else white, width=0.9)
            for i, t in enumerate(spread_evenly(9, 0.2 if up else 0.34, 0.94))
        ]
    return [
        neck.patch(
            t,
            t + 0.13,
            -1.25,
            0.62 + 0.2 * (i % 2),
            mark,
            lean=-0.12,
            width=0.7,
            stroke=shade(mark, 0.35),
        )
        for i, t in enumerate(spread_evenly(8, 0.14, 0.85))
    ]


def _tail(kind: str, mark: str, white: str) -> list[Part]:
    return {
        "tuft": [
            part(
                "tail",
                tube("M-35,-5 C-43,-2 -43,8 -42,15", 2.4, white),
                path("M-44,13 C-48,22 -45,29 -42,32 C-38,27 -38,20 -40,13 Z", mark),
            )
        ],
        "bushy": [
            part(
                "tail",
                path(
                    "M-33,-8 C-46,-14 -51,2 -48,16 C-46,28 -40,34 -36,36 C-33,24 -32,14 -31,2 Z",
                    mark,
                ),
                path("M-38,-2 C-43,8 -42,20 -38,28", None, stroke=shade(mark, 0.4), width=1.1),
            )
        ],
        "curly": [
            part(
                "tail",
                tube(
                    "M-34,-4 C-40,-4 -44,-10 -40,-14 "
                    "C-35,-17 -33,-9 -39,-7 C-45,-6 -49,-12 -46,-18",
                    2.8,
                    white,
                ),
            )
        ],
    }[kind]


def _crown(kind: str, skull: Ribbon, up: bool, mark: str, white: str) -> list[Part]:
    """Return what grows on the head: the first part stands before it, the rest behind."""
    px, py = skull.point_at(0.12, -0.9)
    turn = 0 if up else 52
    return {
        "ears": [
            part(
                "ear",
                path("M-3,3 C-6,-6 -2,-11 0,-13 C4,-9 5,-3 3,3 Z", white),
                path("M-1,1 C-2,-4 0,-8 0.4,-9 C2,-6 2,-2 1.4,1 Z", mark, stroke=None),
            ).with_transform(f"translate({px + d:.2f} {py:.2f}) rotate({turn + a}) scale(0.82)")
            for d, a in ((4.5, 16), (-1, -10))
        ],
        "horns": [
            part(
                "horn", path("M-3,3 C-4,-8 -9,-10 -14,-10 C-10,-16 2,-15 3,3 Z", "#c9b184")
            ).with_transform(
                f"translate({px + d:.2f} {py + 1:.2f}) rotate({turn + a}) scale({m} 0.7)"
            )
            for d, a, m in ((4, 10, -0.8), (-1, -4, 0.8))
        ],
        "horn": [
            part(
                "horn",
                polygon([(-3.4, 3), (3.4, 3), (0.5, -15)], "#e5c15a"),
                line([(-2, -2), (2.4, -4)], INK, 0.8),
                line([(-1.4, -7), (1.8, -9)], INK, 0.8),
            ).with_transform(
                f"translate({px + 4:.2f} {py + 2:.2f}) rotate({turn + 28}) scale(0.85)"
            )
        ],
    }[kind]


def _shank(x: float, k: float) -> Ribbon:
    """Return a leg from the trunk to the hoof, `k` times as thick as usual."""
    return Ribbon(
        ((x, 6), (x + 0.6, 18), (x - 1.2, 30), (x, 45)), lambda t: k * (4.8 - 1.7 * min(1, 1.8 * t))
    )


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    white = art.tone("white")
    mark = art.tone(str(v["marks"]))
    pattern = str(v["pattern"])
    up = v["head"] == "up"
    trunk = Ribbon(
        ((-37, 1), (-18, -5), (4, 3), (26, -2)),
        lambda t: _barrel(16.5, 3.2)(t) * (1 - 0.08 * math.sin(math.pi * t)),
    )
    spine: Spine = (
        ((14, 1), (19, -7), (22, -18), (25, -28)) if up else ((15, -3), (24, -4), (30, 6), (33, 18))
    )
    neck = Ribbon(spine, lambda t: 12.0 - 5.5 * t)
    face: Spine = (
        ((20, -32), (28, -31), (36, -27), (45, -17))
        if up
        else ((30, 13), (35, 18), (39, 28), (40, 41))
    )
    skull = Ribbon(
        face, lambda t: 7.4 * (1 - 0.38 * t) * math.sqrt(max(0.0, 1 - abs(2 * t - 1) ** 6))
    )

    def coated(name: str, band: Ribbon, count: int) -> Part:
        closed = [] if name == "neck" else [polygon(band.ring(), None)]
        return part(
            name,
            band.body(white, -0.08),
            coat_marks(band, pattern, mark, count),
            band.edge(),
            closed,
        )

    legs = []
    for x in {
        4: (-27.0, -15.0, 7.0, 19.0),
        3: (-24.0, 5.0, 19.0),
        2: (-22.0, 15.0),
        6: (-28.0, -18.5, -9.0, 0.5, 10.0, 19.5),
    }[int(v["legs"])]:
        k = 0.76 if v["legs"] == 6 else 1.0
        shank = _shank(x, k)
        hoof = polygon(
            [(x - 3.2 * k, 42), (x + 3 * k, 42), (x + 4.4 * k, 48), (x - 4 * k, 48)],
            art.tone("black"),
        )
        legs.append(
            part(
                "leg",
                shank.body(white, -0.08),
                coat_marks(shank, pattern, mark, 7),
                shank.edge(),
                hoof,
            )
        )
    tail = _tail(str(v["tail"]), mark, white)
    crown = _crown(str(v["crown"]), skull, up, mark, white)
    nose = part(
        "muzzle",
        skull.patch(0.76, 0.995, -0.98, 0.98, art.tone("black")),
        circle(*skull.point_at(0.9, -0.35), 1, "#777b85", stroke=None),
    )
    eye = part("eye", dot_eye(*skull.point_at(0.3, -0.25), 2.1))
    head = [coated("head", skull, 6), nose, eye]
    back_mane = [part("mane", _mane(str(v["mane"]), neck, up, mark, white))]
    coat = [coated("body", trunk, 9), coated("neck", neck, 6)]
    return [*tail, *legs, *crown[1:], *coat, *back_mane, *head, *crown[:1]]
