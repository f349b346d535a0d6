"""A side of the picture is a place of the noun before it where a verb is left out."""

import pytest

from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The man on the left wears a cap and the woman on the right a helmet.", "woman"),
        ("The man on the left holds a cup and the dog on the right a stick.", "dog"),
        ("A man holds a cup on the right.", "man"),
    ],
)
def test_a_side_is_of_the_noun_before_it(text: str, subject: str) -> None:
    assert [place[0] for place in positions(text) if place[1] == "right of"] == [subject]
