"""Draws a honeybee by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.animal.forms import Ribbon, coat_marks, furry, shadow
from hallascope.primer.drawing.forms import put_at, spread_evenly, tube
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    ellipse,
    glow,
    line,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _bee_wing(form: str, half: float, turn: float, x: float, y: float) -> Part:
    film = "#dcebf5"
    end = half * (1.25 if half > 5 else 0.95)
    shapes = {
        "oval": [ellipse(21, 0, 19, half, film)],
        "triangle": [polygon([(0, 0), (38, -end), (38, end)], film)],
        "square": [rect(5, -half, 31, 2 * half, film), line([(0, 0), (5, 0)])],
    }[form]
    veins = [
        line([(4, 0), (31, 0)], "#7f95a6", 0.8),
        line([(14, 0), (26, half * 0.5)], "#7f95a6", 0.7),
        line([(14, 0), (26, -half * 0.5)], "#7f95a6", 0.7),
    ]
    return part("wing", shapes, veins).with_transform(put_at(x, y, turn))


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    coat = art.tone(str(v["coat"]))
    black = art.tone("black")
    up = -8.0 if v["place"] == "flower" else 0.0
    root = {"middle": (4.0, -6.0), "rear": (-24.0, 2.0), "head": (25.0, -2.0)}[str(v["wing place"])]
    low, high = {"middle": (-154, -30), "rear": (-126, -40), "head": (-140, -53)}[
        str(v["wing place"])
    ]
    count = int(v["wings"])
    spread = 0.5 if count == 2 else 1.0
    mid = (low + high) / 2
    turns = spread_evenly(count, mid + (low - mid) * spread, mid + (high - mid) * spread)
    wings = [
        _bee_wing(str(v["wing shape"]), {2: 9.0, 4: 7.2}.get(count, 4.3), turn, *root)
        for turn in turns
    ]
    belly = Ribbon(
        ((0, 2), (-18, 0), (-32, 8), (-41, 22)),
        lambda t: 14.5 * math.sqrt(max(0.0, 1 - abs(1.45 * t - 0.45) ** 2.6)),
    )
    pattern = str(v["pattern"])
    abdomen = part(
        "abdomen",
        belly.body(coat),
        coat_marks(belly, pattern, black, 5 if pattern == "stripes" else 6),
        belly.edge(),
    )
    x, y = belly.point_at(0.97)
    tip = {
        "sting": [part("sting", polygon([(x - 6, y - 5), (x + 7, y - 2), (x - 5, y + 17)], black))],
        "tail": [part("tail", tube(f"M{x},{y} q-5,10 2,12 q7,1 6,-5 q-2,-4 -5,-1", 2.6, coat))],
        "none": [],
    }[str(v["tip"])]
    legs = []
    for i, start in enumerate((-5.0, -1.0, 4.0, 8.0, 13.0, 17.0)):
        lean = (start - 6) * 0.9
        legs.append(
            part(
                "leg",
                line(
                    [(start, 8), (start + lean * 0.7, 18), (start + lean * 0.8 - 3, 27 + (i % 2))],
                    black,
                    2.6,
                ),
            )
        )
    fuzz = part("thorax", furry(6, 0, 16, coat))
    head = part(
        "head",
        ellipse(25, 4, 9.5, 10.5, black),
        ellipse(28, 2, 3.6, 5.4, "#5b4636", width=0.8),
        glow(27, -0.5, 1.4),
    )
    feelers = [
        part("antenna", path(f"M{29 + k},-4 q{2 + k},-10 {12 + k},{-8 + 4 * k}", None, width=2))
        for k in (0, 1.6)
    ]
    bee = [
        p.with_transform(f"translate(0 {7 + up:.1f})")
        for p in [*legs, *tip, *wings, abdomen, fuzz, *feelers, head]
    ]
    if v["place"] != "flower":
        return bee
    pink = art.tone("pink")
    blossom = part(
        "flower",
        [_petal(8, 37, 34, 12, turn, shade(pink, 0.14)) for turn in range(-90, 270, 30)],
        [_petal(8, 37, 28, 9, turn, pink) for turn in range(-75, 285, 30)],
        ellipse(8, 36, 15, 6, "#f0c648"),
        shadow(8, 36, 15, 6, "#f0c648"),
    )
    return [part("stem", tube("M8,40 V47", 3, art.tone("green"))), blossom, *bee]


def _petal(cx: float, cy: float, rx: float, ry: float, turn: float, fill: str) -> Shape:
    """Return one petal of a flower that is seen from the side."""
    (x0, y0), (x1, y1), (x2, y2) = (polar(0, 0, 1, turn + d) for d in (-17, 0, 17))
    return path(
        f"M{cx},{cy} L{cx + x0 * rx * 0.8:.1f},{cy + y0 * ry * 0.8:.1f} "
        f"Q{cx + x1 * rx * 1.15:.1f},{cy + y1 * ry * 1.15:.1f} "
        f"{cx + x2 * rx * 0.8:.1f},{cy + y2 * ry * 0.8:.1f} Z",
        fill,
        width=0.9,
    )
