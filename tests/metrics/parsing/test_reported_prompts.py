"""Prompts whose readings users reported as wrong are read right."""

import pytest

from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.metrics.parsing.reading import read_prompt


def _words(asked: AskedObject) -> str:
    """Return an object as "no 2 red cat", with its count and what describes it."""
    count = asked.said_count
    bounds = "" if count is None else f"{count.least} to {count.most}"
    exact = str(count.exact) if count and count.exact is not None else bounds
    described = [attribute.value for attribute in asked.attributes]
    return " ".join(filter(None, ("no" if asked.absent else "", exact, *described, asked.name)))


def _objects(reading: PromptReading) -> list[str]:
    return [_words(asked) for asked in reading.objects]


def _relations(reading: PromptReading) -> list[str]:
    names = {asked.id: asked.name for asked in reading.objects}
    return [
        f"{names[relation.subject]} {relation.words} {names.get(relation.target, 'picture')}"
        for relation in reading.relations
    ]


@pytest.mark.parametrize(
    ("prompt", "objects"),
    [
        ("a dog without a collar", ["dog", "no collar"]),
        ("neither a dog nor a cat", ["no dog", "no cat"]),
        ("a sofa, not a dog", ["sofa", "no dog"]),
        ("no more than two cats", ["0 to 2 cat"]),
        ("half a dozen eggs", ["6 egg"]),
        ("twenty-one balloons", ["21 balloon"]),
        ("ten thousand bees", ["10000 bee"]),
        ("at least three dogs", ["3 to None dog"]),
        ("two red apples and three green ones", ["2 red apple", "3 green apple"]),
        ("one black cow sniffing another black cow", ["1 black cow", "black cow"]),
        ("a blue-eyed cat", ["blue-eyed cat"]),
        ("a blue eyed cat", ["blue eyed cat"]),
        ("a red headed woman", ["red headed woman"]),
        ("a red colored car", ["red car"]),
        ("a medium sized dog", ["medium dog"]),
        (
            "A triangular pink stop sign. A pink stop sign in the shape of a triangle.",
            ["triangular pink stop sign"],
        ),
        ("a glass of red wine", ["red glass of wine"]),
        ("a statue of two women", ["statue of two women"]),
        ("a cow on the top of a painting", ["cow", "painting"]),
        ("a red car and a blue one", ["red car", "blue car"]),
        ("the grace and energy of a dancer, a testament to hard work", ["dancer"]),
        ("an Obama in a hat", ["Obama", "hat"]),
    ],
)
def test_the_objects_are_those_that_a_person_reads(prompt: str, objects: list[str]) -> None:
    assert _objects(read_prompt(prompt)) == objects


@pytest.mark.parametrize(
    ("prompt", "relations"),
    [
        ("one cat and one dog on the grass", ["cat on grass", "dog on grass"]),
        ("a cat between a dog and a horse", ["cat between dog", "cat between horse"]),
        ("a bridge across a river", ["bridge across river"]),
        ("a boy ridding a horse", ["boy riding horse"]),
        ("a cow on the top of a painting", ["cow on painting"]),
    ],
)
def test_the_relations_are_those_that_a_person_reads(prompt: str, relations: list[str]) -> None:
    assert _relations(read_prompt(prompt)) == relations


def test_of_two_men_each_has_his_own_hat() -> None:
    prompt = "the man on the left wears a red hat and the man on the right a blue hat"
    reading = read_prompt(prompt)
    assert _objects(reading) == ["man", "red hat", "man", "blue hat"]
    man, red, other, blue = (asked.id for asked in reading.objects)
    worn = [relation for relation in reading.relations if relation.words == "wearing"]
    assert {(relation.subject, relation.target) for relation in worn} == {(man, red), (other, blue)}


def test_a_cube_of_a_stack_is_one_of_it() -> None:
    cubes, red = read_prompt("A stack of 3 cubes. A red cube is on top.").objects
    assert cubes.said_count is not None
    assert cubes.said_count.exact == 3
    assert red.one_of == cubes.id


@pytest.mark.parametrize(
    ("prompt", "texts"),
    [
        ('a carton that says "pro milk."', ["pro milk."]),
        ("a carton that says PRO MILK", ["PRO MILK"]),
        ("a cat --ar 16:9", []),
    ],
)
def test_the_texts_are_those_that_a_person_reads(prompt: str, texts: list[str]) -> None:
    assert [asked.text for asked in read_prompt(prompt).texts] == texts


@pytest.mark.parametrize(
    ("prompt", "style"),
    [
        ("a cat --ar 16:9", ["--ar 16:9"]),
        (
            "masterpiece, 8k, trending on artstation, a knight",
            ["masterpiece", "8k", "trending on artstation"],
        ),
    ],
)
def test_flags_and_tags_are_style(prompt: str, style: list[str]) -> None:
    assert [words.text for words in read_prompt(prompt).style] == style


def test_another_language_has_no_reading_and_one_sentence() -> None:
    reading = read_prompt("ein roter Kreis links von einem blauen Quadrat")
    assert reading.objects == ()
    assert "reads English only" in reading.unreadable
