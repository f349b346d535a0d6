"""Questions are made by judge and writer, saved, found by their prompt, exported, and written
before a run where it has none.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.records import Category, QuestionSet
from hallascope.data.requests import Answer, Failure, Role
from hallascope.engine.errors import BadRequest, NoQuestions
from hallascope.engine.events import EvaluateRequest, Finished, Spent
from hallascope.engine.questions.generation import AnswerProgress, Writing
from hallascope.engine.questions.unreviewed import is_unreviewed
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.reasoning import LabeledPicture
from hallascope.pages.shared.run_messages import unreviewed_note
from hallascope.primer.scenes import parse
from tests.support.images import png
from tests.support.question_making import PROMPT, last, writes


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


def test_a_made_set_is_saved_found_by_its_prompt_and_used_by_the_next_run(serve: Any) -> None:
    services = serve(lambda request: writes(request) if request.role == "writer" else Answer("D"))
    made = last(
        list(services.question_maker.make_questions(PROMPT, "Four paws.", "a/writer")),
        GeneratedQuestions,
    )
    assert len(made.questions) == 5
    assert {question.origin for question in made.questions} == {"made by a/writer"}
    services.sets.save(QuestionSet(prompt=PROMPT, questions=made.questions, source="made"))
    assert services.sets.for_prompt("A CAT  on a mat").questions == made.questions
    events = list(
        services.evaluate(
            EvaluateRequest(prompt="a cat on a mat", models=("a/painter",), judge="a/judge")
        )
    )
    assert isinstance(events[-1], Finished)
    assert events[-1].evaluations == 1


@pytest.mark.parametrize("ending", [".xlsx", ".jsonl"])
def test_an_exported_set_is_the_same_set_when_it_is_imported(
    serve: Any, tmp_path: Path, ending: str
) -> None:
    services = serve()
    made = last(
        list(services.question_maker.make_questions(PROMPT, "Four paws.", "a/writer")),
        GeneratedQuestions,
    )
    saved = services.sets.save(QuestionSet(prompt=PROMPT, questions=made.questions, source="made"))
    assert services.sets.export(tmp_path / f"sets{ending}") == 1
    services.sets.remove(PROMPT)
    assert services.sets.all() == []
    found = services.sets.load(tmp_path / f"sets{ending}")
    assert (found.sets, found.complaints) == ((saved,), ())
    assert services.sets.for_prompt(PROMPT) == saved


ASKED = EvaluateRequest(
    prompt=PROMPT, models=("a/painter",), metrics=("ihalla",), judge="a/judge", writer="a/writer"
)
ROLES: dict[str, Role] = {"a/writer": "writer", "a/judge": "judge"}


def test_the_questions_are_saved_as_not_reviewed_and_the_run_asks_them(serve: Any) -> None:
    services = serve()
    list(services.write_missing_questions(ASKED))
    saved = services.sets.for_prompt(PROMPT)
    assert len(saved.questions) == 5
    assert all(map(is_unreviewed, saved.questions))
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
    tmp_path: Path,
) -> None:
    asked: list[object] = []
    specs = [
        ModelSpec(
            id=name,
            title=name,
            roles=(role,),
            backend="scripted",
            kind="api",
            price=Price("2026-01-01", input=1.0),
        )
        for name, role in ROLES.items()
    ]

    def note(request: Any) -> str:
        asked.append(request)
        return ""

    models = {spec.id: Scripted(spec, note) for spec in specs}
    services = Services(Store(folder=tmp_path), read_models(), models)
    request = replace(ASKED, prompt="a unicorn on a surfboard", models=("primer/exact",))
    assert services.estimate(request).lines == ()
    assert list(services.write_missing_questions(request)) == []
    assert asked == []
    drawn = replace(request, models=(), images=(write_png(tmp_path / "own.png"),))
    assert {line.model for line in services.estimate(drawn).lines} == {"a/writer", "a/judge"}
    services.store.close()


def write_png(file: Path) -> Path:
    file.write_bytes(png())
    return file


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


METHANE = "a molecule of methane"
REPLY = '{"category": "Eastern Modern", "reason": "It says so."}'


@pytest.fixture
def services(tmp_path: Path) -> Any:
    writer = Scripted(
        ModelSpec(id="a/writer", title="Writer", roles=("writer",), backend="scripted"),
        lambda request: Answer(REPLY),
    )
    built = Services(Store(folder=tmp_path), read_models(), {"a/writer": writer})
    yield built
    built.store.close()


def test_without_a_writer_the_category_is_that_of_primers_concept(services: Any) -> None:
    answer = services.question_maker.categorize(METHANE, None)
    assert answer.category == parse(METHANE).groups[0].concept.category
    assert "Primer lists" in answer.reason
    with pytest.raises(BadRequest, match="name one with --writer"):
        services.question_maker.categorize("a hamburger on a plate", None)


def test_a_writer_assigns_any_prompt(services: Any) -> None:
    answer = services.question_maker.categorize("a hamburger on a plate", "a/writer")
    assert (answer.category, answer.reason) == (Category.EASTERN_MODERN, "It says so.")
