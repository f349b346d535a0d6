"""Clothes are told from places."""

import pytest

from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.rules.wearing import is_garment
from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "expected"), [("a suit jacket", True), ("two kilts", True), ("a kitchen", False)]
)
def test_clothes_are_known_by_their_noun(text: str, expected: bool) -> None:
    assert is_garment(parse(text).phrases[0]) is expected


def test_clothes_are_those_of_wordnet_too() -> None:
    assert ("dancer", "wearing", "headdress", False) in actions("A dancer in a headdress")
