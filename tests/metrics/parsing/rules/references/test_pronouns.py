"""Pronouns stand for the subject of what was said before."""

import pytest

from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A woman smiles. She holds a cat.", ("woman", "holding", "cat")),
        ("a dog that is chasing a ball", ("dog", "chasing", "ball")),
        ("A man and two dogs. They chase a ball.", ("dog", "chasing", "ball")),
        ("A man sees a dog. It chases a ball.", ("dog", "chasing", "ball")),
    ],
)
def test_a_pronoun_stands_for_a_thing_of_its_number_and_kind(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert expected in [action[:3] for action in actions(text)]
