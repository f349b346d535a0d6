"""Builds the graph of a picture from detections and a judge's words (paper, section 3.2).

The judge said them of the parts cut out; this asks nobody.

Also the graph of a text that is taken for what is seen, for the caption ablation (section 4.3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hallascope.data.evidence import SegmentEvidence, State
from hallascope.data.graphs import Attribute, Graph, Node
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.scene_graph.attributes import NUMBER
from hallascope.metrics.scene_graph.matching import called
from hallascope.metrics.scene_graph.prompt_graph import MANY, PromptGraph, make_prompt_graph
from hallascope.metrics.scene_graph.relations import edges, numbered

MOST_OF_ONE = 20  # things that a number in a caption stands for at most


class InspectionFailure(NamedTuple):
    """Why something could not be looked at: no reply (failed), or an unreadable one."""

    state: State
    why: str


@dataclass(frozen=True, kw_only=True)
class ImageGraph:
    """What is seen: the graph, the segments of its nodes, and what could not be looked at.

    `lost` has the keys of `answering.Lost`. `gone`: why nothing could be seen at all, "" where
    something could. `caption` is the text that was taken for the graph, where one was. `goes_on`:
    nothing could be seen, and what would be asked next is asked all the same.
    """

    graph: Graph = field(default_factory=Graph)
    segments: tuple[SegmentEvidence, ...] = ()
    phrases: tuple[str, ...] = ()
    lost: Mapping[tuple[str, ...], InspectionFailure] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    gone: str = ""
    caption: str = ""
    goes_on: bool = False


def of_segments(
    prompt: PromptGraph,
    segments: Sequence[SegmentEvidence],
    attributes: Mapping[str, Sequence[Attribute]],
    told: Sequence[tuple[str, str, str]] = (),
) -> Graph:
    """A node a segment, with its attributes, by the name of the segment.

    Edges from the boxes, and those that a judge told of.
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
    of = {node.name: segment for node, segment in zip(nodes, segments, strict=True)}
    names = {node.segment: node.name for node in nodes}
    labels = {node.name: node.label for node in nodes}
    wanted = {
        label: any(called(phrase, label) for phrase in prompt.parsed.phrases)
        for label in set(labels.values())
    }
    twice = _named_twice(prompt)

    def apart(one: str, other: str) -> bool:
        return labels[one].casefold() != labels[other].casefold() or any(
            called(phrase, labels[one]) for phrase in twice
        )

    found = list(edges(of, lambda name: wanted[labels[name]], apart))
    judged = [(names[one], relation, names[other]) for one, relation, other in told]
    return Graph(nodes, numbered([*found, *judged]))


def _named_twice(prompt: PromptGraph) -> list[Phrase]:
    """The words of things that the prompt names more than once, as different ones."""
    labels = [node.label for node in prompt.graph.nodes]
    return [
        phrase
        for node, phrase in zip(prompt.graph.nodes, prompt.phrases, strict=True)
        if labels.count(node.label) > 1
    ]


def of_caption(text: str) -> Graph:
    """Return the graph of a caption: as many nodes of a thing as it says.

    There are two where a plural says no number.
    """
    said = make_prompt_graph(text)
    several: dict[str, list[str]] = {}
    nodes: list[Node] = []
    for node in said.graph.nodes:
        if node.absent:
            continue
        phrase = said.phrase(node.name)
        many = min(phrase.number or (MANY if phrase.plural else 1), MOST_OF_ONE)
        plain = tuple(attribute for attribute in node.attributes if attribute.kind != NUMBER)
        several[node.name] = [f"n{len(nodes) + each}" for each in range(1, many + 1)]
        nodes += [
            replace(node, name=name, attributes=plain, spans=()) for name in several[node.name]
        ]
    kept = [edge for edge in said.graph.edges if edge.source in several and edge.target in several]
    found = [
        (one, edge.relation, other)
        for edge in kept
        for one in several[edge.source]
        for other in several[edge.target]
    ]
    return Graph(tuple(nodes), numbered(found))
