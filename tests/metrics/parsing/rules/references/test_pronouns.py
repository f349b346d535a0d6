"""Pronouns stand for the subject of what was said before."""

import pytest

from tests.support.parsed_texts import actions, positions


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


def test_what_is_on_its_right_is_not_itself() -> None:
    text = "A red book on a desk, with a yellow vase on its right"
    assert ("vase", "right of", "book") in positions(text)
