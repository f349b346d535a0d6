"""Shows the rounds of T2I-FactualBench as rows of the evidence viewer.

They are each concept with its criteria, the task, and the composition, as the findings of that
metric (`hallascope.metrics.factualbench.report`) hold them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.evidence.exhibit import EvidenceGroup, Exhibit, key, kind
from hallascope.components.evidence.exhibits import findings
from hallascope.components.evidence.exhibits.score_table import ScoreColumn, cell
from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.markup import (
    html_table,
    join,
    key_attributes,
    soft_line,
    table_row,
    tag,
)
from hallascope.components.html.signs import SIGNS, sign
from hallascope.components.tiles.scores import counted_text, number_text
from hallascope.components.tiles.tile import Tile
from hallascope.data.concepts import ConceptRef
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.lexicon import capitalize
from hallascope.data.records import Report
from hallascope.data.wordings.packs import version_facts

CRITERIA = {
    "shape": "Shape",
    "color": "Color",
    "texture": "Texture",
    "details": "Details",
    "seamless": "Seamless transition",
    "completeness": "Visual completeness",
    "authenticity": "Authenticity",
    "following": "Prompt following",
}
_HINT = (
    "Choose a criterion: the words of its concept light up. All images here move and zoom together."
)
_NO_REFERENCE = "There is no reference image, so this concept is left out."


def titles(metric: str) -> dict[str, str]:
    """Return the titles of the rounds of a metric by the names of their scores."""
    return {spec.name: spec.title for spec in metrics.scores(metric) if spec.name != "score"}


def are_rounds(rows: Iterable[Finding]) -> bool:
    """Say whether findings are those of this metric."""
    return any(finding.kind in ("rating", "task") for finding in rows)


def display_report(report: Report) -> Report:
    """Return the report as shown: a criterion that the judge cannot tell is left out.

    It is no fault of the image.
    """
    evidence = report.evidence
    if evidence is None or not are_rounds(evidence.findings):
        return report
    rows = tuple(
        replace(finding, state="unreadable", observed="cannot tell")
        if finding.state == "abstained"
        else finding
        for finding in evidence.findings
    )
    return replace(report, evidence=replace(evidence, findings=rows))


def exhibit(tile: Tile, facts: Sequence[tuple[str, str]] = ()) -> Exhibit:
    """Return the image with what was judged of it, round by round."""
    plain = findings.exhibit(tile, facts)
    report = tile.report
    if report is None or report.evidence is None:
        return plain
    rounds = groups(report.evidence)
    notes = [findings.notes(report.evidence.notes)] if report.evidence.notes else []
    return replace(
        plain,
        alt=f"{tile.prompt}, by {tile.model}: {rounds_summary(rounds)}",
        hint=_HINT,
        texts=plain.texts[:1],
        groups=(*rounds, *notes),
        numbers=numbers(report, facts),
    )


def rounds_summary(rounds: Sequence[EvidenceGroup]) -> str:
    """Return the rounds in one sentence: "Ladybug 3 of 4; Task done"."""
    return "; ".join(f"{group.title} {group.aside}" for group in rounds)


def reference(concept: ConceptRef, run: str, key: str) -> Exhibit:
    """Return the reference image of a concept, to stand beside the image `key` of a run."""
    domain = f"Of the domain {concept.domain}. " if concept.domain else ""
    return Exhibit(
        run=run,
        key=key,
        name=f"Reference: {concept.name}",
        path=concept.reference.path if concept.reference else None,
        alt=f"The reference image of {concept.name}",
        placeholder=_NO_REFERENCE,
        hint=f"{domain}{concept.definition}" or "What the judge compares the image with.",
        side_by_side=True,
    )


# --- rows ---


def groups(evidence: Evidence) -> tuple[EvidenceGroup, ...]:
    """Return a table for each concept, for the task and for the composition.

    It is () for findings of another metric.
    """
    numbered = list(enumerate(evidence.findings))
    starts = [i for i, finding in numbered if finding.kind in ("rating", "task")]
    ends = [*starts[1:], len(numbered)]
    return tuple(_group(numbered[start:end]) for start, end in zip(starts, ends, strict=True))


def _group(numbered: Sequence[tuple[int, Finding]]) -> EvidenceGroup:
    """Return one round: its first finding is the task or the rating, then come the criteria."""
    (index, first), *criteria = numbered
    if first.kind == "task":
        task = soft_line(f"Asked: {first.expected}") if first.expected else ""
        rows = [_row(index, first, "Done", f"task, {first.expected}")]
        state = {"correct": "done", "incorrect": "not done"}.get(first.state, "left out")
        return EvidenceGroup("Task", join(task, _table(rows)), state)
    title = capitalize(first.expected) or "Composition"
    about = first.expected or "the composition"
    rows = [_row(index, first, "Rating", f"rating of {title}")]
    for i, finding in criteria:
        criterion = CRITERIA.get(finding.kind, finding.kind)
        rows.append(_row(i, finding, criterion, f"{finding.kind} of {about}"))
    return EvidenceGroup(title, _table(rows), _rating(first))


def _rating(finding: Finding) -> str:
    """Return what stands beside the name: "3 of 4", "2 of 3", "left out"."""
    if kind(finding.state) == "left-out":
        return "left out"
    return finding.observed if " of " in finding.observed else f"{finding.observed} of 4"


def _row(index: int, finding: Finding, title: str, about: str) -> Markup:
    """Return the criterion, whether it is met, and the reason."""
    state = kind(finding.state)
    label = f"{about}: {SIGNS[finding.state].word}"
    if finding.kind == "rating":
        judged = _rating(finding)
    else:
        judged = finding.observed or SIGNS[finding.state].word
    return tag(
        "tr",
        tag("td", findings.lead_button(title, label)),
        tag("td", sign(finding.state)),
        tag("td", judged, tag("span", finding.note, class_="about")),
        class_=f"finding {state}",
        **key_attributes((key("finding", index),)),
        data_kind=state,
        data_said=f"{capitalize(label)}.",
    )


def _table(rows: Sequence[Markup]) -> Markup:
    return findings.table(("criterion", "", "as judged"), rows, "criteria")


# --- numbers ---


def numbers(report: Report, facts: Sequence[tuple[str, str]] = ()) -> Markup:
    """Return the mean of the rounds, each round with what it counted, then the facts."""
    lines = (
        table_row(
            title,
            number_text(report.scores[name].value),
            counted_text(report.scores[name].counted, report.scores[name].left_out),
        )
        for name, title in titles(report.metric).items()
        if has_round(report, name)
    )
    score = report.score
    return join(
        tag("h2", "Score"),
        tag("p", number_text(score.value), class_="value"),
        soft_line(f"the mean of the rounds: {counted_text(score.counted, score.left_out)}"),
        html_table(("", "score", "of"), lines, class_="stages"),
        fact_table([*facts, *version_facts(report.version), ("metric version", report.version)]),
    )


def columns(reports: Sequence[Report]) -> tuple[ScoreColumn, ...]:
    """Return columns for a table of images: the whole, then each round that any report has."""
    known = titles(reports[0].metric) if reports else {}
    rounds = {
        name: title
        for name, title in known.items()
        if any(has_round(report, name) for report in reports)
    }
    scores = {"score": "All", **rounds} if rounds else {}
    return tuple(ScoreColumn(title, partial(_cell, name)) for name, title in scores.items())


def _cell(name: str, report: Report | None) -> str:
    if report is None or not has_round(report, name):
        return "–"
    score = report.scores[name]
    return cell(number_text(score.value), counted_text(score.counted, score.left_out))


def has_round(report: Report, name: str) -> bool:
    """Say whether a report has that round, which not every level of prompts has."""
    score = report.scores.get(name)
    return score is not None and score.counted + score.left_out > 0
