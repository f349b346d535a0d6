"""Rows, relations, findings, segments and triples of scene graphs lead to each other."""

from hallascope.components.scene_graph.links import GraphLinks, link_graphs
from hallascope.data.evidence import Evidence
from hallascope.data.graphs import Triple
from tests.support import scene_graphs


def links() -> GraphLinks:
    found = link_graphs(scene_graphs.evidence())
    assert found
    return found


def test_evidence_without_graphs_has_no_links() -> None:
    assert link_graphs(Evidence()) is None


def test_a_row_leads_to_its_findings_its_segment_and_its_relations() -> None:
    keys = links().of_slot(0)
    assert {"finding=1", "finding=4", "finding=6", "segment=1", "edge=1"} <= set(keys)
    assert "finding=2" not in keys


def test_a_relation_leads_to_its_finding_and_its_two_ends() -> None:
    assert links().of_relation(0) == ("finding=6", "node=1", "node=2")


def test_a_finding_leads_to_its_rows_and_relations() -> None:
    assert links().of_finding(5) == ("node=1", "node=2", "edge=1")


def test_a_segment_leads_to_its_row_and_the_relations_of_it() -> None:
    nodes, edges = links().of_segment(0)
    assert nodes == ("node=1",)
    assert "edge=1" in edges


def test_a_triple_leads_to_its_relation_else_to_its_nodes() -> None:
    assert links().of_triple(scene_graphs.RIGHT_OF) == ("edge=1",)
    assert links().of_triple(scene_graphs.IS_GREEN) == ("node=1",)
    assert links().of_triple(Triple("hat", "is", "red", ("nobody",))) == ()
