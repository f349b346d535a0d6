"""Where a model fails, a score is what it would have been or says what it left out: nothing else
answers in its place unseen.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from hallascope import metrics
from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.records import Report
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Failure,
    ReadText,
    Reply,
    Request,
    Role,
    TextRead,
    Write,
)
from hallascope.metrics.base import Case, Metric
from hallascope.metrics.haloquest import plan as haloquest
from tests.support.scripted_vision import PICTURE, Scene, box, thing

GONE = Failure("timeout", "The model did not answer within 60 seconds: run it again.")
# a wheel lies within the car and is a part of it; the judge denies the chair, and the bottle is
# one that nobody asked for
CAR = thing("car", Box(0.1, 0.1, 0.6, 0.6), color="red")
DOG = thing("dog", Box(0.65, 0.2, 0.95, 0.5), color="blue")
CUP, WHEEL, BOTTLE = (
    thing("cup", Box(0.2, 0.7, 0.3, 0.8)),
    thing("clock", Box(0.2, 0.2, 0.25, 0.25)),
    thing("bottle", Box(0.7, 0.7, 0.8, 0.9)),
)
SCENE = Scene((CAR, DOG, WHEEL, BOTTLE), caption="A red car.")
PROMPT = "a red car to the left of a brown dog and a cup"
SAID = {
    CAR.box: "A red car.",
    DOG.box: "A blue dog.",
    BOTTLE.box: "A bottle.",
    WHEEL.box: "A clock.",
}


def says(request: Request) -> Reply:
    """What everybody says who does not fail.

    The writer adds a thing, and answers otherwise than symbols would.
    """
    match request:
        case Write(schema=schema):
            return Answer(
                json.dumps(_written(request, schema))
                if schema
                else "The picture shows a red car and a blue dog."
            )
        case Describe(region=region):
            return Answer(SAID.get(region, "A chair.") if region else SCENE.caption)
        case ReadText():
            return TextRead(())
        case Detect():
            found = SCENE.reply(request)
            assert isinstance(found, Detected)
            return Detected((*found.detections, Detection("chair", box(0.4, 0.75, 0.15), 0.6)))
        case Ask(question=question, region=Box()) if question.endswith("a chair?"):
            return Answer("No")
        case Ask(choices=choices, region=None):
            return Answer(
                choices[0] if choices else '{"rating": 3}',
                tuple(1 / len(choices) for _ in choices) if choices else None,
            )
        case _:
            return SCENE.reply(request)


def _written(request: Write, schema: Any) -> dict[str, Any]:
    fields = schema["properties"]
    if "questions" in fields:
        count = request.text.count("\n- ")
        return {"questions": [f"Question {at}?" for at in range(count)]}
    if "answer" in fields:
        return {"answer": "no"}
    if "phrases" in fields:
        return {"phrases": ["car", "dog", "cup", "bottle"]}
    return {
        "score": 70,
        "reason": "",
        "agree": True,
        "reply_main_point": "a",
        "reference_main_point": "a",
        "elements": [],
    }


def run(
    metric: Metric, case: Case, fails: Callable[[Request, int], bool]
) -> tuple[Report, list[Request]]:
    plan, asked = metric.plan(case), list[Request]()
    try:
        step = next(plan)
        while True:
            start = len(asked)
            asked += step
            step = plan.send(
                [
                    GONE if fails(request, start + at) else says(request)
                    for at, request in enumerate(step)
                ]
            )
    except StopIteration as done:
        report: Report = done.value
        return report, asked


def left_out(report: Report) -> int:
    return sum(score.left_out for score in report.scores.values())


CONCEPTS = (
    ConceptRef(name="beagle dog", domain="animal", reference=PICTURE),
    ConceptRef(name="red kite", domain="artifact", reference=PICTURE),
)
FACTUAL = FactualPrompt(prompt="a beagle dog beside a red kite", concepts=CONCEPTS, task="size")
HALO = HaloQuestion("What color is the hat?", ("There is no hat",), "false premises", "generated")
ALL_ROLES: tuple[Role, ...] = ("writer", "reader", "detector", "segmenter")


def case_of(name: str, *roles: Role, **more: Any) -> tuple[Metric, Case]:
    case = Case(prompt=PROMPT, image=PICTURE, roles=frozenset(roles))
    return metrics.get(name), replace(case, **more)


CASES: dict[str, tuple[Metric, Case]] = {
    **{
        f"{name} alone": case_of(name)
        for name in ("fig", "scene-graph", "tifa", "llmscore", "blip-vqa", "caption-ablation")
    },
    **{f"{name} with all": case_of(name, *ALL_ROLES) for name in ("fig", "scene-graph", "tifa")},
    "scene-graph with outlines": case_of("scene-graph", "segmenter"),
    "factualbench": case_of("factualbench", factual=FACTUAL, prompt=FACTUAL.prompt),
    "factualbench by choices": case_of(
        "factualbench", "detector", factual=FACTUAL, prompt=FACTUAL.prompt, judge_ranks_choices=True
    ),
    "haloquest": (haloquest.metric(), case_of("fig", "writer", haloquest=HALO)[1]),
}


def faults(asked: Sequence[Request]) -> list[Callable[[Request, int], bool]]:
    """Every request alone, every role as a whole, and a third of all by chance, ten times."""
    alone = [lambda request, at, only=only: at == only for only in range(len(asked))]
    roles = [
        lambda request, at, role=role: request.role == role
        for role in {request.role for request in asked}
    ]
    chances = [random.Random(seed) for seed in range(10)]
    return [
        *alone,
        *roles,
        *(lambda request, at, chance=chance: chance.random() < 0.3 for chance in chances),
    ]


@pytest.mark.parametrize("name", CASES)
def test_a_score_is_what_it_would_have_been_or_says_what_it_left_out(name: str) -> None:
    metric, case = CASES[name]
    whole, asked = run(metric, case, lambda request, at: False)
    assert asked
    for fails in faults(asked):
        report, again = run(metric, case, fails)
        failed = [type(request).__name__ for at, request in enumerate(again) if fails(request, at)]
        values = {which: score.value for which, score in report.scores.items()}
        same = values == {which: score.value for which, score in whole.scores.items()}
        assert same or left_out(report) > left_out(whole), (failed[:5], values)
