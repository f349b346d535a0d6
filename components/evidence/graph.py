"""Shows two scene graphs side by side as SVG whose nodes and relations are buttons.

Each lights up what belongs to it. It is given where everything stands.

States are told by sign, by line and in words, not by colour alone.
"""

from collections.abc import Sequence

from hallascope.components.evidence.exhibit import key
from hallascope.components.evidence.graph_links import GraphLinks
from hallascope.components.html.markup import icon_path, keyed, text
from hallascope.data.graph_layout import words
from hallascope.data.graph_layout.curves import Curve, GraphSide
from hallascope.data.graph_layout.layout import (
    LINE,
    PAD,
    Block,
    Chip,
    Heading,
    Layout,
    MatchLink,
    layout,
)
from hallascope.data.graph_layout.places import LayoutBox
from hallascope.data.graph_layout.rows import MatchKind, Pairs

_SIGNS: dict[MatchKind, str] = {"correct": "check", "incorrect": "cross", "left-out": "question"}
_STATES: dict[MatchKind | None, str] = {
    "correct": "correct",
    "incorrect": "wrong",
    "left-out": "left out",
    None: "",
}
_SIDES: dict[GraphSide, str] = {
    "asked": "The graph of the prompt",
    "seen": "The graph of the picture",
}
_NOTHING = "The prompt names nothing and nothing was seen: there is no graph."


def diagram(ties: GraphLinks) -> str:
    """Both graphs under their heading, with a sentence where not all of them is drawn."""
    if not ties.pairs.slots:
        return f'<h2>Scene graph</h2><p class="soft">{_NOTHING}</p>'
    placed = layout(ties.pairs)
    return (
        '<h2>Scene graph</h2><div class="graph-scroll" tabindex="0" role="region" aria-label="Both'
        f' graphs side by side">{drawing(placed, ties)}</div>{_undrawn(placed.undrawn)}'
    )


def _undrawn(number: int) -> str:
    said = (
        f"{number} more relations are seen and not drawn, since nothing rests on them; they are in"
        " the files."
    )
    return f'<p class="soft">{said}</p>' if number else ""


def drawing(placed: Layout, ties: GraphLinks) -> str:
    """The SVG itself.

    Each side is one stop of the Tab key; arrows lead on from node to node and from relation to
    relation.
    """
    sides = "".join(_side(side, placed, ties) for side in _SIDES)
    links = "".join(_link(link) for link in placed.links)
    heads = "".join(_heading(heading) for heading in placed.headings)
    left, width, height = (f"{side:.0f}" for side in (placed.left, placed.width, placed.height))
    return (
        f'<svg class="graph" xmlns="http://www.w3.org/2000/svg" viewBox="{left} 0 {width} {height}"'
        f' style="--natural:{width}px" role="group"'
        f' aria-label="{text(_summary(ties.pairs))}">{heads}{links}{sides}</svg>'
    )


def _summary(found: Pairs) -> str:
    asked = sum(bool(slot.asked) for slot in found.slots)
    wrong = sum(slot.kind == "incorrect" for slot in found.slots) + sum(
        one.kind == "incorrect" for one in found.relations
    )
    return (
        f"Scene graphs: {asked} things asked for, {sum(len(slot.seen) for slot in found.slots)}"
        f" seen, {wrong} nodes and relations wrong"
    )


# --- one side
# --------------------------------------------------------------------------------------------------


def _side(side: GraphSide, placed: Layout, ties: GraphLinks) -> str:
    blocks = [block for block in placed.blocks if block.side == side]
    curves = list(enumerate((curve for curve in placed.curves if curve.side == side), len(blocks)))
    nodes = "".join(_block(order, block, ties) for order, block in enumerate(blocks))
    lines = "".join(
        _curve(order, curve, ties)
        for order, curve in sorted(curves, key=lambda one: not one[1].quiet)
    )
    return f'<g role="group" aria-label="{_SIDES[side]}" data-ring="graph">{nodes}{lines}</g>'


def _classes(*names: str | bool | None) -> str:
    return " ".join(name for name in names if isinstance(name, str) and name)


def _block(order: int, block: Block, ties: GraphLinks) -> str:
    own = (key("node", block.slot),)
    under = ties.of_slot(block.slot)
    said = words.row(ties.pairs.slots[block.slot])
    classes = _classes(
        "node", block.kind, block.dashed and "dashed", block.thing is None and "ghost"
    )
    sign = _sign(block.kind, block.place.right - 24, block.place.y + PAD)
    inside = f"{_frame(block.place)}{sign}{_lines(block)}{_chips(block.chips)}"
    if block.thing is None:  # its place leads where what is missing leads, for the mouse
        return f'<g class="{classes}" aria-hidden="true" {keyed(own, under)}>{inside}</g>'
    state = f": {_STATES[block.kind]}" if block.kind else ""
    return (
        f'<g class="{classes}" {_button(order, f"{_label(block)}{state}. {said}")}'
        f' {keyed(own, under)} data-kind="{block.kind or ""}"'
        f' data-said="{text(said)}"><title>{text(said)}</title>{inside}</g>'
    )


def _label(block: Block) -> str:
    values = [value.text for value in block.thing.values] if block.thing else []
    name = words.label(block.thing.node) if block.thing else ""
    return ", ".join((name, *values))


def _button(order: int, label: str) -> str:
    """`order`: in which the arrow keys come to it.

    What is drawn first lies beneath and is no sooner come to.
    """
    return (
        f'role="button" tabindex="-1" aria-pressed="false" data-order="{order}"'
        f' aria-label="{text(label)}"'
    )


def _frame(place: LayoutBox) -> str:
    return (
        f'<rect class="frame" x="{place.x:.1f}" y="{place.y:.1f}" width="{place.width:.1f}"'
        f' height="{place.height:.1f}" rx="10"/>'
    )


def _lines(block: Block) -> str:
    x = block.place.x + PAD
    top = block.place.y + PAD if block.thing else block.place.middle - LINE / 2 * len(block.lines)
    lines = "".join(
        f'<tspan x="{x:.1f}" y="{top + LINE * i + 14:.1f}">{text(line)}</tspan>'
        for i, line in enumerate(block.lines)
    )
    return f'<text class="called">{lines}</text>'


def _chips(chips: Sequence[Chip]) -> str:
    return "".join(_chip(chip) for chip in chips)


def _chip(chip: Chip) -> str:
    place = chip.place
    inset = 7 + (14 if chip.kind else 0)
    return (
        f'<g class="{_classes("value", chip.kind)}"><rect x="{place.x:.1f}" y="{place.y:.1f}"'
        f' width="{place.width:.1f}" height="{place.height:.1f}"'
        f' rx="6"/>{_sign(chip.kind, place.x + 5, place.y + 4)}<text x="{place.x + inset:.1f}"'
        f' y="{place.y + 14.5:.1f}">{text(chip.text)}</text></g>'
    )


def _sign(kind: MatchKind | None, x: float, y: float) -> str:
    """The sign of a state, 12 px wide, with its upper left corner there."""
    if kind is None:
        return ""
    return (
        f'<path class="mark" transform="translate({x:.1f} {y:.1f}) scale(0.75)"'
        f' d="{icon_path(_SIGNS[kind])}"/>'
    )


# --- relations
# --------------------------------------------------------------------------------------------------


def _curve(order: int, curve: Curve, ties: GraphLinks) -> str:
    said = words.relation(ties.pairs.relations[curve.relation], ties.pairs)
    classes = _classes("edge", curve.kind, curve.dashed and "dashed", curve.quiet and "quiet")
    state = f": {_STATES[curve.kind]}" if curve.kind else ""
    tied = keyed((key("edge", curve.relation),), ties.of_relation(curve.relation))
    line = f'd="{_path(curve)}"'
    return (
        f'<g class="{classes}" {_button(order, f"{curve.text}{state}. {said}")} {tied}'
        f' data-kind="{curve.kind or ""}" data-said="{text(said)}"><title>{text(said)}</title><path'
        f' class="wide" {line}/><path class="line" {line}/><path class="tip"'
        f' d="{_tip(curve)}"/>{_words(curve)}</g>'
    )


def _path(curve: Curve) -> str:
    x, y = curve.start
    _, end = curve.end
    return f"M{x:.1f} {y:.1f}C{curve.bend:.1f} {y:.1f} {curve.bend:.1f} {end:.1f} {x:.1f} {end:.1f}"


def _tip(curve: Curve) -> str:
    """The head of the arrow, at the end."""
    x, y = curve.end
    way = -7 if curve.side == "asked" else 7
    return f"M{x:.1f} {y:.1f}l{way} -4v8z"


def _words(curve: Curve) -> str:
    place = curve.label
    inset = 7 + (14 if curve.kind else 0)
    return (
        f'<g class="value said"><rect x="{place.x:.1f}" y="{place.y:.1f}" width="{place.width:.1f}"'
        f' height="{place.height:.1f}" rx="6"/>{_sign(curve.kind, place.x + 5, place.y + 4)}<text'
        f' x="{place.x + inset:.1f}" y="{place.y + 14.5:.1f}">{text(curve.text)}</text></g>'
    )


# --- between the two
# --------------------------------------------------------------------------------------------------


def _link(link: MatchLink) -> str:
    x, y = link.start
    end, lower = link.end
    middle = (x + end) / 2
    height = (y + lower) / 2
    sign = (
        f'<circle cx="{middle:.1f}" cy="{height:.1f}"'
        f' r="10"/>{_sign(link.kind, middle - 6, height - 6)}'
        if link.kind
        else ""
    )
    curve = f"M{x:.1f} {y:.1f}C{middle:.1f} {y:.1f} {middle:.1f} {lower:.1f} {end:.1f} {lower:.1f}"
    own = keyed((key("node", link.slot),), ())
    return (
        f'<g class="{_classes("link", link.kind)}" aria-hidden="true" {own}><path class="line"'
        f' d="{curve}"/>{sign}</g>'
    )


def _heading(heading: Heading) -> str:
    return (
        f'<text class="heading" x="{heading.x:.1f}" y="{heading.y:.1f}">{text(heading.text)}</text>'
    )
