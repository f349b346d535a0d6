"""Compares metrics with people, from tables or from what people said here."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
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
from hallascope.data.files.ratings import StudyTables
from hallascope.data.published.ihalla import human_agreement
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.ratings import (
    AgreementOptions,
    RatingStudies,
    read_tables,
    study_tables,
)
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
NO_OPTIONS = AgreementOptions()


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
    services: Services,
    source: str,
    scores: str | None,
    ratings: str | None,
    options: AgreementOptions = NO_OPTIONS,
) -> AgreementView:
    """Return the last of `steps`."""
    *_, last = steps(services, source, scores, ratings, options)
    assert isinstance(last, AgreementView)
    return last


def steps(
    services: Services,
    source: str,
    scores: str | None,
    ratings: str | None,
    options: AgreementOptions = NO_OPTIONS,
    clock: SecondsClock = time.monotonic,
) -> Iterator[ComparisonProgress | AgreementView]:
    """Compare metrics with people: yield the progress, and what the page shows last.

    Nothing is computed ahead of the next step. Raises BadRequest with one sentence where a table is
    missing, cannot be read or is too large, and on a public app where it takes longer than
    MAX_SECONDS; StoreError.
    """
    start = clock()
    studies = (
        _of_tables(scores, ratings, options)
        if source == "tables"
        else _of_people(services, source, options)
    )
    items = set().union(*studies.scores.values())
    _check_size("items", len(items), MAX_ITEMS)
    _check_size("metrics", len(studies.scores), MAX_METRICS)
    for done, total in studies.draw():
        if public() and clock() - start > MAX_SECONDS:
            raise BadRequest(
                f"The comparison took longer than the {MAX_SECONDS:g} seconds that this app gives"
                " it: bring fewer items or metrics, or run HallaScope on your own machine."
            )
        yield ComparisonProgress(done, total)
    yield _agreement_view(services, studies)


def _of_people(services: Services, source: str, options: AgreementOptions) -> RatingStudies:
    """Return the study of what people said here; they rate one dimension, in known values."""
    people = People(services)
    ratings = people.ratings(source)
    if not ratings:
        raise BadRequest(
            f"Nobody has given any of these yet ({SOURCES.get(source, source)}): do so on the"
            " People tab first."
        )
    tables = StudyTables(people.metrics(), {"": ratings}, {}, ())
    return study_tables(tables, replace(options, dimension=""))


def _of_tables(scores: str | None, ratings: str | None, options: AgreementOptions) -> RatingStudies:
    if not scores or not ratings:
        raise BadRequest(
            "Two tables are needed, one of scores and one of ratings: bring both, or choose what"
            " people said here."
        )
    tables = read_tables(Path(scores), Path(ratings), options)
    _check_size("rows of scores", sum(map(len, tables.scores.values())), MAX_ROWS)
    rows = sum(len(values) for items in tables.ratings.values() for values in items.values())
    _check_size("rows of ratings", rows, MAX_ROWS)
    return study_tables(tables, options)


def _check_size(what: str, number: int, most: int) -> None:
    """Raise BadRequest where a public app is given more than it compares."""
    if public() and number > most:
        raise BadRequest(
            f"The tables have {number:,} {what}, and this app compares at most {most:,}: "
            "bring a part of them, or run HallaScope on your own machine."
        )


def _agreement_view(services: Services, studies: RatingStudies) -> AgreementView:
    """Return all statistics of metrics beside ratings, dimension by dimension."""
    parts: list[Markup] = []
    raters: list[Markup] = []
    points: dict[str, list[ScatterPoint]] = {}
    rated: set[str] = set()
    for dimension, study in studies.studies.items():
        parts += _study_tables(study, dimension, grouped=bool(studies.groups))
        raters.append(_raters(study.raters(), dimension))
        rated.update(study.people)
        for name, scores in studies.scores.items():
            title = f"{name}, {dimension}" if dimension else name
            points[title] = list(_points(services, scores, study.people))
    shown = dict(list(points.items())[:MOST])
    left_out = f"; {len(studies.left_out):,} rows left out" if studies.left_out else ""
    count = len(studies.scores)
    words = (
        f"{count} {'metric' if count == 1 else 'metrics'}, {len(rated):,} rated items{left_out}."
    )
    tables = join(
        *parts,
        tag("div", *raters, _published(), class_="side"),
        left_out_rows([str(complaint) for complaint in studies.left_out]),
    )
    return AgreementView(words, tables, scatter(shown) if any(shown.values()) else None)


def _study_tables(study: Study, dimension: str, *, grouped: bool) -> list[Markup]:
    """Return the tables of one dimension; its name stands in every title."""
    agreements = study.metrics()
    of = f": {dimension}" if dimension else ""
    return [
        statistics(
            [
                StatisticsRow(name, value.n, _values(value.statistics), value.note)
                for name, value in agreements.items()
            ],
            f"Metrics beside people{of}",
            "metric",
            f"95 % bootstrap intervals, resampled by {'group' if grouped else 'item'}. {TIES}",
        ),
        _within_groups(agreements, of),
        statistics(
            [
                StatisticsRow(f"{pair.one} less {pair.other}", pair.n, _values(pair.differences))
                for pair in study.differences()
            ],
            f"Metric against metric, on the items of both{of}",
            "metrics",
            "Differences, by paired bootstrap.",
        ),
    ]


def _within_groups(agreements: Mapping[str, MetricAgreement], of: str) -> Markup:
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
        f"Within groups{of}",
        "metric",
        f"Means over n groups of at least {MIN_ITEMS} items that differ, correlations through"
        " Fisher’s z.",
    )


def _values(estimates: Mapping[str, IntervalEstimate]) -> dict[str, IntervalValue]:
    return {name: IntervalValue(*estimate[:3]) for name, estimate in estimates.items()}


def _raters(raters: Raters, dimension: str) -> Markup:
    rows = [(level, IntervalValue(value).value_text) for level, value in raters.alpha.items()]
    alone = f" {raters.alone} items have one rating only." if raters.alone else ""
    counted = f"{raters.items} items with several ratings, {raters.ratings} ratings."
    read = f"Read the {raters.level} one"
    if raters.level_reason:
        read += f": the scale is guessed ({raters.level_reason}); the field Scale names another"
    note = " ".join(f"{counted}{alone} {raters.note} {read}.".split())
    title = "Krippendorff’s alpha among the raters"
    if dimension:
        title += f": {dimension}"
    return table(title, ("level", "alpha"), rows, note)


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
