"""Rows of two scene graphs know their nodes, and relations whether anything rests on them."""

from dataclasses import replace

from hallascope.components.scene_graph.layout.pairs import pairs
from hallascope.components.scene_graph.layout.rows import RelationRow
from hallascope.data.graphs import Edge
from tests.support import scene_graphs

SEEN = RelationRow(None, (Edge("e1", "n1", "left of", "n2"),), None)


def test_a_node_is_found_on_its_own_side_alone() -> None:
    rows = pairs(scene_graphs.graphs(), scene_graphs.findings())
    tulip = rows.slot_of("asked", "n3")
    assert tulip is not None
    assert [thing.node.label for thing in rows.slots[tulip].things] == ["tulip"]
    assert rows.slot_of("seen", "n3") != tulip
    assert rows.slot_of("seen", "nobody") is None


def test_a_seen_relation_is_quiet_until_something_rests_on_it() -> None:
    assert SEEN.quiet
    assert not replace(SEEN, findings=(0,)).quiet
    assert not replace(SEEN, kind="incorrect").quiet
    assert not replace(SEEN, asked=SEEN.seen[0]).quiet
