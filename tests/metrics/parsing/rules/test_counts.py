"""Numbers are of things: no articles, no units, no parts of words."""

import pytest

from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.rules.counts import number_value
from tests.support.parsed_texts import things


def test_a_is_no_number_and_numbers_within_words_are_none() -> None:
    assert [
        phrase.number for phrase in parse("a dog, 12 cats, one hen and a ten-speed bicycle").things
    ] == [None, 12, 1, None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a pair of skiers", ["2 skier"]),
        ("a pair of three skiers", ["3 skier"]),
    ],
)
def test_a_container_says_its_number_unless_the_text_says_one(
    text: str, expected: list[str]
) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("word", "value"),
    [("two", 2), ("zero", None), ("1,200", 1200), ("0", None), ("10000", None), ("dog", None)],
)
def test_a_number_is_a_word_or_digits_from_1_to_9999(word: str, value: int | None) -> None:
    assert number_value(word) == value
