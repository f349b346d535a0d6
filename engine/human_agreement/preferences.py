"""Compares metrics with what people prefer, from a table of scores and one of choices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.data.files.preferences import PreferenceTable, read_preferences
from hallascope.data.files.ratings import Table, complain_of_others, join_groups, read_scores
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.human_agreement.ratings import (
    AgreementOptions,
    complaint_documents,
    people_document,
    record_document,
)
from hallascope.metrics.human_agreement.preferences import (
    ChoiceShares,
    PreferenceAgreement,
    PreferenceStudy,
)
from hallascope.metrics.statistics.paired_difference import ModelDifference


@dataclass(frozen=True)
class PreferenceResult:
    """Holds how well each metric agrees with people's choices, and every row that is left out.

    `differences` are those of every two metrics, or of all with the one that was asked for.
    """

    metrics: Mapping[str, PreferenceAgreement]
    differences: Sequence[ModelDifference]
    people: ChoiceShares
    left_out: Sequence[Complaint]


class ScoredPreferences(NamedTuple):
    """Holds a table of scores and one of choices between two items."""

    scored: Table
    preferred: PreferenceTable


def compare_preferences(
    scores: Path, preferences: Path, options: AgreementOptions
) -> PreferenceResult:
    """Read both tables and compare them; a scale and a dimension do not apply.

    Raises BadRequest with one sentence where a table cannot be read or no metric has the name that
    is asked for.
    """
    return compare_preference_tables(read_preference_tables(scores, preferences, options), options)


def read_preference_tables(
    scores: Path, preferences: Path, options: AgreementOptions
) -> ScoredPreferences:
    """Read a table of scores and one of choices. Raises BadRequest."""
    with refuse(BadTable):
        return ScoredPreferences(
            read_scores(scores, options.missing), read_preferences(preferences, options.missing)
        )


def compare_preference_tables(
    tables: ScoredPreferences, options: AgreementOptions
) -> PreferenceResult:
    """Compare the choices with the scores.

    Raises BadRequest where an item has two groups or no metric has the name that is asked for.
    """
    scored, preferred = tables
    with refuse(BadTable):
        groups = join_groups(scored.groups())
    by_metric = {
        name: {item: number.value for item, number in numbers.items()}
        for name, numbers in scored.by_name().items()
    }
    against = options.against
    if against and against not in by_metric:
        raise BadRequest(
            f"The metric {against!r} has no scores: compare with one of"
            f" {', '.join(map(repr, by_metric))}."
        )
    known = set().union(*by_metric.values())
    used = [one for one in preferred.preferences if {one.item_a, one.item_b} <= known]
    study = PreferenceStudy(by_metric, used, groups, options.seed)
    return PreferenceResult(
        metrics=study.metrics(),
        differences=[pair for pair in study.differences() if against in ("", pair.one, pair.other)],
        people=study.people(),
        left_out=(*scored.complaints, *preferred.complaints, *_unmatched(scored, preferred)),
    )


def _unmatched(scored: Table, preferred: PreferenceTable) -> list[Complaint]:
    """Return a complaint for each row of an item that stands in one of the tables only."""
    scored_items = {number.item for number in scored.numbers}
    compared = {item for one in preferred.preferences for item in (one.item_a, one.item_b)}
    what = f"compared by people in {preferred.file!r}"
    complaints = list(complain_of_others(scored.numbers, compared, what))
    for one in preferred.preferences:
        lone = [item for item in (one.item_a, one.item_b) if item not in scored_items]
        if lone:
            complaints.append(
                one.row.complaint(
                    f"the item {lone[0]!r} is not scored by a metric in {scored.file!r}; the row is"
                    " left out"
                )
            )
    return complaints


def _metric_document(agreement: PreferenceAgreement) -> dict[str, Any]:
    document = record_document(agreement)
    return document | {"tie_threshold": document.pop("threshold")}


def preference_document(result: PreferenceResult) -> dict[str, Any]:
    """Return all numbers as JSON-able values."""
    return {
        "metrics": {name: _metric_document(value) for name, value in result.metrics.items()},
        "compared": [
            {
                "one": pair.one,
                "other": pair.other,
                "n": pair.n,
                "accuracy": {
                    "value": pair.value,
                    "low": pair.low,
                    "high": pair.high,
                    "method": pair.interval_method,
                },
                "corrected_p": pair.corrected_p,
                "words": pair.words,
            }
            for pair in result.differences
        ],
        "people": people_document(result.people),
        "rejected": complaint_documents(result.left_out),
    }
