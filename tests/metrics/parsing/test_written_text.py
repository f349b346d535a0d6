"""Words that are written in the picture are found without quotation marks."""

import pytest

from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.written_text import find_written


@pytest.mark.parametrize(
    ("prompt", "text", "on"),
    [
        ("a sign that says STOP", "STOP", "sign"),
        ("a sign that says no parking next to a car", "no parking", "sign"),
        ("a book titled Ulysses", "Ulysses", "book"),
        ("a cake with the words happy birthday", "happy birthday", "cake"),
        ("the word LOVE on a wall", "LOVE", "wall"),
        ("a neon sign reading Open", "Open", "neon sign"),
        (
            "The neon sign above the diner says OPEN ALL NIGHT, and it glows",
            "OPEN ALL NIGHT",
            "neon sign",
        ),
        ("a van with the words FRESH FISH painted on its side", "FRESH FISH", "van"),
        ("a gauge reads 400 m and a red lamp glows", "400 m", "gauge"),
        ("a note that reads Closed until Monday. A boy smiles.", "Closed until Monday", "note"),
        ("a mug that says world's best dad", "world's best dad", "mug"),
        ("a t-shirt with the number 7 on it", "7", "t-shirt"),
        ("a boat named Serenity on a lake", "Serenity", "boat"),
        ("a storefront with Google Cafe written on it", "Google Cafe", "storefront"),
        ('a dog and the words "no diving" on the wall', "no diving", "wall"),
        ("a sign reads ‘no entry’", "no entry", "sign"),
    ],
)
def test_text_is_read_with_the_thing_it_is_on(prompt: str, text: str, on: str) -> None:
    reading = read_prompt(prompt)
    (written,) = reading.texts
    assert written.span is not None
    assert (written.text, prompt[slice(*written.span)]) == (text, text)
    assert reading.object(written.on).name == on


@pytest.mark.parametrize(
    "prompt",
    [
        "a boy reading Ulysses",
        "a woman reading a newspaper",
        "a man says hello to a dog",
        "a cat named Tom",
        "the dog's bone and a cat's toy",
        "a letter on the table",
        "the number of dogs",
        "words of wisdom",
        "a sign with words on it",
        "a person spelling with blocks",
    ],
)
def test_what_a_person_reads_and_bare_words_are_no_text(prompt: str) -> None:
    assert find_written(prompt) == []
    assert read_prompt(prompt).texts == ()


def test_a_sign_that_says_something_does_nothing() -> None:
    assert read_prompt("a sign that says STOP").objects[0].attributes == ()


def test_what_somebody_wears_may_say_something() -> None:
    text = "a stall run by a man whose apron says MELON KING"
    assert [text[slice(*span)] for span in find_written(text)] == ["MELON KING"]
