"""A question is answered from its memory, and left out where something was not looked at."""

import pytest

from hallascope.data.evidence import State
from hallascope.data.graphs import AnswerValue, Attribute, Edge, Graph, Node
from hallascope.metrics.scene_graph.image_graph import ImageGraph, InspectionFailure
from hallascope.metrics.scene_graph.matching import matches
from hallascope.metrics.scene_graph.prompt_graph import make_prompt_graph
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.scene_answers import SceneAnswer, answers, replace_answer

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


@pytest.mark.parametrize(
    ("attributes", "value", "state"),
    [(RED, "yes", "correct"), (BLUE, "no", "incorrect"), ((), "unknown", "incorrect")],
)
def test_an_attribute_is_correct_where_the_graph_has_it(
    attributes: tuple[Attribute, ...], value: AnswerValue, state: State
) -> None:
    there, color = answered("a red dog", seen(node("n1", "dog", attributes)))
    assert (there.answer.value, there.state) == ("yes", "correct")
    assert (color.answer.value, color.state, color.nodes) == (value, state, ("n1",))


def test_of_a_missing_thing_the_rest_is_unknown_not_correct_and_says_why() -> None:
    there, color = answered("a red dog", seen(node("n1", "cat", RED)))
    assert (there.answer.value, there.note) == ("no", "")
    assert (color.answer.value, color.state) == ("unknown", "incorrect")
    assert color.note == "What it asks about was not found."


def test_what_could_not_be_looked_at_is_left_out_with_its_reason() -> None:
    there, color = answered("a red dog", seen(node("n1", "dog"), lost={("n1", "color"): UNREAD}))
    assert there.is_judged
    assert not color.is_judged
    assert (color.state, color.note) == ("unreadable", UNREAD.why)


def test_where_nothing_could_be_seen_all_is_left_out() -> None:
    lost = answered("a red dog", seen(failure="The detector gave nothing."))
    assert [(one.state, one.note) for one in lost] == [("failed", "The detector gave nothing.")] * 2


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
