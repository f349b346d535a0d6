"""Compares metrics with people by their answers to questions about items, from one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hallascope.data.files.question_answers import AnswerTable, read_answers
from hallascope.data.files.ratings import join_groups
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.human_agreement.ratings import (
    AgreementOptions,
    RatingStudies,
    agreement_document,
    complaint_documents,
    people_document,
    record_document,
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
    with refuse(BadTable):
        return read_answers(path, options.missing)


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
    with refuse(BadTable):
        groups = join_groups((own.asked.item, own.group, own.row) for own in table.answers)
    study = QuestionStudy(metrics, people, table.questions, groups, options.seed)
    with refuse(ValueError):
        items = study.items(options.against)
    return AnswerStudies(
        questions=study,
        items=RatingStudies({"": items}, {}, groups, ()),
        left_out=(*table.complaints, *_unmatched(table)),
    )


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
