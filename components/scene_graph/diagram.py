"""Draws two scene graphs side by side as SVG whose nodes and relations are buttons.

Each lights up what belongs to it. States are told by sign, by line and in words, not by color
alone.
"""

from markupsafe import Markup

from hallascope.components.evidence.exhibit import key
from hallascope.components.html.markup import icon_path, join, key_attributes, scroll_region, tag
from hallascope.components.html.signs import ICONS
from hallascope.components.scene_graph.layout import words
from hallascope.components.scene_graph.layout.boxes import LayoutBox
from hallascope.components.scene_graph.layout.curves import Curve, GraphSide, LayoutPoint
from hallascope.components.scene_graph.layout.placement import (
    LINE,
    PAD,
    Block,
    Layout,
    MatchLink,
    layout,
)
from hallascope.components.scene_graph.layout.rows import MatchKind, Pairs
from hallascope.components.scene_graph.links import GraphLinks

_STATES: dict[MatchKind | None, str] = {
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
    heading = tag("h2", "Scene graph")
    if not links.pairs.slots:
        return heading + tag("p", _NOTHING, class_="soft")
    placed = layout(links.pairs)
    undrawn = Markup()
    if placed.undrawn:
        sentence = (
            f"{placed.undrawn} more relations are seen and not drawn, since nothing rests on them;"
            " they are in the files."
        )
        undrawn = tag("p", sentence, class_="soft")
    graphs = scroll_region(drawing(placed, links), "Both graphs side by side", "graph-scroll")
    return join(heading, graphs, undrawn)


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
    curves = [curve for curve in placed.curves if curve.side == side]
    nodes = [_block(order, block, links) for order, block in enumerate(blocks)]
    numbered = sorted(enumerate(curves, len(blocks)), key=lambda pair: not pair[1].quiet)
    lines = [_curve(order, curve, links) for order, curve in numbered]
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
        _label(chip.place, chip.kind, chip.text, _classes("value", chip.kind))
        for chip in block.chips
    )
    return join(
        _rectangle(block.place, 10, "frame"),
        _sign(block.kind, block.place.right - 24, block.place.y + PAD),
        _name_lines(block),
        *chips,
    )


def _button(order: int, name: str, kind: MatchKind | None, sentence: str) -> dict[str, str | int]:
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


def _label(place: LayoutBox, kind: MatchKind | None, words: str, classes: str) -> Markup:
    """Return words with the sign of their state in a rounded box."""
    inset = 7 + (14 if kind else 0)
    return tag(
        "g",
        _rectangle(place, 6),
        _sign(kind, place.x + 5, place.y + 4),
        tag("text", words, x=f"{place.x + inset:.1f}", y=f"{place.y + 14.5:.1f}"),
        class_=classes,
    )


def _sign(kind: MatchKind | None, x: float, y: float) -> Markup:
    """Return the sign of a state, 12 px wide, with its upper left corner there."""
    if kind is None:
        return Markup()
    return tag(
        "path",
        class_="mark",
        transform=f"translate({x:.1f} {y:.1f}) scale(0.75)",
        d=icon_path(ICONS[kind]),
    )


# --- relations ---


def _curve(order: int, curve: Curve, links: GraphLinks) -> Markup:
    sentence = words.relation(links.pairs.relations[curve.relation], links.pairs)
    keys = key_attributes((key("edge", curve.relation),), links.of_relation(curve.relation))
    line = _path(curve.start, curve.bend, curve.end)
    x, y = curve.end
    arrow_head = f"M{x:.1f} {y:.1f}l{-7 if curve.side == 'asked' else 7} -4v8z"
    return tag(
        "g",
        tag("title", sentence),
        tag("path", class_="wide", d=line),
        tag("path", class_="line", d=line),
        tag("path", class_="tip", d=arrow_head),
        _label(curve.label, curve.kind, curve.text, "value said"),
        class_=_classes("edge", curve.kind, curve.dashed and "dashed", curve.quiet and "quiet"),
        **_button(order, curve.text, curve.kind, sentence),
        **keys,
        data_kind=curve.kind or "",
        data_said=sentence,
    )


def _path(start: LayoutPoint, bend: float, end: LayoutPoint) -> str:
    """Return the cubic from one point to another; both of its control points have the x `bend`."""
    x, y = start
    right, lower = end
    return f"M{x:.1f} {y:.1f}C{bend:.1f} {y:.1f} {bend:.1f} {lower:.1f} {right:.1f} {lower:.1f}"


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
        tag("path", class_="line", d=_path(link.start, x, link.end)),
        sign,
        class_=_classes("link", link.kind),
        aria_hidden="true",
        **key_attributes((key("node", link.slot),)),
    )
