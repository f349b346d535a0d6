"""Reports give every row its state, its words and its segments, and say what is left out."""

import numpy as np
import pytest

from hallascope.data import masks
from hallascope.data.records import Score
from hallascope.data.regions import Box, TextLine
from hallascope.data.requests import Answer, Detect, Reply, Segmented, TextRead
from hallascope.metrics.base import Case
from hallascope.metrics.fig import plan as fig
from tests.support.fig_runs import (
    BUG,
    CORRECT_STEPS,
    DETECTED_THINGS,
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


def test_every_finding_points_at_its_words_and_segments() -> None:
    report = report_of(*CORRECT_STEPS)
    evidence = report.evidence
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


def test_wrong_colors_numbers_positions_and_extras_are_found() -> None:
    seen = [
        ("square", Box(0.0, 0.4, 0.2, 0.6)),
        ("circle", Box(0.7, 0.1, 0.9, 0.3)),
        ("ladybug", BUG),
    ]
    report = report_of(
        detection_replies(*seen),
        mask_replies(*(box for _, box in seen)),
        caption_replies("A blue square", "A green circle", "A ladybug"),
    )
    assert states_by_kind(report) == {
        "object": ["correct", "correct"],
        "color": ["incorrect", "correct"],
        "number": ["incorrect"],
        "position": ["incorrect"],
        "extraneous": ["incorrect"],
    }
    (extra,) = findings_of_kind(report, "extraneous")
    assert (extra.expected, extra.observed, extra.prompt_spans, extra.segments) == (
        "",
        "ladybug",
        (),
        ("s3",),
    )
    assert [one.observed for one in findings_of_kind(report, "color")] == [
        "a green circle",
        "a blue square",
    ]
    assert report.score == Score(3 / 6, 6, 0)


def test_a_thing_that_is_captioned_as_another_is_missing_and_its_segment_is_shown() -> None:
    report = report_of(
        detection_replies(("circle", ONE), ("square", SQUARE)),
        mask_replies(ONE, SQUARE),
        caption_replies("A red heart", "A blue square"),
    )
    missing, there = findings_of_kind(report, "object")
    assert (missing.state, missing.observed, missing.segments) == ("incorrect", "", ("s1",))
    assert there.state == "correct"
    assert report.scores["chair_i"] == Score(0.5, 2, 0)
    assert report.scores["chair_s"] == Score(1.0, 1, 0)


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
    assert two_names.evidence is not None
    assert [one.phrase for one in two_names.evidence.segments] == ["circle", "circle", "square"]
    assert (
        "What was detected as ladybug is something else by the captioner"
        in two_names.evidence.notes[0]
    )
    heart = report_of(
        detection_replies(*DETECTED_THINGS),
        mask_replies(ONE, TWO, SQUARE),
        caption_replies(*told[:2], "A blue heart"),
    )
    assert findings_of_kind(heart, "extraneous") == []
    assert heart.evidence is not None
    assert heart.evidence.notes == (
        "The prompt does not name it and only the captioner does, so it is no finding: heart.",
    )
    assert heart.scores["chair_i"] == Score(0.5, 2, 0)


def test_nothing_found_is_wrong_and_not_left_out() -> None:
    report = report_of(detection_replies())
    assert report.score == Score(0.0, 6, 0)
    assert report.scores["chair_i"] == Score(None, 0, 0)


@pytest.mark.parametrize("reply", [TIMEOUT, Answer("It is hard to say."), Answer("")])
def test_a_captioner_that_fails_on_the_only_one_leaves_out_what_was_asked_of_it(
    reply: Reply,
) -> None:
    report = report_of(
        detection_replies(*DETECTED_THINGS),
        mask_replies(ONE, TWO, SQUARE),
        [*caption_replies("A red circle", "A red circle"), reply],
    )
    assert states_by_kind(report)["object"] == ["correct", "failed"]
    assert states_by_kind(report)["position"] == ["failed"]
    assert report.scores["number"] == Score(1.0, 1, 0)


SIGN = Case(prompt='A sign that says "Hello World"', image=PICTURE, roles=frozenset({"reader"}))


def read(*lines: tuple[str, Box]) -> Reply:
    return TextRead(tuple(TextLine(text, box, 0.9) for text, box in lines))


def test_a_reader_that_fails_leaves_the_text_out_unless_the_captioner_settles_it() -> None:
    steps = (detection_replies(("sign", ONE)), mask_replies(ONE))
    lost = report_of(*steps, [Answer('A sign that says "Helo"'), TIMEOUT], case=SIGN)
    assert states_by_kind(lost)["text"] == ["failed"]
    assert lost.evidence is not None
    assert lost.evidence.notes == ("The reader read nothing: The model did not answer in 30 s.",)
    settled = report_of(*steps, [Answer('A sign that says "Hello World"'), TIMEOUT], case=SIGN)
    assert states_by_kind(settled)["text"] == ["correct"]


def test_without_a_reader_the_captioner_is_believed() -> None:
    case = Case(prompt=SIGN.prompt, image=PICTURE)
    report = report_of(
        detection_replies(("sign", ONE)),
        mask_replies(ONE),
        caption_replies("A sign that says “Hello World”"),
        case=case,
    )
    assert states_by_kind(report)["text"] == ["correct"]
    assert (
        report_of(detection_replies(), case=case).version
        != report_of(detection_replies(), [read()], case=SIGN).version
    )


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
    missing = report_of(
        *(
            step[:1]
            for step in (
                detection_replies(("circle", ONE)),
                mask_replies(ONE),
                caption_replies("A circle"),
            )
        ),
        case=Case(prompt=prompt, image=PICTURE),
    )
    assert states_by_kind(missing)["position"] == ["incorrect"]


DOG, COLLAR = Box(0.2, 0.2, 0.8, 0.8), Box(0.4, 0.5, 0.6, 0.6)


BARE = Case(prompt="a dog without a collar", image=PICTURE)


@pytest.mark.parametrize(
    "prompt",
    [
        "a dog without a collar",
        "a dog with no collar",
        "a dog without any collar",
        "a dog. There is no collar.",
    ],
)
def test_what_the_prompt_forbids_and_is_seen_is_an_extra_and_counts_as_wrong(prompt: str) -> None:
    seen = (
        detection_replies(("dog", DOG), ("collar", COLLAR)),
        mask_replies(DOG, COLLAR),
        caption_replies("A brown dog.", "A red collar."),
    )
    report = report_of(*seen, case=Case(prompt=prompt, image=PICTURE))
    assert [
        (one.expected, one.observed, one.state) for one in findings_of_kind(report, "object")
    ] == [
        ("dog", "dog", "correct"),
        ("no collar", "collar", "incorrect"),
    ]
    (extra,) = findings_of_kind(report, "extraneous")
    assert (extra.observed, extra.state, extra.segments) == ("collar", "incorrect", ("s2",))
    assert report.score == Score(0.5, 2, 0)


def test_what_the_prompt_forbids_is_an_extra_where_the_captioner_alone_names_it() -> None:
    report = report_of(
        detection_replies(("dog", DOG)),
        mask_replies(DOG),
        caption_replies("A dog with a collar."),
        case=BARE,
    )
    (extra,) = findings_of_kind(report, "extraneous")
    assert (extra.observed, extra.state, extra.segments) == ("collar", "incorrect", ("s1",))
    assert report.score == Score(0.5, 2, 0)


def test_of_several_things_behind_without_all_are_forbidden_and_what_follows_and_is_asked_for() -> (
    None
):
    (detect,) = next(
        fig.plan(Case(prompt="a dog without a hat or a scarf next to a cat", image=PICTURE))
    )
    assert isinstance(detect, Detect)
    assert detect.phrases[:4] == ("dog", "cat", "hat", "scarf")


def test_what_is_forbidden_and_was_detected_and_not_looked_at_is_left_out() -> None:
    gone = Segmented(
        (masks.encode(masks.box_pixels(DOG, 32, 32)), masks.encode(np.zeros((32, 32), bool)))
    )
    report = report_of(
        detection_replies(("dog", DOG), ("collar", COLLAR)),
        [gone],
        caption_replies("A brown dog."),
        case=BARE,
    )
    assert [one.state for one in findings_of_kind(report, "object")] == ["correct", "failed"]
