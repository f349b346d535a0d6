"""The command that compares metrics with people: scores and ratings from two tables.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.ratings import (
    BadScale,
    Number,
    read_ratings,
    read_scale,
    read_scores,
    unmatched,
)
from hallascope.data.files.sheets import Complaint
from hallascope.data.published.ihalla import HumanAgreement, human_agreement
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
    study = Study(
        {name: _values(numbers) for name, numbers in scored.by_name().items()}, people, seed=seed
    )
    rejected = [*scored.complaints, *rated.complaints, *unmatched(scored, rated)]
    found = study.metrics()
    compared = list(study.compared())
    raters = study.raters()
    say(
        printing.document(_json(found, compared, raters, rejected))
        if as_json
        else _lines(found, compared, raters, rejected)
    )
    return FAILURES if rejected else DONE


def _values(numbers: Mapping[str, Number]) -> dict[str, float]:
    return {item: number.value for item, number in numbers.items()}


# --- for programs
# --------------------------------------------------------------------------------------------------


def _json(
    found: Mapping[str, MetricAgreement],
    compared: list[AgreementDifference],
    raters: Raters,
    rejected: list[Complaint],
) -> dict[str, Any]:
    return {
        "metrics": {
            name: {
                "n": one.n,
                **_estimates(one.statistics),
                **({"note": one.note} if one.note else {}),
            }
            for name, one in found.items()
        },
        "compared": [
            {"one": one.one, "other": one.other, "n": one.n, **_estimates(one.differences)}
            for one in compared
        ],
        "raters": {
            "krippendorff_alpha": raters.alpha,
            "items": raters.items,
            "ratings": raters.ratings,
            "items_with_one_rating": raters.alone,
            **({"note": raters.note} if raters.note else {}),
        },
        "published": [{"metric": "I-HallA", **one._asdict()} for one in human_agreement()],
        "rejected": [
            {"file": one.file, "line": one.row, "problem": one.problem} for one in rejected
        ],
    }


def _estimates(named: Mapping[str, IntervalEstimate]) -> dict[str, dict[str, float | None]]:
    return {name: one._asdict() for name, one in named.items()}


# --- for people
# --------------------------------------------------------------------------------------------------


def _lines(
    found: Mapping[str, MetricAgreement],
    compared: list[AgreementDifference],
    raters: Raters,
    rejected: list[Complaint],
) -> str:
    parts = [printing.table(_metric_columns(), list(found.items())), _TIES]
    if compared:
        parts.append(
            printing.table(_compared_columns(), compared) + "\nDifferences, on the items of both."
        )
    parts += [one.note for one in found.values() if one.note]
    parts += [
        _of_raters(raters),
        _format_published(human_agreement()),
        "\n".join(map(str, rejected)),
    ]
    return "\n\n".join(filter(None, parts))


def _metric_columns() -> tuple[TextColumn, ...]:
    return (
        TextColumn("metric", lambda item: item[0]),
        *(TextColumn(title, partial(_format_statistic, name)) for name, title in _TITLES.items()),
        TextColumn("n", lambda item: str(item[1].n)),
    )


def _compared_columns() -> tuple[TextColumn, ...]:
    return (
        TextColumn("metrics", lambda one: f"{one.one} less {one.other}"),
        *(TextColumn(title, partial(_format_difference, name)) for name, title in _TITLES.items()),
        TextColumn("n", lambda one: str(one.n)),
    )


def _format_statistic(name: str, item: tuple[str, MetricAgreement]) -> str:
    return _format_estimate(item[1].statistics[name])


def _format_difference(name: str, compared: AgreementDifference) -> str:
    return _format_estimate(compared.differences[name])


def _format_estimate(one: IntervalEstimate) -> str:
    if one.value is None:
        return "-"
    return f"{one.value:.3f}" + ("" if one.low is None else f" ({one.low:.3f} to {one.high:.3f})")


def _of_raters(raters: Raters) -> str:
    said = ", ".join(
        f"{level} {'-' if value is None else f'{value:.3f}'}"
        for level, value in raters.alpha.items()
    )
    alone = f"; {raters.alone} items have one rating only" if raters.alone else ""
    return (
        f"Krippendorff's alpha among the raters: {said}. {raters.items} items, {raters.ratings}"
        f" ratings{alone}. {raters.note}".rstrip()
    )


def _format_published(found: tuple[HumanAgreement, ...]) -> str:
    said = ", ".join(f"{_TITLES[one.statistic]} {one.value:.3f}" for one in found)
    return (
        f"Published beside it: I-HallA with people, {said}; n = {found[0].n} pictures only,"
        f" {found[0].raters} raters."
    )
