"""The estimate counts what a run is likely to ask of paid services and does not have yet."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import (
    Answer,
    Describe,
    Failure,
    Generated,
)
from hallascope.engine.events import EvaluateRequest
from tests.support.pair_judge import PAIR
from tests.support.vision_metric import CENT, FIG, answers


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


def test_what_is_answered_already_is_not_estimated_again(serve_vision: Any) -> None:
    down = [True]

    def script(request: Any) -> Any:
        return (
            Failure("timeout", "It did not answer: ask again.")
            if isinstance(request, Describe) and down
            else answers(request)
        )

    services = serve_vision(script, CENT)
    list(services.evaluate(FIG))
    assert [(line.model, line.calls) for line in services.estimate(FIG).lines] == [
        ("m/captioner", 1)
    ]
    down.clear()
    list(services.evaluate(FIG))
    assert services.estimate(FIG).lines == ()


def test_the_estimate_counts_both_pictures_of_every_round_and_no_picture_that_cannot_be_made(
    tmp_path: Path,
) -> None:
    from hallascope.backends.scripted import Scripted
    from hallascope.engine.services import Services
    from hallascope.engine.storage.store import Store

    price = Price("2026-01-01", input=1.0, picture_tokens=1000)
    judge = ModelSpec(
        id="paid/judge", title="Paid", roles=("judge",), backend="scripted", kind="api", price=price
    )
    painter = ModelSpec(
        id="paid/painter",
        title="Paid",
        roles=("generator",),
        backend="scripted",
        kind="api",
        price=price,
        knowledge=(),
    )
    silent = [
        Scripted(judge, lambda ask: Answer("4")),
        Scripted(painter, lambda request: Generated(b"")),
    ]
    services = Services(Store(folder=tmp_path), read_models(), {one.spec.id: one for one in silent})
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
    services.store.close()


def test_the_judge_of_an_image_that_its_model_cannot_draw_is_not_estimated(
    serve_vision: Any,
) -> None:
    services = serve_vision(price=CENT)
    undrawn = replace(FIG, prompt="a unicorn on a surfboard", models=("primer/exact",))
    assert services.estimate(undrawn).lines == ()
    drawn = replace(FIG, prompt="a ladybug", models=("primer/exact",))
    assert [line.calls for line in services.estimate(drawn).lines] == [1, 1, 1]
