"""Reports name every error once, the words and segments it is about, and the grade."""

import pytest

from tests.support.scene_graph_runs import (
    CORNER,
    CORRECT_SCENE,
    LEFT,
    LOW,
    METRIC,
    PROMPT,
    RIGHT,
    errors_of,
    evidence_of,
    graphs_of,
    report_on,
)
from tests.support.scripted_vision import look, thing


def test_findings_point_at_the_words_of_the_prompt_and_at_the_segments() -> None:
    findings = evidence_of(look(METRIC, PROMPT, CORRECT_SCENE.reply)).findings
    words = {
        finding.expected: [PROMPT[slice(*span)] for span in finding.prompt_spans]
        for finding in findings
    }
    assert words["blue square"] == ["blue", "square"]
    assert words["square to the left of the circle"] == ["to the left of", "square", "circle"]
    assert [finding.segments for finding in findings] == [
        ("s1",),
        ("s1",),
        ("s2",),
        ("s2",),
        ("s1", "s2"),
    ]


def test_off_topic_is_grade_one_and_what_is_there_instead_is_extraneous() -> None:
    report = report_on(PROMPT, thing("star", LEFT, color="red"))
    assert (graphs_of(report).grade, report.score.value) == (1, 0.0)
    assert errors_of(report) == [
        ("omission", "square", ""),
        ("omission", "circle", ""),
        ("extraneous", "", "star"),
    ]


def test_three_missing_things_are_grade_two() -> None:
    assert graphs_of(report_on("a cat, a dog, a cup and a tree", thing("tree", LEFT))).grade == 2


@pytest.mark.parametrize(
    ("colours", "expected"),
    [
        (("red", "red", "red"), 4),
        (("blue", "red", "red"), 5),
        (("blue", "yellow", "red"), 5),
        (("blue", "yellow", "green"), 7),
    ],
)
def test_wrong_attributes_alone_are_grade_four_from_the_third_on(
    colours: tuple[str, str, str], expected: int
) -> None:
    labels = zip(("square", "circle", "star"), (LEFT, RIGHT, LOW), colours, strict=True)
    report = report_on(
        "a blue square, a yellow circle and a green star",
        *(thing(name, at, color=tone) for name, at, tone in labels),
    )
    assert graphs_of(report).grade == expected
    assert {error.type for error in graphs_of(report).errors} <= {"attribute"}


def test_extras_alone_are_grade_six() -> None:
    report = report_on(
        "a blue square",
        thing("square", LEFT, color="blue"),
        thing("star", RIGHT),
        thing("star", LOW),
        thing("heart", CORNER),
    )
    assert errors_of(report) == [("extraneous", "", "star"), ("extraneous", "", "heart")]
    assert graphs_of(report).grade == 6
    assert evidence_of(report).findings[-2].segments == ("s2", "s3")


def test_a_prompt_that_names_nothing_has_no_grade() -> None:
    for prompt in ("", "!!!", "in the style of"):
        report = report_on(prompt)
        assert (report.score.value, graphs_of(report).grade, graphs_of(report).questions) == (
            None,
            None,
            (),
        )
