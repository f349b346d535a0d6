"""Shows an image with its scene graphs as an exhibit.

It has the graphs beside it, the questions with their memory, errors by type and the grade. All else
is shown as for any other findings.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from markupsafe import Markup

from hallascope.components.evidence.exhibit import (
    AnnotatedSpan,
    EvidenceGroup,
    Exhibit,
    ImageRegion,
    key,
)
from hallascope.components.evidence.exhibits import findings
from hallascope.components.evidence.exhibits.fig_steps import detection_steps
from hallascope.components.evidence.exhibits.score_table import ScoreColumn, cell
from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.markup import join, side_note, table_row, tag
from hallascope.components.scene_graph.diagram import diagram
from hallascope.components.scene_graph.links import GraphLinks, link_graphs
from hallascope.components.scene_graph.questions import memory, questions
from hallascope.components.tiles.scores import counted_text, number_text
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence
from hallascope.data.graphs import ERROR_TYPES, ErrorType, GraphError, SceneGraphs
from hallascope.data.records import Report, Score
from hallascope.data.wordings.packs import version_facts

ERRORS: Mapping[ErrorType, str] = {
    "attribute": "Wrong attributes",
    "count": "Wrong counts",
    "relation": "Wrong relations",
    "omission": "Missing",
    "extraneous": "Not in the prompt",
}
GRADES = range(1, 8)
_HINT = "Select a node, a relation, a question or a region to see what belongs to it."
_NO_GRADE = (
    "No grade: nothing was asked, nothing could be seen, or a question without an answer could"
    " lower it."
)


def exhibit(
    tile: Tile, facts: Sequence[tuple[str, str]] = (), fine: Collection[int] = ()
) -> Exhibit:
    """Return the image with its scene graphs; as `findings` shows it where it has none."""
    plain = findings.exhibit(tile, facts, fine)
    report = tile.report
    evidence = report.evidence if report else None
    links = link_graphs(evidence) if evidence else None
    if report is None or evidence is None or evidence.graphs is None or links is None:
        return plain
    prompt, *other_texts = plain.texts
    # Marked words lead to nodes and relations before they lead to single questions.
    marked_prompt = replace(prompt, words=(*_words(links), *prompt.words))
    return replace(
        plain,
        alt=f"{plain.alt}; {grade_text(evidence.graphs)}",
        hint=_HINT,
        marks=tuple(_region(i, mark, links) for i, mark in enumerate(plain.marks)),
        texts=(marked_prompt, *(text for text in other_texts if text.text)),
        groups=tuple(_groups(evidence, evidence.graphs, links, fine)),
        numbers=numbers(report, evidence.graphs, facts),
        diagram=diagram(links),
    )


def grade_text(graphs: SceneGraphs) -> str:
    """Return the grade in words."""
    return "no grade" if graphs.grade is None else f"grade {graphs.grade} of 7"


# --- in the image and in the prompt ---


def _region(index: int, mark: ImageRegion, links: GraphLinks) -> ImageRegion:
    """Let a part of the image lead to its node, and light up with all that rests on it.

    One without a node leads where it did.
    """
    nodes, relations = links.of_segment(index)
    return replace(mark, keys=nodes, under=(*mark.keys, *relations)) if nodes else mark


def _words(links: GraphLinks) -> Iterator[AnnotatedSpan]:
    for i, slot in enumerate(links.pairs.slots):
        for thing in slot.asked:
            spans = list(thing.node.spans)
            for attribute in thing.node.attributes:
                spans += attribute.spans
            for span in spans:
                yield AnnotatedSpan(span, (key("node", i),), slot.kind)
    for i, relation in enumerate(links.pairs.relations):
        for span in relation.asked.spans if relation.asked else ():
            yield AnnotatedSpan(span, (key("edge", i),), relation.kind)


# --- beside it ---


def _groups(
    evidence: Evidence, graphs: SceneGraphs, links: GraphLinks, fine: Collection[int]
) -> Iterator[EvidenceGroup]:
    """Yield the questions and their memory, what no question tells, and how it was seen."""
    yield from findings.reading_groups(evidence)
    yield questions(graphs.questions, links, evidence.findings)
    if graphs.questions:
        yield memory(graphs.questions, links)
    by_question = {question.finding for question in graphs.questions}
    yield from findings.tables(evidence.findings, fine, by_question, links.of_finding)
    yield detection_steps(evidence)
    yield from findings.other_notes(evidence)


def numbers(report: Report, graphs: SceneGraphs, facts: Sequence[tuple[str, str]] = ()) -> Markup:
    """Return the grade with its scale and sentence, errors by type, scores, and facts.

    Scores have what they counted.
    """
    sentence = graphs.sentence or ("" if graphs.grade else _NO_GRADE)
    return join(
        tag("h2", "Grade", side_note("by our rule; in the paper, people give it")),
        scale(graphs.grade),
        tag("p", sentence, class_="grade-sentence"),
        errors(graphs),
        tag("h2", "Scores", class_="second"),
        _scores(report.scores),
        fact_table([*facts, *version_facts(report.version), ("metric version", report.version)]),
    )


def scale(grade: int | None) -> Markup:
    """Return the grades 1 to 7 in a row, the one that was given marked."""
    steps = (
        tag("li", number, class_="here", aria_current="true")
        if number == grade
        else tag("li", number, aria_hidden="true")
        for number in GRADES
    )
    name = "No grade" if grade is None else f"Grade {grade}"
    return tag("ol", *steps, class_="scale", aria_label=f"{name} on a scale of 1 to 7")


def count(graphs: SceneGraphs, kind: ErrorType) -> int:
    """Return how many errors of that type the image has."""
    return sum(error.type == kind for error in graphs.errors)


def errors(graphs: SceneGraphs) -> Markup:
    """Return how many errors there are of each type, and which."""
    lines = (
        table_row(
            join(ERRORS[kind], tag("span", _error_list(graphs, kind), class_="about")),
            count(graphs, kind),
        )
        for kind in ERROR_TYPES
    )
    return tag("table", tag("caption", "Errors"), tag("tbody", *lines), class_="error-types")


def _error_list(graphs: SceneGraphs, kind: ErrorType) -> str:
    texts = (_error_text(error) for error in graphs.errors if error.type == kind)
    return "; ".join(dict.fromkeys(texts))


def _error_text(error: GraphError) -> str:
    """Return an error in a few words: "circle: red → green"."""
    if error.type in ("omission", "extraneous"):
        return error.subject or error.asked or error.seen
    about = "" if error.subject in error.asked else f"{error.subject}: "
    return f"{about}{error.asked} → {error.seen or 'not seen'}"


def _scores(scores: Mapping[str, Score]) -> Markup:
    """Return every score that is a share, with what it counted."""
    lines = []
    for name, score in scores.items():
        if name in ERROR_TYPES or name == "grade":
            continue
        title = "grade, normalized" if name == "score" else name.replace("_", " ")
        counts = tag("span", counted_text(score.counted, score.left_out), class_="about")
        cell_html = tag("td", number_text(score.value), counts)
        lines.append(table_row(title, cell_html))
    return tag("table", tag("tbody", *lines), class_="facts")


# --- in the table of all images ---


def columns(reports: Sequence[Report]) -> tuple[ScoreColumn, ...]:
    """Return columns for the grade, the score with what it counted, and errors of each type."""
    return (
        ScoreColumn("Grade (our rule)", _grade),
        ScoreColumn("Score", _score),
        *(ScoreColumn(ERRORS[kind], partial(_error_count, kind)) for kind in ERROR_TYPES),
    )


def _graphs(report: Report | None) -> SceneGraphs | None:
    return report.evidence.graphs if report and report.evidence else None


def _grade(report: Report | None) -> str:
    graphs = _graphs(report)
    return "–" if graphs is None else cell(str(graphs.grade or "–"), graphs.sentence)


def _score(report: Report | None) -> str:
    if report is None or report.score.value is None:
        return "–"
    counts = counted_text(report.score.counted, report.score.left_out)
    return cell(number_text(report.score.value), counts)


def _error_count(kind: ErrorType, report: Report | None) -> str:
    graphs = _graphs(report)
    return "–" if graphs is None else cell(str(count(graphs, kind)), _error_list(graphs, kind))
