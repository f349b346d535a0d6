"""Words in -ing that the model reads into a name are what the thing before them does."""

import pytest

from tests.support.parsed_texts import actions, things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A lobby with a woman hauling baggage", ("woman", "hauling", "baggage")),
        ("A tennis player playing tennis on the court", ("tennis player", "playing", "tennis")),
        ("A woman in a hat selling fruit at a market", ("woman", "selling", "fruit")),
        ("Woman sitting on bench feeding pigeons.", ("Woman", "feeding", "pigeon")),
        ("A boy eating pizza at a table", ("boy", "eating", "pizza")),
        ("Two women sitting at a table eating lunch", ("woman", "eating", "lunch")),
        ("A chef slicing onions on a board", ("chef", "slicing", "onion")),
        ("A man with a scar on his cheek plays the banjo.", ("man", "playing", "banjo")),
        ("Two men stand and the batter runs for base", ("batter", "running for", "base")),
    ],
)
def test_a_person_does_what_a_word_in_ing_behind_says(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert (*expected, False) in actions(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A kitchen with a wood burning stove", ["kitchen", "wood burning stove"]),
        ("A wooden cutting board on a counter", ["wooden cutting board", "counter"]),
        ("A woman beside a sewing machine", ["woman", "sewing machine"]),
    ],
)
def test_names_with_a_word_in_ing_stay(text: str, expected: list[str]) -> None:
    assert things(text) == expected
