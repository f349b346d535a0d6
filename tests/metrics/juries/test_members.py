"""The counter and the caption judge answer what they can see or read, and abstain on the rest."""

from pathlib import Path

import pytest

from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Answer, Ask, Detected, Failure
from hallascope.metrics.juries.captions import caption_answer, caption_requests, color_subject
from hallascope.metrics.juries.counting import (
    choice_number,
    counted_answer,
    counted_thing,
    counting_requests,
    thing_name,
)
from tests.data.cases import cases

NUMBERS = ("Two", "Three", "Four", "One", NONE_OF_THE_ABOVE)
YES_NO = ("Yes", "No")
LADYBUGS = "How many ladybugs are in the image?"
PICTURE = Picture("ab" * 32, Path("x"))


def ask(question: str, choices: tuple[str, ...] = NUMBERS, region: Box | None = None) -> Ask:
    return Ask(images=(PICTURE,), text=question, question=question, choices=choices, region=region)


def said(answer: Answer | Failure) -> str | None:
    """Return the text of an answer; None where the member abstains."""
    if isinstance(answer, Answer):
        return answer.text
    assert answer.kind == "refused"
    return None


# --- by a description


@pytest.mark.parametrize(
    ("question", "choices", "caption", "answer"),
    cases("members", "what_a_caption_states_is_the_answer", "metrics"),
)
def test_what_a_caption_states_is_the_answer(
    question: str, choices: list[str], caption: str, answer: str | None
) -> None:
    asked = ask(question, tuple(choices))
    assert len(caption_requests(asked)) == 1
    assert said(caption_answer(asked, Answer(caption))) == answer


def test_all_questions_about_an_image_need_one_description_and_places_none() -> None:
    asks = [ask("Is there a dog?", YES_NO), ask("How many cats are there?")]
    assert len({request for each in asks for request in caption_requests(each)}) == 1
    assert caption_requests(ask("Where is it?", ("In a room", NONE_OF_THE_ABOVE))) == []
    assert color_subject("What color are the outer atoms in the image?") == "outer atoms"
    assert color_subject("Which color forms the upper edge?") is None


# --- by counting


def found(*phrases: str) -> Detected:
    """Return things side by side, so that none is taken for another."""
    return Detected(
        tuple(Detection(p, Box(i / 10, 0, (i + 0.8) / 10, 1), 0.9) for i, p in enumerate(phrases))
    )


def test_whole_things_are_counted_and_parts_are_not() -> None:
    things = {
        LADYBUGS: "ladybug",
        "How many gentoo penguins are there?": "gentoo penguin",
        "How many flags of Japan are in the image?": "flag of Japan",
        "How many pieces of salmon nigiri are in the image?": "piece of salmon nigiri",
        "How many legs does the animal have in the image?": None,
        "How many stones are in the flesh of the fruit in the image?": None,
        "What color is the ladybug?": None,
        "": None,
    }
    assert {question: counted_thing(question) for question in things} == things


@pytest.mark.parametrize(
    ("question", "choices", "phrases", "detected", "answer"),
    cases("members", "what_is_found_is_the_answer", "metrics"),
)
def test_what_is_found_is_the_answer(
    question: str,
    choices: list[str],
    phrases: list[str],
    detected: list[str],
    answer: str | None,
) -> None:
    asked = ask(question, tuple(choices))
    (request,) = counting_requests(asked)
    assert request.phrases == tuple(phrases)
    assert said(counted_answer(asked, found(*detected))) == answer


def test_other_questions_and_images_are_left_to_others() -> None:
    two = Ask(images=(PICTURE, PICTURE), text="", question=LADYBUGS, choices=NUMBERS)
    others = [
        ask("What color are the feet?", ("Red", "Green", "A fish", "Blue", NONE_OF_THE_ABOVE)),
        ask("Where is the animal?", ("In a room", "In the snow")),
        ask("What is on the left in the image?", ("Octopus", "Firefighter")),
        ask(LADYBUGS, ("A few", "Many")),
        ask("Is it raining?", YES_NO),
        ask(LADYBUGS, region=Box(0, 0, 0.5, 0.5)),
        two,
    ]
    assert [each.question for each in others if counting_requests(each)] == []


def test_names_and_numbers_are_read_of_choices() -> None:
    names = ["A horn", "Two fangs", "On the head", "Nothing", "Red", NONE_OF_THE_ABOVE, ""]
    assert [thing_name(name) for name in names] == ["horn", "fang", *[None] * 5]
    numbers = {"None": 0, "Seven": 7, "12": 12, "A few": None}
    assert {choice: choice_number(choice) for choice in numbers} == numbers
