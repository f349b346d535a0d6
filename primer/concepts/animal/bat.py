"""Draws a bat by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.animal.forms import Ribbon, curved_tube, dot_eye, furry, lit_ball
from hallascope.primer.drawing.forms import tube
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
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


def _bat_wing(material: str, tone: str) -> list[Shape]:
    """Return a wing to the right of its root (0, 0), reaching to x = 40."""
    if material == "feathers":
        shapes = []
        for reach, drop, color in ((1.0, 1.0, shade(tone, -0.1)), (0.66, 0.62, shade(tone, 0.12))):
            for i in range(8):
                x = (36 - i * 4.4) * reach
                root = (x * 0.75, -11 + i * 1.4)
                tip = (x + (5 - i) * 0.6, (14 + i * 1.6 - (3 - i) * 1.2 * (i < 3)) * drop)
                quill = Ribbon(
                    (root, root, tip, tip),
                    lambda t: 0.6 + 3.3 * math.sqrt(max(0.0, 1 - abs(2 * t - 1) ** 2.4)),
                )
                shapes.append(polygon(quill.ring(), color, width=1.0))
        return [
            *shapes,
            path(
                "M-2,-4 Q12,-22 24,-20 Q34,-18 38,-6 Q30,-12 22,-12 Q12,-10 2,8 Z", shade(tone, 0.2)
            ),
        ]
    if material == "scales":
        sail = path("M0,-6 Q12,-24 24,-22 Q38,-16 41,16 Q30,18 20,24 Q10,24 0,24 Z", "#6fae8a")
        scales = []
        for row in range(7):
            for k in range(8):
                x = 2.5 + k * 5 + (row % 2) * 2.5
                y = -15 + row * 5.4
                if -8 - 1.0 * x < y < 20 and x < 36 and y > -19 + abs(x - 22) * 0.6:
                    scales.append(
                        path(
                            f"M{x - 2.7:.1f},{y:.1f} q2.7,6 5.4,0",
                            None,
                            stroke="#2d6b4c",
                            width=1.1,
                        )
                    )
        return [sail, *scales]
    bones = ((24, -22), (41, 16), (27, 17), (13, 20))
    sail = path("M0,-4 Q12,-10 24,-22 Q36,-14 41,16 Q33,10 27,17 Q20,13 13,20 Q7,17 0,24 Z", tone)
    dark = path(
        "M24,-22 Q36,-14 41,16 Q33,10 27,17 Q30,-2 24,-22 Z", shade(tone, -0.15), stroke=None
    )
    ribs = [line([bones[0], tip], shade(tone, -0.5), 1.3) for tip in bones[1:]]
    return [
        sail,
        dark,
        *ribs,
        line([(0, 0), bones[0]], shade(tone, -0.5), 2.6),
        path("M22,-21 q0,-6 4,-7 q0,4 0,7 Z", "#efe6d2", width=0.8),
        path(sail.d, None),
    ]


def _ears(kind: str, fur: str) -> list[Part]:
    return {
        "pointed": [
            part(
                "ear",
                path(
                    f"M{s * 2},-24 C{s * 4},-38 {s * 11},-45 {s * 15},-48 "
                    f"C{s * 18},-38 {s * 17},-28 {s * 12},-17 Z",
                    fur,
                ),
                path(
                    f"M{s * 6},-26 C{s * 8},-35 {s * 11},-39 {s * 13.5},-42 "
                    f"C{s * 15},-34 {s * 14},-28 {s * 11},-22 Z",
                    "#d99aa8",
                    stroke=None,
                ),
            )
            for s in (-1, 1)
        ],
        "round": [
            part(
                "ear", circle(s * 13, -29, 9, fur), circle(s * 13, -29, 5.4, "#d99aa8", stroke=None)
            )
            for s in (-1, 1)
        ],
        "drooping": [
            part(
                "ear",
                path(
                    f"M{s * 5},-29 C{s * 16},-38 {s * 25},-28 {s * 24},-6 C{s * 23},2 "
                    f"{s * 17},2 {s * 16},-5 C{s * 16},-14 {s * 14},-18 {s * 10},-20 Z",
                    fur,
                ),
                path(
                    f"M{s * 17},-24 C{s * 21},-18 {s * 21},-8 {s * 20},-3",
                    None,
                    stroke="#d99aa8",
                    width=2.6,
                ),
            )
            for s in (-1, 1)
        ],
    }[kind]


def _face(kind: str, fur: str, art: Art) -> list[Part]:
    return {
        "snout": [
            part(
                "snout",
                ellipse(0, -12.5, 6.6, 5, shade(fur, 0.3)),
                path("M-3,-15 Q0,-17 3,-15 Q2,-12 0,-12 Q-2,-12 -3,-15 Z", INK, stroke=None),
                path("M-3.6,-10 Q0,-8 3.6,-10", None, width=1.1),
                [
                    polygon(
                        [(s * 2 - 0.8, -9.2), (s * 2 + 0.8, -9.2), (s * 2, -6.6)],
                        "#ffffff",
                        width=0.5,
                    )
                    for s in (-1, 1)
                ],
            )
        ],
        "beak": [
            part(
                "beak",
                polygon([(-7.5, -17), (7.5, -17), (0, -1)], art.tone("yellow")),
                line([(-5, -13), (5, -13)], INK, 1),
            )
        ],
        "trunk": [
            part(
                "trunk",
                tube("M0,-14 C2,-6 0,0 -5,4 Q-9,7 -12,3", 6, shade(fur, 0.3)),
                [line([(-1.6, y), (3.4, y + 0.6)], shade(fur, -0.3), 0.9) for y in (-9, -5)],
            )
        ],
    }[kind]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    fur = art.tone(str(v["fur"]))
    skin = shade(fur, -0.28) if v["fur"] != "white" else "#d9b9a2"
    count = int(v["wings"])
    wings = []
    for side in (1, -1)[: min(count, 2)]:
        for turn, tall, y in (
            ((0, 1.0, 2.0),) if count < 4 else ((-26, 0.62, -3.0), (26, 0.62, 13.0))
        ):
            wings.append(
                part("wing", _bat_wing(str(v["wing surface"]), skin)).with_transform(
                    f"scale({side} 1) translate(7 {y}) rotate({turn}) scale(1 {tall})"
                )
            )
    feet = [
        part(
            "foot",
            curved_tube([(s * 5, 25), (s * 5, 36)], 2.4, skin),
            [line([(s * 5, 36), (s * 5 + d, 41)], INK, 1.5) for d in (-2.4, 0, 2.4)],
        )
        for s in (-1, 1)
    ]
    branch = part(
        "branch",
        Ribbon(((-48, 43), (-16, 38), (16, 45), (48, 40)), lambda t: 3.6 - 0.8 * t).body(
            "#7d5a3c", -0.2
        ),
    )
    body = part("body", furry(0, 10, 19, fur), ellipse(0, 12, 9, 11, shade(fur, 0.22), stroke=None))
    ears = _ears(str(v["ears"]), fur)
    head = part("head", lit_ball(0, -18, 14, 13, fur))
    eyes = part("eye", dot_eye(-6.5, -20, 2.7), dot_eye(6.5, -20, 2.7))
    face = _face(str(v["face"]), fur, art)
    whole = [
        *wings,
        *feet,
        branch,
        body,
        *(ears if v["ears"] != "drooping" else []),
        head,
        *(ears if v["ears"] == "drooping" else []),
        eyes,
        *face,
    ]
    return [p.with_transform("rotate(180)") for p in whole] if v["stance"] == "hanging" else whole
