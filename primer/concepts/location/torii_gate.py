"""Draws a torii gate by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.location.forms import box, mix, pattern, strokes, uprights
from hallascope.primer.drawing.parts import Art, Part, circle, part, polygon, rect, shade
from hallascope.primer.world import FactValues


def _post(x: float, w: float, tone: str) -> Part:
    body = polygon(
        [(x - w * 0.44, -38), (x + w * 0.44, -38), (x + w * 0.52, 46), (x - w * 0.52, 46)], tone
    )
    side = polygon(
        [(x + w * 0.12, -37), (x + w * 0.4, -37), (x + w * 0.46, 45), (x + w * 0.14, 45)],
        shade(tone, -0.22),
        stroke=None,
    )
    foot = polygon(
        [(x - w * 0.62, 38), (x + w * 0.62, 38), (x + w * 0.7, 47.5), (x - w * 0.7, 47.5)],
        "#3a3a42",
    )
    return part("post", body, side, foot)


def _top_beam(kind: str, y: float, half: float, tone: str) -> Part:
    """Return the upper beam with its dark cap around height `y`."""

    def curve(x: float) -> float:
        far = abs(x) / half
        return {
            "up": -8 * math.pow(far, 2.2) + 2,
            "down": 9 * math.pow(far, 2.2) - 4,
            "peak": 13 * far - 9,
        }[kind]

    xs = [mix(-half, half, i / 32) for i in range(33)]
    cap = [(x, y - 4.5 + curve(x)) for x in xs] + [
        (x * 0.97, y + 0.5 + curve(x)) for x in reversed(xs)
    ]
    body = [(x * 0.97, y + 0.5 + curve(x)) for x in xs] + [
        (x * 0.93, y + 8 + curve(x)) for x in reversed(xs)
    ]
    low = [(x * 0.945, y + 5.4 + curve(x)) for x in xs] + [
        (x * 0.93, y + 7.8 + curve(x)) for x in reversed(xs)
    ]
    beam = [polygon(body, tone), polygon(low, shade(tone, -0.22), stroke=None), polygon(body, None)]
    return part("top beam", beam, polygon(cap, "#3a3a42"))


def _low_beam(y: float, half: float, tone: str) -> Part:
    wedges = (
        [rect(s * 29.5 - 2, y - 3, 4, 3, "#3a3a42", width=0.8) for s in (-1, 1)]
        if half > 33
        else []
    )
    shadow = rect(-half + 0.6, y + 5, half * 2 - 1.2, 2.4, shade(tone, -0.22), stroke=None)
    return part("lower beam", wedges, rect(-half, y, half * 2, 8, tone), shadow)


def _closing(kind: str, x: float, y: float, w: float, h: float) -> list[Part]:
    if kind == "door":
        wood = "#9b6b3f"
        leaves = [rect(x, y, w / 2, h, wood), rect(x + w / 2, y, w / 2, h, shade(wood, -0.08))]
        bands = [rect(x, y + h * f, w, 3, shade(wood, -0.45), stroke=None) for f in (0.16, 0.76)]
        grain = strokes(uprights(box(x, y, w, h), 5), shade(wood, -0.4), 0.9)
        return [
            part(
                "door",
                leaves,
                grain,
                bands,
                [circle(x + w / 2 + dx, y + h * 0.5, 1.9, "#e2b93f") for dx in (-5, 5)],
            )
        ]
    if kind == "wall":
        clay = "#ded7ca"
        return [
            part(
                "brick wall",
                rect(x, y, w, h, clay),
                pattern("blocks", box(x, y, w, h), 5.6, clay, 1.1),
            )
        ]
    return []


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tone = art.tone(str(v["colour"]))
    count = int(v["posts"])
    tone = "#dd4426" if v["colour"] == "red" and art.random.random() < 0.5 else tone
    upper, lower = {"top": (48.0, 29.0), "lower": (29.0, 48.0), "equal": (40.0, 40.0)}[
        str(v["longest"])
    ]
    reach = 23.0
    w = {2: 8.0, 3: 7.6, 4: 7.0}[count]
    posts = [_post(mix(-reach, reach, i / (count - 1)), w, tone) for i in range(count)]
    high, low = (-40.0, -17.0) if v["place"] == "top" else (8.0, 27.0)
    gap_top, gap_foot = (-12.0, 46.0) if v["place"] == "top" else (-33.0, 10.0)
    fill = _closing(str(v["between"]), -reach, gap_top, reach * 2, gap_foot - gap_top)
    panel = rect(-2.2, high + 9.5, 4.4, low - high - 10.5, "#e7c75a", stroke=None)
    plaque = part("plaque", rect(-4, high + 7, 8, low - high - 6, "#3d5f8f"), panel)
    return [
        *fill,
        *posts,
        _low_beam(low, lower, tone),
        plaque,
        _top_beam(str(v["curve"]), high, upper, tone),
    ]
