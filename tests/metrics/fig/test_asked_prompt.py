"""The prompt of FiG: objects by name, their counts in words, and the words that describe them."""

from dataclasses import replace

import pytest

from hallascope.data.prompt_reading import (
    AskedAttribute,
    AskedObject,
    Count,
    PromptReading,
)
from hallascope.metrics.fig.asked_prompt import AskedPrompt, asked_prompt
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.words.noun_words import COLORS


def _read(prompt: str) -> AskedPrompt:
    return asked_prompt(read_prompt(prompt))


def test_objects_of_one_name_are_one_group_and_what_is_absent_is_another() -> None:
    prompt = _read("a red ball, two blue balls and a dog without a collar")
    assert prompt.groups() == [(0, 1), (2,)]
    assert prompt.groups(absent=True) == [(3,)]


def test_one_of_several_is_in_the_group_of_its_name() -> None:
    cubes = AskedObject(id="o1", name="cube", count=Count.exactly(3))
    red = AskedObject(
        id="o2", name="cube", one_of="o1", attributes=(AskedAttribute("bright red", ()),)
    )
    prompt = asked_prompt(PromptReading(prompt="", objects=(cubes, red), source="person"))
    assert prompt.groups() == [(0, 1)]
    assert prompt.values(1, COLORS) == {"red": ()}


def test_words_of_two_spellings_are_one() -> None:
    assert _read("a gray dog").values(0, COLORS) == {"grey": ((2, 6),)}


def test_a_name_is_read_in_the_prompt_that_has_it_and_another_alone() -> None:
    reading = read_prompt("a stuffed bear")
    assert [word.text for word in asked_prompt(reading).names[0].modifiers] == ["stuffed"]
    renamed = replace(reading, objects=(replace(reading.objects[0], name="dog"),))
    assert [name.lemmas for name in asked_prompt(renamed).names] == [("dog",)]


@pytest.mark.parametrize(
    ("prompt", "words"),
    [("three mice", "three mice"), ("at least two dogs", "at least two dogs")],
)
def test_a_count_is_said_with_the_words_of_the_prompt(prompt: str, words: str) -> None:
    asked = _read(prompt)
    count = asked.objects[0].count
    assert count is not None
    assert asked.count_phrase(0, count) == words


def test_a_phrase_without_a_noun_is_counted_by_its_name() -> None:
    asked = _read("two dogs. One is brown, the other is white.")
    assert asked.count_phrase(1, Count.exactly(1)) == "one dog"


def test_a_count_of_a_reading_that_a_person_wrote_has_the_plural() -> None:
    berry = AskedObject(id="o1", name="berry", count=Count.exactly(2))
    prompt = asked_prompt(PromptReading(prompt="", objects=(berry,), source="person"))
    assert prompt.count_phrase(0, Count.exactly(2)) == "two berries"


def test_nothing_is_parsed_of_a_prompt_that_cannot_be_read() -> None:
    assert _read("ein roter Kreis über einem blauen Quadrat").text.phrases == ()


def test_an_object_is_found_by_its_id() -> None:
    prompt = _read("a dog and a cat")
    assert [prompt.index(asked.id) for asked in prompt.objects] == [0, 1]
    assert prompt.index("") is None
