"""Builds the graph of a picture from detections and a judge's words (paper, section 3.2).

Also the graph of a text that is taken for what is seen, for the caption ablation (section 4.3).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from hallascope.data.evidence import SegmentEvidence, State
from hallascope.data.graphs import Attribute, Graph, Node
from hallascope.metrics.scene_graph.matching import is_in_prompt, least_number, name_fit
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph, make_prompt_graph
from hallascope.metrics.scene_graph.relations import Relation, box_relations, number_edges
from hallascope.metrics.scene_graph.words.attributes import NUMBER

MOST_OF_ONE = 40  # things that a number in a caption stands for at most, as in a picture


@dataclass(frozen=True)
class InspectionFailure:
    """Holds why something could not be looked at: no reply (failed), or an unreadable one."""

    state: State
    why: str


@dataclass(frozen=True, kw_only=True)
class ImageGraph:
    """Holds what is seen: the graph, the segments of its nodes, what could not be looked at.

    `lost` has the keys of `answering.UnseenKeys`. `failure`: why nothing could be seen at all, ""
    where something could. `caption` is the text that was taken for the graph, where one was.
    `goes_on`: nothing could be seen, and what would be asked next is asked all the same.
    """

    graph: Graph = field(default_factory=Graph)
    segments: tuple[SegmentEvidence, ...] = ()
    phrases: tuple[str, ...] = ()
    lost: Mapping[tuple[str, ...], InspectionFailure] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    failure: str = ""
    caption: str = ""
    goes_on: bool = False


def graph_of_segments(
    prompt: PromptGraph,
    segments: Sequence[SegmentEvidence],
    attributes: Mapping[str, Sequence[Attribute]],
    judged: Sequence[Relation] = (),
) -> Graph:
    """Return a graph with a node a segment, and its attributes, by the name of the segment.

    Edges are from the boxes, and those that a judge told of (`judged`, by names of segments).
    """
    nodes = tuple(
        Node(
            name=f"n{at}",
            label=segment.phrase,
            attributes=tuple(attributes.get(segment.name, ())),
            segment=segment.name,
        )
        for at, segment in enumerate(segments, 1)
    )
    by_node = {node.name: segment for node, segment in zip(nodes, segments, strict=True)}
    names = {node.segment: node.name for node in nodes}
    asked_for = {node.name for node in nodes if is_in_prompt(prompt, node.label)}
    counts = Counter(node.label for node in prompt.graph.nodes)
    repeated_names = [
        phrase
        for node, phrase in zip(prompt.graph.nodes, prompt.names, strict=True)
        if counts[node.label] > 1
    ]

    def may_relate(name: str, other: str) -> bool:
        """Return whether two things have two names, or one that the prompt gives to several."""
        label = by_node[name].phrase
        if label.casefold() != by_node[other].phrase.casefold():
            return True
        return any(name_fit(phrase, label) for phrase in repeated_names)

    from_boxes = box_relations(by_node, lambda name: name in asked_for, may_relate)
    from_judge = [
        Relation(names[source], relation, names[target]) for source, relation, target in judged
    ]
    return Graph(nodes, number_edges([*from_boxes, *from_judge]))


def graph_of_caption(text: str) -> Graph:
    """Return the graph of a caption: as many nodes of a thing as it says.

    There are two where a plural says no number. What is one of several is among their nodes.
    """
    caption = make_prompt_graph(text)
    names: dict[str, list[str]] = {}
    nodes: dict[str, Node] = {}
    apart: set[str] = set()
    for node in caption.graph.nodes:
        if node.absent:
            continue
        count = min(least_number(caption, node.name), MOST_OF_ONE)
        attributes = tuple(attribute for attribute in node.attributes if attribute.kind != NUMBER)
        members = names.get(caption.whole(node.name))
        if members is None:
            names[node.name] = [f"n{len(nodes) + at}" for at in range(1, count + 1)]
            for name in names[node.name]:
                nodes[name] = replace(node, name=name, attributes=attributes, spans=())
            continue
        # Another of them than those that were told apart before, as long as there are any.
        names[node.name] = sorted(members, key=lambda name: name in apart)[:count]
        apart.update(names[node.name])
        for name in names[node.name]:
            described = {
                (attribute.kind, attribute.value): attribute
                for attribute in (*nodes[name].attributes, *attributes)
            }
            nodes[name] = replace(nodes[name], attributes=tuple(described.values()))
    relations = [
        Relation(source, edge.relation, target)
        for edge in caption.graph.edges
        for source, target in product(names.get(edge.source, ()), names.get(edge.target, ()))
    ]
    return Graph(tuple(nodes.values()), number_edges(relations))
