"""Compares metrics with people's ratings, each dimension for itself, from two tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.ratings import (
    BadScale,
    ScaleLevel,
    StudyTables,
    join_tables,
    read_ratings,
    read_scale_option,
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
from hallascope.metrics.statistics.correlation import IntervalEstimate
from hallascope.metrics.statistics.intervals import RESAMPLES


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


def read_tables(scores: Path, ratings: Path, options: AgreementOptions) -> StudyTables:
    """Read a table of scores and one of ratings.

    Raises BadRequest with one sentence where a table, the scale or the dimension cannot be read.
    """
    try:
        scale = read_scale_option(options.scale)
        scored = read_scores(scores, options.missing)
        rated = read_ratings(ratings, scale.bounds, options.missing)
        return join_tables(scored, rated)
    except (BadTable, BadScale) as error:
        raise BadRequest(sentence(error)) from error


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
    level = _read_level(options.scale)
    try:
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
    except ValueError as error:
        raise BadRequest(sentence(error)) from error
    return RatingStudies(studies, tables.scores, tables.groups, tables.left_out)


def _read_level(scale: str) -> ScaleLevel | None:
    """Raises BadRequest."""
    try:
        return read_scale_option(scale).level
    except BadScale as error:
        raise BadRequest(sentence(error)) from error


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
        "published": [{"metric": "I-HallA", **row._asdict()} for row in human_agreement()],
        "rejected": complaint_documents(studies.left_out),
    }


def complaint_documents(complaints: Sequence[Complaint]) -> list[dict[str, Any]]:
    """Return each row that is left out with its file, line and problem."""
    return [
        {"file": complaint.file, "line": complaint.row, "problem": complaint.problem}
        for complaint in complaints
    ]


def _study_document(study: Study) -> dict[str, Any]:
    return {
        "metrics": {name: _metric_document(value) for name, value in study.metrics().items()},
        "compared": [_difference_document(pair) for pair in study.differences()],
        "raters": raters_document(study.raters()),
    }


def _metric_document(agreement: MetricAgreement) -> dict[str, Any]:
    return {
        "n": agreement.n,
        **_estimates(agreement.statistics),
        **_bootstrap_of(agreement),
        **({"note": agreement.note} if agreement.note else {}),
    }


def _difference_document(pair: AgreementDifference) -> dict[str, Any]:
    return {"one": pair.one, "other": pair.other, "n": pair.n, **_estimates(pair.differences)}


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
            **_estimates(within.statistics),
        },
    }


def _estimates(named: Mapping[str, IntervalEstimate]) -> dict[str, dict[str, float | str | None]]:
    return {name: estimate._asdict() for name, estimate in named.items()}
