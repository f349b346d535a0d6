"""Draws two scene graphs side by side as SVG whose nodes and relations are buttons.

Each lights up what belongs to it. States are told by sign, by line and in words, not by color
alone.
"""

from collections.abc import Sequence
from math import atan2, degrees

from markupsafe import Markup

from hallascope.components.evidence.exhibit import key
from hallascope.components.html.markup import join, key_attributes, scroll_region, soft_line, tag
from hallascope.components.html.signs import ICONS, SignKind
from hallascope.components.scene_graph.layout import words
from hallascope.components.scene_graph.layout.placement import (
    CHIP,
    LINE,
    PAD,
    Arrow,
    Block,
    Layout,
    LayoutBox,
    LayoutPoint,
    MatchLink,
    layout,
)
from hallascope.components.scene_graph.layout.rows import GraphSide, Pairs
from hallascope.components.scene_graph.links import GraphLinks
from hallascope.components.theme.look import ICON_PATHS

_STATES: dict[SignKind | None, str] = {
    "correct": "correct",
    "incorrect": "wrong",
    "left-out": "left out",
    None: "",
}
_SIDES: dict[GraphSide, str] = {
    "asked": "The graph of the prompt",
    "seen": "The graph of the image",
}
_NOTHING = "The prompt names nothing and nothing was seen: there is no graph."


def diagram(links: GraphLinks) -> Markup:
    """Return both graphs under their heading, with a sentence where not all of them is drawn."""
    return tag("h2", "Scene graph") + both_graphs(links)


def both_graphs(links: GraphLinks) -> Markup:
    """Return both graphs side by side, with a sentence where not all of them is drawn."""
    if not links.pairs.slots:
        return soft_line(_NOTHING)
    placed = layout(links.pairs)
    undrawn = Markup()
    if placed.undrawn:
        sentence = (
            f"{placed.undrawn} more relations are not drawn, as no question is about them; the"
            " files have them."
        )
        undrawn = soft_line(sentence)
    graphs = scroll_region(drawing(placed, links), "Both graphs side by side", "graph-scroll")
    return join(graphs, undrawn)


def drawing(placed: Layout, links: GraphLinks) -> Markup:
    """Return the SVG itself.

    Each side is one stop of the Tab key; arrows lead on from node to node and from relation to
    relation.
    """
    left, width, height = (f"{side:.0f}" for side in (placed.left, placed.width, placed.height))
    headings = (
        tag("text", heading.text, class_="heading", x=f"{heading.x:.1f}", y=f"{heading.y:.1f}")
        for heading in placed.headings
    )
    return tag(
        "svg",
        *headings,
        *map(_link, placed.links),
        *(_side(side, placed, links) for side in _SIDES),
        class_="graph",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{left} 0 {width} {height}",
        style=f"--natural:{width}px",
        role="group",
        aria_label=_summary(links.pairs),
    )


def _summary(pairs: Pairs) -> str:
    asked = sum(bool(slot.asked) for slot in pairs.slots)
    seen = sum(len(slot.seen) for slot in pairs.slots)
    kinds = [slot.kind for slot in pairs.slots]
    kinds += [relation.kind for relation in pairs.relations]
    wrong = kinds.count("incorrect")
    return f"Scene graphs: {asked} things asked for, {seen} seen, {wrong} nodes and relations wrong"


# --- one side ---


def _side(side: GraphSide, placed: Layout, links: GraphLinks) -> Markup:
    """Return the nodes of a side, then its relations: quiet ones first, so that they lie beneath.

    The arrow keys come to all in the order of the layout.
    """
    blocks = [block for block in placed.blocks if block.side == side]
    arrows = [arrow for arrow in placed.arrows if arrow.side == side]
    nodes = [_block(order, block, links) for order, block in enumerate(blocks)]
    numbered = sorted(enumerate(arrows, len(blocks)), key=lambda pair: not pair[1].quiet)
    lines = [_arrow(order, arrow, links) for order, arrow in numbered]
    return tag("g", *nodes, *lines, role="group", aria_label=_SIDES[side], data_ring="graph")


def _classes(*names: str | bool | None) -> str:
    return " ".join(name for name in names if isinstance(name, str) and name)


def _block(order: int, block: Block, links: GraphLinks) -> Markup:
    keys = key_attributes((key("node", block.slot),), links.of_slot(block.slot))
    classes = _classes("node", block.kind, block.dashed and "dashed")
    if block.thing is None:  # its place leads where what is missing leads, for the mouse
        return tag("g", _block_inside(block), class_=f"{classes} ghost", aria_hidden="true", **keys)
    sentence = words.row(links.pairs.slots[block.slot])
    names = [words.label(block.thing.node), *(value.text for value in block.thing.values)]
    return tag(
        "g",
        tag("title", sentence),
        _block_inside(block),
        class_=classes,
        **_button(order, ", ".join(names), block.kind, sentence),
        **keys,
        data_kind=block.kind or "",
        data_said=sentence,
    )


def _block_inside(block: Block) -> Markup:
    """Return the frame with its sign, the name and the attributes."""
    chips = (
        _label(place, chip.kind, (chip.text,), _classes("value", chip.kind))
        for chip, place in zip(block.chips, block.chip_places(), strict=True)
    )
    return join(
        _rectangle(block.place, 10, "frame"),
        _sign(block.kind, block.place.right - 24, block.place.y + PAD),
        _name_lines(block),
        *chips,
    )


def _button(order: int, name: str, kind: SignKind | None, sentence: str) -> dict[str, str | int]:
    """Return the attributes of a button; `order` is that in which the arrow keys come to it."""
    state = f": {_STATES[kind]}" if kind else ""
    return {
        "role": "button",
        "tabindex": "-1",
        "aria_pressed": "false",
        "data_order": order,
        "aria_label": f"{name}{state}. {sentence}",
    }


def _rectangle(place: LayoutBox, radius: int, name: str | None = None) -> Markup:
    return tag(
        "rect",
        class_=name,
        x=f"{place.x:.1f}",
        y=f"{place.y:.1f}",
        width=f"{place.width:.1f}",
        height=f"{place.height:.1f}",
        rx=radius,
    )


def _name_lines(block: Block) -> Markup:
    x = block.place.x + PAD
    top = block.place.y + PAD if block.thing else block.place.middle - LINE / 2 * len(block.lines)
    lines = (
        tag("tspan", line, x=f"{x:.1f}", y=f"{top + LINE * i + 14:.1f}")
        for i, line in enumerate(block.lines)
    )
    return tag("text", *lines, class_="called")


def _label(place: LayoutBox, kind: SignKind | None, lines: Sequence[str], classes: str) -> Markup:
    """Return lines of text with the sign of their state in a rounded box."""
    x = place.x + 7 + (14 if kind else 0)
    top = place.middle - CHIP * len(lines) / 2
    texts = (
        tag("text", line, x=f"{x:.1f}", y=f"{top + CHIP * i + 14.5:.1f}")
        for i, line in enumerate(lines)
    )
    sign = _sign(kind, place.x + 5, place.middle - 6)
    return tag("g", _rectangle(place, 6), sign, *texts, class_=classes)


def _sign(kind: SignKind | None, x: float, y: float) -> Markup:
    """Return the sign of a state, 12 px wide, with its upper left corner there."""
    if kind is None:
        return Markup()
    return tag(
        "path",
        class_="mark",
        transform=f"translate({x:.1f} {y:.1f}) scale(0.75)",
        d=ICON_PATHS[ICONS[kind]],
    )


# --- relations ---


def _arrow(order: int, arrow: Arrow, links: GraphLinks) -> Markup:
    relation = links.pairs.relations[arrow.relation]
    sentence = words.relation(relation, links.pairs)
    keys = key_attributes((key("edge", arrow.relation),), links.of_relation(arrow.relation))
    line = _path(arrow.start, arrow.corner, arrow.end)
    return tag(
        "g",
        tag("title", sentence),
        tag("path", class_="wide", d=line),
        tag("path", class_="line", d=line),
        _tip(arrow.corner, arrow.end),
        _label(arrow.label, arrow.kind, arrow.lines, "value said"),
        class_=_classes("edge", arrow.kind, arrow.dashed and "dashed", arrow.quiet and "quiet"),
        **_button(order, " ".join(arrow.lines), arrow.kind, sentence),
        **keys,
        data_kind=arrow.kind or "",
        data_said=sentence,
    )


def _path(*points: LayoutPoint) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _tip(start: LayoutPoint, end: LayoutPoint) -> Markup:
    """Return the head of an arrow that points from `start` to `end`."""
    angle = degrees(atan2(end[1] - start[1], end[0] - start[0]))
    turned = f"translate({end[0]:.1f} {end[1]:.1f}) rotate({angle:.0f})"
    return tag("path", class_="tip", d="M0 0l-9 -4.5v9z", transform=turned)


# --- between the two ---


def _link(link: MatchLink) -> Markup:
    x = (link.start[0] + link.end[0]) / 2
    y = (link.start[1] + link.end[1]) / 2
    sign = Markup()
    if link.kind:
        circle = tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="10")
        sign = circle + _sign(link.kind, x - 6, y - 6)
    return tag(
        "g",
        tag("path", class_="line", d=_path(link.start, link.end)),
        sign,
        class_=_classes("link", link.kind),
        aria_hidden="true",
        **key_attributes((key("node", link.slot),)),
    )
