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
    METRIC,
    PROMPT,
    RIGHT,
    graphs_of,
    report_on,
)
from tests.support.scripted_vision import evidence_of, look, thing


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
