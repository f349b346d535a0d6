"""Draws the Parthenon by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import mix, outline_of, plot, quad, strokes
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _column(x: float, w: float, lean: float, kind: str, tone: str) -> Part:
    top = -10.0
    foot = 29.0
    shaft = quad(
        (x + lean - w * 0.39, top + 4),
        (x + lean + w * 0.39, top + 4),
        (x - lean - w * 0.46, foot),
        (x - lean + w * 0.46, foot),
    )
    side = quad(shaft(0.66, 0), shaft(1, 0), shaft(0.66, 1), shaft(1, 1))
    ink = shade(tone, -0.5)
    if kind == "grooves":
        marks = strokes([[shaft(s, 0.03), shaft(s, 1)] for s in (0.33, 0.67)], ink, 1.0)
    elif kind == "rings":
        marks = strokes(
            [[shaft(0, t), shaft(1, t)] for t in (0.14, 0.32, 0.5, 0.68, 0.86)], ink, 2.4
        )
    else:
        marks = strokes(
            [[shaft(0, t + 0.13), shaft(1, t)] for t in (0.04, 0.24, 0.44, 0.64, 0.84)], ink, 2.2
        )
    head = x + lean
    block = [
        (head - w * 0.56, top),
        (head + w * 0.56, top),
        (head + w * 0.4, top + 4),
        (head - w * 0.4, top + 4),
    ]
    return part(
        "column",
        polygon(outline_of(shaft), tone, stroke=None),
        polygon(outline_of(side), shade(tone, -0.13), stroke=None),
        marks,
        polygon(outline_of(shaft), None, width=1.0),
        polygon(block, tone, width=1.0),
    )


def _relief(x: float, high: float, tone: str) -> list[Shape]:
    """Return a robed figure carved in stone, standing at x with height `high`."""
    neck = -25 - high * 0.7
    robe = path(
        f"M{x - 3.2},-25 Q{x - 1.6},{neck:.2f} {x},{neck:.2f} "
        f"Q{x + 1.6},{neck:.2f} {x + 3.2},-25 Z",
        tone,
        width=0.7,
    )
    return [robe, circle(x, neck - high * 0.12, 1.0 + high * 0.07, tone, width=0.7)]


def _gable(kind: str, tone: str) -> Part:
    if kind == "triangle":
        outer = [(-50, -22), (0, -48), (50, -22)]
        inner = [(-36, -25), (0, -43.5), (36, -25)]
        shapes = [polygon(outer, tone), polygon(inner, shade(tone, -0.2), width=0.9)]
    elif kind == "dome":
        outer_d = "M-48,-22 A48,27 0 0,1 48,-22 Z"
        inner_d = "M-40,-25 A40,19 0 0,1 40,-25 Z"
        shapes = [path(outer_d, tone), path(inner_d, shade(tone, -0.2), width=0.9)]
    else:
        shapes = [
            rect(-48, -46, 96, 24, tone),
            rect(-43, -42, 86, 16, shade(tone, -0.2), width=0.9),
        ]
    figures = [
        figure
        for x, high in ((-19, 5), (-9.5, 8), (0, 11), (9.5, 8), (19, 5))
        for figure in _relief(x, high, shade(tone, 0.1))
    ]
    return part("gable", shapes, figures)


def _footing(kind: str, tone: str) -> Part:
    if kind == "stilts":
        posts = [rect(x - 2.6, 31, 5.2, 17, "#8a5a35") for x in (-42, -21, 0, 21, 42)]
        return part("stilts", posts, rect(-48, 28.5, 96, 5.5, tone))
    if kind == "arches":
        holes = [
            path(f"M{x - 6.4},48 V42 a6.4,7 0 0,1 12.8,0 V48 Z", shade(tone, -0.62), width=1.0)
            for x in (-36, -18, 0, 18, 36)
        ]
        return part("arches", rect(-48, 28.5, 96, 19.5, tone), holes)
    steps = [
        rect(-50 + 3 * i, 41.6 - 6.4 * i, 100 - 6 * i, 6.4, shade(tone, -0.05)) for i in range(3)
    ]
    edges = [
        rect(-49.3 + 3 * i, 45.4 - 6.4 * i, 98.6 - 6 * i, 2, shade(tone, -0.22), stroke=None)
        for i in range(3)
    ]
    return part("steps", steps, edges)


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tone = art.tone(str(v["colour"]))
    count = int(v["columns"])
    tone = shade(tone, -0.03) if v["colour"] == "white" else tone
    lean = 6.5 if v["stand"] == "leaning" else 0.0
    w = {8: 7.8, 6: 8.6, 4: 9.6}[count]
    reach = 41 - lean
    hall = part(
        "hall",
        rect(-43, -12, 86, 41, shade(tone, -0.52)),
        rect(-11, 0, 22, 29, shade(tone, -0.66), stroke=None),
    )
    columns = [
        _column(mix(-reach, reach, i / (count - 1)), w, lean, str(v["surface"]), tone)
        for i in range(count)
    ]
    frieze = [
        rect(-46 + 8.74 * i, -20, 4.6, 5.4, shade(tone, -0.28), stroke=None) for i in range(11)
    ]
    beam = part(
        "beam", rect(-48, -22, 96, 12, tone), frieze, line([(-48, -13), (48, -13)], width=0.9)
    )
    return [
        plot(),
        _footing(str(v["base"]), tone),
        hall,
        *columns,
        beam,
        _gable(str(v["gable"]), tone),
    ]
