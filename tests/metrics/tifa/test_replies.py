"""A writer's questions are read in both forms; one that cannot stand is left out alone."""

import json

import pytest

from hallascope.metrics.tifa.replies import MOST, parse_element_questions
from tests.data.cases import cases
from tests.support.tifa_questions import ELEMENTS, METHANE, TEXT


def test_our_form_gives_two_questions_an_element() -> None:
    assert parse_element_questions(json.dumps(ELEMENTS)) == METHANE


def test_no_question_comes_twice_and_at_most_so_many_are_taken() -> None:
    twice = {"elements": ELEMENTS["elements"] * 2}
    assert parse_element_questions(json.dumps(twice)) == METHANE
    first = ELEMENTS["elements"][0]
    many = [first | {"question": f"What is this, {number}?"} for number in range(MOST + 5)]
    questions = parse_element_questions(json.dumps({"elements": many}))
    assert questions is not None
    assert len(questions) == MOST


def test_a_reply_without_elements_is_empty_and_one_that_cannot_be_read_is_none() -> None:
    assert parse_element_questions('{"elements": []}') == ()
    assert parse_element_questions("I will not.") is None
    assert parse_element_questions('{"elements": [{"question": 3}]}') is None


def test_the_text_form_of_hu_et_al_is_read() -> None:
    questions = parse_element_questions(TEXT)
    assert questions is not None
    assert [(q.text, q.gold, len(q.choices)) for q in questions] == [
        (q.text, q.gold, len(q.choices)) for q in METHANE
    ]
    assert {q.coi for q in questions} == {"existence"}
    listed = [
        {
            "element": "molecule",
            "element_type": "object",
            "question": "What is this?",
            "choices": ["ion", "molecule"],
            "answer": "molecule",
        }
    ]
    questions = parse_element_questions(json.dumps(listed))
    assert questions is not None
    assert [(q.gold, q.coi) for q in questions] == [("B", "existence")]


@pytest.mark.parametrize(
    "change",
    cases("tifa_replies", "a_question_that_cannot_stand_is_left_out_alone", "metrics"),
)
def test_a_question_that_cannot_stand_is_left_out_alone(change: dict[str, object]) -> None:
    first, second = ELEMENTS["elements"]
    assert parse_element_questions(json.dumps({"elements": [first | change, second]})) == (
        METHANE[0],
        *METHANE[2:],
    )
