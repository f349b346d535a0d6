"""Places where a text may name a thing are the parser's noun chunks, and nouns outside of them."""

import pytest

from hallascope.metrics.parsing.rules.noun_phrases.chunks import noun_chunks, nouns_outside_chunks
from hallascope.metrics.parsing.words.spacy_model import load_model
from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a red dog on the table", [("a red dog", "dog"), ("the table", "table")]),
        ("a canoe like boat", [("a canoe like boat", "boat")]),
        ("", []),
    ],
)
def test_chunks_have_their_noun_and_two_joined_by_like_are_one(
    text: str, expected: list[tuple[str, str]]
) -> None:
    doc = load_model()(text)
    assert [
        (doc[chunk.start : chunk.stop].text, doc[chunk.head].text) for chunk in noun_chunks(doc)
    ] == expected


def test_a_noun_that_no_chunk_covers_is_found_with_the_words_that_belong_to_it() -> None:
    doc = load_model()("a red dog")
    found = nouns_outside_chunks(doc, set(), frozenset())
    assert [(doc[start].text, doc[head].text) for start, head in found] == [("a", "dog")]
    assert list(nouns_outside_chunks(doc, {0, 1, 2}, frozenset())) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bars covered in frosting and sprinkles.", ["bar", "frosting", "sprinkle"]),
        ("Hovering cow abducting aliens.", ["cow", "alien"]),
        ("a dog on an unmade bed", ["dog", "unmade bed"]),
        ("Two zebras are standing in the shade of a building", ["2 zebra", "shade", "building"]),
    ],
)
def test_nouns_that_the_model_takes_for_other_words(text: str, expected: list[str]) -> None:
    assert things(text) == expected
