"""Questions are answered from the triples that bear on them, and from no others."""

import pytest

from tests.support.scene_graph_runs import (
    CORRECT_SCENE,
    LEFT,
    LOW,
    METRIC,
    PROMPT,
    RIGHT,
    answers_of,
    errors_of,
    evidence_of,
    graphs_of,
    report_on,
)
from tests.support.scripted_vision import box, look, thing


def test_a_question_keeps_the_triples_it_was_answered_from_and_no_others() -> None:
    found = graphs_of(look(METRIC, PROMPT, CORRECT_SCENE.reply)).questions
    memory = {one.text: [triple[:3] for triple in one.memory] for one in found}
    assert memory["Is the square blue?"] == [
        ("square 1", "is a", "square"),
        ("square 1", "is", "blue"),
    ]
    assert memory["Is the square to the left of the circle?"][2:] == [
        ("square 1", "left of", "circle 1")
    ]


def test_a_relation_holds_where_any_two_of_the_types_stand_so() -> None:
    report = report_on(
        "a square above a star",
        thing("square", LOW),
        thing("square", box(0.7, 0.0)),
        thing("star", RIGHT),
    )
    assert errors_of(report) == []


def test_of_a_number_so_many_must_satisfy_and_another_number_is_a_wrong_attribute() -> None:
    two = [thing("circle", LEFT, color="red"), thing("circle", RIGHT, color="blue")]
    assert errors_of(report_on("two red circles", *two)) == [("attribute", "red", "red and blue")]
    assert errors_of(report_on("two red circles", two[0])) == [("attribute", "two", "one")]
    assert errors_of(report_on("three circles", *two)) == [("attribute", "three", "two")]


def test_a_relation_that_is_met_by_its_kin_shows_what_was_observed() -> None:
    report = report_on(
        "a dog on a table", thing("dog", box(0.4, 0.1)), thing("table", box(0.4, 0.6, 0.3))
    )
    (relation,) = [one for one in evidence_of(report).findings if one.kind == "relation"]
    assert relation.state == "correct"
    assert (relation.expected, relation.observed) == ("dog on the table", "above")
    (question,) = [one for one in graphs_of(report).questions if one.kind == "relation"]
    assert (question.answer, question.seen_value) == ("yes", "above")


@pytest.mark.parametrize(
    ("words", "shown", "answer"),
    [
        ("at least two cats", 3, "yes"),
        ("at least two cats", 1, "no"),
        ("no more than two cats", 2, "yes"),
        ("no more than two cats", 3, "no"),
        ("about ten cats", 9, "yes"),
        ("about ten cats", 5, "no"),
    ],
)
def test_a_count_with_bounds_is_met_within_them(words: str, shown: int, answer: str) -> None:
    things = [thing("cat", box(0.05 + 0.09 * at, 0.05)) for at in range(shown)]
    answers = answers_of(report_on(words, *things))
    (number,) = [value for text, (value, _) in answers.items() if text.startswith("Are there a")]
    assert number == answer
