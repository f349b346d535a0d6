"""Numbers in words and digits are read to their end."""

import pytest

from hallascope.metrics.parsing.words.number_words import number_value, read_number


@pytest.mark.parametrize(
    ("word", "value"),
    [("two", 2), ("zero", None), ("1,200", 1200), ("0", None), ("10000", 10000), ("dog", None)],
)
def test_a_number_is_a_word_or_digits_above_zero(word: str, value: int | None) -> None:
    assert number_value(word) == value


@pytest.mark.parametrize(
    ("text", "value", "length"),
    [
        ("half a dozen eggs", 6, 3),
        ("a half dozen eggs", 6, 3),
        ("a dozen eggs", 12, 2),
        ("two dozen eggs", 24, 2),
        ("twenty - one eggs", 21, 3),
        ("twenty one eggs", 21, 2),
        ("one hundred and five eggs", 105, 4),
        ("a thousand eggs", 1000, 2),
        ("twenty red eggs", 20, 1),
    ],
)
def test_a_number_of_several_words_is_read_to_its_end(text: str, value: int, length: int) -> None:
    assert read_number(text.split(), 0) == (value, length)


@pytest.mark.parametrize("text", ["a dog", "half of it", "dogs"])
def test_other_words_begin_no_number(text: str) -> None:
    assert read_number(text.split(), 0) is None
