"""Draws a five-storied pagoda by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import (
    DARK,
    box,
    lean,
    mix,
    pattern,
    plot,
    strokes,
)
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    line,
    part,
    path,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _eaves(
    kind: str, eave: float, ridge: float, reach: float, neck: float, tone: str
) -> list[Shape]:
    """One roof: `reach` and `neck` are its half widths at the eave and at the ridge."""
    rise = eave - ridge
    if kind == "curved":
        lift = eave - rise * 0.62
        sag = eave + rise * 0.1
        low = (
            f"Q{reach * 0.62:.2f},{sag:.2f} 0,{sag:.2f} "
            f"Q{-reach * 0.62:.2f},{sag:.2f} {-reach:.2f},{lift:.2f}"
        )
        d = (
            f"M{-reach:.2f},{lift:.2f} "
            f"Q{-reach * 0.66:.2f},{eave - rise * 0.22:.2f} "
            f"{-neck:.2f},{ridge:.2f} H{neck:.2f} "
            f"Q{reach * 0.66:.2f},{eave - rise * 0.22:.2f} {reach:.2f},{lift:.2f} {low} Z"
        )
        band = (
            f"M{-reach:.2f},{lift:.2f} "
            f"Q{-reach * 0.56:.2f},{eave - rise * 0.16:.2f} 0,{eave - rise * 0.2:.2f} "
            f"Q{reach * 0.56:.2f},{eave - rise * 0.16:.2f} {reach:.2f},{lift:.2f} {low} Z"
        )
    elif kind == "drooping":
        drop = eave + rise * 0.42
        hem = eave - rise * 0.22
        crown = neck * 0.4
        low = (
            f"Q{reach * 0.7:.2f},{hem:.2f} 0,{hem:.2f} "
            f"Q{-reach * 0.7:.2f},{hem:.2f} {-reach:.2f},{drop:.2f} Z"
        )
        d = (
            f"M{-reach:.2f},{drop:.2f} Q{-reach:.2f},{ridge:.2f} "
            f"{-crown:.2f},{ridge:.2f} H{crown:.2f} "
            f"Q{reach:.2f},{ridge:.2f} {reach:.2f},{drop:.2f} {low}"
        )
        band = (
            f"M{-reach:.2f},{drop:.2f} "
            f"Q{-reach * 0.8:.2f},{eave - rise * 0.45:.2f} 0,{eave - rise * 0.45:.2f} "
            f"Q{reach * 0.8:.2f},{eave - rise * 0.45:.2f} {reach:.2f},{drop:.2f} {low}"
        )
    else:
        d = (
            f"M{-reach:.2f},{eave:.2f} L{-neck:.2f},{ridge:.2f} "
            f"H{neck:.2f} L{reach:.2f},{eave:.2f} Z"
        )
        band = (
            f"M{-reach:.2f},{eave:.2f} l{reach * 0.12:.2f},{-rise * 0.24:.2f} "
            f"H{reach * 0.88:.2f} L{reach:.2f},{eave:.2f} Z"
        )
    tiles = [
        [(neck * s, ridge + rise * 0.1), (reach * 0.62 * s, eave - rise * 0.28)]
        for s in (-0.8, -0.4, 0, 0.4, 0.8)
    ]
    return [
        path(d, tone, stroke=None),
        path(band, shade(tone, -0.28), stroke=None),
        strokes(tiles, shade(tone, -0.3), 0.8),
        path(d, None),
    ]


def _finial(kind: str) -> Part:
    gold = "#d9a833"
    if kind == "flag":
        return part(
            "flag",
            line([(0, -27), (0, -49)], width=1.8),
            path("M0,-49 q6,-3 10,0 t9,0 V-38 q-5,3 -9,0 t-10,0 Z", "#3f9a52"),
        )
    if kind == "chimney":
        bricks = pattern("blocks", box(-5, -42, 10, 15), 3.8, "#b5654a", 0.8)
        smoke = [circle(x, y, r, "#e4e4e8", width=0.9) for x, y, r in ((3, -46, 2.8), (7, -48, 2))]
        return part(
            "chimney",
            smoke,
            rect(-5, -42, 10, 15, "#b5654a"),
            bricks,
            rect(-6.5, -43.5, 13, 4, "#96503a"),
        )
    rings = [
        ellipse(0, y, r, 1.1, gold, width=0.8)
        for y, r in ((-31.5, 5), (-34.8, 4.5), (-38.1, 4), (-41.4, 3.5))
    ]
    mast = [line([(0, -26), (0, -48.5)], width=2.4), line([(0, -26), (0, -48)], gold, 1.2)]
    return part("spire", mast, rings, circle(0, -46.5, 2.1, gold, width=0.9))


def _storey(y0: float, y1: float, half: float) -> Part:
    timber = "#a8402f"
    plaster = "#f5ecd9"
    fills = ((-0.62, plaster), (0.0, DARK), (0.62, plaster))
    panels = [
        rect(half * (s - 0.13), y0 + 1.2, half * 0.26, y1 - y0 - 1.6, fill, stroke=None)
        for s, fill in fills
    ]
    return part("storey", rect(-half, y0, half * 2, y1 - y0, timber), panels)


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    count = int(v["roofs"])
    kind = str(v["eaves"])
    tone = art.tone(str(v["colour"]))
    tone = shade(tone, -0.22) if v["colour"] == "grey" else tone
    low, high = {"shrinking": (44.0, 23.0), "growing": (23.0, 41.0), "equal": (34.0, 34.0)}[
        str(v["order"])
    ]
    pitch = 69 / count
    reaches = [mix(low, high, i / (count - 1)) for i in range(count)]
    built: list[Part] = []
    for i, reach in enumerate(reaches):
        foot = 42 - i * pitch
        eave = foot - pitch * 0.4
        ridge = foot - pitch * 1.02
        upper = reaches[i + 1] if i + 1 < count else 8.0
        built.append(_storey(eave - pitch * 0.12, foot + pitch * 0.1, reach * 0.52))
        if v["lanterns"] == "hung":
            for x in (-reach * 0.82, reach * 0.82):
                lamp = [
                    line([(x, eave - pitch * 0.15), (x, eave + 1)], width=0.9),
                    ellipse(x, eave + 3.4, 3.1, 3.5, "#e8432f", width=1.0),
                ]
                built.append(
                    part("lantern", lamp, ellipse(x, eave + 3.4, 1.1, 2.6, "#ffcf5c", stroke=None))
                )
        built.append(
            part("roof", _eaves(kind, eave, ridge, reach, min(upper * 0.56, reach * 0.6), tone))
        )
    order = (
        [p for p in built if p.name == "storey"]
        + [p for p in built if p.name == "roof"]
        + [p for p in built if p.name == "lantern"]
    )
    tower = [_finial(str(v["top"])), *order]
    if v["stand"] == "leaning":
        tower = lean(tower, 12)
    slab = [
        rect(-46, 42, 92, 6.5, "#b9b3a6", r=1),
        rect(-45, 45.6, 90, 2.4, "#9b9588", stroke=None),
    ]
    return [plot(), part("platform", slab, rect(-9, 42, 18, 6.5, "#d6d0c2")), *tower]
