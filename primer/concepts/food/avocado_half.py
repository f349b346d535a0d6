"""Draws the stones of an avocado: as many as a fact says, around its middle."""

from collections.abc import Sequence

from hallascope.primer.drawing.parts import Art, Part, circle, glow, part, path, polar, shade
from hallascope.primer.world import DrawnValues


def stones(v: DrawnValues, art: Art) -> Sequence[Part]:
    flesh = art.tone(v["flesh colour"])
    tone = art.tone(v["stone colour"])
    pale = "#cbe08f" if v["flesh colour"] == "green" else shade(flesh, 0.38)
    middle = {"square": 0.0, "star": 3.0, "pear": 13.0}[v["outline"]]
    count = v["stones"]
    tiny = v["stone size"] == "tiny"
    r, ring, turn = {
        1: (18.0, 0.0, 0),
        2: (12.5, 14.5, 0),
        3: (11.2, 15.0, -90),
        4: (10.6, 16.5, -45),
    }[count]
    if tiny:
        r = 4.6
        ring *= 0.75
    parts = []
    for i in range(count):
        x, y = polar(0.0, middle, ring, turn + 360 * i / count)
        moon = path(
            f"M{x - r:.2f},{y:.2f} A{r:.2f},{r:.2f} 0 0,0 {x + r:.2f},{y:.2f} "
            f"A{r * 1.25:.2f},{r * 1.05:.2f} 0 0,1 {x - r:.2f},{y:.2f} Z",
            shade(tone, -0.2),
            stroke=None,
        )
        hollow = circle(x, y + 0.6, r * 1.1 + 0.8, shade(pale, -0.22), stroke=None)
        shine = glow(x - r * 0.34, y - r * 0.4, r * 0.26)
        parts.append(part("stone", hollow, circle(x, y, r, tone), moon, circle(x, y, r), shine))
    return parts
