"""Draws a lantern festival by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
    star,
)
from hallascope.primer.world import FactValues


def _lantern_body(form: str, surface: str, tone: str) -> list[Shape]:
    """Return a lantern around (0, 0), 28 wide and 25 high."""
    dark = shade(tone, -0.2)
    light = shade(tone, 0.3)
    if form == "box":
        body = rect(-13, -12.5, 26, 25, tone)
        side = rect(6, -12, 6.4, 24, dark, stroke=None)
    elif form == "triangle":
        body = polygon([(0, -13), (14.5, 12.5), (-14.5, 12.5)], tone)
        side = polygon([(1, -11), (13.4, 12), (6, 12)], dark, stroke=None)
    else:
        body = ellipse(0, 0, 14.2, 12.6, tone)
        side = path("M4,-12 C16,-8 16,8 4,12 C10,6 10,-6 4,-12 Z", dark, stroke=None)
    shine = ellipse(
        -5.6 if form != "triangle" else -3,
        -3 if form != "triangle" else 4,
        2.6,
        4.4,
        light,
        stroke=None,
        opacity=0.75,
    )
    if surface == "dots":
        marks = [
            circle(x, y, 2.3, "#fff6dc", width=0.8)
            for x, y in ((0, -6), (-4.8, 1), (4.8, 1), (0, 8), (-8, 8), (8, 8))
        ]
    elif surface == "waves":
        rows = ((1, 5), (8, 9)) if form == "triangle" else ((-5, 10), (5, 10))
        waves = [
            f"M{-w},{y} q{w / 4},-6 {w / 2},0 t{w / 2},0 t{w / 2},0 t{w / 2},0" for y, w in rows
        ]
        marks = [
            Shape(d, None, tone, wide)
            for d in waves
            for tone, wide in ((INK, 3.6), ("#fff6dc", 2.0))
        ]
    elif form == "box":
        marks = [line([(x, -12.5), (x, 12.5)], INK, 1.2) for x in (-6.5, 0, 6.5)]
    elif form == "triangle":
        marks = [line([(0, -13), (x, 12.5)], INK, 1.2) for x in (-7, 0, 7)]
    else:
        marks = [
            ellipse(0, 0, 8.6, 12.6, None, width=1.2),
            ellipse(0, 0, 3.2, 12.6, None, width=1.2),
        ]
    return [body, side, shine, *marks]


def _tassel(x: float, y: float, way: int, tone: str) -> list[Shape]:
    """Return a tassel from (x, y), hanging with `way` 1 and standing up with -1."""
    skirt = polygon(
        [
            (x - 2.4, y + 5 * way),
            (x + 2.4, y + 5 * way),
            (x + 5, y + 20 * way),
            (x - 5, y + 20 * way),
        ],
        tone,
        width=1.0,
    )
    threads = [
        line([(x + d * 0.5, y + 7 * way), (x + d, y + 19 * way)], shade(tone, -0.3), 0.8)
        for d in (-2.4, 0, 2.4)
    ]
    return [
        line([(x, y), (x, y + 5 * way)], shade(tone, -0.3), 1.6),
        skirt,
        *threads,
        circle(x, y + 4.6 * way, 2.8, tone, width=1.0),
    ]


def _sky_body(kind: str, art: Art) -> Part:
    yellow = art.tone("yellow")
    x = 27.0
    y = -38.0
    if kind == "crescent":
        d = (
            f"M{x + 3},{y - 10} A10.5,10.5 0 1,0 {x + 3},{y + 10} "
            f"A12.5,12.5 0 0,1 {x + 3},{y - 10} Z"
        )
        return part("moon", path(d, shade(yellow, 0.35)))
    if kind == "sun":
        return part(
            "sun", star(x, y, 12, 10, 0.68, fill=art.tone("orange")), circle(x, y, 7, yellow)
        )
    craters = [
        circle(x + dx, y + dy, r, shade(yellow, 0.15), stroke=None)
        for dx, dy, r in ((-3.5, -3, 2.4), (4, 1, 1.8), (-1, 5, 1.5))
    ]
    return part("moon", circle(x, y, 10.6, shade(yellow, 0.5)), craters)


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tone = art.tone(str(v["colour"]))
    gold = art.tone("gold")
    below = v["tassels"] == "below"
    blown = v["swing"] == "blown"
    middle = 21.0 if below else 33.0

    def sag(x: float) -> float:
        return -17.0 - 7.5 * (x / 48) ** 2 * 1.4

    rope = [(x, sag(x)) for x in range(-48, 49, 4)]
    parts = [
        _sky_body(str(v["sky body"]), art),
        part("line", line(rope, INK, 2.8), line(rope, art.tone("beige"), 1.5)),
    ]
    places = (-45.0, -13.0, 19.0) if blown else (-33.0, 0.0, 33.0)
    for i, x in enumerate(places):
        knot = sag(x)
        drop = middle + (5.0 if i == 1 else -1.5)
        string = [
            line([(0, 0), (0, drop - 12)], INK, 2.6),
            line([(0, 0), (0, drop - 12)], art.tone("beige"), 1.3),
        ]
        cap = [
            rect(-5.4, drop - 15.4, 10.8, 4, gold, 0.8, width=1.0),
            rect(-5.4, drop + 11.4, 10.8, 4, gold, 0.8, width=1.0),
        ]
        globe = part(
            "lantern", _lantern_body(str(v["form"]), str(v["surface"]), tone)
        ).with_transform(f"translate(0 {drop:.2f})")
        tassel = part(
            "tassel",
            _tassel(0, drop + 15.4, 1, gold) if below else _tassel(0, drop - 15.4, -1, gold),
        )
        turn = -30 if blown else art.vary(-2, 2)
        place = put_at(x, knot, turn)
        parts += [
            p.with_transform(place)
            for p in (part("string", string), tassel, globe, part("lantern cap", cap))
        ]
    return parts
