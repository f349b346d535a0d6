"""Rows and relations of two scene graphs are said in words."""

from hallascope.components.scene_graph.layout import words
from hallascope.components.scene_graph.layout.pairs import pairs
from tests.support import scene_graphs

FOUND = pairs(scene_graphs.graphs(), scene_graphs.findings())


def test_a_row_says_what_was_asked_and_what_it_is() -> None:
    assert [words.row(row) for row in FOUND.slots] == [
        "Circle: asked red, seen green.",
        "Square: as asked for.",
        "Tulip: asked for and not seen.",
        "No hat: not there, as asked.",
        "Circle: seen beside what was asked for.",
        "Star: in the image, not in the prompt.",
    ]
    assert [row.kind for row in FOUND.slots] == [
        "incorrect",
        "correct",
        "incorrect",
        "correct",
        None,
        "incorrect",
    ]


def test_a_relation_that_is_otherwise_says_both_and_one_that_nothing_rests_on_is_quiet() -> None:
    sentences = [words.relation(relation, FOUND) for relation in FOUND.relations]
    assert sentences[:2] == [
        "Circle left of square: asked for; seen: right of.",
        "Square above tulip: could not be told.",
    ]
    assert [relation.quiet for relation in FOUND.relations] == [False, False, True, True, True]
