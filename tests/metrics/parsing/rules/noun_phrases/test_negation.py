"""What is said not to be there is absent, and what is said not to be so is not said."""

import pytest

from hallascope.metrics.parsing.parser import parse
from tests.support.parsed_texts import absent, actions, things


def test_what_is_said_not_to_be_there_is_no_thing() -> None:
    assert things("a couple with no umbrellas, without a hat and without red shoes") == ["couple"]


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
