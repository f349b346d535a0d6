"""Draws the pyramids of Giza by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import Surface, box, mix, outline_of, pattern, quad
from hallascope.primer.drawing.forms import read_numbers
from hallascope.primer.drawing.parts import Art, Part, Point, ellipse, part, polygon, shade
from hallascope.primer.world import DrawnValues

# Center, base and half width of every building, by how high they are and how many.
_LAYOUTS: dict[str, dict[str, list[tuple[float, float, float]]]] = read_numbers(__file__)


def _monument(kind: str, x: float, base: float, w: float) -> tuple[Surface, Surface]:
    """Return lit front and shadow side of one building, `x` its center and `w` its half width."""
    high = w * 1.62
    if kind == "triangle":
        apex = (x, base - high)
        corner = (x + w * 0.35, base + w * 0.1)
        return quad(apex, apex, (x - w, base), corner), quad(
            apex, apex, corner, (x + w, base - w * 0.04)
        )
    if kind == "block":
        left = x - w * 0.86
        top = base - high * 0.8
        split = x + w * 0.36
        right = x + w * 0.86
        lit = box(left, top, split - left, base + w * 0.05 - top)
        return lit, quad(
            (split, top),
            (right, top + w * 0.06),
            (split, base + w * 0.05),
            (right, base - w * 0.04),
        )

    def dome(start: float, end: float) -> Surface:
        def at(s: float, t: float) -> Point:
            half = w * 0.92 * math.sqrt(max(0.0, 1 - (1 - t) ** 2))
            return x + half * mix(start, end, s), base - high * 0.78 * (1 - t)

        return at

    return dome(-1, 0.35), dome(0.35, 1)


def _cap(at: Surface) -> Surface:
    return lambda s, t: at(s, t * 0.34)


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    tone = art.tone(v["colour"])
    kind = v["sides"]
    gold = art.tone("gold")
    parts: list[Part] = []
    for x, base, w in _LAYOUTS[v["heights"]][str(v["count"])]:
        lit, dark = _monument(kind, x, base, w)
        shadow = ellipse(
            x + w * 0.12, base, w * 1.05, w * 0.1, "#000000", stroke=None, opacity=0.13
        )
        sides = [
            polygon(outline_of(lit), tone, stroke=None),
            polygon(outline_of(dark), shade(tone, -0.26), stroke=None),
            *pattern(v["surface"], lit, 5.6, tone, 0.8),
            *pattern(v["surface"], dark, 5.6, shade(tone, -0.2), 0.8),
            polygon(outline_of(lit), None),
            polygon(outline_of(dark), None),
        ]
        parts.append(part("pyramid", shadow, sides))
        if v["tops"] == "gold":
            tips = [
                polygon(outline_of(_cap(lit)), shade(gold, 0.12)),
                polygon(outline_of(_cap(dark)), shade(gold, -0.2)),
            ]
            parts.append(part("golden top", tips))
    return parts
