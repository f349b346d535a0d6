"""Draws Stonehenge by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import Surface, box, mix, pattern, quad
from hallascope.primer.drawing.forms import read_numbers
from hallascope.primer.drawing.parts import Art, Part, Point, circle, ellipse, part, polygon, shade
from hallascope.primer.world import DrawnValues

_PLACES: dict[str, list[list[float]]] = read_numbers(__file__)


def _stone(at: Surface, kind: str, tone: str, name: str, art: Art) -> Part:
    def rough(s: float, t: float) -> Point:
        x, y = at(s, t)
        return x + art.vary(-0.55, 0.55), y + art.vary(-0.5, 0.5)

    outline = (
        [rough(s, t) for s, t in _PLACES["boulder"]]
        if kind == "rough"
        else [at(0, 0), at(1, 0), at(1, 1), at(0, 1)]
    )
    side = polygon([at(s, t) for s, t in _PLACES["side"]], shade(tone, -0.2), stroke=None)
    if kind == "rough":
        dark = shade(tone, -0.3)
        marks = [
            *(circle(*at(s, t), art.vary(0.6, 1.0), dark, stroke=None) for s, t in _PLACES["pits"]),
            polygon([at(s, t) for s, t in _PLACES["sheen"]], shade(tone, 0.3), stroke=None),
        ]
    else:
        marks = pattern(kind, at, 4.6 if kind == "blocks" else 2.9, tone, 0.9)
    return part(name, polygon(outline, tone, stroke=None), side, marks, polygon(outline, None))


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    kind = v["material"]
    tone = art.tone(v["paint"])
    count = v["uprights"]
    parts: list[Part] = []
    for x, foot, w, h in _PLACES[v["arrangement"]]:
        lean = h * 0.16 if v["stand"] == "leaning" else 0.0
        wide = w * {1: 0.34, 2: 0.28}.get(count, 0.23)
        thick = h * 0.19
        reach = w / 2 - wide / 2
        centers = (
            [x]
            if count == 1
            else [mix(x - reach, x + reach, i / (count - 1)) for i in range(count)]
        )
        shadow = ellipse(x + 1, foot, w * 0.56, h * 0.07, "#000000", stroke=None, opacity=0.16)
        parts.append(part("shadow", shadow))
        top = foot - h + thick
        for c in centers:
            head = c + lean
            heel = c - lean
            at = quad(
                (head - wide * 0.46, top),
                (head + wide * 0.46, top),
                (heel - wide / 2, foot),
                (heel + wide / 2, foot),
            )
            parts.append(_stone(at, kind, tone, "upright stone", art))
        y, shift = {
            "top": (top - thick, lean),
            "middle": (foot - h * 0.54, 0.0),
            "ground": (foot - thick * 0.55, 0.0),
        }[v["lintel"]]
        parts.append(
            _stone(
                box(x + shift - w * 0.52, y, w * 1.04, thick * 1.12),
                kind,
                shade(tone, 0.1),
                "top stone",
                art,
            )
        )
    return parts
