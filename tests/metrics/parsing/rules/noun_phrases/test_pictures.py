"""A picture that hangs or is held is a thing; the picture itself is none."""

import pytest

from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a room with a painting of a cow", ["room", "painting of a cow"]),
        ("a man holding a picture", ["man", "picture"]),
        ("a painting hanging on the wall", ["painting", "wall"]),
        ("a photo of a dog", ["dog"]),
        ("a photograph of a painting of a giraffe", ["giraffe"]),
        ("a man taking a picture", ["man"]),
    ],
)
def test_pictures_in_a_picture_are_things(text: str, expected: list[str]) -> None:
    assert things(text) == expected
