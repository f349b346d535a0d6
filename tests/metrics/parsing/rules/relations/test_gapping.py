"""A verb that is left out is that of the clause before."""

import pytest

from hallascope.metrics.parsing.reading import read_prompt
from tests.support.parsed_texts import actions


def test_a_verb_that_is_left_out_is_that_of_the_one_before() -> None:
    text = "Three men play: one has a cello, another a trumpet, and the third a horn."
    with_what = [(words, thing) for _, words, thing, _ in actions(text) if words == "with"]
    assert with_what == [("with", "cello"), ("with", "trumpet"), ("with", "horn")]


def test_things_in_a_row_leave_no_verb_out() -> None:
    assert len(actions("A man holds a hat, a cane and a bag.")) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The woman holds an umbrella, the man a newspaper.",
            {("woman", "holding", "umbrella"), ("man", "holding", "newspaper")},
        ),
        (
            "The man on the left wears a cap and the woman on the right a helmet.",
            {("man", "wearing", "cap"), ("woman", "wearing", "helmet")},
        ),
        (
            "The boy eats an apple and the girl a pear.",
            {("boy", "eating", "apple"), ("girl", "eating", "pear")},
        ),
        (
            "a man holding a dog, a cat and a bird",
            {("man", "holding", "dog"), ("man", "holding", "cat"), ("man", "holding", "bird")},
        ),
        (
            "a surfer carrying a board, two pelicans perched on a post to the right",
            {("surfer", "carrying", "board")},
        ),
    ],
)
def test_a_noun_right_behind_another_has_the_verb_of_the_clause_before(
    text: str, expected: set[tuple[str, str, str]]
) -> None:
    reading = read_prompt(text)
    names = {asked.id: asked.name for asked in reading.objects}
    said = {
        (names[relation.subject], relation.words, names.get(relation.target, ""))
        for relation in reading.relations
    }
    assert {relation for relation in said if relation[1].endswith("ing")} == expected
