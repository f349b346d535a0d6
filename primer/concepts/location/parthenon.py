"""Draws the columns of the Parthenon: their surface follows how they stand."""

from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import mix, outline_of, quad, strokes
from hallascope.primer.drawing.parts import Art, Part, part, polygon, shade
from hallascope.primer.world import DrawnValues

_TOP = -10.0
_FOOT = 29.0


def _column(x: float, w: float, lean: float, kind: str, tone: str) -> Part:
    head = x + lean
    heel = x - lean
    shaft = quad(
        (head - w * 0.39, _TOP + 4),
        (head + w * 0.39, _TOP + 4),
        (heel - w * 0.46, _FOOT),
        (heel + w * 0.46, _FOOT),
    )
    side = quad(shaft(0.66, 0), shaft(1, 0), shaft(0.66, 1), shaft(1, 1))
    width, lines = {
        "grooves": (1.0, [[shaft(s, 0.03), shaft(s, 1)] for s in (0.33, 0.67)]),
        "rings": (2.4, [[shaft(0, t), shaft(1, t)] for t in (0.14, 0.32, 0.5, 0.68, 0.86)]),
        "spiral": (
            2.2,
            [[shaft(0, t + 0.13), shaft(1, t)] for t in (0.04, 0.24, 0.44, 0.64, 0.84)],
        ),
    }[kind]
    block = [
        (head - w * 0.56, _TOP),
        (head + w * 0.56, _TOP),
        (head + w * 0.4, _TOP + 4),
        (head - w * 0.4, _TOP + 4),
    ]
    return part(
        "column",
        polygon(outline_of(shaft), tone, stroke=None),
        polygon(outline_of(side), shade(tone, -0.13), stroke=None),
        strokes(lines, shade(tone, -0.5), width),
        polygon(outline_of(shaft), None, width=1.0),
        polygon(block, tone, width=1.0),
    )


def columns(v: DrawnValues, art: Art) -> Sequence[Part]:
    tone = art.tone(v["colour"])
    tone = shade(tone, -0.03) if v["colour"] == "white" else tone
    lean = 6.5 if v["stand"] == "leaning" else 0.0
    reach = 41 - lean
    count = v["columns"]
    width = {8: 7.8, 6: 8.6, 4: 9.6}[count]
    return [
        _column(mix(-reach, reach, i / (count - 1)), width, lean, v["surface"], tone)
        for i in range(count)
    ]
