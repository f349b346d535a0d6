"""Compares metrics with what people say in tables: ratings, preferences or answers to questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from hallascope import data
from hallascope.data.files.preferences import PreferenceTable, read_preferences
from hallascope.data.files.published_ratings import holds_ratings_and_scores
from hallascope.data.files.question_answers import AnswerTable, read_answers
from hallascope.data.files.ratings import (
    BadScale,
    StudyTables,
    Table,
    complain_of_others,
    join_groups,
    join_tables,
    read_ratings,
    read_scale_option,
    read_scores,
)
from hallascope.data.files.tables import BadTable, Complaint, read_titles
from hallascope.data.published.numbers import human_agreement
from hallascope.engine.errors import BadRequest, refuse
from hallascope.metrics.human_agreement.preferences import (
    ChoiceShares,
    PreferenceAgreement,
    PreferenceStudy,
)
from hallascope.metrics.human_agreement.question_answers import QuestionStudy
from hallascope.metrics.statistics.agreement import (
    MetricAgreement,
    Study,
)
from hallascope.metrics.statistics.intervals import RESAMPLES, IntervalEstimate
from hallascope.metrics.statistics.paired_difference import ModelDifference

TableKind = Literal["ratings", "preferences", "answers"]
TABLE_KINDS: Mapping[TableKind, str] = {
    "ratings": "ratings",
    "preferences": "preferences between two items",
    "answers": "answers to questions",
}
# The columns, by the names under which they are read, that make a table one of a kind.
_COLUMNS: Mapping[TableKind, tuple[str, ...]] = {
    "answers": ("item", "question", "answer"),
    "preferences": ("item a", "item b"),
}
_LIKELY = ("item", "value", "rater", "choice", *(name for of in _COLUMNS.values() for name in of))


class RecognizedTable(NamedTuple):
    """Holds the kind of a table, and the columns that tell it as its header writes them.

    Ratings have no columns that nothing else has: they are all tables that are of no other kind.
    """

    kind: TableKind
    columns: tuple[str, ...]


def recognize_table(path: Path) -> RecognizedTable:
    """Return the kind of a table of what people say, by its columns.

    Answers have item, question and answer; preferences have item_a and item_b; all else is read as
    ratings. Raises BadRequest where the file cannot be read as a table.
    """
    with refuse(BadTable):
        titles = read_titles(path, _LIKELY)
    for kind, columns in _COLUMNS.items():
        if set(columns) <= titles.keys():
            return RecognizedTable(kind, tuple(titles[name] for name in columns))
    return RecognizedTable("ratings", ())


def other_kind(path: Path, kind: TableKind) -> TableKind | None:
    """Return the kind that the columns show where it is another one than `kind`, else None.

    Ratings are told by no columns of their own, so that they are never the other kind; None also
    where the file cannot be read.
    """
    try:
        recognized = recognize_table(path)
    except BadRequest:
        return None
    return recognized.kind if recognized.kind not in ("ratings", kind) else None


FOLDER = Path(data.__file__).parent / "agreement_examples"


class ExampleTables(NamedTuple):
    """Holds the file of what people say, and that of scores, None where none is needed."""

    people: Path
    scores: Path | None


EXAMPLES: Mapping[TableKind, ExampleTables] = {
    "ratings": ExampleTables(FOLDER / "ratings.csv", FOLDER / "scores.csv"),
    "preferences": ExampleTables(FOLDER / "preferences.csv", FOLDER / "scores.csv"),
    "answers": ExampleTables(FOLDER / "answers.csv", None),
}


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
                    " ratings: give it, too (--scores)."
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
    """Return what metrics and people reach; `level_guessed` is None where the level was given."""
    raters = study.raters
    return {
        "metrics": {name: _metric_document(value) for name, value in study.metrics().items()},
        "compared": [
            {"one": pair.one, "other": pair.other, "n": pair.n, **_plain(pair.differences)}
            for pair in study.differences()
        ],
        "raters": {
            "krippendorff_alpha": raters.alpha,
            "level": raters.level,
            "level_guessed": raters.level_reason or None,
            "items": raters.items,
            "ratings": raters.ratings,
            "items_with_one_rating": raters.alone,
            **({"note": raters.note} if raters.note else {}),
        },
    }


def _metric_document(agreement: MetricAgreement) -> dict[str, Any]:
    return {
        "n": agreement.n,
        **_plain(agreement.statistics),
        **_bootstrap_of(agreement),
        **({"note": agreement.note} if agreement.note else {}),
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


@dataclass(frozen=True)
class PreferenceResult:
    """Holds how well each metric agrees with people's choices, and every row that is left out.

    `differences` are those of every two metrics, or of all with the one that was asked for.
    """

    metrics: Mapping[str, PreferenceAgreement]
    differences: Sequence[ModelDifference]
    people: ChoiceShares
    left_out: Sequence[Complaint]


class ScoredPreferences(NamedTuple):
    """Holds a table of scores and one of choices between two items."""

    scored: Table
    preferred: PreferenceTable


def read_preference_tables(
    scores: Path, preferences: Path, options: AgreementOptions
) -> ScoredPreferences:
    """Read a table of scores and one of choices. Raises BadRequest."""
    with refuse(BadTable):
        return ScoredPreferences(
            read_scores(scores, options.missing), read_preferences(preferences, options.missing)
        )


def compare_preferences(tables: ScoredPreferences, options: AgreementOptions) -> PreferenceResult:
    """Compare the choices with the scores.

    Raises BadRequest where an item has two groups or no metric has the name that is asked for.
    """
    scored, preferred = tables
    with refuse(BadTable):
        groups = join_groups(scored.groups())
    by_metric = {
        name: {item: number.value for item, number in numbers.items()}
        for name, numbers in scored.by_name().items()
    }
    against = options.against
    if against and against not in by_metric:
        raise BadRequest(
            f"The metric {against!r} has no scores: compare with one of"
            f" {', '.join(map(repr, by_metric))}."
        )
    known = set().union(*by_metric.values())
    used = [one for one in preferred.preferences if {one.item_a, one.item_b} <= known]
    study = PreferenceStudy(by_metric, used, groups, options.seed)
    return PreferenceResult(
        metrics=study.metrics(),
        differences=[pair for pair in study.differences() if against in ("", pair.one, pair.other)],
        people=study.people(),
        left_out=(
            *scored.complaints,
            *preferred.complaints,
            *_unmatched_choices(scored, preferred),
        ),
    )


def _unmatched_choices(scored: Table, preferred: PreferenceTable) -> list[Complaint]:
    """Return a complaint for each row of an item that stands in one of the tables only."""
    scored_items = {number.item for number in scored.numbers}
    compared = {item for one in preferred.preferences for item in (one.item_a, one.item_b)}
    what = f"compared by people in {preferred.file!r}"
    complaints = list(complain_of_others(scored.numbers, compared, what))
    for one in preferred.preferences:
        lone = [item for item in (one.item_a, one.item_b) if item not in scored_items]
        if lone:
            complaints.append(
                one.row.complaint(
                    f"the item {lone[0]!r} is not scored by a metric in {scored.file!r}; the row is"
                    " left out"
                )
            )
    return complaints


def preference_document(result: PreferenceResult) -> dict[str, Any]:
    """Return all numbers as JSON-able values."""
    metrics = {name: record_document(own) for name, own in result.metrics.items()}
    return {
        "metrics": {
            name: own | {"tie_threshold": own.pop("threshold")} for name, own in metrics.items()
        },
        "compared": [
            {
                "one": pair.one,
                "other": pair.other,
                "n": pair.n,
                "accuracy": {
                    "value": pair.value,
                    "low": pair.low,
                    "high": pair.high,
                    "method": pair.interval_method,
                },
                "corrected_p": pair.corrected_p,
                "words": pair.words,
            }
            for pair in result.differences
        ],
        "people": people_document(result.people),
        "rejected": complaint_documents(result.left_out),
    }


@dataclass(frozen=True)
class AnswerStudies:
    """Holds the study of single questions, that of the items' scores, and what is left out."""

    questions: QuestionStudy
    items: RatingStudies
    left_out: Sequence[Complaint]


def read_answer_table(path: Path, options: AgreementOptions) -> AnswerTable:
    """Read a table of answers by people and by metrics. Raises BadRequest."""
    with refuse(BadTable):
        return read_answers(path, options.missing)


def study_answers(table: AnswerTable, options: AgreementOptions) -> AnswerStudies:
    """Return the studies of a table; nothing of them is computed yet.

    Raises BadRequest where a metric or a person is missing, or no metric has the name that is asked
    for.
    """
    metrics, people = table.by_name(metrics=True), table.by_name(metrics=False)
    for names, column in ((metrics, "metric"), (people, "rater")):
        if not names:
            raise BadRequest(
                f"The file {table.file!r} has no usable answer of a {column}: put its name into the"
                f" column {column!r}."
            )
    with refuse(BadTable):
        groups = join_groups((own.asked.item, own.group, own.row) for own in table.answers)
    study = QuestionStudy(metrics, people, table.questions, groups, options.seed)
    with refuse(ValueError):
        items = study.items(options.against)
    return AnswerStudies(
        questions=study,
        items=RatingStudies({"": items}, {}, groups, ()),
        left_out=(*table.complaints, *_unmatched_answers(table)),
    )


def _unmatched_answers(table: AnswerTable) -> list[Complaint]:
    """Return a complaint for each answer to a question that one side alone answers."""
    sides = {
        metrics: {given.asked for given in table.answers if given.is_metric == metrics}
        for metrics in (True, False)
    }
    return [
        given.row.complaint(
            f"the question {given.asked.question!r} about {given.asked.item!r} is not answered by"
            f" {'a person' if given.is_metric else 'a metric'}; the row counts in the item's score"
            " alone"
        )
        for given in table.answers
        if given.asked not in sides[not given.is_metric]
    ]


def answer_document(studies: AnswerStudies) -> dict[str, Any]:
    """Return all numbers as JSON-able values: `questions`, and `items` as ratings have them."""
    items = agreement_document(studies.items)
    return {
        "questions": {
            "metrics": {
                name: record_document(value) for name, value in studies.questions.metrics().items()
            },
            "people": people_document(studies.questions.people()),
        },
        "items": {name: items[name] for name in ("metrics", "compared", "raters")},
        "rejected": complaint_documents(studies.left_out),
    }
