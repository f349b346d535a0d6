"""What a plan is going to ask is found out without asking anybody, and the estimate counts what of
it paid services are asked and is not there yet.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.data.models.specs import Price
from hallascope.data.records import Picture
from hallascope.data.requests import (
    Describe,
    Embed,
    Failure,
    ReadText,
)
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.spending import CostEstimate
from hallascope.engine.run import estimate
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import Plan
from tests.support.ledger_rows import model_totals
from tests.support.pair_judge import PAIR
from tests.support.scripted_models import scripted, serve
from tests.support.vision_metric import CENT, FIG, answers

PICTURE = Picture("ab" * 32, Path("nowhere.png"))


def test_a_plan_that_never_ends_is_left_after_some_steps_and_closed() -> None:
    closed = []

    def endless() -> Plan:
        try:
            while True:
                yield [Embed(PICTURE), ReadText(PICTURE)]
        finally:
            closed.append(True)

    asked = list(estimate.likely_requests(endless(), lambda step: {}))
    assert len(asked) == 2 * estimate.MAX_PLAN_STEPS
    assert closed == [True]


# --- the estimate of a run


def test_the_estimate_goes_beyond_the_first_step_and_counts_who_costs_something(
    serve_vision: Any,
) -> None:
    services = serve_vision(price=CENT)
    found = services.estimate(replace(FIG, reader="m/reader", count=2))
    assert {line.model: line.calls for line in found.lines} == {
        "m/detector": 2,
        "m/segmenter": 2,
        "m/captioner": 2,
        "m/reader": 2,
    }
    captions = next(line for line in found.lines if line.model == "m/captioner")
    assert (captions.input_tokens, captions.output_tokens) == (2 * (100 + 3), 2 * 600)


def test_a_writer_that_sees_no_image_is_asked_once_for_all_images(serve_vision: Any) -> None:
    services = serve_vision(price=CENT)
    request = replace(FIG, writer="m/writer", count=3)
    assert _writer_calls(services.estimate(request)) == [1]
    list(services.evaluate(replace(request, count=1)))
    assert _writer_calls(services.estimate(request)) == [], "its reply is kept"


def _writer_calls(estimate: CostEstimate) -> list[int]:
    return [line.calls for line in estimate.lines if line.model == "m/writer"]


def test_what_is_answered_already_is_not_estimated_again(serve_vision: Any) -> None:
    down = [True]

    def script(request: Any) -> Any:
        return (
            Failure("timeout", "It did not answer: ask again.")
            if isinstance(request, Describe) and down
            else answers(request)
        )

    services = serve_vision(script, CENT)
    services.estimate(FIG)
    assert (services.store.runs(), model_totals(services.store.ledger)) == ([], [])
    list(services.evaluate(FIG))
    assert [(line.model, line.calls) for line in services.estimate(FIG).lines] == [
        ("m/captioner", 1)
    ]
    down.clear()
    list(services.evaluate(FIG))
    assert services.estimate(FIG).lines == ()


def test_the_estimate_counts_both_pictures_of_every_round_and_no_picture_that_cannot_be_made(
    store: Store,
) -> None:
    price = Price("2026-01-01", input=1.0, picture_tokens=1000)
    judge = scripted("paid/judge", "judge", price=price)
    painter = scripted("paid/painter", "generator", price=price, knowledge=())
    services = serve(store, judge, painter)
    found = services.estimate(
        EvaluateRequest(
            prompt=PAIR,
            models=("paid/painter",),
            metrics=("factualbench",),
            judge="paid/judge",
            inject=("text",),
        )
    )
    lines = {line.model: line for line in found.lines}
    assert lines["paid/painter"].pictures == 1
    assert lines["paid/judge"].calls == 4, (
        "each of the two concepts, the task and the composition, of the one that can be made"
    )
    assert lines["paid/judge"].input_tokens > (2 + 2 + 1 + 1) * 1000


def test_the_judge_of_an_image_that_its_model_cannot_draw_is_not_estimated(
    serve_vision: Any,
) -> None:
    services = serve_vision(price=CENT)
    undrawn = replace(FIG, prompt="a unicorn on a surfboard", models=("primer/exact",))
    assert services.estimate(undrawn).lines == ()
    drawn = replace(FIG, prompt="a ladybug", models=("primer/exact",))
    assert [line.calls for line in services.estimate(drawn).lines] == [1, 1, 1]
