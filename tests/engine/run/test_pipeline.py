"""A run asks each role of who was chosen for it, else of the default.

What no metric needs is neither looked up nor counted.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import Unavailable, UnknownModel
from hallascope.cli.output import stages
from hallascope.cli.output.printing import EvaluationSummary, evaluation_tables
from hallascope.data.models.specs import DEFAULTS, Price, read_models
from hallascope.data.requests import Describe, Detect, Failure, ReadText, Segment
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest, Finished, Queued, jsonable
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run import pipeline
from hallascope.engine.run.runnable_metrics import NothingToRun
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.vision_metric import ASKS, LOOKS, PROMPT, answers, metric, models

CHOSEN = {"captioner": "m/captioner", "detector": "m/detector", "segmenter": "m/segmenter"}
FIG = EvaluateRequest(
    prompt=PROMPT,
    models=("m/painter",),
    metrics=("fig",),
    judge=None,
    **CHOSEN,  # type: ignore[arg-type]
)
PLAIN = EvaluateRequest(prompt="a cat", models=("m/painter",), metrics=("asks",), judge="m/judge")


@pytest.fixture
def serve(store: Store) -> Callable[..., Services]:
    def make(script: Any = answers, price: Price | None = None) -> Services:
        return Services(store, read_models(), models(script, price), metric)

    return make


def evaluated(services: Services, request: EvaluateRequest) -> Any:
    (said,) = [
        event.evaluation for event in services.evaluate(request) if isinstance(event, Evaluated)
    ]
    return said


# --- who is asked
# --------------------------------------------------------------------------------------------------


def test_a_metric_that_needs_no_judge_runs_without_one_and_tells_whom_it_asked(serve: Any) -> None:
    services = serve()
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


def test_a_reader_and_a_writer_are_asked_where_somebody_names_them(serve: Any) -> None:
    said = evaluated(serve(), replace(FIG, reader="m/reader", writer="m/writer"))
    assert said.lineup == {**CHOSEN, "reader": "m/reader", "writer": "m/writer"}
    assert said.report.evidence.segments[0].written == "STOP"
    assert said.report.evidence.caption == "A red cat and a dog."


def test_each_metric_of_a_run_is_told_only_of_the_roles_it_asks(serve: Any) -> None:
    events = list(
        serve().evaluate(replace(FIG, metrics=("fig", "asks"), judge="m/judge", reader="m/reader"))
    )
    found = {e.evaluation.metric: e.evaluation for e in events if isinstance(e, Evaluated)}
    assert (found["asks"].judge, found["asks"].lineup) == ("m/judge", {"judge": "m/judge"})
    assert (found["fig"].judge, found["fig"].lineup) == (None, {**CHOSEN, "reader": "m/reader"})


def test_without_a_judge_the_metrics_that_need_one_are_left_out_by_name(serve: Any) -> None:
    events = list(serve().evaluate(replace(FIG, metrics=("fig", "asks"))))
    assert isinstance(events[0], Queued)
    assert (events[0].notice, events[0].evaluations) == (
        "No judge is chosen: there is no score by Asks.",
        1,
    )
    assert [e.evaluation.metric for e in events if isinstance(e, Evaluated)] == ["fig"]


def test_what_nobody_chose_is_the_default_and_its_sentence_comes_where_it_cannot_run(
    serve: Any,
) -> None:
    assert pipeline.resolve(EvaluateRequest(prompt=PROMPT)) == {**DEFAULTS, "judge": "primer/judge"}
    assert set(DEFAULTS) == {"captioner", "detector", "segmenter", "embedder"}
    entries = read_models()
    assert all(role in entries[model].roles for role, model in DEFAULTS.items())
    services = serve()
    services.roster._specs["primer/segmenter"] = replace(
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
    services.evaluate(
        replace(FIG, metrics=("asks",), judge="m/judge", detector=None)
    )  # which does not need it


@pytest.mark.parametrize(
    ("change", "kind", "said"),
    [
        ({"detector": "m/captioner"}, BadRequest, "'m/captioner' is no detector: choose one of"),
        ({"captioner": "m/captoner"}, UnknownModel, "did you mean 'm/captioner'"),
        ({"reader": "m/judge"}, BadRequest, "'m/judge' is no reader"),
    ],
)
def test_a_model_that_does_not_fit_its_role_is_one_sentence(
    serve: Any, change: Any, kind: Any, said: str
) -> None:
    with pytest.raises(kind, match=said):
        serve().evaluate(replace(FIG, **change))


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


# --- which run it is
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "run"),
    [
        ({}, "2043c13194b6"),
        ({"writer": "m/writer"}, "f9cf3ca8fae7"),
        ({"judge": None}, "7c7049832aff"),
        ({"metrics": ()}, "8867b47b6a82"),
        ({"metrics": (), "judge": None}, "e21286c69aa9"),
    ],
)
def test_runs_of_before_there_were_line_ups_keep_their_ids(
    serve: Any, change: Any, run: str
) -> None:
    services = serve()
    assert services.prepare(replace(PLAIN, **change)).run == run
    others: dict[str, Any] = {
        "captioner": "m/other",
        "detector": "nowhere",
        "segmenter": "nowhere",
        "reader": "nowhere",
        "embedder": "nowhere",
    }
    assert services.prepare(replace(PLAIN, **change, **others)).run == run


def test_another_model_in_a_role_that_is_asked_is_another_run_and_a_judge_that_is_not_asked_is_none(
    serve: Any,
) -> None:
    services = serve()
    changes: list[dict[str, Any]] = [{}, {"captioner": "m/other"}, {"reader": "m/reader"}]
    ids = [services.prepare(replace(FIG, **change)).run for change in changes]
    assert len(set(ids)) == 3
    assert services.prepare(replace(FIG, judge="m/judge", embedder="nowhere")).run == ids[0]


def test_the_same_request_again_asks_nothing_and_a_failed_description_is_asked_again(
    serve: Any,
) -> None:
    down = [True]

    def script(request: Any) -> Any:
        return (
            Failure("timeout", "It did not answer: ask again.")
            if isinstance(request, Describe) and down
            else answers(request)
        )

    services = serve(script)
    first = list(services.evaluate(FIG))
    (said,) = [event.evaluation for event in first if isinstance(event, Evaluated)]
    assert (said.report.score.counted, said.report.score.left_out) == (1, 1)
    assert first[-1].failures == 1
    down.clear()
    again = evaluated(services, FIG)
    assert (again.report.score.value, again.report.score.left_out) == (1.0, 0)
    counts = {
        name: services.roster.backend(f"m/{name}").requests
        for name in ("detector", "segmenter", "captioner")
    }
    assert counts == {"detector": 1, "segmenter": 1, "captioner": 2}
    third = evaluated(services, FIG)
    assert third.cached
    assert replace(third, cached=False) == again
    assert services.roster.backend("m/captioner").requests == 2


# --- what it costs
# --------------------------------------------------------------------------------------------------

CENT = Price("2026-01-01", output=100.0, picture_tokens=100)


def test_the_estimate_goes_beyond_the_first_step_and_counts_who_costs_something(serve: Any) -> None:
    services = serve(price=CENT)
    found = services.estimate(replace(FIG, reader="m/reader", count=2))
    assert {line.model: line.calls for line in found.lines} == {
        "m/detector": 2,
        "m/segmenter": 2,
        "m/captioner": 2,
        "m/reader": 2,
    }
    captions = next(line for line in found.lines if line.model == "m/captioner")
    assert (captions.input_tokens, captions.output_tokens) == (2 * (100 + 3), 2 * 600)


def test_what_is_answered_already_is_not_estimated_again(serve: Any) -> None:
    down = [True]

    def script(request: Any) -> Any:
        return (
            Failure("timeout", "It did not answer: ask again.")
            if isinstance(request, Describe) and down
            else answers(request)
        )

    services = serve(script, CENT)
    list(services.evaluate(FIG))
    assert [(line.model, line.calls) for line in services.estimate(FIG).lines] == [
        ("m/captioner", 1)
    ]
    down.clear()
    list(services.evaluate(FIG))
    assert services.estimate(FIG).lines == ()


def test_a_role_that_is_not_asked_needs_no_consent_and_spends_nothing(
    serve: Any, store: Store
) -> None:
    services = serve(price=CENT)
    services.roster._specs["m/judge"] = replace(services.roster._specs["m/judge"], price=None)
    list(services.evaluate(replace(FIG, judge="m/judge")))
    spent = store.ledger.models()
    assert {total.model for total in spent} == {"m/detector", "m/segmenter", "m/captioner"}
    with pytest.raises(BadRequest, match="Nobody here knows what 'm/judge' costs"):
        services.evaluate(replace(FIG, metrics=("asks",), judge="m/judge"))


def test_a_captioner_without_money_left_leaves_its_rows_out_and_the_run_open(serve: Any) -> None:
    services = serve(price=CENT)
    events = list(services.evaluate(FIG, terms=SpendingPolicy(run=0.0)))
    assert events[-1].stopped
    assert services.view(events[0].run).state == "stopped"
    (said,) = [event.evaluation for event in services.evaluate(FIG) if isinstance(event, Evaluated)]
    assert said.report.score.left_out == 0


# --- what is kept and told
# -------------------------------------------------------------------------------------------------


def test_evidence_and_line_up_come_back_from_the_store_with_their_masks(serve: Any) -> None:
    services = serve()
    events = list(services.evaluate(replace(FIG, reader="m/reader")))
    (told,) = [event.evaluation for event in events if isinstance(event, Evaluated)]
    (kept,) = services.view(events[0].run).evaluations
    assert kept == told
    assert kept.report.evidence.segments[0].mask.height == 16
    assert services.view(events[0].run).request.detector == "m/detector"


def test_an_event_with_evidence_is_plain_json_with_masks_in_coco_s_form(serve: Any) -> None:
    events = [jsonable(event) for event in serve().evaluate(FIG)]
    said = next(event for event in json.loads(json.dumps(events)) if event["event"] == "evaluated")[
        "evaluation"
    ]
    mask = said["report"]["evidence"]["segments"][0]["mask"]
    assert mask["size"] == [16, 16]
    assert isinstance(mask["counts"], str)
    assert said["lineup"] == CHOSEN


def test_what_is_printed_of_fig_are_its_stages_pairs_and_evidence(serve: Any) -> None:
    outcome = EvaluationSummary(judged=False)
    for event in serve().evaluate(FIG):
        outcome.add(event)
    (said,) = jsonable(outcome.json())["evaluations"]
    nothing = {"value": None, "counted": 0, "left_out": 0}
    one = {"value": 1.0, "counted": 1, "left_out": 0}
    assert said["stages"] == {
        "object": one,
        "color": one,
        "number": nothing,
        "position": nothing,
        "text": nothing,
    }
    assert set(said["stages_soft"]) == set(said["stages"])
    assert (said["extraneous"], said["chair_i"]) == (["dog"], 0.5)
    assert said["pairs"] == [
        {
            "attribute": "color",
            "phrase": "red cat",
            "seen": "red cat",
            "state": "correct",
            "soft": "correct",
            "segment": "s1",
        }
    ]
    assert said["evidence"]["findings"][0]["prompt_spans"] == [[6, 9]]
    assert (said["judge"], said["lineup"]) == (None, CHOSEN)
    table = evaluation_tables(outcome.evaluations)
    assert "object  color  number" in table
    assert "dog" in table


def test_rows_that_a_failure_left_out_are_listed_among_the_failures_and_shown_in_the_table(
    serve: Any,
) -> None:
    def script(request: Any) -> Any:
        return (
            Failure("timeout", "It did not answer: ask again.")
            if isinstance(request, Detect)
            else answers(request)
        )

    outcome = EvaluationSummary(judged=False)
    for event in serve(script).evaluate(FIG):
        outcome.add(event)
    assert [(f["question"], f["message"]) for f in outcome.failures] == [
        ("object: red cat", "It did not answer: ask again."),
        ("color: red cat", "It did not answer: ask again."),
    ]
    (said,) = outcome.evaluations
    assert stages.cell(said.report, "object") == "- (1 left out)"
    assert stages.cell(said.report, "text") == "-"


def test_an_attribute_that_somebody_added_is_a_stage_too(tmp_path: Path) -> None:
    from hallascope.data.evidence import Evidence
    from hallascope.data.records import Report, Score
    from tests.support.vision_metric import failed, picture

    row = replace(failed("color", Failure("timeout", "Late.")), kind="material", segments=())
    scores = {"score": Score(None, 0, 1), "material": Score(None, 0, 1)}
    said = stages.as_json(
        Report(
            metric="fig",
            version="1",
            prompt="a",
            image=picture(tmp_path).sha256,
            scores=scores,
            evidence=Evidence(findings=(row,)),
        )
    )
    assert list(said["stages"]) == ["object", "color", "number", "position", "text", "material"]
    assert said["stages"]["material"] == {"value": None, "counted": 0, "left_out": 1}
    assert said["pairs"][0]["segment"] is None


def test_reports_without_findings_are_printed_as_they_were(serve: Any) -> None:
    outcome = EvaluationSummary()
    for event in serve().evaluate(PLAIN):
        outcome.add(event)
    (said,) = outcome.json()["evaluations"]
    assert not {"stages", "evidence", "pairs"} & set(said)
    assert "position" not in evaluation_tables(outcome.evaluations)
    assert ASKS.optional_roles == ()


@pytest.mark.parametrize("role", [Detect, Segment, Describe, ReadText])
def test_whatever_role_fails_the_run_ends_and_says_so(serve: Any, role: type) -> None:
    def script(request: Any) -> Any:
        return (
            Failure("broken", "Broken: try another.")
            if isinstance(request, role)
            else answers(request)
        )

    events = list(serve(script).evaluate(replace(FIG, reader="m/reader")))
    assert isinstance(events[-1], Finished)
    assert not events[-1].stopped
    assert events[-1].evaluations == 1
