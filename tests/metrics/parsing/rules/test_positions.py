"""Positions that a text says."""

import pytest

from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A yellow vase placed on the right of a red book", [("vase", "right of", "book")]),
        ("a red book complemented by a yellow vase on its right", [("vase", "right of", None)]),
        ("A wine glass on top of a dog", [("wine glass", "on", "dog")]),
        ("A man standing in front of the open door of a bus.", [("man", "in front of", "door")]),
        (
            "There is a street sign on a pole on the side of a snowy highway.",
            [("street sign", "on", "pole"), ("pole", "on", "highway")],
        ),
        ("The image shows a cat under a table", [("cat", "below", "table")]),
        ("A woman in white shirt holding up a cellphone.", []),
        ("A street sign with flags on it", [("flag", "on", None)]),
        ("A storefront with 'Google' written on it", []),
        ("a man in a suit next to a car", [("man", "next to", "car")]),
        (
            (
                "One of the two red circles is to the left of the square, the tulips and the"
                " ladybug, and above the star."
            ),
            [
                ("circle", "left of", "square"),
                ("circle", "left of", "tulip"),
                ("circle", "left of", "ladybug"),
                ("circle", "above", "star"),
            ],
        ),
    ],
)
def test_positions(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert positions(text) == expected
