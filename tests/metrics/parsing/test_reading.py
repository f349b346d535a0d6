"""A prompt is read as objects, relations and texts, each with its words in the prompt."""

import pytest

from hallascope.data.prompt_reading import MANY, PICTURE, Count, PromptReading
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.unreadable import NO_OBJECT


def _objects(reading: PromptReading) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (asked.name, tuple(attribute.value for attribute in asked.attributes))
        for asked in reading.objects
    ]


def _relations(reading: PromptReading) -> list[tuple[str, str, str]]:
    names = {asked.id: asked.name for asked in reading.objects} | {PICTURE: PICTURE}
    return [(names[one.subject], one.words, names[one.target]) for one in reading.relations]


def test_objects_have_counts_and_attributes_with_their_words() -> None:
    reading = read_prompt("three red apples and a wooden bowl")
    apple, bowl = reading.objects
    assert _objects(reading) == [("apple", ("red",)), ("bowl", ("wooden",))]
    assert apple.count == Count.exactly(3)
    assert [reading.prompt[slice(*span)] for span in apple.count_spans] == ["three"]
    assert [reading.prompt[slice(*span)] for span in apple.attributes[0].spans] == ["red"]
    assert bowl.count is None


def test_a_plural_without_a_number_is_at_least_two() -> None:
    assert read_prompt("cats on a sofa").objects[0].count == MANY


def test_what_is_named_again_is_one_object_with_both_mentions() -> None:
    reading = read_prompt("A dog and a cat. The dog is brown.")
    assert _objects(reading) == [("dog", ("brown",)), ("cat", ())]
    assert len(reading.objects[0].spans) == 2


def test_relations_are_in_the_order_of_the_text() -> None:
    reading = read_prompt("a man riding a horse to the left of a tree")
    assert _relations(reading)[0] == ("man", "riding", "horse")
    assert ("man", "left of", "tree") in _relations(reading)


def test_a_place_in_the_picture_is_a_relation_to_it() -> None:
    assert _relations(read_prompt("a cat on the left")) == [("cat", "left", PICTURE)]


def test_a_part_belongs_to_its_whole() -> None:
    assert _relations(read_prompt("the wing of a ladybug")) == [("wing", "part of", "ladybug")]


def test_what_is_quoted_is_written_on_the_object_before() -> None:
    reading = read_prompt('a sign that says "STOP"')
    (text,) = reading.texts
    assert (text.text, reading.object(text.on).name) == ("STOP", "sign")


def test_what_is_said_not_to_be_there_is_absent() -> None:
    assert [(one.name, one.absent) for one in read_prompt("a dog without a collar").objects] == [
        ("dog", False),
        ("collar", True),
    ]


@pytest.mark.parametrize("prompt", ["ein roter Kreis links von einem blauen Quadrat", "一只猫"])
def test_what_is_not_english_has_a_sentence_in_place_of_a_reading(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert reading.objects == ()
    assert reading.unreadable.startswith("The prompt does not read as English")


@pytest.mark.parametrize("prompt", ["", " ", "!!!", "\u200d", "42"])
def test_a_text_that_names_nothing_has_an_empty_reading(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert (reading.objects, reading.relations, reading.unreadable) == ((), (), NO_OBJECT)
