"""Draws a clover leaf by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.plant.forms import drawn_stem, form
from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    glow,
    line,
    part,
    path,
    polar,
    shade,
)
from hallascope.primer.world import FactValues


def _mark(kind: str, length: float, width: float, pale: str) -> list[Shape]:
    """Return the mark on one clover leaflet."""
    if kind == "stripes":
        return [
            line([(dx * width, -0.36 * length), (dx * width, -0.68 * length)], pale, 2.6)
            for dx in (-0.44, 0, 0.44)
        ]
    if kind == "spot":
        return [circle(0, -0.55 * length, 0.4 * width, pale, stroke=None)]
    return [
        line(
            [(-0.72 * width, -0.48 * length), (0, -0.7 * length), (0.72 * width, -0.48 * length)],
            pale,
            3.4,
        )
    ]


def _guest(kind: str, art: Art) -> list[Part]:
    """Return the small animal that may sit on a clover's stalk."""
    x = 3.0
    y = 32.0
    if kind == "ladybug":
        spots = [
            circle(x + dx, y + dy, 1.3, INK, stroke=None)
            for dx, dy in ((-3, -1), (3, -1), (-2.6, 4), (2.6, 4))
        ]
        wings = [
            ellipse(x, y + 1, 7, 7.6, art.tone("red")),
            line([(x, y - 5), (x, y + 8)], INK, 1.1),
        ]
        return [
            part(
                "ladybug",
                circle(x, y - 7, 3.8, art.tone("black")),
                wings,
                spots,
                glow(x - 3, y - 2.6, 1.6),
            )
        ]
    if kind == "snail":
        body = path(
            f"M{x - 10},{y + 8} q0,-4 6,-4 h10 q2,-8 6,-6 q2,2 0,8 q-1,3 -5,3 h-15 Z",
            art.tone("beige"),
        )
        curl = path(f"M{x},{y} m4,1 a4,4 0 1,0 -4,4 a2.4,2.4 0 0,0 1,-4", None, width=1.2)
        return [part("snail", body, circle(x - 1, y - 1, 7.5, art.tone("brown")), curl)]
    return []


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    count = int(v["leaflets"])
    kind = str(v["form"])
    tone = art.tone(str(v["colour"]))
    stalk = shade(art.tone("green"), 0.1)
    ratio = {"notched": 1.0, "pointed": 0.86, "square": 0.8}[kind]
    places: list[tuple[float, float, float]] = []
    if v["joined"] == "point":
        first = 0.0 if count % 2 else 180 / count
        gap = 9.0 if kind == "square" else 3.5
        places = [
            (*polar(0, -9, gap, first + 360 * i / count - 90), first + 360 * i / count)
            for i in range(count)
        ]
        length = 36 - gap
        width = {3: 17.0, 4: 13.4, 5: 10.8, 6: 9.2}[count]
        run = "M0,-9 C-1,12 -2,28 6,49"
    else:
        length, width = (24.0, 10.4) if count == 6 else (28.0, 12.0)
        rows = {3: [8.0], 4: [14.0, -14.0], 5: [20.0, -6.0], 6: [20.0, -3.0, -26.0]}[count]
        places = [(side * 1.5, y, side * 66.0) for y in rows for side in (-1, 1)]
        top = rows[-1] - (15 if count % 2 else -4)
        if count % 2:
            places.append((0.0, top, 0.0))
        run = f"M0,{top} C0,12 -1,30 6,49"
    twigs = [f"M0,-9 L{x:.1f},{y:.1f}" for x, y, _ in places] if v["joined"] == "point" else []
    parts = [part("stalk", [shape for d in (*twigs, run) for shape in drawn_stem(d, stalk, 2.4)])]
    pale = shade(tone, 0.62)
    for x, y, turn in places:
        shapes = [
            *form(kind, length, width * ratio, tone, shadow=-0.1),
            *_mark(str(v["mark"]), length, width * ratio, pale),
        ]
        parts.append(part("leaflet", shapes).with_transform(put_at(x, y, turn)))
    return [*parts, *_guest(str(v["guest"]), art)]
