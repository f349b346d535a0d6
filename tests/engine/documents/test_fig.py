"""FiG as JSON, and FiG through the engine: line-up, store, account and estimate."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hallascope import metrics
from hallascope.data.models.specs import Price, read_models
from hallascope.data.requests import (
    Detect,
    Failure,
)
from hallascope.engine.documents import fig
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.fig_run import CHOSEN, FIG, evaluate_fig, sees
from tests.support.vision_metric import models


@pytest.fixture
def serve(store: Store) -> Callable[..., Services]:
    return lambda script=sees, price=None: Services(store, read_models(), models(script, price))


def test_a_picture_is_told_apart_from_its_prompt_and_kept_with_its_evidence(serve: Any) -> None:
    services = serve()
    said = evaluate_fig(services, FIG)
    told = fig.as_json(said.report)
    assert told["stages"]["object"] == {"value": 1.0, "counted": 2, "left_out": 0}
    assert told["stages"]["color"] == {"value": 0.5, "counted": 2, "left_out": 0}
    assert told["stages"]["text"] == {"value": None, "counted": 0, "left_out": 0}
    fates = {(pair["attribute"], pair["state"]) for pair in told["pairs"]}
    assert {("color", "correct"), ("color", "incorrect"), ("number", "incorrect")} <= fates
    assert told["extraneous"] == []
    assert [segment.mask.height for segment in said.report.evidence.segments] == [32, 32]
    (run,) = services.runs()
    assert services.view(run.id).evaluations == (said,)
    assert evaluate_fig(services, FIG).cached


def test_with_a_writer_and_a_reader_it_is_another_run_with_another_version(serve: Any) -> None:
    services = serve()
    plain, written = (
        evaluate_fig(services, FIG),
        evaluate_fig(services, replace(FIG, writer="m/writer", reader="m/reader")),
    )
    assert plain.report.version != written.report.version
    assert set(written.lineup) == {*CHOSEN, "writer", "parser", "reader"}
    assert len(services.runs()) == 2


def test_a_detector_that_fails_leaves_everything_out(serve: Any) -> None:
    down = serve(
        lambda request: (
            Failure("timeout", "Late: ask again.") if isinstance(request, Detect) else sees(request)
        )
    )
    said = evaluate_fig(down, FIG)
    assert (said.report.score.value, said.report.score.counted) == (None, 0)
    assert said.report.score.left_out > 0


def test_descriptions_are_estimated_before_and_spent_after(serve: Any, store: Store) -> None:
    services = serve(price=Price("2026-01-01", output=100.0))
    found = {
        line.model: line.calls for line in services.estimate(replace(FIG, writer="m/writer")).lines
    }
    assert found["m/detector"] == found["m/segmenter"] == 1
    assert found["m/captioner"] >= 2
    assert found["m/writer"] == 2
    evaluate_fig(services, FIG)
    assert {total.model: total.calls for total in store.ledger.models()}["m/captioner"] == 2


def test_all_of_its_roles_are_those_that_a_line_up_has() -> None:
    fig = metrics.get("fig")
    assert fig.required_roles == ("detector", "segmenter", "captioner")
    assert fig.optional_roles == ("writer", "parser", "reader")
