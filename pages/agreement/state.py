"""Compares metrics with people, from tables or from what people said here."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from hallascope.components.html.markup import file_url, join, tag
from hallascope.components.people.agreement import (
    TIES,
    IntervalValue,
    ScatterPoint,
    StatisticsRow,
    left_out_rows,
    scatter,
    statistics,
    table,
)
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
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.judge_eval.people import People
from hallascope.engine.services import Services
from hallascope.metrics.statistics.agreement import MetricAgreement, Raters, Study
from hallascope.metrics.statistics.correlation import MIN_ITEMS, IntervalEstimate

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

SOURCES: Mapping[str, str] = {
    "tables": "Tables that I bring",
    "ihalla": "People’s answers to the five questions",
    "grade": "People’s grades from 1 to 7",
}
WELCOME = "Bring two tables and press Compare, or choose what people said here."
MOST = 12  # metrics drawn in the figure
# what a public app takes; the time grows with the square of items and of metrics
MAX_ROWS = 3_000
MAX_ITEMS = 1_000
MAX_METRICS = 12
MAX_SECONDS = 60.0  # of one comparison on a public app
SecondsClock = Callable[[], float]
Scores = Mapping[str, Mapping[str, float]]
ItemRatings = Mapping[str, Sequence[float]]


class AgreementView(NamedTuple):
    """Holds what the page shows: a sentence, the tables as HTML, the figure if there is one."""

    words: str
    tables: Markup
    figure: "Figure | None"


class ComparisonProgress(NamedTuple):
    """Counts the comparisons that are done."""

    done: int
    total: int


def compare(
    services: Services, source: str, scores: str | None, ratings: str | None, scale: str = ""
) -> AgreementView:
    """Return the last of `steps`."""
    *_, last = steps(services, source, scores, ratings, scale)
    assert isinstance(last, AgreementView)
    return last


def steps(
    services: Services,
    source: str,
    scores: str | None,
    ratings: str | None,
    scale: str = "",
    clock: SecondsClock = time.monotonic,
) -> Iterator[ComparisonProgress | AgreementView]:
    """Compare metrics with people: yield the progress, and what the page shows last.

    Nothing is computed ahead of the next step. Raises BadRequest with one sentence where a table is
    missing, cannot be read or is too large, and on a public app where it takes longer than
    MAX_SECONDS; StoreError.
    """
    start = clock()
    data = (
        _of_tables(scores, ratings, scale) if source == "tables" else _of_people(services, source)
    )
    items = set(data.ratings).union(*data.scores.values())
    _check_size("items", len(items), MAX_ITEMS)
    _check_size("metrics", len(data.scores), MAX_METRICS)
    study = Study(data.scores, data.ratings, groups=data.groups)
    for done, total in study.draw():
        if public() and clock() - start > MAX_SECONDS:
            raise BadRequest(
                f"The comparison took longer than the {MAX_SECONDS:g} seconds that this app gives"
                " it: bring fewer items or metrics, or run HallaScope on your own machine."
            )
        yield ComparisonProgress(done, total)
    yield _agreement_view(services, study, data)


class ComparisonData(NamedTuple):
    """Holds what is compared: scores by metric and item, ratings by item, and unusable rows.

    `groups` is the cluster of each item, empty where none is known.
    """

    scores: Scores
    ratings: ItemRatings
    wrong: Sequence[Complaint] = ()
    groups: Mapping[str, str] = MappingProxyType({})


def _of_people(services: Services, source: str) -> ComparisonData:
    people = People(services)
    if ratings := people.ratings(source):
        return ComparisonData(people.metrics(), ratings)
    raise BadRequest(
        f"Nobody has given any of these yet ({SOURCES.get(source, source)}): do so on the People"
        " tab first."
    )


def _of_tables(scores: str | None, ratings: str | None, scale: str) -> ComparisonData:
    if not scores or not ratings:
        raise BadRequest(
            "Two tables are needed, one of scores and one of ratings: bring both, or choose what"
            " people said here."
        )
    try:
        score_table = read_scores(Path(scores))
        rating_table = read_ratings(Path(ratings), read_scale(scale) if scale.strip() else None)
        tables = join_tables(score_table, rating_table)
    except (BadTable, BadScale) as error:
        raise BadRequest(sentence(error)) from error
    _check_size("rows of scores", len(score_table.numbers), MAX_ROWS)
    _check_size("rows of ratings", len(rating_table.numbers), MAX_ROWS)
    return ComparisonData(tables.scores, tables.ratings, tables.left_out, tables.groups)


def _check_size(what: str, number: int, most: int) -> None:
    """Raise BadRequest where a public app is given more than it compares."""
    if public() and number > most:
        raise BadRequest(
            f"The tables have {number:,} {what}, and this app compares at most {most:,}: "
            "bring a part of them, or run HallaScope on your own machine."
        )


def _agreement_view(services: Services, study: Study, data: ComparisonData) -> AgreementView:
    """Return all statistics of metrics beside ratings."""
    agreements = study.metrics()
    parts = (
        statistics(
            [
                StatisticsRow(name, value.n, _values(value.statistics), value.note)
                for name, value in agreements.items()
            ],
            "Metrics beside people",
            "metric",
            f"95 % bootstrap intervals, resampled by {'group' if data.groups else 'item'}. {TIES}",
        ),
        _within_groups(agreements),
        statistics(
            [
                StatisticsRow(f"{pair.one} less {pair.other}", pair.n, _values(pair.differences))
                for pair in study.differences()
            ],
            "Metric against metric, on the items of both",
            "metrics",
            "Differences, by paired bootstrap.",
        ),
        tag("div", _raters(study.raters()), _published(), class_="side"),
        left_out_rows([str(complaint) for complaint in data.wrong]),
    )
    points = {
        name: list(_points(services, scores, study.people))
        for name, scores in list(data.scores.items())[:MOST]
    }
    left_out = f"; {len(data.wrong):,} rows left out" if data.wrong else ""
    words = (
        f"{len(agreements)} {'metric' if len(agreements) == 1 else 'metrics'},"
        f" {len(study.people):,} rated items{left_out}."
    )
    return AgreementView(words, join(*parts), scatter(points) if any(points.values()) else None)


def _within_groups(agreements: Mapping[str, MetricAgreement]) -> Markup:
    """Return the statistics within groups; nothing where no group is known."""
    rows = [
        StatisticsRow(name, value.within.groups, _values(value.within.statistics), "")
        for name, value in agreements.items()
        if value.within
    ]
    if not rows:
        return Markup()
    return statistics(
        rows,
        "Within groups",
        "metric",
        f"Means over n groups of at least {MIN_ITEMS} items that differ, correlations through"
        " Fisher’s z.",
    )


def _values(estimates: Mapping[str, IntervalEstimate]) -> dict[str, IntervalValue]:
    return {name: IntervalValue(*estimate[:3]) for name, estimate in estimates.items()}


def _raters(raters: Raters) -> Markup:
    rows = [(level, IntervalValue(value).value_text) for level, value in raters.alpha.items()]
    alone = f" {raters.alone} items have one rating only." if raters.alone else ""
    counted = f"{raters.items} items with several ratings, {raters.ratings} ratings."
    note = f"{counted}{alone} {raters.note}".strip()
    return table("Krippendorff’s alpha among the raters", ("level", "alpha"), rows, note)


def _published() -> Markup:
    rows = [
        (row.statistic, f"{row.value:.3f}", str(row.n), str(row.raters))
        for row in human_agreement()
    ]
    return table(
        "Published beside it: I-HallA with people",
        ("statistic", "value", "pictures", "raters"),
        rows,
        "On ten pictures only.",
    )


def _points(
    services: Services, scores: Mapping[str, float], people: Mapping[str, float]
) -> Iterator[ScatterPoint]:
    for item, score in scores.items():
        if item in people:
            yield ScatterPoint(item, score, people[item], picture(services, item))


def picture(services: Services, item: str) -> str:
    """Return the address of the thumbnail of an item that is named by its SHA-256 and stored here.

    "" where it is not.
    """
    is_hash = len(item) == 64 and all(sign in "0123456789abcdef" for sign in item)
    path: Any = services.store.images.thumbnail(item) if is_hash else None
    return file_url(path) if path and path.exists() else ""
