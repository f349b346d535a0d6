"""Formats how well metrics agree with people, as lines for people to read."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.output.problems import problem_lines
from hallascope.data.published.numbers import human_agreement
from hallascope.engine.human_agreement.ratings import RatingStudies
from hallascope.metrics.statistics.agreement import MetricAgreement, Raters, Study
from hallascope.metrics.statistics.correlation import MIN_ITEMS
from hallascope.metrics.statistics.intervals import RESAMPLES, IntervalEstimate
from hallascope.metrics.statistics.reliability import LEVELS

Row = TypeVar("Row")
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


def agreement_text(studies: RatingStudies) -> str:
    """Return all tables of all dimensions, and the rows that are left out."""
    parts: list[str] = []
    for dimension, study in studies.studies.items():
        if dimension:
            parts.append(f"Dimension: {dimension}")
        parts += study_parts(study)
    published = human_agreement()
    statistics = ", ".join(f"{_TITLES[row.statistic]} {row.value:.3f}" for row in published)
    parts += [
        f"Published beside it: I-HallA with people, {statistics}; n = {published[0].n} images"
        f" only, {published[0].raters} raters.",
        problem_lines(studies.left_out),
    ]
    return "\n\n".join(filter(None, parts))


def study_parts(study: Study) -> list[str]:
    """Return the tables and sentences of one study."""
    agreements = study.metrics()
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
    pairs = [
        _EstimateRow(f"{pair.one} less {pair.other}", pair.differences, pair.n)
        for pair in study.differences()
    ]
    if pairs:
        shown, more = count_more(pairs)
        table = _estimate_table("metrics", shown)
        parts.append(f"{table}{more}\nDifferences, on the items of both.")
    parts += [agreement.note for agreement in agreements.values() if agreement.note]
    return [*parts, _of_raters(study.raters)]


def count_more(rows: Sequence[Row]) -> tuple[Sequence[Row], str]:
    """Return the rows that are printed of a long list, and a line that counts the others, or ""."""
    more = len(rows) - _MOST_LINES
    words = f"\nand {more:,} more; --out FILE writes all of them" if more > 0 else ""
    return rows[:_MOST_LINES], words


def estimate_text(estimate: IntervalEstimate) -> str:
    """Return a value with its interval, "-" where it is not defined."""
    if estimate.value is None or estimate.low is None:
        return printing.number(estimate.value)
    return f"{estimate.value:.3f} ({printing.interval(estimate.low, estimate.high)})"


def _resampling(agreements: Mapping[str, MetricAgreement]) -> str:
    """Return how the intervals came about, in one sentence."""
    unit = "group" if any(agreement.within for agreement in agreements.values()) else "item"
    draws = sorted({agreement.draws for agreement in agreements.values() if agreement.draws})
    number = f"{' or '.join(f'{count:,}' for count in draws)} draws, " if draws else ""
    sentence = f"95 % bootstrap intervals, {number}resampled by {unit}."
    if draws[:1] < [RESAMPLES] and draws:
        sentence += f" {_FEWER_DRAWS}"
    return sentence


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
    return estimate_text(row.estimates[name])


def _of_raters(raters: Raters) -> str:
    alpha = ", ".join(f"{level} {printing.number(value)}" for level, value in raters.alpha.items())
    alone = f"; {raters.alone} items have one rating only" if raters.alone else ""
    return (
        f"Krippendorff's alpha among the raters: {alpha}. {raters.items} items, {raters.ratings}"
        f" ratings{alone}. {raters.note}".rstrip()
        + f" {_scale_sentence(raters)}"
    )


def _scale_sentence(raters: Raters) -> str:
    if not raters.level_reason:
        return f"Read the {raters.level} one: the scale is {raters.level}."
    others = ", ".join(level for level in LEVELS if level != raters.level)
    return (
        f"Read the {raters.level} one: the scale is guessed ({raters.level_reason}); --scale names"
        f" another ({others})."
    )
