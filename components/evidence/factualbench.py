"""Shows the rounds of T2I-FactualBench as rows of the evidence viewer.

They are each concept with its criteria, the task, and the composition.

It knows the findings of that metric (`hallascope.metrics.factualbench.report`) and no judge.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from hallascope import metrics
from hallascope.components.cards import cards
from hallascope.components.cards.cards import Tile
from hallascope.components.evidence import findings
from hallascope.components.evidence.exhibit import EvidenceGroup, Exhibit, key, kind
from hallascope.components.evidence.score_table import ScoreColumn, cell
from hallascope.components.html.markup import data, text
from hallascope.data.concepts import ConceptRef
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Report, Score

CRITERIA = {
    "shape": "Shape",
    "color": "Colour",
    "texture": "Texture",
    "details": "Details",
    "seamless": "Seamless transition",
    "completeness": "Visual completeness",
    "authenticity": "Authenticity",
    "following": "Prompt following",
}
_HINT = (
    "Choose a criterion: the words of its concept light up. All pictures here move and zoom"
    " together."
)
_GONE = "There is no reference picture, so this concept is left out."


def titles(metric: str) -> dict[str, str]:
    """Return the titles of the rounds of a metric by the names of their scores."""
    return {spec.name: spec.title for spec in metrics.scores(metric) if spec.name != "score"}


def are_rounds(found: Iterable[Finding]) -> bool:
    """Whether findings are those of this metric."""
    return any(finding.kind in ("rating", "task") for finding in found)


def display_report(report: Report) -> Report:
    """Return the report as shown: a criterion that the judge cannot tell is left out.

    It is no fault of the picture.
    """
    if report.evidence is None or not are_rounds(report.evidence.findings):
        return report
    found = [
        (
            replace(one, state="unreadable", observed="cannot tell")
            if one.state == "abstained"
            else one
        )
        for one in report.evidence.findings
    ]
    return replace(report, evidence=replace(report.evidence, findings=tuple(found)))


def exhibit(tile: Tile, facts: Sequence[tuple[str, str]] = ()) -> Exhibit:
    """The picture with what was judged of it, round by round."""
    plain = findings.exhibit(tile, facts)
    report = tile.reports[0] if tile.reports else None
    if report is None or report.evidence is None:
        return plain
    found = groups(report.evidence)
    notes = [findings.notes(report.evidence.notes)] if report.evidence.notes else []
    alt = f"{tile.prompt}, by {tile.model}: {rounds_summary(found)}"
    return replace(
        plain,
        alt=alt,
        hint=_HINT,
        texts=plain.texts[:1],
        groups=(*found, *notes),
        numbers=numbers(report, facts),
    )


def rounds_summary(found: Sequence[EvidenceGroup]) -> str:
    """The rounds in one breath: "Ladybug 3 of 4; Task done"."""
    return "; ".join(f"{group.title} {group.aside}" for group in found)


def reference(concept: ConceptRef, run: str, key: str) -> Exhibit:
    """The reference picture of a concept, to stand beside the picture `key` of a run."""
    path = concept.reference.path if concept.reference else None
    domain = f"Of the domain {concept.domain}. " if concept.domain else ""
    return Exhibit(
        run=run,
        key=key,
        name=f"Reference: {concept.name}",
        path=path,
        alt=f"The reference picture of {concept.name}",
        placeholder=_GONE,
        hint=f"{domain}{concept.definition}" or "What the judge compares the picture with.",
        side_by_side=True,
    )


# --- rows
# --------------------------------------------------------------------------------------------------


def groups(evidence: Evidence) -> tuple[EvidenceGroup, ...]:
    """A table for each concept, for the task and for the composition, then the notes.

    () for findings of another metric.
    """
    numbered = list(enumerate(evidence.findings))
    starts = [i for i, finding in numbered if finding.kind in ("rating", "task")]
    ends = [*starts[1:], len(numbered)]
    return tuple(_group(numbered[start:end]) for start, end in zip(starts, ends, strict=True))


def _group(found: Sequence[tuple[int, Finding]]) -> EvidenceGroup:
    (index, first), *rest = found
    if first.kind == "task":
        asked = f'<p class="soft">Asked: {text(first.expected)}</p>' if first.expected else ""
        return EvidenceGroup(
            "Task",
            asked + _table([_row(index, first, "Done", f"task, {first.expected}")]),
            _state(first),
        )
    title = first.expected[:1].upper() + first.expected[1:] if first.expected else "Composition"
    rows = [
        _row(
            i,
            one,
            CRITERIA.get(one.kind, one.kind),
            f"{one.kind} of {first.expected or 'the composition'}",
        )
        for i, one in rest
    ]
    return EvidenceGroup(
        title, _table([_row(index, first, "Rating", f"rating of {title}"), *rows]), _rating(first)
    )


def _rating(finding: Finding) -> str:
    """What stands beside the name: "3 of 4", "2 of 3", "left out"."""
    if kind(finding.state) == "left-out":
        return "left out"
    return finding.observed if " of " in finding.observed else f"{finding.observed} of 4"


def _state(finding: Finding) -> str:
    return {"correct": "done", "incorrect": "not done"}.get(finding.state, "left out")


def _row(index: int, finding: Finding, title: str, about: str) -> str:
    """The criterion, whether it is met, and the reason."""
    shown = kind(finding.state)
    own = key("finding", index)
    said = f"{about}: {cards.SIGNS[finding.state].word}."
    label = f"{about}: {cards.SIGNS[finding.state].word}"
    return (
        f'<tr class="finding {shown}" data-keys="{data((own,))}" data-kind="{shown}"'
        f' data-said="{text(said[:1].upper() + said[1:])}">'
        '<td><button type="button" class="lead-button" aria-pressed="false"'
        f' aria-label="{text(label)}">{text(title)}</button></td>'
        f"<td>{cards.sign(finding.state)}</td>"
        f"<td>{text(_finding_text(finding))}"
        f'<span class="about">{text(finding.note)}</span></td></tr>'
    )


def _finding_text(finding: Finding) -> str:
    if finding.kind == "rating":
        return _rating(finding)
    return finding.observed or cards.SIGNS[finding.state].word


def _table(rows: Sequence[str]) -> str:
    heads = "".join(f'<th scope="col">{one}</th>' for one in ("criterion", "", "as judged"))
    return (
        '<table class="rows'
        f' criteria"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


# --- numbers
# --------------------------------------------------------------------------------------------------


def numbers(report: Report, facts: Sequence[tuple[str, str]] = ()) -> str:
    """The mean of the rounds, each round with what it counted, then the facts."""
    lines = "".join(
        "<tr><th"
        f' scope="row">{title}</th><td>{_value(score)}</td><td>{_count_text(score)}</td></tr>'
        for name, title in titles(report.metric).items()
        if name in report.scores and _has_round(score := report.scores[name])
    )
    return (
        f'<h2>Score</h2><p class="value">{_value(report.score)}</p><p class="soft">the mean of the'
        " rounds</p>"
        f'<table class="stages"><thead><tr><th scope="col"></th><th scope="col">score</th><th'
        f' scope="col">of</th></tr></thead>'
        f"<tbody>{lines}</tbody></table>{cards.facts([*facts, ('rules', report.version)])}"
    )


def columns(reports: Sequence[Report]) -> tuple[ScoreColumn, ...]:
    """The whole, then each round that any of the reports has, as columns of a table of pictures."""
    known = titles(reports[0].metric) if reports else {}
    rounds = {
        name: title
        for name, title in known.items()
        if any(name in one.scores and _has_round(one.scores[name]) for one in reports)
    }
    scores = {"score": "All", **rounds} if rounds else {}
    return tuple(ScoreColumn(title, partial(_cell, name)) for name, title in scores.items())


def _cell(name: str, report: Report | None) -> str:
    if report is None or not _has_round(report.scores[name]):
        return "–"
    return cell(_value(report.scores[name]), _count_text(report.scores[name]))


def _has_round(score: Score) -> bool:
    """Whether the level of the prompt has such a round at all."""
    return score.counted + score.left_out > 0


def _value(score: Score) -> str:
    return "–" if score.value is None else f"{score.value:.2f}"


def _count_text(score: Score) -> str:
    return f"of {score.counted}" + (f", left out {score.left_out}" if score.left_out else "")
