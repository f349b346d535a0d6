"""Draws the planet Earth by the parameters of the facts in `facts.toml`."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from hallascope.primer.concepts.celestial.forms import Globe, cap, corners, disc_dots
from hallascope.primer.drawing.forms import turn_point
from hallascope.primer.drawing.parts import Art, Part, Point, Shape, circle, line, part, path, shade
from hallascope.primer.world import FactValues


def _moon(x: float, y: float, r: float, tone: str) -> list[Shape]:
    ball = Globe(r, x, y)
    return [
        *ball.disc(tone)[:-2],
        *disc_dots(x, y, r, tone, ((-0.3, 0.3, 0.2), (0.25, -0.35, 0.24), (0.3, 0.4, 0.13))),
    ]


# Coasts as (longitude, latitude).
LANDS: Sequence[Sequence[Point]] = [
    land["coast"]
    for land in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["lands"]
]


def _continents(globe: Globe, middle: float, tone: str) -> list[Part]:
    parts = []
    for coast in LANDS:
        shifted = [((lon - middle + 180) % 360 - 180, lat) for lon, lat in coast]
        lons = [lon for lon, _ in shifted]
        if max(lons) - min(lons) > 200 or min(abs(lon) for lon in lons) > 75:
            continue
        parts.append(part("land", globe.patch(shifted, tone)))
    return parts


def _rocket(r: float, art: Art) -> list[Part]:
    """Return a rocket before a ball of radius `r`, on its way around it."""
    hull = art.tone("white")
    fin = art.tone("red")
    k = r / 31.5 * 0.25 + 0.75
    body = path("M-7,-4.6 H3 Q10,-4 14,0 Q10,4 3,4.6 H-7 Z", hull)
    wings = [path("M-1,-4.6 L-11,-9.6 L-7.6,-3 Z", fin), path("M-1,4.6 L-11,9.6 L-7.6,3 Z", fin)]
    flame = path("M-7,-3.4 Q-13,-3 -18,0 Q-13,3 -7,3.4 Z", art.tone("orange"))
    window = circle(3, 0, 2.3, art.tone("light blue"), width=0.9)
    wide = r + 5
    orbit = f"M{-wide:.2f},0 A{wide:.2f},10 0 0,0 {wide:.2f},0"
    way = part(
        "orbit", path(orbit, None, width=2.6), path(orbit, None, stroke="#ffffff", width=1.3)
    )
    ship = part("rocket", flame, wings, body, window).with_transform(
        f"translate(3 10) scale({k:.2f})"
    )
    return [p.with_transform("rotate(-10)") for p in (way, ship)]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    roll = {"leaning": 23.4, "upright": 0.0, "flat": 90.0}[str(v["axis"])]
    r, small = (31.5, 8.2) if v["moon size"] == "smaller" else (19.5, 16.5)
    globe = Globe(r, view=14, roll=roll)
    tip = r + (12 if r < 25 else 9)
    rod = art.tone("gold")
    knob = []
    for way in (-1, 1):
        x, y = turn_point(0, way * tip, roll)
        knob.append(
            part(
                "axis",
                line([(0, 0), (x, y)], width=4.2),
                line([(0, 0), (x, y)], rod, 2.2),
                circle(x, y, 2.5, rod),
            )
        )
    top = turn_point(0, -tip, roll)
    pole = globe.point_at(0, 90)
    stub = part(
        "axis", line([pole, top], width=4.2), line([pole, top], rod, 2.2), circle(*top, 2.5, rod)
    )
    ocean = art.tone(str(v["ocean"]))
    sea = shade(ocean, 0.08) if v["ocean"] == "blue" else ocean
    ground = {"ice": art.tone("white"), "sand": art.tone("yellow"), "lava": art.tone("red")}[
        str(v["poles"])
    ]
    caps = [part("polar cap", cap(globe, 60, ground)), part("polar cap", cap(globe, -58, ground))]
    lands = _continents(
        globe, art.pick((14.0, -84.0, 108.0)) + art.vary(-8, 8), shade(art.tone("green"), 0.06)
    )
    reach = 40.6 if small < 10 else 32.8
    moons = [
        part("moon", _moon(x, y, small, shade(art.tone("grey"), 0.42)))
        for x, y in corners(int(v["moons"]), reach, art)
    ]
    flying = _rocket(r, art) if v["visitor"] == "rocket" else []
    return [*moons, *knob, part("planet", globe.disc(sea)), *lands, *caps, stub, *flying]
