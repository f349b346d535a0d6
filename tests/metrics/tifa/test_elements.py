"""A prompt, or a reading of it, is things with numbers and colors, and how they stand."""

from dataclasses import replace

import pytest

from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    Count,
    PromptReading,
)
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.tifa.elements import MOST, Elements, PromptThing, elements_of_reading


def elements(prompt: str) -> Elements:
    return elements_of_reading(read_prompt(prompt))


def test_a_long_prompt_is_read_thing_by_thing() -> None:
    found = elements(
        "A big brown dog sits on a wooden table next to the Eiffel Tower. It watches two white cats"
    )
    assert [(thing.name_phrase, thing.count, thing.color) for thing in found.things] == [
        ("dog", None, "brown"),
        ("table", None, None),
        ("Eiffel Tower", None, None),
        ("cats", 2, "white"),
    ]
    assert [(each.first.name, each.words, each.second.name) for each in found.relations] == [
        ("dog", "on", "table"),
        ("dog", "next to", "Eiffel Tower"),
    ]


def test_what_is_no_name_is_passed_over_and_no_thing_comes_twice() -> None:
    names = {
        "An image of a molecule of methane.": ["molecule of methane"],
        "two running dogs": ["dogs"],
        "a big, brown dog": ["dog"],
        "a dog and a dog": ["dog"],
        "three": [],
        "": [],
    }
    found = {prompt: [thing.name for thing in elements(prompt).things] for prompt in names}
    assert found == names


@pytest.mark.parametrize(
    "prompt, expected",
    [
        ("two red cars and three blue cars", [("car", 5, None)]),
        ("two cats and a cat on a sofa", [("cat", 3, None), ("sofa", None, None)]),
        ("a red ball and a red ball", [("ball", 2, "red")]),
        ("a red ball and a blue ball", [("ball", 2, None)]),
        ("a cat next to another cat", [("cat", 2, None)]),
        ("cats and a cat", [("cat", None, None)]),
        (
            "some snow on a roof and some snow on a tree",
            [("snow", None, None), ("roof", None, None), ("tree", None, None)],
        ),
    ],
)
def test_things_of_one_name_are_counted_together_and_have_the_color_of_all(
    prompt: str, expected: list[tuple[str, int | None, str | None]]
) -> None:
    found = [(thing.singular, thing.count, thing.color) for thing in elements(prompt).things]
    assert found == expected


def test_what_is_there_in_another_place_is_not_denied() -> None:
    read = elements("a man without a hat beside a man with a hat")
    assert [(thing.name, thing.absent) for thing in read.things] == [("man", False), ("hat", False)]


def test_what_the_prompt_denies_is_absent_and_has_no_relation() -> None:
    read = elements("a dog without a hat or a scarf on a table")
    assert [(thing.name, thing.absent) for thing in read.things] == [
        ("dog", False),
        ("hat", True),
        ("scarf", True),
        ("table", False),
    ]
    assert [(relation.first.name, relation.words) for relation in read.relations] == [("dog", "on")]


def test_a_thing_has_a_name_for_one_and_for_several() -> None:
    boxes, berry = PromptThing(name="wooden boxes", many=True), PromptThing(name="berry")
    assert (boxes.singular, boxes.plural) == ("wooden box", "wooden boxes")
    assert (berry.singular, berry.plural) == ("berry", "berries")
    assert (boxes.name_phrase, berry.name_phrase) == ("wooden boxes", "berry")


# --- of a reading


def test_what_stands_before_a_name_gives_its_article() -> None:
    words = (AskedAttribute("old"), AskedAttribute("red"))
    objects = (
        AskedObject(id="o1", name="car", spans=((12, 15),), attributes=words),
        AskedObject(id="o2", name="grass", spans=((17, 22),)),
        AskedObject(id="o3", name="owl", spans=((30, 33),)),
        AskedObject(id="o4", name="tree"),
    )
    reading = PromptReading(prompt="the old red car, grass and an owl", objects=objects)
    things = elements_of_reading(reading).things
    articles = {thing.name: thing.article for thing in things}
    assert articles == {"car": "the", "grass": "", "owl": "a", "tree": "a"}
    assert [thing.color for thing in things] == ["red", None, None, None]
    teal = replace(objects[0], attributes=(AskedAttribute("teal"),))
    (car,) = elements_of_reading(PromptReading(prompt="a teal car", objects=(teal,))).things
    assert car.color == "teal"


def test_what_has_no_question_is_left_out() -> None:
    objects = (
        AskedObject(id="o1", name="cat", count=Count.at_most(2)),
        AskedObject(id="o2", name="dog", count=MANY),
        AskedObject(id="o3", name="dog"),
        AskedObject(id="o4", name="tree", absent=True, count=MANY),
    )
    relations = (
        AskedRelation("o1", "on", "o2"),
        AskedRelation("o2", "on", "o3"),
        AskedRelation("o2", "on", "o4"),
        AskedRelation("o2", "left", PICTURE),
        AskedRelation("o2", "holding", "o1"),
    )
    named = elements_of_reading(PromptReading(prompt="x", objects=objects, relations=relations))
    assert [(thing.name, thing.many, thing.absent) for thing in named.things] == [
        ("dogs", True, False),
        ("trees", True, True),
    ]
    assert named.relations == ()


def test_at_most_so_many_things_are_taken() -> None:
    names = "dog cat car tree chair book boat bird bottle clock"
    assert len(elements(f"a {names.replace(' ', ', a ')}").things) == MOST
    objects = tuple(AskedObject(id=f"o{at}", name=f"thing{at}") for at in range(MOST + 3))
    relations = (AskedRelation(objects[-1].id, "on", "o0"), AskedRelation("o1", "on", "o0"))
    named = elements_of_reading(PromptReading(prompt="x", objects=objects, relations=relations))
    assert len(named.things) == MOST
    assert [relation.first.name for relation in named.relations] == ["thing1"]
