"""Reads what is shown of judged images in a gallery or a grid: the file, the score, the answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlmodel import col

from hallascope.data.records import Report, State
from hallascope.engine.image_tags import TaggedImage, tagged_images
from hallascope.engine.storage import json_columns
from hallascope.engine.storage.database import chunked
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, VerdictRow


@dataclass(frozen=True)
class ShownAnswer:
    """Holds the state of one question or finding.

    `subject` is the question, or what the finding is about. `coi` is the composition of interest,
    "" of a finding.
    """

    subject: str
    coi: str
    state: State


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


def _read_rows(store: Store, evaluations: Iterable[int]) -> dict[int, sa.RowMapping]:
    """Return what stands in the tables of each evaluation, without its report, which is long."""
    names = ("run", "generation", "image", "metric", "model", "prompt", "value")
    statement = sa.select(
        col(EvaluationRow.id).label("evaluation"),
        *(col(getattr(EvaluationRow, name)) for name in names),
        col(Generation.seed),
    ).join(Generation, col(Generation.id) == col(EvaluationRow.generation))
    rows: dict[int, sa.RowMapping] = {}
    with store.database.read_transaction() as session:
        for chunk in chunked(sorted(set(evaluations))):
            found = session.execute(statement.where(col(EvaluationRow.id).in_(chunk)))
            rows |= {row["evaluation"]: row for row in found.mappings()}
    return rows


def _read_answers(store: Store, evaluations: Iterable[int]) -> dict[int, tuple[ShownAnswer, ...]]:
    """Return the answers by evaluation: its questions, of a metric without questions its findings.

    The table of verdicts is read first: a whole report is long.
    """
    answers: dict[int, list[ShownAnswer]] = {id_: [] for id_ in evaluations}
    verdicts = sa.select(
        col(VerdictRow.evaluation),
        col(VerdictRow.question),
        col(VerdictRow.coi),
        col(VerdictRow.state),
    ).order_by(col(VerdictRow.evaluation), col(VerdictRow.index))
    reports = sa.select(col(EvaluationRow.id), col(EvaluationRow.report))
    with store.database.read_transaction() as session:
        for chunk in chunked(sorted(answers)):
            rows = session.execute(verdicts.where(col(VerdictRow.evaluation).in_(chunk)))
            for evaluation, question, coi, state in rows:
                answers[evaluation].append(ShownAnswer(question, coi, state))
        for chunk in chunked(id_ for id_, own in answers.items() if not own):
            for id_, report in session.execute(reports.where(col(EvaluationRow.id).in_(chunk))):
                answers[id_] = _findings(json_columns.REPORT.validate_json(report))
    return {id_: tuple(own) for id_, own in answers.items()}


def _findings(report: Report) -> list[ShownAnswer]:
    findings = report.evidence.findings if report.evidence else ()
    return [
        ShownAnswer(f"{row.kind}: {row.expected or row.observed}", "", row.state)
        for row in findings
    ]
