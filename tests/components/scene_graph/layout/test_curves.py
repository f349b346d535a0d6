"""Relations are curves that leave their nodes and each other free."""

from itertools import combinations

from hallascope.components.scene_graph.layout.pairs import pairs
from hallascope.components.scene_graph.layout.placement import layout
from hallascope.data.graphs import Edge, Graph, SceneGraphs
from tests.support import scene_graphs


def test_two_relations_of_one_pair_run_on_different_lanes() -> None:
    twice = Graph(
        scene_graphs.ASKED.nodes,
        (Edge("e1", "n1", "left of", "n2"), Edge("e2", "n1", "touching", "n2")),
    )
    one, other = layout(pairs(SceneGraphs(asked=twice, seen=Graph()))).curves
    assert one.bend != other.bend
    assert not one.label.meets(other.label)


def test_relations_bend_away_from_their_nodes() -> None:
    graphs = pairs(scene_graphs.graphs(), scene_graphs.findings())
    for curve in layout(graphs).curves:
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
