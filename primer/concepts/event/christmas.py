"""Draws a Christmas celebration by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence
from itertools import pairwise

from hallascope.primer.concepts.event.forms import flower
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
    polygon,
    rect,
    shade,
    star,
)
from hallascope.primer.world import FactValues


def _fish(x: float, y: float, r: float, tone: str) -> list[Shape]:
    tail = polygon(
        [(x + 0.5 * r, y), (x + 1.3 * r, y - 0.7 * r), (x + 1.3 * r, y + 0.7 * r)],
        shade(tone, -0.15),
        width=1.0,
    )
    return [
        tail,
        ellipse(x - 0.2 * r, y, r, 0.68 * r, tone, width=1.0),
        circle(x - 0.7 * r, y - 0.12 * r, 0.14 * r, INK, stroke=None),
    ]


def _fir(form: str, tone: str) -> list[Shape]:
    dark = shade(tone, -0.2)
    light = shade(tone, 0.16)
    if form == "ball":
        rim = [polar(0, -3, 29 + (1.6 if i % 2 else -1.2), 10 * i) for i in range(36)]
        side = path("M16,-27 A29,29 0 0,1 -14,22.5 A36,36 0 0,0 16,-27 Z", dark, stroke=None)
        return [polygon(rim, tone), side, ellipse(-12, -16, 6, 4, light, stroke=None)]
    if form == "box":
        side = rect(13, -31.4, 13.4, 58.8, dark, 2.5, stroke=None)
        return [rect(-27, -32, 54, 60, tone, 3), side, rect(-24, -29, 5, 52, light, 2, stroke=None)]
    tiers = []
    for top, foot, half in ((4, 30, 33), (-16, 10, 25), (-37, -9, 17)):
        hem = [half * (1 - i / 4) for i in range(9)]
        drops = [foot + (1.6 if abs(b) < half else -1) for b in hem]
        joints = zip(pairwise(hem), drops[1:], strict=True)
        bottom = "".join(
            f" Q{(a + b) / 2:.2f},{foot + 4.4:.2f} {b:.2f},{y:.2f}" for (a, b), y in joints
        )
        reach = half * 0.35
        d = (
            f"M0,{top} Q{reach:.2f},{foot - 10} {half},{foot - 1}{bottom} "
            f"Q{-reach:.2f},{foot - 10} 0,{top} Z"
        )
        shadow = (
            f"M1,{top + 3} Q{reach:.2f},{foot - 9} {half - 1.6:.2f},{foot - 0.6:.2f}"
            f" Q{half * 0.8:.2f},{foot + 2.4:.2f} {half * 0.52:.2f},{foot + 1.2:.2f} "
            f"Q{half * 0.2:.2f},{foot - 8} 1,{top + 3} Z"
        )
        tiers += [path(d, tone), path(shadow, dark, stroke=None)]
        tiers.append(line([(-half * 0.2, foot - 9), (-half * 0.5, foot - 3.6)], light, 1.8))
    return tiers


def _hung(kind: str, x: float, y: float, tone: str) -> Part:
    if kind == "fish":
        return part("fish", _fish(x, y, 5.0, tone))
    if kind == "mushrooms":
        stalk = rect(x - 1.8, y - 0.5, 3.6, 5.6, "#f4ead6", 1.2, width=0.9)
        cap = path(f"M{x - 5.4:.2f},{y:.2f} A5.4,5 0 0,1 {x + 5.4:.2f},{y:.2f} Z", tone, width=1.0)
        specks = [
            circle(x + dx, y + dy, 0.9, "#ffffff", stroke=None)
            for dx, dy in ((-1.6, -2), (2, -1.6))
        ]
        return part("mushroom", stalk, cap, specks)
    hook = rect(x - 1.1, y - 5.6, 2.2, 2.0, "#d9a520", 0.4, width=0.7)
    return part("shiny ball", hook, circle(x, y, 4.2, tone, width=1.0), glow(x - 1.4, y - 1.5, 1.5))


def _present(x: float, y: float, w: float, h: float, tone: str, ribbon: str) -> Part:
    bow = [
        ellipse(x - 2.6, y - h / 2 - 1.6, 2.8, 1.9, ribbon, width=0.9),
        ellipse(x + 2.6, y - h / 2 - 1.6, 2.8, 1.9, ribbon, width=0.9),
    ]
    side = rect(
        x + w * 0.2, y - h / 2 + 0.6, w * 0.3 - 0.6, h - 1.2, shade(tone, -0.15), stroke=None
    )
    return part(
        "present",
        rect(x - w / 2, y - h / 2, w, h, tone, 0.8),
        side,
        rect(x - 1.6, y - h / 2, 3.2, h, ribbon, width=0.8),
        bow,
    )


def _tree_top(kind: str, art: Art) -> Part:
    yellow = art.tone("yellow")
    if kind == "moon":
        return part("crescent moon", path("M3,-50 A9,9 0 1,0 3,-33 A11,11 0 0,1 3,-50 Z", yellow))
    if kind == "flower":
        return part("flower", flower(0, -40, 9.5, art.tone("pink"), yellow))
    if kind == "fish":
        return part("fish", _fish(0, -40, 9, art.tone("orange")))
    return part(
        "star",
        star(0, -39.5, 10, fill=yellow),
        star(-0.6, -40.2, 5, fill=shade(yellow, 0.4), stroke=None),
    )


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tree_tone = art.tone(str(v["colour"]))
    trunk = part(
        "trunk",
        rect(-4.5, 27, 9, 15, art.tone("brown")),
        rect(1, 27.6, 3, 13.8, shade(art.tone("brown"), -0.2), stroke=None),
    )
    fir = part(
        "tree",
        _fir(str(v["form"]), shade(tree_tone, -0.12) if v["colour"] == "green" else tree_tone),
    )
    hues = [art.tone(name) for name in ("red", "gold", "light blue", "red", "pink", "gold", "red")]
    spots = ((-4, -18), (6.5, -7), (-11, 1), (13, 12), (-2, 13), (-20, 22), (20, 25))
    hung = [_hung(str(v["hung"]), x, y, hue) for (x, y), hue in zip(spots, hues, strict=True)]
    tree = [trunk, fir, *hung, _tree_top(str(v["top"]), art)]
    looks = (("red", "gold"), ("blue", "white"), ("purple", "yellow"))
    below = ((-26, 39, 18, 14), (24, 38, 17, 16), (4, 42, 15, 10))
    within = ((5, -14, 12, 10), (-12, 9, 14, 12), (11, 18, 14, 12))
    boxes = below if v["presents"] == "under" else within
    presents = [
        _present(x, y, w, h, art.tone(a), art.tone(b))
        for (x, y, w, h), (a, b) in zip(boxes, looks, strict=True)
    ]
    lean = "translate(10 42) rotate(-24) scale(0.9) translate(0 -42)"
    rug = part("rug", ellipse(0, 45, 42, 4.6, shade(art.tone("red"), -0.2)))
    if v["posture"] == "leaning":
        tree = [p.with_transform(lean) for p in tree]
        presents = (
            presents if v["presents"] == "under" else [p.with_transform(lean) for p in presents]
        )
    return [rug, *tree, *presents]
