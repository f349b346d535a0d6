"""Draws a strawberry by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Callable, Sequence

from hallascope.primer.concepts.plant.forms import drawn_stem, form
from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import Art, Part, circle, glow, part, polar, polygon, shade
from hallascope.primer.world import FactValues

Profile = tuple[Callable[[float], float], Callable[[float], float]]

# Center line and half width of the fruit's forms at height t, 0 at the top and 1 at the bottom.
FRUIT_FORMS: dict[str, Profile] = {
    "cone": (
        lambda t: 0.0,
        lambda t: (
            32 * (1 - (1 - t / 0.22) ** 2) ** 0.5
            if t < 0.22
            else 32 * (1 - ((t - 0.22) / 0.78) ** 1.5) ** 0.74
        ),
    ),
    "square": (lambda t: 0.0, lambda t: 28 * (1 - abs(2 * t - 1) ** 10) ** 0.35),
    "crescent": (
        lambda t: 14 - 28 * math.sin(math.pi * t),
        lambda t: 16 * abs(math.sin(math.pi * (0.07 + 0.93 * t))) ** 0.55,
    ),
}

FRUIT_TOP = -18.0
FRUIT_HEIGHT = 66.0


def _bite(y: float) -> float:
    """Return how far to the right the bitten fruit still reaches at height y."""
    edge = 99.0
    for cx, cy, r in ((27.0, 4.0, 9.0), (24.0, 17.0, 9.5)):
        if abs(y - cy) < r:
            edge = min(edge, cx - math.sqrt(r * r - (y - cy) ** 2))
    return edge


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tone = art.tone(str(v["colour"]))
    green = art.tone("green")
    gold = art.tone("yellow")
    center, half = FRUIT_FORMS[str(v["form"])]
    bitten = v["state"] == "bitten"

    def right(t: float) -> float:
        full = center(t) + half(t)
        return (
            min(full, _bite(FRUIT_TOP + FRUIT_HEIGHT * t) + (center(0.45) + half(0.45) - 25))
            if bitten
            else full
        )

    steps = [k / 60 for k in range(61)]
    level = [FRUIT_TOP + FRUIT_HEIGHT * t for t in steps]
    leftward = [(center(t) - half(t), y) for t, y in zip(steps, level, strict=True)]
    rightward = [(right(t), y) for t, y in zip(steps, level, strict=True)]
    shadow = [
        (max(center(t) - half(t), right(t) - half(t) * 0.42), y)
        for t, y in zip(steps, level, strict=True)
    ]
    body = [
        polygon([*leftward, *reversed(rightward)], tone),
        polygon([*shadow, *reversed(rightward)], shade(tone, -0.14), stroke=None),
    ]
    if bitten:
        gap = [
            (right(t), y)
            for t, y in zip(steps, level, strict=True)
            if right(t) < center(t) + half(t) - 0.5
        ]
        body.append(
            polygon(
                [*gap, *((x - 4.5, y) for x, y in reversed(gap))], shade(tone, 0.72), stroke=None
            )
        )
    parts = [
        part(
            "fruit",
            body,
            polygon([*leftward, *reversed(rightward)], None),
            glow(center(0.4) - half(0.4) * 0.66, 9, 3.6),
        )
    ]
    band = {"over": (0.17, 0.95), "tip": (0.66, 0.97), "middle": (0.4, 0.62)}[str(v["seeds"])]
    small = v["seed size"] == "small"
    step, length, width = (10.5, 5.0, 1.7) if small else (16.0, 13.0, 4.2)
    row = 0
    y = FRUIT_TOP + FRUIT_HEIGHT * band[0] + length * 0.5
    while y < FRUIT_TOP + FRUIT_HEIGHT * band[1]:
        t = (y - FRUIT_TOP) / FRUIT_HEIGHT
        low = center(t) - half(t) + width + 2
        high = right(t) - width - (6.5 if bitten else 2)
        fits = max(1, int((high - low) / step) + 1)
        if fits > 2 and fits % 2 != row % 2:
            fits -= 1
        for k in range(fits):
            x = (low + high) / 2 + (k - (fits - 1) / 2) * step
            drop = form("pointed", length, width, gold, False, -0.12)
            parts.append(part("seed", drop).with_transform(put_at(x, y + length * 0.5)))
        row += 1
        y += step * 0.84
    neck = center(0.04)
    stalk = f"M{neck:.1f},-17 C{neck:.1f},-30 {neck - 4:.1f},-40 -8,-48"
    count = int(v["leaflets"])
    hub = (26.0, -30.0)
    parts.append(
        part(
            "stalk",
            drawn_stem(f"M{neck * 0.6 - 2:.1f},-32 C4,-38 14,-38 {hub[0]},{hub[1]}", green, 1.6),
            drawn_stem(stalk, green, 3.0),
        )
    )
    fan = {2: (20, 130), 3: (-20, 62, 144), 4: (-42, 28, 98, 168), 5: (-64, -8, 48, 104, 160)}[
        count
    ]
    for turn in fan:
        drawn = form("round", 16.5, 6.6 if count < 4 else 4.9, shade(green, 0.08))
        parts.append(
            part("leaflet", drawn).with_transform(put_at(*polar(*hub, 2.5, turn - 90), turn))
        )
    if v["cap"] == "leaves":
        for turn in (-118, 118, -88, 88, -150, 150, 180):
            parts.append(
                part(
                    "cap", form("pointed", 23 if abs(turn) < 170 else 16, 5.2, green)
                ).with_transform(put_at(neck, -17, turn))
            )
    elif v["cap"] == "flower":
        for turn in range(0, 360, 72):
            parts.append(
                part(
                    "blossom", form("round", 13, 6.4, art.tone("pink"), False, -0.08)
                ).with_transform(put_at(neck, -17, turn + 36))
            )
        parts.append(part("blossom", circle(neck, -17, 4.4, gold)))
    return parts
