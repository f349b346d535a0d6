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
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, progress, say
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.ratings import (
    BadScale,
    join_tables,
    read_ratings,
    read_scale,
    read_scores,
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
from hallascope.metrics.statistics.correlation import MIN_ITEMS, IntervalEstimate
from hallascope.metrics.statistics.intervals import RESAMPLES

_TITLES = {
    "pearson": "Pearson r",
    "spearman": "Spearman rho",
    "kendall": "Kendall tau-b",
    "pairwise_accuracy": "pairwise accuracy",
}
_MOST_LINES = 100  # of one list for people; --out has all of them
_FEWER_DRAWS = (
    "Tables of more than 5,000 items get fewer draws, and more than 5,000 groups (or items without"
    " groups) are drawn by subsets (bag of little bootstraps)."
)
_TIES = (
    "Ties: numbers equal in 12 significant digits; mean ranks for Spearman; left out of their"
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
    missing: Annotated[
        str,
        typer.Option(help="Values that stand for no value, separated by commas, such as NA,-1."),
    ] = "",
    against: Annotated[
        str,
        typer.Option(help="Compare every metric with this one only, not all with all."),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(help="Also write the whole document to this file, as JSON."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> int:
    """Measure how well metrics agree with people, and how far people agree with each other.

    It gives correlations and pairwise accuracy with intervals. A column `group` in either table
    names the cluster of an item, such as its prompt: then groups are resampled, and correlations
    within groups stand beside the overall ones.
    """
    absent = tuple(text.strip() for text in missing.split(",") if text.strip())
    try:
        scored = read_scores(scores, absent)
        rated = read_ratings(ratings, read_scale(scale) if scale else None, absent)
        tables = join_tables(scored, rated)
    except (BadTable, BadScale) as error:
        raise BadRequest(sentence(error)) from error
    try:
        study = Study(
            tables.scores, tables.ratings, seed=seed, groups=tables.groups, against=against
        )
    except ValueError as error:
        raise BadRequest(sentence(error)) from error
    rejected = list(tables.left_out)
    for done, total in study.draw():
        progress(done, total, "comparisons")
    agreements = study.metrics()
    compared = list(study.differences())
    raters = study.raters()
    if out:
        _write(out, printing.document(_json(agreements, compared, raters, rejected)))
    if as_json:
        say(printing.document(_json(agreements, compared, raters, rejected)))
    else:
        say(_lines(agreements, compared, raters, rejected))
    return FAILURES if rejected else DONE


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadRequest(
            f"The file {str(file)!r} cannot be written ({error.strerror or error}): name another"
            " one with --out."
        ) from error


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
                **_bootstrap_of(agreement),
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


def _bootstrap_of(agreement: MetricAgreement) -> dict[str, Any]:
    """Return what the intervals were resampled by, where it is not 2,000 times by item."""
    within = agreement.within
    if within is None:
        return {} if agreement.draws in (0, RESAMPLES) else {"draws": agreement.draws}
    return {
        "draws": agreement.draws,
        "resampled_by": "group",
        "within_groups": {
            "groups": within.groups,
            "left_out": within.left_out,
            **_estimates(within.statistics),
        },
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
    parts = [_estimate_table("metric", metrics), f"{_resampling(agreements)} {_TIES}"]
    within = [
        _EstimateRow(name, agreement.within.statistics, agreement.within.groups)
        for name, agreement in agreements.items()
        if agreement.within
    ]
    if within:
        parts.append(
            f"{_estimate_table('within groups', within)}\nMeans over n groups of at least"
            f" {MIN_ITEMS} items that differ, correlations through Fisher's z."
        )
    if compared:
        pairs = [
            _EstimateRow(f"{pair.one} less {pair.other}", pair.differences, pair.n)
            for pair in compared
        ]
        shown = _estimate_table("metrics", pairs[:_MOST_LINES])
        parts.append(f"{shown}{_and_more(len(pairs))}\nDifferences, on the items of both.")
    parts += [agreement.note for agreement in agreements.values() if agreement.note]
    published = human_agreement()
    statistics = ", ".join(f"{_TITLES[row.statistic]} {row.value:.3f}" for row in published)
    parts += [
        _of_raters(raters),
        f"Published beside it: I-HallA with people, {statistics}; n = {published[0].n} pictures"
        f" only, {published[0].raters} raters.",
        _capped(list(map(str, rejected))),
    ]
    return "\n\n".join(filter(None, parts))


def _resampling(agreements: Mapping[str, MetricAgreement]) -> str:
    """Return how the intervals came about, in one sentence."""
    unit = "group" if any(agreement.within for agreement in agreements.values()) else "item"
    draws = sorted({agreement.draws for agreement in agreements.values() if agreement.draws})
    number = f"{' or '.join(f'{count:,}' for count in draws)} draws, " if draws else ""
    sentence = f"95 % bootstrap intervals, {number}resampled by {unit}."
    if draws[:1] < [RESAMPLES] and draws:
        sentence += f" {_FEWER_DRAWS}"
    return sentence


def _capped(lines: list[str]) -> str:
    return "\n".join(lines[:_MOST_LINES]) + _and_more(len(lines))


def _and_more(number: int) -> str:
    more = number - _MOST_LINES
    return f"\nand {more:,} more; --out FILE writes all of them" if more > 0 else ""


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
