"""British words are written in the American spelling."""

import pytest

from hallascope.metrics.parsing.words.spelling import american


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Jewellery box", "jewelry box"),
        ("tennis racquet", "tennis racket"),
        ("t-shirt", "t-shirt"),
        ("four tyres", "four tyres"),
        ("grey harbour", "gray harbor"),
    ],
)
def test_british_words_are_american(name: str, expected: str) -> None:
    assert american(name) == expected
