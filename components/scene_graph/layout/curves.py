"""Lays out relations as curves beside a column of nodes.

It decides where each begins and ends, how far out it bends, and where its words stand.
"""

from collections.abc import Iterator, Sequence
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
        x, y = self.start
        out = 3 * t * (1 - t) * (self.bend - x)
        down = (self.end[1] - y) * (3 * t * t - 2 * t**3)
        return x + out, y + down


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


class Port(NamedTuple):
    """Is an end of a strand at a node; ports are in the order of the other end's height."""

    other_end: float
    strand: int
    is_end: bool


def curves(
    side: GraphSide, pairs: Pairs, places: dict[str, LayoutBox], base: float
) -> tuple[list[Curve], int]:
    """Return the curves of one side, and how many are left out where there are too many.

    Nothing rests on those that are left out.

    `places`: where the nodes of that side are, by name; `base`: the x of their outer edge.
    """
    strands = list(_strands(side, pairs, places))
    quiet = sorted((strand for strand in strands if strand.quiet), key=lambda strand: strand.span)
    shown = [strand for strand in strands if not strand.quiet] + quiet[:MOST_QUIET]
    taken: list[LayoutBox] = []
    drawn: list[Curve] = []
    for strand, ends, depth in zip(shown, _ports(shown), _depths(shown), strict=True):
        relation = pairs.relations[strand.relation]
        bare = _bare_curve(side, strand, relation, ends=ends, base=base, depth=depth)
        curve = _place_label(bare, taken)
        if not strand.quiet:
            taken.append(curve.label)
        drawn.append(curve)
    return drawn, len(quiet[MOST_QUIET:])


def _strands(side: GraphSide, pairs: Pairs, places: dict[str, LayoutBox]) -> Iterator[Strand]:
    for index, relation in enumerate(pairs.relations):
        edges = relation.seen
        if side == "asked":
            edges = (relation.asked,) if relation.asked else ()
        for edge in edges:
            if edge.source in places and edge.target in places:
                yield Strand(index, edge, places[edge.source], places[edge.target], relation.quiet)


def _ports(strands: Sequence[Strand]) -> list[tuple[float, float]]:
    """Return the heights at which each begins and ends, spread where several meet at a node.

    They are in the order of their other ends.
    """
    starts = [strand.source.middle for strand in strands]
    ends = [strand.target.middle for strand in strands]
    for place, ports in _ports_by_node(strands).items():
        step = min(PORT, (place.height - 12) / max(len(ports) - 1, 1))
        for order, port in enumerate(sorted(ports)):
            heights = ends if port.is_end else starts
            heights[port.strand] += (order - (len(ports) - 1) / 2) * step
    return list(zip(starts, ends, strict=True))


def _ports_by_node(strands: Sequence[Strand]) -> dict[LayoutBox, list[Port]]:
    ports: dict[LayoutBox, list[Port]] = {}
    for i, strand in enumerate(strands):
        if not strand.quiet:
            ports.setdefault(strand.source, []).append(Port(strand.target.middle, i, False))
            ports.setdefault(strand.target, []).append(Port(strand.source.middle, i, True))
    return ports


def _depths(strands: Sequence[Strand]) -> list[float]:
    """Return how far out each bends: short ones inside, none along another one on its lane."""
    depths = [0.0] * len(strands)
    lanes: list[list[tuple[float, float]]] = []
    for i in sorted(range(len(strands)), key=lambda i: (strands[i].span, i)):
        strand = strands[i]
        if strand.quiet:
            # Quiet ones are seen one node at a time, and fan out by their length.
            depths[i] = FIRST + min(4 * LANE, strand.span / 8)
        else:
            depths[i] = FIRST + LANE * _take_lane(strand.reach, lanes)
    return depths


def _take_lane(reach: tuple[float, float], lanes: list[list[tuple[float, float]]]) -> int:
    """Put it on the first lane where it runs along no other, and return which that is."""
    for index, lane in enumerate(lanes):
        if not any(_runs_along(reach, other) for other in lane):
            lane.append(reach)
            return index
    lanes.append([reach])
    return len(lanes) - 1


def _runs_along(reach: tuple[float, float], other: tuple[float, float]) -> bool:
    return reach == other or (reach[0] < other[1] and other[0] < reach[1])


def _bare_curve(
    side: GraphSide,
    strand: Strand,
    relation: RelationRow,
    *,
    ends: tuple[float, float],
    base: float,
    depth: float,
) -> Curve:
    """Return the curve with the size of its label, whose place is not known yet."""
    words = cut(words_of(side, strand.edge, relation), LONGEST, SMALL)
    width = text_width(words, SMALL) + AROUND + (SIGN if relation.kind else 0.0)
    return Curve(
        side=side,
        relation=strand.relation,
        edge=strand.edge,
        start=(base, ends[0]),
        end=(base, ends[1]),
        bend=base + (-1 if side == "asked" else 1) * depth / 0.75,
        label=LayoutBox(0, 0, width, HIGH),
        text=words,
        kind=relation.kind,
        dashed=side == "asked" and not relation.seen,
        quiet=strand.quiet,
    )


def words_of(side: GraphSide, edge: Edge, relation: RelationRow) -> str:
    """Return the words of a relation.

    They are both of one that was asked for and is otherwise: "left of → right of".
    """
    if side == "asked" and relation.kind == "incorrect" and relation.instead != NOT_SEEN:
        return f"{edge.relation}{CHANGED}{relation.instead}"
    return edge.relation


def _place_label(curve: Curve, taken: Sequence[LayoutBox]) -> Curve:
    """Put its words in its middle, or where they hide no others; never on a node."""
    places = [_label_box(curve, share) for share in _ALONG]
    if curve.quiet:
        return replace(curve, label=places[0])
    free = (place for place in places if not any(place.meets(other) for other in taken))
    return replace(curve, label=next(free, places[0]))


def _label_box(curve: Curve, t: float) -> LayoutBox:
    x, y = curve.point_at(t)
    base = curve.start[0]
    wide = curve.label.width
    way = 1 if curve.side == "seen" else -1
    middle = base + way * max(abs(x - base), wide / 2 + 7)
    return LayoutBox(middle - wide / 2, y - HIGH / 2, wide, HIGH)
