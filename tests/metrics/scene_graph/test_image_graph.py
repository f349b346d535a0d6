"""The graph of an image, and how its things are matched to those of the prompt."""

import pytest

from hallascope.data.graphs import Attribute, Graph, Node
from hallascope.data.prompt_reading import AskedAttribute, AskedObject, Count, PromptReading
from hallascope.metrics.scene_graph.image_graph import graph_of_caption
from hallascope.metrics.scene_graph.matching import matches
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading
from hallascope.metrics.scene_graph.relations import (
    MOST_PAIRS,
)
from tests.support.scene_graph_runs import (
    graphs_of,
    report_on,
)
from tests.support.scripted_vision import box, thing


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


CUBES = PromptReading(
    prompt="three cubes; a red one of them",
    objects=(
        AskedObject(id="o1", name="cube", count=Count.exactly(3)),
        AskedObject(id="o2", name="cube", attributes=(AskedAttribute("red"),), one_of="o1"),
    ),
    source="person",
)


def test_what_is_one_of_others_needs_no_further_thing() -> None:
    shown = Graph(
        tuple(
            Node(name=f"n{at}", label="cube", attributes=(Attribute("color", color),))
            for at, color in enumerate(("blue", "red", "green"), 1)
        )
    )
    matched = matches(graph_of_reading(CUBES), shown)
    assert matched == {"n1": ("n1", "n2", "n3"), "n2": ("n2",)}
