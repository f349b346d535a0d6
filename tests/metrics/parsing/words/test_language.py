"""Plurals, numbers and gerunds by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.prompt_reading import Count
from hallascope.metrics.parsing.words.language import (
    capitalize_first,
    content,
    count_words,
    gerund,
    number,
    number_word,
    plural,
    singular,
)


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("ride", "riding"),
        ("sit", "sitting"),
        ("lie", "lying"),
        ("hold", "holding"),
        ("see", "seeing"),
        ("run", "running"),
        ("eat", "eating"),
    ],
)
def test_verbs_have_their_form_in_ing(verb: str, form: str) -> None:
    assert gerund(verb) == form


@pytest.mark.parametrize(
    ("one", "many"),
    [("berry", "berries"), ("box", "boxes"), ("child", "children"), ("dog", "dogs")],
)
def test_a_noun_has_its_plural_and_its_singular(one: str, many: str) -> None:
    assert (plural(one), singular(many), singular(one)) == (many, one, one)
    assert plural(f"red {one}") == f"red {many}"


@given(st.integers(1, 20))
def test_a_number_is_read_as_it_is_written(value: int) -> None:
    assert number(number_word(value)) == value


def test_content_has_no_stop_words_numbers_or_colors() -> None:
    assert content("The two red boats of a Fisherman") == ["boat", "fisherman"]
    assert capitalize_first("a Dog") == "A Dog"


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (Count.exactly(2), "two"),
        (Count.at_least(2), "at least two"),
        (Count.at_most(2), "at most two"),
        (Count(least=2, most=3), "two to three"),
        (Count.approximately(10), "about ten"),
    ],
)
def test_a_count_is_said_with_its_bounds(count: Count, words: str) -> None:
    assert count_words(count) == words
