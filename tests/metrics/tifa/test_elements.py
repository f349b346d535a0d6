"""A prompt is read into things with numbers and colors, and how they stand to each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.tifa.elements import MOST, PromptThing, elements


def test_a_long_prompt_is_read_thing_by_thing() -> None:
    found = elements(
        "A big brown dog chasing two white cats on a wooden table, next to the Eiffel Tower"
    )
    assert [(thing.name_phrase, thing.count, thing.color) for thing in found.things] == [
        ("dog", None, "brown"),
        ("cats", 2, "white"),
        ("wooden table", None, None),
        ("Eiffel Tower", None, None),
    ]
    assert [(r.first.name_phrase, r.words, r.second.name_phrase) for r in found.relations] == [
        ("cats", "on", "wooden table"),
        ("wooden table", "next to", "Eiffel Tower"),
    ]


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("An image of a molecule of methane.", ["methane"]),
        ("two running dogs", ["dogs"]),
        ("a big, brown dog", ["dog"]),
        ("a dog and a dog", ["dog"]),
        ("three", []),
        ("", []),
    ],
)
def test_what_is_no_name_is_passed_over_and_no_thing_comes_twice(
    prompt: str, names: list[str]
) -> None:
    assert [thing.name_phrase for thing in elements(prompt).things] == names


def test_what_the_prompt_denies_is_absent_and_has_no_relation() -> None:
    read = elements("a dog without a hat or a scarf on a table")
    assert [(thing.name, thing.absent) for thing in read.things] == [
        ("dog", False),
        ("hat", True),
        ("scarf", True),
        ("table", False),
    ]
    assert [(relation.first.name, relation.words) for relation in read.relations] == [("dog", "on")]


def test_at_most_so_many_things_are_read() -> None:
    names = ["dog", "cat", "car", "tree", "chair", "book", "boat", "bird", "bottle", "clock"]
    assert len(elements(", ".join(f"a {name}" for name in names)).things) == MOST


def test_a_thing_has_a_name_for_one_and_for_several() -> None:
    boxes = PromptThing(name="wooden boxes", many=True)
    assert (boxes.singular, boxes.plural, boxes.name_phrase) == (
        "wooden box",
        "wooden boxes",
        "wooden boxes",
    )
    berry = PromptThing(name="berry")
    assert (berry.singular, berry.plural, berry.name_phrase) == ("berry", "berries", "berry")


@given(st.text(max_size=200))
def test_any_prompt_has_elements_or_none_and_relations_between_two(prompt: str) -> None:
    read = elements(prompt)
    assert len(read.things) <= MOST
    assert all(relation.first != relation.second for relation in read.relations)
