"""Draws a comet by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import annulus, blend, disc_dots
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    circle,
    glow,
    line,
    part,
    polar,
    polygon,
    rect,
    regular,
    shade,
    star,
)
from hallascope.primer.world import FactValues


def _tail(
    head: Point, heading: float, length: float, bend: float, end: float, start: float, tone: str
) -> list[Shape]:
    """Return a tail that widens from `start` to `end` and frays at its end.

    It turns by `bend` degrees on its way.
    """

    def edge(share: float, side: float) -> Point:
        x, y = polar(*head, length * share, heading + bend * share)
        return polar(
            x, y, (start + (end - start) * share) / 2 * side, heading + bend * share * 1.6 + 90
        )

    def body(width: float, cut: float) -> list[Point]:
        steps = [cut * i / 12 for i in range(13)]
        frayed = [
            edge(cut * k, width * side)
            for k, side in ((0.93, 0.62), (1.06, 0.3), (0.97, 0.05), (1.13, -0.22), (0.95, -0.55))
        ]
        return [
            *(edge(s, width) for s in steps),
            *frayed,
            *(edge(s, -width) for s in reversed(steps)),
        ]

    return [
        polygon(body(1, 0.9), tone, stroke=shade(tone, -0.5), width=1.0),
        polygon(body(0.62, 0.74), shade(tone, 0.38), stroke=None),
        polygon(body(0.28, 0.56), shade(tone, 0.75), stroke=None),
    ]


def _small_sun(x: float, y: float, art: Art) -> Part:
    tone = art.tone("yellow")
    rays = star(x, y, 14.5, 12, 0.76, turn=art.vary(0, 30), fill=art.tone("orange"))
    return part("sun", rays, circle(x, y, 9.2, tone), glow(x - 3, y - 3.4, 3))


def _nucleus(kind: str, x: float, y: float, r: float, tone: str) -> list[Shape]:
    if kind == "star":
        return [star(x, y, r * 1.4, 5, 0.48, fill=tone)]
    if kind == "square":
        return [rect(x - r, y - r, 2 * r, 2 * r, tone)]
    pits = disc_dots(x, y, r, tone, ((0.3, 0.35, 0.26), (-0.42, 0.3, 0.17), (0.36, -0.36, 0.2)))
    return [
        circle(x, y, r, tone, stroke=shade(tone, -0.6), width=1.0),
        *pits,
        glow(x - r * 0.3, y - r * 0.4, r * 0.36),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    sun = (-34.5, 34.5)
    head = {"away": (-4.0, 4.0), "toward": (26.0, -26.0), "past": (17.0, 26.0)}[str(v["tail way"])]
    heading = {"away": -45.0, "toward": 135.0, "past": -100.0}[str(v["tail way"])]
    long = v["tail length"] == "long"
    reach, wide = (62.5, 1.0) if long else (30.0, 0.6)
    dust = blend(art.tone("white"), art.tone("yellow"), 0.42)
    bends = {1: (), 2: (26,), 3: (28, -28), 4: (26, -26, 50)}[int(v["tails"])]
    tails = []
    for bend in bends:
        lean = bend * 0.62 if long else bend * 1.3
        far = reach * (0.68 if long and bend > 40 else 0.88)
        tails.append(
            part(
                "tail",
                _tail(head, heading + lean, far, bend * 0.42 if long else 0, 13 * wide, 7, dust),
            )
        )
    straight = _tail(
        head, heading, reach, 0, 13 * wide, 7, shade(art.tone(str(v["tail colour"])), 0.12)
    )
    tails.append(part("straight tail", straight))
    haze: list[Part] = []
    if v["haze"] == "haze":
        mist = shade(art.tone("light blue"), 0.12)
        glint = [
            circle(*head, r, shade(mist, light), stroke=None)
            for r, light in ((12, 0.4), (9.8, 0.75))
        ]
        haze = [part("haze", circle(*head, 14, mist, stroke=shade(mist, -0.3), width=0.9), glint)]
    ice = blend(art.tone("white"), art.tone("grey"), 0.32)
    core = [part("head", _nucleus(str(v["head"]), *head, 7.0, ice))]
    if v["state"] == "breaking":
        shift = [polar(*head, 18.5, heading + turn) for turn in (110, 150, 195, 235)]
        core += [
            part("piece", regular(x, y, 4.4, 5, turn=40 * i, fill=ice))
            for i, (x, y) in enumerate(shift)
        ]
        crack = line(
            [(head[0] + dx, head[1] + dy) for dx, dy in ((-6, -3), (-1, 1), (1, -2), (6, 3))],
            width=1.6,
        )
        core.append(part("crack", crack))
    if v["haze"] == "ring":
        x, y = head
        hoop = [
            annulus(10, 14.5, 0.4, back, 0, art.tone("gold"), stroke="#23242b")
            for back in (True, False)
        ]
        place = f"translate({x:.1f} {y:.1f}) rotate(-14)"
        return [
            _small_sun(*sun, art),
            *tails,
            part("hoop", hoop[0]).with_transform(place),
            *core,
            part("hoop", hoop[1]).with_transform(place),
        ]
    return [_small_sun(*sun, art), *tails, *haze, *core]
