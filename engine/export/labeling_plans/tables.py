"""Makes the tables of an exported labeling plan: its frame, questions and labels."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hallascope.data.files.human_verdicts import written_at
from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import LETTERS
from hallascope.engine.export.columns import CellValue
from hallascope.engine.export.labeling_plans.content import PlanContent
from hallascope.engine.export.tables import cell
from hallascope.engine.storage.people.labeling import LabeledQuestion, LabelingRecord

_FRAME = (
    "order",
    "item",
    "image",
    "model",
    "prompt",
    "stratum",
    "probability_of_one_draw",
    "inclusion_probability",
    "labeled_by",
    "skipped_by",
)
_CHOICES = tuple(f"choice_{letter.lower()}" for letter in LETTERS)
_QUESTIONS = (
    "item",
    "number",
    "question",
    "coi",
    *_CHOICES,
    "expected",
    "judge_answer",
    "judge_state",
    "judge_confidence",
)
_LABELS = (
    "rater",
    "item",
    "state",
    "number",
    "question",
    "mark",
    "expected",
    "sees_expected",
    "shown",
    "done",
)


def plan_tables(content: PlanContent) -> dict[str, str]:
    """Return the tables as CSV by file name.

    A text that a spreadsheet would take for a formula begins with ``'``.
    """
    return {
        "frame.csv": _csv_text(_FRAME, _frame_rows(content)),
        "questions.csv": _csv_text(_QUESTIONS, _question_rows(content)),
        "labels.csv": _csv_text(_LABELS, _label_rows(content)),
    }


def _csv_text(columns: Sequence[str], rows: Iterable[Sequence[CellValue]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _frame_rows(content: PlanContent) -> Iterator[Sequence[CellValue]]:
    labeled = _count_by_item(content.shared.records, "labeled")
    skipped = _count_by_item(content.shared.records, "skipped")
    for image in content.shared.plan.images:
        yield (
            image.position + 1,
            image.item,
            image.image,
            image.model,
            image.prompt,
            image.stratum,
            image.probability,
            content.inclusion[image.stratum, image.prompt],
            labeled.get(image.item, 0),
            skipped.get(image.item, 0),
        )


def _count_by_item(records: Iterable[LabelingRecord], state: str) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for record in records:
        if record.state == state:
            counts[record.item] = counts.get(record.item, 0) + 1
    return counts


def _question_rows(content: PlanContent) -> Iterator[Sequence[CellValue]]:
    for image in content.shared.plan.images:
        report = content.reports.get(image.evaluation)
        for number, verdict in enumerate(report.verdicts if report else (), 1):
            question = verdict.question
            yield (
                image.item,
                number,
                question.text,
                question.coi,
                *_choices(question.choices),
                question.gold,
                verdict.answer,
                verdict.state,
                verdict.probability,
            )


def _choices(choices: Sequence[str]) -> Sequence[CellValue]:
    """Return the choices, None for each letter that stands for none."""
    return [*choices, *[None] * (len(LETTERS) - len(choices))]


def _label_rows(content: PlanContent) -> Iterator[Sequence[CellValue]]:
    for record in content.shared.records:
        head = (record.rater, record.item, record.state)
        times = (written_at(record.shown), written_at(record.created))
        if not record.answers:
            yield (*head, None, None, None, None, None, *times)
        for number, answer in enumerate(record.answers, 1):
            yield (
                *head,
                number,
                answer.question,
                answer.mark,
                answer.expected,
                _sees_expected(answer),
                *times,
            )


def _sees_expected(answer: LabeledQuestion) -> bool | None:
    """Return whether a rater sees the expected answer, None where they cannot tell."""
    return None if answer.mark == CANNOT_BE_TOLD else answer.mark == answer.expected
