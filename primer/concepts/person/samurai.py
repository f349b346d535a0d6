"""Draws a samurai by the parameters of the facts in `facts.toml`."""

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
from hallascope.primer.drawing.forms import tube
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    glow,
    line,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
    star,
)
from hallascope.primer.world import FactValues


def _crest(kind: str, tone: str) -> list[Shape]:
    """Return a helmet crest around the point where it is fixed."""
    low = shade(tone, -0.2)
    if kind == "cross":
        return [
            polygon(
                [
                    (-3, 1),
                    (-3, -5),
                    (-9, -5),
                    (-9, -10.5),
                    (-3, -10.5),
                    (-3, -16),
                    (3, -16),
                    (3, -10.5),
                    (9, -10.5),
                    (9, -5),
                    (3, -5),
                    (3, 1),
                ],
                tone,
            )
        ]
    if kind == "star":
        return [star(0, -7, 10.5, 5, 0.45, fill=tone), circle(0, -7, 2, low, stroke=None)]
    if kind == "leaf":
        return [
            path("M0,2 C-11,-3 -10,-13 0,-17 C10,-13 11,-3 0,2 Z", tone),
            line([(0, 0), (0, -13)], low, 1.2),
            *[line([(0, y), (s * 4.6, y - 3)], low, 1) for y in (-3, -7) for s in (-1, 1)],
        ]
    horns = [
        path(
            f"M{s * 1},1 C{s * 14},-1 {s * 21},-8 {s * 17},-19 "
            f"C{s * 15},-11 {s * 9},-7 {s * 1},-5 Z",
            tone,
        )
        for s in (-1, 1)
    ]
    return [
        *horns,
        *[
            path(f"M{s * 4},-1.2 C{s * 12},-3 {s * 17},-8 {s * 17},-15", None, stroke=low, width=1)
            for s in (-1, 1)
        ],
        circle(0, -2, 3.4, tone),
    ]


def _katana(length: float) -> list[Shape]:
    """Return a sheathed sword around its guard at (0, 0).

    Its hilt is to the left, its scabbard to the right.
    """
    sheath = f"M0,0 Q{length * 0.55:.2f},-1 {length:.2f},5"
    hilt = "M0,0 L-11,-1.4"
    return [
        *tube(sheath, 3.8, "#6e2f86", 2.2),
        path(f"M{length * 0.93:.2f},4 L{length:.2f},5", None, stroke="#d9a520", width=3.8),
        *tube(hilt, 3.4, "#f1ead8", 2.2),
        *[line([(x, -1.8), (x - 1.6, 1.2)], INK, 0.9) for x in (-2.6, -5, -7.4, -9.6)],
        rect(-1.4, -5, 3, 10, "#d9a520", 1.3),
    ]


def _armor(kind: str, panel: GarmentPanel) -> list[Shape]:
    base = {"lamellar": "#3b3f52", "smooth": "#7f8aa3", "fur": "#9a6f48", "flowers": "#f2e7cf"}[
        kind
    ]
    mark = {"lamellar": "#e0503f", "smooth": INK, "fur": "#54381f", "flowers": "#c7458a"}[kind]
    shine = (
        [glow(panel.x - panel.top * 0.35, panel.y0 + 5, panel.top * 0.28)]
        if kind == "smooth"
        else []
    )
    return [*panel.cloth(base), *panel.pattern(kind, mark), *shine]


def _legs(navy: str, gold: str) -> list[Part]:
    parts = []
    for s in (-1, 1):
        x = s * 8
        parts.append(
            part(
                "leg",
                limb([(x, 22), (x + s, 30), (x, 41)], navy, 9),
                rect(x - 4.6, 32, 9.2, 10, "#4b4f62", 2),
                *[line([(x - 3.6, y), (x + 3.6, y)], gold, 1.1) for y in (35, 39)],
            )
        )
        parts.append(
            part(
                "sandal",
                shoe(x, s, "#f1ead8"),
                line([(x - s * 3.4, 46), (x + s * 6.4, 46)], "#c69a4e", 2.4),
                line([(x, 41), (x + s * 4, 45)], "#c69a4e", 1.4),
            )
        )
    return parts


def _helmet(red: str, gold: str) -> Part:
    flare = [
        path(
            f"M{s * 10},-34 L{s * 17},-23 Q{s * 18},-19 {s * 20},-17 "
            f"Q{s * 14},-14 {s * 9.6},-18 Q{s * 11.4},-26 {s * 10},-34 Z",
            "#3b3f52",
        )
        for s in (-1, 1)
    ]
    rows = ((28, 25.4, 15.6), (24, 21, 17), (20, 17.6, 17.2))
    laces = [
        path(f"M{s * 11},-{a} L{s * x},-{b}", None, stroke="#e0503f", width=1.3)
        for s in (-1, 1)
        for a, b, x in rows
    ]
    return part(
        "helmet",
        flare,
        laces,
        path("M-12.4,-30 C-14,-48 14,-48 12.4,-30 Q0,-35.4 -12.4,-30 Z", "#4b4f62"),
        path(
            "M5,-42 C11,-39 12,-34 11.8,-31 Q9,-32.4 6.4,-32.8 Q7.6,-38 5,-42 Z",
            "#3a3d4e",
            stroke=None,
        ),
        *[
            path(f"M{x * 0.4},-43.4 Q{x},-40 {x},-33.4", None, stroke="#2a2c3a", width=0.9)
            for x in (-7.5, -3.6, 3.6, 7.5)
        ],
        path("M-14,-29.6 Q0,-37 14,-29.6 L13.6,-27 Q0,-33.6 -13.6,-27 Z", red),
        circle(0, -44, 2, gold),
    )


def _fan(red: str) -> Part:
    ribs = [polar(0, -2, 17, -150 + 20 * k) for k in range(7)]
    arc = (
        f"M0,-2 L{ribs[0][0]:.2f},{ribs[0][1]:.2f} "
        f"A17,17 0 0 1 {ribs[-1][0]:.2f},{ribs[-1][1]:.2f} Z"
    )
    return in_hand(
        "fan",
        [
            path(arc, "#fbf4e2"),
            *[line([(0, -2), p], "#b7a27a", 0.9) for p in ribs[1:-1]],
            circle(0, -12, 4, red, stroke=None),
        ],
        -32,
        8,
        -14,
    )


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    skin = art.tone("skin")
    red = shade(art.tone("red"), -0.1)
    gold = art.tone("gold")
    navy = "#2c3a5e"
    kind = str(v["armour"])
    parts = _legs(navy, gold)
    parts.append(
        part(
            "armor",
            *[
                _armor(kind, GarmentPanel(y0=13, y1=29, top=7.2, bottom=8.6, x=s * 10.6, sag=1.4))
                for s in (-1, 1)
            ],
            _armor(kind, GarmentPanel(y0=13, y1=28, top=6.4, bottom=7.8, sag=1.4)),
        )
    )
    fan = v["holds"] == "fan"
    parts.append(part("arm", limb([(14, -8), (20, 2), (22, 12)], navy, 7.6)))
    parts.append(part("hand", fist(22.5, 14, skin)))
    left = [(-14, -8), (-21, 5), (-30, 9)] if fan else [(-14, -8), (-20, 2), (-22, 12)]
    parts.append(part("arm", limb(left, navy, 7.6)))
    parts.append(part("armor", _armor(kind, GarmentPanel(y0=-13, y1=12, top=14.5, bottom=12))))
    parts.append(
        part(
            "sash",
            path("M-12.4,9 Q0,12.6 12.4,9 L12.8,14.6 Q0,18 -12.8,14.6 Z", "#f1ead8"),
            path("M-12.4,11.6 Q0,15 12.4,11.6", None, stroke="#c9bda0", width=0.9),
        )
    )
    big = v["shoulders"] == "large"
    for s in (-1, 1):
        guard = (
            GarmentPanel(y0=-14, y1=7, top=7.4, bottom=8.2, x=s * 20.5, sag=1)
            if big
            else GarmentPanel(y0=-14, y1=-5, top=4.4, bottom=4.8, x=s * 16.6, sag=0.6)
        )
        parts.append(part("shoulder guard", _armor(kind, guard)))
    parts.append(
        part(
            "head",
            bare_head(skin, "#26201e", mouth="calm"),
            *[
                path(
                    f"M{s * 0.8},-21.6 q{s * 2.4},-0.6 {s * 4},1.4",
                    None,
                    stroke="#26201e",
                    width=1.3,
                )
                for s in (-1, 1)
            ],
        )
    )
    parts.append(_helmet(red, gold))
    at = -31.5 if v["crest place"] == "helmet" else 3.0
    parts.append(in_hand("crest", _crest(str(v["crest"]), art.tone(str(v["crest colour"]))), 0, at))
    for i in range(int(v["swords"])):
        parts.append(in_hand("sword", _katana(34 - 5 * i), 4 - 1.0 * i, 9.5 + 9.4 * i, 10))
    if fan:
        parts.append(_fan(red))
    parts.append(part("hand", fist(-31 if fan else -22.5, 10 if fan else 14, skin)))
    return [*ground_shadow(v), *parts]
