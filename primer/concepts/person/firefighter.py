"""Draws a firefighter by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.person.forms import (
    WOOD,
    GarmentPanel,
    bare_head,
    fist,
    ground_shadow,
    in_hand,
    limb,
    shaft,
    shoe,
    short_hair,
)
from hallascope.primer.drawing.forms import tube
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    Shape,
    circle,
    ellipse,
    glow,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
    star,
)
from hallascope.primer.world import FactValues

DARK = "#3a3a46"


def _fire_head(kind: str, art: Art) -> Part:
    red = art.tone("red")
    gold = art.tone("gold")
    if kind == "tall":
        puffs = [circle(x, y, r, "#fbfaf5") for x, y, r in ((-8, -43, 6), (8, -43, 6), (0, -45, 6))]
        return part(
            "headgear",
            puffs,
            path("M-11,-32 L-11,-43 H11 L11,-32 Q0,-36 -11,-32 Z", "#fbfaf5"),
            rect(-9.8, -44.6, 19.6, 5, "#fbfaf5", stroke=None),
            *[line([(x, -41), (x, -35.6)], "#c8c4b8", 1) for x in (-5, 0, 5)],
        )
    if kind == "cone":
        return part(
            "headgear",
            path("M0,-51 L12,-31.6 Q0,-36 -12,-31.6 Z", art.tone("light blue")),
            *[
                circle(x, y, 1.6, "#f4cb3c", stroke=None)
                for x, y in ((0, -43), (-4, -37), (5, -36.4))
            ],
            circle(0, -49, 2.4, "#ee8fb4"),
        )
    return part(
        "headgear",
        path("M-12,-31 C-14,-50 14,-50 12,-31 Z", red),
        path(
            "M5,-43 C11,-41 12,-35 11.6,-31 H7 C8,-35 7.6,-40 5,-43 Z",
            shade(red, -0.2),
            stroke=None,
        ),
        *[
            path(f"M{x * 0.55},-43.2 Q{x},-39 {x},-33.6", None, stroke=shade(red, -0.32), width=1)
            for x in (-8, 8)
        ],
        glow(-5.4, -40, 2.2),
        path(
            "M-19,-31 Q0,-38 19,-31 Q18,-26.6 11,-28.4 Q0,-32.6 -11,-28.4 Q-18,-26.6 -19,-31 Z", red
        ),
        path("M-5,-42 Q0,-46 5,-42 L4.4,-35 Q0,-31.6 -4.4,-35 Z", gold),
        star(0, -38.6, 2.8, fill="#fff3c4", stroke=None),
    )


def _fire_tool(kind: str, art: Art) -> tuple[str, list[Shape]]:
    if kind == "umbrella":
        tone = art.tone("purple")
        cover = (
            "M-15,-22 C-13,-40 13,-40 15,-22 Q11,-26 7.6,-22 "
            "Q4,-26 0,-22 Q-4,-26 -7.6,-22 Q-11,-26 -15,-22 Z"
        )
        return "umbrella", [
            shaft(-36, 14, 2.2, DARK),
            path("M0,14 q0,6 5,4", None, stroke=INK, width=2.4),
            path(cover, tone),
            path("M-7.6,-22 Q-6,-33 0,-36 Q6,-33 7.6,-22", None, stroke=shade(tone, -0.3), width=1),
        ]
    if kind == "broom":
        return "broom", [
            shaft(-30, 26, 2.8, WOOD),
            path("M-3,24 H3 L9,40 Q0,43 -9,40 Z", "#e9c25c"),
            *[line([(x * 0.4, 27), (x, 39)], "#a67f2b", 1) for x in (-5, 0, 5)],
            rect(-3.6, 22, 7.2, 4, "#c0402f", 1),
        ]
    if kind == "guitar":
        return "guitar", [
            rect(-1.8, -32, 3.6, 26, "#5d3a22", 1),
            rect(-3, -38, 6, 8, "#5d3a22", 1.4),
            path(
                "M0,-8 C7,-9 9,-3 6.6,1 C12,4 13,17 0,18 C-13,17 -12,4 -6.6,1 C-9,-3 -7,-9 0,-8 Z",
                "#d98a3d",
            ),
            circle(0, 5, 3.2, DARK),
            rect(-4, 11, 8, 2, "#5d3a22", stroke=None),
        ]
    hose = "M0,4 C-2,20 -14,18 -14,30 C-14,38 -2,34 0,39 C1,43 -8,44 -16,43"
    nozzle = [
        polygon([(-2.6, 4), (2.6, 4), (3.4, -10), (5, -17), (-5, -17), (-3.4, -10)], "#d9a520"),
        rect(-5.8, -20, 11.6, 4.4, "#b8382d", 1.4),
    ]
    return "hose", [
        *tube(hose, 4.6, "#e9dcc0"),
        path(hose, None, stroke="#c9b88f", width=1),
        *nozzle,
    ]


def _cat(art: Art) -> list[Shape]:
    tone = art.tone("orange")
    low = shade(tone, -0.3)
    return [
        *tube("M7,8 C15,10 16,-2 11,-3", 2.8, tone, 2.2),
        ellipse(1, 6, 8, 8, tone),
        polygon([(-7.4, -8), (-8, -16.4), (-1.6, -12)], tone),
        polygon([(7.4, -8), (8, -16.4), (1.6, -12)], tone),
        ellipse(0, -6, 8.2, 7, tone),
        *[line([(x, -12.6), (x * 0.8, -9.6)], low, 1.3) for x in (-2, 0.2, 2.4)],
        *[ellipse(s * 3.2, -6, 1.1, 1.5, INK, stroke=None) for s in (-1, 1)],
        polygon([(-1.2, -3.8), (1.2, -3.8), (0, -2.4)], "#c9526a", stroke=None),
        path("M-2.4,-1.4 q1.2,1.2 2.4,-0.6 q1.2,1.8 2.4,0.6", None, width=0.9),
        *[line([(s * 4.6, -3.4), (s * 9.4, y)], INK, 0.7) for s in (-1, 1) for y in (-4.4, -2.2)],
    ]


def _cylinder() -> list[Shape]:
    return [
        rect(-2, -19.5, 4, 5, "#8d929c", 1),
        rect(-5.4, -15.6, 10.8, 30, "#5aa06a", 5),
        rect(2, -13, 2.4, 25, "#41804f", 1.2, stroke=None),
        line([(-2.6, -10), (-2.6, 8)], "#a9d8b2", 1.4),
        rect(-5.4, 2, 10.8, 3.2, DARK, stroke=None),
    ]


SILVER = "#eef1f4"


def _marks(kind: str, panel: GarmentPanel, heights: Sequence[float]) -> list[Shape]:
    """Return shining bands at these heights, or another pattern all over."""
    if kind == "bands":
        return [
            s
            for y in heights
            for s in (
                panel.line_across(y, INK, 5.4),
                panel.line_across(y, "#8f99a6", 4.0),
                panel.line_across(y, SILVER, 2.4),
            )
        ]
    return panel.pattern(kind, "#7d2436")


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    skin = art.tone("skin")
    tone = art.tone(str(v["coat colour"]))
    kind = str(v["marks"])
    place = str(v["cylinder"])
    parts: list[Part] = []
    if place == "back":
        parts.append(
            part("air cylinder", _cylinder()).with_transform("translate(19 -10) rotate(24)")
        )
    legs = [GarmentPanel(y0=14, y1=42, top=7.8, bottom=6.8, x=s * 8, sag=0.6) for s in (-1, 1)]
    for s, leg in zip((-1, 1), legs, strict=True):
        parts.append(part("boot", shoe(s * 8.6, s, DARK, 46.6)))
        parts.append(part("trousers", leg.cloth(shade(tone, -0.06)), _marks(kind, leg, (35,))))
    low = {"long": 25.0, "short": -1.0, "floor": 42.0}[str(v["coat"])]
    wide = {"long": 16.5, "short": 14.6, "floor": 20.0}[str(v["coat"])]
    shirt = GarmentPanel(y0=-10, y1=15, top=13, bottom=12.5)
    parts.append(
        part(
            "shirt",
            shirt.cloth("#f4f1ea"),
            path("M-12.4,13 Q0,16 12.4,13 L12.6,16.4 Q0,19.6 -12.6,16.4 Z", DARK),
        )
    )
    cat = v["animal"] == "cat"
    arm_left: list[Point] = [(-14, -8), (-21, 3), (-28, 3)]
    arm_right: list[Point] = [(14, -8), (23, 2), (25, 11)] if cat else [(14, -8), (21, 3), (22, 13)]
    coat = GarmentPanel(y0=-13, y1=low, top=15.5, bottom=wide)
    bands = {"long": (3.0, 20.0), "short": (-5.0,), "floor": (3.0, 20.0, 36.0)}[str(v["coat"])]
    flap = line([(0, -11), (0, low + 1.6)], shade(tone, -0.45), 1.3)
    clips = [
        rect(-2.2, y - 1.2, 4.4, 2.4, "#c9ced6", 0.8, width=0.8)
        for y in (-6.0, 9.5, 14.5, 28.5)
        if y < low - 3
    ]
    parts.append(part("arm", limb(arm_right, tone, 8.6)))
    if not cat:
        parts.append(part("hand", fist(22.5, 15, skin, 3.9)))
    parts.append(part("coat", coat.cloth(tone), _marks(kind, coat, bands), flap, clips))
    parts.append(
        part("strap", *[line([(s * 9, -12), (s * 8.6, min(low, 8.0))], DARK, 2.6) for s in (-1, 1)])
        if place == "back"
        else part(
            "collar", path("M-9,-15 Q0,-9 9,-15 L8.4,-10.4 Q0,-5 -8.4,-10.4 Z", shade(tone, -0.2))
        )
    )
    parts.append(part("head", bare_head(skin, "#5a3a22")))
    parts.append(part("hair", short_hair("#5a3a22")))
    parts.append(_fire_head(str(v["headgear"]), art))
    if place == "chest":
        parts.append(part("air cylinder", _cylinder()).with_transform("translate(0 5) scale(0.9)"))
    if place == "leg":
        parts.append(
            part("air cylinder", _cylinder()).with_transform("translate(13 32) scale(0.82)")
        )
    name, shapes = _fire_tool(str(v["tool"]), art)
    hand = (-29.0, 3.0)
    cuffs = (
        []
        if kind != "bands"
        else [
            part(
                "cuff",
                line([(-23.4, 0.4), (-22.4, 6.6)], INK, 4.4),
                line([(-23.4, 0.4), (-22.4, 6.6)], SILVER, 2.4),
            )
        ]
    )
    parts += [
        part("arm", limb(arm_left, tone, 8.6)),
        *cuffs,
        in_hand(name, shapes, *hand, turn=-8 if name == "hose" else 0),
        part("hand", fist(*hand, skin, 3.9)),
    ]
    if cat:
        parts.append(part("cat", _cat(art)).with_transform("translate(18 0)"))
        parts.append(part("arm", limb([(26, 12), (20, 15), (13, 13)], tone, 8)))
        parts.append(part("hand", fist(10, 12, skin, 3.9)))
    return [*ground_shadow(v), *parts]
