"""Of "X of Y" either is the thing, or both are."""

import pytest

from hallascope.metrics.parsing.parser import parse
from tests.support.parsed_texts import things


def test_a_container_of_number_is_no_thing_and_a_bottle_of_wine_is_one() -> None:
    assert things("a bunch of bananas, a row of five trees and a bottle of wine") == [
        "banana",
        "5 tree",
        "bottle of wine",
    ]
    assert parse("a bottle of wine").things[0].head == "bottle"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a photo of a group of kids", ["kid"]),
        ("one of the two dogs", ["2 dog"]),
        ("the top of the house", ["house"]),
        ("a cube made of denim", ["denim cube"]),
        ("a sign with dirty edges", ["sign", "dirty edge"]),
    ],
)
def test_frames_containers_and_materials_are_no_things(text: str, expected: list[str]) -> None:
    assert things(text) == expected


def test_what_stands_behind_of_with_an_article_owns_what_stands_before() -> None:
    wing, ladybug = parse("the wing of a ladybug").phrases
    assert (ladybug.owned, ladybug.is_owner, wing.is_owner) == (0, True, False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a glass of red wine", ["red glass of wine"]),
        ("two mugs of black coffee", ["2 black mug of coffee"]),
        ("a slice of a chocolate cake", ["slice of chocolate cake"]),
        ("a statue of two women", ["statue of two women"]),
        ("a vase of flowers", ["vase of flowers"]),
        ("the door of a bus", ["door", "bus"]),
        ("a pile of fresh oranges", ["fresh orange"]),
    ],
)
def test_a_holder_with_what_it_holds_is_one_thing(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A parrot sits on the back of a chair", ["parrot", "back", "chair"]),
        ("A chair with a coat over its back", ["chair", "coat", "back"]),
        ("A man hides a rose behind his back", ["man", "rose", "back"]),
        ("A dog sleeps in the back of a truck", ["dog", "truck"]),
        ("A woman at the back of the bus", ["woman", "bus"]),
        ("A man falls on his back", ["man"]),
    ],
)
def test_a_back_is_a_part_of_who_and_what_has_one(text: str, expected: list[str]) -> None:
    assert things(text) == expected


def test_every_container_holds_what_follows() -> None:
    assert things("a carafe of white wine") == ["white carafe of wine"]


def test_letters_are_things_unless_words_are_written_in_them() -> None:
    assert things("a pen on a pile of old letters") == ["pen", "old letter"]
    assert things("a sign with a word in red letters") == ["sign"]
