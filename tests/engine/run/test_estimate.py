"""What a plan is going to ask is found out without asking anybody, and the estimate counts what of
it paid services are asked and is not there yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from hallascope.backends.scripted import Scripted
from hallascope.data.evidence import Evidence
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.records import Picture, Report, Score
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Embed,
    Failure,
    Generate,
    ReadPrompt,
    ReadText,
    Reply,
    Request,
    Segment,
    Segmented,
    Write,
)
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run import dry_run
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import Case, Plan
from hallascope.metrics.reading.model_reading import parse_model_reading
from tests.support.pair_judge import PAIR
from tests.support.vision_metric import CENT, FIG, answers, looks

PICTURE = Picture("ab" * 32, Path("nowhere.png"))


def nothing(step: Sequence[Request]) -> Mapping[int, Reply]:
    return {}


def kinds(found: Any) -> list[str]:
    return [type(request).__name__ for request in found]


def test_all_steps_of_a_plan_are_rehearsed() -> None:
    case = Case(prompt="a red cat", image=PICTURE, roles=frozenset({"reader"}))
    assert kinds(dry_run.requests(looks(case), nothing)) == [
        "Detect",
        "Segment",
        "Describe",
        "ReadText",
    ]


def test_what_is_known_is_not_asked_and_is_what_the_plan_goes_on_with() -> None:
    def known(step: Sequence[Request]) -> Mapping[int, Reply]:
        return {
            i: answers(request)
            for i, request in enumerate(step)
            if isinstance(request, Detect | Segment)
        }

    (described,) = dry_run.requests(looks(Case(prompt="a red cat", image=PICTURE)), known)
    assert isinstance(described, Describe)
    assert described.region == Box(0.25, 0.25, 0.75, 0.75)


def test_a_detector_is_taken_to_find_a_few_things_that_do_not_overlap() -> None:
    found = dry_run.likely(Detect(PICTURE, tuple(f"thing {i}" for i in range(90))))
    assert isinstance(found, Detected)
    assert len(found.detections) == dry_run.THINGS
    sides = [one.box.sides for one in found.detections]
    assert all(one[2] <= other[0] for one, other in pairwise(sides))
    masks = dry_run.likely(Segment(PICTURE, tuple(one.box for one in found.detections)))
    assert isinstance(masks, Segmented)
    assert len(masks.masks) == dry_run.THINGS


def test_words_that_would_decide_how_it_goes_on_are_not_made_up() -> None:
    free = Ask(images=(PICTURE,), text="Text", question="What is it?")
    assert isinstance(dry_run.likely(free), Answer)
    decide: list[Request] = [
        replace(free, choices=("A", "B")),
        replace(free, schema={}),
        Write("Text"),
        Generate("a cat", 0),
    ]
    assert all(isinstance(dry_run.likely(request), Failure) for request in decide)


def test_a_prompt_is_taken_to_ask_for_what_the_rules_read_else_for_a_cat() -> None:
    names = []
    for prompt in ("two red dogs on a mat", "zwei rote Hunde auf einer Matte"):
        reply = dry_run.likely(ReadPrompt(prompt, "?"))
        assert isinstance(reply, Answer)
        reading = parse_model_reading(prompt, reply.text)
        assert reading is not None
        names.append([asked.name for asked in reading.objects])
    assert names == [["dog", "mat"], ["cat"]]


def test_a_plan_that_never_ends_is_left_after_some_steps_and_closed() -> None:
    closed = []

    def endless() -> Plan:
        going_on = True
        try:
            while going_on:
                yield [Embed(PICTURE), ReadText(PICTURE)]
        finally:
            closed.append(True)
        return Report(
            metric="x",
            version="1",
            prompt="a",
            image="ab",
            scores={"score": Score(None, 0, 0)},
            evidence=Evidence(),
        )

    assert len(list(dry_run.requests(endless(), nothing))) == 2 * dry_run.STEPS
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
    store: Store,
) -> None:
    price = Price("2026-01-01", input=1.0, picture_tokens=1000)
    judge = ModelSpec(
        id="paid/judge", title="Paid", roles=("judge",), backend="scripted", kind="api", price=price
    )
    painter = replace(judge, id="paid/painter", roles=("generator",), knowledge=())
    silent = {spec.id: Scripted(spec, lambda request: Answer("4")) for spec in (judge, painter)}
    services = Services(store, read_models(), silent)
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
