"""Draws an astronaut by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.person.forms import (
    bare_head,
    in_hand,
    limb,
    shaft,
    short_hair,
    transform_parts,
)
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    circle,
    ellipse,
    glow,
    line,
    part,
    path,
    rect,
    shade,
)
from hallascope.primer.world import FactValues

# Arms and legs as shoulder-elbow-hand and hip-knee-foot, the left of the picture first.
_ASTRONAUT: dict[str, tuple[list[Point], list[Point], list[Point], list[Point]]] = {
    "float": (
        [(-14, -5), (-25, -3), (-33, -12)],
        [(14, -5), (25, 0), (35, -5)],
        [(-7, 16), (-17, 27), (-13, 40)],
        [(7, 16), (18, 22), (29, 33)],
    ),
    "sit": (
        [(-14, -5), (-22, 5), (-17, 15)],
        [(14, -5), (22, 5), (17, 15)],
        [(-8, 19), (-10, 30), (-10, 41)],
        [(8, 19), (10, 30), (10, 41)],
    ),
    "stand": (
        [(-14, -5), (-21, 5), (-22, 15)],
        [(14, -5), (21, 5), (22, 15)],
        [(-7, 15), (-8, 27), (-8, 38)],
        [(7, 15), (8, 27), (8, 38)],
    ),
}


def _on_back(kind: str, art: Art) -> list[Part]:
    if kind == "wings":
        out = []
        for s in (-1, 1):
            d = (
                f"M{s * 9},-8 C{s * 20},-34 {s * 38},-36 {s * 46},-26 "
                f"C{s * 45},-18 {s * 43},-16 {s * 40},-13 C{s * 40},-6 {s * 36},-4 "
                f"{s * 33},-3 C{s * 32},4 {s * 26},6 {s * 22},5 C{s * 18},10 {s * 12},8 {s * 9},6 Z"
            )
            ends = ((40, -13), (33, -3), (22, 5))
            veins = [
                path(
                    f"M{s * a},{b} Q{s * (a - 9)},{b - 2} {s * (a - 18)},{b - 9 + k}",
                    None,
                    width=1.1,
                )
                for k, (a, b) in enumerate(ends)
            ]
            out.append(part("wing", path(d, "#f7e6b5"), veins))
        return out
    if kind == "cape":
        red = art.tone("red")
        return [
            part(
                "cape",
                path(
                    "M-13,-13 C-24,4 -36,22 -41,36 Q-30,32 -24,40 Q-12,33 0,41 "
                    "Q12,33 24,40 Q30,32 41,36 C36,22 24,4 13,-13 Z",
                    red,
                ),
                *[
                    path(
                        f"M{s * 13},0 Q{s * 20},18 {s * 25},36",
                        None,
                        stroke=shade(red, -0.3),
                        width=1.1,
                    )
                    for s in (-1, 1)
                ],
            )
        ]
    return [
        part(
            "backpack",
            rect(-21, -22, 42, 38, "#aab2bf", 4),
            rect(13, -20.5, 6.6, 35, "#8d95a3", 2, stroke=None),
            *[rect(s * 16.5 - 2.6, -26, 5.2, 6, "#e8c23f", 1) for s in (-1, 1)],
            *[line([(s * 20, y), (s * 16, y)], INK, 1.2) for s in (-1, 1) for y in (-10, -4, 2, 8)],
        )
    ]


def _astro_helmet(kind: str, suit: str, skin: str) -> list[Part]:
    bare = [part("face", bare_head(skin, "#4a3526")), part("hair", short_hair("#4a3526"))]
    face = transform_parts(bare, "translate(0 -3.6) scale(0.84)")
    rim = shade(suit, -0.12)
    if kind == "box":
        shell = rect(-15.5, -42, 31, 30, suit, 1.5)
        glass = rect(-12, -38, 24, 23, "#cfe6f2", 1)
    elif kind == "cone":
        shell = path("M0,-50 L18.5,-15 Q0,-8 -18.5,-15 Z", suit)
        glass = path("M0,-43.6 L13.4,-17.4 Q0,-13 -13.4,-17.4 Z", "#cfe6f2")
        face = transform_parts(bare, "translate(0 -8.6) scale(0.62)")
    else:
        shell = circle(0, -26, 16.5, suit)
        glass = ellipse(0, -26, 12.8, 12.6, "#cfe6f2")
    shine = path("M-9.6,-28 Q-9,-35 -3,-36.6", None, stroke="#ffffff", width=2.2, opacity=0.9)
    return [
        part("helmet", shell, glass),
        *face,
        part(
            "helmet",
            shine if kind != "cone" else line([(-8.4, -21.6), (-4, -30.6)], "#ffffff", 1.8),
            path("M-12,-12.6 Q0,-7.4 12,-12.6 L12,-9 Q0,-4 -12,-9 Z", rim),
        ),
    ]


def _chair() -> Part:
    wood = "#b5763f"
    low_wood = "#8a5630"
    posts = [rect(s * 23.5 - 2.8, 30, 5.6, 18, low_wood, 1) for s in (-1, 1)]
    rests = [rect(s * 24.5 - 4, 13, 8, 13, low_wood, 2) for s in (-1, 1)]
    return part(
        "chair", rect(-23, -3, 46, 30, wood, 3), rests, rect(-29, 24, 58, 7.5, wood, 2), posts
    )


def _control_box(place: str, knee: Point, elbow: Point) -> Part:
    bx, by = {
        "chest": (0.0, 3.6),
        "knee": (knee[0] + 1, knee[1] - 1.0),
        "arm": (elbow[0] + 1, elbow[1] - 0.6),
    }[place]
    return part(
        "control box",
        rect(-8, -5.4, 16, 10.8, "#56606f", 1.6),
        rect(-6, -3.4, 6, 3.4, "#9fe0b4", 0.6, width=0.8),
        *[circle(x, 2.6, 1.4, c, width=0.7) for x, c in ((-4.4, "#e2533f"), (-0.6, "#f4cb3c"))],
        rect(2.6, -3.2, 3.4, 6.6, "#e8ebef", 0.8, width=0.8),
    ).with_transform(f"translate({bx} {by})")


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    suit = art.tone(str(v["suit"]))
    low = shade(suit, -0.14)
    trim = "#4f6fa8"
    skin = art.tone("skin")
    pose = str(v["bearing"])
    arm_a, arm_b, leg_a, leg_b = _ASTRONAUT[pose]
    parts: list[Part] = []
    if pose == "stand":
        parts.append(
            part(
                "floor",
                path("M-34,41.5 H34 L39,47 H-39 Z", "#9a8f80"),
                line([(-35.6, 44), (35.6, 44)], "#6d6458", 0.9),
            )
        )
    parts += _on_back(str(v["back"]), art)
    if pose == "sit":
        parts.append(_chair())
    for s, points in ((-1, leg_a), (1, leg_b)):
        fx, fy = points[2]
        boot = rect(-6, -4, 12, 8.4, "#8c94a3", 3)
        bend = {"float": -25 if s > 0 else 12, "sit": 0, "stand": 0}[pose]
        parts.append(
            part(
                "leg",
                limb(points, suit, 11),
                line(
                    [
                        (points[1][0] - 4.6, points[1][1] + 1),
                        (points[1][0] + 4.6, points[1][1] + 1),
                    ],
                    low,
                    1.4,
                ),
            )
        )
        parts.append(
            part("boot", boot, line([(-5, 2.4), (5, 2.4)], "#5d6472", 1.6)).with_transform(
                f"translate({fx} {fy + 1}) rotate({bend})"
            )
        )
    for points in (arm_a, arm_b):
        hx, hy = points[2]
        parts.append(part("arm", limb(points, suit, 10.4)))
        wx = hx * 0.72 + points[1][0] * 0.28
        wy = hy * 0.72 + points[1][1] * 0.28
        parts.append(
            part(
                "glove",
                circle(wx, wy, 5.4, trim),
                circle(hx, hy, 4.9, "#8c94a3"),
                glow(hx - 1.4, hy - 1.6, 1.5),
            )
        )
    torso = (
        "M-10,-14 H10 Q17,-14 16.6,-6 Q16,4 16,12 Q15.6,21 7,21 "
        "H-7 Q-15.6,21 -16,12 Q-16,4 -16.6,-6 Q-17,-14 -10,-14 Z"
    )
    side = (
        "M11,-13.4 Q16.4,-12 16,-6 Q15.4,4 15.4,12 "
        "Q15,20 7,20.4 H3 Q10,18 10.4,10 Q10.6,-4 11,-13.4 Z"
    )
    belt = path("M-15.6,12 Q0,17 15.6,12", None, stroke=trim, width=2.4)
    braces = [line([(s * 9.4, -12), (s * 9.4, -4)], trim, 2.2) for s in (-1, 1)]
    parts.append(part("suit", path(torso, suit), path(side, low, stroke=None), belt, *braces))
    parts += _astro_helmet(str(v["helmet"]), suit, skin)
    parts.append(_control_box(str(v["controls"]), leg_a[1], arm_a[1]))
    if v["holds"] == "flag":
        hx, hy = arm_b[2]
        parts.append(
            in_hand(
                "flag",
                [
                    shaft(-24, 12, 2.4, "#c9ccd2"),
                    path("M1,-23 C5,-27 8,-20 13,-23 V-11 C8,-8 5,-15 1,-11 Z", art.tone("green")),
                ],
                hx,
                hy,
                0 if pose == "float" else 6,
            )
        )
        parts.append(part("glove", circle(hx, hy, 4.4, "#8c94a3")))
    return transform_parts(parts, "rotate(9)") if pose == "float" else parts
