"""Draws the raising of the Olympic flag by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Callable, Sequence

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

_RINGS = ("blue", "black", "red", "yellow", "green", "light blue")


def _gauge(form: str, x: float, y: float) -> float:
    """Return the distance of a point from a ring's middle as the form measures it.

    It is constant along the form's edge.
    """
    if form == "square":
        return max(abs(x), abs(y)) * 1.12
    if form == "triangle":
        return max(y, -0.5 * y + 0.866 * x, -0.5 * y - 0.866 * x) * 1.5
    return math.hypot(x, y)


def _edge(form: str, r: float) -> list[Point]:
    points = []
    for i in range(120):
        x, y = polar(0, 0, 1, 3 * i - 90)
        reach = r / _gauge(form, x, y)
        points.append((x * reach, y * reach))
    return points


def _runs(flags: Sequence[bool]) -> list[list[int]]:
    """Return the stretches of true flags around a closed loop, each as its indices in order."""
    start = next((i for i, flag in enumerate(flags) if not flag), 0)
    runs: list[list[int]] = []
    for k in range(len(flags)):
        i = (start + k) % len(flags)
        if flags[i]:
            if not runs or not flags[i - 1]:
                runs.append([])
            runs[-1].append(i)
    return runs


def _ring(
    form: str,
    place: Point,
    r: float,
    earlier: Sequence[Point],
    tone: str,
    warp: Callable[[Point], Point],
) -> list[Shape]:
    """Return one ring, cut where it passes below an earlier one: at one of their two crossings."""
    (cx, cy), thick = place, 0.33 * r
    outer, middle, inner = (
        [warp((cx + x, cy + y)) for x, y in _edge(form, r + step * thick)]
        for step in (0.5, 0.0, -0.5)
    )
    shown = [True] * 120
    for ax, ay in earlier:
        inside = [
            abs(_gauge(form, cx + x - ax, cy + y - ay) - r) < thick * 0.5 + 0.5
            for x, y in _edge(form, r)
        ]
        crossings = _runs(inside)
        if len(crossings) == 2:
            for i in crossings[0]:
                shown[i] = False
    if all(shown):
        d = line([*middle, middle[0]]).d
        return [Shape(d, None, INK, thick + 1.6), Shape(d, None, tone, thick)]
    return [
        polygon([*(outer[i] for i in run), *(inner[i] for i in reversed(run))], tone, width=0.8)
        for run in _runs(shown)
        if len(run) > 1
    ]


def _ring_places(count: int, arrangement: str, linked: bool) -> tuple[list[Point], float]:
    """Return the middles of the rings around (0, 0) and their radius: all fit in 68 x 37."""
    if arrangement != "rows":
        step = 1.5 if linked else 2.8
        slope = 0.0 if arrangement == "row" else 0.42
        ends = (count - 1) / 2
        r = min(9.4, 34 / (step * ends + 1.2), 18 / (step * ends * slope + 1.2))
        return [((i - ends) * step * r, (ends - i) * step * slope * r) for i in range(count)], r
    upper = (count + 1) // 2
    step, fall = (2.3, 1.0) if linked else (2.8, 2.7)
    r = min(9.8, 17.5 / (fall / 2 + 1.2))
    row = [((i - (upper - 1) / 2) * step * r, -fall * r / 2) for i in range(upper)]
    shift = 0.0 if upper > count - upper else step / 4
    low = [
        ((i - (count - upper - 1) / 2) * step * r + shift * r, fall * r / 2)
        for i in range(count - upper)
    ]
    return [(x - shift * r, y) for x, y in row] + low, r


def _standing(x: float, coat: str, hair: str, art: Art) -> list[Shape]:
    """A small person with the face to the left; arms are drawn apart."""
    legs = [rect(x + dx, 37, 3.4, 10, "#46506a", 1.0, width=1.0) for dx in (-3.8, 0.6)]
    shoes = [ellipse(x + dx, 47.4, 3, 1.5, "#2f2f38", width=0.8) for dx in (-2.8, 1.6)]
    body = path(
        f"M{x - 5:.2f},39.6 L{x - 4.2:.2f},26.6 "
        f"Q{x:.2f},23.6 {x + 4.2:.2f},26.6 L{x + 5:.2f},39.6 Z",
        coat,
    )
    side = path(
        f"M{x + 1.8:.2f},39 L{x + 1.6:.2f},26 L{x + 3.7:.2f},27 L{x + 4.4:.2f},39 Z",
        shade(coat, -0.15),
        stroke=None,
    )
    d = (
        f"M{x - 4.2:.2f},17.6 A5,5 0 1,1 {x + 3.4:.2f},22.6 "
        f"Q{x + 1.4:.2f},19.2 {x + 1:.2f},16.6 Q{x - 1:.2f},18 {x - 4.2:.2f},17.6 Z"
    )
    mane = path(d, hair, width=0.9)
    face = [
        circle(x, 19, 4.8, art.tone("skin")),
        mane,
        circle(x - 2.8, 19.8, 0.6, INK, stroke=None),
        line([(x - 3.4, 21.8), (x - 2.0, 22.2)], INK, 0.6),
    ]
    return [*legs, *shoes, body, side, *face]


def _arm(points: Sequence[Point], coat: str, art: Art) -> list[Shape]:
    return [
        line(points, INK, 4.2),
        circle(*points[-1], 1.8, art.tone("skin"), width=0.9),
        line(points[:-1], coat, 2.6),
    ]


def _raiser(x: float, art: Art) -> list[Shape]:
    """Return a person who pulls the rope of the flag with both hands."""
    coat = art.tone("light blue")
    far = _arm(
        [(x - 2.4, 28.6), (x - 5.4, 25.4), (x - 7.6, 20.4), (x - 8.6, 17.4)],
        shade(coat, -0.15),
        art,
    )
    near = _arm([(x + 1, 29.2), (x - 3, 32.4), (x - 6.8, 30.6), (x - 8.8, 28.6)], coat, art)
    return [*far, *_standing(x, coat, "#3a2a22", art), *near]


def _watcher(x: float, coat: str, hair: str, art: Art) -> list[Shape]:
    arm = _arm(
        [(x + 1.4, 28.6), (x + 2.4, 32.6), (x + 2, 36.4), (x + 1.6, 38)], shade(coat, -0.06), art
    )
    return [*_standing(x, coat, hair, art), *arm]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    leaning = v["pole"] == "leaning"
    left = -36.0
    top = -46.0 if v["height"] == "top" else -19.0
    wide = 82.0
    tall = 45.0
    wave = art.vary(1.5, 2.2)

    def warp(p: Point) -> Point:
        return p[0], p[1] + wave * math.sin((p[0] - left) / wide * 2 * math.pi) * min(
            1.0, (p[0] - left) / 14
        )

    xs = [left + wide * i / 40 for i in range(41)]
    upper = [warp((x, top)) for x in xs]
    lower = [warp((x, top + tall)) for x in xs]
    field = art.tone(str(v["field"]))
    fold = [x for x in xs if 0.55 * wide < x - left < 0.8 * wide]
    crease = [
        *(warp((x, top + 0.6)) for x in fold),
        *(warp((x - 4, top + tall - 0.6)) for x in reversed(fold)),
    ]
    cloth = part(
        "flag",
        polygon([*upper, *reversed(lower)], field),
        polygon(crease, shade(field, -0.06), stroke=None),
    )
    count = int(v["rings"])
    form = str(v["form"])
    linked = v["link"] == "linked"
    places, r = _ring_places(count, str(v["arrangement"]), linked)
    middle = (left + wide / 2, top + tall / 2)
    centers = [(middle[0] + x, middle[1] + y) for x, y in places]
    rings = [
        part(
            "ring", _ring(form, center, r, centers[:i] if linked else (), art.tone(_RINGS[i]), warp)
        )
        for i, center in enumerate(centers)
    ]
    pole = part(
        "pole",
        rect(left - 5, -47, 3.4, 95, "#b9bec8", 1.2),
        rect(left - 2.9, -46, 1, 93, "#8f95a1", stroke=None),
        circle(left - 3.3, -46.6, 3.0, art.tone("gold")),
    )
    rope = part("rope", line([(left - 0.6, -44), (left - 0.6, 44)], "#7a6a52", 0.9))
    base = part("base", rect(left - 12, 44, 18, 5, "#8d929c", 1.0))
    person = part("person", _raiser(left + 8.4, art))
    flying = [pole, rope, cloth, *rings]
    if leaning:
        shift = f"translate(-4 47) rotate(-24) scale(0.76) translate({-left + 3.3:.2f} -47)"
        flying = [p.with_transform(shift) for p in flying]
        person = person.with_transform("translate(29 0)")
        base = base.with_transform("translate(33 0)")
    crowd = (
        ((16, "beige", INK), (30, "pink", "#6d4a2c"), (43, "light blue", "#3a2a22"))
        if v["height"] == "top" and not leaning
        else ()
    )
    watchers = [part("person", _watcher(x, art.tone(coat), hair, art)) for x, coat, hair in crowd]
    return [*flying, base, person, *watchers]
