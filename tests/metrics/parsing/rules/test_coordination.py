"""Things in a row are each a thing."""

import pytest

from hallascope.metrics.parsing.parser import parse
from tests.support.parsed_texts import actions, positions, things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a laptop and three cellphones", ["laptop", "3 cellphone"]),
        ("A car playing soccer", ["car", "soccer"]),
    ],
)
def test_a_chunk_ends_at_and_and_at_a_verb_in_ing(text: str, expected: list[str]) -> None:
    assert things(text) == expected


def test_a_verb_governs_all_nouns_in_a_row() -> None:
    assert actions("a man wearing a hat and a coat") == [
        ("man", "wearing", "hat", False),
        ("man", "wearing", "coat", False),
    ]


def test_a_position_is_said_of_further_things_only_where_each_is_definite() -> None:
    assert positions("A dog is behind the cat, the cow and a horse.") == [
        ("dog", "behind", "cat"),
        ("dog", "behind", "cow"),
    ]


def test_things_in_brackets_of_the_same_noun_are_parts_of_what_was_counted() -> None:
    phrases = parse("three circles (two red circles and a blue circle) and a square").phrases
    assert [phrase.is_part for phrase in phrases] == [False, True, True, False]
