"""Shows a picture with its scene graphs as an exhibit.

It has the graphs beside it, the questions with their memory, errors by type and the grade.

It knows `hallascope.data.graphs` and no metric; everything else it shows is shown as for any other
findings.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from hallascope.components.cards import cards
from hallascope.components.cards.cards import Tile
from hallascope.components.evidence import findings
from hallascope.components.evidence.exhibit import (
    AnnotatedSpan,
    AnnotatedText,
    EvidenceGroup,
    EvidenceKeys,
    Exhibit,
    ImageRegion,
    key,
)
from hallascope.components.evidence.fig_steps import detection_steps
from hallascope.components.evidence.graph import diagram
from hallascope.components.evidence.graph_links import GraphLinks, link_graphs
from hallascope.components.evidence.graph_questions import memory, questions
from hallascope.components.evidence.score_table import ScoreColumn, cell
from hallascope.components.html.markup import text
from hallascope.data.evidence import Evidence
from hallascope.data.graph_layout.rows import MatchKind
from hallascope.data.graphs import ERROR_TYPES, ErrorType, SceneGraphs
from hallascope.data.records import Report, Score

ERRORS: Mapping[ErrorType, str] = {
    "attribute": "Attributes",
    "relation": "Relations",
    "omission": "Missing",
    "extraneous": "Nobody asked for",
}
GRADES = range(1, 8)
_HINT = (
    "Choose a node, a relation, a question or a part of the picture: what belongs together"
    " lights up."
)
_NO_GRADE = "No grade: nothing was asked, or nothing could be seen."


def exhibit(
    tile: Tile, facts: Sequence[tuple[str, str]] = (), fine: Collection[int] = ()
) -> Exhibit:
    """The picture with its scene graphs; the same as that of `findings` where it has none."""
    plain = findings.exhibit(tile, facts, fine)
    report = tile.reports[0] if tile.reports else None
    evidence = report.evidence if report else None
    tied = link_graphs(evidence) if evidence else None
    if report is None or evidence is None or evidence.graphs is None or tied is None:
        return plain
    return replace(
        plain,
        alt=f"{plain.alt}; {grade_text(evidence.graphs)}",
        hint=_HINT,
        marks=tuple(_mark(i, mark, tied) for i, mark in enumerate(plain.marks)),
        texts=(_prompt(plain.texts[0], tied), *(one for one in plain.texts[1:] if one.text)),
        groups=tuple(_groups(evidence, evidence.graphs, tied, fine)),
        numbers=numbers(report, evidence.graphs, facts),
        diagram=diagram(tied),
    )


def grade_text(graphs: SceneGraphs) -> str:
    """The grade in words."""
    return "no grade" if graphs.grade is None else f"grade {graphs.grade} of 7"


# --- in the picture and in the prompt
# -------------------------------------------------------------------------------------------


def _mark(index: int, mark: ImageRegion, tied: GraphLinks) -> ImageRegion:
    """A part of the picture leads to its node, and lights up with all that rests on it.

    One without a node leads where it did.
    """
    nodes, relations = tied.of_segment(index)
    return replace(mark, keys=nodes, under=(*mark.keys, *relations)) if nodes else mark


def _prompt(said: AnnotatedText, tied: GraphLinks) -> AnnotatedText:
    """Return the prompt with the words of nodes and relations marked.

    These words lead to nodes and relations before they lead to single questions.
    """
    return replace(said, words=(*_words(tied), *said.words))


def _words(tied: GraphLinks) -> Iterator[AnnotatedSpan]:
    for i, slot in enumerate(tied.pairs.slots):
        nodes = [thing.node for thing in slot.asked]
        spans = [
            span
            for node in nodes
            for span in (*node.spans, *(span for one in node.attributes for span in one.spans))
        ]
        yield from _marked(spans, (key("node", i),), slot.kind)
    for i, relation in enumerate(tied.pairs.relations):
        yield from _marked(
            relation.asked.spans if relation.asked else (), (key("edge", i),), relation.kind
        )


def _marked(
    spans: Sequence[tuple[int, int]], keys: EvidenceKeys, kind: MatchKind | None
) -> Iterator[AnnotatedSpan]:
    yield from (AnnotatedSpan(span, keys, kind) for span in spans)


# --- beside it
# --------------------------------------------------------------------------------------------------


def _groups(
    evidence: Evidence, graphs: SceneGraphs, tied: GraphLinks, fine: Collection[int]
) -> Iterator[EvidenceGroup]:
    """The questions and their memory, what no question tells, and how it was seen."""
    yield questions(graphs.questions, tied, evidence.findings)
    if graphs.questions:
        yield memory(graphs.questions, tied)
    told = {question.finding for question in graphs.questions}
    yield from findings.tables(evidence.findings, fine, told, tied.of_finding)
    yield detection_steps(evidence)
    if evidence.notes:
        yield findings.notes(evidence.notes)


def numbers(report: Report, graphs: SceneGraphs, facts: Sequence[tuple[str, str]] = ()) -> str:
    """Return the grade with its scale and sentence, errors by type, scores, and facts.

    Scores have what they counted.
    """
    said = graphs.sentence or ("" if graphs.grade else _NO_GRADE)
    return (
        f"<h2>Grade</h2>{scale(graphs.grade)}"
        f'<p class="grade-sentence">{text(said)}</p>{errors(graphs)}'
        f'<h2 class="second">Scores</h2>{_scores(report.scores)}'
        f"{cards.facts([*facts, ('rules', report.version)])}"
    )


def scale(grade: int | None) -> str:
    """The grades 1 to 7 in a row, the one that was given marked."""
    steps = "".join(
        (
            f'<li class="here" aria-current="true">{one}</li>'
            if one == grade
            else f'<li aria-hidden="true">{one}</li>'
        )
        for one in GRADES
    )
    label = (
        "No grade on a scale of 1 to 7" if grade is None else f"Grade {grade} on a scale of 1 to 7"
    )
    return f'<ol class="scale" aria-label="{label}">{steps}</ol>'


def count(graphs: SceneGraphs, kind: ErrorType) -> int:
    """How many errors of that type the picture has."""
    return sum(error.type == kind for error in graphs.errors)


def errors(graphs: SceneGraphs) -> str:
    """How many errors of each type, and which."""
    lines = "".join(_errors(graphs, kind) for kind in ERROR_TYPES)
    return f'<table class="error-types"><caption>Errors</caption><tbody>{lines}</tbody></table>'


def _errors(graphs: SceneGraphs, kind: ErrorType) -> str:
    which = f'<span class="about">{text(_error_list(graphs, kind))}</span>'
    return (
        f'<tr><th scope="row">{text(ERRORS[kind])}{which}</th><td>{count(graphs, kind)}</td></tr>'
    )


def _error_list(graphs: SceneGraphs, kind: ErrorType) -> str:
    return "; ".join(
        dict.fromkeys(
            _error_text(one.subject, one.asked, one.seen, kind)
            for one in graphs.errors
            if one.type == kind
        )
    )


def _error_text(subject: str, asked: str, seen: str, kind: ErrorType) -> str:
    """An error in a few words: "circle: red → green"."""
    if kind in ("omission", "extraneous"):
        return subject or asked or seen
    about = "" if subject in asked else f"{subject}: "
    return f"{about}{asked} → {seen or 'not seen'}"


def _scores(scores: Mapping[str, Score]) -> str:
    """Every score that is a share, with what it counted."""
    lines = "".join(
        f'<tr><th scope="row">{text(_score_name(name))}</th>'
        f"<td>{'–' if score.value is None else f'{score.value:.2f}'}"
        f'<span class="about">of {score.counted}'
        f"{f', left out {score.left_out}' if score.left_out else ''}</span></td></tr>"
        for name, score in scores.items()
        if name not in ERROR_TYPES and name != "grade"
    )
    return f'<table class="facts"><tbody>{lines}</tbody></table>'


def _score_name(name: str) -> str:
    return "grade, normalised" if name == "score" else name.replace("_", " ")


# --- in the table of all pictures
# --------------------------------------------------------------------------------------------------


def columns(reports: Sequence[Report]) -> tuple[ScoreColumn, ...]:
    """The grade, the score with what it counted, and the errors of each type."""
    return (
        ScoreColumn("Grade", _grade),
        ScoreColumn("Score", _score),
        *(ScoreColumn(ERRORS[kind], partial(_error_count_cell, kind)) for kind in ERROR_TYPES),
    )


def _graphs(report: Report | None) -> SceneGraphs | None:
    return report.evidence.graphs if report and report.evidence else None


def _grade(report: Report | None) -> str:
    graphs = _graphs(report)
    return "–" if graphs is None else cell(str(graphs.grade or "–"), graphs.sentence)


def _score(report: Report | None) -> str:
    if report is None or report.score.value is None:
        return "–"
    left_out = f", left out {report.score.left_out}" if report.score.left_out else ""
    return cell(f"{report.score.value:.2f}", f"of {report.score.counted}{left_out}")


def _error_count_cell(kind: ErrorType, report: Report | None) -> str:
    graphs = _graphs(report)
    return "–" if graphs is None else cell(str(count(graphs, kind)), _error_list(graphs, kind))
