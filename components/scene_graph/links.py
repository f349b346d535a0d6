"""Says which keys of scene graphs belong together: rows, relations, findings and segments."""

from collections.abc import Sequence
from dataclasses import dataclass

from hallascope.components.evidence.exhibit import EvidenceKeys, key
from hallascope.components.scene_graph.layout.pairs import pairs
from hallascope.components.scene_graph.layout.rows import NodeRow, Pairs, RelationRow
from hallascope.data.evidence import Evidence, SegmentEvidence
from hallascope.data.graphs import Triple


@dataclass(frozen=True)
class GraphLinks:
    """Holds the pairs of two graphs with the segments of the image.

    Every method gives the keys of what belongs to something.
    """

    pairs: Pairs
    segments: tuple[SegmentEvidence, ...]

    def of_slot(self, index: int) -> EvidenceKeys:
        """Return what a row belongs to: its findings, its segments, the relations it is in."""
        slot = self.pairs.slots[index]
        relations = (
            key("edge", i) for i in range(len(self.pairs.relations)) if index in self.ends(i)
        )
        names = {thing.node.segment for thing in slot.seen}
        segments = (
            key("segment", i) for i, segment in enumerate(self.segments) if segment.name in names
        )
        return (*_findings(slot), *segments, *relations)

    def of_relation(self, index: int) -> EvidenceKeys:
        """Return what a relation belongs to: its findings and its two ends."""
        relation = self.pairs.relations[index]
        return (*_findings(relation), *(key("node", slot) for slot in self.ends(index)))

    def of_finding(self, index: int) -> EvidenceKeys:
        """Return the rows and relations that a finding is about."""
        slots = enumerate(self.pairs.slots)
        relations = enumerate(self.pairs.relations)
        return (
            *(key("node", i) for i, slot in slots if index in slot.findings),
            *(key("edge", i) for i, relation in relations if index in relation.findings),
        )

    def of_segment(self, index: int) -> tuple[EvidenceKeys, EvidenceKeys]:
        """Return the rows whose place in the image the segment is, and their relations."""
        name = self.segments[index].name
        slots = [
            i
            for i, slot in enumerate(self.pairs.slots)
            if any(thing.node.segment == name for thing in slot.seen)
        ]
        relations = (
            key("edge", i)
            for i in range(len(self.pairs.relations))
            if set(slots) & set(self.ends(i))
        )
        return tuple(key("node", i) for i in slots), tuple(relations)

    def of_triple(self, triple: Triple) -> EvidenceKeys:
        """Return where a triple of the memory stands in the image's graph.

        It is the triple's relation, else its nodes.
        """
        edges = tuple(
            key("edge", i)
            for i, relation in enumerate(self.pairs.relations)
            if triple.edge in [edge.name for edge in relation.seen]
        )
        slots = dict.fromkeys(self.pairs.slot_of("seen", name) for name in triple.nodes)
        return edges or tuple(key("node", slot) for slot in slots if slot is not None)

    def ends(self, index: int) -> Sequence[int]:
        """Return the rows that a relation joins, on either side."""
        relation = self.pairs.relations[index]
        slots: list[int | None] = []
        if relation.asked:
            ends = (relation.asked.source, relation.asked.target)
            slots += [self.pairs.slot_of("asked", name) for name in ends]
        for edge in relation.seen:
            slots += [self.pairs.slot_of("seen", name) for name in (edge.source, edge.target)]
        return [slot for slot in dict.fromkeys(slots) if slot is not None]


def link_graphs(evidence: Evidence) -> GraphLinks | None:
    """Return the links of the graphs of the evidence; None where it has none."""
    if evidence.graphs is None:
        return None
    return GraphLinks(pairs(evidence.graphs, evidence.findings), evidence.segments)


def _findings(row: NodeRow | RelationRow) -> EvidenceKeys:
    return tuple(key("finding", index) for index in row.findings)
