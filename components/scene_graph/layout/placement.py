"""Places two scene graphs side by side, in px.

What belongs together is one row. The graph of the prompt is left, that of the image right, so that
a glance across compares them. The words of relations are a column outside the nodes, and straight
lines lead from the source of a relation to its words and on to its target.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from hallascope.components.html.signs import SignKind
from hallascope.components.scene_graph.layout.rows import (
    CHANGED,
    NOT_SEEN,
    AttributeLabel,
    GraphSide,
    LayoutNode,
    Pairs,
    RelationRow,
)
from hallascope.components.scene_graph.layout.words import SECTIONS, ghost, label
from hallascope.components.theme.drawing import fit_text, text_width
from hallascope.data.graphs import Edge

LayoutPoint = tuple[float, float]
# all in px
BLOCK = 176.0  # the width of a node
BETWEEN = 52.0  # between the two columns of nodes
OUTSIDE = 46.0  # between the nodes and the words of relations
WORDS = 136.0  # the width of the words of a relation, at most
TEXT = 14.0  # the size of the font of names
SMALL = 12.5  # the size of the font of attributes and relations
ROW = 18.0  # between rows
STACK = 8.0  # between nodes of one row
PAD = 9.0  # inside a node
MARGIN = 12.0  # around all
LINE = 18.0  # the height of a line of a name
CHIP = 20.0  # the height of an attribute, or of a line of a relation's words
GAP = 4.0  # between attributes, and between the words of relations
SIGN = 14.0  # the width of a sign
AROUND = 14.0  # what is around the text of an attribute or relation
HEAD = 34.0  # the height of a heading
MOST_QUIET = 120  # relations that nothing rests on; more of them would hide the rest
# the x of the left edges of the nodes
COLUMNS: dict[GraphSide, float] = {"asked": 0.0, "seen": BLOCK + BETWEEN}


class LayoutBox(NamedTuple):
    """Is a rectangle in px."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Return the y of half of its height down."""
        return self.y + self.height / 2

    @property
    def bottom(self) -> float:
        """Return the y of its lower edge."""
        return self.y + self.height

    @property
    def right(self) -> float:
        """Return the x of its right edge."""
        return self.x + self.width


class Block(NamedTuple):
    """Is a node, or the empty place of one that is missing (`thing` is None).

    `lines`: its name as far as it fits; `chips`: its attributes, one below the other.
    """

    side: GraphSide
    slot: int
    place: LayoutBox
    lines: tuple[str, ...]
    chips: tuple[AttributeLabel, ...]
    kind: SignKind | None
    dashed: bool
    thing: LayoutNode | None

    def chip_places(self) -> Iterator[LayoutBox]:
        """Yield where its attributes are."""
        y = self.place.y + PAD + LINE * len(self.lines) + GAP
        for chip in self.chips:
            width = text_width(chip.text, SMALL) + _around(chip.kind)
            yield LayoutBox(self.place.x + PAD, y, min(width, BLOCK - 2 * PAD), CHIP)
            y += CHIP + GAP


class Arrow(NamedTuple):
    """Is a relation: lines from `start` to its words at `label`, and from there to `end`.

    `relation` is its index among the pairs. `dashed`: nothing of it is seen.
    """

    side: GraphSide
    relation: int
    start: LayoutPoint
    label: LayoutBox
    end: LayoutPoint
    lines: tuple[str, ...]
    kind: SignKind | None
    dashed: bool
    quiet: bool

    @property
    def corner(self) -> LayoutPoint:
        """Return where both lines meet the words."""
        return (self.label.right if self.side == "asked" else self.label.x, self.label.middle)


class MatchLink(NamedTuple):
    """Is the line from what was asked to what it is, or to its empty place."""

    slot: int
    start: LayoutPoint
    end: LayoutPoint
    kind: SignKind | None


class Heading(NamedTuple):
    """Holds words over a column, from x on, with their baseline at y."""

    text: str
    x: float
    y: float


class Layout(NamedTuple):
    """Holds everything with its place; x begins at `left`, y at 0.

    `undrawn`: how many relations are left out, since nothing rests on them.
    """

    left: float
    width: float
    height: float
    blocks: tuple[Block, ...]
    arrows: tuple[Arrow, ...]
    links: tuple[MatchLink, ...]
    headings: tuple[Heading, ...]
    undrawn: int


def layout(pairs: Pairs) -> Layout:
    """Return all nodes, relations and headings with their places, the same for the same graphs."""
    blocks, headings, height = _rows(pairs)
    asked, seen = (_arrows(side, pairs, blocks) for side in COLUMNS)
    arrows = asked[0] + seen[0]
    labels = [arrow.label for arrow in arrows]
    left = min([0.0, *(place.x for place in labels)]) - MARGIN
    right = max([COLUMNS["seen"] + BLOCK, *(place.right for place in labels)]) + MARGIN
    return Layout(
        left=left,
        width=right - left,
        height=max([height, *(place.bottom + ROW for place in labels)]),
        blocks=tuple(blocks),
        arrows=tuple(arrows),
        links=tuple(_links(pairs, blocks)),
        headings=tuple(headings),
        undrawn=asked[1] + seen[1],
    )


def _around(kind: SignKind | None) -> float:
    return AROUND + (SIGN if kind else 0.0)


# --- rows ---


def _rows(pairs: Pairs) -> tuple[list[Block], list[Heading], float]:
    """Return all nodes from the top down, with headings; and how far down they reach."""
    blocks: list[Block] = []
    headings = [
        Heading(SECTIONS["asked"], COLUMNS["asked"], HEAD - 14),
        Heading("Seen", COLUMNS["seen"], HEAD - 14),
    ]
    y = HEAD
    for section, slots in groupby(enumerate(pairs.slots), lambda each: each[1].section):
        if section != "asked":
            headings.append(Heading(SECTIONS[section], COLUMNS["seen"], y + HEAD - 14))
            y += HEAD
        for index, slot in slots:
            asked = [_block("asked", index, thing) for thing in slot.asked]
            seen = [_block("seen", index, thing) for thing in slot.seen]
            if not seen:  # the empty place of what was asked for
                height = _height(asked)
                place = LayoutBox(COLUMNS["seen"], 0, BLOCK, height)
                seen = [Block("seen", index, place, (ghost(slot),), (), slot.kind, True, None)]
            height = max(_height(asked), _height(seen))
            for stack in (asked, seen):
                blocks += _stacked(stack, y + (height - _height(stack)) / 2)
            y += height + ROW
    return blocks, headings, y


def _block(side: GraphSide, index: int, thing: LayoutNode) -> Block:
    """Return a node that has its size and no height on the page yet."""
    inner = BLOCK - 2 * PAD
    lines = fit_text(label(thing.node), inner - SIGN - GAP, TEXT, 2)
    chips = tuple(
        replace(chip, text="".join(fit_text(chip.text, inner - _around(chip.kind), SMALL, 1)))
        for chip in thing.values
    )
    height = 2 * PAD + LINE * len(lines) + (CHIP + GAP) * len(chips)
    place = LayoutBox(COLUMNS[side], 0, BLOCK, height)
    return Block(side, index, place, lines, chips, thing.kind, thing.missing, thing)


def _height(stack: Sequence[Block]) -> float:
    return sum(block.place.height + STACK for block in stack) - STACK


def _stacked(stack: Sequence[Block], y: float) -> Iterator[Block]:
    for block in stack:
        yield block._replace(place=block.place._replace(y=y))
        y += block.place.height + STACK


def _links(pairs: Pairs, blocks: Sequence[Block]) -> Iterator[MatchLink]:
    """Yield as many lines for a row as the side with more nodes has."""
    for index, slot in enumerate(pairs.slots):
        own = [block for block in blocks if block.slot == index]
        asked = [block for block in own if block.side == "asked"]
        seen = [block for block in own if block.side == "seen"]
        for i in range(max(len(asked), len(seen)) if asked else 0):
            left = asked[min(i, len(asked) - 1)]
            right = seen[min(i, len(seen) - 1)]
            yield MatchLink(
                slot=index,
                start=(left.place.right, left.place.middle),
                end=(right.place.x, right.place.middle),
                kind=right.kind if len(seen) > 1 else slot.kind,
            )


# --- relations ---


def _arrows(side: GraphSide, pairs: Pairs, blocks: Sequence[Block]) -> tuple[list[Arrow], int]:
    """Return the relations of one side, and how many of those that nothing rests on are left out.

    Their words stand in the order of the nodes that they join, none upon another.
    """
    places = {
        block.thing.node.name: block.place for block in blocks if block.side == side and block.thing
    }
    arrows = [
        _arrow(side, index, edge, row, (places[edge.source], places[edge.target]))
        for index, row in enumerate(pairs.relations)
        for edge in (row.seen if side == "seen" else filter(None, [row.asked]))
        if edge.source in places and edge.target in places
    ]
    quiet = [arrow for arrow in arrows if arrow.quiet]
    shown: list[Arrow] = []
    y = HEAD
    for arrow in sorted(arrows, key=lambda arrow: arrow.label.y):
        if not arrow.quiet:
            top = max(y, arrow.label.y)
            shown.append(arrow._replace(label=arrow.label._replace(y=top)))
            y = top + arrow.label.height + GAP
    return [*shown, *quiet[:MOST_QUIET]], len(quiet[MOST_QUIET:])


def _arrow(
    side: GraphSide,
    index: int,
    edge: Edge,
    row: RelationRow,
    ends: tuple[LayoutBox, LayoutBox],
) -> Arrow:
    """Return a relation whose words are half way between its ends."""
    around = _around(row.kind)
    lines = fit_text(words_of(side, edge, row), WORDS - around, SMALL, 3)
    width = max((text_width(line, SMALL) for line in lines), default=0) + around
    height = CHIP * max(1, len(lines))
    inner = -OUTSIDE - width if side == "asked" else COLUMNS["seen"] + BLOCK + OUTSIDE
    source, target = ends
    base = source.x if side == "asked" else source.right
    y = (source.middle + target.middle - height) / 2
    return Arrow(
        side=side,
        relation=index,
        start=(base, source.middle),
        label=LayoutBox(inner, y, width, height),
        end=(base, target.middle),
        lines=lines,
        kind=row.kind,
        dashed=side == "asked" and not row.seen,
        quiet=row.quiet,
    )


def words_of(side: GraphSide, edge: Edge, relation: RelationRow) -> str:
    """Return the words of a relation.

    They are both of one that was asked for and is otherwise: "left of → right of".
    """
    if side == "asked" and relation.kind == "incorrect" and relation.instead != NOT_SEEN:
        return f"{edge.relation}{CHANGED}{relation.instead}"
    return edge.relation
