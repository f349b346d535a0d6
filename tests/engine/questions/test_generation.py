"""Questions are made by judge and writer, saved, found by their prompt, exported, and written
before a run where it has none.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import Price
from hallascope.data.records import Category, QuestionSet
from hallascope.data.requests import Answer, Failure
from hallascope.engine.errors import BadRequest, NoQuestions
from hallascope.engine.events import EvaluateRequest, Spent
from hallascope.engine.questions.generation import AnswerProgress, Writing
from hallascope.engine.questions.unreviewed import is_unreviewed
from hallascope.metrics.ihalla.agents import MergedReasoning
from hallascope.metrics.ihalla.reasoning import LabeledPicture
from hallascope.pages.shared.run_messages import unreviewed_note
from tests.support.images import png
from tests.support.question_making import PROMPT, last, writes


def test_the_five_answers_are_told_as_they_come_and_the_right_ones_are_merged(
    serve: Any, reference: LabeledPicture
) -> None:
    services = serve()
    events = list(services.question_maker.reason_about(PROMPT, [reference], "a/judge", "a/writer"))
    assert [event.amount for event in events if isinstance(event, Spent)] == [pytest.approx(0.01)]
    assert services.store.ledger.day() == pytest.approx(0.01)
    told = [event for event in events if isinstance(event, AnswerProgress)]
    assert [event.done for event in told] == [1, 2, 3, 4, 5]
    assert sorted(event.reasoning.state for event in told) == ["correct"] * 4 + ["incorrect"]
    assert any(isinstance(event, Writing) for event in events)
    found = last(events, MergedReasoning)
    assert (found.text, found.problem) == ("A cat has four paws, all on the mat.", "")
    assert found.difficulty == {reference.picture.sha256: "easy"}


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


@pytest.mark.parametrize(
    "ask, said",
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


ASKED = EvaluateRequest(
    prompt=PROMPT, models=("a/painter",), metrics=("ihalla",), judge="a/judge", writer="a/writer"
)


def test_the_questions_are_saved_as_not_reviewed_and_the_run_asks_them(serve: Any) -> None:
    services = serve()
    list(services.write_missing_questions(ASKED))
    saved = services.sets.for_prompt(PROMPT)
    assert len(saved.questions) == 5
    assert all(map(is_unreviewed, saved.questions))
    assert {question.origin for question in saved.questions} == {"made by a/writer, not reviewed"}
    assert (saved.provenance.writer, saved.source) == ("a/writer", "made")
    events = list(services.evaluate(ASKED))
    view = services.view(events[0].run)
    assert unreviewed_note(view) == (
        "a/writer wrote 5 questions for this prompt, and no person has reviewed them."
    )


def test_questions_that_are_still_to_be_written_are_estimated_as_those_that_are_there(
    serve: Any,
) -> None:
    services = serve(judge_price=Price("2026-01-01", input=1.0))

    def calls() -> dict[str, int]:
        return {line.model: line.calls for line in services.estimate(ASKED).lines}

    assert calls() == {"a/writer": 2, "a/judge": 5}
    list(services.write_missing_questions(ASKED))
    assert calls() == {"a/judge": 5}


@pytest.mark.parametrize(
    "changes",
    [
        {"writer": None},
        {"judge": None},
        {"metrics": ("fig",)},
        {"prompt": "a molecule of methane"},
    ],
    ids=["no writer", "no judge", "no questions needed", "the prompt has questions"],
)
def test_nothing_is_written_where_nothing_is_missing(serve: Any, changes: Any) -> None:
    services = serve()
    assert list(services.write_missing_questions(replace(ASKED, **changes))) == []
    assert services.registry.backend("a/writer").requests == 0


def test_nothing_is_estimated_or_written_where_no_model_can_draw_the_prompt(
    serve: Any, tmp_path: Path
) -> None:
    services = serve(judge_price=Price("2026-01-01", input=1.0))
    request = replace(ASKED, prompt="a unicorn on a surfboard", models=("primer/exact",))
    assert services.estimate(request).lines == ()
    assert list(services.write_missing_questions(request)) == []
    assert services.registry.backend("a/writer").requests == 0
    (tmp_path / "own.png").write_bytes(png())
    brought = replace(request, models=(), images=(tmp_path / "own.png",))
    assert {line.model for line in services.estimate(brought).lines} == {"a/writer", "a/judge"}


@pytest.mark.parametrize("fails_at", ["reasoning", "questions"])
def test_a_writer_that_fails_stops_the_run_before_anything_is_generated(
    serve: Any, fails_at: str
) -> None:
    def fails(request: Any) -> Any:
        is_set = bool(request.schema)
        if is_set == (fails_at == "questions"):
            return Failure("broken", "The writer is ill.")
        return writes(request)

    services = serve(fails)
    with pytest.raises(BadRequest, match=r"wrote no questions .* nothing was generated"):
        list(services.write_missing_questions(ASKED))
    with pytest.raises(NoQuestions):
        services.sets.for_prompt(PROMPT)


def test_a_prompt_that_primer_does_not_know_gets_its_category_of_a_writer(serve: Any) -> None:
    reply = '{"category": "Eastern Modern", "reason": "It says so."}'
    maker = serve(lambda request: Answer(reply)).question_maker
    with pytest.raises(BadRequest, match="name one with --writer"):
        maker.categorize("a hamburger on a plate", None)
    answer = maker.categorize("a hamburger on a plate", "a/writer")
    assert answer.value == (Category.EASTERN_MODERN, "It says so.")
