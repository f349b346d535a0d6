"""From tables, or from what people said here, to statistics and figure of metrics beside people.

Tested without Gradio.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hallascope.components.html.markup import file_url
from hallascope.components.people.agreement import (
    TIES,
    IntervalValue,
    ScatterPoint,
    StatisticsRow,
    rejected,
    scatter,
    statistics,
    table,
)
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.ratings import BadScale, read_ratings, read_scale, read_scores, unmatched
from hallascope.data.files.sheets import Complaint
from hallascope.data.published.ihalla import human_agreement
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.judge_eval.people import People
from hallascope.engine.services import Services
from hallascope.metrics.statistics.agreement import (
    AgreementDifference,
    MetricAgreement,
    Raters,
    Study,
)
from hallascope.metrics.statistics.correlation import IntervalEstimate

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

SOURCES: Mapping[str, str] = {
    "tables": "Tables that I bring",
    "ihalla": "People’s answers to the five questions",
    "grade": "People’s grades from 1 to 7",
}
WELCOME = "Bring two tables and press Compare, or choose what people said here."
MOST = 12  # metrics drawn in the figure
MAX_ROWS, MAX_ITEMS, MAX_METRICS = (
    3_000,
    1_000,
    12,
)  # of a public app; the time grows with the square of items and of metrics
MAX_SECONDS = 60.0  # of one comparison on a public app
SecondsClock = Callable[[], float]  # seconds
Scores = Mapping[str, Mapping[str, float]]
ItemRatings = Mapping[str, Sequence[float]]


class AgreementView(NamedTuple):
    """What the page shows: a sentence, the tables as HTML, the figure (None: nothing to draw)."""

    words: str
    tables: str
    figure: "Figure | None"


class ComparisonProgress(NamedTuple):
    """So many of the comparisons are done."""

    done: int
    total: int


def compare(
    services: Services, source: str, scores: str | None, ratings: str | None, scale: str = ""
) -> AgreementView:
    """The end of `steps`."""
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
    """Metrics beside people: how far the comparison is, as it goes on, and what comes of it last.

    Nothing is computed between two steps that nobody asks for. Raises BadRequest with one sentence
    where a table is missing, cannot be read or is too large, and on a public app where it takes
    longer than MAX_SECONDS; StoreError.
    """
    began = clock()
    compared = (
        _of_tables(scores, ratings, scale) if source == "tables" else _of_people(services, source)
    )
    items = set(compared.ratings).union(*compared.scores.values())
    for what, number, most in (
        ("items", len(items), MAX_ITEMS),
        ("metrics", len(compared.scores), MAX_METRICS),
    ):
        _check_size(what, number, most)
    study = Study(compared.scores, compared.ratings)
    for done, of in study.draw():
        if public() and clock() - began > MAX_SECONDS:
            raise BadRequest(
                f"The comparison took longer than the {MAX_SECONDS:g} seconds that this app gives"
                " it: bring fewer items or metrics, or run HallaScope on your own machine."
            )
        yield ComparisonProgress(done, of)
    yield _agreement_view(services, study, compared)


class ComparisonData(NamedTuple):
    """Holds what is compared: scores by metric, ratings by item, and rows that cannot be used.

    Scores are by item, too.
    """

    scores: Scores
    ratings: ItemRatings
    wrong: Sequence[Complaint] = ()


def _of_people(services: Services, source: str) -> ComparisonData:
    found = People(services)
    if rated := found.ratings(source):
        return ComparisonData(found.metrics(), rated)
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
        scored = read_scores(Path(scores))
        rated = read_ratings(Path(ratings), read_scale(scale) if scale.strip() else None)
    except (BadTable, BadScale) as error:
        raise BadRequest(sentence(error)) from error
    for what, number, most in (
        ("rows of scores", len(scored.numbers), MAX_ROWS),
        ("rows of ratings", len(rated.numbers), MAX_ROWS),
    ):
        _check_size(what, number, most)
    wrong = [*scored.complaints, *rated.complaints, *unmatched(scored, rated)]
    by_metric = {
        name: {item: number.value for item, number in numbers.items()}
        for name, numbers in scored.by_name().items()
    }
    by_item = {
        item: [number.value for number in numbers] for item, numbers in rated.by_item().items()
    }
    return ComparisonData(by_metric, by_item, wrong)


def _check_size(what: str, number: int, most: int) -> None:
    """Raises BadRequest where a public app is brought more than it compares."""
    if public() and number > most:
        raise BadRequest(
            f"The tables have {number:,} {what}, and this app compares at most {most:,}: "
            "bring a part of them, or run HallaScope on your own machine."
        )


def _agreement_view(services: Services, study: Study, material: ComparisonData) -> AgreementView:
    """All statistics of metrics beside ratings."""
    scores = material.scores
    wrong = material.wrong
    found = study.metrics()
    compared = list(study.compared())
    raters = study.raters()
    parts = (
        statistics(
            [_line(name, one) for name, one in found.items()],
            "Metrics beside people",
            "metric",
            TIES,
        ),
        statistics(
            list(map(_difference, compared)),
            "Metric against metric, on the items of both",
            "metrics",
            "Differences, by paired bootstrap.",
        ),
        f'<div class="side">{_raters(raters)}{_published()}</div>',
        rejected([str(one) for one in wrong]),
    )
    drawn = {
        name: list(_points(services, scores[name], study.people)) for name in list(scores)[:MOST]
    }
    left = f"; {len(wrong):,} rows left out" if wrong else ""
    words = (
        f"{len(found)} {'metric' if len(found) == 1 else 'metrics'}, {len(study.people):,} rated"
        f" items{left}."
    )
    return AgreementView(words, "".join(parts), scatter(drawn) if any(drawn.values()) else None)


def _values(named: Mapping[str, IntervalEstimate]) -> dict[str, IntervalValue]:
    return {name: IntervalValue(*one) for name, one in named.items()}


def _line(name: str, one: MetricAgreement) -> StatisticsRow:
    return StatisticsRow(name, one.n, _values(one.statistics), one.note)


def _difference(one: AgreementDifference) -> StatisticsRow:
    return StatisticsRow(f"{one.one} less {one.other}", one.n, _values(one.differences))


def _raters(raters: Raters) -> str:
    rows = [(level, IntervalValue(value).value_text) for level, value in raters.alpha.items()]
    alone = f" {raters.alone} items have one rating only." if raters.alone else ""
    counted = f"{raters.items} items with several ratings, {raters.ratings} ratings."
    note = f"{counted}{alone} {raters.note}".strip()
    return table("Krippendorff’s alpha among the raters", ("level", "alpha"), rows, note)


def _published() -> str:
    rows = [
        (one.statistic, f"{one.value:.3f}", str(one.n), str(one.raters))
        for one in human_agreement()
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
    """The address of the small picture of an item that is named by its SHA-256 and stored here.

    "" where it is not.
    """
    is_hash = len(item) == 64 and all(sign in "0123456789abcdef" for sign in item)
    path: Any = services.store.images.thumbnail(item) if is_hash else None
    return file_url(path) if path and path.exists() else ""
