"""A prompt without questions gets some from the writer before its run, and they say so until a
person has accepted them.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.support.images import png
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import Failure, Role
from hallascope.engine.errors import BadRequest, NoQuestions
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.questions.unreviewed import is_unreviewed
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.shared.run_messages import unreviewed_note
from tests.support.question_making import PROMPT, writes

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
