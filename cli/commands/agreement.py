"""Holds the command that compares metrics with people: scores and ratings from two tables.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.ratings import (
    BadScale,
    read_ratings,
    read_scale,
    read_scores,
    unmatched,
)
from hallascope.data.files.sheets import Complaint
from hallascope.data.published.ihalla import human_agreement
from hallascope.engine.errors import BadRequest, sentence
from hallascope.metrics.statistics.agreement import (
    AgreementDifference,
    MetricAgreement,
    Raters,
    Study,
)
from hallascope.metrics.statistics.correlation import IntervalEstimate

_TITLES = {
    "pearson": "Pearson r",
    "spearman": "Spearman rho",
    "kendall": "Kendall tau-b",
    "pairwise_accuracy": "pairwise accuracy",
}
_TIES = (
    "95 % bootstrap intervals, resampled by item. Ties: mean ranks for Spearman; left out of their"
    " side's pairs for tau-b; a pair tied on both sides counts as right, on one side as wrong, for"
    " the pairwise accuracy."
)


def agreement(
    scores: Annotated[Path, typer.Option(help="A table `item, metric, value`.")],
    ratings: Annotated[Path, typer.Option(help="A table `item, rater, value`, or `item, value`.")],
    scale: Annotated[
        str,
        typer.Option(
            help=(
                "The lowest and the highest rating, such as 1..5; ratings outside of it are"
                " rejected."
            )
        ),
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> int:
    """Measure how well metrics agree with people, and how far people agree with each other.

    It gives correlations and pairwise accuracy with intervals.
    """
    try:
        scored = read_scores(scores)
        rated = read_ratings(ratings, read_scale(scale) if scale else None)
    except (BadTable, BadScale) as error:
        raise BadRequest(sentence(error)) from error
    people = {
        item: [number.value for number in numbers] for item, numbers in rated.by_item().items()
    }
    metrics = {
        name: {item: number.value for item, number in numbers.items()}
        for name, numbers in scored.by_name().items()
    }
    study = Study(metrics, people, seed=seed)
    rejected = [*scored.complaints, *rated.complaints, *unmatched(scored, rated)]
    agreements = study.metrics()
    compared = list(study.differences())
    raters = study.raters()
    if as_json:
        say(printing.document(_json(agreements, compared, raters, rejected)))
    else:
        say(_lines(agreements, compared, raters, rejected))
    return FAILURES if rejected else DONE


# --- for programs ---


def _json(
    agreements: Mapping[str, MetricAgreement],
    compared: list[AgreementDifference],
    raters: Raters,
    rejected: list[Complaint],
) -> dict[str, Any]:
    return {
        "metrics": {
            name: {
                "n": agreement.n,
                **_estimates(agreement.statistics),
                **({"note": agreement.note} if agreement.note else {}),
            }
            for name, agreement in agreements.items()
        },
        "compared": [
            {"one": pair.one, "other": pair.other, "n": pair.n, **_estimates(pair.differences)}
            for pair in compared
        ],
        "raters": {
            "krippendorff_alpha": raters.alpha,
            "items": raters.items,
            "ratings": raters.ratings,
            "items_with_one_rating": raters.alone,
            **({"note": raters.note} if raters.note else {}),
        },
        "published": [{"metric": "I-HallA", **row._asdict()} for row in human_agreement()],
        "rejected": [
            {"file": complaint.file, "line": complaint.row, "problem": complaint.problem}
            for complaint in rejected
        ],
    }


def _estimates(named: Mapping[str, IntervalEstimate]) -> dict[str, dict[str, float | str | None]]:
    return {name: estimate._asdict() for name, estimate in named.items()}


# --- for people ---


def _lines(
    agreements: Mapping[str, MetricAgreement],
    compared: list[AgreementDifference],
    raters: Raters,
    rejected: list[Complaint],
) -> str:
    metrics = [
        _EstimateRow(name, agreement.statistics, agreement.n)
        for name, agreement in agreements.items()
    ]
    parts = [_estimate_table("metric", metrics), _TIES]
    if compared:
        pairs = [
            _EstimateRow(f"{pair.one} less {pair.other}", pair.differences, pair.n)
            for pair in compared
        ]
        parts.append(f"{_estimate_table('metrics', pairs)}\nDifferences, on the items of both.")
    parts += [agreement.note for agreement in agreements.values() if agreement.note]
    published = human_agreement()
    statistics = ", ".join(f"{_TITLES[row.statistic]} {row.value:.3f}" for row in published)
    parts += [
        _of_raters(raters),
        f"Published beside it: I-HallA with people, {statistics}; n = {published[0].n} pictures"
        f" only, {published[0].raters} raters.",
        "\n".join(map(str, rejected)),
    ]
    return "\n\n".join(filter(None, parts))


class _EstimateRow(NamedTuple):
    """Holds the statistics of a metric, or the differences of two, over `n` items."""

    name: str
    estimates: Mapping[str, IntervalEstimate]
    n: int


def _estimate_table(heading: str, rows: Sequence[_EstimateRow]) -> str:
    columns = (
        TextColumn(heading, lambda row: row.name),
        *(TextColumn(title, partial(_estimate_cell, name)) for name, title in _TITLES.items()),
        TextColumn("n", lambda row: str(row.n)),
    )
    return printing.table(columns, rows)


def _estimate_cell(name: str, row: _EstimateRow) -> str:
    estimate = row.estimates[name]
    if estimate.value is None or estimate.low is None:
        return printing.number(estimate.value)
    return f"{estimate.value:.3f} ({printing.interval(estimate.low, estimate.high)})"


def _of_raters(raters: Raters) -> str:
    alpha = ", ".join(f"{level} {printing.number(value)}" for level, value in raters.alpha.items())
    alone = f"; {raters.alone} items have one rating only" if raters.alone else ""
    return (
        f"Krippendorff's alpha among the raters: {alpha}. {raters.items} items, {raters.ratings}"
        f" ratings{alone}. {raters.note}".rstrip()
    )
