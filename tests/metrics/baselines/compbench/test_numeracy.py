"""The numeracy score of T2I-CompBench++: each thing counts half, its number the other half."""

import pytest

from hallascope.data.records import Report
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Detect, Detected, Failure, Request
from hallascope.metrics.baselines.compbench.numeracy import NO_NUMBER, count_boxes
from tests.support.baseline_reports import LEFT_OUT, judge_by
from tests.support.scripted_vision import evidence_of

PROMPT = "two cats and a dog"


def boxes(name: str, count: int, row: float = 0.0) -> list[Detection]:
    """Return boxes side by side, surest first."""
    return [
        Detection(name, Box(n / 10, row, n / 10 + 0.08, row + 0.1), 1 - n / 10)
        for n in range(count)
    ]


def scored(
    *detections: Detection, prompt: str = PROMPT, requests: list[Request] | None = None
) -> Report:
    return judge_by("compbench-numeracy", lambda _: Detected(detections), requests, prompt)


@pytest.mark.parametrize(
    ("cats", "dogs", "value"),
    [(2, 1, 1.0), (3, 1, 0.75), (2, 0, 0.5), (1, 2, 0.5), (0, 0, 0.0)],
)
def test_half_is_for_each_thing_and_half_for_its_number(cats: int, dogs: int, value: float) -> None:
    report = scored(*boxes("cat", cats), *boxes("dog", dogs, 0.5))
    assert report.score.value == pytest.approx(value)
    assert [(each.expected, each.observed) for each in evidence_of(report).findings] == [
        ("2 cat", f"{cats} detected"),
        ("1 dog", f"{dogs} detected"),
    ]


def test_each_thing_is_looked_for_once() -> None:
    requests: list[Request] = []
    scored(requests=requests)
    assert [one.phrases for one in requests if isinstance(one, Detect)] == [("cat", "dog")]


def test_boxes_of_one_name_at_one_place_are_one_thing() -> None:
    large, inner, other = Box(0, 0, 0.5, 0.5), Box(0.1, 0.1, 0.4, 0.4), Box(0.3, 0, 0.8, 0.5)
    found = [Detection("cat", box, 0.5) for box in (large, inner, other)]
    assert count_boxes("cat", found) == 2
    assert count_boxes("dog", found) == 0


def test_a_number_that_the_prompt_leaves_open_is_not_counted() -> None:
    report = scored(*boxes("cat", 5), prompt="cats")
    assert report.score == LEFT_OUT
    assert evidence_of(report).findings[0].note == NO_NUMBER


def test_an_image_that_the_detector_failed_on_is_left_out() -> None:
    down = Failure("broken", "It is out.")
    assert judge_by("compbench-numeracy", lambda _: down, prompt=PROMPT).score == LEFT_OUT
