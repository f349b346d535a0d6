"""Shows what remedies repair and break, by each judge, beside fresh images of equal cost."""

from markupsafe import Markup

from hallascope.components.html.markup import (
    html_table,
    join,
    scroll_region,
    table_row,
    tag,
)
from hallascope.engine.error_analysis.remedies import RemedyOutcome
from hallascope.engine.error_analysis.remedy_effects import EffectEstimate, RemedyEffect
from hallascope.engine.error_analysis.remedy_findings import find_effects, finding_sentence

COLUMNS = (
    "remedy",
    "by",
    "failures",
    "repaired",
    "control",
    "gain (95 %)",
    "broken",
    "control",
    "unanswered",
)


def remedy_table(outcome: RemedyOutcome) -> Markup:
    """Return the sentences of all remedies, and their numbers as a table."""
    request = outcome.request
    judges = {
        "selecting": f"{request.judge} (selects)",
        "evaluating": request.evaluate_by,
        "truth": "the truth",
    }
    sentences, rows = [], []
    for found in find_effects(outcome):
        words = finding_sentence(found, request.judge, request.evaluate_by)
        sentences.append(tag("li", words))
        for view, effect in found.effects.items() if found.tried else ():
            rows.append(_row(found.remedy, judges[view], effect))
    table = html_table(COLUMNS, rows)
    shown = tag("div", scroll_region(table, "Remedies by judge"), class_="compare") if rows else ""
    return join(tag("ul", *sentences, class_="findings"), shown)


def _row(remedy: str, judge: str, effect: RemedyEffect) -> Markup:
    repaired, broken = effect.repaired, effect.broken
    return table_row(
        remedy,
        judge,
        str(repaired.facts),
        _share(repaired.share),
        _share(repaired.control),
        _gain(repaired.gain),
        _share(broken.share),
        _share(broken.control),
        str(effect.unanswered),
    )


def _share(share: EffectEstimate | None) -> str:
    return f"{share.value:.2f}" if share else "–"


def _gain(gain: EffectEstimate | None) -> str:
    if gain is None:
        return "–"
    if gain.low is None or gain.high is None:
        return f"{gain.value:+.2f}"
    return f"{gain.value:+.2f} ({gain.low:+.2f} to {gain.high:+.2f})"
