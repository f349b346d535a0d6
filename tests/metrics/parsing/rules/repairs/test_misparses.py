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
        ("Behind them, an open oven glows", ["open oven"]),
        ("A tumbleweed rolls past a gas station", ["tumbleweed", "gas station"]),
        ("A police car waits, and a raven perches on it", ["police car", "raven"]),
    ],
)
def test_a_plural_behind_a_and_a_noun_is_a_verb(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two crows perch on its left arm", ["2 crow", "left arm"]),
        ("Three frogs croak on a rock", ["3 frog", "rock"]),
        ("A pair of muddy boots lies in front of a door", ["2 muddy boot", "door"]),
        ("two sports cars on a road", ["2 sports car", "road"]),
        ("her savings bank on a shelf", ["savings bank", "shelf"]),
    ],
)
def test_a_noun_behind_a_plural_is_its_verb(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On the table lie two books and a pen", ["table", "2 book", "pen"]),
        ("Behind the fence stand three goats", ["fence", "3 goat"]),
        ("On the wall hang at least a dozen wrenches", ["wall", "wrench"]),
        ("On the cake stand lies a peach", ["cake stand", "peach"]),
    ],
)
def test_behind_a_place_at_the_start_stands_a_verb(text: str, expected: list[str]) -> None:
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
