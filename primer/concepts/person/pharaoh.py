"""Draws a pharaoh by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence
from itertools import pairwise

from hallascope.primer.concepts.person.forms import (
    WOOD,
    GarmentPanel,
    bare_head,
    fist,
    ground_shadow,
    limb,
    shaft,
    shoe,
    sword,
)
from hallascope.primer.drawing.forms import petals, tube
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    Shape,
    circle,
    ellipse,
    line,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _striped(inner: Sequence[Point], outer: Sequence[Point], colors: Sequence[str]) -> list[Shape]:
    """Return quads between two edges given point for point, colored in turn."""
    shapes = []
    for i, ((a, b), (c, d)) in enumerate(pairwise(zip(inner, outer, strict=True))):
        tone = colors[i % len(colors)]
        shapes.append(polygon([a, b, d, c], tone, stroke=tone, width=0.3))
    return shapes


_NEMES = {
    "blue": ("blue", "gold"),
    "red": ("red", "white"),
    "green": ("green", "white"),
    "pink": ("pink", "purple"),
}

_PHARAOH_ARMS: dict[str, tuple[Point, Point, float]] = {
    "crossed": ((19, 6), (-7.5, 1.5), -43),
    "raised": ((24, -11), (30, -20), 8),
    "down": ((21, 3), (23, 16), 14),
    "spread": ((23, -4), (33, -4), 6),
}


def _crook(gold: str, blue: str) -> list[Shape]:
    d = "M0,11 V-15 C0,-26 12,-25 11,-17 C10.6,-14.6 9,-13.6 7.4,-14"
    rings = [line([(-1.3, y), (1.3, y)], blue, 2.2) for y in (6, -6, -12)]
    return [*tube(d, 2.8, gold, 2.2), *rings]


def _flail(gold: str, blue: str) -> list[Shape]:
    shapes = [shaft(-20, 11, 3.6, gold)]
    for k, end in enumerate((5.0, 9.5, 14.0)):
        d = f"M0,-19 Q{end},-20 {end},{-4 - k * 1.5}"
        shapes += [*tube(d, 2, blue, 1.6), circle(end, -3.4 - k * 1.5, 2, gold)]
    return shapes


def _pharaoh_item(kind: str, left: bool, art: Art) -> tuple[str, list[Shape]]:
    gold = art.tone("gold")
    blue = art.tone("blue")
    if kind == "regalia":
        return ("crook", _crook(gold, blue)) if left else ("flail", _flail(gold, blue))
    if kind == "swords":
        return "sword", sword(17)
    if kind == "flowers":
        blossom = petals(0, -15, 5, 4, 6, "#e8577a")
        stem = [line([(0, 10), (0, -12)], INK, 3.6), line([(0, 10), (0, -12)], "#3f9a52", 2)]
        return "flower", [*stem, *blossom, circle(0, -15, 3.6, "#f6d24a")]
    flame = [
        path("M-5,-11 C-9,-19 -1,-20 0,-27 C4,-21 9,-18 5,-11 Z", "#ef7a2b"),
        path("M-2.4,-11 C-4,-16 0,-17 0.6,-21 C2,-17 4.4,-15 2.6,-11 Z", "#f9d85a", stroke=None),
    ]
    return "torch", [*flame, polygon([(-4.6, -11), (4.6, -11), (2, 11), (-2, 11)], WOOD)]


def _beard(kind: str) -> list[Shape]:
    tone = "#26305a"
    if kind == "bushy":
        d = (
            "M-11,-22 C-15,-12 -12,-4 -7,-4 C-5,-1 5,-1 7,-4 "
            "C12,-4 15,-12 11,-22 C7,-15 -7,-15 -11,-22 Z"
        )
        return [
            path(d, tone),
            *[
                path(f"M{x},-13 q1.5,3 0,6", None, stroke=shade(tone, 0.35), width=1)
                for x in (-7, -2.5, 2, 6.5)
            ],
        ]
    if kind == "forked":
        horns = [
            path(f"M0,-17 H{s * 4} Q{s * 5},-8 {s * 12},-3 Q{s * 2},-3 0,-10 Z", tone)
            for s in (-1, 1)
        ]
        return [
            *horns,
            *[
                path(
                    f"M{s * 2.6},-13 q{s * 1},5 {s * 4},7", None, stroke=shade(tone, 0.35), width=1
                )
                for s in (-1, 1)
            ],
        ]
    lines = [line([(-2.6, y), (2.6, y)], shade(tone, 0.4), 1.1) for y in (-11.5, -8.5, -5.5)]
    return [path("M-2.7,-16 H2.7 L3.5,-3.6 Q0,-1 -3.5,-3.6 Z", tone), *lines]


def _nemes(first: str, second: str) -> tuple[list[Shape], list[Shape]]:
    """Return the cloth behind the face and the two lappets before the shoulders."""
    n = 23
    inner = [polar(0, -27, 10, 118 + 304 * i / n) for i in range(n + 1)]
    outer = []
    for i in range(n + 1):
        angle = 118 + 304 * i / n
        low = abs(angle - 270) / 152
        outer.append(polar(0, -27, 15.5 + 6.5 * low**1.6, 270 + (angle - 270) * 0.9))
    edge = polygon([*outer, *reversed(inner)], first, width=2.2)
    back = [edge, *_striped(inner, outer, (first, second))]
    lappets: list[Shape] = []
    for s in (-1, 1):
        a = [(s * (9.5 - 0.3 * k), -17.5 + 3.2 * k) for k in range(8)]
        b = [(s * (18.5 - 0.6 * k), -15.5 + 3.2 * k) for k in range(8)]
        lappets += [polygon([*a, *reversed(b)], first, width=2.2), *_striped(a, b, (second, first))]
    return back, lappets


def _throne(gold: str) -> Part:
    return part(
        "throne",
        rect(-23, -25, 46, 50, shade(gold, -0.05), 3),
        rect(-18.5, -20.5, 37, 40, "#a63a2c", 2, width=0.9),
        rect(-27, 16, 54, 26, gold, 1.5),
        rect(-23.5, 20, 47, 18, shade(gold, -0.22), 1, stroke=None),
        *[rect(s * 24.5 - 4, 4, 8, 14, gold, 2) for s in (-1, 1)],
        rect(-22, 42, 44, 5, shade(gold, -0.15), 1),
    )


def _legs(sits: bool, skin: str, gold: str) -> list[Part]:
    feet = 42.0 if sits else 46.0
    parts = []
    for s in (-1, 1):
        x = s * (8.5 if sits else 6.5)
        parts.append(part("leg", limb([(x, 22), (x, 33), (x, feet - 3)], skin, 6.6)))
        parts.append(
            part(
                "sandal",
                shoe(x, s, skin, feet),
                line([(x - s * 3.4, feet), (x + s * 6.4, feet)], gold, 2.4),
                line([(x - s * 2, feet - 5.4), (x + s * 3.4, feet - 1)], gold, 1.6),
            )
        )
    return parts


def _crowned_head(first: str, second: str, skin: str, gold: str) -> list[Part]:
    """Return the head in its striped cloth, a cobra on the brow."""
    back, lappets = _nemes(first, second)
    brow = path("M-11,-31 C-9,-42 9,-42 11,-31 C7,-35.5 -7,-35.5 -11,-31 Z", gold)
    front = path("M-12.6,-31 C-12,-47 12,-47 12.6,-31 C8,-38 -8,-38 -12.6,-31 Z", first)
    return [
        part("headdress", back),
        part("head", bare_head(skin, "#26201e", kohl=True)),
        part("headdress", front, brow, lappets),
        _cobra(gold),
    ]


def _cobra(gold: str) -> Part:
    snake = "M0,-33 C-5,-37 4,-40 0,-45"
    return part(
        "cobra",
        tube(snake, 3.2, gold, 2.2),
        ellipse(0, -45, 3, 2.6, gold),
        circle(-1, -45.4, 0.6, INK, stroke=None),
        circle(1, -45.4, 0.6, INK, stroke=None),
    )


def _arms(v: FactValues, skin: str, gold: str, art: Art) -> list[Part]:
    """Both arms, then what the hands hold over them."""
    parts: list[Part] = []
    elbow, hand, turn = _PHARAOH_ARMS[str(v["arms"])]
    items: list[Part] = []
    for s in (-1, 1):
        name, shapes = _pharaoh_item(str(v["held"]), s > 0, art)
        hx = s * hand[0]
        hy = hand[1] + (2 if s < 0 and v["arms"] == "crossed" else 0)
        item = part(name, shapes).with_transform(
            f"translate({hx:.2f} {hy:.2f}) rotate({s * turn:.2f}) "
            f"scale({-1.1 if hx < 0 else 1.1} 1.1)"
        )
        arm = part("arm", limb([(s * 14.5, -8.5), (s * elbow[0], elbow[1]), (hx, hy)], skin, 6.2))
        cuff = part(
            "bracelet",
            circle(hx * 0.82 + s * elbow[0] * 0.18, hy * 0.82 + elbow[1] * 0.18, 3.9, gold),
        )
        parts += [arm, cuff]
        items += [item, part("hand", fist(hx, hy, skin))]
    return [*parts, *items]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    skin = shade(art.tone("skin"), -0.18)
    gold = art.tone("gold")
    white = art.tone("white")
    first, second = (art.tone(name) for name in _NEMES[str(v["stripes"])])
    sits = v["seat"] == "sit"
    parts = ground_shadow(v)
    if sits:
        parts.append(_throne(gold))
    parts += _legs(sits, skin, gold)
    parts.append(
        part(
            "body",
            GarmentPanel(y0=-13, y1=11, top=15, bottom=10.5).cloth(skin),
            path(
                "M-7,-1 q3.5,2 6.5,0 M1,-1 q3.5,2 6.5,0", None, stroke=shade(skin, -0.3), width=0.9
            ),
        )
    )
    kilt = (
        GarmentPanel(y0=9, y1=24, top=11, bottom=16.5, sag=2.6)
        if sits
        else GarmentPanel(y0=9, y1=30, top=11, bottom=16, sag=2)
    )
    mark = {"pleats": "#c9c0aa", "spots": "#2f8f8a", "checks": "#2f8f8a", "zigzags": "#2f8f8a"}[
        str(v["kilt"])
    ]
    parts.append(part("kilt", kilt.cloth(white), kilt.pattern(str(v["kilt"]), mark)))
    parts.append(
        part(
            "belt",
            path("M-11.4,8 Q0,11 11.4,8 L11.8,13 Q0,16 -11.8,13 Z", gold),
            rect(-3.4, 10, 6.8, 8, art.tone("blue"), 1.4),
        )
    )
    rings = (
        ("#2f8f8a", 15.5, 13.5),
        ("#d9a520", 13.4, 11),
        ("#b8382d", 11, 8.4),
        ("#d9a520", 8.6, 6),
    )
    collar = [
        path(f"M{-rx},-14 A{rx},{ry} 0 0 0 {rx},-14 Z", tone, width=0.9) for tone, rx, ry in rings
    ]
    parts.append(part("collar", collar))
    parts += _crowned_head(first, second, skin, gold)
    parts.append(part("beard", _beard(str(v["beard"]))))
    return [*parts, *_arms(v, skin, gold, art)]
