"""What is said of the rows and relations of two scene graphs: names, sentences, headings.

It knows no place and no colour.
"""

from collections.abc import Mapping, Sequence

from hallascope.data.graph_layout.rows import CHANGED, NodeRow, Pairs, RelationRow, Section
from hallascope.data.graphs import Edge, Node

SECTIONS: Mapping[Section, str] = {
    "asked": "Asked for",
    "also": "Also seen",
    "extraneous": "Nobody asked for",
}


def label(node: Node) -> str:
    """The name of a node; of one that must not be there, with "no"."""
    return f"no {node.label}" if node.absent else node.label


def ghost(slot: NodeRow) -> str:
    """What stands in the place of what was asked and is not there."""
    if all(thing.node.absent for thing in slot.asked):
        return "not there, as asked" if slot.kind != "left-out" else "could not be told"
    return "could not be told" if slot.kind == "left-out" else "not seen"


def name(slot: NodeRow) -> str:
    """What a row is about: "circle", "no hat"; several names only where they differ."""
    return " or ".join(dict.fromkeys(label(thing.node) for thing in slot.asked or slot.seen))


def row(slot: NodeRow) -> str:
    """One sentence on a row: "Circle: asked red, seen green."."""
    return f"{_upper(name(slot))}: {_fate(slot)}."


def _fate(slot: NodeRow) -> str:
    if not slot.asked:
        return (
            "seen, and nobody asked for it"
            if slot.section == "extraneous"
            else "seen beside what was asked for"
        )
    if not slot.seen:
        return f"{'asked for and ' if ghost(slot) == 'not seen' else ''}{ghost(slot)}"
    if any(thing.node.absent for thing in slot.asked):
        return (
            "asked not to be there, and seen" if slot.kind == "incorrect" else "could not be told"
        )
    return _differences(slot) or {
        "left-out": "could not be told in full",
        "incorrect": "not as asked for",
    }.get(slot.kind or "", "as asked for")


def _differences(slot: NodeRow) -> str:
    changed = [
        value.text.split(CHANGED)
        for thing in slot.things
        for value in thing.values
        if CHANGED in value.text
    ]
    return "; ".join(dict.fromkeys(f"asked {one[0]}, seen {one[-1]}" for one in changed))


def relation(found: RelationRow, pairs: Pairs) -> str:
    """One sentence on a relation: "Circle left of square: as asked for."."""
    if found.asked is None:
        kind = "seen; nothing rests on it" if found.quiet else "seen, and nobody asked for it"
        return f"{_statement(found.seen[0], 'seen', pairs)}: {kind}."
    said = {"incorrect": f"asked for; seen: {found.instead}", "left-out": "could not be told"}.get(
        found.kind or "", "as asked for"
    )
    return f"{_statement(found.asked, 'asked', pairs)}: {said}."


def _statement(edge: Edge, side: str, pairs: Pairs) -> str:
    ends = [_called(pairs.slots, side, one) for one in (edge.source, edge.target)]
    return _upper(f"{ends[0]} {edge.relation} {ends[1]}")


def _called(slots: Sequence[NodeRow], side: str, wanted: str) -> str:
    things = [thing for slot in slots for thing in getattr(slot, side)]
    return next((thing.node.label for thing in things if thing.node.name == wanted), wanted)


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]
