"""Concepts are placed over a backdrop, and the same seed gives the same picture."""

from hallascope.primer.compose import PlacedConcept, compose, portrait
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import Art
from hallascope.primer.shapes import SHAPES


def test_a_portrait_repeats_for_its_seed_and_differs_for_another() -> None:
    concept = concepts()[0]
    first = portrait(concept, concept.truths(), 1)
    assert portrait(concept, concept.truths(), 1).svg == first.svg
    assert portrait(concept, concept.truths(), 2).svg != first.svg


def test_parts_belong_to_their_concept_or_to_the_owner_that_is_named() -> None:
    circle = next(shape for shape in SHAPES if shape.name == "circle")
    placed = [
        PlacedConcept(concept=circle, values={}, x=25, size=40),
        PlacedConcept(concept=circle, values={}, x=75, size=40, owner="second"),
    ]
    drawing = compose(placed, "plain", Art(0))
    assert [part.owner for part in drawing.parts] == ["circle", "second"]


def test_a_thing_is_drawn_where_it_is_placed() -> None:
    circle = next(shape for shape in SHAPES if shape.name == "circle")
    place = PlacedConcept(concept=circle, values={}, x=25, y=75, size=40)
    seen = compose([place], "plain", Art(0)).part_map(100) == 0
    rows, columns = seen.nonzero()
    assert abs(rows.mean() - 74.5) < 1
    assert abs(columns.mean() - 24.5) < 1
