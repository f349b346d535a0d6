"""Draws a flamingo by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.animal.forms import Ribbon, Spine, curved_tube, open_eye, shadow
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    part,
    path,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues


def _beak(bend: str, dark: str) -> list[Shape]:
    pale = "#f7e3cf"
    return {
        "down": [
            path(
                "M25,-46 C34,-46 39,-41 38,-28 C36,-24 33,-23 31,-24 C33,-31 31,-36 25,-37 Z", pale
            ),
            path(
                "M37.9,-34 C38.4,-31 38.2,-29 38,-28 "
                "C36,-24 33,-23 31,-24 C32.2,-28 32.2,-31 31.5,-33 Z",
                dark,
            ),
        ],
        "straight": [
            polygon([(25, -46.5), (48, -41), (25, -36.5)], pale),
            polygon([(38, -43.4), (48, -41), (38, -39)], dark),
        ],
        "up": [
            path(
                "M25,-37 C36,-36 42,-41 43,-50 C40,-50 37,-49 36,-47 C34,-45 30,-45 25,-46 Z", pale
            ),
            path("M41.5,-43.5 C42.5,-45.5 43,-48 43,-50 C40,-50 37,-49 36,-47 Z", dark),
        ],
    }[bend]


def _tail(size: str, coat: str) -> list[Part]:
    if size == "small":
        return [part("tail", path("M-28,-4 L-42,2 L-36,5 L-43,10 L-26,10 Z", shade(coat, -0.12)))]
    tail = []
    for turn in (-10, 10, 30, 50, 70, 90):
        tail.append(
            part(
                "tail",
                ellipse(16, 0, 18, 5.6, shade(coat, 0.1 if turn % 20 else -0.06)),
                circle(27, 0, 3.4, shade(coat, -0.35), width=0.8),
            ).with_transform(f"translate(-18 -2) rotate({180 + turn})")
        )
    return tail


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    coat = art.tone(str(v["plumage"]))
    limb = shade(coat, -0.2)
    long = v["legs"] == "long"
    foot_y, hip = (48.0, -2.0) if long else (41.0, 20.0)

    def standing(x: float) -> Part:
        knee = (hip + foot_y) / 2
        return part(
            "leg",
            curved_tube([(x, hip), (x - 1, knee), (x, foot_y)], 2.4, limb),
            circle(x - 1, knee, 2.5 if long else 1.8, limb),
            path(
                f"M{x - 2},{foot_y - 2} L{x - 4},{foot_y + 2} "
                f"H{x + 11} Q{x + 6},{foot_y - 3} {x + 2},{foot_y - 3} Z",
                limb,
            ),
        )

    fold = 21 if long else 14
    tucked = part(
        "leg",
        curved_tube(
            [(-2, hip), (5, hip + fold), (-16, hip + fold - 6 if long else hip + fold - 2)],
            2.4,
            limb,
        ),
        circle(5, hip + fold, 2.3, limb),
        path(
            f"M-15,{hip + fold - (8 if long else 5)} L-24,{hip + fold + 1} "
            f"L-17,{hip + fold - 1} L-16,{hip + fold + 4} L-13,{hip + fold - 3} Z",
            limb,
        ),
    )
    legs = {"one": [tucked, standing(-5)], "two": [standing(-14), standing(5)]}[str(v["stance"])]
    spine: Spine = (
        ((9, 2), (50, -12), (-14, -36), (17, -42))
        if v["neck"] == "curved"
        else ((10, 0), (12, -14), (14, -28), (17, -41))
    )
    neck = Ribbon(spine, lambda t: 6.5 - 3.0 * min(1, 1.6 * t))
    body = part(
        "body",
        path("M-34,4 C-30,-14 -8,-20 8,-13 C20,-8 22,4 14,11 C2,19 -20,14 -34,4 Z", coat),
        path(
            "M-28,7 C-10,12 8,10 18,-2 C19,4 17,9 14,11 C2,19 -16,14 -28,7 Z",
            shade(coat, -0.13),
            stroke=None,
        ),
    )
    wing = part(
        "wing",
        path("M8,-7 C-2,-15 -22,-12 -38,6 C-26,6 -22,9 -16,8 C-8,11 8,8 8,-7 Z", shade(coat, 0.14)),
        path("M-28,3 C-20,0 -14,0 -6,-4", None, stroke=shade(coat, -0.25), width=1.2),
        path("M-20,7 C-12,5 -8,3 0,-1", None, stroke=shade(coat, -0.25), width=1.2),
    )
    tail = _tail(str(v["tail"]), coat)
    head = part(
        "head",
        ellipse(20, -41, 8, 7, coat),
        shadow(20, -41, 8, 7, coat),
        open_eye(21.5, -42.5, 2.3),
    )
    beak = _beak(str(v["beak"]), art.tone("black"))
    bird = [*tail, body, part("neck", neck.body(coat)), wing, part("beak", beak), head]
    return [
        *legs,
        *(
            p.with_transform(
                "translate(0 -7) scale(0.86)" if long else "translate(0 15) scale(0.86)"
            )
            for p in bird
        ),
    ]
