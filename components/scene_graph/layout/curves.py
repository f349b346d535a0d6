"""Lays out relations as curves beside a column of nodes.

It decides where each begins and ends, how far out it bends, and where its words stand.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from hallascope.components.scene_graph.layout.boxes import LayoutBox, cut, text_width
from hallascope.components.scene_graph.layout.rows import (
    CHANGED,
    NOT_SEEN,
    MatchKind,
    Pairs,
    RelationRow,
)
from hallascope.data.graphs import Edge

GraphSide = Literal["asked", "seen"]
# all in px
LANE = 22.0  # from one curve to the next one further out
FIRST = 28.0  # from the nodes to the first curve
PORT = 11.0  # between two curves at one node, at most
LONGEST = 150.0  # the width of words, at most
HIGH = 20.0  # their height
SIGN = 14.0  # the width of a sign
AROUND = 14.0  # what is around words
SMALL = 12.5  # the size of their font
MOST_QUIET = 120  # curves that nothing rests on; more of them would hide the rest
_ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)  # where on a curve its words may stand, best first
LayoutPoint = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Is a relation from `start` to `end`, at the outer edges of its nodes.

    `bend` is the x of both control points of the cubic between. `relation` is its index among
    the pairs. `label` is where its words `text` stand, with their sign. `dashed`: nothing of it
    is seen.
    """

    side: GraphSide
    relation: int
    edge: Edge
    start: LayoutPoint
    end: LayoutPoint
    bend: float
    label: LayoutBox
    text: str
    kind: MatchKind | None = None
    dashed: bool = False
    quiet: bool = False

    @property
    def outermost(self) -> float:
        """Return the x that it and its words reach."""
        apex = self.start[0] + 0.75 * (self.bend - self.start[0])
        return min(apex, self.label.x) if self.side == "asked" else max(apex, self.label.right)

    def point_at(self, t: float) -> LayoutPoint:
        """Return the point at the share `t` of the way, in [0, 1]."""
        out = 3 * t * (1 - t) * (self.bend - self.start[0])
        return self.start[0] + out, self.start[1] + (self.end[1] - self.start[1]) * (
            3 * t * t - 2 * t**3
        )


class Strand(NamedTuple):
    """Is a relation that can be drawn, between the nodes at these places."""

    relation: int
    edge: Edge
    source: LayoutBox
    target: LayoutBox
    quiet: bool

    @property
    def reach(self) -> tuple[float, float]:
        """Return the heights between which it runs, the upper one first."""
        first, last = sorted((self.source.middle, self.target.middle))
        return first, last

    @property
    def span(self) -> float:
        """Return how far it runs."""
        return self.reach[1] - self.reach[0]


def curves(
    side: GraphSide, found: Pairs, places: dict[str, LayoutBox], base: float
) -> tuple[list[Curve], int]:
    """Return the curves of one side, and how many are left out where there are too many.

    Nothing rests on those that are left out.

    `places`: where the nodes of that side are, by name; `base`: the x of their outer edge.
    """
    strands = list(_strands(side, found, places))
    quiet = sorted((strand for strand in strands if strand.quiet), key=lambda strand: strand.span)
    shown = [strand for strand in strands if not strand.quiet] + quiet[:MOST_QUIET]
    ports = _ports(shown)
    depths = _depths(shown)
    taken = list[LayoutBox]()
    drawn = []
    for strand, ends, depth in zip(shown, ports, depths, strict=True):
        curve = _curve(
            side=side,
            strand=strand,
            relation=found.relations[strand.relation],
            ends=ends,
            base=base,
            depth=depth,
            taken=taken,
        )
        taken += [] if strand.quiet else [curve.label]
        drawn.append(curve)
    return drawn, len(quiet[MOST_QUIET:])


def _strands(side: GraphSide, found: Pairs, places: dict[str, LayoutBox]) -> Iterator[Strand]:
    for index, relation in enumerate(found.relations):
        for edge in _edges(side, relation):
            if edge.source in places and edge.target in places:
                yield Strand(index, edge, places[edge.source], places[edge.target], relation.quiet)


def _edges(side: GraphSide, relation: RelationRow) -> Sequence[Edge]:
    if side == "seen":
        return relation.seen
    return (relation.asked,) if relation.asked else ()


def _ports(strands: Sequence[Strand]) -> list[tuple[float, float]]:
    """Return the heights at which each begins and ends, spread where several meet at a node.

    They are in the order of their other ends.
    """
    ends: dict[LayoutBox, list[tuple[float, int, int]]] = {}
    for i, strand in enumerate(strands):
        if not strand.quiet:
            ends.setdefault(strand.source, []).append((strand.target.middle, i, 0))
            ends.setdefault(strand.target, []).append((strand.source.middle, i, 1))
    heights = [[strand.source.middle, strand.target.middle] for strand in strands]
    for place, own in ends.items():
        step = min(PORT, (place.height - 12) / max(len(own) - 1, 1))
        for order, (_, i, which) in enumerate(sorted(own)):
            heights[i][which] += (order - (len(own) - 1) / 2) * step
    return [(one, other) for one, other in heights]


def _depths(strands: Sequence[Strand]) -> list[float]:
    """Return how far out each bends: short ones inside, none along another one on its lane."""
    depths = [0.0] * len(strands)
    lanes: list[list[tuple[float, float]]] = []
    order = sorted(range(len(strands)), key=lambda i: (strands[i].quiet, strands[i].span, i))
    for i in order:
        strand = strands[i]
        if strand.quiet:  # they are seen one node at a time, and fan out by their length
            depths[i] = FIRST + min(4 * LANE, strand.span / 8)
            continue
        free = (n for n, taken in enumerate(lanes) if not _runs_along(strand.reach, taken))
        lane = next(free, len(lanes))
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append(strand.reach)
        depths[i] = FIRST + LANE * lane
    return depths


def _runs_along(reach: tuple[float, float], others: Iterable[tuple[float, float]]) -> bool:
    return any(reach == other or (reach[0] < other[1] and other[0] < reach[1]) for other in others)


def _curve(
    side: GraphSide,
    strand: Strand,
    relation: RelationRow,
    ends: tuple[float, float],
    base: float,
    *,
    depth: float,
    taken: Sequence[LayoutBox],
) -> Curve:
    words = cut(words_of(side, strand.edge, relation), LONGEST, SMALL)
    wide = text_width(words, SMALL) + AROUND + (SIGN if relation.kind else 0.0)
    bend = base + (-1 if side == "asked" else 1) * depth / 0.75
    dashed = side == "asked" and not relation.seen
    plain = Curve(
        side=side,
        relation=strand.relation,
        edge=strand.edge,
        start=(base, ends[0]),
        end=(base, ends[1]),
        bend=bend,
        label=LayoutBox(0, 0, wide, HIGH),
        text=words,
        kind=relation.kind,
        dashed=dashed,
        quiet=strand.quiet,
    )
    return _place_label(plain, taken)


def words_of(side: GraphSide, edge: Edge, relation: RelationRow) -> str:
    """Return the words of a relation.

    They are both of one that was asked for and is otherwise: "left of → right of".
    """
    if side == "asked" and relation.kind == "incorrect" and relation.instead != NOT_SEEN:
        return f"{edge.relation}{CHANGED}{relation.instead}"
    return edge.relation


def _place_label(curve: Curve, taken: Sequence[LayoutBox]) -> Curve:
    """Put its words in its middle, or where they hide no others; never on a node."""
    tries = [_label_box(curve, t) for t in _ALONG]
    free = (
        place for place in tries if curve.quiet or not any(place.meets(other) for other in taken)
    )
    return replace(curve, label=next(free, tries[0]))


def _label_box(curve: Curve, t: float) -> LayoutBox:
    x, y = curve.point_at(t)
    base = curve.start[0]
    wide = curve.label.width
    way = 1 if curve.side == "seen" else -1
    middle = base + way * max(abs(x - base), wide / 2 + 7)
    return LayoutBox(middle - wide / 2, y - HIGH / 2, wide, HIGH)
