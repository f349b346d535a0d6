"""What a plan is going to ask is found out without asking anybody, and what is there already is not
counted again.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.evidence import Evidence
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
from hallascope.engine.run import dry_run
from hallascope.metrics.base import Case, Plan
from hallascope.metrics.parsing.readings.model_reading import parse_model_reading
from tests.support.vision_metric import answers, looks

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


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        (Ask(images=(PICTURE,), text="Text", question="What is it?"), Answer),
        (Ask(images=(PICTURE,), text="Text", question="What is it?", choices=("A", "B")), Failure),
        (Ask(images=(PICTURE,), text="Text", question="What is it?", schema={}), Failure),
        (Write("Text"), Failure),
        (Generate("a cat", 0), Failure),
    ],
)
def test_words_that_would_decide_how_it_goes_on_are_not_made_up(
    request_: Request, kind: type
) -> None:
    assert isinstance(dry_run.likely(request_), kind)


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
