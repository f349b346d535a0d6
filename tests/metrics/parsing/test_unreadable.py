"""A prompt that names nothing or only asks a question is unreadable; no readable one is refused."""

import pytest

from hallascope.data.files.readings.gold_readings import gold_readings
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.unreadable import NO_OBJECT, QUESTION


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "!!! ???",
        "beautiful, 8k",
        "because of the",
        "and so on and so forth",
        "Better late than never.",
        "Easier said than done.",
        "Practice makes perfect.",
        "Hope is never lost while longing stays.",
        "I lent you a maybe, you lent me a few.",
        "Forever and always, never and no, however I hurry.",
        "Something amazing",
        "make it better, please",
    ],
)
def test_a_prompt_that_names_no_object_is_unreadable(prompt: str) -> None:
    assert read_prompt(prompt).unreadable == NO_OBJECT


@pytest.mark.parametrize(
    "prompt",
    [
        "What is the meaning of life?",
        "Why did the chicken cross the road?",
        "How many angels dance on a pin?",
        "Is it true?",
    ],
)
def test_a_question_is_unreadable(prompt: str) -> None:
    assert read_prompt(prompt).unreadable == QUESTION


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("Can you draw a cat on a mat?", "cat"),
        ("What would a cat on Mars look like?", "cat"),
        ("What if cats ruled the world?", "cat"),
        ('A sign that says "Why?"', "sign"),
        ("A man asks: is it late? A dog sleeps.", "man"),
        ("A kitchen scene with a stove", "kitchen"),
        ("a lot of cats", "cat"),
        ("no people", "person"),
    ],
)
def test_a_request_for_a_picture_is_read(prompt: str, name: str) -> None:
    reading = read_prompt(prompt)
    assert name in [asked.name for asked in reading.objects]


def test_words_to_be_written_are_enough() -> None:
    assert read_prompt('"OPEN"').unreadable == ""


def test_what_nobody_can_read_is_recognized_and_nothing_else() -> None:
    readings = gold_readings("development")
    recognized = [bool(read_prompt(gold.prompt).unreadable) for gold in readings]
    expected = [bool(gold.unreadable) or gold.language != "en" for gold in readings]
    assert recognized == expected
