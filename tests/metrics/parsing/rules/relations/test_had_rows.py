"""Which things of a row behind "with" somebody or something has."""

import pytest

from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A cabin with a fire in the hearth and skis on the wall.", ["fire", "ski"]),
        ("A desk, boots with red laces, a compass, and a flag.", ["lace"]),
        ("To the right, a workbench with a can, some pots and a radio.", ["can", "pot", "radio"]),
        ("A man with a dog on a leash and a woman on a bench.", ["dog"]),
    ],
)
def test_a_list_goes_on_where_its_holder_is_no_item(text: str, expected: list[str]) -> None:
    assert [action[2] for action in actions(text) if action[1] == "with"] == expected
