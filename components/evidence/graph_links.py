"""Which keys belong together where scene graphs are shown: rows, relations, findings and segments.

It makes no HTML.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hallascope.components.evidence.exhibit import EvidenceKeys, key
from hallascope.data.evidence import Evidence, SegmentEvidence
from hallascope.data.graph_layout.pairs import pairs
from hallascope.data.graph_layout.rows import NodeRow, Pairs, RelationRow
from hallascope.data.graphs import Triple


@dataclass(frozen=True)
class GraphLinks:
    """The pairs of two graphs with the segments of the picture.

    Every method gives the keys of what belongs to something.
    """

    pairs: Pairs
    segments: tuple[SegmentEvidence, ...]

    def of_slot(self, index: int) -> EvidenceKeys:
        """What a row belongs to: its findings, its segments, the relations it has part in."""
        slot = self.pairs.slots[index]
        relations = (
            key("edge", i) for i, one in enumerate(self.pairs.relations) if index in self._ends(one)
        )
        return (*_findings(slot), *self._segments(slot), *relations)

    def of_relation(self, index: int) -> EvidenceKeys:
        """What a relation belongs to: its findings and its two ends."""
        relation = self.pairs.relations[index]
        return (*_findings(relation), *(key("node", slot) for slot in self._ends(relation)))

    def of_finding(self, index: int) -> EvidenceKeys:
        """The rows and relations that a finding is about."""
        nodes = (
            key("node", i) for i, slot in enumerate(self.pairs.slots) if index in slot.findings
        )
        return (
            *nodes,
            *(
                key("edge", i)
                for i, one in enumerate(self.pairs.relations)
                if index in one.findings
            ),
        )

    def of_segment(self, index: int) -> tuple[EvidenceKeys, EvidenceKeys]:
        """The rows whose place in the picture the segment is, and their relations."""
        name = self.segments[index].name
        slots = [
            i
            for i, slot in enumerate(self.pairs.slots)
            if any(thing.node.segment == name for thing in slot.seen)
        ]
        relations = (
            key("edge", i)
            for i, one in enumerate(self.pairs.relations)
            if set(slots) & set(self._ends(one))
        )
        return tuple(key("node", i) for i in slots), tuple(relations)

    def of_triple(self, triple: Triple) -> EvidenceKeys:
        """Return where a triple of the memory stands in the picture's graph.

        It is the triple's relation, else its nodes.
        """
        edges = (
            key("edge", i)
            for i, one in enumerate(self.pairs.relations)
            if triple.edge in [edge.name for edge in one.seen]
        )
        nodes = (self.pairs.slot_of("seen", name) for name in triple.nodes)
        return tuple(edges) or _unique(key("node", slot) for slot in nodes if slot is not None)

    def _segments(self, slot: NodeRow) -> EvidenceKeys:
        names = {thing.node.segment for thing in slot.seen}
        return tuple(
            key("segment", i) for i, segment in enumerate(self.segments) if segment.name in names
        )

    def _ends(self, relation: RelationRow) -> Sequence[int]:
        """The slots that a relation joins, on either side."""
        asked = [
            self.pairs.slot_of("asked", one)
            for edge in filter(None, (relation.asked,))
            for one in (edge.source, edge.target)
        ]
        seen = [
            self.pairs.slot_of("seen", one)
            for edge in relation.seen
            for one in (edge.source, edge.target)
        ]
        return [slot for slot in dict.fromkeys((*asked, *seen)) if slot is not None]


def link_graphs(evidence: Evidence) -> GraphLinks | None:
    """The ties of the graphs of the evidence; None where it has none."""
    return (
        GraphLinks(pairs(evidence.graphs, evidence.findings), evidence.segments)
        if evidence.graphs
        else None
    )


def _findings(found: NodeRow | RelationRow) -> EvidenceKeys:
    return tuple(key("finding", one) for one in found.findings)


def _unique(keys: Iterable[str]) -> EvidenceKeys:
    return tuple(dict.fromkeys(keys))
