"""Tests the reader of prompts on the kinds of prompts that readers get wrong."""

from typing import Any

import pytest

from hallascope.data.files.readings.written_counts import write_count
from hallascope.metrics.reading.parser import LONGEST
from hallascope.metrics.reading.prompt import TOO_LONG, read_prompt
from tests.metrics.reading.tables import table


@pytest.mark.parametrize("prompt, expected", table("prompts"))
def test_a_prompt_is_read_as_the_table_says(prompt: str, expected: dict[str, Any]) -> None:
    reading = read_prompt(prompt)
    known = {asked.id: asked.name for asked in reading.objects} | {"picture": "picture"}
    read = {
        "names": [asked.name for asked in reading.objects if not asked.absent],
        "absent": [asked.name for asked in reading.objects if asked.absent],
        "counts": {
            asked.name: asked.count and write_count(asked.count) for asked in reading.objects
        },
        "attributes": {
            asked.name: [word.value for word in asked.attributes] for asked in reading.objects
        },
        "relations": [
            [known[one.subject], one.words, known[one.target]] for one in reading.relations
        ],
    }
    assert {field: read[field] for field in expected} == expected


def test_style_texts_and_flags_are_read() -> None:
    """Words about the image are its style, and what is quoted is a text."""
    reading = read_prompt('an oil painting of a sign that says "STOP", 8k, soft light --ar 16:9')
    assert [asked.name for asked in reading.objects] == ["sign"]
    assert [text.text for text in reading.texts] == ["STOP"]
    assert [words.text for words in reading.style] == [
        "an oil painting",
        "8k",
        "soft light",
        "--ar 16:9",
    ]


def test_a_long_prompt_is_unreadable() -> None:
    """A prompt above the limit is not parsed."""
    assert read_prompt("cat " * LONGEST).unreadable == TOO_LONG
