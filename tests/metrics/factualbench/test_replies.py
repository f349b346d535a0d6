"""Replies to the rounds of T2I-FactualBench: the asked form, the authors' form, prose."""

import json
from typing import Any

import pytest

from hallascope.metrics.factualbench.criteria import (
    CriterionReply,
    read_met,
)
from hallascope.metrics.factualbench.replies import (
    COMPOSITION,
    CONCEPT,
    read_rating,
    read_task,
    settles_task,
)
from tests.data.cases import cases

PAIR = ["beagle dog", "red fox"]
# The form that the authors' own prompt asks for.
AUTHORS = """Total Rating: 3
Shape Accuracy: 1 Reason: The build is that of a tapir.
Color Accuracy: 1 Reason: Dark brown, as it should be.
Texture Representation: 0 Reason: The coat looks like plastic.
Feature Details: 1 Reason: The snout is there."""


def test_the_authors_own_form_is_read() -> None:
    told = read_rating(AUTHORS, CONCEPT)
    assert (told.rating, told.flag) == (3, "")
    assert [(one.met, one.reason) for one in told.criteria.values()] == [
        (True, "The build is that of a tapir."),
        (True, "Dark brown, as it should be."),
        (False, "The coat looks like plastic."),
        (True, "The snout is there."),
    ]
    assert read_rating(AUTHORS.replace("\n", " "), CONCEPT) == told
    bold = AUTHORS.replace("Total Rating:", "**Total Rating:**").replace(
        "Shape Accuracy", "- **Shape Accuracy**"
    )
    assert read_rating(bold, CONCEPT) == told


def test_the_third_round_has_criteria_of_its_own() -> None:
    text = (
        "Total Rating: 1\nSeamless Transition: 0 Reason: a\nVisual Completeness: 0\nAuthenticity:"
        " 0\nPrompt Following: 1 Reason: all there"
    )
    told = read_rating(text, COMPOSITION)
    assert told.rating == 1
    assert [one.met for one in told.criteria.values()] == [False, False, False, True]
    assert told.criteria["following"].reason == "all there"


def test_missing_criteria_are_none_and_flag_only_what_cannot_be() -> None:
    two = "Total Rating: {}\nShape Accuracy: 1\nColor Accuracy: 0"
    assert [one.met for one in read_rating(two.format(2), CONCEPT).criteria.values()] == [
        True,
        False,
        None,
        None,
    ]
    assert [bool(read_rating(two.format(n), CONCEPT).flag) for n in range(5)] == [
        True,
        False,
        False,
        False,
        True,
    ]


def test_criteria_that_contradict_each_other_are_not_read() -> None:
    told = read_rating(
        "Total Rating: 2\nShape Accuracy: 1\nShape Accuracy: 0\nColor Accuracy: 1", CONCEPT
    )
    assert (told.criteria["shape"].met, told.criteria["color"].met, told.rating) == (None, True, 2)


def entry(name: str, present: int) -> dict[str, object]:
    return {"concept": name, "present": present}


def test_the_task_is_read_with_the_presence_of_each_concept() -> None:
    told = read_task(
        json.dumps(
            {"concepts": [entry("Red_Fox", 1), entry("beagle dog", 1)], "reason": "r", "done": 1}
        ),
        PAIR,
    )
    assert (told.done, dict(told.present), told.reason, told.met) == (
        True,
        {"beagle dog": True, "red fox": True},
        "r",
        True,
    )


@pytest.mark.parametrize(
    "text, done, reason",
    cases("replies", "the_authors_form_of_the_task_is_read", "metrics"),
)
def test_the_authors_form_of_the_task_is_read(text: str, done: bool | None, reason: str) -> None:
    told = read_task(text, PAIR)
    assert (told.done, told.reason) == (done, reason)
    assert settles_task(text) is (done is not None)


@pytest.mark.parametrize(
    "value, met, reason",
    cases("replies", "a_value_is_read_as_number_words_or_an_object_with_its_reason", "metrics"),
)
def test_a_value_is_read_as_number_words_or_an_object_with_its_reason(
    value: object, met: bool | None, reason: str
) -> None:
    assert read_met(value) == CriterionReply(met, reason)


READ_RATINGS: dict[str, int | None] = {
    "4/4": 4,
    "0": 0,
    "Total Rating: 3 out of 4.": 3,
    "Overall rating: three": 3,
    "Total Rating: 3 (three of four criteria are met)": 3,
    "Total Rating: 3.0": 3,
    "I would rate it 2 out of 4, on a scale from 0 to 4.": 2,
    "It met 3 of the 4 criteria. Rating: 3": 3,
    "<think>Total Rating: 1?</think>Total Rating: 2": 2,
    '```json\n{"total_rating": "3/4"}\n```': 3,
    '{"evaluation": {"rating": 2.0}}': 2,
    "": None,
    "It looks good.": None,
    "7": None,
    "Total Rating: -1": None,
    "Total Rating: 34": None,
    "Total Rating: 2.5": None,
    "5/4": None,
    "Total Rating: 3/5": None,
    "Total Rating: 3-4": None,
    "Total Rating: 3 to 4": None,
    "75%": None,
    "Total Rating: your rating": None,
    "Total Rating: 3\nTotal Rating: 2": None,
    "The rating is 3. No, the rating is 2.": None,
    "I rate the shape 3/4 and the color 2/4": None,
    '{"rating": 7}': None,
    '{"rating": true}': None,
    '{"rating": 3': None,
    '{"rating": 2} {"rating": 3}': None,
    '{"rating": 3, "rating": 2}': None,
    # with backtracking this text would take minutes
    "-*>" * 20_000 + "\n" * 20_000: None,
}


def test_a_rating_is_read_however_it_is_written_and_a_doubtful_one_is_not() -> None:
    found = {text: read_rating(text, CONCEPT).rating for text in READ_RATINGS}
    assert found == READ_RATINGS


@pytest.mark.parametrize(
    "entries, present",
    cases(
        "replies",
        "concepts_under_other_names_are_taken_in_their_order_unless_it_is_doubtful",
        "metrics",
    ),
)
def test_concepts_under_other_names_are_taken_in_their_order_unless_it_is_doubtful(
    entries: list[list[Any]], present: list[bool | None]
) -> None:
    names = [*PAIR, "apple"] if len(entries) == 3 else PAIR
    said = {"concepts": [entry(*each) for each in entries], "done": 0}
    told = read_task(json.dumps(said), names)
    assert dict(told.present) == dict(zip(names, present, strict=False))
