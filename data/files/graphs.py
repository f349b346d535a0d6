"""Writes scene graphs as files: JSON with everything, GraphML with both graphs and links."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from io import BytesIO
from typing import Any, Literal

from hallascope.data.graphs import Graph, Node, SceneGraphs

# the characters that XML 1.0 forbids
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Side = Literal["asked", "seen"]
IS = "is"  # the relation from what was asked to what it is in the picture


def as_json(graphs: SceneGraphs) -> bytes:
    """Return both graphs, matches, questions with memory, errors and grade, as indented JSON.

    It is in UTF-8.
    """
    return json.dumps(asdict(graphs), ensure_ascii=False, indent=2).encode(
        "utf-8", "backslashreplace"
    )


def as_graphml(graphs: SceneGraphs) -> bytes:
    """Return one directed graph in GraphML, with nodes "asked:n1" and "seen:n1".

    Relations carry their words; "is" leads from what was asked to what it is.
    """
    import networkx as nx

    graph = nx.MultiDiGraph(**_xml_values({"grade": graphs.grade, "sentence": graphs.sentence}))
    sides: tuple[tuple[Side, Graph], ...] = (("asked", graphs.asked), ("seen", graphs.seen))
    for side, own in sides:
        graph.add_nodes_from((f"{side}:{node.name}", _node(side, node)) for node in own.nodes)
        graph.add_edges_from(_edges(side, own))
    for asked, seen in graphs.matches:
        if f"asked:{asked}" in graph and f"seen:{seen}" in graph:
            graph.add_edge(
                f"asked:{asked}", f"seen:{seen}", key=f"{asked}={seen}", relation=IS, side="match"
            )
    file = BytesIO()
    nx.write_graphml(graph, file)
    return file.getvalue()


def _node(side: Side, node: Node) -> Mapping[str, Any]:
    values: dict[str, list[str]] = {}
    for attribute in node.attributes:
        values.setdefault(attribute.kind, []).append(attribute.value)
    words = {_plain(kind): ", ".join(listed) for kind, listed in values.items()}
    return _xml_values(
        {"side": side, "label": node.label, "segment": node.segment, "absent": node.absent, **words}
    )


def _edges(side: Side, graph: Graph) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    names = {node.name for node in graph.nodes}
    for edge in graph.edges:
        if edge.source in names and edge.target in names:
            values = _xml_values({"side": side, "relation": edge.relation})
            yield f"{side}:{edge.source}", f"{side}:{edge.target}", edge.name, values


def _xml_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that say something, as XML can hold them."""
    return {
        name: _plain(value) if isinstance(value, str) else value
        for name, value in values.items()
        if value not in (None, "", False)
    }


def _plain(words: str) -> str:
    return _NO_XML.sub("�", words)
