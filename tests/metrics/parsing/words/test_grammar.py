"""Words of a parsed text have their place in its characters, and a lemma in the singular."""

import pytest

from hallascope.metrics.parsing.words.grammar import lemma, span_of
from hallascope.metrics.parsing.words.spacy_model import load_model
from tests.support.parsed_texts import things


def test_the_place_of_tokens_is_counted_in_characters_of_the_text() -> None:
    text = "two red  dogs run"
    doc = load_model()(text)
    dogs = next(token.i for token in doc if token.text == "dogs")
    first, last = span_of(doc, 0, dogs + 1)
    assert text[first:last] == "two red  dogs"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("two dogs", "dog"), ("The Dogs", "dog"), ("blue jeans", "jeans"), ("a bus", "bus")],
)
def test_the_lemma_of_the_last_word_is_its_singular_in_lower_case(text: str, expected: str) -> None:
    assert lemma(load_model()(text)[-1]) == expected


def test_glasses_with_rims_and_swim_trunks_are_of_one_thing() -> None:
    assert things("a man, tortoiseshell glasses") == ["man", "tortoiseshell glasses"]
    assert things("a boy in red swim trunks") == ["boy", "red swim trunks"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two vases", "vase"),
        ("a green thermos", "thermos"),
        ("six schoolchildren", "schoolchild"),
        ("three snowmen", "snowman"),
        ("two lenses", "lens"),
    ],
)
def test_singulars_are_words_that_wordnet_knows(text: str, expected: str) -> None:
    assert things(text)[0].split()[-1] == expected
