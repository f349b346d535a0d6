"""Draws a gentoo penguin by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.animal.forms import curved_tube, open_eye
from hallascope.primer.drawing.forms import tube
from hallascope.primer.drawing.parts import INK, Art, Part, circle, line, part, path, polygon, shade
from hallascope.primer.world import FactValues


def _body(back: str, front: str, white: str) -> list[Part]:
    return [
        part(
            "body",
            path(
                "M-6,-32 C-18,-24 -24,-4 -22,16 C-21,30 -14,40 0,40 "
                "C17,40 25,26 24,6 C23,-12 17,-22 13,-32 Z",
                back,
            ),
            path(
                "M-20,18 C-19,30 -12,38 0,38 C5,38 8,37 11,35 C-4,34 -14,28 -20,18 Z",
                shade(back, -0.2 if back == white else -0.35),
                stroke=None,
            ),
        ),
        part(
            "belly",
            path(
                "M11,-24 C19,-16 23,-6 23,8 C23,24 17,38 2,39 "
                "C-6,32 -8,16 -4,2 C-1,-10 6,-16 11,-24 Z",
                front,
                width=0.9,
            ),
            path(
                "M20,-6 C25,14 20,37 2,38.5 C14,30 19,14 20,-6 Z", shade(front, -0.1), stroke=None
            ),
        ),
        part("tail", polygon([(-18, 26), (-27, 40), (-9, 37)], back)),
    ]


def _limb(kind: str, black: str) -> list[Part]:
    grey = shade(black, 0.16)
    return {
        "flipper": [
            part(
                "flipper",
                path("M-9,-17 C-1,-17 3,-10 2,0 C1,10 -6,20 -13,26 C-17,16 -17,-10 -9,-17 Z", grey),
                path(
                    "M-1,-4 C-1,6 -6,15 -12,21 C-8,10 -5,4 -1,-4 Z", shade(grey, -0.25), stroke=None
                ),
            )
        ],
        "arm": [
            part(
                "arm",
                [
                    s
                    for dx, dy in ((-8, 6), (-3.5, 10), (2, 10), (7, 5))
                    for s in curved_tube([(-6, 13), (-6 + dx, 13 + dy)], 2.8, "#e0ac7e")
                ],
                tube("M-7,-14 Q-13,0 -6,12", 7, "#e0ac7e"),
            )
        ],
        "none": [],
    }[kind]


def _scarf(cloth: str) -> list[Part]:
    """Return the hanging end of the scarf, then its turn around the neck."""
    return [
        part(
            "scarf",
            path("M-4,-20 C-12,-16 -12,2 -7,8 L3,5 C-1,-2 0,-12 4,-19 Z", cloth),
            line([(-9, -4), (0, -6)], shade(cloth, 0.5), 1.8),
        ),
        part(
            "scarf",
            path("M-9,-28 C0,-22 10,-22 17,-27 L19,-19 C10,-13 -2,-13 -12,-19 Z", cloth),
            path(
                "M-11,-21 C0,-15 10,-16 18,-21 L19,-19 C10,-13 -2,-13 -12,-19 Z",
                shade(cloth, -0.2),
                stroke=None,
            ),
        ),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    black = art.tone("black")
    white = art.tone("white")
    feet = art.tone(str(v["feet"]))
    back, front = {"back": (black, white), "front": (white, black), "all": (black, black)}[
        str(v["dark"])
    ]
    long = v["legs"] == "long"
    lying = v["stance"] == "lying"
    body = _body(back, front, white)
    head = [
        part(
            "beak",
            path("M13,-40 C20,-40 26,-37 30,-33 C24,-32 18,-31 13,-32 Z", art.tone("orange")),
            line([(14, -35.5), (27, -34)], INK, 0.8),
        ),
        part(
            "head",
            circle(5, -36, 12.5, black),
            path(
                "M-3,-26 A12.5,12.5 0 0,0 17,-33 A16,16 0 0,1 -3,-26 Z",
                shade(black, -0.3),
                stroke=None,
            ),
            path("M2,-44 C7,-46 11,-43 11,-39 C8,-40 5,-41 2,-44 Z", white, stroke=None),
        ),
        part("eye", open_eye(9, -37.5, 2.8)),
    ]
    limb = _limb(str(v["limb"]), black)
    scarf = _scarf(art.tone(str(v["wear"]))) if v["wear"] != "nothing" else []
    if lying:
        head = [p.with_transform("rotate(-62 5 -33)") for p in head]
    trunk = (
        [*body, *head, *limb, *scarf]
        if not scarf
        else [*body, *scarf[1:], *head, *limb, *scarf[:1]]
    )
    if long:
        trunk = [p.with_transform("translate(0 -14) scale(0.72)") for p in trunk]
    legs = []
    for x in (-9.0, 8.0):
        x, top, toe = (x * 0.75, 10.0, 44.0) if long else (x, 36.0, 44.0)
        foot = path(
            f"M{x - 4},{toe - 3} Q{x - 6},{toe + 3} {x - 5},{toe + 4} "
            f"L{x - 1},{toe + 2} L{x + 3},{toe + 4.5} "
            f"L{x + 6},{toe + 2} L{x + 13},{toe + 3} Q{x + 10},{toe - 5} {x + 2},{toe - 6} Z",
            feet,
        )
        legs.append(part("foot", curved_tube([(x, top), (x, toe - 2)], 4.5, feet), foot))
    turn = {
        "upright": "",
        "lying": "translate(-3 8) rotate(90) scale(0.95)",
        "inverted": "rotate(180)",
    }[str(v["stance"])]
    return [p.with_transform(turn) if turn else p for p in [*legs, *trunk]]
