"""Decides which nodes and edges of two scene graphs belong together, and their states.

It reads `SceneGraphs` as they are, also where names in them lead nowhere: what is not there belongs
to nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from hallascope.components.evidence.exhibit import worst
from hallascope.components.html.signs import SIGNS, SignKind
from hallascope.components.scene_graph.layout.rows import (
    CHANGED,
    NOT_SEEN,
    AttributeLabel,
    LayoutNode,
    NodeRow,
    Pairs,
    RelationRow,
    Section,
)
from hallascope.data.evidence import Finding
from hallascope.data.graphs import Attribute, Edge, GraphError, GraphQuestion, Node, SceneGraphs

# in the order of the page: what the prompt asks for, what is seen beside it, what is an error
_SECTIONS: tuple[Section, ...] = ("asked", "also", "extraneous")


@dataclass(frozen=True)
class NodeDifference:
    """Says how a seen node differs from what was asked: in words, and by which of its values."""

    text: str
    values: tuple[str, ...]


def pairs(graphs: SceneGraphs, findings: Sequence[Finding] = ()) -> Pairs:
    """Return rows and relations of the two graphs.

    `findings`: those of the evidence, which say what became of each question.
    """
    slots = sorted(_slots(graphs, findings), key=lambda slot: _SECTIONS.index(slot.section))
    asked = tuple(_asked_relations(graphs, findings))
    paired = {edge.name for relation in asked for edge in relation.seen}
    return Pairs(tuple(slots), (*asked, *_seen_relations(graphs, paired)))


def state_of(question: GraphQuestion, findings: Sequence[Finding]) -> SignKind:
    """Return a question's state by its finding, else by its answer and the wanted one."""
    if 0 <= question.finding < len(findings):
        return SIGNS[findings[question.finding].state].kind
    if question.answer == "unknown":
        return "left-out"
    return "correct" if question.answer == question.wanted else "incorrect"


# --- rows ---


def _slots(graphs: SceneGraphs, findings: Sequence[Finding]) -> list[NodeRow]:
    """Return a slot for all that was asked, with what it is in the image; then others."""
    names = {node.name for node in graphs.asked.nodes}
    matched = {seen for asked, seen in graphs.matches if asked in names}
    asked_slots = [_asked_slot(group, graphs, findings) for group in _groups(graphs)]
    lone_nodes = [node for node in graphs.seen.nodes if node.name not in matched]
    return [*asked_slots, *(_lone_slot(node, graphs) for node in lone_nodes)]


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
    kind = _asked_kind(names, graphs, findings)
    return NodeRow(
        asked=tuple(
            LayoutNode(
                node=node,
                values=tuple(
                    _asked_value(node, attribute, graphs, findings) for attribute in node.attributes
                ),
                kind=kind,
                missing=not seen and not node.absent,
            )
            for node in wanted
        ),
        seen=tuple(_seen_node(node, kind, wanted, graphs, alone=len(seen) == 1) for node in seen),
        section="asked",
        kind=kind,
        findings=_finding_indices(graphs, names, ()),
    )


def _asked_kind(
    names: Sequence[str], graphs: SceneGraphs, findings: Sequence[Finding]
) -> SignKind | None:
    """Return the worst state of what was asked of these nodes, their relations apart."""
    if any(error.type != "relation" for error in _errors(graphs, names, ())):
        return "incorrect"
    questions = [
        question
        for question in graphs.questions
        if question.kind != "relation" and set(question.asked) & set(names)
    ]
    return worst(state_of(question, findings) for question in questions)


def _lone_slot(node: Node, graphs: SceneGraphs) -> NodeRow:
    extraneous = any(
        error.type == "extraneous" and node.name in error.seen_in for error in graphs.errors
    )
    kind: SignKind | None = "incorrect" if extraneous else None
    values = tuple(AttributeLabel(attribute.value) for attribute in node.attributes)
    return NodeRow(
        asked=(),
        seen=(LayoutNode(node, values, kind),),
        section="extraneous" if extraneous else "also",
        kind=kind,
        findings=_finding_indices(graphs, (), (node.name,)),
    )


def _errors(graphs: SceneGraphs, asked: Sequence[str], seen: Sequence[str]) -> list[GraphError]:
    return [
        error
        for error in graphs.errors
        if set(error.asked_in) & set(asked) or set(error.seen_in) & set(seen)
    ]


def _finding_indices(
    graphs: SceneGraphs, asked: Sequence[str], seen: Sequence[str]
) -> tuple[int, ...]:
    """Return the findings that ask about one of these names or tell an error of it.

    Of a relation, also those of its two ends.
    """
    relations = {
        edge.name for edge in graphs.asked.edges if edge.source in asked or edge.target in asked
    }
    names = {*asked, *relations}
    questions = [question for question in graphs.questions if names & set(question.asked)]
    return _findings_of(questions, _errors(graphs, asked, seen))


def _findings_of(
    questions: Iterable[GraphQuestion], errors: Iterable[GraphError]
) -> tuple[int, ...]:
    """Return the findings of the questions, then those of the errors, each once."""
    indices = [question.finding for question in questions]
    indices += [error.finding for error in errors if error.finding is not None]
    return tuple(dict.fromkeys(indices))


# --- attributes ---


def _asked_value(
    node: Node, attribute: Attribute, graphs: SceneGraphs, findings: Sequence[Finding]
) -> AttributeLabel:
    """Return what was asked; of a number, which no single node has, also what is seen instead."""
    states: list[SignKind | None] = [
        state_of(question, findings)
        for question in graphs.questions
        if question.kind in ("attribute", "number")
        and node.name in question.asked
        and _names_value(question.asked_value, attribute.value)
    ]
    errors = [
        error
        for error in _attribute_errors(node.name, graphs)
        if _names_value(error.asked, attribute.value)
    ]
    if not errors:
        return AttributeLabel(attribute.value, worst(states))
    if attribute.kind == "number":
        return AttributeLabel(_change_text(attribute.value, errors[0].seen), "incorrect")
    return AttributeLabel(attribute.value, "incorrect")


def _attribute_errors(asked: str, graphs: SceneGraphs) -> list[GraphError]:
    return [
        error
        for error in graphs.errors
        if error.type in ("attribute", "count") and asked in error.asked_in
    ]


def _names_value(asked: str, value: str) -> bool:
    """Say whether the words name this value: "red" and "a red circle" name "red"."""
    return bool(value) and f" {value.casefold()} " in f" {asked.casefold()} "


def _change_text(asked: str, seen: str) -> str:
    return f"{asked}{CHANGED}{seen or NOT_SEEN}"


def _seen_node(
    node: Node,
    kind: SignKind | None,
    asked: Sequence[Node],
    graphs: SceneGraphs,
    *,
    alone: bool,
) -> LayoutNode:
    """Return a seen node beside what it was asked to be.

    Where it is the only one, all that is wrong is wrong with it.
    """
    deviations = [
        deviation
        for wanted in asked
        for error in _attribute_errors(wanted.name, graphs)
        if node.name in error.seen_in or (alone and not error.seen_in)
        if (deviation := _deviation(node, wanted, error))
    ]
    wrong = [AttributeLabel(deviation.text, "incorrect") for deviation in deviations]
    values = (*wrong, *_other_values(node, asked, deviations))
    if deviations or any(wanted.absent for wanted in asked):
        return LayoutNode(node, values, "incorrect")
    return LayoutNode(node, values, "correct" if kind == "incorrect" else kind)


def _other_values(
    node: Node, asked: Sequence[Node], deviations: Sequence[NodeDifference]
) -> Iterator[AttributeLabel]:
    """Yield the values that are not wrong; those that were asked for are correct."""
    wrong = {value for deviation in deviations for value in deviation.values}
    wanted = {attribute.value.casefold() for other in asked for attribute in other.attributes}
    for attribute in node.attributes:
        if attribute.value not in wrong:
            is_wanted = attribute.value.casefold() in wanted
            yield AttributeLabel(attribute.value, "correct" if is_wanted else None)


def _deviation(node: Node, asked: Node, error: GraphError) -> NodeDifference | None:
    """Return what is wrong with a seen node by an error; None where it is not its fault."""
    kinds = {
        attribute.kind
        for attribute in asked.attributes
        if _names_value(error.asked, attribute.value)
    }
    values = tuple(attribute.value for attribute in node.attributes if attribute.kind in kinds)
    if "number" in kinds or any(_names_value(error.asked, value) for value in values):
        return None
    seen = " and ".join(values) or error.seen
    return NodeDifference(_change_text(error.asked, seen), values or (error.seen,))


# --- relations ---


def _asked_relations(graphs: SceneGraphs, findings: Sequence[Finding]) -> Iterator[RelationRow]:
    for edge in graphs.asked.edges:
        errors = [error for error in graphs.errors if edge.name in error.asked_in]
        questions = [question for question in graphs.questions if edge.name in question.asked]
        seen = _seen_edges(edge, errors, graphs)
        kind = worst(state_of(question, findings) for question in questions)
        if errors:
            kind = "incorrect"
        yield RelationRow(
            asked=edge,
            seen=seen,
            kind=kind,
            findings=_findings_of(questions, errors),
            instead=_seen_instead(errors, seen) if kind == "incorrect" else "",
        )


def _seen_edges(asked: Edge, errors: Sequence[GraphError], graphs: SceneGraphs) -> tuple[Edge, ...]:
    """Return the seen edges that match an edge that was asked for, or stand in its place."""
    names = {seen for name, seen in graphs.matches if name == asked.name}
    names.update(name for error in errors for name in error.seen_in)
    return tuple(edge for edge in graphs.seen.edges if edge.name in names)


def _seen_instead(errors: Sequence[GraphError], seen: Sequence[Edge]) -> str:
    """Return what the errors say is seen: a seen edge may run the other way."""
    relations = ", ".join(dict.fromkeys(edge.relation for edge in seen))
    return next((error.seen for error in errors if error.seen), relations or NOT_SEEN)


def _seen_relations(graphs: SceneGraphs, paired: Collection[str]) -> Iterator[RelationRow]:
    """Yield what is seen and belongs to nothing that was asked."""
    for edge in graphs.seen.edges:
        if edge.name in paired:
            continue
        errors = [error for error in graphs.errors if edge.name in error.seen_in]
        indices = tuple(error.finding for error in errors if error.finding is not None)
        yield RelationRow(None, (edge,), "incorrect" if errors else None, indices)
