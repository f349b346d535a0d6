"""Words describe a thing also from elsewhere."""

import pytest

from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The car is red.", ["red car"]),
        ("a dog, brown and white", ["brown white dog"]),
        ("A dog chases a ball. It is brown.", ["brown dog", "ball"]),
        ("The freight train is painted orange and yellow.", ["orange yellow freight train"]),
    ],
)
def test_an_adjective_behind_a_verb_or_a_comma_describes_its_thing(
    text: str, expected: list[str]
) -> None:
    assert things(text) == expected
