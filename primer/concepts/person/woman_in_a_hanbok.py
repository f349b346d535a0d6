"""Draws a woman in a hanbok by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.person.forms import (
    GarmentPanel,
    bare_head,
    fist,
    ground_shadow,
    in_hand,
    limb,
    shoe,
)
from hallascope.primer.drawing.forms import spread_evenly
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    Shape,
    circle,
    ellipse,
    line,
    part,
    path,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues

_HANBOK_ARMS: dict[str, tuple[Point, Point]] = {
    "folded": ((21, 3), (2.6, 8.6)),
    "raised": ((23, -12), (21, -37)),
    "spread": ((24, -5), (37, -3)),
    "hips": ((27, 0), (11.5, 7)),
}


def _skirt(kind: str, tone: str) -> list[Shape]:
    low = shade(tone, -0.15)
    light = shade(tone, -0.28)
    if kind == "narrow":
        folds = [line([(x * 0.8, 4), (x, 40)], light, 1) for x in (-5, 0, 5)]
        return [
            path("M-11,-2 H11 L11.5,41 Q0,43.6 -11.5,41 Z", tone),
            path("M5,0 H10.4 L10.8,41 Q8,42 6,42 Z", low, stroke=None),
            *folds,
        ]
    if kind == "trousers":
        legs = [
            path(f"M0,-2 H{s * 11} L{s * 16},40 Q{s * 9},43 {s * 3.4},40 L0,13 Z", tone)
            for s in (-1, 1)
        ]
        return [
            *legs,
            path("M7,0 H10.4 L15.4,40 Q12,41.4 10,41.4 Z", low, stroke=None),
            line([(-7, 6), (-10, 38)], light, 1),
            line([(5, 10), (7, 38)], light, 1),
        ]
    if kind == "short":
        return [
            path(
                "M-11,-2 H11 C19,7 27,17 31,29 Q23,35 16,31 Q8,36 0,32 "
                "Q-8,36 -16,31 Q-23,35 -31,29 C-27,17 -19,7 -11,-2 Z",
                tone,
            ),
            *[
                path(f"M{x * 0.35},3 Q{x * 0.6},14 {x},31", None, stroke=light, width=1)
                for x in (-20, -8, 8, 20)
            ],
        ]
    folds = [
        path(
            f"M{x * 0.3},2 C{x * 0.55},12 {x * 0.95},26 {x},{45 - abs(x) * 0.06:.2f}",
            None,
            stroke=light,
            width=1.1,
        )
        for x in (-25, -15, -5, 5, 15, 25)
    ]
    return [
        path("M-10.5,-2 H10.5 C24,8 34,24 34.5,42 Q0,51 -34.5,42 C-34,24 -24,8 -10.5,-2 Z", tone),
        path("M6,-1 H10 C23,8 33,24 33.6,41.6 Q26,44 18,45 C20,28 14,10 6,-1 Z", low, stroke=None),
        *folds,
    ]


def _ribbon(length: float, tone: str) -> list[Shape]:
    """Return a ribbon hanging from (0, 0), its end cut aslant."""
    return [
        polygon([(-2, 0), (2, 0), (3.7, length), (-3.7, length + 2.4)], tone),
        polygon(
            [(0.6, 1), (1.6, 1), (3.1, length - 0.4), (1, length + 0.2)],
            shade(tone, -0.16),
            stroke=None,
        ),
    ]


def _arms(elbow: Point, hand: Point, skin: str, jacket: str) -> list[Part]:
    arms = []
    for s in (-1, 1):
        hx = s * hand[0]
        hy = hand[1]
        dx = hx - s * elbow[0]
        dy = hy - elbow[1]
        reach = math.hypot(dx, dy)
        ux = dx / reach
        uy = dy / reach
        near = (hx - 6.5 * ux, hy - 6.5 * uy)
        far = (hx - 4 * ux, hy - 4 * uy)
        cuff = limb([near, ((near[0] + far[0]) / 2, (near[1] + far[1]) / 2), far], "#fbfaf5", 6.6)
        sleeve = limb(
            [(s * 12.5, -8), (s * elbow[0], elbow[1]), (hx - 10 * ux, hy - 10 * uy)], jacket, 9.2
        )
        arms.append(part("arm", fist(hx, hy, skin, 3.4), cuff, sleeve))
    return arms


def _dressed_hair(hair: str) -> list[Part]:
    """Return the hair before the head, parted in the middle, and the pin through the bun behind."""
    fringe = (
        "M0,-39 C-16,-40 -13,-22 -10.4,-21 C-10.6,-28 -7,-33.6 0,-37.4 "
        "C7,-33.6 10.6,-28 10.4,-21 C13,-22 16,-40 0,-39 Z"
    )
    return [
        part(
            "hair",
            path(fringe, hair),
            path("M-8.6,-33 Q-6,-37 -2.4,-38", None, stroke="#6a5a60", width=1),
            line([(0, -39), (0, -37)], "#6a5a60", 0.8),
        ),
        part(
            "hairpin",
            *[
                [
                    line([(s * 9, -17.4), (s * 16, -16)], INK, 3.2),
                    line([(s * 9, -17.4), (s * 16, -16)], "#d9a520", 1.8),
                    circle(s * 16.5, -15.8, 2.3, "#3f9a78"),
                ]
                for s in (-1, 1)
            ],
        ),
    ]


def _bow(place: str, count: int, tie: str) -> list[Part]:
    parts = []
    x, y, length = (1.5, -2.0, 34.0) if place == "chest" else (1.5, 17.0, 23.0)
    spread = {1: 0.0, 2: 22.0, 3: 50.0, 4: 72.0}[count]
    for turn in spread_evenly(count, -spread / 2, spread / 2):
        parts.append(in_hand("ribbon", _ribbon(length, tie), x, y, turn))
    parts.append(
        part(
            "knot",
            ellipse(x + 5.4, y - 1, 5.2, 2.6, tie),
            ellipse(x, y, 2.8, 2.8, tie),
            path(f"M{x + 2.4},{y - 0.6} h4", None, stroke=shade(tie, -0.35), width=0.9),
        )
    )
    return parts


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    skin = shade(art.tone("skin"), 0.28)
    hair = "#2a2326"
    upper, lower, bow = art.pick(
        (
            ("yellow", "red", "purple"),
            ("pink", "green", "red"),
            ("green", "pink", "red"),
            ("yellow", "purple", "red"),
        )
    )
    jacket = shade(art.tone(upper), 0.3)
    skirt = shade(art.tone(lower), 0.12)
    tie = shade(art.tone(bow), -0.05)
    parts: list[Part] = []
    if v["skirt"] != "bell":
        parts += [
            part(
                "leg",
                limb([(s * 7, 16), (s * 7, 30), (s * 7, 40)], skin, 5.4),
                shoe(s * 7, s, "#f6f2ea"),
            )
            for s in (-1, 1)
        ]
    parts.append(part("hair", ellipse(0, -19, 9, 5.4, hair)))
    parts.append(part("skirt", _skirt(str(v["skirt"]), skirt)))
    long = v["jacket"] == "long"
    elbow, hand = _HANBOK_ARMS[str(v["hands"])]
    front = v["hands"] == "folded"
    arms = _arms(elbow, hand, skin, jacket)
    if not front:
        parts += arms
    low = 23.0 if long else 2.0
    body = GarmentPanel(
        y0=-14, y1=low, top=13.5, bottom=19 if long else 12.6, sag=2 if long else 1.6
    )
    parts.append(
        part(
            "jacket",
            body.cloth(jacket),
            path(
                f"M3,-6 Q5,{(low - 6) / 2:.1f} 4.6,{low + 1.4:.1f}",
                None,
                stroke=shade(jacket, -0.35),
                width=1,
            ),
        )
    )
    collar = art.tone(str(v["collar"])) if v["collar"] != "white" else "#ffffff"
    parts.append(part("neck", path("M-5,-18 H5 L4,-12 L0.6,-7 L-4,-12 Z", skin)))
    parts.append(
        part(
            "collar",
            path("M-7.4,-17.4 L-3.8,-17.4 L3.4,-5.2 L0.2,-1.6 Q-6,-8 -9.6,-13.6 Z", collar),
            path("M7.4,-17.4 L3.8,-17.4 L-2.4,-6.4 L0.8,-2 Q6.6,-8 9.6,-13.6 Z", collar),
        )
    )
    parts.append(part("head", bare_head(skin, hair)))
    parts += _dressed_hair(hair)
    parts += _bow(str(v["tie"]), int(v["ribbons"]), tie)
    if front:
        parts += arms
    return [*ground_shadow(v, 32 if v["skirt"] == "bell" else 20), *parts]
