"""Draws a medieval castle by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import (
    DARK,
    WATER,
    box,
    line_across,
    outline_of,
    pattern,
    quad,
    strokes,
    uprights,
    wall_top,
)
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    ellipse,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _round_tower(x: float, foot: float, tone: str, material: str, window: str) -> list[Part]:
    w = 11.0
    top = -26.0
    body = rect(x - w, top, w * 2, foot - top, tone)
    side = rect(x + w * 0.35, top + 0.6, w * 0.6, foot - top - 1.2, shade(tone, -0.2), stroke=None)
    light = rect(
        x - w * 0.8, top + 0.6, w * 0.3, foot - top - 1.2, "#ffffff", stroke=None, opacity=0.25
    )
    marks = pattern(material, box(x - w, top, w * 2, foot - top), 6.2, tone, 0.8)
    roof = path(
        f"M{x},-46 L{x + w + 3},{top + 1} Q{x},{top + 6} {x - w - 3},{top + 1} Z", "#5b4a6e"
    )
    dark = path(
        f"M{x},-46 L{x + w + 3},{top + 1} Q{x + 8},{top + 3.4} {x + 4},{top + 3.4} Z",
        "#473a58",
        stroke=None,
    )
    pole = line([(x, -45), (x, -50)], width=1.1)
    flag = path(f"M{x},-50 l8,2 l-8,2.4 Z", "#e3b53c", width=0.9)
    tower = part(
        "tower",
        body,
        light,
        side,
        marks,
        rect(x - w, top, w * 2, foot - top, None),
        pole,
        flag,
        roof,
        dark,
        path(roof.d, None),
    )
    return [tower, _window(window, x, -9)]


def _window(kind: str, x: float, y: float) -> Part:
    if kind == "slit":
        return part("window", rect(x - 1.5, y - 5.5, 3, 11, DARK, r=1.5, width=1.0))
    glass = rect(x - 5.2, y - 6, 10.4, 12, "#bfe0ef", width=1.5)
    return part(
        "window",
        glass,
        line([(x, y - 6), (x, y + 6)], width=1.2),
        line([(x - 5.2, y), (x + 5.2, y)], width=1.2),
    )


def _surroundings(kind: str) -> Part:
    bank = ellipse(0, 41, 50, 8.6, "#7d9a58")
    if kind == "rails":
        ties = [
            polygon(
                [(x - 1.4, 38), (x + 2.2, 38), (x + 2.2, 47.5), (x - 1.4, 47.5)],
                "#8a5a35",
                width=0.9,
            )
            for x in range(-40, 41, 9)
        ]
        rails = [line([(-46, y), (46, y)], "#23242b", 2.6) for y in (40.5, 45)]
        shine = [line([(-46, y), (46, y)], "#c4c9d1", 1.1) for y in (40.5, 45)]
        return part("railway tracks", bank, ties, rails, shine)
    if kind == "lava":
        blobs = [
            ellipse(x, y, rx, 1.3, "#ffd65a", stroke=None)
            for x, y, rx in ((-32, 43, 6), (-22, 46, 4), (26, 45, 6), (36, 41.5, 5))
        ]
        return part("lava", bank, ellipse(0, 42, 46, 6.6, "#e2451f"), blobs)
    waves = [
        path(f"M{x},{y} q3,-2.6 6,0 t6,0", None, stroke="#dff1fa", width=1.2)
        for x, y in ((-38, 42), (-26, 46), (17, 46), (27, 42.5))
    ]
    return part("moat", bank, ellipse(0, 42, 46, 6.6, WATER), waves)


def _gate(lowered: bool) -> list[Part]:
    wood = "#9a6a3d"
    frame = path("M-13,39 V22 A13,13 0 0,1 13,22 V39 Z", "#6e6a68")
    hole = path("M-10,39 V22 A10,10 0 0,1 10,22 V39 Z", "#2b2522")
    if lowered:
        bars = strokes(
            [[(x, 14), (x, 24)] for x in (-5, 0, 5)] + [[(-9.4, 19), (9.4, 19)]], "#9a9aa2", 1.2
        )
        bridge = quad((-10, 37), (10, 37), (-15, 49.5), (15, 49.5))
        planks = strokes(
            [line_across(bridge, t) for t in (0.25, 0.5, 0.75)], shade(wood, -0.45), 1.0
        )
        chains = strokes([[(s * 10, 16), (s * 14, 46)] for s in (-1, 1)], "#23242b", 1.3)
        return [
            part("gate", frame, hole, bars),
            part("drawbridge", polygon(outline_of(bridge), wood), planks, chains),
        ]
    leaf = box(-10.5, 11, 21, 28)
    bands = [rect(-10.5, y, 21, 2.4, "#4a4038", stroke=None) for y in (16, 31)]
    chains = strokes([[(s * 12, 5), (s * 8, 15)] for s in (-1, 1)], "#23242b", 1.3)
    panel = [
        polygon(outline_of(leaf), wood),
        strokes(uprights(leaf, 4.2), shade(wood, -0.45), 0.9),
        *bands,
        polygon(outline_of(leaf), None),
    ]
    return [part("gate", frame), part("drawbridge", panel, chains)]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tone = art.tone(str(v["colour"]))
    material = str(v["material"])
    window = str(v["windows"])
    tone = shade(tone, 0.18) if v["colour"] == "grey" else tone
    top = -3.0
    foot = 39.0
    reach = 44.0
    face = box(-reach, top, reach * 2, foot - top)
    outline = [
        *wall_top(str(v["edge"]), lambda x: top, -reach, reach, 9, 6),
        (reach, foot),
        (-reach, foot),
    ]
    shadow = rect(-reach, foot - 6, reach * 2, 6, shade(tone, -0.16), stroke=None)
    wall = part(
        "wall",
        polygon(outline, tone),
        shadow,
        pattern(material, face, 6.2, tone, 0.8),
        polygon(outline, None),
    )
    wide = 36.0 if v["towers"] == "ends" else 14.0
    towers = [p for x in (-wide, wide) for p in _round_tower(x, foot, tone, material, window)]
    openings = [_window(window, x, 13) for x in (-19, 19)]
    front = [wall, *towers] if v["towers"] == "ends" else [*towers, wall]
    return [_surroundings(str(v["around"])), *front, *openings, *_gate(v["bridge"] == "lowered")]
