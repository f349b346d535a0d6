"""Reads what is shown of judged images in a gallery or a grid: the file, the score, the answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from hallascope.data.records import Report, State
from hallascope.engine.image_tags import TaggedImage, tagged_images
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import REPORT, EvaluationRow, Generation


@dataclass(frozen=True)
class ShownAnswer:
    """Holds the state of one question or finding.

    `subject` is the question, or what the finding is about. `coi` is the composition of interest,
    "" of a finding. `observed` is the judge's answer in words, "" where there is none.
    """

    subject: str
    coi: str
    state: State
    observed: str = ""


@dataclass(frozen=True, kw_only=True)
class GalleryImage:
    """Holds one judged image as a gallery shows it.

    `evaluation` is its id in the store; `run` and `generation` name the evidence. `thumbnail` is
    None where the file is not here. `value` is the main score, None where nothing was answered.
    """

    evaluation: int
    run: str
    generation: str
    image: str
    metric: str
    model: str
    prompt: str
    seed: int
    value: float | None
    answers: tuple[ShownAnswer, ...]
    thumbnail: Path | None
    tags: tuple[str, ...]


def read_gallery_images(store: Store, evaluations: Sequence[int]) -> tuple[GalleryImage, ...]:
    """Return the images of these evaluations in their order, without those that are not stored."""
    rows = _read_rows(store, evaluations)
    answers = _read_answers(store, rows)
    tags = tagged_images(store, {row["image"] for row in rows.values()})
    images = []
    for row in (rows[id_] for id_ in evaluations if id_ in rows):
        images.append(
            GalleryImage(
                **row,
                answers=answers.get(row["evaluation"], ()),
                thumbnail=store.images.thumbnail(row["image"]),
                tags=tags.get(TaggedImage(row["image"], row["prompt"]), ()),
            )
        )
    return tuple(images)


def _read_rows(store: Store, evaluations: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return what stands in the tables of each evaluation, without its report, which is long."""
    names = ("run", "generation", "image", "metric", "model", "prompt", "value")
    statement = sa.select(
        col(EvaluationRow.id).label("evaluation"),
        *(col(getattr(EvaluationRow, name)) for name in names),
        col(Generation.seed),
    ).join(Generation, col(Generation.id) == col(EvaluationRow.generation))
    found = store.database.read(statement, col(EvaluationRow.id), evaluations)
    return {row.evaluation: row._asdict() for row in found}


def _read_answers(store: Store, evaluations: Iterable[int]) -> dict[int, tuple[ShownAnswer, ...]]:
    """Return the answers by evaluation: its questions, without questions its findings."""
    reports = sa.select(col(EvaluationRow.id), col(EvaluationRow.report))
    found = store.database.read(reports, col(EvaluationRow.id), evaluations)
    return {id_: _answers(REPORT.validate_json(report)) for id_, report in found}


def _answers(report: Report) -> tuple[ShownAnswer, ...]:
    if report.verdicts:
        return tuple(
            ShownAnswer(
                verdict.question.text,
                verdict.question.coi,
                verdict.state,
                verdict.question.choice(verdict.answer) if verdict.answer else "",
            )
            for verdict in report.verdicts
        )
    return tuple(
        ShownAnswer(f"{row.kind}: {row.expected or row.observed}", "", row.state, row.observed)
        for row in (report.evidence.findings if report.evidence else ())
    )
