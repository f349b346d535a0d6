"""What is said not to be there is absent, and what is said not to be so is not said."""

import pytest

from hallascope.metrics.parsing.parser import parse
from tests.support.parsed_texts import absent, actions, things


def test_what_is_said_not_to_be_there_is_no_thing() -> None:
    assert things("a couple with no umbrellas, without a hat and without red shoes") == ["2 couple"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man without a hat or gloves", ["hat", "glove"]),
        ("a street with no cars", ["car"]),
        ("a man with a hat or gloves", []),
        ("no image", []),
        ("neither a dog nor a cat", ["dog", "cat"]),
        ("a table with neither plates nor red cups on it", ["plate", "cup"]),
        ("Neither the dog nor the cat is red.", []),
        ("not a dog", ["dog"]),
        ("a wolf, not a dog", ["dog"]),
        ("a wolf but not a dog", ["dog"]),
        ("Not a single ant is to be seen.", ["ant"]),
        ("a street with not one car", ["car"]),
        ("a cat instead of a dog", ["dog"]),
        ("a cat rather than a dog or a horse", ["dog", "horse"]),
        ("not only a dog but also a cat", []),
        ("not far from a house", []),
        ("no more than two cats", []),
    ],
)
def test_or_carries_an_absence_on_and_a_frame_is_never_absent(
    text: str, expected: list[str]
) -> None:
    assert absent(text) == expected


def test_an_adjective_that_is_negated_describes_nothing() -> None:
    (car,) = parse("The car is not red").things
    assert car.modifiers == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man who is not wearing a hat", [("man", "wearing", "hat", True)]),
        ("a man who is not riding a horse", []),
    ],
)
def test_only_what_is_not_worn_held_or_had_is_a_negated_action(
    text: str, expected: list[tuple[str, str, str, bool]]
) -> None:
    assert actions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a scarecrow devoid of a face", ["face"]),
        ("a street free of cars", ["car"]),
        ("the sky is free from clouds", ["cloud"]),
        ("a room bare of furniture", ["furniture"]),
        ("a chair lacking one leg", ["leg"]),
        ("The chair lacks a leg.", ["leg"]),
        ("The doll is missing an eye.", ["eye"]),
        ("a cup with a missing handle", ["handle"]),
        ("a statue with one arm missing", ["arm"]),
        ("The lid is missing.", ["lid"]),
        ("the jar has lost its lid", ["lid"]),
        ("a car minus its wheels", ["wheel"]),
        ("a cat sits in the chair instead of the dog", ["dog"]),
        ("a hook in place of his left hand", ["hand"]),
        ("rather than a hat she wears a scarf", ["hat"]),
        ("not a dog but a cat on the sofa", ["dog"]),
        ("There isn't a cloud in the sky.", ["cloud"]),
        ("There is not a single car on the street.", ["car"]),
        ("Not a single ant is to be seen.", ["ant"]),
        ("not only a dog but a cat", []),
        ("not all dogs are brown", []),
    ],
)
def test_words_of_absence_say_what_is_not_there(text: str, expected: list[str]) -> None:
    assert absent(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("None of the passengers wear hats.", ["hat"]),
        ("Two cats; neither of them wears a collar.", ["collar"]),
        ("Two models. Neither has jewelry or gloves.", ["jewelry", "glove"]),
        ("Nobody is in sight.", ["person"]),
        ("a beach with no one on it", ["person"]),
        ("nobody but a man", []),
        ("a boy wears neither shoes nor socks", ["shoe", "sock"]),
    ],
)
def test_what_none_and_neither_have_is_absent(text: str, expected: list[str]) -> None:
    assert absent(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man without a shirt, hat, or shoes", ["shirt", "hat", "shoe"]),
        ("a house with no roof, windows or doors", ["roof", "window", "door"]),
        ("a house without windows and doors", ["window", "door"]),
        ("a man without a hat and a dog", ["hat"]),
        ("a street without cars and people walking by", ["car"]),
        ("a beach, no people, palm trees", ["person"]),
    ],
)
def test_a_row_behind_something_absent_is_absent(text: str, expected: list[str]) -> None:
    assert absent(text) == expected


def test_what_is_not_there_is_in_no_relation_and_its_words_describe_nothing() -> None:
    parsed = parse("a doll missing an eye on a shelf free of dust")
    assert [thing.modifiers for thing in parsed.things] == [(), ()]
    assert actions("a doll missing an eye") == []
    assert actions("a boy wears no shoes") == []
