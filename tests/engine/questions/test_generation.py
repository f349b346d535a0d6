"""Making questions: five answers a picture, one text, and five questions."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import QuestionSet
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Spent
from hallascope.engine.questions.generation import AnswerProgress, Writing
from hallascope.metrics.ihalla.agents import MergedReasoning
from hallascope.metrics.ihalla.reasoning import LabeledPicture
from tests.support.question_making import PROMPT, last


def test_the_five_answers_are_told_as_they_come_and_the_right_ones_are_merged(
    serve: Any, reference: LabeledPicture
) -> None:
    events = list(serve().question_maker.reason_about(PROMPT, [reference], "a/judge", "a/writer"))
    told = [event for event in events if isinstance(event, AnswerProgress)]
    assert [event.done for event in told] == [1, 2, 3, 4, 5]
    assert sorted(event.reasoning.state for event in told) == ["correct"] * 4 + ["incorrect"]
    assert any(isinstance(event, Writing) for event in events)
    found = last(events, MergedReasoning)
    assert (found.text, found.problem) == ("A cat has four paws, all on the mat.", "")
    assert found.difficulty == {reference.picture.sha256: "easy"}


def test_what_the_writer_costs_is_told_and_kept_in_the_account(
    serve: Any, reference: LabeledPicture
) -> None:
    services = serve()
    events = list(services.question_maker.reason_about(PROMPT, [reference], "a/judge", "a/writer"))
    assert [event.amount for event in events if isinstance(event, Spent)] == [pytest.approx(0.01)]
    assert services.spent_today() == pytest.approx(0.01)


def test_reasoning_that_was_broken_off_makes_only_the_missing_calls(
    serve: Any, reference: LabeledPicture
) -> None:
    services = serve()
    events = services.question_maker.reason_about(PROMPT, [reference], "a/judge", "a/writer")
    for event in events:
        if isinstance(event, AnswerProgress) and event.done == 5:
            break
    events.close()
    judge = services.registry.backend("a/judge")
    assert judge.requests == 5
    list(services.question_maker.reason_about(PROMPT, [reference], "a/judge", "a/writer"))
    assert judge.requests == 5


def test_another_draw_asks_the_writer_anew(serve: Any) -> None:
    services = serve()
    for draw in (0, 0, 1):
        list(services.question_maker.make_questions(PROMPT, "Four paws.", "a/writer", draw=draw))
    assert services.registry.backend("a/writer").requests == 2


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda s, r: s.question_maker.reason_about("", [], None, "a/writer"),
            "The prompt is empty",
        ),
        (
            lambda s, r: s.question_maker.reason_about(PROMPT, [r], None, "a/writer"),
            "No judge is chosen to look at the images",
        ),
        (
            lambda s, r: s.question_maker.make_questions(PROMPT, "x", "a/judge"),
            "'a/judge' is no writer",
        ),
        (lambda s, r: s.sets.export(Path("none.xlsx")), "There are no saved questions to export"),
        (lambda s, r: s.sets.remove("nothing"), "There are no saved questions for 'nothing'"),
        (
            lambda s, r: s.sets.save(QuestionSet(prompt=PROMPT, questions=())),
            "There is no question for the prompt",
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    serve: Any, reference: LabeledPicture, ask: Any, said: str
) -> None:
    with pytest.raises(BadRequest, match=said):
        ask(serve(), reference)
