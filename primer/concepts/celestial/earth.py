"""Draws the planet Earth by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

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


# Coasts as (longitude, latitude), much simplified.
LANDS: tuple[tuple[Point, ...], ...] = (
    (
        (-6, 35),
        (10, 37),
        (20, 32),
        (32, 31),
        (38, 20),
        (43, 12),
        (51, 12),
        (42, -2),
        (40, -12),
        (35, -22),
        (32, -28),
        (26, -34),
        (18, -34),
        (14, -22),
        (12, -10),
        (9, 0),
        (9, 4),
        (-4, 5),
        (-9, 5),
        (-17, 14),
        (-16, 22),
        (-10, 30),
    ),
    (
        (-9, 37),
        (-9, 43),
        (-2, 44),
        (-4, 48),
        (2, 51),
        (8, 54),
        (5, 60),
        (12, 66),
        (25, 71),
        (40, 67),
        (55, 69),
        (70, 73),
        (100, 77),
        (130, 72),
        (160, 70),
        (179, 68),
        (170, 60),
        (160, 55),
        (142, 58),
        (140, 50),
        (128, 40),
        (126, 35),
        (121, 38),
        (120, 28),
        (110, 20),
        (106, 10),
        (103, 2),
        (99, 10),
        (97, 17),
        (90, 22),
        (85, 18),
        (79, 8),
        (76, 10),
        (72, 20),
        (66, 25),
        (57, 25),
        (58, 20),
        (52, 15),
        (44, 13),
        (36, 27),
        (35, 36),
        (27, 37),
        (28, 41),
        (23, 37),
        (19, 41),
        (13, 45),
        (16, 39),
        (12, 42),
        (9, 44),
        (3, 43),
        (0, 39),
        (-5, 36),
    ),
    (
        (-168, 66),
        (-155, 71),
        (-130, 70),
        (-95, 72),
        (-82, 68),
        (-94, 60),
        (-82, 53),
        (-78, 60),
        (-66, 59),
        (-56, 52),
        (-66, 45),
        (-75, 38),
        (-81, 31),
        (-80, 25),
        (-83, 30),
        (-96, 28),
        (-97, 20),
        (-88, 21),
        (-88, 16),
        (-83, 10),
        (-78, 8),
        (-86, 12),
        (-96, 15),
        (-106, 22),
        (-112, 30),
        (-118, 34),
        (-124, 42),
        (-125, 49),
        (-140, 60),
        (-158, 57),
        (-165, 61),
    ),
    (
        (-78, 8),
        (-72, 12),
        (-60, 9),
        (-50, 1),
        (-35, -6),
        (-39, -15),
        (-48, -27),
        (-57, -36),
        (-65, -42),
        (-68, -53),
        (-74, -50),
        (-72, -30),
        (-71, -18),
        (-80, -6),
        (-80, 1),
    ),
    ((-72, 78), (-55, 70), (-45, 60), (-40, 65), (-22, 70), (-18, 80), (-35, 83)),
    (
        (114, -22),
        (122, -18),
        (131, -12),
        (136, -12),
        (137, -16),
        (142, -11),
        (146, -19),
        (153, -27),
        (150, -37),
        (141, -38),
        (131, -32),
        (116, -35),
    ),
    ((44, -16), (50, -15), (47, -25), (44, -24)),
    ((-5, 50), (1, 51), (0, 54), (-5, 59), (-4, 54)),
    ((131, 33), (140, 36), (142, 44), (138, 38)),
    ((96, 5), (105, -5), (118, -2), (130, -3), (118, 5), (109, 2), (103, 0)),
    ((131, -2), (141, -3), (150, -9), (140, -8)),
)


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
