"""Reads how the things of a picture stand to each other, from their boxes.

What boxes cannot tell is asked of a judge.

Paper, section 3.2: "we filter out some unnecessary edges by performing similarity checks on the
names". Two boxes of one name at one place have no edge; nor have two things of one
name, unless the prompt tells them apart; what nobody asked for has edges to the thing next to it
alone.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.graphs import Edge
from hallascope.data.regions import Box
from hallascope.metrics.detection.geometry import middle, relations, same_box, touches
from hallascope.metrics.reading.words.relations import PART_OF

FROM_BOXES = ("left of", "right of", "above", "below", "on", "in", "next to", PART_OF)
# What boxes that touch cannot tell apart: flowers stick out of the vase that they are in.
CONTACT = ("in", "on")
# Of two that say the same the other way round, the one that becomes an edge.
_EDGE_RELATIONS = ("left of", "above", "on", "in")
MOST_PAIRS = 80
MOST_JUDGED_PAIRS = 4  # pairs of things that a judge is shown for one relation
# What a judge may choose from, beside what was asked for.
DEPTH = ("in front of", "behind")
DOING = (
    "holding",
    "wearing",
    "riding",
    "carrying",
    "eating",
    "drinking",
    "chasing",
    "looking at",
    "playing with",
    "touching",
    "pulling",
    "pushing",
    "hugging",
    "with",
)
NOTHING = "none of these"
# What counts for what was asked, beside the same words.
_ALSO_MET: Mapping[str, tuple[str, ...]] = {
    PART_OF: ("in", "on", "with"),
    "with": ("holding", "wearing", "carrying", "riding", "playing with"),
    "carrying": ("holding",),
    "holding": ("carrying",),
    "watching": ("looking at",),
}


class Relation(NamedTuple):
    """Says how one thing stands to another, by the names of their nodes."""

    source: str
    relation: str
    target: str


def meets(expected: str, observed: str) -> bool:
    """Return whether a relation is what was asked for, by the same words or their kin."""
    return expected == observed or observed in _ALSO_MET.get(expected, ())


def box_relations(
    segments: Mapping[str, SegmentEvidence],
    is_asked: Callable[[str], bool],
    may_relate: Callable[[str, str], bool],
) -> Iterator[Relation]:
    """Yield the relations of all pairs with an edge, by names of nodes.

    `is_asked`: whether the prompt asks for a thing; `may_relate`: whether two things may have an
    edge by what they are called.
    """
    pairs = [
        (first, second)
        for first, second in combinations(segments, 2)
        if may_relate(first, second) and not _is_double(segments[first], segments[second])
    ]
    nearest_first = sorted(
        pairs,
        key=lambda pair: math.dist(middle(segments[pair[0]].box), middle(segments[pair[1]].box)),
    )
    asked_pairs = [pair for pair in nearest_first if is_asked(pair[0]) and is_asked(pair[1])]
    related = set(asked_pairs[:MOST_PAIRS])
    for name in segments:
        if not is_asked(name):
            related.update([pair for pair in nearest_first if name in pair][:1])
    for first, second in pairs:
        if (first, second) in related:
            yield from _pair_relations(first, segments[first].box, second, segments[second].box)


def _is_double(segment: SegmentEvidence, other: SegmentEvidence) -> bool:
    return segment.phrase.casefold() == other.phrase.casefold() and same_box(segment.box, other.box)


def _pair_relations(first: str, first_box: Box, second: str, second_box: Box) -> Iterator[Relation]:
    forward = relations(first_box, middle(first_box), second_box, middle(second_box))
    back = relations(second_box, middle(second_box), first_box, middle(first_box))
    yield from (Relation(first, name, second) for name in _EDGE_RELATIONS if name in forward)
    if "next to" in forward:
        yield Relation(first, "next to", second)
    yield from (Relation(second, name, first) for name in _EDGE_RELATIONS if name in back)


def may_be_in_contact(box: Box, other: Box, relation: str) -> bool:
    """Return whether a thing may be in or on another although their boxes do not show it."""
    shown = relations(box, middle(box), other, middle(other))
    return relation in CONTACT and relation not in shown and touches(box, other)


def number_edges(relations: Sequence[Relation]) -> tuple[Edge, ...]:
    """Return the relations as edges e1, e2, ... in their order, each once."""
    distinct = dict.fromkeys(relations)
    return tuple(Edge(f"e{number}", *relation) for number, relation in enumerate(distinct, 1))


def union(box: Box, other: Box) -> Box:
    """Return the least box around two."""
    return Box(
        min(box.left, other.left),
        min(box.top, other.top),
        max(box.right, other.right),
        max(box.bottom, other.bottom),
    )


def choices(expected: str) -> tuple[str, ...]:
    """Return what a judge may choose from, where a relation was asked that boxes cannot tell."""
    if expected in CONTACT:
        return (*CONTACT, "next to", NOTHING)
    known = DEPTH if expected in DEPTH else DOING
    return (*dict.fromkeys((*known, expected)), NOTHING)
