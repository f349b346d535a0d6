"""Decides which nodes and edges of two scene graphs belong together, and their states.

It reads `SceneGraphs` as they are, also where names in them lead nowhere: what is not there belongs
to nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from hallascope.components.scene_graph.layout.order import order_by_ties
from hallascope.components.scene_graph.layout.rows import (
    CHANGED,
    NOT_SEEN,
    AttributeLabel,
    LayoutNode,
    MatchKind,
    NodeRow,
    Pairs,
    RelationRow,
)
from hallascope.data.evidence import Finding, State
from hallascope.data.graphs import Attribute, Edge, GraphError, GraphQuestion, Node, SceneGraphs

_KINDS: Mapping[State, MatchKind] = {
    "correct": "correct",
    "incorrect": "incorrect",
    "abstained": "incorrect",
    "unreadable": "left-out",
    "failed": "left-out",
}
_WORST: tuple[MatchKind, ...] = ("incorrect", "left-out", "correct")


def pairs(graphs: SceneGraphs, findings: Sequence[Finding] = ()) -> Pairs:
    """Return rows and relations of the two graphs.

    `findings`: those of the evidence, which say what became of each question.
    """
    slots = _ordered(_slots(graphs, findings), graphs)
    asked = tuple(_asked_relations(graphs, findings))
    return Pairs(
        slots,
        (
            *asked,
            *_seen_relations(graphs, {edge.name for relation in asked for edge in relation.seen}),
        ),
    )


def state_of(question: GraphQuestion, findings: Sequence[Finding]) -> MatchKind:
    """Return a question's state by its finding, else by its answer and the wanted one."""
    if 0 <= question.finding < len(findings):
        return _KINDS[findings[question.finding].state]
    if question.answer == "unknown":
        return "left-out"
    return "correct" if question.answer == question.wanted else "incorrect"


def worst(kinds: Iterable[MatchKind | None]) -> MatchKind | None:
    """Return what is shown of several states: wrong before left out before correct."""
    present = set(kinds)
    return next((kind for kind in _WORST if kind in present), None)


# --- rows ---


def _slots(graphs: SceneGraphs, findings: Sequence[Finding]) -> list[NodeRow]:
    """Return a slot for all that was asked, with what it is in the picture; then others."""
    names = {node.name for node in graphs.asked.nodes}
    matched = {seen for asked, seen in graphs.matches if asked in names}
    wanted = [_asked_slot(group, graphs, findings) for group in _groups(graphs)]
    return [
        *wanted,
        *(_lone_slot(node, graphs) for node in graphs.seen.nodes if node.name not in matched),
    ]


def _groups(graphs: SceneGraphs) -> list[list[str]]:
    """Return the asked nodes, those together that share a seen one."""
    known = {node.name for node in graphs.seen.nodes}
    groups: list[tuple[set[str], list[str]]] = []
    for node in graphs.asked.nodes:
        own = {seen for asked, seen in graphs.matches if asked == node.name and seen in known}
        shared = next((group for group in groups if group[0] & own), None)
        if shared:
            shared[0].update(own)
            shared[1].append(node.name)
        else:
            groups.append((own, [node.name]))
    return [names for _, names in groups]


def _asked_slot(names: Sequence[str], graphs: SceneGraphs, findings: Sequence[Finding]) -> NodeRow:
    partners = {seen for asked, seen in graphs.matches if asked in names}
    wanted = [node for node in graphs.asked.nodes if node.name in names]
    seen = [node for node in graphs.seen.nodes if node.name in partners]
    about = [
        question
        for question in graphs.questions
        if question.kind != "relation" and set(question.asked) & set(names)
    ]
    kind = worst(
        [
            *(state_of(one, findings) for one in about),
            *(_fault(one) for one in _errors(graphs, names, ())),
        ]
    )
    shown = tuple(
        _thing(node, kind, graphs, not seen and not node.absent, findings) for node in wanted
    )
    return NodeRow(
        shown,
        tuple(_seen_node(node, kind, wanted, graphs, len(seen) == 1) for node in seen),
        "asked",
        kind,
        _finding_indices(graphs, names, ()),
    )


def _lone_slot(node: Node, graphs: SceneGraphs) -> NodeRow:
    faults = [
        error
        for error in graphs.errors
        if node.name in error.seen_in and error.type == "extraneous"
    ]
    kind: MatchKind | None = "incorrect" if faults else None
    values = tuple(AttributeLabel(attribute.value) for attribute in node.attributes)
    return NodeRow(
        (),
        (LayoutNode(node, values, kind),),
        "extraneous" if faults else "also",
        kind,
        _finding_indices(graphs, (), (node.name,)),
    )


def _fault(error: GraphError) -> MatchKind | None:
    return None if error.type == "relation" else "incorrect"


def _errors(graphs: SceneGraphs, asked: Sequence[str], seen: Sequence[str]) -> list[GraphError]:
    return [
        error
        for error in graphs.errors
        if set(error.asked_in) & set(asked) or set(error.seen_in) & set(seen)
    ]


def _finding_indices(
    graphs: SceneGraphs, asked: Sequence[str], seen: Sequence[str]
) -> tuple[int, ...]:
    """The findings that ask about one of these names or tell an error of it.

    Of a relation, also those of its two ends.
    """
    ends = {
        edge.name for edge in graphs.asked.edges if edge.source in asked or edge.target in asked
    }
    told = [
        question.finding for question in graphs.questions if set(question.asked) & {*asked, *ends}
    ]
    told += [error.finding for error in _errors(graphs, asked, seen) if error.finding is not None]
    return tuple(dict.fromkeys(told))


# --- attributes ---


def _thing(
    node: Node,
    kind: MatchKind | None,
    graphs: SceneGraphs,
    missing: bool,
    findings: Sequence[Finding],
) -> LayoutNode:
    return LayoutNode(
        node,
        tuple(_asked_value(node, one, graphs, findings) for one in node.attributes),
        kind,
        missing,
    )


def _asked_value(
    node: Node, attribute: Attribute, graphs: SceneGraphs, findings: Sequence[Finding]
) -> AttributeLabel:
    """What was asked, and for a number, which no single thing has, what is seen instead."""
    questions = [
        one
        for one in graphs.questions
        if node.name in one.asked and one.kind in ("attribute", "number")
    ]
    told = [
        state_of(one, findings)
        for one in questions
        if _names_value(one.asked_value, attribute.value)
    ]
    wrong = [
        error
        for error in _attribute_errors(node.name, graphs)
        if _names_value(error.asked, attribute.value)
    ]
    text = (
        _changed(attribute.value, wrong[0].seen)
        if wrong and attribute.kind == "number"
        else attribute.value
    )
    return AttributeLabel(text, worst([*told, "incorrect" if wrong else None]))


def _attribute_errors(asked: str, graphs: SceneGraphs) -> list[GraphError]:
    return [
        error for error in graphs.errors if error.type == "attribute" and asked in error.asked_in
    ]


def _names_value(asked: str, value: str) -> bool:
    """Say whether the words name this value: "red" and "a red circle" name "red"."""
    return bool(value) and f" {value.casefold()} " in f" {asked.casefold()} "


def _changed(asked: str, seen: str) -> str:
    return f"{asked}{CHANGED}{seen or NOT_SEEN}"


def _seen_node(
    node: Node, kind: MatchKind | None, asked: Sequence[Node], graphs: SceneGraphs, alone: bool
) -> LayoutNode:
    """Return a seen node beside what it was asked to be.

    Where it is the only one, all that is wrong is wrong with it.
    """
    faults = [(one, error) for one in asked for error in _attribute_errors(one.name, graphs)]
    own = [
        (one, error)
        for one, error in faults
        if node.name in error.seen_in or (alone and not error.seen_in)
    ]
    wrong = [found for one, error in own if (found := _wrong(node, one, error))]
    taken = {value for _, values in wrong for value in values}
    wanted = {attribute.value.casefold() for one in asked for attribute in one.attributes}
    plain = (
        AttributeLabel(one.value, "correct" if one.value.casefold() in wanted else None)
        for one in node.attributes
        if one.value not in taken
    )
    values = (*(AttributeLabel(text, "incorrect") for text, _ in wrong), *plain)
    if wrong or any(one.absent for one in asked):
        return LayoutNode(node, values, "incorrect")
    return LayoutNode(node, values, kind if kind is None or kind == "left-out" else "correct")


def _wrong(node: Node, asked: Node, error: GraphError) -> tuple[str, tuple[str, ...]] | None:
    """Return what is wrong with a seen node by an error, "red → green", and its values that are.

    None where it is not its fault.
    """
    about = {
        attribute.kind
        for attribute in asked.attributes
        if _names_value(error.asked, attribute.value)
    }
    own = tuple(attribute.value for attribute in node.attributes if attribute.kind in about)
    if "number" in about or any(_names_value(error.asked, value) for value in own):
        return None
    return _changed(error.asked, " and ".join(own) or error.seen), own or (error.seen,)


# --- relations ---


def _asked_relations(graphs: SceneGraphs, findings: Sequence[Finding]) -> Iterator[RelationRow]:
    for edge in graphs.asked.edges:
        errors = [error for error in graphs.errors if edge.name in error.asked_in]
        names = {seen for asked, seen in graphs.matches if asked == edge.name} | {
            name for error in errors for name in error.seen_in
        }
        seen = tuple(one for one in graphs.seen.edges if one.name in names)
        questions = [question for question in graphs.questions if edge.name in question.asked]
        kind = worst(
            [*(state_of(one, findings) for one in questions), "incorrect" if errors else None]
        )
        told = [
            *(one.finding for one in questions),
            *(error.finding for error in errors if error.finding is not None),
        ]
        yield RelationRow(
            edge,
            seen,
            kind,
            tuple(dict.fromkeys(told)),
            _instead(errors, seen) if kind == "incorrect" else "",
        )


def _instead(errors: Sequence[GraphError], seen: Sequence[Edge]) -> str:
    """Return what the errors say is seen: a seen edge may run the other way."""
    said = (error.seen for error in errors if error.seen)
    return next(said, ", ".join(dict.fromkeys(edge.relation for edge in seen)) or NOT_SEEN)


def _seen_relations(graphs: SceneGraphs, taken: Collection[str]) -> Iterator[RelationRow]:
    """Yield what is seen and belongs to nothing that was asked."""
    for edge in graphs.seen.edges:
        if edge.name not in taken:
            errors = [error for error in graphs.errors if edge.name in error.seen_in]
            found = tuple(error.finding for error in errors if error.finding is not None)
            yield RelationRow(None, (edge,), "incorrect" if errors else None, found)


# --- order ---


def _ordered(slots: Sequence[NodeRow], graphs: SceneGraphs) -> tuple[NodeRow, ...]:
    """Return asked rows ordered so that related ones are near, then what nobody asked for.

    What is seen beside the asked ones comes with them, what nobody asked for last.
    """
    wanted = [slot for slot in slots if slot.section == "asked"]
    others = sorted(
        (slot for slot in slots if slot.section != "asked"),
        key=lambda slot: slot.section == "extraneous",
    )
    return (*(wanted[i] for i in order_by_ties(len(wanted), _ties(wanted, graphs))), *others)


def _ties(slots: Sequence[NodeRow], graphs: SceneGraphs) -> Iterator[tuple[int, int]]:
    place = {thing.node.name: i for i, slot in enumerate(slots) for thing in slot.asked}
    for edge in graphs.asked.edges:
        if edge.source in place and edge.target in place:
            yield place[edge.source], place[edge.target]
