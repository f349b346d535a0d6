"""Phrases are found by the tokens that they cover and by the pronouns that stand for them."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.phrase_index import PhraseIndex


def phrase(name: str, *, is_thing: bool = True) -> Phrase:
    return Phrase(
        span=(0, 1), name_span=(0, 1), name=name, lemmas=(name,), head=name, is_thing=is_thing
    )


def token(place: int) -> Any:
    return SimpleNamespace(i=place)


@pytest.fixture
def index() -> PhraseIndex:
    """The index of "a dog in the picture , it runs"."""
    return PhraseIndex(
        (phrase("dog"), phrase("picture", is_thing=False)), (range(2), range(3, 5)), {6: 0}
    )


def test_a_token_belongs_to_the_phrase_that_covers_it_and_a_pronoun_to_what_it_stands_for(
    index: PhraseIndex,
) -> None:
    assert [index.phrase_of(token(i)) for i in range(8)] == [0, 0, None, 1, 1, None, 0, None]
    assert token(6) in index
    assert token(7) not in index


def test_a_phrase_that_names_no_thing_is_no_thing_of_its_tokens(index: PhraseIndex) -> None:
    assert index.thing_of(token(1)) == 0
    assert index.thing_of(token(4)) is None
    assert index.thing_of(token(5)) is None


def test_phrases_are_found_by_their_first_token_and_before_another(index: PhraseIndex) -> None:
    assert index.by_first_token == {0: 0, 3: 1}
    assert [list(index.phrases_before(i)) for i in (1, 2, 5)] == [[], [0], [0, 1]]


def test_what_stands_behind_of_belongs_to_the_whole_before_it() -> None:
    """The index of "the wing of a ladybug and a cat"."""
    phrases = (phrase("wing"), replace(phrase("ladybug"), owned=0), phrase("cat"))
    index = PhraseIndex(phrases, (range(2), range(3, 5), range(6, 8)))
    assert [index.whole_of(at) for at in range(3)] == [0, 0, 2]
    assert [index.last_part(at) for at in range(3)] == [1, 1, 2]
