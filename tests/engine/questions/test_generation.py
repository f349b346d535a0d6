"""Making questions through the engine: five answers a picture, one text, five questions, saved and
found again.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price
from hallascope.data.records import QuestionSet
from hallascope.data.requests import Answer, Generated, Usage
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, Finished, Spent
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.questions.generation import AnswerProgress, Writing
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.reasoning import LabeledPicture
from tests.support.small_pictures import png

PROMPT = "a cat on a mat"
SETS = [
    {
        "coi": "counting",
        "question": f"How many paws are on part {i} of the image?",
        "choices": ["One", "Two", "Three", "Four", "None of the above"],
        "answer": "D",
    }
    for i in range(5)
]


def looks(ask: Any) -> Answer:
    """A judge that is wrong once in five."""
    response = "Weird" if ask.seed == 2 else "Normal"
    return Answer(
        json.dumps(
            {
                "response": response,
                "visual_evidence": f"Paws, look {ask.seed}.",
                "contextual_evidence": "Cats have four.",
            }
        )
    )


def writes(request: Any) -> Answer:
    said = json.dumps({"sets": SETS}) if request.schema else "A cat has four paws, all on the mat."
    return Answer(said, usage=Usage(output_tokens=1))


@pytest.fixture
def serve(store: Store) -> Callable[..., Services]:
    def make(writer: Any = writes) -> Services:
        judge = Scripted(
            ModelSpec(id="a/judge", title="Judge", roles=("judge",), backend="scripted"),
            looks,
            limits=CallLimits(1, 5),
        )
        price = Price("2026-01-01", output=10_000.0)
        spec = ModelSpec(
            id="a/writer",
            title="Writer",
            roles=("writer",),
            backend="scripted",
            kind="api",
            price=price,
            settings={"max_tokens": 1},
        )
        hand = Scripted(spec, writer)
        painter = Scripted(
            ModelSpec(id="a/painter", title="Painter", roles=("generator",), backend="scripted"),
            lambda r: Generated(png()),
        )
        return Services(store, {}, {b.spec.id: b for b in (judge, hand, painter)})

    return make


@pytest.fixture
def reference(store: Store) -> LabeledPicture:
    return LabeledPicture(store.keep_image(png("reference")), factual=True)


def last(events: list[Any], kind: type) -> Any:
    assert isinstance(events[-1], kind)
    return events[-1]


def test_the_five_answers_are_told_as_they_come_and_the_right_ones_are_merged(
    serve: Any, reference: LabeledPicture
) -> None:
    events = list(serve().reason_about(PROMPT, [reference], "a/judge", "a/writer"))
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
    events = list(services.reason_about(PROMPT, [reference], "a/judge", "a/writer"))
    assert [event.amount for event in events if isinstance(event, Spent)] == [pytest.approx(0.01)]
    assert services.spent_today() == pytest.approx(0.01)


def test_without_pictures_the_writer_reasons_from_the_prompt_alone(serve: Any) -> None:
    events = list(serve().reason_about(PROMPT, [], None, "a/writer"))
    assert last(events, MergedReasoning).text == "A cat has four paws, all on the mat."
    assert not [event for event in events if isinstance(event, AnswerProgress)]


def test_reasoning_that_was_broken_off_makes_only_the_missing_calls(
    serve: Any, reference: LabeledPicture
) -> None:
    services = serve()
    events = services.reason_about(PROMPT, [reference], "a/judge", "a/writer")
    for event in events:
        if isinstance(event, AnswerProgress) and event.done == 5:
            break
    events.close()
    judge = services.roster.backend("a/judge")
    assert judge.requests == 5
    list(services.reason_about(PROMPT, [reference], "a/judge", "a/writer"))
    assert judge.requests == 5


def test_a_made_set_is_saved_found_by_its_prompt_and_used_by_the_next_run(serve: Any) -> None:
    services = serve(lambda request: writes(request) if request.role == "writer" else Answer("D"))
    made = last(list(services.make_questions(PROMPT, "Four paws.", "a/writer")), GeneratedQuestions)
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


def test_another_draw_asks_the_writer_anew(serve: Any) -> None:
    services = serve()
    for draw in (0, 0, 1):
        list(services.make_questions(PROMPT, "Four paws.", "a/writer", draw=draw))
    assert services.roster.backend("a/writer").requests == 2


@pytest.mark.parametrize("ending", [".xlsx", ".jsonl"])
def test_an_exported_set_is_the_same_set_when_it_is_imported(
    serve: Any, tmp_path: Path, ending: str
) -> None:
    services = serve()
    made = last(list(services.make_questions(PROMPT, "Four paws.", "a/writer")), GeneratedQuestions)
    saved = services.sets.save(QuestionSet(prompt=PROMPT, questions=made.questions, source="made"))
    assert services.sets.export(tmp_path / f"sets{ending}") == 1
    services.sets.remove(PROMPT)
    assert services.sets.all() == []
    found = services.sets.load(tmp_path / f"sets{ending}")
    assert (found.sets, found.complaints) == ((saved,), ())
    assert services.sets.for_prompt(PROMPT) == saved


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda s, r: s.reason_about("", [], None, "a/writer"), "The prompt is empty"),
        (
            lambda s, r: s.reason_about(PROMPT, [r], None, "a/writer"),
            "No judge is chosen to look at the pictures",
        ),
        (lambda s, r: s.make_questions(PROMPT, "x", "a/judge"), "'a/judge' is no writer"),
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


def test_a_file_with_another_ending_is_one_sentence_and_writes_nothing(
    serve: Any, tmp_path: Path
) -> None:
    services = serve()
    made = last(list(services.make_questions(PROMPT, "Four paws.", "a/writer")), GeneratedQuestions)
    services.sets.save(QuestionSet(prompt=PROMPT, questions=made.questions))
    with pytest.raises(BadRequest, match=r"neither \.xlsx nor \.jsonl"):
        services.sets.export(tmp_path / "sets.docx")
    assert not list(tmp_path.glob("*.docx"))


def test_an_empty_purse_leaves_the_reasoning_unwritten_and_says_why(serve: Any) -> None:
    found = last(
        list(serve().reason_about(PROMPT, [], None, "a/writer", SpendingPolicy(run=0.0))),
        MergedReasoning,
    )
    assert found.text == ""
    assert "raise the cap of a run" in found.problem
