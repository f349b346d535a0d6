"""Shows an image judged by a metric of one number: the number, its scale, and its steps.

It is an exhibit; the steps are what was said on the way.

It knows no metric by name: everything comes from the report and from the metric's declaration.
"""

from collections.abc import Sequence

from hallascope.components.cards import cards
from hallascope.components.cards.cards import Tile
from hallascope.components.cards.score_chips import scale_text, value_text
from hallascope.components.evidence.exhibit import AnnotatedText, EvidenceGroup, Exhibit
from hallascope.components.html.markup import text
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Report
from hallascope.metrics.base import Metric

_NUMBER = "One number for the whole image: no question or region stands behind it."
_WAITING = "Not evaluated yet."


def exhibit(tile: Tile, metric: Metric, facts: Sequence[tuple[str, str]] = ()) -> Exhibit:
    """The image with its number. `facts`: what is said beside the number, e.g.

    which models were used.
    """
    report = tile.reports[0] if tile.reports else None
    evidence = report.evidence if report and report.evidence else Evidence()
    return Exhibit(
        run=tile.run,
        key=tile.key,
        name=tile.name,
        path=tile.path,
        alt=tile.alt_text,
        placeholder=tile.why or tile.doing,
        hint="" if report else tile.doing or _WAITING,
        revised=tile.revised,
        metric=metric.name,
        texts=_texts(tile.prompt, evidence),
        groups=(_group(tile, metric, evidence),),
        numbers=_numbers(tile, metric, facts),
    )


def _texts(prompt: str, evidence: Evidence) -> tuple[AnnotatedText, ...]:
    """Prompt and caption, where the number was made from a caption."""
    return (
        (AnnotatedText("Prompt", prompt), AnnotatedText("Caption of the image", evidence.caption))
        if evidence.caption
        else ()
    )


def _group(tile: Tile, metric: Metric, evidence: Evidence) -> EvidenceGroup:
    """What was said on the way to the number, and why it is missing where it is."""
    if not tile.reports:
        return EvidenceGroup(metric.title, f"<p>{text(_WAITING)}</p>")
    lines = [*filter(None, map(_sentence, evidence.findings)), *evidence.notes]
    listed = (
        f'<ul class="notes">{"".join(f"<li>{text(line)}</li>" for line in lines)}</ul>'
        if lines
        else ""
    )
    return EvidenceGroup(
        metric.title,
        f'<p class="soft">{text(_NUMBER)}</p>{listed}',
        value_text(tile.reports[0].score.value, metric.presents),
    )


def _sentence(finding: Finding) -> str:
    """Why something was left out, or what a model replied."""
    if cards.SIGNS[finding.state].kind == "left-out":
        return (
            f"{finding.expected}: {finding.note}"
            if finding.expected and finding.note
            else finding.note or finding.expected
        )
    return " ".join(filter(None, (finding.observed, finding.note)))


def _numbers(tile: Tile, metric: Metric, facts: Sequence[tuple[str, str]]) -> str:
    if not tile.reports:
        return f'<h2>Score</h2><p class="soft">{text(_WAITING)}</p>'
    report = tile.reports[0]
    spec = metric.score("score")
    direction = "higher is better" if spec.higher_is_better else "lower is better"
    scale = ", ".join(filter(None, (scale_text(spec), direction)))
    left_out = f". Left out: {report.score.left_out}" if report.score.left_out else ""
    rows = [
        *_other_scores(report, metric),
        *cards.trial_rows(tile.reports),
        *facts,
        ("replies", "from the cache" if tile.cached else "live"),
        ("metric version", report.version),
    ]
    return (
        f"<h2>{text(spec.title)}</h2><p"
        f' class="value">{value_text(report.score.value, metric.presents)}</p><p'
        f' class="soft">{text(scale)}{left_out}</p>{cards.facts(rows)}'
    )


def _other_scores(report: Report, metric: Metric) -> list[tuple[str, str]]:
    """The scores beside the main one, each with its range."""
    others = {name: score for name, score in report.scores.items() if name != "score"}
    specs = {name: metric.score(name) for name in others}
    return [
        (f"{specs[name].title} ({scale_text(specs[name])})", value_text(one.value, metric.presents))
        for name, one in others.items()
    ]
