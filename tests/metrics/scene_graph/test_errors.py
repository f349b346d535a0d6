"""Every error is of a type, names what it is about, and is counted once."""

from dataclasses import replace

import pytest

from hallascope.data.graphs import Graph, Node
from hallascope.data.records import Score
from hallascope.metrics.scene_graph.errors import errors
from hallascope.metrics.scene_graph.image_graph import ImageGraph
from hallascope.metrics.scene_graph.matching import matches
from hallascope.metrics.scene_graph.prompt_graph import make_prompt_graph
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.scene_answers import answers
from tests.support.scene_graph_runs import (
    LEFT,
    PROMPT,
    RIGHT,
    answers_of,
    errors_of,
    evidence_of,
    graphs_of,
    report_on,
)
from tests.support.scripted_vision import box, thing


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


def test_what_is_said_of_a_missing_thing_is_unanswered_and_no_further_error() -> None:
    report = report_on(PROMPT, thing("circle", RIGHT, color="yellow"))
    assert errors_of(report) == [("omission", "square", "")]
    assert answers_of(report)["Is the square blue?"] == ("unknown", "incorrect")
    assert graphs_of(report).grade == 3
    assert report.scores["answered"] == Score(3 / 5, 5, 0)


def test_a_wrong_relation_alone_is_grade_three_and_says_how_they_stand_instead() -> None:
    report = report_on(
        PROMPT, thing("square", RIGHT, color="blue"), thing("circle", LEFT, color="yellow")
    )
    assert errors_of(report) == [("relation", "to the left of the circle", "to the right of")]
    assert graphs_of(report).errors[0].seen_in == ("e1",)
    assert graphs_of(report).grade == 3


def test_what_must_not_be_there_is_extraneous_where_it_is() -> None:
    assert errors_of(report_on("a man with no hat", thing("man", LEFT))) == []
    report = report_on("a man with no hat", thing("man", LEFT), thing("hat", box(0.1, 0.1)))
    assert errors_of(report) == [("extraneous", "no hat", "hat")]
    assert answers_of(report)["Is there a hat in the picture?"] == ("yes", "incorrect")
    assert graphs_of(report).grade == 6
    assert graphs_of(report).asked.nodes[1].absent


@pytest.mark.parametrize(
    ("prompt", "label", "errors"),
    [
        ("neither a dog nor a cat", "cat", [("extraneous", "no cat", "cat")]),
        ("not a dog", "dog", [("extraneous", "no dog", "dog")]),
        ("a street without cars", "street", []),
        ("no more than two cats", "cat", []),
    ],
)
def test_what_is_denied_is_extraneous_and_what_is_bounded_is_not(
    prompt: str, label: str, errors: list[tuple[str, str, str]]
) -> None:
    assert errors_of(report_on(prompt, thing(label, LEFT))) == errors


def test_a_forbidden_thing_that_is_seen_is_an_extraneous_error_and_is_never_asked_for() -> None:
    report = report_on(
        "a dog without a collar or a hat",
        thing("dog", box(0.1, 0.1)),
        thing("collar", box(0.6, 0.6)),
    )
    assert [(one.expected, one.state) for one in evidence_of(report).findings] == [
        ("dog", "correct"),
        ("no collar", "incorrect"),
        ("no hat", "correct"),
    ]
    assert [(error.type, error.seen) for error in graphs_of(report).errors] == [
        ("extraneous", "collar")
    ]
