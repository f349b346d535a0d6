"""Two scene graphs side by side: what belongs together, what became of it, and where it stands."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.evidence import Finding
from hallascope.data.graph_layout import words
from hallascope.data.graph_layout.layout import Block, Layout, layout
from hallascope.data.graph_layout.order import order_by_ties
from hallascope.data.graph_layout.pairs import pairs
from hallascope.data.graph_layout.places import cut, text_width, wrapped
from hallascope.data.graph_layout.rows import NodeRow, Pairs
from hallascope.data.graphs import (
    Attribute,
    Edge,
    Graph,
    GraphError,
    GraphQuestion,
    Node,
    SceneGraphs,
)
from tests.support import scene_graphs

FOUND = pairs(scene_graphs.graphs(), scene_graphs.findings())
PLACED = layout(FOUND)


def slot(label: str, found: Pairs = FOUND) -> NodeRow:
    return next(one for one in found.slots if words.name(one) == label)


def blocks(placed: Layout, side: str) -> list[Block]:
    return [block for block in placed.blocks if block.side == side]


# --- what belongs together
# --------------------------------------------------------------------------------------------------


def test_a_row_says_what_was_asked_and_what_it_is() -> None:
    assert [words.row(one) for one in FOUND.slots] == [
        "Circle: asked red, seen green.",
        "Square: as asked for.",
        "Tulip: asked for and not seen.",
        "No hat: not there, as asked.",
        "Circle: seen beside what was asked for.",
        "Star: seen, and nobody asked for it.",
    ]
    assert [one.kind for one in FOUND.slots] == [
        "incorrect",
        "correct",
        "incorrect",
        "correct",
        None,
        "incorrect",
    ]


def test_another_of_a_type_that_was_asked_for_is_no_extra() -> None:
    assert [one.section for one in FOUND.slots[3:]] == ["asked", "also", "extraneous"]


def test_a_wrong_attribute_is_marked_with_what_was_asked_and_what_is_seen() -> None:
    (asked,), (seen,) = slot("circle").asked, slot("circle").seen
    assert [(value.text, value.kind) for value in asked.values] == [("red", "incorrect")]
    assert [(value.text, value.kind) for value in seen.values] == [
        ("red → green", "incorrect"),
        ("smooth", None),
    ]


def test_a_relation_that_is_otherwise_says_both_and_one_that_nothing_rests_on_is_quiet() -> None:
    said = [words.relation(one, FOUND) for one in FOUND.relations]
    assert said[:2] == [
        "Circle left of square: asked for; seen: right of.",
        "Square above tulip: could not be told.",
    ]
    assert [one.quiet for one in FOUND.relations] == [False, False, True, True, True]


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
        type="attribute",
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
    assert words.row(row) == "Circle: could not be told."


names = st.sampled_from(["n1", "n2", "n3", "e1", "nobody", ""])
nodes = st.lists(
    st.builds(Node, name=names, label=st.text(max_size=30)),
    max_size=5,
    unique_by=lambda node: node.name,
).map(tuple)
edges = st.lists(st.builds(Edge, names, names, st.text(max_size=30), names), max_size=5).map(tuple)
some = st.builds(Graph, nodes, edges)
errors = st.builds(
    GraphError,
    type=st.sampled_from(["attribute", "relation", "omission", "extraneous"]),
    subject=st.text(max_size=9),
    asked=st.text(max_size=9),
    seen=st.text(max_size=9),
    asked_in=st.tuples(names),
    seen_in=st.tuples(names),
    finding=st.one_of(st.none(), st.integers(-1, 9)),
)
questions = st.builds(
    GraphQuestion,
    text=st.text(max_size=9),
    kind=st.sampled_from(["existence", "attribute", "number", "relation"]),
    wanted=st.just("yes"),
    answer=st.sampled_from(["yes", "no", "unknown"]),
    asked=st.tuples(names, names),
    memory=st.just(()),
    finding=st.integers(-1, 9),
    asked_value=st.text(max_size=9),
)
any_graphs = st.builds(
    SceneGraphs,
    asked=some,
    seen=some,
    matches=st.lists(st.tuples(names, names), max_size=5).map(tuple),
    questions=st.lists(questions, max_size=4).map(tuple),
    errors=st.lists(errors, max_size=4).map(tuple),
)


@given(any_graphs)
def test_every_node_stands_in_one_row_whatever_the_names_lead_to(found: SceneGraphs) -> None:
    rows = pairs(found, scene_graphs.findings()).slots
    for side, graph in (("asked", found.asked), ("seen", found.seen)):
        shown = [thing.node.name for row in rows for thing in getattr(row, side)]
        assert sorted(shown) == sorted(node.name for node in graph.nodes)


# --- where it stands
# --------------------------------------------------------------------------------------------------


@given(any_graphs)
def test_no_two_nodes_share_a_place_and_all_is_within_the_drawing(found: SceneGraphs) -> None:
    placed = layout(pairs(found))
    for one, other in combinations(placed.blocks, 2):
        assert not one.place.meets(other.place)
    right = placed.left + placed.width
    for place in [block.place for block in placed.blocks] + [
        curve.label for curve in placed.curves
    ]:
        assert placed.left <= place.x
        assert place.right <= right
        assert place.y >= 0
        assert place.bottom <= placed.height


@pytest.mark.parametrize("number", [0, 1, 40])
def test_none_one_or_forty_nodes_have_places_that_do_not_overlap_nor_hide_behind_words(
    number: int,
) -> None:
    placed = layout(pairs(scene_graphs.crowd(number)))
    assert len(placed.blocks) == 2 * number
    places = [block.place for block in placed.blocks]
    assert not any(one.meets(other) for one, other in combinations(places, 2))
    assert not any(curve.label.meets(place) for curve in placed.curves for place in places)


def test_what_belongs_together_stands_in_one_row_on_both_sides() -> None:
    for index in range(len(FOUND.slots)):
        heights = {
            side: [block.place.middle for block in blocks(PLACED, side) if block.slot == index]
            for side in ("asked", "seen")
        }
        if heights["asked"] and heights["seen"]:
            assert heights["asked"] == pytest.approx(heights["seen"])


def test_what_is_missing_has_a_dashed_empty_place_beside_it() -> None:
    index = FOUND.slots.index(slot("tulip"))
    asked, seen = (
        next(block for block in blocks(PLACED, side) if block.slot == index)
        for side in ("asked", "seen")
    )
    assert asked.dashed
    assert seen.dashed
    assert seen.thing is None
    assert seen.lines == ("not seen",)


def test_extras_stand_beneath_all_others_under_their_own_heading() -> None:
    (heading,) = [one for one in PLACED.headings if one.text == "Nobody asked for"]
    below = [block for block in PLACED.blocks if block.place.y > heading.y]
    assert [block.lines for block in below] == [("star",)]


def test_two_relations_of_one_pair_run_on_different_lanes() -> None:
    twice = Graph(
        scene_graphs.ASKED.nodes,
        (Edge("e1", "n1", "left of", "n2"), Edge("e2", "n1", "touching", "n2")),
    )
    one, other = layout(pairs(SceneGraphs(asked=twice, seen=Graph()))).curves
    assert one.bend != other.bend
    assert not one.label.meets(other.label)


def test_relations_bend_away_from_their_nodes() -> None:
    for curve in PLACED.curves:
        assert curve.bend < curve.start[0] if curve.side == "asked" else curve.bend > curve.start[0]


def test_only_so_many_relations_that_nothing_rests_on_are_drawn_and_the_others_are_counted() -> (
    None
):
    seen = scene_graphs.crowd(40).seen
    every = tuple(
        Edge(f"e{i}", one.name, "left of", other.name)
        for i, (one, other) in enumerate(combinations(seen.nodes, 2))
    )
    placed = layout(pairs(SceneGraphs(asked=Graph(), seen=Graph(seen.nodes, every))))
    assert len(placed.curves) + placed.undrawn == len(every)
    assert len(placed.curves) == 120


def test_the_same_graphs_always_look_the_same() -> None:
    assert layout(pairs(scene_graphs.crowd(12))) == layout(pairs(scene_graphs.crowd(12)))


@given(st.integers(0, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
def test_an_order_holds_everything_once(number: int, ties: list[tuple[int, int]]) -> None:
    assert sorted(order_by_ties(number, [pair for pair in ties if max(pair) < number])) == list(
        range(number)
    )


def test_what_is_tied_stands_near_and_a_chain_keeps_its_direction() -> None:
    assert order_by_ties(5, [(0, 3), (3, 1)]) == [0, 3, 1, 2, 4]


# --- texts that fit
# --------------------------------------------------------------------------------------------------


@given(st.text(max_size=80), st.floats(30, 200))
def test_a_text_is_cut_so_that_it_fits(said: str, width: float) -> None:
    assert text_width(cut(said, width, 12.0), 12.0) <= width
    lines = wrapped(said, width, 12.0)
    assert 1 <= len(lines) <= 2
    assert all(text_width(line, 12.0) <= width for line in lines)


def test_a_long_name_takes_two_lines_and_ends_in_dots_where_that_is_not_enough() -> None:
    assert wrapped("a very old comb-pattern pot", 120, 12.0) == ("a very old", "comb-pattern pot")
    assert wrapped("pot " * 40, 120, 12.0)[1].endswith("…")
