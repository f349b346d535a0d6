"""A run asks each role of the model chosen for it, else of the default."""

from dataclasses import replace
from typing import Any

import pytest

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import DEFAULTS, read_models
from hallascope.data.requests import Embedded
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
)
from hallascope.engine.run import pipeline
from hallascope.engine.run.pipeline import NothingToRun
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.pair_judge import evaluate_to_json
from tests.support.scripted_models import scripted, serve
from tests.support.vision_metric import CHOSEN, FIG, LOOKS, PROMPT, evaluate_one, models


def test_each_metric_is_told_only_of_the_roles_it_asks_and_of_those_that_somebody_named(
    serve_vision: Any,
) -> None:
    services = serve_vision()
    plain = evaluate_one(services, FIG)
    assert (plain.judge, plain.lineup) == (None, CHOSEN)
    assert plain.report.evidence.segments[0].caption == "A red cat."
    assert plain.report.evidence.segments[0].written == ""
    asked = replace(FIG, metrics=("fig", "asks"), judge="m/judge", reader="m/reader")
    found = {
        event.evaluation.metric: event.evaluation
        for event in services.evaluate(replace(asked, writer="m/writer"))
        if isinstance(event, Evaluated)
    }
    assert (found["asks"].judge, found["asks"].lineup) == ("m/judge", {"judge": "m/judge"})
    named = {**CHOSEN, "reader": "m/reader", "writer": "m/writer"}
    assert (found["fig"].judge, found["fig"].lineup) == (None, named)
    evidence = found["fig"].report.evidence
    assert evidence
    assert evidence.segments[0].written == "STOP"
    assert evidence.caption == "A red cat and a dog."


def test_what_nobody_chose_is_the_default_and_its_sentence_comes_where_it_cannot_run(
    serve_vision: Any,
) -> None:
    assert pipeline.resolve(EvaluateRequest(prompt=PROMPT)) == {**DEFAULTS, "judge": "primer/judge"}
    entries = read_models()
    services = serve_vision()
    services.registry._specs["primer/segmenter"] = replace(
        entries["primer/segmenter"], repository="embedded:nowhere"
    )
    with pytest.raises(
        Unavailable, match="Primer segmenter cannot run here: its weights are not in 'nowhere'"
    ):
        services.evaluate(replace(FIG, detector=None))
    # This metric needs no detector.
    services.evaluate(replace(FIG, metrics=("asks",), judge="m/judge", detector=None))


def test_a_judge_or_writer_that_can_read_prompts_does_so_unless_rules_alone_are_to() -> None:
    metric = replace(LOOKS, optional_roles=("parser",))

    def reader_of(**named: Any) -> tuple[str | None, str | None]:
        request = EvaluateRequest(prompt=PROMPT, judge="m/both", **named)
        found = pipeline.with_defaults(
            request, [metric], lambda model: True, lambda model, role: model == "m/both"
        )
        return found.parser, found.prompt_reader

    assert reader_of() == ("m/both", "auto")
    assert reader_of(writer="m/mute") == ("m/both", "auto")
    assert reader_of(parser="m/parser") == ("m/parser", "model")
    assert reader_of(parser="m/parser", prompt_reader="auto") == ("m/parser", "auto")
    assert reader_of(prompt_reader="rules") == (None, "rules")


def test_a_role_that_nobody_fills_is_named(store: Store) -> None:
    needs = replace(LOOKS, required_roles=("detector", "writer"), optional_roles=())
    services = Services(store, read_models(), models(), lambda name: needs)
    with pytest.raises(NothingToRun, match="it needs a writer, and none is chosen") as told:
        services.evaluate(FIG)
    assert "--writer" in told.value.remedy
    with pytest.raises(BadRequest, match=r"needs a writer and none is chosen.*--writer"):
        services.prepare(FIG)  # as a sweep does, which leaves no metric out


def test_a_metric_that_is_named_after_a_model_asks_that_and_the_others_the_one_that_was_chosen(
    store: Store,
) -> None:
    names = ("primer/embedder", "other/embedder", "dinov2-base")
    looks = [scripted(name, "embedder", lambda request: Embedded((1.0, 0.0))) for name in names]
    services = serve(store, *looks)
    asked = EvaluateRequest(
        prompt="a ladybug",
        models=("primer/exact",),
        metrics=("clip-t", "clip-i", "dino"),
        judge=None,
    )
    for chosen, embedder in ((None, "primer/embedder"), ("other/embedder", "other/embedder")):
        found, _ = evaluate_to_json(services, replace(asked, embedder=chosen))
        assert {one.metric: dict(one.lineup) for one in found} == {
            "clip-t": {"embedder": embedder},
            "clip-i": {"embedder": embedder},
            "dino": {"embedder": "dinov2-base"},
        }
        assert [one.report.score.value for one in found] == [1.0, 1.0, 1.0]
