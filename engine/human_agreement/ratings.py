"""Compares metrics with people's ratings, each dimension for itself, from two tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hallascope.data.files.published_ratings import holds_ratings_and_scores
from hallascope.data.files.ratings import (
    BadScale,
    StudyTables,
    join_tables,
    read_ratings,
    read_scale_option,
    read_scores,
)
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.data.published.numbers import human_agreement
from hallascope.engine.errors import BadRequest, refuse
from hallascope.metrics.statistics.agreement import (
    MetricAgreement,
    Raters,
    Study,
)
from hallascope.metrics.statistics.intervals import RESAMPLES, IntervalEstimate


@dataclass(frozen=True, kw_only=True)
class AgreementOptions:
    """Holds how ratings are read and compared.

    `scale`: the ends and the level of the ratings ("1..5", "ordinal", "ordinal 1..5"), "" where
    neither is given. `missing`: texts that stand for no value. `against`: the one metric with which
    all others are compared, "" for all with all. `dimension`: the only one to compare, "" for all.
    """

    scale: str = ""
    missing: Sequence[str] = ()
    against: str = ""
    dimension: str = ""
    seed: int = 0


@dataclass(frozen=True)
class RatingStudies:
    """Holds a study for each dimension of the ratings, and every row that is left out.

    Ratings without a dimension are one study of the name "". `scores` are by metric and item,
    `groups` the cluster of each item.
    """

    studies: Mapping[str, Study]
    scores: Mapping[str, Mapping[str, float]]
    groups: Mapping[str, str]
    left_out: Sequence[Complaint]

    def draw(self) -> Iterator[tuple[int, int]]:
        """Compute what takes long, and yield how much of how much is done.

        Nothing is computed ahead of the next step.
        """
        total = sum(study.tables for study in self.studies.values())
        done = 0
        for study in self.studies.values():
            for _ in study.draw():
                done += 1
                yield done, total


def read_tables(scores: Path | None, ratings: Path, options: AgreementOptions) -> StudyTables:
    """Read a table of scores and one of ratings; None: one table holds both.

    Raises BadRequest with one sentence where a table, the scale or the dimension cannot be read.
    """
    with refuse(BadTable, BadScale):
        if scores is None:
            if not holds_ratings_and_scores(ratings):
                raise BadRequest(
                    f"The table of scores is missing, and {ratings.name!r} holds none beside its"
                    " ratings: name their table with --scores."
                )
            scores = ratings
        scale = read_scale_option(options.scale)
        scored = read_scores(scores, options.missing)
        rated = read_ratings(ratings, scale.bounds, options.missing)
        return join_tables(scored, rated)


def study_tables(tables: StudyTables, options: AgreementOptions) -> RatingStudies:
    """Return a study for each dimension of the tables.

    Raises BadRequest where no dimension or metric has the name that is asked for.
    """
    names = list(tables.ratings)
    if options.dimension:
        if options.dimension not in names:
            named = ", ".join(repr(name) for name in names if name) or "none"
            raise BadRequest(
                f"The ratings have no dimension {options.dimension!r}, their dimensions are"
                f" {named}: choose one of them."
            )
        names = [options.dimension]
    with refuse(ValueError):
        level = read_scale_option(options.scale).level
        studies = {
            name: Study(
                tables.scores,
                tables.ratings[name],
                seed=options.seed,
                groups=tables.groups,
                against=options.against,
                level=level,
            )
            for name in names
        }
    return RatingStudies(studies, tables.scores, tables.groups, tables.left_out)


# --- the document ---


def agreement_document(studies: RatingStudies) -> dict[str, Any]:
    """Return all numbers of the studies as JSON-able values.

    Ratings without a dimension have `metrics`, `compared` and `raters` at the top, others a mapping
    of these by dimension under `dimensions`.
    """
    by_dimension = {name: _study_document(study) for name, study in studies.studies.items()}
    named = any(by_dimension)
    return {
        **({"dimensions": by_dimension} if named else by_dimension.get("", {})),
        "published": [
            {
                "metric": "I-HallA",
                "statistic": row.statistic,
                "value": row.value,
                "n": row.n,
                "raters": row.raters,
            }
            for row in human_agreement()
        ],
        "rejected": complaint_documents(studies.left_out),
    }


def complaint_documents(complaints: Sequence[Complaint]) -> list[dict[str, Any]]:
    """Return each row that is left out with its file, line and problem."""
    return [
        {"file": complaint.file, "line": complaint.row, "problem": complaint.problem}
        for complaint in complaints
    ]


def record_document(record: object) -> dict[str, Any]:
    """Return the fields of a record, estimates as objects of their numbers."""
    return {name: _plain(value) for name, value in vars(record).items()}


def people_document(people: object) -> dict[str, Any]:
    """Return what people say among themselves, with a nominal `alpha`, by its full name."""
    document = record_document(people)
    return document | {"krippendorff_alpha": {"nominal": document.pop("alpha")}}


def _plain(value: Any) -> Any:
    if isinstance(value, IntervalEstimate):
        return value._asdict()
    if isinstance(value, Mapping):
        return {name: _plain(own) for name, own in value.items()}
    return value


def _study_document(study: Study) -> dict[str, Any]:
    return {
        "metrics": {name: _metric_document(value) for name, value in study.metrics().items()},
        "compared": [
            {"one": pair.one, "other": pair.other, "n": pair.n, **_plain(pair.differences)}
            for pair in study.differences()
        ],
        "raters": raters_document(study.raters),
    }


def _metric_document(agreement: MetricAgreement) -> dict[str, Any]:
    return {
        "n": agreement.n,
        **_plain(agreement.statistics),
        **_bootstrap_of(agreement),
        **({"note": agreement.note} if agreement.note else {}),
    }


def raters_document(raters: Raters) -> dict[str, Any]:
    """Return how far people agree; `level_guessed` is the reason of a guess, None where given."""
    return {
        "krippendorff_alpha": raters.alpha,
        "level": raters.level,
        "level_guessed": raters.level_reason or None,
        "items": raters.items,
        "ratings": raters.ratings,
        "items_with_one_rating": raters.alone,
        **({"note": raters.note} if raters.note else {}),
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
            **_plain(within.statistics),
        },
    }
