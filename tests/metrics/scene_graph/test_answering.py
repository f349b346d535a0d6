"""Questions are answered from the triples that bear on them, and from no others."""

import pytest

from hallascope.data.graphs import Attribute, Edge, Graph, Node
from hallascope.metrics.scene_graph.image_graph import ImageGraph, InspectionFailure
from hallascope.metrics.scene_graph.matching import matches
from hallascope.metrics.scene_graph.prompt_graph import make_prompt_graph
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.scene_answers import SceneAnswer, answers, replace_answer
from tests.support.scene_graph_runs import (
    CORRECT_SCENE,
    LEFT,
    LOW,
    METRIC,
    PROMPT,
    RIGHT,
    answers_of,
    errors_of,
    graphs_of,
    report_on,
)
from tests.support.scripted_vision import box, evidence_of, look, thing


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


def test_of_a_number_so_many_must_satisfy_and_another_number_is_a_wrong_count() -> None:
    two = [thing("circle", LEFT, color="red"), thing("circle", RIGHT, color="blue")]
    assert errors_of(report_on("two red circles", *two)) == [("attribute", "red", "red and blue")]
    assert errors_of(report_on("two red circles", two[0])) == [("count", "two", "one")]
    assert errors_of(report_on("three circles", *two)) == [("count", "three", "two")]


def test_three_red_balls_are_not_one_red_ball_and_two_blue_ones() -> None:
    balls = [
        thing("ball", box(0.05 + 0.3 * at, 0.3), color=color)
        for at, color in enumerate(("red", "blue", "blue"))
    ]
    assert errors_of(report_on("three red balls", *balls)) == [("attribute", "red", "red and blue")]
    assert errors_of(report_on("red balls", *balls)) == []
    assert errors_of(report_on("a red ball", *balls)) == []


def test_a_relation_must_hold_of_as_many_as_the_prompt_asks_for() -> None:
    table = thing("table", box(0.3, 0.5, 0.3))
    on_it = [thing("cat", box(0.3, 0.35, 0.15)), thing("cat", box(0.45, 0.35, 0.15))]
    beside = thing("cat", box(0.05, 0.6, 0.15))
    assert errors_of(report_on("two cats on a table", table, *on_it)) == []
    assert errors_of(report_on("two cats on a table", table, on_it[0], beside)) == [
        ("relation", "on the table", "on (one of two) and to the left of and next to")
    ]
    assert errors_of(report_on("cats on a table", table, on_it[0], beside)) == []
    assert errors_of(report_on("a cat on a table", table, on_it[0], beside)) == []


def test_a_relation_that_is_met_by_its_kin_shows_what_was_observed() -> None:
    report = report_on(
        "a man with a cup",
        thing("man", LEFT),
        thing("cup", RIGHT),
        doing={("man", "cup"): "Holding"},
    )
    (relation,) = [one for one in evidence_of(report).findings if one.kind == "relation"]
    assert (relation.state, relation.observed) == ("correct", "holding")
    (question,) = [one for one in graphs_of(report).questions if one.kind == "relation"]
    assert (question.answer, question.seen_value) == ("yes", "holding")


@pytest.mark.parametrize(
    ("relation", "top", "errors"),
    [
        ("above", 0.1, []),
        ("on", 0.1, [("relation", "on the table", "above")]),
        # In contact, the middle of the one is above that of the other.
        ("above", 0.38, []),
        ("on", 0.38, []),
    ],
)
def test_on_needs_contact(relation: str, top: float, errors: list[tuple[str, str, str]]) -> None:
    report = report_on(
        f"a dog {relation} a table",
        thing("dog", box(0.4, top)),
        thing("table", box(0.4, 0.6, 0.3)),
    )
    assert errors_of(report) == errors


def test_a_thing_that_its_boxes_show_on_another_is_in_it_where_the_judge_says_so() -> None:
    boxes = (thing("cat", box(0.4, 0.38)), thing("basket", box(0.35, 0.5, 0.3)))
    asked = "a cat in a basket"
    assert errors_of(report_on(asked, *boxes, doing={("cat", "basket"): "In"})) == []
    assert errors_of(report_on(asked, *boxes, doing={("cat", "basket"): "On"})) == [
        ("relation", "in the basket", "above and on")
    ]


def test_what_may_be_missing_satisfies_all_that_is_asked_of_it() -> None:
    asked = "a room with no more than two black cats"
    assert errors_of(report_on(asked, thing("room", LOW))) == []


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


RED = (Attribute("color", "red"),)
BLUE = (Attribute("color", "blue"),)
UNREAD = InspectionFailure("unreadable", "The judge cannot tell.")


def node(name: str, label: str, attributes: tuple[Attribute, ...] = ()) -> Node:
    return Node(name=name, label=label, attributes=attributes)


def answered(prompt: str, image: ImageGraph) -> list[SceneAnswer]:
    graph = make_prompt_graph(prompt)
    return answers(graph, image, questions(graph), matches(graph, image.graph))


def seen(*nodes: Node, edges: tuple[Edge, ...] = (), **more: object) -> ImageGraph:
    return ImageGraph(graph=Graph(nodes, edges), **more)  # type: ignore[arg-type]


def test_of_a_missing_thing_the_rest_is_unknown_not_correct_and_says_why() -> None:
    there, color = answered("a red dog", seen(node("n1", "cat", RED)))
    assert (there.answer.value, there.note) == ("no", "")
    assert (color.answer.value, color.state) == ("unknown", "incorrect")
    assert color.note == "What it asks about was not found."


@pytest.mark.parametrize("edge", [Edge("e1", "n1", "above", "n2"), Edge("e1", "n2", "below", "n1")])
def test_a_relation_is_met_also_the_other_way_round(edge: Edge) -> None:
    image = seen(node("n1", "dog"), node("n2", "cat"), edges=(edge,))
    relation = answered("a dog above a cat", image)[-1]
    assert relation.state == "correct"
    assert [triple.edge for triple in relation.met_triples] == ["e1"]
    assert answered("a dog below a cat", image)[-1].met_triples == ()


def test_another_answer_replaces_the_value_and_keeps_what_was_observed() -> None:
    color = answered("a red dog", seen(node("n1", "dog", BLUE)))[-1]
    replaced = replace_answer(color, "yes")
    assert (replaced.state, replaced.answer.value) == ("correct", "yes")
    assert replaced.answer.observed == color.answer.observed == "blue"
    missing = replace_answer(color, UNREAD)
    assert (missing.state, missing.note, missing.answer.lost) == ("unreadable", UNREAD.why, True)


def test_what_was_not_looked_at_stays_left_out_whatever_is_answered() -> None:
    image = seen(node("n1", "dog"), lost={("n1", "color"): UNREAD})
    color = answered("a red dog", image)[-1]
    assert replace_answer(color, "yes").state == "unreadable"
