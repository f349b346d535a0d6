"""Quoted words belong to a thing, and places lead back to the text as it came."""

import pytest

from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.plain_text import find_quotes, mask_quotes, plain_text


@pytest.mark.parametrize(
    ("text", "quote", "thing"),
    [
        ('A sign that says "Google Research Pizza Cafe"', "Google Research Pizza Cafe", "sign"),
        ("A storefront with 'Hello. World' written on it.", "Hello. World", "storefront"),
        (
            "A red stop sign with the word “ Hammer Time ”. written on it.",
            "Hammer Time",
            "stop sign",
        ),
        ("the dog's bone and people's 'choice'", "choice", "person"),
    ],
)
def test_quoted_words_belong_to_the_thing_they_are_written_on(
    text: str, quote: str, thing: str
) -> None:
    found = parse(text)
    (only,) = found.quotes
    assert only.text == quote
    assert quote in text[slice(*only.span)]
    assert only.phrase is not None
    assert found.phrases[only.phrase].name.casefold() == thing.casefold()


def test_white_space_is_collapsed_and_every_character_keeps_its_place() -> None:
    plain = plain_text(" A  red\tDOG ")
    assert plain.text == "A red DOG"
    assert plain.original((2, 5)) == (4, 7)


def test_a_text_in_capitals_alone_is_read_in_lower_case() -> None:
    assert plain_text("A RED DOG").text == "a red dog"
    assert plain_text("A Red Dog").text == "A Red Dog"


def test_what_is_quoted_is_masked_in_its_length() -> None:
    text = 'A sign "Go. Stop"'
    assert [text[slice(*span)] for span in find_quotes(text)] == ["Go. Stop"]
    assert mask_quotes(text) == 'A sign "XXXXXXXX"'
