"""Draws a medieval knight by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.person.forms import (
    LEATHER,
    METAL,
    GarmentPanel,
    bare_head,
    ground_shadow,
    in_hand,
    limb,
    shield_outline,
    shoe,
    short_hair,
    sword,
)
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    circle,
    glow,
    line,
    part,
    path,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _helm(armor: str, skin: str, red: str) -> list[Part]:
    low = shade(armor, -0.18)
    return [
        part(
            "plume",
            path(
                "M1,-41 C-2,-50 -12,-51 -20,-45 C-17,-44 -18,-41 -22,-38 "
                "C-17,-38 -17,-35 -19,-32 C-10,-32 -4,-36 1,-39 Z",
                red,
            ),
            path("M-1,-42 C-6,-45 -12,-44 -16,-41", None, stroke=shade(red, -0.3), width=1),
        ),
        part("head", bare_head(skin, "#6b4526")),
        part(
            "helmet",
            path(
                "M-13,-22 C-16,-48 16,-48 13,-22 L11,-13.5 Q8,-15 7.6,-18 "
                "C9.4,-24 9.4,-29 7,-31.6 Q0,-33.6 -7,-31.6 C-9.4,-29 "
                "-9.4,-24 -7.6,-18 Q-8,-15 -11,-13.5 Z",
                armor,
            ),
            path(
                "M6,-41 C12,-38 13.4,-30 12.4,-22 L10.6,-14.6 Q8.6,-15.6 8.4,-18 "
                "C10.4,-25 10.4,-30 7.6,-32.2 C8.6,-35 8,-38 6,-41 Z",
                low,
                stroke=None,
            ),
            path("M-14,-33 Q-12,-43 0,-44.4 Q12,-43 14,-33 Q0,-38.6 -14,-33 Z", shade(armor, 0.18)),
            *[line([(x, -41.4), (x * 1.15, -38)], INK, 1.3) for x in (-6, -2, 2, 6)],
            *[circle(s * 12.6, -31, 1.7, "#d9a520") for s in (-1, 1)],
            path("M-10.6,-15.4 Q0,-7.6 10.6,-15.4 L11.6,-12.6 Q0,-4.6 -11.6,-12.6 Z", armor),
        ),
    ]


def _knight_head(kind: str, armor: str, art: Art) -> list[Part]:
    skin = art.tone("skin")
    red = art.tone("red")
    if kind == "helm":
        return _helm(armor, skin, red)
    head = [part("head", bare_head(skin, "#6b4526")), part("hair", short_hair("#6b4526"))]
    if kind == "top hat":
        return [
            *head,
            part(
                "top hat",
                path("M-8.4,-37 L-9.6,-50 Q0,-52 9.6,-50 L8.4,-37 Z", "#34343f"),
                rect(-9, -41, 18, 3.4, red, stroke=None),
                path(
                    "M-16,-37.6 Q0,-33 16,-37.6 Q15,-33.4 0,-32.4 Q-15,-33.4 -16,-37.6 Z", "#34343f"
                ),
            ),
        ]
    if kind == "cap":
        return [
            *head,
            part(
                "cap",
                path("M-11.6,-32 C-12,-46 12,-46 11.6,-32 Q0,-36 -11.6,-32 Z", red),
                line([(0, -43), (0, -35)], shade(red, -0.3), 1),
                circle(0, -43, 1.4, red),
                path(
                    "M-11,-33 Q0,-37.4 11,-33 C17,-30 20,-28 19,-26.4 C10,-31 -4,-31.4 -11,-33 Z",
                    "#2d55a3",
                ),
            ),
        ]
    return [
        *head,
        part(
            "straw hat",
            path("M-9,-34 C-9,-48 9,-48 9,-34 Z", "#ecc968"),
            rect(-9, -37.6, 18, 3.4, "#3f9a52", stroke=None),
            path("M-19,-33 Q0,-40 19,-33 Q18,-29 0,-30.6 Q-18,-29 -19,-33 Z", "#ecc968"),
            path("M-15,-32.6 Q0,-36.6 15,-32.6", None, stroke="#b98f35", width=1),
        ),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    name = str(v["armour colour"])
    tone = METAL if name == "grey" else art.tone(name)
    line_tone = shade(tone, -0.42 if v["surface"] == "plates" else -0.58)
    low = shade(tone, -0.12)
    gold = art.tone("gold")
    kind = str(v["surface"])
    parts: list[Part] = []
    for s in (-1, 1):
        x = s * 7.2
        parts.append(
            part(
                "leg",
                limb([(x, 20), (x, 32), (x, 42)], low, 8),
                shoe(x, s, tone),
                line([(x - 3.6, 38), (x + 3.6, 38)], line_tone, 1),
            )
        )
        parts.append(part("knee guard", circle(x, 31.5, 4.8, tone), glow(x - 1.4, 30, 1.5)))
    chest = GarmentPanel(y0=-13, y1=12, top=15, bottom=11.5)
    skirt = GarmentPanel(y0=11, y1=26, top=12, bottom=17)
    metal_lines = (
        [
            path("M0,-10 V11 M-12,-2 Q0,5 12,-2", None, stroke=line_tone, width=1.1),
            glow(-6, -6, 3.6),
        ]
        if kind == "plates"
        else chest.pattern(kind, line_tone)
    )
    lames = (
        [skirt.line_across(y, line_tone, 1.2) for y in (16, 21)]
        + [line([(0, 13), (0, 27)], line_tone, 1.1)]
        if kind == "plates"
        else skirt.pattern(kind, line_tone)
    )
    parts.append(part("armor", skirt.cloth(tone), lames))
    held = v["shield place"] == "arm"
    parts.append(part("arm", limb([(14, -8), (21, 3), (21, 10) if held else (23, 13)], low, 7.4)))
    if not held:
        parts.append(part("gauntlet", circle(23, 14, 4.2, tone)))
    parts.append(part("armor", chest.cloth(tone), metal_lines))
    parts.append(
        part(
            "belt",
            path("M-12,9 Q0,12.4 12,9 L12.4,13.4 Q0,16.8 -12.4,13.4 Z", LEATHER),
            rect(-3, 10.6, 6, 5.4, gold, 1),
        )
    )
    parts += _knight_head(str(v["headgear"]), tone, art)
    raised = v["sword"] == "raised"
    elbow, hand, turn = ((-23, -6), (-27, -16), -6.0) if raised else ((-20, 2), (-25, 8), 186.0)
    parts.append(part("arm", limb([(-14, -8), elbow, hand], low, 7.4)))
    blade = 26.0 if v["blade"] == "long" else 9.0
    parts += [
        in_hand("sword", sword(blade), hand[0], hand[1], turn),
        part("gauntlet", circle(*hand, 4.2, tone), glow(hand[0] - 1.2, hand[1] - 1.4, 1.3)),
    ]
    parts += [
        part(
            "shoulder guard",
            path(
                f"M{s * 7},-12 C{s * 12},-17 {s * 22},-14 {s * 21},-2 "
                f"C{s * 17},-6 {s * 11},-5 {s * 7},-12 Z",
                tone,
            ),
            path(f"M{s * 11},-11.6 Q{s * 17},-11 {s * 19},-5", None, stroke=line_tone, width=1),
        )
        for s in (-1, 1)
    ]
    x, y, w, h = (25.0, 8.0, 24.0, 30.0) if held else (0.0, 31.0, 24.0, 30.0)
    outline = str(v["shield"])
    blue = art.tone("blue")
    parts.append(
        part(
            "shield",
            shield_outline(outline, x, y, w, h, "#f6f0de"),
            shield_outline(outline, x, y, w * 0.84, h * 0.84, blue, 0.9),
            rect(x - 1.8, y - 8.6, 3.6, 17, gold, stroke=None),
            rect(x - 7, y - 4, 14, 3.6, gold, stroke=None),
        )
    )
    return [*ground_shadow(v), *parts]
