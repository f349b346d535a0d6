"""Draws the Earth, turned by chance, and its moons."""

from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import Globe, cap, corners
from hallascope.primer.drawing.forms import read_numbers, turn_point
from hallascope.primer.drawing.parts import Art, Part, Point, Shape, circle, line, part, shade
from hallascope.primer.world import DrawnValues


def _moon(x: float, y: float, r: float, tone: str) -> list[Shape]:
    dots = [
        circle(x + dx * r, y + dy * r, k * r, shade(tone, -0.2), stroke=None)
        for dx, dy, k in ((-0.3, 0.3, 0.2), (0.25, -0.35, 0.24), (0.3, 0.4, 0.13))
    ]
    return [*Globe(r, x, y).disc(tone)[:-2], *dots]


# Coasts as (longitude, latitude).
LANDS: list[list[Point]] = [land["coast"] for land in read_numbers(__file__)["lands"]]


def _continents(globe: Globe, middle: float, tone: str) -> list[Part]:
    parts = []
    for coast in LANDS:
        shifted = [((lon - middle + 180) % 360 - 180, lat) for lon, lat in coast]
        lons = [lon for lon, _ in shifted]
        if max(lons) - min(lons) > 200 or min(abs(lon) for lon in lons) > 75:
            continue
        parts.append(part("land", globe.patch(shifted, tone)))
    return parts


def planet(v: DrawnValues, art: Art) -> Sequence[Part]:
    roll = {"leaning": 23.4, "upright": 0.0, "flat": 90.0}[v["axis"]]
    r, small = (31.5, 8.2) if v["moon size"] == "smaller" else (19.5, 16.5)
    globe = Globe(r, view=14, roll=roll)
    tip = r + (12 if r < 25 else 9)
    top, foot = (turn_point(0, y, roll) for y in (-tip, tip))
    rod = art.tone("gold")

    def axis(start: Point, end: Point) -> Part:
        ends = [start, end]
        return part("axis", line(ends, width=4.2), line(ends, rod, 2.2), circle(*end, 2.5, rod))

    rods = [axis((0, 0), top), axis((0, 0), foot)]
    stub = axis(globe.point_at(0, 90), top)
    ocean = art.tone(v["ocean"])
    sea = shade(ocean, 0.08) if v["ocean"] == "blue" else ocean
    ground = {"ice": art.tone("white"), "sand": art.tone("yellow"), "lava": art.tone("red")}[
        v["poles"]
    ]
    caps = [part("polar cap", cap(globe, 60, ground)), part("polar cap", cap(globe, -58, ground))]
    lands = _continents(
        globe, art.pick((14.0, -84.0, 108.0)) + art.vary(-8, 8), shade(art.tone("green"), 0.06)
    )
    reach = 40.6 if small < 10 else 32.8
    moons = [
        part("moon", _moon(x, y, small, shade(art.tone("grey"), 0.42)))
        for x, y in corners(v["moons"], reach, art)
    ]
    return [*moons, *rods, part("planet", globe.disc(sea)), *lands, *caps, stub]
