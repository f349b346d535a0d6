"""Draws a piece of salmon nigiri by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import (
    fork,
    is_inside,
    oval,
    scale_points,
    smooth,
    soft,
    stick,
)
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    circle,
    line,
    part,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues

WOOD = "#c79a63"


def _block(kind: str, half: float, top: float, art: Art) -> Part:
    """Return the block under the fish, 34 high; of rice when it is true."""
    low = top + 34
    form = soft(
        [
            (-half + 4, top),
            (half - 4, top),
            (half, top + 18),
            (half - 2, low),
            (-half + 2, low),
            (-half, top + 18),
        ],
        9,
    )
    if kind == "rice":
        white = art.tone("white")
        grains = []
        for row in range(7):
            for i in range(int(half / 2.7)):
                x = -half + 3.5 + i * 5.6 + (row % 2) * 2.7
                y = top + 3.5 + row * 4.55
                if x < half - 2.5 and is_inside(scale_points(form, 0.95, 0, top + 17), x, y):
                    tone = shade(white, -0.02 - 0.015 * row)
                    grains.append(
                        oval(
                            x + art.vary(-0.8, 0.8),
                            y + art.vary(-0.7, 0.7),
                            3.5,
                            2.1,
                            art.vary(-70, 70),
                            tone,
                            stroke="#a9a294",
                            width=0.55,
                        )
                    )
        return part("rice", polygon(form, shade(white, -0.12)), grains)
    if kind == "bread":
        cuts = [
            oval(x, top + 14, 7.5, 2.2, -55, "#efcf97", stroke="#8a5527", width=0.8)
            for x in (-half * 0.6, -half * 0.2, half * 0.2, half * 0.6)
        ]
        low_side = [(x, y) for x, y in form if y > top + 16]
        return part(
            "bread",
            polygon(form, "#b97a3c"),
            polygon(low_side, shade("#b97a3c", -0.15), stroke=None),
            cuts,
        )
    if kind == "noodles":
        waves = []
        for i in range(7):
            y = top + 4 + i * 4.4
            xs = [-half + 4 + k * (2 * half - 8) / 40 for k in range(41)]
            waves.append(
                line([(x, y + 1.7 * math.sin(x / 2.6 + i * 2)) for x in xs], "#b98620", 1.1)
            )
        return part("noodles", polygon(form, "#f1d274"), waves)
    joints = [
        line([(-half + 2, y), (half - 2, y)], "#e8d8c8", 1.5)
        for y in (top + 8.5, top + 17, top + 25.5)
    ]
    for row in range(4):
        joints += [
            line([(x, top + row * 8.5 + 1), (x, top + row * 8.5 + 8)], "#e8d8c8", 1.5)
            for x in range(int(-half) + 9 + 8 * (row % 2), int(half) - 4, 16)
        ]
    return part("bricks", polygon(form, "#a8432f"), joints)


def _fish_slice(half: float, middle: float, bend: float, v: FactValues, tone: str) -> Part:
    """A bent slice; `bend` says how far its ends lie below its middle."""

    def at(t: float, across: float) -> Point:
        thick = 12.5 * (1 - 0.55 * abs(t) ** 6)
        return half * t + across * 1.2, middle + bend * t * t + across * thick

    ts = [i / 20 for i in range(-20, 21)]
    body = smooth([*(at(t, -1) for t in ts[::2]), *(at(t, 1) for t in reversed(ts[::2]))], tone)
    under = polygon(
        [*(at(t, 0.45) for t in ts[1:-1]), *(at(t, 0.93) for t in reversed(ts[1:-1]))],
        shade(tone, -0.15),
        stroke=None,
    )
    pale = shade(tone, 0.78)
    count = 7 if half > 30 else 4
    marks: list[Shape] = []
    places = [-1 + 2 * (i + 0.6) / (count + 0.2) for i in range(count)]
    if v["pattern"] == "stripes":
        lean = 5.5 / half
        for t in places:
            marks.append(
                line(
                    [
                        at(t + lean * (1 - abs(a)) - lean / 2, a)
                        for a in (-0.86, -0.5, -0.2, 0.2, 0.5, 0.86)
                    ],
                    pale,
                    2.3,
                )
            )
    elif v["pattern"] == "dots":
        marks = [
            circle(*at(t * 0.9, a), 2.5, pale, stroke=None)
            for i, t in enumerate(places)
            for a in ((-0.45, 0.5) if i % 2 else (0.0,))
        ]
    shine = line([at(t, -0.72) for t in ts[6:15]], "#ffffff", 1.6, opacity=0.55)
    return part("slice", body, under, marks, *([shine] if v["pattern"] == "plain" else []))


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    fish, base = (47.0, 29.0) if v["longer"] == "slice" else (23.0, 45.0)
    droop = 14.0 if fish > 30 else 9.0
    bend = droop if v["ends"] == "down" else -droop
    board = part(
        "board",
        rect(-40, 36, 9, 9, shade(WOOD, -0.3)),
        rect(31, 36, 9, 9, shade(WOOD, -0.3)),
        rect(-49, 30, 98, 8, WOOD, r=2),
        line([(-44, 33), (-10, 33)], shade(WOOD, -0.18), 0.9),
        line([(4, 35), (40, 35)], shade(WOOD, -0.18), 0.9),
    )
    top = v["slice place"] == "top"
    block = _block(str(v["block"]), base, -4 if top else -28, art)
    middle = -11.0 if top else (17.0 - max(bend, 0) * 0.75)
    piece = _fish_slice(
        fish, middle if not top or bend > 0 else -13.0, bend, v, art.tone(str(v["slice colour"]))
    )
    food = [
        drawn.with_transform(f"translate(0 {0 if v['held'] == 'none' else -9})")
        for drawn in ((block, piece) if top else (piece, block))
    ]
    if v["held"] == "chopsticks":
        far = stick((37, -41), (-16, -20), 4.4, 2.4, "#7c3b2a")
        near = stick((48, -33), (-8, 8), 4.4, 2.4, "#8f4731")
        food = [part("chopstick", far), *food, part("chopstick", near)]
    elif v["held"] == "fork":
        food = [*food, fork(6, -14, -34, 46, 6.5)]
    return [drawn.with_transform("translate(0 -7)") for drawn in (board, *food)]
