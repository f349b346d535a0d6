"""What stands before "'s" is a thing that owns another."""

import pytest

from hallascope.metrics.parsing.reading import read_prompt
from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a kid's bedroom", ["kid", "bedroom"]),
        ("a young girl's red bicycle", ["young girl", "red bicycle"]),
        ("a cat watching the screen's screensaver", ["cat", "screen", "screensaver"]),
        ("women's shoes", ["shoe"]),
    ],
)
def test_an_owner_is_a_thing_and_no_attribute(text: str, expected: list[str]) -> None:
    assert things(text) == expected


def test_what_is_owned_is_part_of_its_owner_and_stands_where_the_phrase_does() -> None:
    reading = read_prompt("a ball in the tiger's cage")
    names = {asked.id: asked.name for asked in reading.objects}
    relations = {
        (names[relation.subject], relation.words, names[relation.target])
        for relation in reading.relations
    }
    assert ("cage", "part of", "tiger") in relations
    assert ("ball", "in", "cage") in relations
