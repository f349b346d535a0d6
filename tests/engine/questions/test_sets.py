"""Questions are saved, found by their prompt, exported and imported."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import QuestionSet
from hallascope.data.requests import Answer
from hallascope.engine.events import EvaluateRequest, Finished
from hallascope.metrics.ihalla.agents import GeneratedQuestions
from tests.support.question_making import PROMPT, last, writes


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
