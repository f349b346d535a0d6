"""Draws contact sheets of concepts: ``python -m hallascope.primer.contact_sheet DOMAIN OUT.png``
for people who draw them.

A row a concept: three factual drawings, then one drawing for each violation of each fact and
variation.
"""

import importlib
import sys
from functools import partial
from pathlib import Path

from PIL import Image, ImageDraw

from hallascope.primer.compose import portrait
from hallascope.primer.world import Concept


def rows(concept: Concept, size: int) -> list[tuple[str, Image.Image]]:
    truths = concept.truths()
    found = [
        (f"{concept.name} {seed}", portrait(concept, truths, seed).image(size)) for seed in range(3)
    ]
    facts = list(concept.facts)
    if concept.variation:
        facts.append(concept.variation.fact)
    for fact in facts:
        for value in fact.values:
            if value != truths[fact.parameter]:
                label = f"{fact.parameter}={value}"
                found.append(
                    (label, portrait(concept, {**truths, fact.parameter: value}, 0).image(size))
                )
    return found


def sheet(concepts: tuple[Concept, ...], size: int = 150, across: int = 10) -> Image.Image:
    """One page: the rows of all concepts, wrapped after `across` drawings."""
    lines = [
        row[i : i + across]
        for row in map(partial(rows, size=size), concepts)
        for i in range(0, len(row), across)
    ]
    page = Image.new("RGB", (across * (size + 4), len(lines) * (size + 16)), "white")
    pen = ImageDraw.Draw(page)
    for y, line in enumerate(lines):
        for x, (label, image) in enumerate(line):
            page.paste(image, (x * (size + 4), y * (size + 16)))
            pen.text((x * (size + 4) + 2, y * (size + 16) + size + 2), label[:26], fill="black")
    return page


def main() -> None:
    domain, out = sys.argv[1], Path(sys.argv[2])
    concepts = importlib.import_module(f"hallascope.primer.concepts.{domain}").CONCEPTS
    names = set(sys.argv[3:])
    chosen = tuple(c for c in concepts if not names or c.name in names)
    sheet(chosen).save(out)


if __name__ == "__main__":
    main()
