"""The words of places, and what they are said of."""

import pytest

from hallascope.metrics.parsing.rules.relations.anchors import picture_place
from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("on the left of", "left of"),
        ("at the center of", "middle"),
        ("in the corner of", "corner"),
        ("next to", ""),
    ],
)
def test_words_say_a_place_in_the_picture(words: str, expected: str) -> None:
    assert picture_place(words.split()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a house by the lake", [("house", "next to", "lake")]),
        ("a motorcycle parked by a door", [("motorcycle", "next to", "door")]),
        ("a cake eaten by a dog", []),
        ("a flower coming out of a vase", [("flower", "in", "vase")]),
        ("a plate with a face drawn on it", [("face", "on", "plate")]),
        ("steam coming out of a window", [("steam", "out of", "window")]),
        ("a mouse eating out of a bowl", []),
        ("a squid at the bottom of the sea", [("squid", "in", "sea")]),
        ("a bike lies overturned by a hydrant", [("bike", "next to", "hydrant")]),
        ("a tower on the far left", [("tower", "left of", None)]),
        ("a pigeon staring at a crumb", []),
        ("a goat before a wall", [("goat", "in front of", "wall")]),
        ("a dog sneezing onto a cat", []),
    ],
)
def test_a_spelling_is_a_place_where_it_stands_before_a_thing(
    text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert positions(text) == expected


def test_it_is_not_what_stands_there_itself() -> None:
    text = "A duck floats in the sink, and the mirror above it is fogged."
    assert ("mirror", "above", "sink") in positions(text)


def test_between_them_is_between_two() -> None:
    text = "A maid with a fan and a sailor with a pipe wait, a trunk between them."
    expected = {("trunk", "between", "maid"), ("trunk", "between", "sailor")}
    assert expected <= set(positions(text))
