"""How the things of a picture stand to each other, from their boxes.

What boxes cannot tell is asked of a judge. It knows no prompt.

Paper, section 3.2. Our reading of "we filter out some unnecessary edges by performing similarity
checks on the names": two boxes of one name at one place have no edge; nor have two things of one
name, unless the prompt tells them apart; what nobody asked for has edges to the thing next to it
alone.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.graphs import Edge
from hallascope.data.regions import Box
from hallascope.metrics.detection.geometry import middle, relations, same_box
from hallascope.metrics.parsing.positions import KIN
from hallascope.metrics.scene_graph.prompt_graph import PART_OF

FROM_BOXES = ("left of", "right of", "above", "below", "on", "in", "next to", PART_OF)
_KEPT = (
    "left of",
    "above",
    "on",
    "in",
)  # of two that say the same the other way round, the one that is kept
MOST_PAIRS = 80
# what a judge may choose from, beside what was asked for
DEPTH = ("in front of", "behind")
DOING = (
    *(
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
    ),
    *("pulling", "pushing", "hugging", "with"),
)
NOTHING = "none of these"
# what counts for what was asked, beside the same words
_MET: Mapping[str, tuple[str, ...]] = {
    **KIN,
    PART_OF: ("in", "on", "with"),
    "with": ("holding", "wearing", "carrying", "riding", "playing with"),
    "carrying": ("holding",),
    "holding": ("carrying",),
    "watching": ("looking at",),
}


def meets(asked: str, seen: str) -> bool:
    """Whether a relation that is seen is what was asked for, by the same words or their kin."""
    return asked == seen or seen in _MET.get(asked, ())


def edges(
    segments: Mapping[str, SegmentEvidence],
    wanted: Callable[[str], bool],
    apart: Callable[[str, str], bool],
) -> Iterator[tuple[str, str, str]]:
    """Return source, relation and target of all pairs with an edge, by names of nodes.

    `wanted`: whether the prompt asks for a thing; `apart`: whether two things may have an edge by
    what they are called.
    """
    pairs = [
        pair
        for pair in combinations(segments, 2)
        if apart(*pair) and not _one_place(*pair, segments)
    ]
    close = sorted(pairs, key=lambda pair: _distance(segments[pair[0]].box, segments[pair[1]].box))
    kept = set([pair for pair in close if wanted(pair[0]) and wanted(pair[1])][:MOST_PAIRS])
    kept |= {
        next(pair for pair in close if name in pair)
        for name in segments
        if not wanted(name) and any(name in pair for pair in close)
    }
    for pair in pairs:
        if pair in kept:
            yield from _box_relations(*pair, segments)


def _one_place(one: str, other: str, segments: Mapping[str, SegmentEvidence]) -> bool:
    first = segments[one]
    second = segments[other]
    return first.phrase.casefold() == second.phrase.casefold() and same_box(first.box, second.box)


def _distance(one: Box, other: Box) -> float:
    return math.dist(middle(one), middle(other))


def _box_relations(
    one: str, other: str, segments: Mapping[str, SegmentEvidence]
) -> Iterator[tuple[str, str, str]]:
    a = segments[one].box
    b = segments[other].box
    for source, target, from_box, to_box in ((one, other, a, b), (other, one, b, a)):
        found = relations(from_box, middle(from_box), to_box, middle(to_box))
        yield from ((source, relation, target) for relation in _KEPT if relation in found)
        if source == one and "next to" in found:
            yield source, "next to", target


def numbered(found: Sequence[tuple[str, str, str]]) -> tuple[Edge, ...]:
    """Named in their order."""
    return tuple(Edge(f"e{at}", *each) for at, each in enumerate(dict.fromkeys(found), 1))


def union(one: Box, other: Box) -> Box:
    """The least box around two."""
    return Box(
        min(one.left, other.left),
        min(one.top, other.top),
        max(one.right, other.right),
        max(one.bottom, other.bottom),
    )


def choices(asked: str) -> tuple[str, ...]:
    """What a judge may choose from, where a relation was asked that boxes cannot tell."""
    known = DEPTH if asked in DEPTH else DOING
    return (*dict.fromkeys((*known, asked)), NOTHING)
