"""Draws a glass prism by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import clip, round
from hallascope.primer.drawing.forms import dark, light
from hallascope.primer.drawing.parts import Art, Part, Point, Shape, part, polygon, rect, shade
from hallascope.primer.world import FactValues

SPECTRA: dict[str, tuple[str, ...]] = {
    "red": ("red", "orange", "yellow", "green", "blue", "purple"),
    "purple": ("purple", "blue", "green", "yellow", "orange", "red"),
    "green": ("green", "blue", "purple", "red", "orange", "yellow"),
}


def _prism_body(v: FactValues, art: Art) -> Part:
    form = v["outline"]
    corners = [(0.0, -38.0), (35.0, 23.0), (-35.0, 23.0)]
    if form == "square":
        corners = [(-25.0, -27.0), (25.0, -27.0), (25.0, 23.0), (-25.0, 23.0)]
    elif form == "circle":
        corners = round(0, -4, 27)
    if v["material"] == "glass":
        tone = art.tone("light blue")
        cy = -2.0
        core = [(x * 0.8, cy + (y - cy) * 0.8) for x, y in corners]
        streaks = [
            light(clip(core, 0.87, 0.5, low, low + w), 0.5) for low, w in ((-15, 4.5), (-8, 1.8))
        ]
        return part(
            "body",
            polygon(corners, tone, stroke=None, opacity=0.42),
            polygon(core, shade(tone, 0.3), stroke=None, opacity=0.4),
            streaks,
            polygon(corners, None, width=1.8),
            polygon(core, None, stroke="#ffffff", width=0.8, opacity=0.8),
        )
    pieces: list[Shape] = []
    if v["material"] == "wood":
        for i, x in enumerate(range(-36, 36, 9)):
            tone = shade(art.tone("brown"), 0.12 if i % 2 else 0.0)
            plank = clip(corners, 1, 0, x, x + 9)
            pieces += [polygon(plank, tone, width=0.9)] if plank else []
            grain = clip(corners, 1, 0, x + 3.4, x + 4.2)
            pieces += [dark(grain, 0.25)] if grain else []
    else:
        for row, y in enumerate(range(-40, 26, 8)):
            course = clip(corners, 0, 1, y, y + 8)
            for k, x in enumerate(range(-44 - 8 * (row % 2), 44, 16)):
                brick = clip(course, 1, 0, x, x + 16) if course else []
                pieces += (
                    [
                        polygon(
                            brick,
                            shade("#b5583f", 0.12 * ((k + row) % 3)),
                            stroke="#efe3d2",
                            width=1.4,
                        )
                    ]
                    if brick
                    else []
                )
    return part("body", pieces, polygon(corners, None, width=1.8))


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    parts: list[Part] = []
    wood = art.tone("brown")
    if v["support"] == "stand":
        parts.append(
            part(
                "stand",
                rect(-4, 24, 8, 18, shade(wood, 0.1)),
                rect(1, 25, 2.6, 16, shade(wood, -0.12), stroke=None),
                rect(-23, 42, 46, 6.5, shade(wood, 0.1), 3),
                rect(-21, 45.4, 42, 2.4, shade(wood, -0.12), 1.2, stroke=None),
            )
        )
        parts.append(part("stand", rect(-29, 22.5, 58, 5.5, shade(wood, 0.1), 2)))
    ax, bx, face = {
        "triangle": (-61.0, -35.0, 1330.0),
        "square": (-1.0, 0.0, 25.0),
        "circle": (-1.0, 0.0, 26.4),
    }[str(v["outline"])]
    entry = (-(face + 4 * bx) / abs(ax), -4.0)
    leave = ((face + 4 * bx) / abs(ax), -4.0)
    beam = clip([(-50, 11), (-50, 18.5), (0, -8.5), (0, -16)], ax, bx, face, 999999)
    parts.append(part("incoming light", polygon(beam, art.tone(str(v["light"])))))
    slope = 0.52 if v["direction"] == "down" else -0.52
    near, far = {"far": (6.0, 30.0), "near": (34.0, 7.0), "same": (16.0, 16.0)}[str(v["widest"])]
    x1 = 10.0
    x2 = 49.5
    y1 = leave[1] + slope * (x1 - leave[0])
    y2 = leave[1] + slope * (x2 - leave[0])

    def ray(low: float, high: float) -> list[Point]:
        ends = [
            (x1, y1 + low * near),
            (x2, y2 + low * far),
            (x2, y2 + high * far),
            (x1, y1 + high * near),
        ]
        return clip(ends, -ax, bx, face, 999999)

    names = SPECTRA[str(v["upper colour"])]
    rays = [
        polygon(ray(i / 6 - 0.5, (i + 1) / 6 - 0.5), art.tone(name), stroke=None)
        for i, name in enumerate(names)
    ]
    parts += [part("spectrum", rays, polygon(ray(-0.5, 0.5), None, width=1.3)), _prism_body(v, art)]
    if v["material"] == "glass":
        (a, b), (c, d) = entry, leave
        fan = [(a + 1.4, b - 1.8), (c - 1.4, d - 3.4), (c + 0.8, d + 3.4), (a + 0.4, b + 2.2)]
        parts.append(
            part("light inside", polygon(fan, art.tone(str(v["light"])), stroke=None, opacity=0.6))
        )
    return parts
