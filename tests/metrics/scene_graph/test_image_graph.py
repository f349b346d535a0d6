"""The graph of a picture has its things, their attributes and how they stand."""

import pytest

from hallascope.metrics.scene_graph.image_graph import graph_of_caption
from hallascope.metrics.scene_graph.relations import MOST_PAIRS
from tests.support.scene_graph_runs import CORRECT_SCENE, METRIC, PROMPT, graphs_of, report_on
from tests.support.scripted_vision import box, look, thing


def test_the_graph_of_the_picture_has_its_things_their_attributes_and_how_they_stand() -> None:
    found = graphs_of(look(METRIC, PROMPT, CORRECT_SCENE.reply))
    assert [(node.name, node.label, node.segment) for node in found.seen.nodes] == [
        ("n1", "square", "s1"),
        ("n2", "circle", "s2"),
    ]
    assert [(a.kind, a.value) for a in found.seen.nodes[0].attributes] == [("color", "blue")]
    assert [(edge.source, edge.relation, edge.target) for edge in found.seen.edges] == [
        ("n1", "left of", "n2")
    ]
    assert set(found.matches) == {("n1", "n1"), ("n2", "n2"), ("e1", "e1")}


@pytest.mark.parametrize("many", [0, 1, 40, 60])
def test_pictures_of_no_thing_or_very_many_have_a_graph_and_a_grade(many: int) -> None:
    names = ("square", "circle", "star", "heart")
    things = [
        thing(names[at % 4], box(at % 8 / 8, at // 8 / 8, 0.1), color="blue") for at in range(many)
    ]
    report = report_on("a blue square next to a circle", *things)
    found = graphs_of(report)
    assert len(found.seen.nodes) == min(many, 40)
    assert found.grade == (1 if not many else 3 if many == 1 else 6)
    assert len(found.seen.edges) <= 3 * (MOST_PAIRS + many)
    ends = {node.name for node in found.seen.nodes}
    assert all(
        edge.source in ends and edge.target in ends and edge.source != edge.target
        for edge in found.seen.edges
    )


def test_what_a_caption_tells_apart_from_several_is_among_them() -> None:
    graph = graph_of_caption("A stack of 3 cubes. A red cube is on top, sitting on a blue cube.")
    cubes = [
        [attribute.value for attribute in node.attributes if attribute.kind == "color"]
        for node in graph.nodes
        if node.label == "cube"
    ]
    assert cubes == [["red"], ["blue"], []]
    assert [(edge.source, edge.relation, edge.target) for edge in graph.edges] == [
        ("n1", "on", "n2")
    ]
