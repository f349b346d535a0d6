"""Draws contact sheets: ``python -m hallascope.primer.contact_sheet DOMAIN OUT.png [NAME ...]``.

A row a concept: three factual drawings, then a drawing of each violation of its facts and of its
variation.
"""

import sys
from pathlib import Path

from PIL import Image, ImageDraw

from hallascope.data.records import DOMAINS
from hallascope.primer.compose import portrait
from hallascope.primer.concepts import concepts_of
from hallascope.primer.drawing.svg_files import BadDrawing
from hallascope.primer.world import Concept


def rows(concept: Concept, size: int) -> list[tuple[str, Image.Image]]:
    """Return the drawings of a concept with their labels; `size` in px.

    Raise BadDrawing where a value of a fact changes nothing.
    """
    truths = concept.truths()
    drawn = [(f"{concept.name} {seed}", portrait(concept, truths, seed)) for seed in range(3)]
    for fact in concept.all_facts:
        for value in fact.values:
            if value != truths[fact.parameter]:
                label = f"{fact.parameter}={value}"
                drawing = portrait(concept, {**truths, fact.parameter: value}, 0)
                if drawing.svg == drawn[0][1].svg:
                    raise BadDrawing(f"{concept.name}: {label} changes nothing in the drawing.")
                drawn.append((label, drawing))
    return [(label, drawing.image(size)) for label, drawing in drawn]


def sheet(concepts: tuple[Concept, ...], size: int = 150, across: int = 10) -> Image.Image:
    """Return one page with the rows of all concepts, wrapped after `across` drawings."""
    lines: list[list[tuple[str, Image.Image]]] = []
    for concept in concepts:
        row = rows(concept, size)
        lines += [row[i : i + across] for i in range(0, len(row), across)]
    page = Image.new("RGB", (across * (size + 4), len(lines) * (size + 16)), "white")
    pen = ImageDraw.Draw(page)
    for y, line in enumerate(lines):
        for x, (label, image) in enumerate(line):
            left = x * (size + 4)
            top = y * (size + 16)
            page.paste(image, (left, top))
            pen.text((left + 2, top + size + 2), label[:26], fill="black")
    return page


def main() -> None:
    """Draw the sheet that the command line asks for."""
    if len(sys.argv) < 3 or sys.argv[1] not in DOMAINS:
        sys.exit(
            f"Say: python -m hallascope.primer.contact_sheet {{{','.join(DOMAINS)}}} OUT.png [NAME"
            " ...]"
        )
    domain = next(name for name in DOMAINS if name == sys.argv[1])
    known = {concept.name: concept for concept in concepts_of(domain)}
    names = sys.argv[3:] or list(known)
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"There is no {domain} {unknown[0]!r}: choose one of {', '.join(known)}.")
    sheet(tuple(known[name] for name in names)).save(Path(sys.argv[2]))


if __name__ == "__main__":
    main()
