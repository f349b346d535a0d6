"""What the clause around a word says, where the word may be a verb that was misread."""

import pytest

from hallascope.metrics.parsing.rules.repairs.clauses import (
    begins_object,
    has_finite_verb,
    may_be_done,
)
from hallascope.metrics.parsing.words.spacy_model import load_model


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("A man reads a book in bed", "bed", True),
        ("A man reads while a dog sleeps", "dog", False),
        ("A man with a book", "book", False),
    ],
)
def test_a_finite_verb_counts_within_its_clause(text: str, word: str, expected: bool) -> None:
    token = next(token for token in load_model()(text) if token.text == word)
    assert has_finite_verb(token) is expected


@pytest.mark.parametrize(("word", "expected"), [("march", True), ("perch", True), ("bed", False)])
def test_a_noun_may_be_done_where_it_names_no_thing(word: str, expected: bool) -> None:
    (token,) = load_model()(word)
    assert may_be_done(token) is expected


def test_an_object_begins_with_an_article_a_number_or_a_color() -> None:
    words = load_model()("hold a red ball of two colors")
    assert [begins_object(token) for token in words] == [
        False,
        True,
        True,
        False,
        False,
        True,
        False,
    ]
