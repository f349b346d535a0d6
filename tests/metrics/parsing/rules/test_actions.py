"""What things do, and to which other thing."""

import pytest

from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man riding a horse", [("man", "riding", "horse")]),
        ("a horse ridden by a man", [("man", "riding", "horse")]),
        ("a sleeping dog", []),
        ("a woman with a red umbrella", [("woman", "with", "umbrella")]),
        ("a man in a suit", [("man", "wearing", "suit")]),
        ("The image shows a dog", []),
        ("a cat sitting on a chair", []),
    ],
)
def test_verbs_with_and_in_say_what_things_do(
    text: str, expected: list[tuple[str, str, str | None]]
) -> None:
    assert [action[:3] for action in actions(text)] == expected
