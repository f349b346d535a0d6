"""Deletes runs with what was said of their images, and the images that no other run shows."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col

from hallascope.engine.storage.database import Database, chunked
from hallascope.engine.storage.embeddings import delete_embeddings
from hallascope.engine.storage.images import ImageStore
from hallascope.engine.storage.scores import delete_scores
from hallascope.engine.storage.tables import (
    CorrectedEvaluationRow,
    EvaluationRow,
    Generation,
    RatingRow,
    Run,
    RunNoteRow,
    RunPicture,
    SweepItemRow,
    SweepRow,
    Truth,
    VerdictRow,
)


@dataclass(frozen=True, kw_only=True)
class DeletionCount:
    """Counts what is deleted with runs: evaluations, verdicts and images.

    `kept_images` are those that other runs show, or that people rated: they stay.
    """

    runs: int
    evaluations: int
    verdicts: int
    images: int
    kept_images: int


@dataclass(frozen=True)
class _RunImages:
    """Holds the pictures that belong to the runs alone, and the images on either side."""

    generations: frozenset[str]
    images: frozenset[str]
    kept: frozenset[str]


class RunDeletion:
    """Deletes runs from `database` and their files from `images`. Raises StoreError."""

    def __init__(self, database: Database, images: ImageStore) -> None:
        self._database = database
        self._images = images

    def count(self, runs: Collection[str]) -> DeletionCount:
        """Return what would be deleted with these runs."""
        with self._database.read_transaction() as session:
            return _count(session, runs, _images_of(session, runs))

    def delete(
        self,
        runs: Collection[str],
        sweep: str | None = None,
        check: Callable[[Session], None] = lambda _: None,
    ) -> DeletionCount:
        """Delete these runs, and the sweep with its items where one is named.

        What a run has cost stays in the account, and replies of models stay cached. `check` raises
        where they may not be deleted, while nobody else writes.
        """
        with self._database.write_transaction() as session:
            check(session)
            found = _images_of(session, runs)
            counted = _count(session, runs, found)
            for run in sorted(runs):
                _delete_evaluations(session, run)
            for chunk in chunked(sorted(runs)):
                session.execute(sa.delete(RunPicture).where(col(RunPicture.run).in_(chunk)))
            for chunk in chunked(sorted(found.generations)):
                session.execute(sa.delete(Truth).where(col(Truth.generation).in_(chunk)))
                session.execute(sa.delete(Generation).where(col(Generation.id).in_(chunk)))
            for chunk in chunked(sorted(runs)):
                session.execute(sa.delete(Run).where(col(Run.id).in_(chunk)))
            delete_embeddings(session, found.images)
            notes = [*runs, sweep] if sweep else list(runs)
            for chunk in chunked(notes):
                session.execute(sa.delete(RunNoteRow).where(col(RunNoteRow.id).in_(chunk)))
            if sweep:
                session.execute(sa.delete(SweepItemRow).where(col(SweepItemRow.sweep) == sweep))
                session.execute(sa.delete(SweepRow).where(col(SweepRow.id) == sweep))
        # after the rows, so that no row names a file that is not there
        with self._database.guard("written"):
            for image in found.images:
                self._images.delete(image)
        return counted

    def evaluation_ids(self, runs: Collection[str]) -> frozenset[int]:
        """Return the numbers of the evaluations of these runs."""
        ids: set[int] = set()
        with self._database.read_transaction() as session:
            for chunk in chunked(sorted(runs)):
                query = sa.select(col(EvaluationRow.id)).where(col(EvaluationRow.run).in_(chunk))
                ids.update(session.execute(query).scalars())
        return frozenset(ids)

    def sweep_runs(self, sweep: str) -> frozenset[str]:
        """Return the runs of a sweep that no other sweep has."""
        runs = sa.select(col(SweepItemRow.run)).where(
            col(SweepItemRow.sweep) == sweep, col(SweepItemRow.run) != ""
        )
        others = sa.select(col(SweepItemRow.run)).where(col(SweepItemRow.sweep) != sweep)
        with self._database.read_transaction() as session:
            found = session.execute(runs.where(col(SweepItemRow.run).not_in(others))).scalars()
            return frozenset(found)


def _delete_evaluations(session: Session, run: str) -> None:
    own = sa.select(col(EvaluationRow.id)).where(col(EvaluationRow.run) == run)
    prompts = sa.select(col(EvaluationRow.prompt)).where(col(EvaluationRow.run) == run).distinct()
    for prompt in session.execute(prompts).scalars().all():
        delete_scores(session, run, prompt)
    session.execute(sa.delete(VerdictRow).where(col(VerdictRow.evaluation).in_(own)))
    session.execute(
        sa.delete(CorrectedEvaluationRow).where(col(CorrectedEvaluationRow.evaluation).in_(own))
    )
    session.execute(sa.delete(EvaluationRow).where(col(EvaluationRow.run) == run))


def _count(session: Session, runs: Collection[str], found: _RunImages) -> DeletionCount:
    evaluations = verdicts = 0
    for chunk in chunked(sorted(runs)):
        own = col(EvaluationRow.run).in_(chunk)
        counted = sa.select(sa.func.count()).select_from(EvaluationRow).where(own)
        evaluations += session.execute(counted).scalar_one()
        answered = (
            sa.select(sa.func.count())
            .select_from(VerdictRow)
            .join(EvaluationRow, col(EvaluationRow.id) == col(VerdictRow.evaluation))
            .where(own)
        )
        verdicts += session.execute(answered).scalar_one()
    return DeletionCount(
        runs=len(runs),
        evaluations=evaluations,
        verdicts=verdicts,
        images=len(found.images),
        kept_images=len(found.kept),
    )


def _images_of(session: Session, runs: Collection[str]) -> _RunImages:
    """Return which pictures and images go with the runs, and which images stay."""
    chosen = frozenset(runs)
    images: dict[str, str | None] = {}
    for chunk in chunked(sorted(chosen)):
        query = (
            sa.select(col(Generation.id), col(Generation.image))
            .join(RunPicture, col(RunPicture.generation) == col(Generation.id))
            .where(col(RunPicture.run).in_(chunk))
        )
        images.update((row.id, row.image) for row in session.execute(query))
    shared = _generations_of_others(session, chosen, images)
    own = frozenset(images) - shared
    candidates = {image for generation in own if (image := images[generation])}
    needed = _needed_images(session, candidates, own)
    gone = frozenset(candidates - needed)
    every = {image for image in images.values() if image}
    return _RunImages(own, gone, frozenset(every - gone))


def _generations_of_others(
    session: Session, runs: frozenset[str], generations: Collection[str]
) -> frozenset[str]:
    """Return those of the pictures that another run shows, or has evaluated."""
    shared: set[str] = set()
    tables: tuple[Any, ...] = (RunPicture, EvaluationRow)
    for chunk in chunked(sorted(generations)):
        for table in tables:
            query = (
                sa.select(col(table.generation), col(table.run))
                .where(col(table.generation).in_(chunk))
                .distinct()
            )
            shared.update(row.generation for row in session.execute(query) if row.run not in runs)
    return frozenset(shared)


def _needed_images(
    session: Session, images: Collection[str], generations: frozenset[str]
) -> set[str]:
    """Return those of the images that other pictures hold, or that people rated."""
    needed: set[str] = set()
    for chunk in chunked(sorted(images)):
        held = sa.select(col(Generation.id), col(Generation.image)).where(
            col(Generation.image).in_(chunk)
        )
        needed.update(row.image for row in session.execute(held) if row.id not in generations)
        rated = sa.select(col(RatingRow.image)).where(col(RatingRow.image).in_(chunk)).distinct()
        needed.update(session.execute(rated).scalars())
    return needed
