"""FiG as a plan: what it asks of whom, what becomes of every fault, and that nothing lost is ever
counted as wrong.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope import metrics
from hallascope.data import masks
from hallascope.data.evidence import Finding
from hallascope.data.records import Picture, Report, Score
from hallascope.data.regions import Box, Detection, Mask, TextLine
from hallascope.data.requests import (
    Answer,
    Describe,
    Detect,
    Detected,
    Failure,
    ReadText,
    Reply,
    Segment,
    Segmented,
    TextRead,
    Write,
)
from hallascope.metrics.base import Case, reply_of, run, text_reply
from hallascope.metrics.fig import plan as fig
from hallascope.metrics.fig import replies as fig_replies
from hallascope.metrics.fig.attributes import ATTRIBUTES

PICTURE = Picture("ab" * 32, Path("circles.png"))
PROMPT = "two red circles to the left of a blue square"
CASE = Case(prompt=PROMPT, image=PICTURE, vocabulary="primer")
GONE = Failure("timeout", "The model did not answer in 30 s.")
ONE, TWO, SQUARE, BUG = (
    Box(0.0, 0.1, 0.2, 0.3),
    Box(0.0, 0.6, 0.2, 0.8),
    Box(0.6, 0.4, 0.8, 0.6),
    Box(0.7, 0.75, 0.9, 0.95),
)
FOUND = [("circle", ONE), ("circle", TWO), ("square", SQUARE)]


def detected(*found: tuple[str, Box]) -> list[Reply]:
    return [
        Detected(
            tuple(Detection(phrase, box, 0.9 - 0.01 * at) for at, (phrase, box) in enumerate(found))
        )
    ]


def mask(box: Box) -> Mask:
    return masks.encode(masks.inside(box, 40, 40))


def cut(*boxes: Box) -> list[Reply]:
    return [Segmented(tuple(map(mask, boxes)))]


def said(*captions: str) -> list[Reply]:
    return [Answer(caption) for caption in captions]


EMPTY = masks.encode(np.zeros((40, 40), dtype=bool))
RIGHT = (
    detected(*FOUND),
    cut(ONE, TWO, SQUARE),
    said("A red circle", "A red circle", "A blue square"),
)


def evaluated(*steps: list[Reply], case: Case = CASE) -> Report:
    return run(fig.plan(case), steps)


def findings(report: Report, kind: str) -> list[Finding]:
    assert report.evidence is not None
    return [one for one in report.evidence.findings if one.kind == kind]


def states(report: Report) -> dict[str, list[str]]:
    assert report.evidence is not None
    kinds = dict.fromkeys(one.kind for one in report.evidence.findings)
    return {kind: [one.state for one in findings(report, kind)] for kind in kinds}


# --- as it should go
# --------------------------------------------------------------------------------------------------


def test_a_picture_that_shows_what_was_asked_for_is_right_in_every_row() -> None:
    report = evaluated(*RIGHT)
    assert states(report) == {
        "object": ["correct", "correct"],
        "color": ["correct", "correct"],
        "number": ["correct"],
        "position": ["correct"],
    }
    assert (report.metric, report.score, report.scores["soft"]) == (
        "fig",
        Score(1.0, 6, 0),
        Score(1.0, 6, 0),
    )
    assert report.scores["text"] == Score(None, 0, 0)
    assert report.scores["chair_i"] == Score(0.0, 2, 0)
    assert report.published == {
        "score": 1.0,
        "object": 1.0,
        "color": 1.0,
        "number": 1.0,
        "position": 1.0,
        "text": None,
    }


def test_the_requests_are_one_detect_one_segment_and_a_description_of_every_box() -> None:
    plan = fig.plan(CASE)
    (detect,) = next(plan)
    assert isinstance(detect, Detect)
    assert detect.phrases[:2] == ("circle", "square")
    assert "ladybug" in detect.phrases  # what nobody asked for is looked for too
    assert len(detect.phrases) == len(set(detect.phrases))
    (segment,) = plan.send(RIGHT[0])
    assert segment == Segment(PICTURE, (ONE, TWO, SQUARE), ("circle", "circle", "square"))
    describe = plan.send(RIGHT[1])
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


def test_every_finding_points_at_its_words_and_segments() -> None:
    report = evaluated(*RIGHT)
    evidence = report.evidence
    assert evidence is not None
    (number,) = findings(report, "number")
    assert [PROMPT[slice(*span)] for span in number.prompt_spans] == ["two", "circles"]
    assert [evidence.caption[slice(*span)] for span in number.caption_spans] == ["two red circles"]
    assert number.segments == ("s1", "s2")
    (position,) = findings(report, "position")
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
    report = evaluated(
        detected(*seen),
        cut(*(box for _, box in seen)),
        said("A blue square", "A green circle", "A ladybug"),
    )
    assert states(report) == {
        "object": ["correct", "correct"],
        "color": ["incorrect", "correct"],
        "number": ["incorrect"],
        "position": ["incorrect"],
        "extraneous": ["incorrect"],
    }
    (extra,) = findings(report, "extraneous")
    assert (extra.expected, extra.observed, extra.prompt_spans, extra.segments) == (
        "",
        "ladybug",
        (),
        ("s3",),
    )
    assert [one.observed for one in findings(report, "color")] == [
        "a green circle",
        "a blue square",
    ]
    assert report.score == Score(3 / 6, 6, 0)


def test_a_thing_that_is_captioned_as_another_is_missing_and_its_segment_is_shown() -> None:
    report = evaluated(
        detected(("circle", ONE), ("square", SQUARE)),
        cut(ONE, SQUARE),
        said("A red heart", "A blue square"),
    )
    missing, there = findings(report, "object")
    assert (missing.state, missing.observed, missing.segments) == ("incorrect", "", ("s1",))
    assert there.state == "correct"
    assert report.scores["chair_i"] == Score(0.5, 2, 0)
    assert report.scores["chair_s"] == Score(1.0, 1, 0)


def test_what_nobody_asked_for_takes_detector_and_captioner() -> None:
    """What the two call by two names is no thing, nor is what the captioner alone calls a thing
    that was asked for.
    """
    found, boxes = [*FOUND, ("ladybug", BUG)], (ONE, TWO, SQUARE, BUG)
    told = ("A red circle", "A red circle", "A blue square")
    both = evaluated(detected(*found), cut(*boxes), said(*told, "A red ladybug"))
    assert [one.state for one in findings(both, "extraneous")] == ["incorrect"]
    two_names = evaluated(detected(*found), cut(*boxes), said(*told, "A yellow leaf"))
    assert findings(two_names, "extraneous") == []
    assert two_names.evidence is not None
    assert [one.phrase for one in two_names.evidence.segments] == ["circle", "circle", "square"]
    assert (
        "What was detected as ladybug is something else by the captioner"
        in two_names.evidence.notes[0]
    )
    heart = evaluated(detected(*FOUND), cut(ONE, TWO, SQUARE), said(*told[:2], "A blue heart"))
    assert findings(heart, "extraneous") == []
    assert heart.evidence is not None
    assert heart.evidence.notes == (
        "Nobody asked for it and only the captioner names it, so it is no finding: heart.",
    )
    assert heart.scores["chair_i"] == Score(0.5, 2, 0)


def test_nothing_found_is_wrong_and_not_left_out() -> None:
    report = evaluated(detected())
    assert report.score == Score(0.0, 6, 0)
    assert report.scores["chair_i"] == Score(None, 0, 0)


@pytest.mark.parametrize("prompt", ["", "beautiful, 8k", "the image"])
def test_a_prompt_that_names_nothing_has_no_scores_and_asks_nobody(prompt: str) -> None:
    with pytest.raises(StopIteration) as done:
        next(fig.plan(Case(prompt=prompt, image=PICTURE)))
    report = done.value.value
    assert report.score == Score(None, 0, 0)
    assert report.evidence.notes == (fig.NO_THING,)


def test_two_hundred_boxes_are_forty_segments() -> None:
    boxes = [
        ("circle", Box(x / 20, y / 10, x / 20 + 0.04, y / 10 + 0.08))
        for x in range(20)
        for y in range(10)
    ]
    kept = [box for _, box in boxes[:40]]
    report = evaluated(
        [Detected(tuple(Detection(p, b, 1 - at / 300) for at, (p, b) in enumerate(boxes)))],
        cut(*kept),
        said(*["A circle"] * 40),
    )
    assert report.evidence is not None
    assert len(report.evidence.segments) == 40
    assert "160 more things were detected and left out" in report.evidence.notes[0]
    assert [one.observed for one in findings(report, "number")] == ["40 circles"]


def test_a_prompt_of_three_hundred_words_is_looked_at() -> None:
    prompt = "A red dog and two cats on a wooden table beside the old green bus. " * 22
    report = evaluated(detected(), case=Case(prompt=prompt, image=PICTURE))
    assert report.scores["object"] == Score(0.0, 4, 0)


def test_marks_of_emphasis_and_lists_are_no_words() -> None:
    report = evaluated(
        detected(("cat", ONE)),
        cut(ONE),
        said("**A cat** with\n- whiskers\n- a pink nose."),
        case=Case(prompt="a cat", image=PICTURE),
    )
    assert report.evidence is not None
    assert report.evidence.segments[0].caption == "A cat with, whiskers, a pink nose."


def test_two_names_on_one_thing_are_one_segment_by_what_the_captioner_says() -> None:
    report = evaluated(
        detected(("circle", ONE), ("square", ONE)),
        cut(ONE, ONE),
        said("A red circle", "A red circle"),
    )
    assert report.evidence is not None
    assert report.evidence.caption == "The picture shows a red circle."
    assert report.evidence.notes == (
        "1 box shows a thing that another box shows already, and was left out.",
    )


# --- faults
# --------------------------------------------------------------------------------------------------


def test_a_detector_that_fails_leaves_everything_out() -> None:
    report = evaluated([GONE])
    assert report.score == Score(None, 0, 6)
    assert report.scores["object"] == Score(None, 0, 2)
    assert report.scores["chair_i"] == Score(None, 0, 1)
    assert report.published["score"] == 0.0
    assert report.evidence is not None
    assert {one.state for one in report.evidence.findings} == {"failed"}
    assert (
        report.evidence.findings[0].note
        == "The detector gave nothing: The model did not answer in 30 s."
    )


def test_a_segmenter_that_fails_on_all_is_asked_for_each_box_alone() -> None:
    plan = fig.plan(CASE)
    next(plan)
    plan.send(detected(*FOUND))
    again = plan.send([GONE])
    assert [one.boxes for one in again if isinstance(one, Segment)] == [(ONE,), (TWO,), (SQUARE,)]
    report = run_on(plan, [*cut(ONE), *cut(TWO), GONE], said("A red circle", "A red circle"))
    assert states(report) == {
        "object": ["correct", "failed"],
        "color": ["correct", "failed"],
        "number": ["correct"],
        "position": ["failed"],
    }
    assert report.score == Score(1.0, 3, 3)
    assert report.published["score"] == 0.5
    assert (
        findings(report, "object")[1].note
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
    report = evaluated(
        detected(*FOUND),
        [Segmented((mask(ONE), EMPTY, mask(SQUARE)))],
        said("A red circle", "A blue square"),
    )
    assert states(report) == {
        "object": ["correct", "correct"],
        "color": ["correct", "correct"],
        "number": ["failed"],
        "position": ["correct"],
    }
    assert report.evidence is not None
    assert report.evidence.segments[1].failure == "the segmenter found nothing in its box."


@pytest.mark.parametrize("reply", [GONE, Answer("It is hard to say."), Answer("")])
def test_a_captioner_that_fails_on_the_only_one_leaves_out_what_was_asked_of_it(
    reply: Reply,
) -> None:
    report = evaluated(
        detected(*FOUND), cut(ONE, TWO, SQUARE), [*said("A red circle", "A red circle"), reply]
    )
    assert states(report)["object"] == ["correct", "failed"]
    assert states(report)["position"] == ["failed"]
    assert report.scores["number"] == Score(1.0, 1, 0)


def test_masks_in_the_wrong_number_are_asked_for_alone() -> None:
    report = evaluated(
        detected(*FOUND),
        cut(ONE),
        [*cut(ONE), *cut(TWO, TWO), *cut(SQUARE)],
        said("A red circle", "A blue square"),
    )
    assert report.evidence is not None
    assert [one.failure for one in report.evidence.segments] == [
        None,
        "the segmenter gave 2 masks for one box.",
        None,
    ]


def test_a_model_of_another_role_is_named() -> None:
    with pytest.raises(
        TypeError, match="a detector replied with Answer, not with Detected: the line-up"
    ):
        evaluated(said("A circle"))
    with pytest.raises(
        TypeError, match="a captioner replied with TextRead, not in words: the line-up"
    ):
        text_reply(TextRead(()), "captioner")
    assert reply_of(GONE, Detected, "detector") is GONE


# --- text
# --------------------------------------------------------------------------------------------------

SIGN = Case(prompt='A sign that says "Hello World"', image=PICTURE, roles=frozenset({"reader"}))


def read(*lines: tuple[str, Box]) -> Reply:
    return TextRead(tuple(TextLine(text, box, 0.9) for text, box in lines))


def test_the_reader_is_asked_where_the_prompt_asks_for_text_and_goes_before_the_captioner() -> None:
    plan = fig.plan(SIGN)
    next(plan)
    plan.send(detected(("sign", ONE)))
    asked = plan.send(cut(ONE))
    assert asked[1] == ReadText(PICTURE)
    report = run_on(
        plan,
        [
            Answer('A sign that says "Hello World"'),
            read(("Helo", ONE), ("World", ONE), ("exit", SQUARE)),
        ],
    )
    (text,) = findings(report, "text")
    assert (text.state, text.lenient_state, text.observed) == ("incorrect", "correct", "Helo World")
    assert (
        text.note
        == "The reader reads “Helo World” and the captioner says “Hello World”: the reader counts."
    )
    assert report.evidence is not None
    assert report.evidence.segments[0].written == "Helo World"


def test_a_reader_that_fails_leaves_the_text_out_unless_the_captioner_settles_it() -> None:
    steps = (detected(("sign", ONE)), cut(ONE))
    lost = evaluated(*steps, [Answer('A sign that says "Helo"'), GONE], case=SIGN)
    assert states(lost)["text"] == ["failed"]
    assert lost.evidence is not None
    assert lost.evidence.notes == ("The reader read nothing: The model did not answer in 30 s.",)
    settled = evaluated(*steps, [Answer('A sign that says "Hello World"'), GONE], case=SIGN)
    assert states(settled)["text"] == ["correct"]


def test_without_a_reader_the_captioner_is_believed() -> None:
    case = Case(prompt=SIGN.prompt, image=PICTURE)
    report = evaluated(
        detected(("sign", ONE)), cut(ONE), said("A sign that says “Hello World”"), case=case
    )
    assert states(report)["text"] == ["correct"]
    assert (
        evaluated(detected(), case=case).version
        != evaluated(detected(), [read()], case=SIGN).version
    )


# --- with a writer
# --------------------------------------------------------------------------------------------------

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
    plan.send(RIGHT[0])
    plan.send(RIGHT[1])
    (meta,) = plan.send(RIGHT[2])
    assert isinstance(meta, Write)
    assert "1. (0.10, 0.20): A red circle" in meta.text
    assert PROMPT not in meta.text
    report = run_on(plan, [Answer(META)])
    assert report.score == Score(1.0, 6, 0)
    assert report.evidence is not None
    assert report.evidence.caption == META
    assert report.version != evaluated(*RIGHT).version


@pytest.mark.parametrize("reply", [GONE, Answer("I will not."), Answer('{"phrases": "circle"}')])
def test_phrases_that_are_missing_or_cannot_be_read_leave_everything_out(reply: Reply) -> None:
    report = evaluated([reply], case=WRITTEN)
    assert report.score == Score(None, 0, 6)
    assert report.evidence is not None
    assert all(
        finding.note.startswith("The writer did not name the things of the prompt: ")
        for finding in report.evidence.findings
    )


@pytest.mark.parametrize("reply", [GONE, Answer(""), Answer("The picture shows a", cut=True)])
def test_a_meta_caption_that_is_missing_or_broken_off_leaves_everything_out(reply: Reply) -> None:
    report = evaluated([PHRASES], *RIGHT, [reply], case=WRITTEN)
    assert report.score == Score(None, 0, 6)
    assert report.evidence is not None
    assert report.evidence.notes[-1].startswith("The writer gave no meta-caption: ")
    assert len(report.evidence.segments) == 3


def test_what_boxes_cannot_tell_is_left_out_with_the_template_and_wrong_with_a_writer() -> None:
    prompt = "a circle in front of a square"
    seen = (
        detected(("circle", ONE), ("square", SQUARE)),
        cut(ONE, SQUARE),
        said("A circle", "A square"),
    )
    (by_template,) = findings(evaluated(*seen, case=Case(prompt=prompt, image=PICTURE)), "position")
    assert (by_template.state, by_template.note) == (
        "failed",
        (
            "The template writer does not say what stands in front of what: a writer among the"
            " models can."
        ),
    )
    phrases = Answer('{"phrases": ["circle", "square"]}')
    by_writer = evaluated(
        [phrases],
        *seen,
        [Answer("A circle and a square.")],
        case=Case(prompt=prompt, image=PICTURE, roles=frozenset({"writer"})),
    )
    assert states(by_writer)["position"] == ["incorrect"]
    missing = evaluated(
        *(step[:1] for step in (detected(("circle", ONE)), cut(ONE), said("A circle"))),
        case=Case(prompt=prompt, image=PICTURE),
    )
    assert states(missing)["position"] == ["incorrect"]


# --- the metric
# --------------------------------------------------------------------------------------------------


def test_the_metric_is_registered_with_its_roles() -> None:
    metric = metrics.get("fig")
    assert (metric.title, metric.required_roles, metric.needs_questions) == (
        "FiG",
        ("detector", "segmenter", "captioner"),
        False,
    )


def test_an_own_attribute_is_scored_and_changes_the_version() -> None:
    own = {**ATTRIBUTES, "material": ("wooden", "metal")}
    case = Case(prompt="a wooden chair and a metal chair", image=PICTURE)
    steps = (
        detected(("chair", ONE), ("chair", SQUARE)),
        cut(ONE, SQUARE),
        said("A chair that is wooden", "A wooden chair"),
    )
    report = run(fig.metric(attributes=own).plan(case), steps)
    assert report.scores["material"] == Score(0.5, 2, 0)
    assert report.scores["object"] == Score(1.0, 1, 0)
    assert report.version != run(fig.plan(case), steps).version


@pytest.mark.parametrize(
    ("request_", "reply", "kept"),
    [
        (Describe(PICTURE, ""), Answer("A dog"), True),
        (Describe(PICTURE, ""), Answer("<think>a dog</think>"), False),
        (Write("", schema=fig_replies.SCHEMA), Answer('{"phrases": []}'), True),
        (Write("", schema=fig_replies.SCHEMA), Answer("no"), False),
        (Write(""), Answer("A dog."), True),
        (Write(""), Answer("A dog", cut=True), False),
        (Detect(PICTURE, ("dog",)), Detected(()), True),
    ],
)
def test_what_cannot_be_read_is_not_kept(
    request_: Describe | Write | Detect, reply: Reply, kept: bool
) -> None:
    assert fig.readable(request_, reply) is kept


def test_a_folder_of_templates_goes_before_ours(tmp_path: Path) -> None:
    (tmp_path / "fig_describe.txt").write_text("Say what this is.", encoding="utf-8")
    assert fig.metric(tmp_path).version != fig.metric().version


@given(st.text(max_size=300))
@settings(max_examples=40)
def test_reading_a_list_of_phrases_never_raises(text: str) -> None:
    assert fig_replies.parse_phrases(text) is None or isinstance(
        fig_replies.parse_phrases(text), tuple
    )


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('```json\n{"phrases": ["Dog", "dog", " wine  glass "]}\n```', ("dog", "wine glass")),
        ('{"phrases": ["a", 1]}', None),
        ('{"phrases": []}', ()),
        ('{"phrases": [""]}', None),
    ],
)
def test_phrases_are_read_each_once(text: str, phrases: tuple[str, ...] | None) -> None:
    assert fig_replies.parse_phrases(text) == phrases


@given(
    st.lists(
        st.sampled_from(["A red circle", "Two tulips", "", "A sign that says 'x'", "blue"]),
        min_size=3,
        max_size=3,
    ),
    st.booleans(),
)
@settings(max_examples=20)
def test_every_score_lies_in_its_bounds(captions: list[str], gone: bool) -> None:
    replies = [GONE if gone and at == 1 else reply for at, reply in enumerate(said(*captions))]
    report = evaluated(detected(*FOUND), cut(ONE, TWO, SQUARE), replies)
    for score in report.scores.values():
        assert (score.value is None) == (score.counted == 0)
        assert score.value is None or 0 <= score.value <= 1
    assert all(value is None or 0 <= value <= 1 for value in report.published.values())
    assert report.scores["score"].counted + report.scores["score"].left_out == 6


# --- what must not be there
# --------------------------------------------------------------------------------------------------

DOG, COLLAR = Box(0.2, 0.2, 0.8, 0.8), Box(0.4, 0.5, 0.6, 0.6)
BARE = Case(prompt="a dog without a collar", image=PICTURE)


def test_what_the_prompt_forbids_is_looked_for_and_is_no_thing_it_asks_for() -> None:
    (detect,) = next(fig.plan(BARE))
    assert isinstance(detect, Detect)
    assert detect.phrases[:2] == ("dog", "collar")
    report = evaluated(detected(("dog", DOG)), cut(DOG), said("A brown dog."), case=BARE)
    assert [(one.expected, one.observed, one.state) for one in findings(report, "object")] == [
        ("dog", "dog", "correct"),
        ("no collar", "", "correct"),
    ]
    assert findings(report, "extraneous") == []
    assert report.score == Score(1.0, 2, 0)
    assert report.evidence is not None
    assert report.evidence.phrases == ("dog",)


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
        detected(("dog", DOG), ("collar", COLLAR)),
        cut(DOG, COLLAR),
        said("A brown dog.", "A red collar."),
    )
    report = evaluated(*seen, case=Case(prompt=prompt, image=PICTURE))
    assert [(one.expected, one.observed, one.state) for one in findings(report, "object")] == [
        ("dog", "dog", "correct"),
        ("no collar", "collar", "incorrect"),
    ]
    (extra,) = findings(report, "extraneous")
    assert (extra.observed, extra.state, extra.segments) == ("collar", "incorrect", ("s2",))
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
        (masks.encode(masks.inside(DOG, 32, 32)), masks.encode(np.zeros((32, 32), bool)))
    )
    report = evaluated(
        detected(("dog", DOG), ("collar", COLLAR)), [gone], said("A brown dog."), case=BARE
    )
    assert [one.state for one in findings(report, "object")] == ["correct", "failed"]
