"""Shows the questions that a prompt asks of a scene graph, and what their answers rest on."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibit import EvidenceGroup, key
from hallascope.components.evidence.exhibits.findings import lead_button, table, tally
from hallascope.components.html.markup import join, key_attributes, side_note, soft_line, tag
from hallascope.components.html.signs import SIGNS, sign
from hallascope.components.scene_graph.layout.pairs import state_of
from hallascope.components.scene_graph.links import GraphLinks
from hallascope.data.evidence import Finding, State
from hallascope.data.graphs import GraphQuestion, Triple

_IDLE = "Choose a question, a node or a relation to see the triples behind its answer."
_NOTHING = "The graph of the image says nothing about this."


def questions(
    asked: Sequence[GraphQuestion], links: GraphLinks, findings: Sequence[Finding]
) -> EvidenceGroup:
    """Return a row a question: its words, the wanted answer, the memory's answer, and its state."""
    if not asked:
        sentence = "The prompt asks nothing that could be answered from a graph."
        return EvidenceGroup("Questions", soft_line(sentence))
    rows = [_row(question, links, findings) for question in asked]
    return EvidenceGroup(
        "Questions",
        table(("question", "wanted", "answer", ""), rows, "findings asked-of-graph"),
        tally(_state(question, findings) for question in asked),
    )


def _state(question: GraphQuestion, findings: Sequence[Finding]) -> State:
    """Return the state of its finding; that of the answers where it has none."""
    if finding := _finding(question, findings):
        return finding.state
    kind = state_of(question, findings)
    return "failed" if kind == "left-out" else kind


def _finding(question: GraphQuestion, findings: Sequence[Finding]) -> Finding | None:
    return findings[question.finding] if 0 <= question.finding < len(findings) else None


def _row(question: GraphQuestion, links: GraphLinks, findings: Sequence[Finding]) -> Markup:
    state = _state(question, findings)
    shown = SIGNS[state]
    finding = _finding(question, findings)
    note = finding.note if finding else ""
    instead = ""  # what is seen, where it is not what was asked
    if question.seen_value and question.seen_value != question.asked_value:
        instead = f"{question.asked_value} → {question.seen_value}"
    answer = f"Wanted: {question.wanted}, answered: {question.answer}"
    button = lead_button(question.text, f"{question.text} {answer}: {shown.word}")
    return tag(
        "tr",
        tag("td", button, side_note(note)),
        tag("td", question.wanted),
        tag("td", question.answer, side_note(instead)),
        tag("td", sign(state)),
        class_=f"finding {shown.kind}",
        **_keys(question, links),
        data_kind=shown.kind,
        data_said=f"{question.text} {answer}.",
        data_counts=question.kind == "number",
    )


def _keys(question: GraphQuestion, links: GraphLinks) -> dict[str, str]:
    return key_attributes((key("finding", question.finding),), links.of_finding(question.finding))


def memory(asked: Sequence[GraphQuestion], links: GraphLinks) -> EvidenceGroup:
    """Return for every question the triples its answer rests on.

    Only those of what is chosen are shown.
    """
    sections = (_recall(question, links) for question in asked)
    idle = tag("p", _IDLE, class_="soft idle")
    return EvidenceGroup("Memory", tag("div", idle, *sections, class_="memory"))


def _recall(question: GraphQuestion, links: GraphLinks) -> Markup:
    heading = tag("h3", f"{question.text} ", tag("b", question.answer))
    if question.memory:
        triples = (_triple(triple, links) for triple in question.memory)
        body = tag("ul", *triples, class_="triples")
    else:
        body = soft_line(_NOTHING)
    return tag("section", heading, body, class_="recall", **_keys(question, links))


def _triple(triple: Triple, links: GraphLinks) -> Markup:
    keys = links.of_triple(triple)
    words = join(
        tag("span", triple.subject),
        " ",
        tag("i", triple.predicate),
        " ",
        tag("span", triple.object),
    )
    return tag("li", words, **(key_attributes(keys) if keys else {}))
