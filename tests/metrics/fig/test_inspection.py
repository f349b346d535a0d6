"""Things are detected, cut out, described and reported; what fails is left out."""

import json
from typing import Any

import pytest

from hallascope import metrics
from hallascope.data.records import Report, Score
from hallascope.data.regions import Box, TextLine
from hallascope.data.requests import (
    Answer,
    Describe,
    Detect,
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
    BUG,
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
    mask_replies,
    report_of,
    states_by_kind,
)
from tests.support.fig_stages import CASES
from tests.support.scripted_vision import evidence_of


def test_the_requests_are_one_detect_one_segment_and_a_description_of_every_box() -> None:
    plan = fig.metric().plan(CASE)
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


def test_a_segmenter_that_fails_on_all_is_asked_for_each_box_alone() -> None:
    plan = fig.metric().plan(CASE)
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
    assert report.published["score"] == 3 / 8  # two objects and six pairs
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


def test_an_empty_mask_and_masks_in_the_wrong_number_are_left_out_with_their_number() -> None:
    report = report_of(
        detection_replies(*DETECTED_THINGS),
        mask_replies(ONE),  # too few: each is asked for alone
        [*mask_replies(ONE), *mask_replies(TWO, TWO), Segmented((EMPTY,))],
        caption_replies("A red circle"),
    )
    assert [one.failure for one in evidence_of(report).segments] == [
        None,
        "the segmenter gave 2 masks for one box.",
        "the segmenter found nothing in its box.",
    ]
    assert states_by_kind(report)["number"] == ["failed"]


SIGN = Case(prompt='A sign that says "Hello World"', image=PICTURE, roles=frozenset({"reader"}))


def read(*lines: tuple[str, Box]) -> Reply:
    return TextRead(tuple(TextLine(text, box, 0.9) for text, box in lines))


def test_the_reader_is_asked_where_the_prompt_asks_for_text_and_goes_before_the_captioner() -> None:
    plan = fig.metric().plan(SIGN)
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
    )
    assert report.scores["text_published"] == Score(1.0, 1, 0)  # it compares the caption alone
    assert evidence_of(report).segments[0].written == "Helo World"


WRITTEN = Case(prompt=PROMPT, image=PICTURE, roles=frozenset({"writer"}))
PHRASES = Answer(json.dumps({"phrases": ["red circle", "square", "shadow"]}))
META = (
    "The picture shows two red circles and a blue square. The circles are to the left of the"
    " square."
)


def test_a_writer_adds_phrases_and_writes_the_meta_caption_without_the_prompt() -> None:
    plan = fig.metric().plan(WRITTEN)
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
    assert evidence_of(report).caption == META
    assert report.version != report_of(*CORRECT_STEPS).version


@pytest.mark.parametrize(
    "steps, note",
    [
        ([[TIMEOUT]], "The writer did not name the things of the prompt: "),
        ([[Answer("I will not.")]], "The writer did not name the things of the prompt: "),
        ([[PHRASES], *CORRECT_STEPS, [TIMEOUT]], "The writer gave no meta-caption: "),
        (
            [[PHRASES], *CORRECT_STEPS, [Answer("The picture shows a", truncated=True)]],
            "The writer gave no meta-caption: ",
        ),
    ],
)
def test_a_writer_that_fails_leaves_everything_out(steps: list[list[Reply]], note: str) -> None:
    report = report_of(*steps, case=WRITTEN)
    assert report.score == Score(None, 0, 6)
    assert all(finding.note.startswith(note) for finding in evidence_of(report).findings)


@pytest.mark.parametrize("case", CASES["inspections"])
def test_what_is_detected_and_described_has_the_findings_of_the_table(case: dict[str, Any]) -> None:
    phrases, boxes, captions = list(zip(*case["seen"], strict=True)) or [()] * 3
    places = [Box(*at) for at in boxes]
    steps = [detection_replies(*zip(phrases, places, strict=True))]
    if places:
        steps += [mask_replies(*places), caption_replies(*captions)]
    report = report_of(*steps, case=Case(prompt=case["prompt"], image=PICTURE, vocabulary="primer"))
    for kind, expected in case["findings"].items():
        found = findings_of_kind(report, kind)
        assert [
            [one.expected, one.observed, one.state, [*one.segments]] for one in found
        ] == expected
    for name, score in case["scores"].items():
        assert report.scores[name] == Score(*score)


def test_every_finding_points_at_its_words_and_segments() -> None:
    report = report_of(*CORRECT_STEPS)
    evidence = evidence_of(report)
    assert evidence is not None
    (number,) = findings_of_kind(report, "number")
    assert [PROMPT[slice(*span)] for span in number.prompt_spans] == ["two", "circles"]
    assert [evidence.caption[slice(*span)] for span in number.caption_spans] == ["two red circles"]
    assert number.segments == ("s1", "s2")
    (position,) = findings_of_kind(report, "position")
    assert [PROMPT[slice(*span)] for span in position.prompt_spans] == [
        "circles",
        "to the left of",
        "square",
    ]
    assert position.segments == ("s1", "s2", "s3")
    assert (number.expected, number.observed) == ("two circles", "two red circles")
    assert (position.expected, position.observed) == (
        "circle to the left of the square",
        "circle to the left of the square",
    )
    assert evidence.phrases == ("circle", "square")


def test_what_nobody_asked_for_takes_detector_and_captioner() -> None:
    """What the two call by two names is no thing, nor is what the captioner alone calls a thing
    that was asked for.
    """
    found, boxes = [*DETECTED_THINGS, ("ladybug", BUG)], (ONE, TWO, SQUARE, BUG)
    told = ("A red circle", "A red circle", "A blue square")
    both = report_of(
        detection_replies(*found), mask_replies(*boxes), caption_replies(*told, "A red ladybug")
    )
    assert [one.state for one in findings_of_kind(both, "extraneous")] == ["incorrect"]
    two_names = report_of(
        detection_replies(*found), mask_replies(*boxes), caption_replies(*told, "A yellow leaf")
    )
    assert findings_of_kind(two_names, "extraneous") == []
    assert [one.phrase for one in evidence_of(two_names).segments] == ["circle", "circle", "square"]
    assert (
        "The captioner calls the detected ladybug something else" in evidence_of(two_names).notes[0]
    )
    heart = report_of(
        detection_replies(*DETECTED_THINGS),
        mask_replies(ONE, TWO, SQUARE),
        caption_replies(*told[:2], "A blue heart"),
    )
    assert findings_of_kind(heart, "extraneous") == []
    assert evidence_of(heart).notes == (
        "Named only by the captioner, not found by the detector, so not counted: heart.",
        "By the paper's rule: object 1 of 2 (missing: square); color 3 of 4 (missing: (square,"
        " blue)); number 1 of 1; position 1 of 1.",
    )
    assert heart.scores["chair_i"] == Score(0.5, 2, 0)


@pytest.mark.parametrize("text", ["Helo", "Hello World"])
def test_a_reader_that_fails_leaves_the_text_out_whatever_the_captioner_says(text: str) -> None:
    steps = (detection_replies(("sign", ONE)), mask_replies(ONE))
    lost = report_of(*steps, [Answer(f'A sign that says "{text}"'), TIMEOUT], case=SIGN)
    assert states_by_kind(lost)["text"] == ["failed"]
    assert evidence_of(lost).notes[0] == (
        "The reader read nothing: The model did not answer in 30 s."
    )


@pytest.mark.parametrize("text, state", [("Helo", "incorrect"), ("Hello World", "correct")])
def test_a_text_that_was_read_counts_whatever_becomes_of_the_captioner(
    text: str, state: str
) -> None:
    steps = (detection_replies(("sign", ONE)), mask_replies(ONE))
    report = report_of(*steps, [TIMEOUT, read((text, ONE))], case=SIGN)
    assert states_by_kind(report)["text"] == [state]


def test_what_boxes_cannot_tell_is_left_out_with_the_template_and_wrong_with_a_writer() -> None:
    prompt = "a circle in front of a square"
    seen = (
        detection_replies(("circle", ONE), ("square", SQUARE)),
        mask_replies(ONE, SQUARE),
        caption_replies("A circle", "A square"),
    )
    (by_template,) = findings_of_kind(
        report_of(*seen, case=Case(prompt=prompt, image=PICTURE)), "position"
    )
    assert (by_template.state, by_template.note) == (
        "failed",
        (
            "The template writer does not say what stands in front of what: a writer among the"
            " models can."
        ),
    )
    phrases = Answer('{"phrases": ["circle", "square"]}')
    by_writer = report_of(
        [phrases],
        *seen,
        [Answer("A circle and a square.")],
        case=Case(prompt=prompt, image=PICTURE, roles=frozenset({"writer"})),
    )
    assert states_by_kind(by_writer)["position"] == ["incorrect"]
