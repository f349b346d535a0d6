"""Compares metrics with people by their answers to questions about items, from one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.question_answers import AnswerTable, read_answers
from hallascope.data.files.sheets import Complaint
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.human_agreement.ratings import (
    AgreementOptions,
    RatingStudies,
    agreement_document,
    complaint_documents,
)
from hallascope.metrics.human_agreement.question_answers import QuestionStudy


@dataclass(frozen=True)
class AnswerStudies:
    """Holds the study of single questions, that of the items' scores, and what is left out."""

    questions: QuestionStudy
    items: RatingStudies
    left_out: Sequence[Complaint]


def study_answers(path: Path, options: AgreementOptions) -> AnswerStudies:
    """Read a table of answers by people and by metrics; a scale and a dimension do not apply.

    Raises BadRequest with one sentence where it cannot be read, where a metric or a person is
    missing, or no metric has the name that is asked for.
    """
    return study_answer_table(read_answer_table(path, options), options)


def read_answer_table(path: Path, options: AgreementOptions) -> AnswerTable:
    """Read a table of answers by people and by metrics. Raises BadRequest."""
    try:
        return read_answers(path, options.missing)
    except BadTable as error:
        raise BadRequest(sentence(error)) from error


def study_answer_table(table: AnswerTable, options: AgreementOptions) -> AnswerStudies:
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
    groups = _join_groups(table)
    study = QuestionStudy(metrics, people, table.questions, groups, options.seed)
    try:
        items = study.items(options.against)
    except ValueError as error:
        raise BadRequest(sentence(error)) from error
    return AnswerStudies(
        questions=study,
        items=RatingStudies({"": items}, {}, groups, ()),
        left_out=(*table.complaints, *_unmatched(table)),
    )


def _join_groups(table: AnswerTable) -> dict[str, str]:
    """Return the group of each item that has one. Raises BadRequest where an item has two."""
    groups: dict[str, str] = {}
    for given in table.answers:
        item = given.asked.item
        if given.group and groups.setdefault(item, given.group) != given.group:
            raise BadRequest(
                f"{given.row.file}, row {given.row.line}: the item {item!r} has the group"
                f" {given.group!r} and before it {groups[item]!r}: give it one."
            )
    return groups


def _unmatched(table: AnswerTable) -> list[Complaint]:
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
    people = studies.questions.people()
    items = agreement_document(studies.items)
    return {
        "questions": {
            "metrics": {
                name: {
                    "n": value.n,
                    "left_out": value.left_out,
                    "accuracy": value.accuracy._asdict(),
                    "kappa": value.kappa._asdict(),
                    "sensitivity": value.sensitivity._asdict(),
                    "specificity": value.specificity._asdict(),
                }
                for name, value in studies.questions.metrics().items()
            },
            "people": {
                "questions": people.questions,
                "items": people.items,
                "raters": people.raters,
                "without_majority": people.without_majority,
                "most_frequent": people.most_frequent,
                "krippendorff_alpha": {"nominal": people.alpha},
            },
        },
        "items": {name: items[name] for name in ("metrics", "compared", "raters")},
        "rejected": complaint_documents(studies.left_out),
    }
