"""Writes a labeling plan as tables: its frame, the judge's questions, and what raters said."""

import shutil
from collections import Counter
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pandas as pd

from hallascope.data.files.csv_text import csv_text
from hallascope.data.files.human_verdicts import written_at
from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import LETTERS
from hallascope.engine.export.folder import open_export_folder
from hallascope.engine.labeling.labels import PlanLabels
from hallascope.engine.storage.people.labeling import LabeledQuestion, LabelingPlan
from hallascope.engine.storage.store import Store

_IMAGE = ("item", "image", "model", "prompt", "stratum")
_LABELS = [
    *("rater", "item", "state", "number", "question", "mark", "expected", "sees_expected"),
    *("shown", "done"),
]
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
    counts = Counter((record.item, record.state) for record in finished)
    inclusion = PlanLabels(store, plan).inclusion
    evaluations = store.evaluations_by_id(image.evaluation for image in plan.images)
    return PlanTables(
        pd.DataFrame(
            {
                "order": image.position + 1,
                **{name: getattr(image, name) for name in _IMAGE},
                "probability_of_one_draw": image.probability,
                "inclusion_probability": inclusion[image.stratum, image.prompt],
                "labeled_by": counts[image.item, "labeled"],
                "skipped_by": counts[image.item, "skipped"],
            }
            for image in plan.images
        ),
        pd.DataFrame(
            {
                "item": image.item,
                "number": number,
                "question": verdict.question.text,
                "coi": verdict.question.coi,
                **dict(zip_longest(_CHOICES, verdict.question.choices)),
                "expected": verdict.question.gold,
                "judge_answer": verdict.answer,
                "judge_state": verdict.state,
                "judge_confidence": verdict.probability,
            }
            for image in plan.images
            if image.evaluation in evaluations
            for number, verdict in enumerate(evaluations[image.evaluation].report.verdicts, 1)
        ),
        pd.DataFrame(
            (
                {
                    "rater": names[record.rater],
                    "item": record.item,
                    "state": record.state,
                    "number": number if answer else None,
                    **(answer._asdict() if answer else {}),
                    "sees_expected": _sees_expected(answer),
                    "shown": written_at(record.shown),
                    "done": written_at(record.created),
                }
                for record in finished
                for number, answer in enumerate(record.answers or [None], 1)
            ),
            columns=_LABELS,
        ).astype({"number": "Int64", "sees_expected": "boolean"}),
    )


def _sees_expected(answer: LabeledQuestion | None) -> bool | None:
    """Return whether a rater sees the expected answer, None where they cannot tell."""
    if answer is None or answer.mark == CANNOT_BE_TOLD:
        return None
    return answer.mark == answer.expected


def export_plan(tables: PlanTables, out: Path, force: bool = False) -> list[str]:
    """Write ``frame.csv``, ``questions.csv`` and ``labels.csv``, and return these names.

    `force`: also into a folder that holds something. Raises BadRequest where the place will not do,
    HoldsSecret where something must not leave; nothing is written then.
    """
    with open_export_folder(out, force) as folder:
        for name, table in tables._asdict().items():
            folder.write_text(f"{name}.csv", csv_text(table))
    return list(folder.files)


def zip_plan(tables: PlanTables) -> bytes:
    """Return the tables as a zip archive. Raises HoldsSecret where something must not leave."""
    with TemporaryDirectory() as place:
        export_plan(tables, Path(place) / "plan")
        archive = shutil.make_archive(f"{place}/archive", "zip", f"{place}/plan")
        return Path(archive).read_bytes()
