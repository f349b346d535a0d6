"""T2I-CompBench's 3-in-1 is the mean of the parts that the prompt asks for."""

import pytest

from hallascope import metrics
from hallascope.data.records import Report
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import (
    Answer,
    Ask,
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    Reply,
    Request,
)
from tests.support.baseline_reports import LEFT_OUT, judge_by
from tests.support.scripted_vision import evidence_of

SPATIAL = "a red cat to the left of a dog"
ACTION = "a red cat chasing a dog"
BOTH = "a red cat to the left of a dog and a boy holding a ball"
ROLES = {Ask: "attributes", Detect: "spatial", Embed: "action"}


def reply_well(request: Request) -> Reply:
    """P(yes) is 0.8, the boxes stand as asked, and the cosine is 0.6."""
    match request:
        case Ask():
            return Answer("Yes", (0.8, 0.2))
        case Detect():
            left = Detection("cat", Box(0, 0.4, 0.2, 0.6), 0.8)
            right = Detection("dog", Box(0.8, 0.4, 1, 0.6), 0.8)
            return Detected((left, right))
        case Embed(image=None):
            return Embedded((0.6, 0.8))
        case _:
            return Embedded((1.0, 0.0))


def scored(prompt: str, requests: list[Request] | None = None) -> Report:
    return judge_by("compbench-3-in-1", reply_well, requests, prompt)


@pytest.mark.parametrize(
    ("prompt", "parts"),
    [
        (SPATIAL, {"attributes": 0.8**2, "spatial": 0.9}),
        (ACTION, {"attributes": 0.8**2, "action": 0.6}),
        (BOTH, {"attributes": 0.8**4, "spatial": 0.9, "action": 0.6}),
        ("a red cat", {"attributes": 0.8, "action": 0.6}),
    ],
)
def test_the_score_is_the_mean_of_the_parts_that_the_prompt_asks_for(
    prompt: str, parts: dict[str, float]
) -> None:
    requests: list[Request] = []
    report = scored(prompt, requests)
    values = {name: score.value for name, score in report.scores.items() if name != "score"}
    assert values == pytest.approx(parts)
    assert report.score.value == pytest.approx(sum(parts.values()) / len(parts))
    assert {ROLES[type(one)] for one in requests} == set(parts)


def test_an_image_with_a_missing_part_is_left_out_with_the_reason() -> None:
    report = judge_by(
        "compbench-3-in-1",
        lambda one: Failure("broken", "It is out.") if isinstance(one, Detect) else reply_well(one),
        prompt=SPATIAL,
    )
    assert report.score == LEFT_OUT
    failed = [each.note for each in evidence_of(report).findings if each.state == "failed"]
    assert failed == ["The detector gave nothing: It is out."]
    assert report.scores["attributes"].value == pytest.approx(0.8**2)


def test_a_cosine_below_zero_counts_as_zero() -> None:
    def reply(request: Request) -> Reply:
        is_text = isinstance(request, Embed) and request.image is None
        return Embedded((-1.0, 0.0)) if is_text else reply_well(request)

    assert judge_by("compbench-3-in-1", reply, prompt=ACTION).scores["action"].value == 0


def test_every_score_of_a_report_is_declared() -> None:
    names = {spec.name for spec in metrics.scores("compbench-3-in-1")}
    assert set(scored(BOTH).scores) <= names
