"""Verbs that the model takes for nouns are read as verbs, and plurals stay plurals."""

import pytest

from hallascope.metrics.parsing.reading import read_prompt
from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A blacksmith hammers a glowing horseshoe", ["blacksmith", "glowing horseshoe"]),
        ("Behind him a small sailboat leans against the rocks", ["small sailboat", "rock"]),
        ("A dog in a red collar pants in the heat outdoors", ["dog", "red collar"]),
        ("The flickering candle cast shadows on the wall", ["flickering candle", "shadow", "wall"]),
        ("A man and a dog paddle on a surfboard", ["man", "dog", "surfboard"]),
    ],
)
def test_a_plural_behind_a_and_a_noun_is_a_verb(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man in a blue pants", ["man", "blue pants"]),
        ("a few wine glasses on a table", ["wine glass", "table"]),
        ("a dozen paper cups", ["12 paper cup"]),
        ("a group of circus elephants", ["circus elephant"]),
        ("a bench and a water slide in the park", ["bench", "water slide", "park"]),
        ("a room with a chess board", ["room", "chess board"]),
    ],
)
def test_true_plurals_and_compounds_stay(text: str, expected: list[str]) -> None:
    assert things(text) == expected


def test_the_verb_has_its_own_name() -> None:
    reading = read_prompt("A blacksmith hammers a glowing horseshoe")
    assert [relation.words for relation in reading.relations] == ["hammering"]
