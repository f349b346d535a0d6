"""The counter answers on numbers and presence from what a detector finds, else it abstains."""

from pathlib import Path

import pytest

from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Answer, Ask, Detected, Failure
from hallascope.metrics.juries.counting import (
    choice_number,
    counted_answer,
    counted_thing,
    counting_requests,
    thing_name,
)

NUMBERS = ("Two", "Three", "Four", "One", NONE_OF_THE_ABOVE)
PICTURE = Picture("ab" * 32, Path("x"))


def _ask(question: str, choices: tuple[str, ...] = NUMBERS, **options: object) -> Ask:
    return Ask(
        images=(PICTURE,),
        text=question,
        question=question,
        choices=choices,
        **options,  # type: ignore[arg-type]
    )


def _found(*phrases: str) -> Detected:
    """Things side by side, so that none is taken for another."""
    return Detected(
        tuple(Detection(p, Box(i / 10, 0, (i + 0.8) / 10, 1), 0.9) for i, p in enumerate(phrases))
    )


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("How many ladybugs are in the image?", "ladybug"),
        ("How many gentoo penguins are there?", "gentoo penguin"),
        ("How many flags of Japan are in the image?", "flag of Japan"),
        ("How many pieces of salmon nigiri are in the image?", "piece of salmon nigiri"),
        ("How many legs does the animal have in the image?", None),
        ("How many stones are in the flesh of the fruit in the image?", None),
        ("What color is the ladybug?", None),
        ("", None),
    ],
)
def test_whole_things_are_counted_and_parts_are_not(question: str, thing: str | None) -> None:
    assert counted_thing(question) == thing


def test_as_many_as_are_found_is_the_answer() -> None:
    ask = _ask("How many ladybugs are in the image?")
    (request,) = counting_requests(ask)
    assert request.phrases == ("ladybug",)
    assert counted_answer(ask, _found("ladybug", "ladybug")) == Answer("A) Two")
    assert counted_answer(ask, _found(*["ladybug"] * 6)) == Answer(f"E) {NONE_OF_THE_ABOVE}")


def test_nothing_found_is_no_answer() -> None:
    found = counted_answer(_ask("How many ladybugs are in the image?"), _found())
    assert isinstance(found, Failure)
    assert found.kind == "refused"


def test_presence_is_answered_with_yes_and_no() -> None:
    ask = _ask("Is there a ladybug in the image?", ("Yes", "No"))
    (request,) = counting_requests(ask)
    assert request.phrases == ("ladybug",)
    assert counted_answer(ask, _found("ladybug")) == Answer("Yes")
    assert counted_answer(ask, _found()) == Answer("No")


def test_of_several_things_the_only_one_found_is_the_answer() -> None:
    choices = ("A crescent moon", "A fish", "Nothing", "Two stars", NONE_OF_THE_ABOVE)
    ask = _ask("What is on the tree in the image?", choices)
    (request,) = counting_requests(ask)
    assert request.phrases == ("crescent moon", "fish", "star")
    assert counted_answer(ask, _found("star", "star")) == Answer("D) Two stars")
    for unclear in ((), ("star", "fish")):
        assert isinstance(counted_answer(ask, _found(*unclear)), Failure)


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        ("What color are the feet?", ("Red", "Green", "A fish", "Blue", NONE_OF_THE_ABOVE)),
        ("Where is the animal?", ("In a room", "In the snow")),
        ("What is on the left in the image?", ("Octopus", "Firefighter")),
        ("How many ladybugs are in the image?", ("A few", "Many")),
        ("Is it raining?", ("Yes", "No")),
    ],
)
def test_other_questions_are_left_to_others(question: str, choices: tuple[str, ...]) -> None:
    assert counting_requests(_ask(question, choices)) == []


def test_of_a_part_of_the_picture_and_of_two_pictures_it_says_nothing() -> None:
    question = "How many ladybugs are in the image?"
    assert counting_requests(_ask(question, region=Box(0, 0, 0.5, 0.5))) == []
    two = Ask(images=(PICTURE, PICTURE), text="", question=question, choices=NUMBERS)
    assert counting_requests(two) == []


def test_names_and_numbers_are_read_of_choices() -> None:
    names = ["A horn", "Two fangs", "On the head", "Nothing", "Red", NONE_OF_THE_ABOVE, ""]
    assert [thing_name(name) for name in names] == ["horn", "fang", *[None] * 5]
    assert [choice_number(choice) for choice in ("None", "Seven", "12", "A few")] == [
        0,
        7,
        12,
        None,
    ]
