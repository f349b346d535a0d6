"""Reads runs out of a store as records that can leave it.

It reads a run at a time, so that memory does not grow with their number.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from sqlmodel import col, select

from hallascope.data.records import Report
from hallascope.data.requests import Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import PictureState
from hallascope.engine.export.image_paths import shorten_paths, strip_paths
from hallascope.engine.export.records import (
    SharedEvaluation,
    SharedPicture,
    SharedRating,
    SharedRecord,
    SharedRun,
)
from hallascope.engine.storage import json_columns
from hallascope.engine.storage.database import storable
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    Generation,
    RatingRow,
    Run,
    RunPicture,
    SweepItemRow,
    Truth,
)

ALL = "all"


def select_runs(store: Store, text: str) -> list[str]:
    """Return the ids of runs: of runs or sweeps named with commas between, or of ``all``.

    Raises UnknownRun, BadRequest.
    """
    if text.strip() == ALL:
        query = select(Run.id).order_by(col(Run.created), col(Run.id))
        with store.database.read_transaction() as session:
            every = list(session.exec(query).all())
        if not every:
            raise BadRequest(
                "There is no run here yet: make one with `hallascope evaluate`, or check"
                " HALLASCOPE_HOME."
            )
        return every
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise BadRequest("No run is named: give its id, several with commas between, or 'all'.")
    runs: list[str] = []
    for name in dict.fromkeys(names):
        runs += _runs_of_sweep(store, name) or [store.run(name).id]
    return list(dict.fromkeys(runs))


def _runs_of_sweep(store: Store, name: str) -> list[str]:
    """Return the runs of the sweep of that id, in its order; [] where there is none."""
    query = (
        select(SweepItemRow.run)
        .where(SweepItemRow.sweep == name, SweepItemRow.run != "")
        .order_by(col(SweepItemRow.position))
    )
    with store.database.read_transaction() as session:
        return list(session.exec(query).all())


def read_records(store: Store, run: str) -> Iterator[SharedRecord]:
    """Yield a run, then its pictures, its evaluations, and people's ratings of its pictures.

    Raises UnknownRun.
    """
    head = read_run(store, run)
    yield head
    yield from read_pictures(store, run)
    yield from read_evaluations(store, run)
    yield from read_ratings(store, head)


def read_run(store: Store, run: str) -> SharedRun:
    """Return the head of a run. Raises UnknownRun."""
    record = store.run(run)
    return SharedRun(
        id=record.id,
        created=record.created,
        state=record.state,
        request=strip_paths(record.request),
        questions=record.questions,
        notice=record.notice,
    )


def without_author(run: SharedRun) -> SharedRun:
    """Return a run whose request does not name who says what its prompt asks for."""
    reading = run.request.reading
    if reading is None:
        return run
    return replace(run, request=replace(run.request, reading=replace(reading, author="")))


def read_pictures(store: Store, run: str) -> list[SharedPicture]:
    """Return the pictures of a run in their order, those to come among them."""
    query = (
        select(Generation, RunPicture.position, Truth.truth)
        .join(RunPicture, col(RunPicture.generation) == col(Generation.id))
        .join(Truth, col(Truth.generation) == col(Generation.id), isouter=True)
        .where(RunPicture.run == run)
        .order_by(col(RunPicture.position))
    )
    with store.database.read_transaction() as session:
        rows = session.exec(query).all()
    return [
        SharedPicture(
            run=run,
            position=position,
            generation=row.id,
            prompt=row.prompt,
            model=row.model,
            revision=row.revision,
            seed=row.seed,
            settings=json_columns.SETTINGS.validate_json(row.settings),
            state=cast(PictureState, row.state),
            created=row.created,
            image=row.image,
            seconds=row.seconds,
            failure=_read_failure(row.failure) if row.failure else None,
            notes=json_columns.SETTINGS.validate_json(row.notes),
            truth=json_columns.TRUTH.validate_json(truth) if truth else None,
        )
        for row, position, truth in rows
    ]


def read_evaluations(store: Store, run: str) -> Iterator[SharedEvaluation]:
    """Yield the evaluations of a run, in the order of pictures, metrics, judges and trials."""
    for row in store.evaluation_rows(run):
        yield SharedEvaluation(
            run=row.run,
            generation=row.generation,
            image=row.image,
            model=row.model,
            metric=row.metric,
            judge=row.judge or None,
            judge_revision=row.judge_revision,
            trial=row.trial,
            prompt=row.prompt,
            category=row.category,
            domain=row.domain,
            field=row.field,
            difficulty=row.difficulty,
            cached=row.cached,
            lineup=json_columns.LINEUP.validate_json(row.lineup),
            report=_without_paths(json_columns.REPORT.validate_json(row.report)),
        )


def _read_failure(text: str) -> Failure:
    failure = json_columns.FAILURE.validate_json(text)
    return replace(failure, message=shorten_paths(failure.message))


def _without_paths(report: Report) -> Report:
    """Return a report with paths of this machine, which failures may name, cut to their end."""
    verdicts = tuple(
        replace(verdict, failure=shorten_paths(verdict.failure)) if verdict.failure else verdict
        for verdict in report.verdicts
    )
    report = replace(report, verdicts=verdicts)
    evidence = report.evidence
    if evidence is None:
        return report
    findings = tuple(
        replace(finding, note=shorten_paths(finding.note)) for finding in evidence.findings
    )
    segments = tuple(
        replace(segment, failure=shorten_paths(segment.failure)) if segment.failure else segment
        for segment in evidence.segments
    )
    notes = tuple(shorten_paths(note) for note in evidence.notes)
    return replace(
        report, evidence=replace(evidence, findings=findings, segments=segments, notes=notes)
    )


def read_ratings(store: Store, run: SharedRun) -> list[SharedRating]:
    """Return people's ratings of the pictures of a run for its prompt, the oldest first.

    They may be of the pictures of other runs, too.
    """
    shown = (
        select(Generation.image)
        .join(RunPicture, col(RunPicture.generation) == col(Generation.id))
        .where(RunPicture.run == run.id)
    )
    prompt = storable({"prompt": run.request.prompt})["prompt"]
    query = (
        select(RatingRow)
        .where(col(RatingRow.image).in_(shown), RatingRow.prompt == prompt)
        .order_by(col(RatingRow.created), col(RatingRow.id))
    )
    with store.database.read_transaction() as session:
        rows = session.exec(query).all()
    return [
        SharedRating(
            image=row.image,
            metric=row.metric,
            prompt=row.prompt,
            finding=row.finding,
            rater=row.rater,
            value=row.value,
            created=row.created,
        )
        for row in rows
    ]
