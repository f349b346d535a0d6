"""Draws a Roman legionary by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.person.forms import (
    BLADE,
    LEATHER,
    METAL,
    WOOD,
    GarmentPanel,
    bare_head,
    fist,
    ground_shadow,
    in_hand,
    limb,
    shaft,
    shield_outline,
    shoe,
    transform_parts,
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
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _scutum(kind: str, large: bool, tone: str, gold: str) -> Part:
    x, y, w, h = (27.0, 7.0, 24.0, 40.0) if large else (25.0, 5.0, 11.5, 17.0)
    k = h / 40
    low = y + (4 * k if kind == "triangle" else 0)
    inner = 0.82 if large else 0.76
    wings = (
        [
            path(
                f"M{x + s * 4 * k},{low - d * k} q{s * 5 * k},{-1 * k} {s * 6 * k},{rise * k}",
                None,
                stroke=gold,
                width=1.8 * k,
            )
            for s in (-1, 1)
            for d, rise in ((3, -6), (-3, 6))
        ]
        if large and kind != "triangle"
        else []
    )
    rays = (
        [line([(x, low + s * 6.5 * k), (x, low + s * 12 * k)], gold, 2 * k) for s in (-1, 1)]
        if large and kind != "triangle"
        else []
    )
    boss = [
        circle(x, low, 4.6 * k, METAL),
        circle(x - 1.2 * k, low - 1.4 * k, 1.5 * k, "#ffffff", stroke=None, opacity=0.7),
    ]
    return part(
        "shield",
        shield_outline(kind, x, y, w, h, gold),
        shield_outline(
            kind,
            x,
            low if kind == "triangle" else y,
            w * inner,
            h * 0.87 if kind == "rectangle" else h * inner,
            tone,
            0.9,
        ),
        wings,
        rays,
        boss,
    )


def _roman_weapon(kind: str) -> tuple[str, list[Shape]]:
    if kind == "rifle":
        return "rifle", [
            rect(-1.4, -44, 2.8, 34, "#4a4d57", 1),
            rect(-2.4, -26, 4.8, 20, WOOD, 1.5),
            path("M-2.4,-8 H2.8 L4.6,18 Q0,21 -5,18 Z", WOOD),
            path("M2.8,-6 q5,1 3,6", None, width=1.3),
        ]
    if kind == "bow":
        d = "M4,-34 C-14,-20 -14,16 4,30"
        return "bow", [line([(4, -34), (4, 30)], "#7d6f55", 1), *tube(d, 2.8, WOOD, 2.2)]
    if kind == "axe":
        return "axe", [
            shaft(-40, 36, 3.4, WOOD),
            path("M-1,-38 C-8,-42 -14,-38 -15,-30 C-16,-22 -10,-18 -1,-22 Z", METAL),
        ]
    return "spear", [
        shaft(-32, 42, 3, WOOD),
        line([(0, -32), (0, -40)], INK, 3),
        path("M0,-50 L3.6,-41 L0,-34 L-3.6,-41 Z", BLADE),
        circle(0, -26, 2.8, "#5d4330"),
    ]


def _legs(count: int, skin: str) -> list[Part]:
    parts = []
    for i in range(count):
        x = (i - (count - 1) / 2) * {2: 13, 3: 12, 4: 10.8}[count]
        s = 1 if x > 0 else -1
        straps = [line([(x - 3.4, y), (x + 3.4, y - 1.4)], LEATHER, 1.5) for y in (34.5, 38, 41)]
        parts.append(
            part(
                "leg",
                limb([(x, 22), (x, 32), (x, 42)], skin, 6),
                straps,
                shoe(x, s, LEATHER)
                if count == 2
                else [rect(x - 3.8, 41.6, 7.6, 4.6, LEATHER, 1.6)],
            )
        )
    return parts


def _armor(kind: str, gold: str) -> Part:
    chest = GarmentPanel(y0=-13, y1=12, top=14.5, bottom=12)
    base = {"bands": METAL, "fur": "#8a6242", "flowers": "#f3ead2", "bricks": "#c9805f"}[kind]
    mark = {"bands": "#555b68", "fur": "#4d3320", "flowers": "#d0507e", "bricks": "#f2e4d4"}[kind]
    armor = [chest.cloth(base), chest.pattern(kind, mark)]
    if kind == "bands":
        armor.append(
            [
                line([(0, -12), (0, 12)], "#555b68", 1.2),
                *[
                    circle(s * 2.4, y, 0.9, gold, stroke=None)
                    for s in (-1, 1)
                    for y in (-5.5, -0.5, 4.5, 9)
                ],
            ]
        )
    return part("armor", *armor)


def _helmet(red: str, gold: str) -> list[Part]:
    return [
        part(
            "crest",
            path("M-4.6,-40 C-6,-51 6,-51 4.6,-40 Z", red),
            *[line([(x, -41), (x * 1.1, -46.4)], shade(red, -0.3), 0.9) for x in (-2, 0, 2)],
        ),
        part(
            "helmet",
            path("M-12,-29 C-13,-47 13,-47 12,-29 C7,-33 -7,-33 -12,-29 Z", METAL),
            path(
                "M5,-41 C11,-38 11.6,-33 11.4,-30.2 C9,-31.6 7.6,-32 6,-32.2 C7,-35 7,-38 5,-41 Z",
                shade(METAL, -0.18),
                stroke=None,
            ),
            glow(-5, -37, 2.6),
            path("M-13.4,-29 Q0,-36 13.4,-29 L13,-26.6 Q0,-33 -13,-26.6 Z", gold),
            *[
                path(
                    f"M{s * 12},-27.5 C{s * 12.6},-20 {s * 9.6},-15.4 {s * 5.4},-15 "
                    f"C{s * 7.6},-19 {s * 7.2},-23 {s * 8.6},-28.6 Z",
                    METAL,
                )
                for s in (-1, 1)
            ],
        ),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    skin = art.tone("skin")
    gold = art.tone("gold")
    cloth = shade(art.tone("red"), -0.18)
    parts = _legs(int(v["legs"]), skin)
    skirt = GarmentPanel(y0=10, y1=27, top=12, bottom=17)
    parts.append(part("tunic", skirt.cloth(cloth), skirt.pattern("pleats", shade(cloth, -0.3))))
    sleeves = [
        part("sleeve", limb([(s * 13, -8), (s * 17, -4), (s * 19, 0)], cloth, 9)) for s in (-1, 1)
    ]
    parts += [part("arm", limb([(13, -8), (19, 2), (20, 6)], skin, 6.2)), sleeves[1]]
    parts.append(_armor(str(v["armour"]), gold))
    parts.append(
        part(
            "belt",
            path("M-12.4,10 Q0,13.4 12.4,10 L12.8,14.4 Q0,17.8 -12.8,14.4 Z", LEATHER),
            circle(0, 14, 2, gold),
        )
    )
    parts.append(
        part(
            "apron",
            *[
                [
                    rect(x - 1.9, 16, 3.8, 12, LEATHER, 1),
                    circle(x, 26, 1.1, gold, stroke=None),
                    circle(x, 20.5, 0.9, gold, stroke=None),
                ]
                for x in (-5, 0, 5)
            ],
        )
    )
    parts.append(part("scarf", path("M-8,-15 Q0,-9 8,-15 L7,-10.6 Q0,-5.6 -7,-10.6 Z", cloth)))
    parts.append(part("head", bare_head(skin, "#4a3526")))
    parts += _helmet(art.tone("red"), gold)
    name, shapes = _roman_weapon(str(v["weapon"]))
    parts += [part("arm", limb([(-13, -8), (-19, 3), (-26, 3)], skin, 6.2)), sleeves[0]]
    parts += [in_hand(name, shapes, -27, 3), part("hand", fist(-27, 3, skin))]
    parts.append(
        _scutum(str(v["shield"]), v["large"] == "large", art.tone(str(v["shield colour"])), gold)
    )
    return [*ground_shadow(v), *transform_parts(parts, "translate(-5 0)")]
