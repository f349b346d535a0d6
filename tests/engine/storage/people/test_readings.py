"""One correction of a prompt by each author is kept, and the newest is used."""

from dataclasses import replace

import pytest

from hallascope.data.prompt_reading import (
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
)
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.people.readings import Correction, ReadingStore

PROMPT = "two red cats left of a sign that says go, oil painting"
READING = PromptReading(
    prompt=PROMPT,
    objects=(
        AskedObject(
            id="o1",
            name="cat",
            spans=((8, 12),),
            count=Count.exactly(2),
            count_spans=((0, 3),),
            attributes=(AskedAttribute("red", ((4, 7),)),),
        ),
        AskedObject(id="o2", name="sign", spans=((23, 27),)),
        AskedObject(id="o3", name="dog", absent=True),
    ),
    relations=(AskedRelation("o1", "left of", "o2", ((13, 20),)),),
    texts=(AskedText("go", (38, 40), on="o2"),),
    style=(StyleWords("oil painting", (42, 54)),),
)


@pytest.fixture
def readings(database: Database) -> ReadingStore:
    times = iter(range(100))
    return ReadingStore(database, clock=lambda: float(next(times)))


def test_a_reading_comes_back_as_it_was_kept_with_its_author(readings: ReadingStore) -> None:
    authored = readings.keep(READING, "Ann")
    assert authored == replace(READING, source="person", author="Ann")
    assert readings.newest(PROMPT) == authored
    assert readings.all() == [Correction(authored, 0.0)]
    assert readings.newest("another prompt") is None


def test_the_newest_of_a_prompt_is_used_whoever_wrote_it(readings: ReadingStore) -> None:
    readings.keep(READING, "Ann")
    bo = readings.keep(replace(READING, texts=()), "Bo")
    assert readings.newest(PROMPT) == bo
    ann = readings.keep(replace(READING, style=()), "Ann")
    assert readings.newest(PROMPT) == ann
    assert readings.all() == [Correction(bo, 1.0), Correction(ann, 2.0)]
    assert readings.of_prompt(PROMPT) == [ann, bo]
    assert readings.of_prompt("another prompt") == []


def test_what_is_taken_back_gives_way_to_the_one_before(readings: ReadingStore) -> None:
    ann = readings.keep(READING, "Ann")
    readings.keep(replace(READING, texts=()), "Bo")
    readings.remove(PROMPT, "Bo")
    readings.remove(PROMPT, "Cy")
    assert readings.newest(PROMPT) == ann
    readings.remove(PROMPT, "Ann")
    assert readings.newest(PROMPT) is None


def test_spaces_do_not_tell_prompts_apart_and_capitals_do(readings: ReadingStore) -> None:
    cat = readings.keep(PromptReading(prompt="a cat"), "Ann")
    asked = [" a  cat\n", "A cat", "a cat", "a cat here"]
    assert readings.newest_of(asked) == {" a  cat\n": cat, "a cat": cat}
    readings.keep(PromptReading(prompt="a  cat", unreadable="fragment"), "Ann")
    assert [correction.reading.unreadable for correction in readings.all()] == ["fragment"]


def test_many_and_long_prompts_are_looked_up_at_once(readings: ReadingStore) -> None:
    prompts = [f"{number} {'long ' * 800}" for number in range(600)]
    readings.keep_all(
        Correction(PromptReading(prompt=prompt, source="person", author="Ann"), 1.0)
        for prompt in prompts
    )
    assert {reading.prompt for reading in readings.newest_of(prompts).values()} == set(prompts)


def test_a_character_that_postgresql_does_not_take_is_replaced(readings: ReadingStore) -> None:
    readings.keep(PromptReading(prompt="a cat", style=(StyleWords("a\0b"),)), "A\0nn")
    (correction,) = readings.all()
    assert correction.reading.prompt == "a cat"
