"""Who does what a verb says."""

import pytest

from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man in a hat holding a cup", {"man"}),
        ("a man and a woman holding a cup", {"man", "woman"}),
        ("a tree next to a man holding a cup", {"man"}),
        ("people in a kitchen holding a cup", {"person"}),
    ],
)
def test_the_one_who_holds_something_is_found(text: str, expected: set[str]) -> None:
    assert {action[0] for action in actions(text) if action[1] == "holding"} == expected
