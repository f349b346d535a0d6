"""Draws the spectrum behind a prism: its rays are cut off at the face that they leave."""

from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import clip
from hallascope.primer.drawing.parts import Art, Part, Point, part, polygon
from hallascope.primer.world import DrawnValues

_SPECTRA: dict[str, tuple[str, ...]] = {
    "red": ("red", "orange", "yellow", "green", "blue", "purple"),
    "purple": ("purple", "blue", "green", "yellow", "orange", "red"),
    "green": ("green", "blue", "purple", "red", "orange", "yellow"),
}


def spectrum(v: DrawnValues, art: Art) -> Sequence[Part]:
    ax, bx, face = {
        "triangle": (-61.0, -35.0, 1330.0),
        "square": (-1.0, 0.0, 25.0),
        "circle": (-1.0, 0.0, 26.4),
    }[v["outline"]]
    x, y = (face + 4 * bx) / abs(ax), -4.0
    slope = 0.52 if v["direction"] == "down" else -0.52
    near, far = {"far": (6.0, 30.0), "near": (34.0, 7.0), "same": (16.0, 16.0)}[v["widest"]]

    def ray(low: float, high: float) -> list[Point]:
        y1 = y + slope * (10.0 - x)
        y2 = y + slope * (49.5 - x)
        ends = [
            (10.0, y1 + low * near),
            (49.5, y2 + low * far),
            (49.5, y2 + high * far),
            (10.0, y1 + high * near),
        ]
        return clip(ends, -ax, bx, face, 999999)

    rays = [
        polygon(ray(i / 6 - 0.5, (i + 1) / 6 - 0.5), art.tone(name), stroke=None)
        for i, name in enumerate(_SPECTRA[v["upper colour"]])
    ]
    return [part("spectrum", rays, polygon(ray(-0.5, 0.5), None, width=1.3))]
