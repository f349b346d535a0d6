"""Draws a spider by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.animal.forms import curved_tube, feelers, lit_ball, open_eye
from hallascope.primer.drawing.forms import spread_evenly
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    circle,
    ellipse,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues


def _web() -> Part:
    silk = "#a4adb8"
    spokes = [line([(0, 0), polar(0, 0, 49, a)], silk, 0.8) for a in range(0, 360, 36)]
    rings = []
    for r in (14, 23, 32, 41, 48):
        d = "M" + " ".join(
            f"{polar(0, 0, r, a)[0]:.1f},{polar(0, 0, r, a)[1]:.1f} "
            f"Q{polar(0, 0, r * 0.86, a + 18)[0]:.1f},{polar(0, 0, r * 0.86, a + 18)[1]:.1f}"
            for a in range(0, 360, 36)
        )
        rings.append(path(f"{d} {r},0", None, stroke=silk, width=0.8))
    return part("web", spokes, rings)


def _half_width(balls: Sequence[tuple[float, float, float, float]], y: float) -> float:
    return max(
        7.0, *(rx * math.sqrt(max(0.0, 1 - ((y - cy) / ry) ** 2)) for _, cy, rx, ry in balls), 7.0
    )


def _front(kind: str, top: float, leg_tone: str, art: Art) -> list[Part]:
    return {
        "fangs": [
            part(
                "fang",
                path(
                    f"M{s * 5.4},{top - 5} C{s * 7.5},{top - 11} "
                    f"{s * 5},{top - 15} {s * 0.6},{top - 17} "
                    f"C{s * 2.6},{top - 13} {s * 2.4},{top - 9} {s * 1.6},{top - 5} Z",
                    "#f4efe2",
                ),
                ellipse(s * 4.3, top - 1, 4, 6.6, leg_tone),
            )
            for s in (-1, 1)
        ],
        "antennae": feelers(0, top + 3, 9, 17),
        "beak": [
            part(
                "beak",
                polygon([(-7, top + 3), (7, top + 3), (0, top - 13)], art.tone("yellow")),
                line([(0, top + 1), (0, top - 9)], INK, 1),
            )
        ],
    }[kind]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    brown = art.tone("brown")
    leg_tone = shade(brown, -0.35)
    count = int(v["legs"])
    long = v["leg length"] == "long"
    balls = {
        2: ((0.0, -13.0, 12.0, 12.5), (0.0, 17.0, 16.5, 19.5)),
        1: ((0.0, 5.0, 17.0, 31.0),),
        3: ((0.0, -16.0, 10.5, 10.5), (0.0, 3.0, 10.5, 9.5), (0.0, 25.0, 14.0, 14.0)),
    }[int(v["segments"])]
    middle = -12.0 if v["leg place"] == "front" else 18.0
    legs = []
    for side in (-1, 1):
        for k in spread_evenly(count // 2, -1, 1):
            y = middle + k * 9
            if long:
                edge = _half_width(balls, y)
                up = 1 if v["leg place"] == "front" else -1
                knee = (side * (edge + 14), y + k * 13 - 7)
                foot = (side * (45 - 7 * abs(k)), max(-47, min(47, y + k * 25 + up * 7)))
                points = [(side * edge * 0.4, y), knee, foot]
            else:
                low = middle + k * 15
                reach = _half_width(balls, low)
                points = [
                    (0.0, middle + k * 6),
                    (side * (reach + 6), low - 2),
                    (side * (reach + 11), low + 2),
                ]
            legs.append(part("leg", curved_tube(points, 2.6, leg_tone)))
    body = []
    for i, ball in enumerate(balls):
        marks = []
        if i == len(balls) - 1:
            _, cy, rx, ry = ball
            marks = [
                path(
                    f"M{-rx * w:.1f},{cy + dy:.1f} Q0,{cy + dy - 6:.1f} {rx * w:.1f},{cy + dy:.1f} "
                    f"Q0,{cy + dy - 2:.1f} {-rx * w:.1f},{cy + dy:.1f} Z",
                    shade(brown, 0.4),
                    stroke=None,
                )
                for w, dy in ((0.5, ry * 0.0), (0.42, ry * 0.3), (0.3, ry * 0.58))
            ]
        body.append(
            part("body section", lit_ball(*ball, shade(brown, 0.08 if i else -0.12)), marks)
        )
    top = balls[0][1] - balls[0][3]
    eyes = part(
        "eye",
        [
            s
            for x, y in ((-3, 6), (3, 6), (-7, 8), (7, 8))
            for s in open_eye(x, top + y, 2.5 if y == 6 else 1.7)
        ],
        [
            circle(x, top + y, 1.1, "#fdfdfb", width=0.6)
            for x, y in ((-2, 11), (2, 11), (-5.5, 12.5), (5.5, 12.5))
        ],
    )
    front = _front(str(v["mouth"]), top, leg_tone, art)
    return [*([_web()] if v["perch"] == "web" else []), *legs, *front, *reversed(body), eyes]
