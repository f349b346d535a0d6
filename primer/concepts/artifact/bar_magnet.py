"""Draws the sections of a bar magnet: its outline cut into as many pieces as a fact says."""

from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import clip, round
from hallascope.primer.drawing.forms import dark, light
from hallascope.primer.drawing.parts import Art, Part, part, polygon
from hallascope.primer.world import DrawnValues


def sections(v: DrawnValues, art: Art) -> Sequence[Part]:
    form = v["form"]
    reach, height = {"bar": (28.0, 9.5), "disc": (21.0, 21.0), "diamond": (28.0, 20.0)}[form]
    outline = {
        "bar": [(-reach, -height), (reach, -height), (reach, height), (-reach, height)],
        "disc": round(0, 0, 21),
        "diamond": [(-reach, 0.0), (0.0, -height), (reach, 0.0), (0.0, height)],
    }[form]
    weights = [1.0] * v["sections"]
    if v["lengths"] == "unequal":
        weights[0] = 2.4
    unit = 2 * reach / sum(weights)
    start = -reach
    names = v["colours"].split()
    parts = []
    for i, weight in enumerate(weights):
        piece = clip(outline, 1, 0, start, start + unit * weight)
        lit = clip(piece, 0, 1, -height * 0.72, -height * 0.45)
        dim = clip(piece, 0, 1, height * 0.5, height)
        marks = ([light(lit)] if len(lit) > 2 else []) + ([dark(dim, 0.16)] if len(dim) > 2 else [])
        cover = polygon(piece, art.tone(names[i % 2]), stroke=None)
        parts.append(part("section", cover, marks, polygon(piece, None)))
        start += unit * weight
    return parts
