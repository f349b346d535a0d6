"""Relations have their spellings, an inverse that leads back, and words for a sentence."""

import pytest

from hallascope.metrics.parsing.words.position_words import (
    INVERSE,
    KIN,
    RELATIONS,
    Spelling,
    longest_spelling,
    relation_words,
    spellings,
)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("to the left of", Spelling("left of", True)),
        ("on the right hand side of", Spelling("right of", True)),
        ("on the right leg of", None),
        ("on the right", Spelling("right of", False)),
        ("underneath", Spelling("below", True)),
        ("in the front of", Spelling("in front of", True)),
    ],
)
def test_a_spelling_says_its_relation_and_whether_another_thing_must_follow(
    words: str, expected: Spelling | None
) -> None:
    assert spellings().get(tuple(words.split())) == expected


def test_no_spelling_stands_for_two_relations_and_the_longest_is_the_longest() -> None:
    spelled = [words for all_words in RELATIONS.values() for words in all_words]
    assert len(spelled) == len(set(spelled))
    assert longest_spelling() == max(len(words) for words in spellings())


def test_an_inverse_leads_back_and_kin_are_relations() -> None:
    assert all(INVERSE[inverse] == relation for relation, inverse in INVERSE.items())
    assert {*INVERSE, *KIN} <= RELATIONS.keys()
    assert {kin for others in KIN.values() for kin in others} <= RELATIONS.keys()


def test_a_side_is_said_with_an_article() -> None:
    assert relation_words("left of") == "to the left of"
    assert relation_words("behind") == "behind"
