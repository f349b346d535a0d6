"""Draws a bar magnet by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import clip, round
from hallascope.primer.drawing.forms import dark, light
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    line,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _nail(length: float) -> list[Shape]:
    tone = "#a9b0bb"
    shaft = polygon(
        [(2, -1.6), (length - 5, -1.6), (length, 0), (length - 5, 1.6), (2, 1.6)], tone, width=0.9
    )
    return [
        shaft,
        dark([(3, 0.3), (length - 3, 0.3), (length - 5, 1.3), (3, 1.3)], 0.2),
        rect(0, -3.4, 2.6, 6.8, tone, 0.8, width=0.9),
    ]


def _leaf(length: float, art: Art) -> list[Shape]:
    tone = art.tone("green")
    blade = (
        f"M0,0 C{length * 0.3},-7 {length * 0.7},-6 {length},0 "
        f"C{length * 0.7},6 {length * 0.3},7 0,0 Z"
    )
    return [path(blade, tone), line([(0, 0), (length - 3, 0)], shade(tone, -0.3), 0.9)]


def _pencil(length: float, art: Art) -> list[Shape]:
    tone = art.tone("yellow")
    tip = polygon([(length - 5, -2.6), (length, 0), (length - 5, 2.6)], "#f0dcb4", width=0.9)
    wood = rect(0, -2.6, length - 5, 5.2, tone, width=0.9)
    rubber = rect(0, -2.6, 3, 5.2, "#e79aa9", width=0.9)
    return [wood, rubber, tip, circle(length - 0.8, 0, 0.9, INK, stroke=None)]


def _clinging(v: FactValues, reach: float, art: Art) -> list[Part]:
    parts = []
    for side in (0, 180):
        for turn, y in ((-32, -5.4), (0, 0.0), (32, 5.4)):
            length = 48.5 - reach
            if v["clinging"] == "nails":
                item = part("nail", _nail(length))
            elif v["clinging"] == "leaves":
                item = part("leaf", _leaf(length, art))
            else:
                item = part("pencil", _pencil(length, art))
            parts.append(
                item.with_transform(
                    f"rotate({side}) translate({reach + 0.3:.2f} {y}) rotate({turn})"
                )
            )
    return parts


def _field_lines(v: FactValues, reach: float) -> list[Part]:
    tone = "#5a6273"
    parts = []
    for side in (-1, 1):
        if v["lines"] == "loops":
            for spread, height in ((7.0, 25.0), (13.0, 36.0), (18.0, 47.0)):
                y = side * height / 0.75
                e = reach - 3
                arrow = [(-2.2, side * height - 3), (3.2, side * height), (-2.2, side * height + 3)]
                loop = path(
                    f"M{e},0 C{e + spread},{y:.1f} {-e - spread},{y:.1f} {-e},0",
                    None,
                    stroke=tone,
                    width=1.6,
                )
                parts.append(part("field line", loop, polygon(arrow, tone, stroke=None)))
        elif v["lines"] == "rays":
            for angle in range(35, 150, 22):
                parts.append(
                    part(
                        "field line",
                        line(
                            [polar(0, 0, 26, side * angle), polar(0, 0, 47, side * angle)],
                            tone,
                            1.6,
                        ),
                    )
                )
        else:
            for height in (27.0, 36.0, 45.0):
                wave = [
                    (-46 + 1.15 * i, side * height + 2.6 * math.sin(i * 0.5)) for i in range(81)
                ]
                parts.append(part("field line", line(wave, tone, 1.6)))
    return parts


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    reach, height = {"bar": (28.0, 9.5), "disc": (21.0, 21.0), "diamond": (28.0, 20.0)}[
        str(v["form"])
    ]
    outline = {
        "bar": [(-reach, -height), (reach, -height), (reach, height), (-reach, height)],
        "disc": round(0, 0, 21),
        "diamond": [(-reach, 0.0), (0.0, -height), (reach, 0.0), (0.0, height)],
    }[str(v["form"])]
    count = int(v["sections"])
    weights = [2.4 if v["lengths"] == "unequal" and i == 0 else 1.0 for i in range(count)]
    unit = 2 * reach / sum(weights)
    start = -reach
    sections = []
    names = str(v["colours"]).split()
    for i, weight in enumerate(weights):
        piece = clip(outline, 1, 0, start, start + unit * weight)
        tone = art.tone(names[i % 2])
        lit = clip(piece, 0, 1, -height * 0.72, -height * 0.45)
        dim = clip(piece, 0, 1, height * 0.5, height)
        extra = ([light(lit)] if len(lit) > 2 else []) + ([dark(dim, 0.16)] if len(dim) > 2 else [])
        sections.append(
            part("section", polygon(piece, tone, stroke=None), extra, polygon(piece, None))
        )
        start += unit * weight
    parts = [*_field_lines(v, reach), *_clinging(v, reach, art), *sections]
    return [p.with_transform("rotate(90)") for p in parts] if v["position"] == "upright" else parts
