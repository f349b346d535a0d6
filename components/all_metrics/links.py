"""Links what several metrics say of one thing in an image, by its place or by its name.

Nothing is linked that the evidence does not hold: two rows belong together where both have a place
in the image and the places are the same (nearly so, where their names differ: a part may cover most
of its whole) or, where one has no place, where both have the same name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from hallascope.components.all_metrics.places import (
    SAME,
    SAME_WITHOUT_NAME,
    Place,
    is_part,
    is_same,
    part_places,
    segment_place,
)
from hallascope.components.evidence.exhibit import EvidenceKeys, key
from hallascope.components.evidence.exhibits.verdicts import Regions
from hallascope.components.scene_graph.links import GraphLinks, link_graphs
from hallascope.components.tiles.tile import EXTRA
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.graphs import Node
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import Question
from hallascope.data.regions import Span
from hallascope.metrics.reading.words.language import singular, words
from hallascope.metrics.true_answers import UnaskedError


@dataclass(frozen=True, eq=False)
class EvidenceSubject:
    """Says what one row, node or question is about: names in the singular, and places.

    `key` is that of the row within the whole panel, `metric` whose row it is.
    """

    key: str
    metric: str
    names: frozenset[str]
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class EvidenceLinks:
    """Holds by key the keys of what other metrics say of the same thing.

    `whole`: those of a thing of which it is a part, and those of its parts.
    """

    same: Mapping[str, EvidenceKeys]
    whole: Mapping[str, EvidenceKeys]


def scoped_key(metric: str, own: str) -> str:
    """Return the key of a row within the panel of all metrics: "fig.finding=2"."""
    return f"{metric}.{own}" if metric else own


def link(subjects: Sequence[EvidenceSubject]) -> EvidenceLinks:
    """Return what belongs together across metrics; rows of one metric are not linked here."""
    same: dict[str, list[str]] = {}
    whole: dict[str, list[str]] = {}
    for subject in subjects:
        for other in subjects:
            if subject.metric == other.metric:
                continue
            if are_same(subject, other):
                same.setdefault(subject.key, []).append(other.key)
            elif are_part_and_whole(subject, other) or are_part_and_whole(other, subject):
                whole.setdefault(subject.key, []).append(other.key)
    return EvidenceLinks(
        {name: tuple(keys) for name, keys in same.items()},
        {name: tuple(keys) for name, keys in whole.items()},
    )


def are_same(one: EvidenceSubject, other: EvidenceSubject) -> bool:
    """Return whether two rows are about one thing."""
    has_same_name = bool(one.names & other.names)
    if one.places and other.places:
        share = SAME if has_same_name else SAME_WITHOUT_NAME
        return any(is_same(a, b, share) for a in one.places for b in other.places)
    return has_same_name


def are_part_and_whole(part: EvidenceSubject, whole: EvidenceSubject) -> bool:
    """Return whether all that the first row is about lies within one thing of the second."""
    return bool(part.places) and any(
        all(is_part(place, around) for place in part.places) for around in whole.places
    )


# --- what rows are about ---


@dataclass(frozen=True)
class SubjectReader:
    """Reads what rows are about, from the names and places that the evidence holds.

    `regions`: outlines by the name of the part, where they are known. `reading`: what the prompt
    asks for, where a metric read it.
    """

    prompt: str
    regions: Regions
    reading: PromptReading | None = None

    def of_questions(
        self, metric: str, questions: Sequence[Question], unasked: Sequence[UnaskedError]
    ) -> Iterator[EvidenceSubject]:
        """Yield what questions are about, then the errors that none of them asks for."""
        for i, question in enumerate(questions):
            yield self._of_parts(scoped_key(metric, key("question", i)), metric, question.regions)
        for i, error in enumerate(unasked):
            yield self._of_parts(scoped_key(metric, key("fact", i)), metric, error.parts)

    def of_evidence(self, metric: str, evidence: Evidence) -> Iterator[EvidenceSubject]:
        """Yield what the findings, nodes and relations of a metric are about."""
        places = {segment.name: segment_place(segment) for segment in evidence.segments}
        phrases = {segment.name: segment.phrase for segment in evidence.segments}
        for i, finding in enumerate(evidence.findings):
            found = [name for name in finding.segments if name in places]
            names = self._names_of_finding(finding) | self._names(phrases[name] for name in found)
            yield EvidenceSubject(
                scoped_key(metric, key("finding", i)),
                metric,
                names,
                tuple(places[name] for name in found) or self._places(names),
            )
        links = link_graphs(evidence)
        if links:
            yield from self._of_graphs(metric, links, places)

    def _of_graphs(
        self, metric: str, links: GraphLinks, places: Mapping[str, Place]
    ) -> Iterator[EvidenceSubject]:
        slots = [
            self._of_nodes(slot_nodes(links, i), places) for i in range(len(links.pairs.slots))
        ]
        for i, (names, own) in enumerate(slots):
            yield EvidenceSubject(scoped_key(metric, key("node", i)), metric, names, own)
        for i in range(len(links.pairs.relations)):
            ends = [slots[slot] for slot in links.ends(i)]
            yield EvidenceSubject(
                scoped_key(metric, key("edge", i)),
                metric,
                frozenset(chain.from_iterable(names for names, _ in ends)),
                tuple(chain.from_iterable(own for _, own in ends)),
            )

    def _of_nodes(
        self, nodes: Sequence[Node], places: Mapping[str, Place]
    ) -> tuple[frozenset[str], tuple[Place, ...]]:
        names = self._names(node.label for node in nodes)
        own = tuple(places[node.segment] for node in nodes if node.segment in places)
        return names, own or self._places(names)

    def _of_parts(self, name: str, metric: str, parts: Sequence[str]) -> EvidenceSubject:
        places = chain.from_iterable(part_places(self.regions.get(part, ())) for part in parts)
        return EvidenceSubject(name, metric, self._names(parts), tuple(places))

    def _places(self, names: Iterable[str]) -> tuple[Place, ...]:
        """Return where the parts of these names are, for what has no segment of its own."""
        return tuple(
            chain.from_iterable(
                part_places(shapes)
                for part, shapes in self.regions.items()
                if normal_name(part) in names
            )
        )

    def _names_of_finding(self, finding: Finding) -> frozenset[str]:
        words = finding.observed if finding.kind == EXTRA else finding.expected
        return self._names([words]) | self._objects_at(finding.prompt_spans)

    def _names(self, phrases: Iterable[str]) -> frozenset[str]:
        """Return phrases as names, with the objects of the prompt that they are words of."""
        names = set[str]()
        for phrase in phrases:
            if not phrase:
                continue
            names.add(normal_name(phrase))
            spans = re.finditer(rf"\b{re.escape(phrase)}\b", self.prompt, re.IGNORECASE)
            names |= self._objects_at([match.span() for match in spans])
        return frozenset(names)

    def _objects_at(self, spans: Sequence[Span]) -> frozenset[str]:
        """Return the objects of the prompt whose words these are."""
        objects = self.reading.objects if self.reading else ()
        return frozenset(
            normal_name(asked.name)
            for asked in objects
            if any(_overlap(own, span) for own in asked.spans for span in spans)
        )


def slot_nodes(links: GraphLinks, index: int) -> tuple[Node, ...]:
    """Return the nodes of a row of the graphs, of the prompt and of the image."""
    return tuple(thing.node for thing in links.pairs.slots[index].things)


def normal_name(phrase: str) -> str:
    """Return a phrase in lower case with its last word in the singular, without an article."""
    own = [word for word in words(phrase) if word not in ("a", "an", "the")]
    return " ".join([*own[:-1], singular(own[-1])]) if own else ""


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
