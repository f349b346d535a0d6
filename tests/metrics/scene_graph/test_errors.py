"""Every error is of a type, is named and counted once, and makes the grade."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.graphs import ERROR_TYPES, Graph, GraphError, Node
from hallascope.data.records import Score
from hallascope.metrics.scene_graph.errors import errors
from hallascope.metrics.scene_graph.grade import grade, normalized
from hallascope.metrics.scene_graph.image_graph import ImageGraph
from hallascope.metrics.scene_graph.matching import matches
from hallascope.metrics.scene_graph.prompt_graph import make_prompt_graph
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.scene_answers import answers
from tests.data.cases import cases
from tests.support.scene_graph_runs import (
    CORRECT_SCENE,
    METRIC,
    PROMPT,
    RIGHT,
    answers_of,
    errors_of,
    graphs_of,
    report_on,
)
from tests.support.scripted_vision import box, evidence_of, look, thing

SCENES = yaml.safe_load(Path(__file__).with_name("scenes.yaml").read_text(encoding="utf-8"))


def node(name: str, label: str) -> Node:
    return Node(name=name, label=label)


def test_an_error_names_the_place_of_its_question_and_extras_come_after_all_of_these() -> None:
    prompt = make_prompt_graph("a dog and a cat")
    image = ImageGraph(graph=Graph((node("n1", "dog"), node("n2", "star"), node("n3", "star"))))
    answered = answers(prompt, image, questions(prompt), matches(prompt, image.graph))
    omission, extra = errors(prompt, image, answered)
    assert (omission.type, omission.subject, omission.finding) == ("omission", "cat", 1)
    assert (extra.type, extra.seen_in, extra.finding) == ("extraneous", ("n2", "n3"), 2)


def test_what_was_left_out_is_an_error_by_the_strict_rule_alone() -> None:
    prompt = make_prompt_graph("a dog")
    image = ImageGraph(graph=Graph((node("n1", "dog"),)))
    (answer,) = answers(prompt, image, questions(prompt), matches(prompt, image.graph))
    left_out = [replace(answer, state="failed")]
    assert errors(prompt, image, left_out) == ()
    assert [error.type for error in errors(prompt, image, left_out, strictly=True)] == ["omission"]


@pytest.mark.parametrize("case", SCENES)
def test_what_is_seen_has_the_errors_and_the_grade_of_the_table(case: dict[str, Any]) -> None:
    things = [thing(name, box(*at), **dict(*said)) for name, at, *said in case["things"]]
    doing = {(one, other): relation for one, other, relation in case.get("doing", ())}
    report = report_on(case["prompt"], *things, doing=doing)
    assert [list(error) for error in errors_of(report)] == case["errors"]
    assert graphs_of(report).grade == case["grade"]


def test_what_is_said_of_a_missing_thing_is_unanswered_and_no_further_error() -> None:
    report = report_on(PROMPT, thing("circle", RIGHT, color="yellow"))
    assert answers_of(report)["Is the square blue?"] == ("unknown", "incorrect")
    assert report.scores["answered"] == Score(3 / 5, 5, 0)
    notes = {one.expected: one.note for one in evidence_of(report).findings}
    assert notes["blue square"] == "What it asks about was not found."


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


@pytest.mark.parametrize(
    "many, wanted, expected",
    cases("errors", "the_grade_is_the_first_of_the_scale_that_applies", "metrics"),
)
def test_the_grade_is_the_first_of_the_scale_that_applies(
    many: dict[str, int], wanted: int, expected: int
) -> None:
    found = wrong_of([type_ for type_, count in many.items() for _ in range(count)])
    assert grade(found, wanted) == expected
    assert normalized(expected) == pytest.approx((expected - 1) / 6)


def wrong_of(types: list[str]) -> list[GraphError]:
    return [
        GraphError(type=each, subject="", asked="", seen="")  # type: ignore[arg-type]
        for each in types
    ]


@given(
    st.lists(st.sampled_from(ERROR_TYPES), max_size=12),
    st.integers(1, 8),
)
def test_one_error_more_never_raises_the_grade(types: list[str], wanted: int) -> None:
    found = [grade(wrong_of(types[:many]), wanted) or 0 for many in range(len(types) + 1)]
    assert found == sorted(found, reverse=True)
    assert all(1 <= one <= 7 for one in found)
