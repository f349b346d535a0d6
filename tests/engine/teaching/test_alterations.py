"""A judge is asked about a changed drawing, and each answer is worth what the drawing shows."""

from collections.abc import Callable
from typing import Any

import pytest

from hallascope.data.requests import Answer, Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.teaching.alterations import (
    AnsweredFact,
    ask_about_alteration,
    installed_judges,
)
from hallascope.primer.teaching.alterations import read_alteration


def saying(reply: str | Failure) -> Callable[[Any], Any]:
    """A judge that gives one answer where it is offered, else the first."""

    def answer(ask: Any) -> Any:
        if isinstance(reply, Failure):
            return reply
        return Answer("ABCDE"[ask.choices.index(reply)] if reply in ask.choices else "A")

    return answer


@pytest.mark.parametrize(
    ("facts", "reply", "expected"),
    [
        ("", "Four", AnsweredFact("right", "Four")),
        ("", "Five", AnsweredFact("false alarm", "Five")),
        ("", "None of the above", AnsweredFact("false alarm", "None of the above")),
        ("hydrogens.5", "Four", AnsweredFact("missed", "Four")),
        ("hydrogens.5", "Five", AnsweredFact("found", "Five")),
        (
            "hydrogens.5",
            "Three",
            AnsweredFact("found", "Three", "It sees an error, but not which."),
        ),
        # "Two" is no choice of the question, so that none of them is right
        ("hydrogens.2", "None of the above", AnsweredFact("found", "None of the above")),
        (
            "",
            Failure("timeout", "It took too long."),
            AnsweredFact("no answer", "", "It took too long."),
        ),
    ],
)
def test_an_answer_is_worth_what_the_drawing_shows(
    make_services: Any, facts: str, reply: str | Failure, expected: AnsweredFact
) -> None:
    services = make_services(saying(reply))
    first, *others = ask_about_alteration(services, read_alteration("methane", facts))
    assert first == expected
    assert len(others) == 4


def test_an_answer_that_cannot_be_read_is_no_answer(make_services: Any) -> None:
    services = make_services(lambda ask: Answer("perhaps"))
    first, *_ = ask_about_alteration(services, read_alteration("methane"))
    assert first == AnsweredFact("no answer", "", "The answer could not be read.")


def test_a_drawing_that_was_judged_before_is_not_judged_again(make_services: Any) -> None:
    asked = []

    def judge(ask: Any) -> Answer:
        asked.append(ask.question)
        return Answer("A")

    services = make_services(judge)
    first = ask_about_alteration(services, read_alteration("methane", "hydrogens.5"))
    assert len(asked) == 5
    assert ask_about_alteration(services, read_alteration("methane", "hydrogens.5")) == first
    assert len(asked) == 5
    ask_about_alteration(services, read_alteration("methane", "hydrogens.5", "1"))
    assert len(asked) == 10


def test_the_embedded_judge_comes_first_and_judges_of_services_are_left_out(services: Any) -> None:
    judges = installed_judges(services)
    assert judges[0] == "primer/judge"
    kinds = {judge.spec.id: judge.spec.kind for judge in services.judges()}
    assert "api" in kinds.values()
    assert all(kinds[judge] != "api" for judge in judges)


def test_a_judge_that_is_not_installed_is_one_sentence(services: Any) -> None:
    with pytest.raises(BadRequest, match="'gpt-4o' is not installed here: choose another one"):
        ask_about_alteration(services, read_alteration("methane"), "gpt-4o")
