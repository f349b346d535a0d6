"""T2I-CompBench: its rules by hand, and Primer's images of known positions and numbers."""

import pytest

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
from hallascope.metrics.baselines.compbench.numeracy import NO_NUMBER, count_boxes
from hallascope.metrics.baselines.compbench.spatial import (
    NO_RELATION,
    relation_score,
)
from hallascope.metrics.reading.prompt import read_prompt
from tests.data.cases import cases
from tests.support.baseline_reports import LEFT_OUT, judge_by
from tests.support.scripted_vision import evidence_of

NUMBERS = "two cats and a dog"


def side_by_side(name: str, count: int, row: float = 0.0) -> list[Detection]:
    """Return side_by_side side by side, surest first."""
    return [
        Detection(name, Box(n / 10, row, n / 10 + 0.08, row + 0.1), 1 - n / 10)
        for n in range(count)
    ]


def counted(
    *detections: Detection, prompt: str = NUMBERS, requests: list[Request] | None = None
) -> Report:
    return judge_by("compbench-numeracy", lambda _: Detected(detections), requests, prompt)


@pytest.mark.parametrize(
    "cats, dogs, value",
    [(2, 1, 1.0), (3, 1, 0.75), (2, 0, 0.5), (1, 2, 0.5), (0, 0, 0.0)],
)
def test_half_is_for_each_thing_and_half_for_its_number(cats: int, dogs: int, value: float) -> None:
    report = counted(*side_by_side("cat", cats), *side_by_side("dog", dogs, 0.5))
    assert report.score.value == pytest.approx(value)
    assert [(each.expected, each.observed) for each in evidence_of(report).findings] == [
        ("2 cat", f"{cats} detected"),
        ("1 dog", f"{dogs} detected"),
    ]


def test_boxes_of_one_name_at_one_place_are_one_thing() -> None:
    large, inner, other = Box(0, 0, 0.5, 0.5), Box(0.1, 0.1, 0.4, 0.4), Box(0.3, 0, 0.8, 0.5)
    found = [Detection("cat", box, 0.5) for box in (large, inner, other)]
    assert count_boxes("cat", found) == 2
    assert count_boxes("dog", found) == 0


def test_a_number_that_the_prompt_leaves_open_is_not_counted() -> None:
    report = counted(*side_by_side("cat", 5), prompt="cats")
    assert report.score == LEFT_OUT
    assert evidence_of(report).findings[0].note == NO_NUMBER


@pytest.mark.parametrize(
    "prompt, balls, value",
    [
        ("a red ball and a blue ball", 2, 1.0),
        ("a red ball and a blue ball", 1, 0.5),
        ("two red balls and three blue balls", 5, 1.0),
        ("a ball next to another ball", 2, 1.0),
        ("two balls on a lawn; one ball is red", 2, 0.5),
        ("two red balls and some blue balls", 2, None),
    ],
)
def test_things_of_one_name_are_counted_together(
    prompt: str, balls: int, value: float | None
) -> None:
    assert counted(*side_by_side("ball", balls), prompt=prompt).score.value == value


@pytest.mark.parametrize("metric", ["numeracy", "spatial", "3-in-1"])
def test_a_prompt_that_cannot_be_read_has_no_score_and_its_reason(metric: str) -> None:
    prompt = "ein Hund links neben drei roten Autos"
    requests: list[Request] = []
    report = judge_by(f"compbench-{metric}", reply_well, requests, prompt)
    assert (report.score, requests) == (LEFT_OUT, [])
    assert evidence_of(report).findings[0].note == read_prompt(prompt).unreadable != ""


PROMPT = "a cat to the left of a dog"
LEFT = Box(0.1, 0.4, 0.3, 0.6)
RIGHT = Box(0.7, 0.4, 0.9, 0.6)


def detected(*each: tuple[str, Box, float]) -> Reply:
    return Detected(tuple(Detection(phrase, box, score) for phrase, box, score in each))


def scored(prompt: str, reply: Reply, requests: list[Request] | None = None) -> Report:
    return judge_by("compbench-spatial", lambda _: reply, requests, prompt)


@pytest.mark.parametrize(
    "relation, subject, anchor, score",
    cases("compbench", "a_relation_is_scored_by_centers_overlap_and_distance", "metrics"),
)
def test_a_relation_is_scored_by_centers_overlap_and_distance(
    relation: str, subject: list[float], anchor: list[float], score: float
) -> None:
    assert relation_score(relation, Box(*subject), Box(*anchor)) == pytest.approx(score)


def test_both_things_and_their_relation_count_half_each() -> None:
    requests: list[Request] = []
    seen = detected(("cat", RIGHT, 0.3), ("cat", LEFT, 0.8), ("dog", RIGHT, 0.6))  # surest counts
    report = scored(PROMPT, seen, requests)
    assert report.score.value == pytest.approx(0.25 * 0.8 + 0.25 * 0.6 + 0.5)
    assert [one.phrases for one in requests if isinstance(one, Detect)] == [("cat", "dog")]
    (finding,) = evidence_of(report).findings
    assert (finding.expected, finding.state) == ("cat left of dog", "correct")
    assert PROMPT[slice(*finding.prompt_spans[0])].startswith("to the left of")


@pytest.mark.parametrize(
    "reply",
    [
        detected(("cat", RIGHT, 0.9), ("dog", LEFT, 0.9)),  # 0.45 for both things
        detected(("cat", LEFT, 1.0)),
        detected(),
    ],
)
def test_a_wrong_place_and_a_missing_thing_are_0(reply: Reply) -> None:
    report = scored(PROMPT, reply)
    assert report.score.value == 0
    assert evidence_of(report).findings[0].state == "incorrect"


def test_a_prompt_without_a_spatial_relation_and_a_failed_detector_have_no_score() -> None:
    report = scored("a red cat", detected())
    assert report.score == LEFT_OUT
    assert evidence_of(report).findings[0].note == NO_RELATION
    assert scored(PROMPT, Failure("broken", "It is out.")).score == LEFT_OUT


@pytest.mark.parametrize("prompt", ["a red cat to the left of a gray cat", "a cat next to a cat"])
def test_a_relation_of_two_things_of_one_name_has_no_score(prompt: str) -> None:
    report = scored(prompt, detected(("cat", LEFT, 0.9), ("cat", RIGHT, 0.8)))
    assert report.score == LEFT_OUT
    assert evidence_of(report).findings[0].note == NO_RELATION


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


def scored_in_parts(prompt: str, requests: list[Request] | None = None) -> Report:
    return judge_by("compbench-3-in-1", reply_well, requests, prompt)


@pytest.mark.parametrize(
    "prompt, parts",
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
    report = scored_in_parts(prompt, requests)
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
    assert report.scores["spatial"] == LEFT_OUT


def test_a_cosine_below_zero_counts_as_zero() -> None:
    def reply(request: Request) -> Reply:
        is_text = isinstance(request, Embed) and request.image is None
        return Embedded((-1.0, 0.0)) if is_text else reply_well(request)

    assert judge_by("compbench-3-in-1", reply, prompt=ACTION).scores["action"].value == 0
