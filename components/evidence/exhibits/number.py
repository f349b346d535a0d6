"""Shows an image judged by a metric of one number: the number, its scale, and its steps.

The steps are what was said on the way to the number. Everything comes from the report and from the
metric's declaration.
"""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.evidence.exhibit import AnnotatedText, EvidenceGroup, Exhibit
from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.markup import join, soft_line, tag
from hallascope.components.html.signs import SIGNS
from hallascope.components.tiles.scores import direction_text, scale_text, trial_rows, value_text
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Report
from hallascope.data.wordings.packs import version_facts

_NUMBER = "One number for the whole image, without questions or regions."
_WAITING = "Not evaluated yet."


def exhibit(tile: Tile, metric: str, facts: Sequence[tuple[str, str]] = ()) -> Exhibit:
    """Return the image with its number. `metric` is the name of the one that gave it.

    `facts`: what is said beside the number, e.g. which models were used.
    """
    report = tile.report
    evidence = report.evidence if report and report.evidence else Evidence()
    texts: tuple[AnnotatedText, ...] = ()
    if evidence.caption:  # the number was made from it
        texts = (
            AnnotatedText("Prompt", tile.prompt),
            AnnotatedText("Caption of the image", evidence.caption),
        )
    return Exhibit(
        run=tile.run,
        key=tile.key,
        name=tile.name,
        path=tile.path,
        alt=tile.alt_text,
        placeholder=tile.why or tile.doing,
        hint="" if report else tile.doing or _WAITING,
        revised=tile.revised,
        metric=metric,
        texts=texts,
        groups=(_group(tile, evidence),),
        numbers=_numbers(tile, metric, facts),
    )


def _group(tile: Tile, evidence: Evidence) -> EvidenceGroup:
    """Return what was said on the way to the number, and why it is missing where it is."""
    if tile.report is None:
        return EvidenceGroup(tile.metric, tag("p", _WAITING))
    lines = [*filter(None, map(_sentence, evidence.findings)), *evidence.notes]
    listed = tag("ul", *(tag("li", line) for line in lines), class_="notes") if lines else ""
    return EvidenceGroup(
        tile.metric,
        join(soft_line(_NUMBER), listed),
        value_text(tile.report.score.value, "number"),
    )


def _sentence(finding: Finding) -> str:
    """Say why something was left out, or what a model replied."""
    if SIGNS[finding.state].kind != "left-out":
        return " ".join(filter(None, (finding.observed, finding.note)))
    return ": ".join(filter(None, (finding.expected, finding.note)))


def _numbers(tile: Tile, metric: str, facts: Sequence[tuple[str, str]]) -> Markup:
    report = tile.report
    if report is None:
        return join(tag("h2", "Score"), soft_line(_WAITING))
    spec = metrics.score(metric, "score")
    scale = ", ".join(filter(None, (scale_text(spec), direction_text(spec))))
    left_out = f". Left out: {report.score.left_out}" if report.score.left_out else ""
    rows = [
        *_other_scores(report, metric),
        *trial_rows(tile.reports),
        *facts,
        ("answers", "reused" if tile.cached else "asked now"),
        *version_facts(report.version),
        ("metric version", report.version),
    ]
    return join(
        tag("h2", spec.title),
        tag("p", value_text(report.score.value, "number"), class_="value"),
        soft_line(f"{scale}{left_out}"),
        fact_table(rows),
    )


def _other_scores(report: Report, metric: str) -> Iterator[tuple[str, str]]:
    """Yield the scores beside the main one, each with its range."""
    for name, score in report.scores.items():
        if name != "score":
            spec = metrics.score(metric, name)
            value = value_text(score.value, "number")
            yield f"{spec.title} ({scale_text(spec)})", value
