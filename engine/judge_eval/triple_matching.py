"""Holds the graph that a metric made of a picture against what is drawn there, triple by triple.

It runs nothing.

A triple is right where the drawing says the same, and not counted where it says nothing of it. What
two things are to each other is taken from the exact masks and boxes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hallascope.data.evidence import Evidence
from hallascope.data.graphs import Graph
from hallascope.data.masks import overlap
from hallascope.data.regions import Box
from hallascope.engine.judge_eval.error_matching import SAME_PLACE
from hallascope.metrics.detection.geometry import Center, center, middle, relations
from hallascope.primer.appearance import SHAPE_WORDS
from hallascope.primer.composition_truth import DrawnThing
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.truth import is_called


class TripleAccuracy(NamedTuple):
    """How many triples are right, of how many that the drawing says something of."""

    right: int
    counted: int

    @property
    def value(self) -> float | None:
        """The share of right ones, in [0, 1]; None where nothing was counted."""
        return self.right / self.counted if self.counted else None


NONE = TripleAccuracy(0, 0)


def check(shown: Sequence[DrawnThing], evidence: Evidence | None) -> TripleAccuracy:
    """The triples of the seen graph: what each node is called, each attribute, each edge."""
    graphs = evidence.graphs if evidence else None
    if evidence is None or graphs is None:
        return NONE
    boxes = {segment.name: segment.box for segment in evidence.segments}
    there = {
        node.name: _thing_at(boxes[node.segment], shown) if node.segment in boxes else None
        for node in graphs.seen.nodes
    }
    told = [one for one in _triple_matches(graphs.seen, there) if one is not None]
    return TripleAccuracy(sum(told), len(told))


def total(found: Sequence[TripleAccuracy]) -> TripleAccuracy:
    return TripleAccuracy(sum(one.right for one in found), sum(one.counted for one in found))


def _thing_at(box: Box, shown: Sequence[DrawnThing]) -> DrawnThing | None:
    best = max(shown, key=lambda thing: overlap(thing.box, box), default=None)
    return best if best and overlap(best.box, box) >= SAME_PLACE else None


def _triple_matches(seen: Graph, there: Mapping[str, DrawnThing | None]) -> Iterator[bool | None]:
    for node in seen.nodes:
        thing = there[node.name]
        yield thing is not None and is_called(node.label, thing)
        yield from (_has(thing, attribute.kind, attribute.value) for attribute in node.attributes)
    yield from (
        _stand(there[edge.source], edge.relation, there[edge.target]) for edge in seen.edges
    )


def _has(thing: DrawnThing | None, kind: str, value: str) -> bool | None:
    """Return whether a thing has an attribute, None where the drawing does not say.

    Concepts have a color at most.
    """
    if thing is None:
        return False
    plain = thing.name in SHAPE_NAMES
    known = {
        "color": thing.tone,
        "shape": SHAPE_WORDS[thing.name].casefold() if plain else None,
        "texture": "plain" if plain else None,
    }
    return None if known.get(kind) is None else known[kind] == value


def _stand(one: DrawnThing | None, relation: str, other: DrawnThing | None) -> bool:
    if one is None or other is None:
        return False
    at = _middle(one)
    of = _middle(other)
    sides = {
        "left of": at.x < of.x,
        "right of": at.x > of.x,
        "above": at.y < of.y,
        "below": at.y > of.y,
    }
    return (
        sides[relation]
        if relation in sides
        else relation in relations(one.box, middle(one.box), other.box, middle(other.box))
    )


def _middle(thing: DrawnThing) -> Center:
    return center(thing.mask) or middle(thing.box)
