"""A place is said of what begins the item that it stands in."""

import pytest

from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A smith hammers a blade, sparks flying around him.", ("spark", "around", "smith")),
        ("A boy chases a goose, a kite stuck in a tree.", ("kite", "in", "tree")),
        ("A fire burns in the hearth and a cat curled up on a rug.", ("cat", "on", "rug")),
        ("A smith, her face black with soot, mends a pot in a yard.", ("smith", "in", "yard")),
    ],
)
def test_a_new_item_has_its_own_place(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in positions(text)


def test_two_in_a_row_are_no_new_item() -> None:
    text = "A man and a girl standing next to two cakes in the kitchen."
    assert {("man", "in", "kitchen"), ("girl", "in", "kitchen")} <= set(positions(text))
