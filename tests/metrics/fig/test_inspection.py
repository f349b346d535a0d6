"""Things are detected, cut out and described, and what fails is asked for again or left out."""

import json

import pytest

from hallascope import metrics
from hallascope.data.records import Report, Score
from hallascope.data.regions import Box, Detection, TextLine
from hallascope.data.requests import (
    Answer,
    Describe,
    Detect,
    Detected,
    ReadText,
    Reply,
    Segment,
    Segmented,
    TextRead,
    Write,
)
from hallascope.metrics.base import Case
from hallascope.metrics.fig import plan as fig
from hallascope.metrics.fig import replies as fig_replies
from tests.support.fig_runs import (
    CASE,
    CORRECT_STEPS,
    DETECTED_THINGS,
    EMPTY,
    ONE,
    PICTURE,
    PROMPT,
    SQUARE,
    TIMEOUT,
    TWO,
    caption_replies,
    detection_replies,
    findings_of_kind,
    mask_of,
    mask_replies,
    report_of,
    states_by_kind,
)


def test_the_requests_are_one_detect_one_segment_and_a_description_of_every_box() -> None:
    plan = fig.plan(CASE)
    (detect,) = next(plan)
    assert isinstance(detect, Detect)
    assert detect.phrases[:2] == ("circle", "square")
    assert "ladybug" in detect.phrases  # what nobody asked for is looked for too
    assert len(detect.phrases) == len(set(detect.phrases))
    (segment,) = plan.send(CORRECT_STEPS[0])
    assert segment == Segment(PICTURE, (ONE, TWO, SQUARE), ("circle", "circle", "square"))
    describe = plan.send(CORRECT_STEPS[1])
    assert [isinstance(one, Describe) and one.region for one in describe] == [ONE, TWO, SQUARE]
    assert all(
        isinstance(one, Describe) and PROMPT not in one.text and one.template for one in describe
    )


@pytest.mark.parametrize("metric", ["fig", "scene-graph"])
@pytest.mark.parametrize(
    "prompt", ["a photo of a hamburger", "a wooden chair next to a wine glass", "a red circle"]
)
def test_what_else_is_looked_for_is_the_vocabulary_of_the_detector_whatever_the_prompt_says(
    metric: str, prompt: str
) -> None:
    def looked_for(vocabulary: str) -> set[str]:
        (detect,) = next(
            metrics.get(metric).plan(Case(prompt=prompt, image=PICTURE, vocabulary=vocabulary))
        )
        assert isinstance(detect, Detect)
        return set(detect.phrases)

    assert looked_for("general") >= {"person", "toothbrush", "pizza"}
    assert not looked_for("general") & {"ladybug", "Jupiter"}
    assert looked_for("primer") >= {"ladybug", "Jupiter"}
    assert not looked_for("primer") & {"person", "toothbrush"}


def test_no_thing_of_the_prompt_is_looked_for_twice() -> None:
    (detect,) = next(fig.plan(Case(prompt="A wooden chair next to a wine glass", image=PICTURE)))
    assert isinstance(detect, Detect)
    assert detect.phrases[:2] == ("chair", "wine glass")
    assert detect.phrases.count("chair") == 1


def test_two_hundred_boxes_are_forty_segments() -> None:
    boxes = [
        ("circle", Box(x / 20, y / 10, x / 20 + 0.04, y / 10 + 0.08))
        for x in range(20)
        for y in range(10)
    ]
    kept = [box for _, box in boxes[:40]]
    report = report_of(
        [Detected(tuple(Detection(p, b, 1 - at / 300) for at, (p, b) in enumerate(boxes)))],
        mask_replies(*kept),
        caption_replies(*["A circle"] * 40),
    )
    assert report.evidence is not None
    assert len(report.evidence.segments) == 40
    assert "160 more things were detected and left out" in report.evidence.notes[0]
    assert [one.observed for one in findings_of_kind(report, "number")] == ["40 circles"]


def test_two_names_on_one_thing_are_one_segment_by_what_the_captioner_says() -> None:
    report = report_of(
        detection_replies(("circle", ONE), ("square", ONE)),
        mask_replies(ONE, ONE),
        caption_replies("A red circle", "A red circle"),
    )
    assert report.evidence is not None
    assert report.evidence.caption == "The picture shows a red circle."
    assert report.evidence.notes == (
        "1 box shows a thing that another box shows already, and was left out.",
    )


def test_a_segmenter_that_fails_on_all_is_asked_for_each_box_alone() -> None:
    plan = fig.plan(CASE)
    next(plan)
    plan.send(detection_replies(*DETECTED_THINGS))
    again = plan.send([TIMEOUT])
    assert [one.boxes for one in again if isinstance(one, Segment)] == [(ONE,), (TWO,), (SQUARE,)]
    report = run_on(
        plan,
        [*mask_replies(ONE), *mask_replies(TWO), TIMEOUT],
        caption_replies("A red circle", "A red circle"),
    )
    assert states_by_kind(report) == {
        "object": ["correct", "failed"],
        "color": ["correct", "failed"],
        "number": ["correct"],
        "position": ["failed"],
    }
    assert report.score == Score(1.0, 3, 3)
    assert report.published["score"] == 0.5
    assert (
        findings_of_kind(report, "object")[1].note
        == "Square was detected and not looked at: the segmenter gave no mask: The model did not"
        " answer in 30 s."
    )


def run_on(plan: metrics.base.Plan, *steps: list[Reply]) -> Report:
    for step in steps[:-1]:
        plan.send(step)
    with pytest.raises(StopIteration) as done:
        plan.send(steps[-1])
    report = done.value.value
    assert isinstance(report, Report)
    return report


def test_an_empty_mask_is_left_out_and_its_number_with_it() -> None:
    report = report_of(
        detection_replies(*DETECTED_THINGS),
        [Segmented((mask_of(ONE), EMPTY, mask_of(SQUARE)))],
        caption_replies("A red circle", "A blue square"),
    )
    assert states_by_kind(report) == {
        "object": ["correct", "correct"],
        "color": ["correct", "correct"],
        "number": ["failed"],
        "position": ["correct"],
    }
    assert report.evidence is not None
    assert report.evidence.segments[1].failure == "the segmenter found nothing in its box."


def test_masks_in_the_wrong_number_are_asked_for_alone() -> None:
    report = report_of(
        detection_replies(*DETECTED_THINGS),
        mask_replies(ONE),
        [*mask_replies(ONE), *mask_replies(TWO, TWO), *mask_replies(SQUARE)],
        caption_replies("A red circle", "A blue square"),
    )
    assert report.evidence is not None
    assert [one.failure for one in report.evidence.segments] == [
        None,
        "the segmenter gave 2 masks for one box.",
        None,
    ]


SIGN = Case(prompt='A sign that says "Hello World"', image=PICTURE, roles=frozenset({"reader"}))


def read(*lines: tuple[str, Box]) -> Reply:
    return TextRead(tuple(TextLine(text, box, 0.9) for text, box in lines))


def test_the_reader_is_asked_where_the_prompt_asks_for_text_and_goes_before_the_captioner() -> None:
    plan = fig.plan(SIGN)
    next(plan)
    plan.send(detection_replies(("sign", ONE)))
    asked = plan.send(mask_replies(ONE))
    assert asked[1] == ReadText(PICTURE)
    report = run_on(
        plan,
        [
            Answer('A sign that says "Hello World"'),
            read(("Helo", ONE), ("World", ONE), ("exit", SQUARE)),
        ],
    )
    (text,) = findings_of_kind(report, "text")
    assert (text.state, text.lenient_state, text.observed) == ("incorrect", "correct", "Helo World")
    assert (
        text.note
        == "The reader reads “Helo World” and the captioner says “Hello World”: the reader counts."
        " As published it is met: the caption has this very pair."
    )
    assert report.evidence is not None
    assert report.evidence.segments[0].written == "Helo World"


WRITTEN = Case(prompt=PROMPT, image=PICTURE, roles=frozenset({"writer"}))
PHRASES = Answer(json.dumps({"phrases": ["red circle", "square", "shadow"]}))
META = (
    "The picture shows two red circles and a blue square. The circles are to the left of the"
    " square."
)


def test_a_writer_adds_phrases_and_writes_the_meta_caption_without_the_prompt() -> None:
    plan = fig.plan(WRITTEN)
    (asked,) = next(plan)
    assert isinstance(asked, Write)
    assert asked.schema == fig_replies.SCHEMA
    assert PROMPT in asked.text
    (detect,) = plan.send([PHRASES])
    assert isinstance(detect, Detect)
    assert detect.phrases[:3] == ("circle", "square", "shadow")
    plan.send(CORRECT_STEPS[0])
    plan.send(CORRECT_STEPS[1])
    (meta,) = plan.send(CORRECT_STEPS[2])
    assert isinstance(meta, Write)
    assert "1. (0.10, 0.20): A red circle" in meta.text
    assert PROMPT not in meta.text
    report = run_on(plan, [Answer(META)])
    assert report.score == Score(1.0, 6, 0)
    assert report.evidence is not None
    assert report.evidence.caption == META
    assert report.version != report_of(*CORRECT_STEPS).version


@pytest.mark.parametrize("reply", [TIMEOUT, Answer("I will not."), Answer('{"phrases": "circle"}')])
def test_phrases_that_are_missing_or_cannot_be_read_leave_everything_out(reply: Reply) -> None:
    report = report_of([reply], case=WRITTEN)
    assert report.score == Score(None, 0, 6)
    assert report.evidence is not None
    assert all(
        finding.note.startswith("The writer did not name the things of the prompt: ")
        for finding in report.evidence.findings
    )


@pytest.mark.parametrize(
    "reply", [TIMEOUT, Answer(""), Answer("The picture shows a", truncated=True)]
)
def test_a_meta_caption_that_is_missing_or_broken_off_leaves_everything_out(reply: Reply) -> None:
    report = report_of([PHRASES], *CORRECT_STEPS, [reply], case=WRITTEN)
    assert report.score == Score(None, 0, 6)
    assert report.evidence is not None
    assert report.evidence.notes[-1].startswith("The writer gave no meta-caption: ")
    assert len(report.evidence.segments) == 3


DOG, COLLAR = Box(0.2, 0.2, 0.8, 0.8), Box(0.4, 0.5, 0.6, 0.6)


BARE = Case(prompt="a dog without a collar", image=PICTURE)


def test_what_the_prompt_forbids_is_looked_for_and_is_no_thing_it_asks_for() -> None:
    (detect,) = next(fig.plan(BARE))
    assert isinstance(detect, Detect)
    assert detect.phrases[:2] == ("dog", "collar")
    report = report_of(
        detection_replies(("dog", DOG)),
        mask_replies(DOG),
        caption_replies("A brown dog."),
        case=BARE,
    )
    assert [
        (one.expected, one.observed, one.state) for one in findings_of_kind(report, "object")
    ] == [
        ("dog", "dog", "correct"),
        ("no collar", "", "correct"),
    ]
    assert findings_of_kind(report, "extraneous") == []
    assert report.score == Score(1.0, 2, 0)
    assert report.evidence is not None
    assert report.evidence.phrases == ("dog",)
