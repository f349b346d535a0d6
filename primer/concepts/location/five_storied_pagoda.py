"""Draws the stories and roofs of a pagoda: as many as a fact says, each fitted to the next."""

from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import DARK, mix, strokes
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    ellipse,
    line,
    part,
    path,
    rect,
    shade,
)
from hallascope.primer.world import DrawnValues


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


def _story(y0: float, y1: float, half: float) -> Part:
    timber = "#a8402f"
    plaster = "#f5ecd9"
    fills = ((-0.62, plaster), (0.0, DARK), (0.62, plaster))
    panels = [
        rect(half * (s - 0.13), y0 + 1.2, half * 0.26, y1 - y0 - 1.6, fill, stroke=None)
        for s, fill in fills
    ]
    return part("storey", rect(-half, y0, half * 2, y1 - y0, timber), panels)


def _lantern(x: float, eave: float, pitch: float) -> Part:
    return part(
        "lantern",
        line([(x, eave - pitch * 0.15), (x, eave + 1)], width=0.9),
        ellipse(x, eave + 3.4, 3.1, 3.5, "#e8432f", width=1.0),
        ellipse(x, eave + 3.4, 1.1, 2.6, "#ffcf5c", stroke=None),
    )


def stories(v: DrawnValues, art: Art) -> Sequence[Part]:
    tone = art.tone(v["colour"])
    tone = shade(tone, -0.22) if v["colour"] == "grey" else tone
    low, high = {"shrinking": (44.0, 23.0), "growing": (23.0, 41.0), "equal": (34.0, 34.0)}[
        v["order"]
    ]
    count = v["roofs"]
    pitch = 69 / count
    reaches = [mix(low, high, i / (count - 1)) for i in range(count)]
    walls, roofs, lanterns = [], [], []
    for i, (reach, upper) in enumerate(zip(reaches, [*reaches[1:], 8.0], strict=True)):
        foot = 42 - i * pitch
        eave = foot - pitch * 0.4
        ridge = foot - pitch * 1.02
        walls.append(_story(eave - pitch * 0.12, foot + pitch * 0.1, reach * 0.52))
        neck = min(upper * 0.56, reach * 0.6)
        roofs.append(part("roof", _eaves(v["eaves"], eave, ridge, reach, neck, tone)))
        if v["lanterns"] == "hung":
            lanterns += [_lantern(x, eave, pitch) for x in (-reach * 0.82, reach * 0.82)]
    return [*walls, *roofs, *lanterns]
