"""A run asks each role of the model chosen for it, else of the default."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import DEFAULTS, ModelSpec, read_models
from hallascope.data.requests import Embedded
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    Finished,
    Queued,
)
from hallascope.engine.run import pipeline
from hallascope.engine.run.runnable_metrics import NothingToRun
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.pair_judge import evaluate_to_json
from tests.support.vision_metric import CHOSEN, FIG, LOOKS, PROMPT, evaluate_one, models


# --- who is asked
# --------------------------------------------------------------------------------------------------
def test_a_metric_that_needs_no_judge_runs_without_one_and_tells_whom_it_asked(
    serve_vision: Any,
) -> None:
    services = serve_vision()
    events = list(services.evaluate(FIG))
    assert isinstance(events[0], Queued)
    assert events[0].notice is None
    assert isinstance(events[-1], Finished)
    assert (events[-1].evaluations, events[-1].failures) == (1, 0)
    (said,) = [event.evaluation for event in events if isinstance(event, Evaluated)]
    assert (said.judge, said.lineup) == (None, CHOSEN)
    assert said.report.evidence is not None
    assert said.report.evidence.segments[0].caption == "A red cat."
    assert said.report.evidence.segments[0].written == ""


def test_a_reader_and_a_writer_are_asked_where_somebody_names_them(serve_vision: Any) -> None:
    said = evaluate_one(serve_vision(), replace(FIG, reader="m/reader", writer="m/writer"))
    assert said.lineup == {**CHOSEN, "reader": "m/reader", "writer": "m/writer"}
    assert said.report.evidence.segments[0].written == "STOP"
    assert said.report.evidence.caption == "A red cat and a dog."


def test_each_metric_of_a_run_is_told_only_of_the_roles_it_asks(serve_vision: Any) -> None:
    events = list(
        serve_vision().evaluate(
            replace(FIG, metrics=("fig", "asks"), judge="m/judge", reader="m/reader")
        )
    )
    found = {e.evaluation.metric: e.evaluation for e in events if isinstance(e, Evaluated)}
    assert (found["asks"].judge, found["asks"].lineup) == ("m/judge", {"judge": "m/judge"})
    assert (found["fig"].judge, found["fig"].lineup) == (None, {**CHOSEN, "reader": "m/reader"})


def test_what_nobody_chose_is_the_default_and_its_sentence_comes_where_it_cannot_run(
    serve_vision: Any,
) -> None:
    assert pipeline.resolve(EvaluateRequest(prompt=PROMPT)) == {**DEFAULTS, "judge": "primer/judge"}
    assert set(DEFAULTS) == {"captioner", "detector", "segmenter", "embedder"}
    entries = read_models()
    assert all(role in entries[model].roles for role, model in DEFAULTS.items())
    services = serve_vision()
    services.registry._specs["primer/segmenter"] = replace(
        entries["primer/segmenter"], repository="embedded:nowhere"
    )
    with pytest.raises(
        Unavailable,
        match=(
            r"^FiG was not run, because Primer segmenter cannot run here: its weights are not in"
            r" 'nowhere'"
        ),
    ):
        services.evaluate(replace(FIG, detector=None))
    # This metric needs no detector.
    services.evaluate(replace(FIG, metrics=("asks",), judge="m/judge", detector=None))


def test_a_role_that_nobody_fills_is_named(store: Store) -> None:
    needs = replace(LOOKS, required_roles=("detector", "writer"), optional_roles=())
    services = Services(store, read_models(), models(), lambda name: needs)
    with pytest.raises(
        NothingToRun, match=r"^FiG was not run, because it needs a writer, and none is chosen\.$"
    ) as told:
        services.evaluate(FIG)
    assert told.value.remedy == "Name a model for that role (--writer)."
    with pytest.raises(
        BadRequest,
        match=r"^FiG needs a writer and none is chosen: name a model for that role \(--writer\)\.$",
    ):
        services.prepare(FIG)  # as a sweep does, which leaves no metric out


def test_a_metric_that_is_named_after_a_model_asks_that_and_the_others_the_one_that_was_chosen(
    tmp_path: Path,
) -> None:
    from hallascope.backends.scripted import Scripted
    from hallascope.engine.services import Services
    from hallascope.engine.storage.store import Store

    names = ("primer/embedder", "other/embedder", "dinov2-base")
    looking = [
        Scripted(
            ModelSpec(id=name, title=name, roles=("embedder",), backend="scripted"),
            lambda request: Embedded((1.0, 0.0)),
        )
        for name in names
    ]
    services = Services(
        Store(folder=tmp_path), read_models(), {one.spec.id: one for one in looking}
    )
    asked = EvaluateRequest(
        prompt="a ladybug",
        models=("primer/exact",),
        metrics=("clip-t", "clip-i", "dino"),
        judge=None,
    )
    found, _ = evaluate_to_json(services, asked)
    assert {one.metric: dict(one.lineup) for one in found} == {
        "clip-t": {"embedder": "primer/embedder"},
        "clip-i": {"embedder": "primer/embedder"},
        "dino": {"embedder": "dinov2-base"},
    }
    assert [one.report.score.value for one in found] == [1.0, 1.0, 1.0]
    found, _ = evaluate_to_json(services, replace(asked, embedder="other/embedder"))
    assert [one.lineup["embedder"] for one in found] == [
        "other/embedder",
        "other/embedder",
        "dinov2-base",
    ]
    services.store.close()
