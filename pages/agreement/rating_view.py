"""Shows how well metrics agree with people's ratings, with a figure of scores beside ratings."""

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from hallascope.components.html.markup import file_url, join, tag
from hallascope.components.labels.agreement import (
    TIES,
    ScatterPoint,
    StatisticsRow,
    estimate_text,
    scatter,
    statistics,
    table,
)
from hallascope.data.nouns import count_noun
from hallascope.data.published.numbers import human_agreement
from hallascope.engine.human_agreement.comparison import RatingStudies, agreement_document
from hallascope.engine.services import Services
from hallascope.metrics.statistics.agreement import MetricAgreement, Raters, Study
from hallascope.metrics.statistics.correlation import MIN_ITEMS
from hallascope.pages.agreement.agreement_view import (
    AgreementView,
    left_out_list,
    left_out_words,
)

MOST = 12  # metrics drawn in the figure


def rating_view(services: Services, studies: RatingStudies) -> AgreementView:
    """Return all statistics of metrics beside ratings, dimension by dimension."""
    parts: list[Markup] = []
    raters: list[Markup] = []
    points: dict[str, list[ScatterPoint]] = {}
    rated: set[str] = set()
    for dimension, study in studies.studies.items():
        parts += study_tables(study, dimension, grouped=bool(studies.groups))
        raters.append(rater_table(study.raters, dimension))
        rated.update(study.people)
        for name, scores in studies.scores.items():
            title = f"{name}, {dimension}" if dimension else name
            points[title] = list(_points(services, scores, study.people))
    shown = dict(list(points.items())[:MOST])
    words = (
        f"{count_noun(len(studies.scores), 'metric')}, {count_noun(len(rated), 'rated item')}"
        f"{left_out_words(studies.left_out)}."
    )
    tables = join(
        *parts,
        tag("div", *raters, _published(), class_="side"),
        left_out_list(studies.left_out),
    )
    figure = scatter(shown) if any(shown.values()) else None
    return AgreementView(words, tables, figure, agreement_document(studies))


def study_tables(study: Study, dimension: str, *, grouped: bool) -> list[Markup]:
    """Return the tables of one dimension; its name stands in every title."""
    agreements = study.metrics()
    of = f": {dimension}" if dimension else ""
    return [
        statistics(
            [
                StatisticsRow(name, value.n, value.statistics, value.note)
                for name, value in agreements.items()
            ],
            f"Metrics vs. people{of}",
            "metric",
            f"95 % bootstrap intervals, resampled by {'group' if grouped else 'item'}. {TIES}",
        ),
        _within_groups(agreements, of),
        statistics(
            [
                StatisticsRow(f"{pair.one} minus {pair.other}", pair.n, pair.differences)
                for pair in study.differences()
            ],
            f"Difference between two metrics, same items{of}",
            "metrics",
            "Differences, by paired bootstrap.",
        ),
    ]


def _within_groups(agreements: Mapping[str, MetricAgreement], of: str) -> Markup:
    """Return the statistics within groups; nothing where no group is known."""
    rows = [
        StatisticsRow(name, value.within.groups, value.within.statistics, "")
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


def rater_table(raters: Raters, dimension: str) -> Markup:
    """Return how far people agree; the name of the dimension stands in the title."""
    rows = [(level, estimate_text(value)) for level, value in raters.alpha.items()]
    alone = f" {raters.alone} items have one rating only." if raters.alone else ""
    counted = f"{raters.items} items with several ratings, {raters.ratings} ratings."
    read = f"Use the {raters.level} row"
    if raters.level_reason:
        read += f": the scale is guessed ({raters.level_reason}); set Scale to change it"
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
        "Published: I-HallA compared with people",
        ("statistic", "value", "images", "raters"),
        rows,
        "On ten images only.",
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
    path = services.store.images.thumbnail(item) if is_hash else None
    return file_url(path) if path else ""
