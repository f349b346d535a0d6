"""Nodes and edges of two scene graphs are put together, have places and are said in words."""

from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings

from hallascope.components.scene_graph.layout import words
from hallascope.components.scene_graph.layout.pairs import pairs
from hallascope.components.scene_graph.layout.placement import (
    Block,
    Layout,
    LayoutBox,
    layout,
)
from hallascope.components.scene_graph.layout.rows import NodeRow, Pairs
from hallascope.data.evidence import Finding
from hallascope.data.graphs import (
    Attribute,
    Graph,
    GraphError,
    GraphQuestion,
    Node,
    SceneGraphs,
)
from tests.support import scene_graphs
from tests.support.any_scene_graphs import any_graphs

FOUND = pairs(scene_graphs.graphs(), scene_graphs.findings())


def slot(label: str, graph_pairs: Pairs = FOUND) -> NodeRow:
    return next(row for row in graph_pairs.slots if words.name(row) == label)


def test_a_wrong_attribute_is_marked_with_what_was_asked_and_what_is_seen() -> None:
    (asked,), (seen,) = slot("circle").asked, slot("circle").seen
    assert [(value.text, value.kind) for value in asked.values] == [("red", "incorrect")]
    assert [(value.text, value.kind) for value in seen.values] == [
        ("red → green", "incorrect"),
        ("smooth", None),
    ]


def several(error: GraphError) -> SceneGraphs:
    """Two red circles were asked for; a red, a green and a red one are seen."""
    asked = Graph(
        (
            Node(
                name="n1",
                label="circle",
                attributes=(Attribute("number", "two"), Attribute("color", "red")),
            ),
        )
    )
    seen = Graph(
        tuple(
            Node(name=f"n{i}", label="circle", attributes=(Attribute("color", colour),))
            for i, colour in enumerate(("red", "green", "red"), 1)
        )
    )
    return SceneGraphs(
        asked=asked, seen=seen, matches=tuple(("n1", f"n{i}") for i in (1, 2, 3)), errors=(error,)
    )


def test_of_several_things_of_one_type_only_that_is_wrong_which_is_otherwise() -> None:
    error = GraphError(
        type="attribute",
        subject="circle",
        asked="red",
        seen="red and green",
        asked_in=("n1",),
        seen_in=("n1", "n2", "n3"),
    )
    (row,) = pairs(several(error)).slots
    assert [(thing.kind, [value.text for value in thing.values]) for thing in row.seen] == [
        ("correct", ["red"]),
        ("incorrect", ["red → green"]),
        ("correct", ["red"]),
    ]


def test_a_wrong_number_is_no_fault_of_any_single_thing() -> None:
    error = GraphError(
        type="count",
        subject="circle",
        asked="two",
        seen="three",
        asked_in=("n1",),
        seen_in=("n1", "n2", "n3"),
    )
    (row,) = pairs(several(error)).slots
    assert [value.text for value in row.asked[0].values] == ["two → three", "red"]
    assert {thing.kind for thing in row.seen} == {"correct"}


def test_what_must_not_be_there_and_is_is_wrong_on_both_sides() -> None:
    hat = SceneGraphs(
        asked=Graph((Node(name="n1", label="hat", absent=True),)),
        seen=Graph((Node(name="n1", label="hat"),)),
        matches=(("n1", "n1"),),
        questions=(
            GraphQuestion(
                text="Is there a hat?",
                kind="existence",
                wanted="no",
                answer="yes",
                asked=("n1",),
                memory=(),
                finding=0,
            ),
        ),
    )
    (row,) = pairs(hat).slots
    assert words.row(row) == "No hat: asked not to be there, and seen."
    assert [thing.kind for thing in row.things] == ["incorrect", "incorrect"]


def test_what_could_not_be_told_is_neither_there_nor_missing() -> None:
    told = (
        Finding(kind="object", expected="circle", observed="", state="failed"),
        *scene_graphs.findings()[1:],
    )
    lost = replace(
        scene_graphs.graphs(), matches=(), errors=(), questions=scene_graphs.QUESTIONS[:1]
    )
    row = slot("circle", pairs(lost, told))
    assert row.kind == "left-out"
    assert words.row(row) == "Circle: could not be checked."


@settings(max_examples=12)
@given(any_graphs)
def test_every_node_stands_in_one_row_whatever_the_names_lead_to(graphs: SceneGraphs) -> None:
    rows = pairs(graphs, scene_graphs.findings()).slots
    for side, graph in (("asked", graphs.asked), ("seen", graphs.seen)):
        shown = [thing.node.name for row in rows for thing in getattr(row, side)]
        assert sorted(shown) == sorted(node.name for node in graph.nodes)


PLACED = layout(FOUND)


def meet(one: LayoutBox, other: LayoutBox) -> bool:
    """Whether the two share more than an edge."""
    return (
        one.x < other.right
        and other.x < one.right
        and one.y < other.bottom
        and other.y < one.bottom
    )


def blocks(placed: Layout, side: str) -> list[Block]:
    return [block for block in placed.blocks if block.side == side]


@settings(max_examples=12)
@given(any_graphs)
def test_no_two_nodes_share_a_place_and_all_is_within_the_drawing(graphs: SceneGraphs) -> None:
    placed = layout(pairs(graphs))
    for block, other in combinations(placed.blocks, 2):
        assert not meet(block.place, other.place)
    right = placed.left + placed.width
    for place in [block.place for block in placed.blocks] + [
        arrow.label for arrow in placed.arrows
    ]:
        assert placed.left <= place.x
        assert place.right <= right
        assert place.y >= 0
        assert place.bottom <= placed.height
