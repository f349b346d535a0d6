"""Money in a run: an estimate before it, a cap that holds, an account that survives, and consent
where no price is known.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import CallLimits, Unavailable
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import Price
from hallascope.data.requests import Answer, Failure, Generated, Role, Usage
from hallascope.engine.access.limits import IMAGES, Quota, Quotas
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    EvaluateRequest,
    EvaluationFailed,
    Finished,
    Pictured,
    PictureFailed,
    Spent,
)
from hallascope.engine.money.budget import OverBudget, SpendingPolicy
from hallascope.engine.money.spending import spending_text
from hallascope.engine.services import Services
from hallascope.engine.storage.ledger import NANO
from hallascope.engine.storage.store import Store
from tests.support.images import png
from tests.support.ledger_rows import model_totals, run_spent
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted
from tests.support.scripted_models import serve as serve_models
from tests.support.threads import run_at_once

# A picture costs a cent, and so does every token that is written.
CENT = Price("2026-01-01", picture=0.01, output=10_000.0)
REQUEST = EvaluateRequest(
    prompt="a molecule of methane", models=("paid/painter",), judge="paid/judge", count=4
)


def paid(
    name: str, role: Role, script: Any, price: Price | None = CENT, at_once: int = 1
) -> Scripted:
    limits, settings = CallLimits(1, at_once), {"max_tokens": 1}
    return scripted(name, role, script, limits, kind="api", price=price, settings=settings)


def answers(ask: Any) -> Answer:
    return Answer("A", usage=Usage(output_tokens=1))


def draws(request: Any) -> Generated:
    return Generated(png(f"{request.seed}"), usage=Usage(pictures=1))


@pytest.fixture
def serve(store: Store) -> Callable[..., Any]:
    def make(
        judge: Any = answers,
        price: Price | None = CENT,
        concurrency: int = 1,
        painter: Price = CENT,
    ) -> Any:
        asked = paid("paid/judge", "judge", judge, price, concurrency)
        drawn = paid("paid/painter", "generator", draws, painter, concurrency)
        return serve_models(store, asked, drawn), asked, drawn

    return make


def last(events: list[Any]) -> Finished:
    assert isinstance(events[-1], Finished)
    return events[-1]


def test_a_run_tells_what_it_has_spent_as_it_goes_and_keeps_account(
    serve: Any, store: Store
) -> None:
    services, judge, _ = serve()
    events = list(services.evaluate(REQUEST))
    told = [event for event in events if isinstance(event, Spent)]
    assert [event.amount for event in told] == sorted(event.amount for event in told)
    # four images, twenty answers, and one before the first image is bought
    assert told[-1].amount == pytest.approx(0.25)
    assert (told[-1].calls, told[-1].cap) == (25, 5.0)
    assert last(events).spent == pytest.approx(0.25)
    assert run_spent(store.ledger, last(events).run) == pytest.approx(0.25)
    assert services.store.ledger.day() == pytest.approx(0.25)
    again = list(services.evaluate(REQUEST))
    assert not [event for event in again if isinstance(event, Spent)]
    assert (last(again).spent, judge.calls) == (last(events).spent, 21)
    list(services.evaluate(replace(REQUEST, seed=10, count=1)))
    assert judge.calls == 21 + 5, "before a purchase a model is asked once"


def test_a_run_over_its_cap_stops_says_so_and_goes_on_after_the_cap_is_raised(serve: Any) -> None:
    services, judge, painter = serve(painter=Price())
    events = list(services.evaluate(REQUEST, terms=SpendingPolicy(run=0.06)))
    finished = last(events)
    assert finished.stopped
    assert finished.spent == pytest.approx(0.06)
    said = [
        e.shot.failure if isinstance(e, PictureFailed) else e.failure
        for e in events
        if isinstance(e, PictureFailed | EvaluationFailed)
    ]
    assert said
    assert {failure and failure.kind for failure in said} == {"over_budget"}
    assert services.view(finished.run).state == "stopped"

    paid = judge.requests
    more = list(services.evaluate(REQUEST, terms=SpendingPolicy(run=1.0)))
    assert last(more).run == finished.run
    assert not last(more).stopped
    assert last(more).evaluations == 4
    assert judge.requests + painter.requests == 24
    assert paid == 6
    assert last(more).spent == pytest.approx(0.20)


def test_a_cap_is_never_passed_by_calls_at_once(serve: Any) -> None:
    services, _, _ = serve(concurrency=16, painter=Price())
    assert last(
        list(services.evaluate(REQUEST, terms=SpendingPolicy(run=0.1)))
    ).spent == pytest.approx(0.1)


def test_the_cap_of_a_day_counts_all_runs_of_the_day(serve: Any) -> None:
    services, _, _ = serve(painter=Price())
    list(services.evaluate(replace(REQUEST, count=1)))
    other = list(services.evaluate(replace(REQUEST, seed=7), terms=SpendingPolicy(day=0.06)))
    failures = [event.failure for event in other if isinstance(event, EvaluationFailed)]
    assert len(failures) == 4 - 1, "one answer of the first image is within the cap"
    assert "Today's runs have spent 0.0600 USD" in failures[0].message


def test_local_models_go_on_where_a_paid_judge_may_not(store: Store) -> None:
    judge = paid("paid/judge", "judge", answers)
    services = serve_models(store, judge, paid("free/painter", "generator", draws, Price()))
    events = list(
        services.evaluate(replace(REQUEST, models=("free/painter",)), terms=SpendingPolicy(run=0.0))
    )
    assert len([e for e in events if isinstance(e, Pictured)]) == 4
    assert len([e for e in events if isinstance(e, EvaluationFailed)]) == 4
    assert judge.calls == 0


# --- before an image is bought


def test_no_image_is_bought_where_the_judge_does_not_answer(serve: Any, store: Store) -> None:
    silent = Failure("denied", "There is no credit left.", usage=Usage(output_tokens=2))
    services, judge, painter = serve(judge=lambda ask: silent)
    with pytest.raises(Unavailable, match="no credit left"):
        services.evaluate(REQUEST)
    assert (judge.calls, painter.calls) == (1, 0)
    assert store.ledger.day() == pytest.approx(0.02), "what the first call took is in the account"
    with pytest.raises(Unavailable):
        services.evaluate(REQUEST)
    assert judge.calls == 2, "a model that did not answer is asked anew"


def test_no_image_is_bought_where_the_budget_does_not_cover_the_run(serve: Any) -> None:
    services, judge, painter = serve()
    for terms in (SpendingPolicy(run=0.06), SpendingPolicy(day=0.06)):
        with pytest.raises(OverBudget, match=r"0\.0600 USD is left"):
            services.evaluate(REQUEST, terms=terms)
    assert (judge.calls, painter.calls) == (0, 0)


def test_a_run_that_buys_nothing_takes_nothing_of_a_visitors_images(serve: Any) -> None:
    services, _, _ = serve()
    services.quotas = Quotas()
    services.quotas.images = Quota([IMAGES[0].with_most(4)])
    terms = SpendingPolicy(run=0.06, visitor=Visitor("me", "home"))
    with pytest.raises(OverBudget):
        services.evaluate(REQUEST, terms=terms)
    services.quotas.images.require_room("home", 4)


def test_no_image_is_bought_where_there_are_no_questions_to_judge_it_by(serve: Any) -> None:
    services, judge, painter = serve()
    unknown = replace(REQUEST, prompt="a photo of nothing that Primer knows")
    with pytest.raises(BadRequest, match="No image was bought"):
        services.evaluate(unknown)
    assert (judge.calls, painter.calls) == (0, 0)
    assert last(list(services.evaluate(replace(unknown, judge=None)))).pictures == 4


def test_a_picture_that_two_runs_want_at_once_is_paid_once(store: Store) -> None:
    """Both runs are under way before the picture is there."""
    both = threading.Barrier(2)
    painter = Scripted(paid("paid/painter", "generator", draws).spec, draws, latency=0.05)
    services = serve_models(store, painter)

    def run() -> tuple[int, int]:
        events = services.evaluate(replace(REQUEST, metrics=(), judge=None, count=2))
        both.wait(20)
        end = last(list(events))
        return end.pictures, end.failures

    assert run_at_once(run, run) == [(2, 0), (2, 0)]
    assert painter.requests == 2
    assert store.ledger.day() == pytest.approx(0.02)


# --- before a run
# --------------------------------------------------------------------------------------------------


def test_a_model_without_a_price_must_be_confirmed(serve: Any) -> None:
    services, judge, _ = serve(price=None)
    assert services.estimate(REQUEST).unpriced == ("paid/judge",)
    with pytest.raises(BadRequest, match="It is unknown what 'paid/judge' costs"):
        services.evaluate(REQUEST)
    assert (
        last(list(services.evaluate(REQUEST, terms=SpendingPolicy(unpriced=True)))).evaluations == 4
    )
    assert judge.calls == 21


# --- keys
# --------------------------------------------------------------------------------------------------


def test_a_key_that_was_typed_in_serves_this_run_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The same entry, with no key in the environment: it can run for whoever typed the key, and for
    nobody else.
    """
    monkeypatch.delenv("A_SERVICE_KEY", raising=False)
    entry = scripted(
        "service/judge",
        "judge",
        price=CENT,
        needs=("key:A_SERVICE_KEY",),
        settings={"reply": "A", "max_tokens": 1},
    ).spec
    painter = paid("paid/painter", "generator", draws)
    services = Services(store, {entry.id: entry}, {painter.spec.id: painter})
    asked = replace(REQUEST, judge="service/judge", count=1)
    assert "A_SERVICE_KEY is not set" in (services.registry.models("judge")[0].reason or "")
    with pytest.raises(Exception, match="A_SERVICE_KEY is not set"):
        services.evaluate(asked)
    keys = ApiKeys({"A_SERVICE_KEY": "secret-of-a-visitor"})
    assert services.registry.models("judge", keys)[0].reason is None
    assert last(list(services.evaluate(asked, terms=SpendingPolicy(keys=keys)))).evaluations == 1
    with pytest.raises(Exception, match="A_SERVICE_KEY is not set"):
        services.evaluate(asked)
    kept = b"".join(file.read_bytes() for file in store.folder.rglob("*") if file.is_file())
    assert b"secret-of-a-visitor" not in kept
    assert services.registry.key_names() == ("A_SERVICE_KEY",)


def test_what_no_service_has_confirmed_stands_beside_what_is_certain() -> None:
    assert spending_text(0.5, 0.0, "spent in all") == "0.50 USD spent in all"
    told = spending_text(0.5, 0.125, "spent in all")
    assert told.startswith("0.38 USD spent in all, and up to 0.12 USD more for calls")


def test_a_reply_without_a_count_is_told_as_unconfirmed_and_counts_against_the_cap(
    serve: Any, store: Store
) -> None:
    services, _, _ = serve(judge=lambda ask: Answer("A"))
    end = last(list(services.evaluate(REQUEST)))
    unconfirmed = end.spent - 0.04
    assert unconfirmed > 0.04, "the images are certain, the answers are not"
    assert end.unconfirmed == pytest.approx(unconfirmed)
    assert services.store.ledger.account("").day_unconfirmed / NANO == pytest.approx(unconfirmed)
    [judge] = [total for total in model_totals(store.ledger) if total.model == "paid/judge"]
    assert judge.unconfirmed == judge.amount
