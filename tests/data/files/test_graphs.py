"""Scene graphs as files: everything in JSON, a graph that other programs read in GraphML."""

import json
from dataclasses import replace
from io import BytesIO
from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.graphs import as_graphml, as_json
from hallascope.data.graphs import Attribute, Edge, Graph, Node, SceneGraphs
from tests.support import scene_graphs


def read(found: SceneGraphs) -> Any:
    return nx.read_graphml(BytesIO(as_graphml(found)), force_multigraph=True)


def test_json_holds_graphs_matches_questions_memory_errors_and_grade() -> None:
    found = json.loads(as_json(scene_graphs.graphs()))
    assert found["grade"] == 3
    assert found["asked"]["nodes"][0]["attributes"][0] == {
        "kind": "color",
        "value": "red",
        "spans": [[2, 5]],
    }
    assert found["matches"][0] == ["n1", "n1"]
    assert found["questions"][3]["memory"][0][:3] == ["circle 1", "is", "green"]
    assert [error["type"] for error in found["errors"]] == [
        "attribute",
        "relation",
        "omission",
        "extraneous",
    ]


def test_graphml_holds_both_graphs_and_what_ties_them() -> None:
    found = read(scene_graphs.graphs())
    assert found.nodes["asked:n1"] == {"side": "asked", "label": "circle", "color": "red"}
    assert found.nodes["asked:n4"]["absent"]
    assert found.nodes["seen:n1"]["segment"] == "s1"
    relations = {(one, data["relation"], other) for one, other, data in found.edges(data=True)}
    assert ("asked:n1", "left of", "asked:n2") in relations
    assert ("seen:n1", "right of", "seen:n2") in relations
    assert ("asked:n1", "is", "seen:n1") in relations
    assert found.graph["grade"] == 3


def test_two_relations_of_one_pair_are_both_kept() -> None:
    twice = Graph(
        (Node(name="n1", label="dog"), Node(name="n2", label="cat")),
        (Edge("e1", "n1", "left of", "n2"), Edge("e2", "n1", "chasing", "n2")),
    )
    assert read(SceneGraphs(asked=twice, seen=Graph())).number_of_edges() == 2


def test_what_leads_nowhere_is_no_node() -> None:
    lost = SceneGraphs(
        asked=Graph((Node(name="n1", label="dog"),), (Edge("e1", "n1", "left of", "nobody"),)),
        seen=Graph(),
        matches=(("n1", "nobody"),),
    )
    assert list(read(lost).nodes) == ["asked:n1"]


@given(st.text(st.characters(exclude_categories=())), st.text(min_size=1))
def test_any_text_can_be_written_and_read(label: str, kind: str) -> None:
    found = replace(
        scene_graphs.graphs(),
        asked=Graph((Node(name="n1", label=label, attributes=(Attribute(kind, label),)),)),
        sentence=label,
    )
    assert "asked:n1" in read(found)
    json.loads(as_json(found))
