"""Writes a labeling plan as tables: its frame, the judge's questions, and what raters said."""

import shutil
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pandas as pd

from hallascope.data.files.csv_text import csv_text
from hallascope.data.files.human_verdicts import written_at
from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import LETTERS
from hallascope.engine.export.folder import open_export_folder
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.labeling.plan_labels import PlanLabels
from hallascope.engine.storage.people.labeling import LabelingPlan, LabelingRecord
from hallascope.engine.storage.store import Store

_CHOICES = [f"choice_{letter.lower()}" for letter in LETTERS]


class PlanTables(NamedTuple):
    """Holds an image, a question of an image, and an answer of a rater a row.

    An image that a rater skipped is a row of `labels` without a question.
    """

    frame: pd.DataFrame
    questions: pd.DataFrame
    labels: pd.DataFrame


def plan_tables(store: Store, plan: LabelingPlan, with_names: bool = False) -> PlanTables:
    """Return a plan as it stands now; raters are "rater 1" and so on unless `with_names`.

    They are numbered in the order in which they first saw an image, so that a later export has the
    same numbers.
    """
    records = store.labeling.records(plan.id)
    by_time = sorted(records, key=lambda record: (record.shown, record.rater))
    raters = list(dict.fromkeys(record.rater for record in by_time))
    names = {rater: rater if with_names else f"rater {n}" for n, rater in enumerate(raters, 1)}
    known = plan.by_item
    finished = [one for one in records if one.state != "shown" and one.item in known]
    return PlanTables(
        pd.DataFrame(_frame_rows(store, plan, finished)),
        pd.DataFrame(_question_rows(store, plan)),
        pd.DataFrame(
            [row for record in finished for row in _label_rows(record, names[record.rater])],
            columns=[
                *("rater", "item", "state", "number", "question", "mark", "expected"),
                *("sees_expected", "shown", "done"),
            ],
        ).astype({"number": "Int64", "sees_expected": "boolean"}),
    )


def _frame_rows(
    store: Store, plan: LabelingPlan, records: list[LabelingRecord]
) -> Iterator[dict[str, Any]]:
    counts = Counter((record.item, record.state) for record in records)
    inclusion = PlanLabels(store, plan).inclusion
    for image in plan.images:
        yield {
            "order": image.position + 1,
            "item": image.item,
            "image": image.image,
            "model": image.model,
            "prompt": image.prompt,
            "stratum": image.stratum,
            "probability_of_one_draw": image.probability,
            "inclusion_probability": inclusion[image.stratum, image.prompt],
            "labeled_by": counts[image.item, "labeled"],
            "skipped_by": counts[image.item, "skipped"],
        }


def _question_rows(store: Store, plan: LabelingPlan) -> Iterator[dict[str, Any]]:
    evaluations = store.evaluations_by_id(image.evaluation for image in plan.images)
    for image in plan.images:
        evaluation = evaluations.get(image.evaluation)
        for number, verdict in enumerate(evaluation.report.verdicts if evaluation else (), 1):
            question = verdict.question
            yield {
                "item": image.item,
                "number": number,
                "question": question.text,
                "coi": question.coi,
                **dict(zip_longest(_CHOICES, question.choices)),
                "expected": question.gold,
                "judge_answer": verdict.answer,
                "judge_state": verdict.state,
                "judge_confidence": verdict.probability,
            }


def _label_rows(record: LabelingRecord, rater: str) -> Iterator[dict[str, Any]]:
    row = {
        "rater": rater,
        "item": record.item,
        "state": record.state,
        "shown": written_at(record.shown),
        "done": written_at(record.created),
    }
    for number, answer in enumerate(record.answers, 1):
        is_told = answer.mark != CANNOT_BE_TOLD
        sees = answer.mark == answer.expected if is_told else None
        yield row | answer._asdict() | {"number": number, "sees_expected": sees}
    if not record.answers:
        yield row


def export_plan(
    tables: PlanTables, out: Path, force: bool = False, secrets: Secrets | None = None
) -> list[str]:
    """Write ``frame.csv``, ``questions.csv`` and ``labels.csv``, and return these names.

    `force`: also into a folder that holds something. Raises BadRequest where the place will not do,
    HoldsSecret where something must not leave; nothing is written then.
    """
    with open_export_folder(out, force, secrets) as folder:
        for name, table in tables._asdict().items():
            folder.write_text(f"{name}.csv", csv_text(table))
    return folder.files


def zip_plan(tables: PlanTables) -> bytes:
    """Return the tables as a zip archive. Raises HoldsSecret where something must not leave."""
    with TemporaryDirectory() as place:
        export_plan(tables, Path(place) / "plan")
        archive = shutil.make_archive(f"{place}/archive", "zip", f"{place}/plan")
        return Path(archive).read_bytes()
