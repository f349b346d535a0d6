"""Draws the planet Saturn by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import Globe, blend, surface
from hallascope.primer.drawing.parts import Art, Part, Shape, circle, part, path, shade
from hallascope.primer.world import DrawnValues

RAINBOW = ("purple", "blue", "green", "yellow", "orange", "red")


def _annulus(inner: float, outer: float, flat: float, back: bool, cy: float, fill: str) -> Shape:
    """Return the back or the front half of a flat ring; `flat` is its height to its width."""
    out, home = (1, 0) if back else (0, 1)
    d = (
        f"M{-outer:.2f},{cy:.2f} A{outer:.2f},{outer * flat:.2f} "
        f"0 0,{out} {outer:.2f},{cy:.2f} H{inner:.2f}"
        f" A{inner:.2f},{inner * flat:.2f} 0 0,{home} {-inner:.2f},{cy:.2f} Z"
    )
    return path(d, fill, stroke=None, width=1.0)


def _ring_half(
    v: DrawnValues, art: Art, edges: tuple[float, float, float, float], back: bool, cy: float
) -> list[Part]:
    inner, gap_in, gap_out, outer = edges
    flat = math.sin(math.radians(21))
    dark = -0.07 if back else 0.0
    if v["ring colour"] == "rainbow":
        step = (outer - inner) / len(RAINBOW)
        tones = [
            (inner + step * i, inner + step * (i + 1), shade(art.tone(name), 0.12 + dark))
            for i, name in enumerate(RAINBOW)
        ]
    else:
        base = blend(art.tone("beige"), art.tone("grey"), 0.12)
        mid = inner + (gap_in - inner) * 0.35
        tones = [
            (inner, mid, shade(base, -0.22 + dark)),
            (mid, gap_in, shade(base, 0.25 + dark)),
            (gap_in, outer, shade(base, 0.04 + dark)),
        ]
    whole = _annulus(inner, outer, flat, back, cy, tones[0][2])
    ring = [whole, *(_annulus(a, b, flat, back, cy, tone) for a, b, tone in tones)]
    ends = [
        path(
            f"M{-r:.2f},{cy:.2f} A{r:.2f},{r * flat:.2f} 0 0,{1 if back else 0} {r:.2f},{cy:.2f}",
            None,
            width=1.0,
        )
        for r in (inner, outer)
    ]
    parts = [part("ring", ring, ends)]
    if v["gap"] == "gap":
        parts.append(part("ring gap", _annulus(gap_in, gap_out, flat, back, cy, "#2a2b3a")))
    if v["gap"] == "moons":
        middle = (gap_in + gap_out) / 2
        turns = range(195, 360, 25) if back else range(5, 180, 25)
        places = [
            (middle * math.cos(math.radians(t)), cy + middle * flat * math.sin(math.radians(t)))
            for t in turns
        ]
        parts += [
            part("ring moon", circle(x, y, 2.7, art.tone("white"), width=0.9)) for x, y in places
        ]
    return parts


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    roll = {"leaning": 26.0, "upright": 0.0, "side": 90.0}[v["axis"]]
    r, edges = (
        (20.5, (26.5, 36.2, 40.6, 47.0))
        if v["ring width"] == "wide"
        else (29.0, (30.5, 34.4, 37.6, 41.5))
    )
    cy = 0.0 if v["ring place"] == "middle" else -r * 0.86
    tone = (
        blend(art.tone("gold"), art.tone("beige"), 0.55)
        if v["colour"] == "gold"
        else shade(art.tone(v["colour"]), 0.15)
    )
    globe = Globe(r, view=21, roll=roll)
    body = [part("planet", globe.disc(tone))]
    if v["surface"] == "stripes":
        belts = (
            (-60, -46, -0.12),
            (-34, -22, 0.3),
            (-12, -3, -0.14),
            (8, 20, 0.32),
            (28, 42, -0.13),
            (56, 90, -0.2),
        )
        body += [part("stripe", globe.band(a, b, shade(tone, k))) for a, b, k in belts]
    else:
        body += surface(globe, v["surface"], tone, r * 0.19)
    turn = f"rotate({roll:.1f})"
    back = [p.with_transform(turn) for p in _ring_half(v, art, edges, True, cy)]
    front = [p.with_transform(turn) for p in _ring_half(v, art, edges, False, cy)]
    return [*back, *body, *front]
