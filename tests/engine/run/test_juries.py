"""A jury in a run: each member is asked once, an outage is nobody's hallucination, costs add up."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import CallLimits, Unavailable
from hallascope.data.models.specs import Price
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest, Evaluation
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.juries.votes import members_disagree
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted, serve

Say = Callable[[Ask], Any]
REQUEST = EvaluateRequest(
    prompt="a gentoo penguin", models=("primer/exact",), judge="jury/majority/s/one+s/three+s/two"
)


def says(letter: str) -> Say:
    return lambda ask: letter


def judges(**says: Say) -> dict[str, Scripted]:
    limits = CallLimits(4, 1)
    return {f"s/{name}": scripted(f"s/{name}", "judge", say, limits) for name, say in says.items()}


def evaluate(of: Services, request: EvaluateRequest = REQUEST, **options: Any) -> list[Evaluation]:
    return [
        event.evaluation
        for event in of.evaluate(request, **options)
        if isinstance(event, Evaluated)
    ]


def test_an_outage_of_a_member_is_an_abstention_and_of_all_no_score(store: Store) -> None:
    def fails(ask: Ask) -> Exception:
        return Unavailable("It is gone: choose another.")

    def refuses(ask: Ask) -> Failure:
        return Failure("refused", "I will not say: ask another.")

    backends = judges(one=lambda ask: Answer("A", (0.2,) * 5), two=refuses, three=fails)
    (evaluation,) = evaluate(serve(store, *backends.values()))
    assert [verdict.answer for verdict in evaluation.report.verdicts] == ["A"] * 5
    failures = {own.member: own.failure for own in evaluation.report.verdicts[0].members}
    assert failures["s/two"] == "I will not say: ask another."
    assert evaluation.report.score.left_out == 0
    lost = serve(store, *judges(one=fails, two=fails, three=fails).values())
    (evaluation,) = evaluate(lost, replace(REQUEST, seed=1))
    score = evaluation.report.score
    assert (score.value, score.left_out) == (None, 5)


def test_the_majority_decides_and_members_share_the_cache_with_runs_of_their_own(
    store: Store,
) -> None:
    backends = judges(one=says("A"), two=says("A"), three=says("B"))
    of = serve(store, *backends.values())
    evaluate(of, replace(REQUEST, judge="s/one"))
    assert backends["s/one"].requests == 5
    (evaluation,) = evaluate(of)
    assert evaluation.judge == REQUEST.judge
    (stored,) = store.evaluations(next(iter(store.runs(1))).id)
    for verdict in stored.report.verdicts:
        assert (verdict.answer, members_disagree(verdict)) == ("A", True)
        answers = {own.member: own.answer for own in verdict.members}
        assert answers == {"s/one": "A", "s/two": "A", "s/three": "B"}
    assert [backend.requests for backend in backends.values()] == [5, 5, 5]
    evaluate(of, replace(REQUEST, judge="jury/majority/s/one+s/two"))
    assert [backend.requests for backend in backends.values()] == [5, 5, 5]


def test_what_members_cost_is_estimated_asked_for_and_paid(store: Store, tmp_path: Path) -> None:
    backends = judges(one=says("A"), two=says("A"), three=says("B"))
    paid = backends["s/two"]
    paid.spec = replace(paid.spec, kind="api", price=Price(date="2026-01-01", input=1e3, output=1))
    of = serve(store, *backends.values())
    (line,) = of.estimate(replace(REQUEST, judge="jury/majority/s/one+s/two")).lines
    assert (line.model, line.calls) == ("s/two", 5)
    paid.spec = replace(paid.spec, price=None)
    with pytest.raises(BadRequest, match="s/two"):
        evaluate(serve(store, *backends.values()))
    assert evaluate(serve(store, *backends.values()), terms=SpendingPolicy(unpriced=True))


def test_a_run_that_is_stopped_between_members_leaves_the_questions_open(store: Store) -> None:
    stop = threading.Event()

    def stops(ask: Ask) -> str:
        stop.set()
        return "A"

    backends = judges(one=stops, two=stops, three=says("B"))
    of = serve(store, *backends.values())
    evaluations = evaluate(of, stop=stop)
    assert all(e.report.score.counted < 5 for e in evaluations)
    assert not any(v.answer for e in evaluations for v in e.report.verdicts if len(v.members) < 3)
    backends = judges(one=says("A"), two=says("A"), three=says("B"))
    (evaluation,) = evaluate(serve(store, *backends.values()))
    assert evaluation.report.score.counted == 5
