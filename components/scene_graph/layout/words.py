"""Says in words what the rows and relations of two scene graphs are."""

from collections.abc import Mapping

from hallascope.components.scene_graph.layout.rows import (
    CHANGED,
    GraphSide,
    NodeRow,
    Pairs,
    RelationRow,
    Section,
)
from hallascope.data.graphs import Edge, Node
from hallascope.data.lexicon import capitalize

SECTIONS: Mapping[Section, str] = {
    "asked": "In the prompt",
    "also": "Also in the image",
    "extraneous": "Not in the prompt",
}


def label(node: Node) -> str:
    """Return the name of a node; of one that must not be there, with "no"."""
    return f"no {node.label}" if node.absent else node.label


def ghost(slot: NodeRow) -> str:
    """Return what stands in the place of what was asked and is not there."""
    if slot.kind == "left-out":
        return "could not be checked"
    return "not there, as asked" if all(thing.node.absent for thing in slot.asked) else "not seen"


def name(slot: NodeRow) -> str:
    """Return what a row is about: "circle", "no hat"; several names only where they differ."""
    return " or ".join(dict.fromkeys(label(thing.node) for thing in slot.asked or slot.seen))


def row(slot: NodeRow) -> str:
    """Return one sentence on a row: "Circle: asked red, seen green."."""
    return f"{capitalize(name(slot))}: {_comparison(slot)}."


def _comparison(slot: NodeRow) -> str:
    if not slot.asked:
        if slot.section == "extraneous":
            return "in the image, not in the prompt"
        return "in the image, not asked about"
    if not slot.seen:
        words = ghost(slot)
        return "in the prompt, not seen" if words == "not seen" else words
    if any(thing.node.absent for thing in slot.asked):
        if slot.kind == "incorrect":
            return "asked not to be there, and seen"
        return "could not be checked"
    return _differences(slot) or {
        "left-out": "could not be checked in full",
        "incorrect": "not as in the prompt",
    }.get(slot.kind or "", "as in the prompt")


def _differences(slot: NodeRow) -> str:
    changed = [
        value.text.split(CHANGED)
        for thing in slot.things
        for value in thing.values
        if CHANGED in value.text
    ]
    return "; ".join(dict.fromkeys(f"asked {parts[0]}, seen {parts[-1]}" for parts in changed))


def relation(row: RelationRow, pairs: Pairs) -> str:
    """Return one sentence on a relation: "Circle left of square: as asked for."."""
    if row.asked is None:
        words = "seen; no question is about it" if row.quiet else "in the image, not in the prompt"
        return f"{_statement(row.seen[0], 'seen', pairs)}: {words}."
    words = "as in the prompt"
    if row.kind == "incorrect":
        words = f"seen instead: {row.instead}"
    elif row.kind == "left-out":
        words = "could not be checked"
    return f"{_statement(row.asked, 'asked', pairs)}: {words}."


def _statement(edge: Edge, side: GraphSide, pairs: Pairs) -> str:
    labels = {
        thing.node.name: thing.node.label for slot in pairs.slots for thing in getattr(slot, side)
    }
    source = labels.get(edge.source, edge.source)
    target = labels.get(edge.target, edge.target)
    return capitalize(f"{source} {edge.relation} {target}")
