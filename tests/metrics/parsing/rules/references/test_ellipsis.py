"""A phrase without a noun has that of what it stands for."""

import pytest

from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a red car and a blue one", ["red car", "blue car"]),
        ("a big apple and three green ones", ["big apple", "3 green apple"]),
        ("one black cow and another in a field", ["1 black cow", "cow", "field"]),
        (
            "An egg in a yellow egg cup, another egg in a blue one",
            ["egg", "yellow egg cup", "egg", "blue egg cup"],
        ),
        ("Two sisters. One of them reads a book.", ["2 sister", "1 sister", "book"]),
        (
            "Four jars. The first one holds buttons, the second one pebbles.",
            ["4 jar", "jar", "button", "jar", "pebble"],
        ),
        (
            "Three men play: one has a cello, another a trumpet",
            ["3 man", "1 man", "cello", "man", "trumpet"],
        ),
        ("one sandal, the other one hangs from a tree", ["1 sandal", "sandal", "tree"]),
    ],
)
def test_a_phrase_without_a_noun_has_the_name_of_another(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two wheels one behind the other", ["2 wheel"]),
        ("a donkey holds a rope on one end, a cat holds the other", ["donkey", "rope", "cat"]),
        ("Through the window of a boat one sees a whale", ["window", "boat", "whale"]),
        ("a room with one table", ["room", "1 table"]),
        ("a cat", ["cat"]),
        ("another day, another dog", ["dog"]),
        ("each dog wears a hat", ["dog", "hat"]),
        ("one", []),
    ],
)
def test_a_number_or_other_without_an_antecedent_names_nothing(
    text: str, expected: list[str]
) -> None:
    assert things(text) == expected


def test_the_right_one_is_of_what_is_called_left() -> None:
    text = "The left cup is full of cocoa, the right one empty."
    assert things(text) == ["left full cup", "cocoa", "right empty cup"]


def test_numbers_with_colors_tell_a_group_apart() -> None:
    text = "Six balloons on a chair: two red, three yellow, and one silver one."
    assert things(text) == [
        "6 balloon",
        "chair",
        "2 red balloon",
        "3 yellow balloon",
        "1 silver balloon",
    ]
