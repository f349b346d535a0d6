"""Shows the questions that a prompt asks of a scene graph, with their triples, as HTML.

An answer rests on its triples. It knows no picture.
"""

from collections.abc import Iterator, Sequence

from hallascope.components.cards import cards
from hallascope.components.cards.cards import SIGNS
from hallascope.components.evidence.exhibit import EvidenceGroup, EvidenceKeys, key
from hallascope.components.evidence.findings import table, tally
from hallascope.components.evidence.graph_links import GraphLinks
from hallascope.components.html.markup import keyed, text
from hallascope.data.evidence import Finding, State
from hallascope.data.graph_layout.pairs import state_of
from hallascope.data.graphs import GraphQuestion, Triple

_IDLE = "Choose a question, a node or a relation: the triples that the answers rest on stand here."
_NOTHING = "The graph of the picture says nothing about this."
_ANSWERS = {"yes": "yes", "no": "no", "unknown": "cannot be told"}


def questions(
    asked: Sequence[GraphQuestion], ties: GraphLinks, findings: Sequence[Finding]
) -> EvidenceGroup:
    """Return a row a question: its words, the wanted answer, the memory's answer, and its state."""
    if not asked:
        return EvidenceGroup(
            "Questions",
            '<p class="soft">The prompt asks nothing that could be answered from a graph.</p>',
        )
    rows = [_row(one, ties, findings) for one in asked]
    states = [_state(one, findings) for one in asked]
    return EvidenceGroup(
        "Questions",
        table(("question", "wanted", "answer", ""), rows, "findings asked-of-graph"),
        tally(states),
    )


def _state(question: GraphQuestion, findings: Sequence[Finding]) -> State:
    """As its finding says; as the answers do where it has none."""
    if 0 <= question.finding < len(findings):
        return findings[question.finding].state
    found = state_of(question, findings)
    return "failed" if found == "left-out" else found


def _row(question: GraphQuestion, ties: GraphLinks, findings: Sequence[Finding]) -> str:
    state = _state(question, findings)
    sign = SIGNS[state]
    said = f"{question.text} {_answer_text(question)}."
    tied = keyed((key("finding", question.finding),), ties.of_finding(question.finding))
    label = f"{question.text} {_answer_text(question)}: {sign.word}"
    return (
        f'<tr class="finding {sign.kind}" {tied} data-kind="{sign.kind}"'
        f' data-said="{text(said)}"{_counts(question)}>'
        '<td><button type="button" class="lead-button" aria-pressed="false"'
        f' aria-label="{text(label)}">{text(question.text)}</button>'
        f"{_note(question, findings)}</td>"
        f"<td>{question.wanted}</td>"
        f"<td>{_ANSWERS[question.answer]}{_values(question)}</td>"
        f"<td>{cards.sign(state)}</td></tr>"
    )


def _answer_text(question: GraphQuestion) -> str:
    return f"Wanted: {question.wanted}, answered: {_ANSWERS[question.answer]}"


def _counts(question: GraphQuestion) -> str:
    return " data-counts" if question.kind == "number" else ""


def _values(question: GraphQuestion) -> str:
    """The values side by side, where they differ."""
    if not question.seen_value or question.seen_value == question.asked_value:
        return ""
    return f'<span class="about">{text(question.asked_value)} → {text(question.seen_value)}</span>'


def _note(question: GraphQuestion, findings: Sequence[Finding]) -> str:
    note = findings[question.finding].note if 0 <= question.finding < len(findings) else ""
    return f'<span class="about">{text(note)}</span>' if note else ""


def memory(asked: Sequence[GraphQuestion], ties: GraphLinks) -> EvidenceGroup:
    """For every question the triples its answer rests on.

    Only those of what is chosen are shown.
    """
    recalled = "".join(_recalled(one, ties) for one in asked)
    return EvidenceGroup(
        "Memory", f'<div class="memory"><p class="soft idle">{_IDLE}</p>{recalled}</div>'
    )


def _recalled(question: GraphQuestion, ties: GraphLinks) -> str:
    tied = keyed((key("finding", question.finding),), ties.of_finding(question.finding))
    body = (
        f'<ul class="triples">{"".join(_triples(question.memory, ties))}</ul>'
        if question.memory
        else f'<p class="soft">{_NOTHING}</p>'
    )
    return (
        f'<section class="recall" {tied}><h3>{text(question.text)}'
        f" <b>{_ANSWERS[question.answer]}</b></h3>{body}</section>"
    )


def _triples(found: Sequence[Triple], ties: GraphLinks) -> Iterator[str]:
    for triple in found:
        keys: EvidenceKeys = ties.of_triple(triple)
        tied = f" {keyed(keys)}" if keys else ""
        yield (
            f"<li{tied}><span>{text(triple.subject)}</span> <i>{text(triple.predicate)}</i>"
            f" <span>{text(triple.object)}</span></li>"
        )
