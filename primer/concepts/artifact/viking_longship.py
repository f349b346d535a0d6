"""Draws a viking longship by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import clip, dense, round, stick
from hallascope.primer.drawing.forms import dark
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    circle,
    ellipse,
    line,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _sail(cx: float, half: float, v: FactValues, art: Art) -> Part:
    top = -40.0
    bottom = 3.0
    red = art.tone("red")
    linen = "#f4ead2"
    square = v["sail shape"] == "square"
    corners = (
        [(-half, top), (half, top), (half, bottom), (-half, bottom)]
        if square
        else [(0.0, top), (half, bottom), (-half, bottom)]
    )

    def bent(points: Sequence[Point]) -> list[Point]:
        curve = []
        for x, y in dense(points):
            t = (y - top) / (bottom - top)
            curve.append(
                (cx + x * (1 + 0.1 * math.sin(math.pi * t)), y + 4.5 * t * (1 - (x / half) ** 2))
            )
        return curve

    shapes = [polygon(bent(corners), red if v["sail pattern"] == "plain" else linen)]
    if v["sail pattern"] == "stripes":
        count = 3
        if half > 20:
            count = 7
        elif half > 12:
            count = 5
        step = 2 * half / count
        strips = [
            clip(corners, 1, 0, -half + step * i, -half + step * (i + 1))
            for i in range(0, count, 2)
        ]
        shapes += [polygon(bent(strip), red, width=0.7) for strip in strips]
    elif v["sail pattern"] == "dots":
        spots = [(0.0, 0.36), (-0.3, 0.64), (0.3, 0.64), (0.0, 0.86), (-0.6, 0.88), (0.6, 0.88)]
        if square:
            spots = [(a, b) for b in (0.18, 0.5, 0.82) for a in (-0.62, 0.0, 0.62)]
        shapes += [
            polygon(
                bent(round(half * a, top + (bottom - top) * b, min(4.6, half * 0.26))),
                red,
                stroke=None,
            )
            for a, b in spots
        ]
    shapes += [
        dark(bent(clip(corners, 1, 0, half * 0.45, half - 0.3)), 0.1),
        polygon(bent(corners), None),
    ]
    return part("sail", shapes)


def _hull(v: FactValues, tone: str) -> list[Part]:
    parts = []
    if v["ends"] == "curved":
        stern = "M-37,22 C-45,10 -47,-4 -41,-12 C-37,-17 -31,-12 -35,-8"
        prow = "M37,22 C44,10 46,-2 42,-15"
        for d in (stern, prow):
            parts.append(
                part(
                    "post",
                    *(
                        path(d, None, stroke=c, width=w)
                        for c, w in ((INK, 7.4), (tone, 5.0), (shade(tone, 0.25), 1.2))
                    ),
                )
            )
        head = (
            "M38.6,-13 C38,-22 41,-27 46,-26 C49,-25.5 50,-23.5 49.6,-21.5 "
            "L45.5,-20.6 L48.6,-18.4 C47.6,-16.6 46,-16.4 45.2,-13 Z"
        )
        ear = path("M41,-24 l-2.4,-4.6 l5,2.6 Z", tone)
        eye = circle(44.2, -23, 1.1, "#f7f0d8", width=0.6)
        parts.append(part("carved head", path(head, tone), ear, eye))
        body = (
            "M-40,11 C-28,18 -12,20 0,20 C12,20 28,18 40,11 "
            "C39,25 31,36.5 15,37.5 L-15,37.5 C-31,36.5 -39,25 -40,11 Z"
        )
        under = (
            "M-33.5,29 C-20,33 20,33 33.5,29 C29,34.5 23,37 15,37 "
            "L-15,37 C-23,37 -29,34.5 -33.5,29 Z"
        )
        planks = ["M-37.5,20 C-20,26.5 20,26.5 37.5,20", "M-34,28 C-20,32.5 20,32.5 34,28"]
    else:
        planks = ["M-44,25 H44", "M-44,31 H44"]
        body = "M-44,18 H44 V37.5 H-44 Z"
        under = "M-43.4,31 H43.4 V37 H-43.4 Z"
    lines = [path(d, None, stroke=shade(tone, -0.4), width=0.8) for d in planks]
    return [
        *parts,
        part("hull", path(body, tone), path(under, shade(tone, -0.18), stroke=None), lines),
    ]


def _side(v: FactValues, art: Art) -> list[Part]:
    parts = []
    for i in range(6):
        x = -27.5 + 11 * i
        y = 22.5 - 0.0035 * x * x
        if v["side"] == "shields":
            tone = art.tone(("yellow", "red", "blue")[i % 3])
            cross = [
                line([polar(x, y, 4.6, a), polar(x, y, 4.6, a + 180)], shade(tone, -0.3), 0.8)
                for a in (45, 135)
            ]
            parts.append(
                part(
                    "shield",
                    circle(x, y, 5.1, tone),
                    cross,
                    circle(x, y, 1.6, "#d5d8dd", width=0.8),
                )
            )
        elif v["side"] == "windows":
            parts.append(
                part(
                    "window",
                    rect(x - 3.4, y - 2.4, 6.8, 7.4, "#cfe9f5"),
                    line([(x, y - 2.4), (x, y + 5)], INK, 0.9),
                )
            )
    return parts


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    count = int(v["sails"])
    wood = art.tone("brown")
    half, centers = {1: (26.0, (0.0,)), 2: (15.0, (-18.0, 18.0)), 3: (9.5, (-24.0, 0.0, 24.0))}[
        count
    ]
    parts = [
        part("rope", line([(x, -46), (s * 38, 14)], shade(wood, -0.3), 0.7))
        for x, s in ((centers[0], -1), (centers[-1], 1))
    ]
    for cx in centers:
        parts.append(part("mast", rect(cx - 1.7, -48, 3.4, 68, shade(wood, 0.12))))
        parts.append(_sail(cx, half, v, art))
        if v["sail shape"] == "square":
            parts.append(
                part(
                    "yard", rect(cx - half - 1.5, -42.4, 2 * half + 3, 3.6, shade(wood, 0.12), 1.8)
                )
            )
        parts.append(
            part("pennant", path(f"M{cx},-49 l8,2.4 l-8,2.4 Z", art.tone("yellow"), width=0.8))
        )
    parts += _hull(v, wood)
    parts += _side(v, art)
    if v["scene"] == "sea":
        foam = (
            "M-43,37.5 q5,-5 10.7,0 t10.8,0 t10.7,0 t10.8,0 t10.7,0 "
            "t10.8,0 t10.7,0 t10.8,0 q-5,4.5 -20,4.5 H-24 q-15,0 -19,-4.5 Z"
        )
        parts.append(
            part(
                "wave",
                path(foam, "#5b9fd4", stroke=None),
                path(foam.split(" q-5,4.5")[0], None, stroke="#e4f3fa", width=1.3),
            )
        )
    if v["rowing"] == "oars":
        for i in range(6):
            x = -19.5 + 10.5 * i
            ash = "#dcb67f"
            blade = ellipse(0, 0, 2.4, 4.6, ash)
            parts.append(part("oar", stick((x, 28), (x - 9, 41), ash, 1.6)))
            parts.append(
                part("oar blade", blade).with_transform(f"translate({x - 11:.1f} 43.6) rotate(35)")
            )
    return parts
