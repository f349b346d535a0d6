"""Exercises with their images: the drawing goes before people, people before the judge, and each
answer is worth what the drawing shows.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.requests import Answer, Failure
from hallascope.data.teaching.exercise import MISSING
from hallascope.data.teaching.lesson import DrawnItem, Lesson, RunItem
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run_history.history import RunHistory
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.teaching import exercises
from hallascope.engine.teaching.exercises import (
    AnsweredFact,
    ask_about_alteration,
)
from hallascope.primer.teaching.alterations import read_alteration

PROMPT = "a molecule of methane"


FIVE = DrawnItem(PROMPT, "hydrogens", 5, 6)


def run_of(services: Services, *models: str) -> str:
    *_, done = services.evaluate(EvaluateRequest(prompt=PROMPT, models=models, seed=1))
    return done.run


def test_of_a_drawing_in_a_run_the_drawing_says_what_is_wrong_whatever_the_judge_says(
    services: Services,
) -> None:
    # The judge answers all but the first question as a right picture would.
    run = run_of(services, "primer/exact", "primer/careful")
    found = exercises.faults(services, run)
    assert [(fault.by, fault.answer) for fault in found] == [("the drawing", "Five")]
    shown = exercises.exercise_view(services, found[0].item)
    assert shown.exercise.right_parts == {"hydrogen atom"}
    assert MISSING not in shown.exercise.right_parts
    assert shown.exercise.source == "Primer’s definition of methane"
    assert shown.right
    assert shown.opinion is not None
    assert exercises.sees_fault(shown, shown.opinion) is False


def test_a_drawing_of_another_version_hides_no_error_of_the_other_images(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(services, "primer/exact", "primer/careful")
    found = exercises.faults(services, run)
    exact = next(str(s.image) for s in services.view(run).shots if s.model == "primer/exact")
    read = services.store.truth

    def truth_of(image: str) -> Any:
        values = {"hydrogens": 99} if image == exact else {}
        truth = read(image) or {}
        return {**truth, "values": {**truth["values"], **values}}

    monkeypatch.setattr(services.store, "truth", truth_of)
    assert exercises.faults(services, run) == found


def uploaded(services: Services, said: str) -> tuple[str, str]:
    """A run about a picture that nobody drew here, whose judge says this to every question.

    The run and its place.
    """
    picture = exercises.exercise_view(services, FIVE).picture
    *_, done = services.evaluate(EvaluateRequest(prompt=PROMPT, models=(), images=(picture.path,)))
    return done.run, services.view(done.run).shots[0].generation


def test_of_another_picture_the_judge_says_what_is_wrong_and_no_place_is_asked(
    make_services: Any,
) -> None:
    services = make_services(saying("White"))
    run, place = uploaded(services, "A")
    found = exercises.faults(services, run)
    assert found
    assert {fault.by for fault in found} == {"primer/judge"}
    shown = exercises.exercise_view(services, found[0].item).exercise
    assert shown.near is None
    assert shown.source == "primer/judge"
    assert f"In this image: {shown.shown[:1].lower()}" in shown.why
    wrong = {fault.question.text for fault in found}
    assert (
        sum(fact in {q.replace(" in the image", "") for q in wrong} for fact in shown.facts) == 1
    ), "no other wrong fact is offered"
    with pytest.raises(BadRequest, match="take the exercise out"):
        exercises.exercise_view(services, RunItem(run, place, "Is it?"))
    services.store.lessons.keep(Lesson("Molecules", (FIVE, found[0].item)))
    assert (
        "The class set “Molecules” loses 1 exercise." in RunHistory(services).delete(run).sentence
    )
    with pytest.raises(BadRequest, match="image of this exercise is not in the store"):
        exercises.exercise_view(services, found[0].item)


def test_what_nobody_knows_is_no_fact_of_an_exercise(make_services: Any) -> None:
    def judge(ask: Any) -> Any:  # it sees the number and no more
        is_known = "four" in map(str.lower, ask.choices)
        return Answer("A") if is_known else Failure("timeout", "It took too long: try again.")

    services = make_services(judge)
    run, _ = uploaded(services, "A")
    (fault,) = exercises.faults(services, run)
    with pytest.raises(BadRequest, match="label its other questions"):
        exercises.exercise_view(services, fault.item)
    view = services.view(run)
    other = next(each for each in view.questions if each != fault.question)
    about = RatingSubject(
        str(view.shots[0].image), IHALLA, PROMPT, f"{QUESTION}{other.text}", "Ann"
    )
    services.store.ratings.keep(about, other.choice(other.gold))
    assert len(exercises.exercise_view(services, fault.item).exercise.facts) == 2


def test_people_go_before_the_judge(make_services: Any) -> None:
    services = make_services(lambda ask: Answer("A"))
    run, _ = uploaded(services, "A")
    fault = exercises.faults(services, run)[0]
    shot = services.view(run).shots[0]
    about = RatingSubject(
        str(shot.image), IHALLA, PROMPT, f"{QUESTION}{fault.question.text}", "Ann"
    )
    services.store.ratings.keep(about, fault.question.choice(fault.question.gold))
    assert fault.item not in [one.item for one in exercises.faults(services, run)]
    other = next(
        choice
        for choice in fault.question.choices
        if choice not in (fault.answer, fault.question.choice(fault.question.gold))
    )
    services.store.ratings.keep(about, other)
    found = next(one for one in exercises.faults(services, run) if one.item == fault.item)
    assert (found.answer, found.by) == (other, "Ann")
    services.store.ratings.keep(replace(about, rater="Ada"), CANNOT_BE_TOLD)
    found = next(one for one in exercises.faults(services, run) if one.item == fault.item)
    assert (found.answer, found.by) == (other, "Ann"), "Ada could not tell"
    services.store.ratings.keep(replace(about, rater="Bo"), fault.answer)
    assert fault.item not in [one.item for one in exercises.faults(services, run)], "no agreement"


def test_a_judge_that_does_not_answer_saw_nothing_and_nothing_is_made_up(
    make_services: Any,
) -> None:
    services = make_services(lambda ask: Failure("timeout", "It took too long: try again."))
    found = exercises.exercise_view(services, FIVE)
    (opinion,) = exercises.ask_judge(services, [found])
    assert exercises.sees_fault(found, opinion) is None
    assert opinion.verdict.failure == "It took too long: try again."


def saying(reply: str | Failure) -> Callable[[Any], Any]:
    """A judge that gives one answer where it is offered, else the first."""

    def answer(ask: Any) -> Any:
        if isinstance(reply, Failure):
            return reply
        return Answer("ABCDE"[ask.choices.index(reply)] if reply in ask.choices else "A")

    return answer


@pytest.mark.parametrize(
    "facts, reply, expected",
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
