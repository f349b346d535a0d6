"""Draws a molecule of methane by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import molecule
from hallascope.primer.drawing.parts import Art, Part, polar
from hallascope.primer.world import DrawnValues


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    count = v["hydrogens"]
    radii = (18.0, 10.5) if v["larger"] == "centre" else (9.0, 15.0)
    reach = 37.0 if v["larger"] == "centre" else 33.0
    turn = art.vary(0, 360)
    return molecule(
        v,
        art,
        ("carbon atom", "hydrogen atom"),
        [polar(0, 0, reach, turn + 360 * i / count) for i in range(count)],
        radii,
    )
