"""What cannot be pointed at is told by WordNet and two lists."""

import pytest

from hallascope.metrics.parsing.words.unseen_words import cannot_be_seen, says_when
from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    "noun",
    [
        "energy",
        "beauty",
        "grace",
        "testament",
        "heat",
        "dawn",
        "protection",
        "movement",
        "december",
    ],
)
def test_abstract_nouns_and_times_cannot_be_seen(noun: str) -> None:
    assert cannot_be_seen(noun, noun)


@pytest.mark.parametrize(
    "noun",
    [
        "dog",
        "coin",
        "wave",
        "smoke",
        "racket",
        "slice",
        "snow",
        "sky",
        "fire",
        "shadow",
        "mermaid",
        "goblin",
        "trucker",
        "campfire",
        "step",
    ],
)
def test_things_can_be_seen_though_wordnet_calls_some_abstract(noun: str) -> None:
    assert not cannot_be_seen(noun, noun)


def test_a_name_decides_before_its_noun() -> None:
    assert not cannot_be_seen("street sign", "sign")
    assert cannot_be_seen("climate change", "change")


def test_sunset_is_a_time_behind_at() -> None:
    assert says_when("sunset", "at")
    assert not says_when("sunset", "of")
    assert not says_when("dog", "at")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A man stands beside a bus at night.", ["man", "bus"]),
        ("a dog in the heat", ["dog"]),
        ("a creature of stealth and beauty", ["creature"]),
        ("a lighthouse at dusk", ["lighthouse"]),
    ],
)
def test_they_are_no_things(text: str, expected: list[str]) -> None:
    assert things(text) == expected
