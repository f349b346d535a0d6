"""An experiment pays for what it asks itself, however often a run is evaluated."""

from typing import Any

import pytest

from hallascope.data.models.specs import Price
from hallascope.data.requests import Answer, Failure, Usage
from hallascope.engine.error_analysis.experiment import Experiment
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.storage.store import Store
from tests.support.scripted_models import scripted, serve

REQUEST = EvaluateRequest(
    prompt="a molecule of methane", models=("primer/exact",), judge="paid/judge"
)
CENT = Price("2026-01-01", output=10_000.0)


def test_what_a_run_cost_before_counts_once_and_against_its_own_cap_alone(
    analysis_store: Store,
) -> None:
    """Of five questions for a cent each two are answered, then the others."""
    replies: list[Any] = [Answer("A", usage=Usage(0, 1))] * 2
    judge = scripted(
        "paid/judge",
        "judge",
        lambda ask: replies.pop() if replies else Failure("denied", "No."),
        price=CENT,
        settings={"max_tokens": 1},
    )
    services = serve(analysis_store, judge)
    first = Experiment(services, SpendingPolicy(run=0.05))
    first.evaluate(REQUEST)
    assert first.spent == pytest.approx(0.02)
    again = Experiment(services, SpendingPolicy(run=0.05))
    replies += [Answer("A", usage=Usage(0, 1))] * 2
    again.evaluate(REQUEST)
    assert again.spent == pytest.approx(0.02)
    replies += [Answer("A", usage=Usage(0, 1))]
    first.evaluate(REQUEST)
    assert first.spent == pytest.approx(0.03)
    assert not first.is_stopped()
    [image] = first.evaluate(REQUEST)
    assert image.report
    assert image.report.score.counted == 5
    assert first.spent == pytest.approx(0.03)
