"""The graph of an image, and how its things are matched to those of the prompt."""

import pytest

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.graphs import Attribute, Graph, Node
from hallascope.data.prompt_reading import MANY, AskedAttribute, AskedObject, Count, PromptReading
from hallascope.data.regions import Box
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.scene_graph.image_graph import graph_of_caption
from hallascope.metrics.scene_graph.matching import least_number, matches
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading
from hallascope.metrics.scene_graph.relations import (
    MOST_PAIRS,
    box_relations,
    may_be_in_contact,
    meets,
)
from tests.support.scene_graph_runs import (
    CORRECT_SCENE,
    METRIC,
    PROMPT,
    graphs_of,
    report_on,
)
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


def test_each_that_is_one_of_others_is_another_of_them() -> None:
    reading = read_prompt("A stack of 3 cubes. A red cube is on a red cube.")
    assert [asked.one_of for asked in reading.objects] == ["", "o1", "o1"]
    shown = graph_of_caption(reading.prompt)
    matched = matches(graph_of_reading(reading), shown)
    assert matched == {"n1": ("n1", "n2", "n3"), "n2": ("n1",), "n3": ("n2",)}


@pytest.mark.parametrize(
    ("count", "least"),
    [
        (None, 1),
        (MANY, 2),
        (Count.exactly(3), 3),
        (Count.at_least(4), 4),
        (Count.at_most(2), 1),
    ],
)
def test_as_many_are_needed_as_the_prompt_asks_for_at_least(
    count: Count | None, least: int
) -> None:
    reading = PromptReading(prompt="cats", objects=(AskedObject(id="o1", name="cat", count=count),))
    assert least_number(graph_of_reading(reading), "n1") == least


def segment(name: str, box: Box) -> SegmentEvidence:
    return SegmentEvidence(name=name, phrase=name, box=box, score=0.9)


SEGMENTS = {
    name: segment(name, box)
    for name, box in (
        ("cat", Box(0.0, 0.4, 0.2, 0.6)),
        ("dog", Box(0.4, 0.4, 0.6, 0.6)),
        ("cup", Box(0.7, 0.4, 0.9, 0.6)),
    )
}


def test_things_of_the_prompt_are_related_with_each_other_and_another_with_its_nearest() -> None:
    found = box_relations(SEGMENTS, lambda name: name != "cup", lambda one, other: True)
    assert {(relation.source, relation.target) for relation in found} == {
        ("cat", "dog"),
        ("dog", "cup"),
    }


def test_a_pair_that_may_not_be_related_and_two_boxes_of_one_thing_have_no_edge() -> None:
    pair = {"cat": SEGMENTS["cat"], "cat 2": segment("cat", SEGMENTS["cat"].box)}
    assert list(box_relations(pair, lambda name: True, lambda one, other: True)) == []
    assert list(box_relations(SEGMENTS, lambda name: True, lambda one, other: False)) == []


def test_only_boxes_that_touch_may_hide_that_one_is_in_another() -> None:
    cat, basket, far = Box(0.4, 0.3, 0.6, 0.6), Box(0.4, 0.5, 0.7, 0.8), Box(0.0, 0.0, 0.1, 0.1)
    assert may_be_in_contact(cat, basket, "in")
    assert not may_be_in_contact(cat, basket, "on"), "the boxes show it"
    assert not may_be_in_contact(far, basket, "in")


@pytest.mark.parametrize(
    ("asked", "seen"), [("on", "above"), ("above", "on"), ("in", "on"), ("on", "in")]
)
def test_on_above_and_in_are_three_relations(asked: str, seen: str) -> None:
    assert not meets(asked, seen)
