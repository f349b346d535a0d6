"""Places two scene graphs side by side, in px.

What belongs together is one row, and relations are curves outside. The graph of the prompt is left,
that of the picture right, so that a glance across compares them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from hallascope.components.scene_graph.layout.boxes import LayoutBox, cut, text_width, wrap
from hallascope.components.scene_graph.layout.curves import (
    SIGN,
    SMALL,
    Curve,
    GraphSide,
    LayoutPoint,
    curves,
)
from hallascope.components.scene_graph.layout.rows import LayoutNode, MatchKind, NodeRow, Pairs
from hallascope.components.scene_graph.layout.words import SECTIONS, ghost, label

# all in px
BLOCK = 176.0  # the width of a node
BETWEEN = 64.0  # between the two columns
TEXT = 14.0  # the size of the font of names
ROW = 18.0  # between rows
STACK = 8.0  # between nodes of one row
PAD = 9.0  # inside a node
MARGIN = 12.0  # around all
LINE = 18.0  # the height of a line of a name
CHIP = 20.0  # the height of a chip
GAP = 4.0  # between chips
HEAD = 34.0  # the height of a heading
# the x of their left edges
COLUMNS: dict[GraphSide, float] = {"asked": 0.0, "seen": BLOCK + BETWEEN}


class Chip(NamedTuple):
    """Is an attribute at its node."""

    place: LayoutBox
    text: str
    kind: MatchKind | None


@dataclass(frozen=True, kw_only=True)
class Block:
    """Is a node, or the empty place of one that is missing (`thing` is None).

    `lines`: its name as far as it fits.
    """

    side: GraphSide
    slot: int
    place: LayoutBox
    lines: tuple[str, ...]
    chips: tuple[Chip, ...] = ()
    kind: MatchKind | None = None
    dashed: bool = False
    thing: LayoutNode | None = None


class MatchLink(NamedTuple):
    """Is the line from what was asked to what it is, or to its empty place."""

    slot: int
    start: LayoutPoint
    end: LayoutPoint
    kind: MatchKind | None


class Heading(NamedTuple):
    """Holds words over a column, from x on, with their baseline at y."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Holds everything with its place; x begins at `left`, y at 0.

    `undrawn`: how many relations are left out, since nothing rests on them.
    """

    left: float
    width: float
    height: float
    blocks: tuple[Block, ...]
    curves: tuple[Curve, ...]
    links: tuple[MatchLink, ...]
    headings: tuple[Heading, ...]
    undrawn: int = 0


def layout(pairs: Pairs) -> Layout:
    """Return all nodes, relations and headings with their places, the same for the same graphs."""
    blocks, headings, height = _rows(pairs)
    asked, none_left = curves("asked", pairs, _boxes_by_name("asked", blocks), COLUMNS["asked"])
    seen, undrawn = curves("seen", pairs, _boxes_by_name("seen", blocks), COLUMNS["seen"] + BLOCK)
    left = min([0.0, *(curve.outermost for curve in asked)]) - MARGIN
    right = max([COLUMNS["seen"] + BLOCK, *(curve.outermost for curve in seen)]) + MARGIN
    links = tuple(_links(pairs, blocks))
    return Layout(
        left=left,
        width=right - left,
        height=height,
        blocks=tuple(blocks),
        curves=(*asked, *seen),
        links=links,
        headings=tuple(headings),
        undrawn=none_left + undrawn,
    )


def _boxes_by_name(side: GraphSide, blocks: Sequence[Block]) -> dict[str, LayoutBox]:
    return {
        block.thing.node.name: block.place for block in blocks if block.side == side and block.thing
    }


# --- rows ---


def _rows(pairs: Pairs) -> tuple[list[Block], list[Heading], float]:
    """Return all nodes from the top down, with headings; and how far down they reach."""
    blocks: list[Block] = []
    headings = [
        Heading("In the prompt", COLUMNS["asked"], HEAD - 14),
        Heading("Seen", COLUMNS["seen"], HEAD - 14),
    ]
    y = HEAD
    section = "asked"
    for index, slot in enumerate(pairs.slots):
        if slot.section != section:
            section = slot.section
            headings.append(Heading(SECTIONS[slot.section], COLUMNS["seen"], y + HEAD - 14))
            y += HEAD
        row = _row(index, slot, y)
        blocks += row
        y = max(block.place.bottom for block in row) + ROW
    return blocks, headings, y


def _row(index: int, slot: NodeRow, y: float) -> list[Block]:
    """Return both sides of a row, each in the middle of its height."""
    asked = _stack(index, "asked", slot.asked, y)
    seen = _stack(index, "seen", slot.seen, y)
    if asked and not seen:
        seen = [_ghost_block(index, slot, y, asked[-1].place.bottom - y)]
    bottoms = [stack[-1].place.bottom for stack in (asked, seen) if stack]
    return [
        _move_down(block, (max(bottoms) - stack[-1].place.bottom) / 2)
        for stack in (asked, seen)
        for block in stack
    ]


def _ghost_block(index: int, slot: NodeRow, y: float, height: float) -> Block:
    """Return the empty place beside what was asked for and is not seen."""
    return Block(
        side="seen",
        slot=index,
        place=LayoutBox(COLUMNS["seen"], y, BLOCK, height),
        lines=(ghost(slot),),
        chips=(),
        kind=slot.kind,
        dashed=True,
    )


def _stack(index: int, side: GraphSide, things: Sequence[LayoutNode], y: float) -> list[Block]:
    blocks: list[Block] = []
    for thing in things:
        blocks.append(_block(index, side, thing, y))
        y = blocks[-1].place.bottom + STACK
    return blocks


def _block(index: int, side: GraphSide, thing: LayoutNode, y: float) -> Block:
    inner = BLOCK - 2 * PAD
    lines = wrap(label(thing.node), inner - SIGN - GAP, TEXT)
    top = y + PAD + LINE * len(lines)
    chips = tuple(_chips(thing, COLUMNS[side] + PAD, top + GAP, inner))
    bottom = (chips[-1].place.bottom if chips else top) + PAD
    return Block(
        side=side,
        slot=index,
        place=LayoutBox(COLUMNS[side], y, BLOCK, bottom - y),
        lines=lines,
        chips=chips,
        kind=thing.kind,
        dashed=thing.missing,
        thing=thing,
    )


def _chips(thing: LayoutNode, left: float, y: float, width: float) -> Iterator[Chip]:
    """Yield the attributes of a node side by side as far as they fit, then beneath."""
    x = left
    for value in thing.values:
        around = 14.0 + (SIGN if value.kind else 0.0)
        words = cut(value.text, width - around, SMALL)
        wide = min(width, text_width(words, SMALL) + around)
        if x > left and x + wide > left + width:
            x = left
            y = y + CHIP + GAP
        yield Chip(LayoutBox(x, y, wide, CHIP), words, value.kind)
        x += wide + GAP


def _move_down(block: Block, by: float) -> Block:
    chips = tuple(chip._replace(place=chip.place.move_down(by)) for chip in block.chips)
    return replace(block, place=block.place.move_down(by), chips=chips)


# --- from one column to the other ---


def _links(pairs: Pairs, blocks: Sequence[Block]) -> Iterator[MatchLink]:
    """Yield as many lines for a row as the side with more nodes has."""
    for index, slot in enumerate(pairs.slots):
        own = [block for block in blocks if block.slot == index]
        asked = [block for block in own if block.side == "asked"]
        seen = [block for block in own if block.side == "seen"]
        if not asked or not seen:
            continue
        for i in range(max(len(asked), len(seen))):
            left = asked[min(i, len(asked) - 1)]
            right = seen[min(i, len(seen) - 1)]
            yield MatchLink(
                slot=index,
                start=(left.place.right, left.place.middle),
                end=(right.place.x, right.place.middle),
                kind=right.kind if len(seen) > 1 else slot.kind,
            )
