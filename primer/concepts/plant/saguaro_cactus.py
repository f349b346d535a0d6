"""Draws a saguaro cactus by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.plant.forms import form
from hallascope.primer.drawing.forms import put_at, tube
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    circle,
    ellipse,
    line,
    part,
    path,
    polar,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _arm_line(side: int, base: float, reach: float, bend: str, offset: float, tip: float) -> str:
    """Return the run of a cactus arm from the trunk, moved `offset` to its outer side."""
    r = 8.0
    if bend == "sideways":
        return f"M0,{base + offset:.2f} H{side * (reach + tip - 16):.2f}"
    way = 1 if bend == "up" else -1
    sweep = 0 if (side > 0) == (bend == "up") else 1
    corner = (
        f"A{r + offset:.2f},{r + offset:.2f} 0 0,{sweep} "
        f"{side * (reach + offset):.2f},{base - way * r:.2f}"
    )
    return (
        f"M0,{base + way * offset:.2f} "
        f"H{side * (reach - r):.2f} {corner} V{base - way * (r + tip):.2f}"
    )


def _growth(kind: str, green: str, x: float, y: float, turn: float) -> Part:
    if kind == "leaves":
        return part("leaf", form("pointed", 11, 3.8, shade(green, 0.12))).with_transform(
            put_at(x, y, turn)
        )
    hairs = [line([(0, 1), (dx, -4.6)], INK, 1.1) for dx in (-2.4, 0, 2.4)]
    return part("spines", hairs).with_transform(put_at(x, y, turn))


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    green = art.tone(str(v["colour"]))
    trunk, arm = (19.0, 10.0) if v["thicker"] == "trunk" else (9.0, 17.0)
    bend = str(v["arms"])
    skin = str(v["skin"])
    sides = ((-1, 16.0, 30.0), (1, 5.0, 30.0))
    tip = {"up": 22.0, "down": 16.0, "sideways": 17.0}[bend]
    dark = shade(green, -0.42)
    parts = []
    ends: list[tuple[float, float, float]] = [(0.0, -40.0, 0.0)]
    growth: list[tuple[float, float, float]] = []
    for side, low, reach in sides:
        base = low if bend != "down" else low - 16
        run = _arm_line(side, base, reach, bend, 0, tip)
        body = tube(run, arm, green)
        body.append(
            path(
                _arm_line(side, base, reach, bend, arm * 0.3, tip),
                None,
                stroke=shade(green, -0.12),
                width=arm * 0.34,
            )
        )
        parts.append(part("arm", body))
        across: list[tuple[Point, Point]] = []
        if bend == "sideways":
            ends.append((side * (reach + tip - 16 + arm / 2), base, side * 90.0))
            across = [
                ((side * px, base - arm / 2), (side * px, base + arm / 2)) for px in (16, 22, 28)
            ]
            growth += [
                (side * px, base + s * arm / 2, 0 if s < 0 else 180)
                for px in (18, 28)
                for s in (-1, 1)
            ]
        else:
            way = -1 if bend == "up" else 1
            ends.append(
                (side * reach, base + way * (8 + tip + arm / 2), 0.0 if bend == "up" else 180.0)
            )
            rows = [base + way * (8 + q) for q in (1, 9, 17)]
            across = [((side * reach - arm / 2, py), (side * reach + arm / 2, py)) for py in rows]
            growth += [
                (side * (reach + s * arm / 2), py, side * s * 90)
                for py in rows[:2]
                for s in (-1, 1)
            ]
            growth.append((side * (reach - 9), base - way * arm / 2, 180 if bend == "up" else 0))
        if v["pattern"] == "ribs":
            lines = [_arm_line(side, base, reach, bend, o * arm, tip) for o in (-0.22, 0.22)]
            parts.append(part("ribs", [path(d, None, stroke=dark, width=1.3) for d in lines]))
        elif v["pattern"] == "rings":
            parts.append(part("rings", [line(pair, dark, 1.6) for pair in across]))
        else:
            parts.append(
                part(
                    "spots",
                    [
                        circle((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 2.2, dark, stroke=None)
                        for a, b in across
                    ],
                )
            )
    half = trunk / 2
    shadow = rect(half * 0.3, -36, half * 0.6, 80, shade(green, -0.12), half * 0.3, stroke=None)
    parts.append(part("trunk", rect(-half, -40, trunk, 87, green, r=half), shadow))
    if v["pattern"] == "ribs":
        ribs = [(o * trunk, abs(o) * trunk * 0.45 - 40) for o in (-0.3, -0.1, 0.1, 0.3)]
        parts.append(part("ribs", [line([(x, y), (x, 44)], dark, 1.3) for x, y in ribs]))
    elif v["pattern"] == "rings":
        parts.append(
            part("rings", [line([(-half, py), (half, py)], dark, 1.6) for py in range(-30, 44, 8)])
        )
    else:
        parts.append(
            part(
                "spots",
                [
                    circle(o * trunk, py, 2.2, dark, stroke=None)
                    for py in range(-30, 44, 12)
                    for o in (-0.22, 0.22)
                ],
            )
        )
    growth += [(s * half, py, s * 90) for py in (-28, -16, -4, 30, 40) for s in (-1, 1)]
    if skin != "nothing":
        parts += [_growth(skin, green, *place) for place in growth]
    for x, y, turn in ends:
        if v["tips"] == "flowers":
            petals = [
                shape
                for a in (-60, -30, 0, 30, 60)
                for shape in [ellipse(*polar(0, 0, 5.4, a - 90), 2.6, 2.6, art.tone("white"))]
            ]
            parts.append(
                part("flower", petals, circle(0, -2, 3, art.tone("yellow"))).with_transform(
                    put_at(x, y, turn)
                )
            )
        elif v["tips"] == "fruit":
            parts.append(
                part("fruit", ellipse(0, -3.4, 4, 5, art.tone("red"))).with_transform(
                    put_at(x, y, turn)
                )
            )
    stones = [
        ellipse(-9, 47, 6, 3, shade(art.tone("grey"), 0.3)),
        ellipse(8, 47.4, 7.5, 2.6, shade(art.tone("grey"), 0.15)),
    ]
    return [*parts, part("stones", stones)]
