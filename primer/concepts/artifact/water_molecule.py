"""Draws a molecule of water by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import molecule
from hallascope.primer.drawing.parts import Art, Part, polar
from hallascope.primer.world import DrawnValues

WATER_ANGLES: dict[tuple[str, int], tuple[float, ...]] = {
    ("bent", 2): (-52, 52),
    ("bent", 3): (-62, 0, 62),
    ("bent", 4): (-90, -30, 30, 90),
    ("straight", 2): (0, 180),
    ("straight", 3): (0, 149, 211),
    ("straight", 4): (-31, 31, 149, 211),
}


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    radii = (20.0, 11.0) if v["larger"] == "centre" else (9.0, 15.5)
    reach = 38.0 if v["larger"] == "centre" else 33.5
    turn = art.pick((90, 90, -90)) + art.vary(-20, 20)
    ends = [polar(0, 0, reach, turn + a) for a in WATER_ANGLES[v["arrangement"], v["hydrogens"]]]
    dx, dy = polar(0, 0, 10 if v["arrangement"] == "bent" else 0, turn + 180)
    if max(abs(x + dx) for x, _ in ends) + radii[1] > 49:
        dx = 0.0
    return [
        p.with_transform(f"translate({dx:.2f} {dy:.2f})")
        for p in molecule(v, art, ("oxygen atom", "hydrogen atom"), ends, radii)
    ]
