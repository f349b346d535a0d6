"""Reads runs out of a store as records that can leave it.

A run at a time, so that memory does not grow with their number.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic import TypeAdapter
from sqlmodel import col, select

from hallascope.data.records import Question, Report
from hallascope.data.requests import Failure, Role, Setting
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, PictureState
from hallascope.engine.export.image_paths import shorten_paths, without_paths
from hallascope.engine.export.records import (
    SharedEvaluation,
    SharedPicture,
    SharedRating,
    SharedRecord,
    SharedRun,
)
from hallascope.engine.storage.database import storable
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    EvaluationRow,
    Generation,
    RatingRow,
    Run,
    RunPicture,
    SweepItemRow,
    Truth,
)

ALL = "all"

_REQUEST = TypeAdapter(EvaluateRequest)
_QUESTIONS = TypeAdapter(tuple[Question, ...])
_REPORT = TypeAdapter(Report)
_FAILURE = TypeAdapter(Failure)
_SETTINGS = TypeAdapter(dict[str, Setting])
_ANYTHING = TypeAdapter(dict[str, Any])
_LINEUP = TypeAdapter(dict[Role, str])


def select_runs(store: Store, said: str) -> list[str]:
    """The runs that are meant: ids of runs or sweeps with commas between, or ``all``.

    Raises UnknownRun, BadRequest.
    """
    if said.strip() == ALL:
        with store.database.reading() as session:
            found = list(session.exec(select(Run.id).order_by(col(Run.created), col(Run.id))).all())
        if not found:
            raise BadRequest(
                "There is no run here yet: make one with `hallascope evaluate`, or check"
                " HALLASCOPE_HOME."
            )
        return found
    wanted = list(dict.fromkeys(name.strip() for name in said.split(",") if name.strip()))
    if not wanted:
        raise BadRequest("No run is named: give its id, several with commas between, or 'all'.")
    return list(
        dict.fromkeys(
            run for name in wanted for run in _of_sweep(store, name) or [store.run(name).id]
        )
    )


def _of_sweep(store: Store, name: str) -> list[str]:
    """The runs of the sweep of that id, in its order; [] where there is none."""
    chosen = select(SweepItemRow.run).where(SweepItemRow.sweep == name, SweepItemRow.run != "")
    with store.database.reading() as session:
        return list(session.exec(chosen.order_by(col(SweepItemRow.position))).all())


def shared_records(store: Store, run: str) -> Iterator[SharedRecord]:
    """A run, then its pictures, its evaluations, and what people said of its pictures.

    Raises UnknownRun.
    """
    first = head(store, run)
    yield first
    yield from pictures(store, run)
    yield from evaluations(store, run)
    yield from ratings(store, first)


def head(store: Store, run: str) -> SharedRun:
    """Raises UnknownRun."""
    found = store.run(run)
    return SharedRun(
        id=found.id,
        created=found.created,
        state=found.state,
        request=without_paths(found.request),
        questions=found.questions,
        notice=found.notice,
    )


def pictures(store: Store, run: str) -> list[SharedPicture]:
    """The pictures of a run in their order, those to come among them."""
    chosen = (
        select(Generation, RunPicture.position, Truth.truth)
        .join(RunPicture, col(RunPicture.generation) == col(Generation.id))
        .join(Truth, col(Truth.generation) == col(Generation.id), isouter=True)
        .where(RunPicture.run == run)
        .order_by(col(RunPicture.position))
    )
    with store.database.reading() as session:
        rows = session.exec(chosen).all()
    return [_picture(run, position, row, truth) for row, position, truth in rows]


def _picture(run: str, position: int, row: Generation, truth: str | None) -> SharedPicture:
    return SharedPicture(
        run=run,
        position=position,
        generation=row.id,
        prompt=row.prompt,
        model=row.model,
        revision=row.revision,
        seed=row.seed,
        settings=_SETTINGS.validate_json(row.settings),
        state=cast(PictureState, row.state),
        created=row.created,
        image=row.image,
        seconds=row.seconds,
        failure=_failure(row.failure) if row.failure else None,
        notes=_SETTINGS.validate_json(row.notes),
        truth=_ANYTHING.validate_json(truth) if truth else None,
    )


def evaluations(store: Store, run: str) -> Iterator[SharedEvaluation]:
    """Return the evaluations of a run, in the order of pictures, metrics, judges and trials."""
    together = (col(RunPicture.generation) == col(EvaluationRow.generation)) & (
        col(RunPicture.run) == col(EvaluationRow.run)
    )
    order = (
        col(RunPicture.position),
        col(EvaluationRow.metric),
        col(EvaluationRow.judge),
        col(EvaluationRow.trial),
    )
    chosen = (
        select(EvaluationRow)
        .join(RunPicture, together)
        .where(EvaluationRow.run == run)
        .order_by(*order)
    )
    with store.database.reading() as session:
        rows: Sequence[EvaluationRow] = session.exec(chosen).all()
    yield from map(_evaluation, rows)


def _evaluation(row: EvaluationRow) -> SharedEvaluation:
    lineup: Mapping[Role, str] = _LINEUP.validate_json(row.lineup)
    return SharedEvaluation(
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
        cached=row.cached,
        lineup=lineup,
        report=_report(row.report),
    )


def _failure(said: str) -> Failure:
    failure = _FAILURE.validate_json(said)
    return replace(failure, message=shorten_paths(failure.message))


def _report(said: str) -> Report:
    """A report; what went wrong may name places of this machine, which stay here."""
    report = _REPORT.validate_json(said)
    verdicts = tuple(
        replace(one, failure=shorten_paths(one.failure)) if one.failure else one
        for one in report.verdicts
    )
    found = report.evidence
    if found:
        findings = tuple(replace(one, note=shorten_paths(one.note)) for one in found.findings)
        segments = tuple(
            replace(one, failure=shorten_paths(one.failure)) if one.failure else one
            for one in found.segments
        )
        found = replace(
            found,
            findings=findings,
            segments=segments,
            notes=tuple(map(shorten_paths, found.notes)),
        )
    return replace(report, verdicts=verdicts, evidence=found)


def ratings(store: Store, run: SharedRun) -> list[SharedRating]:
    """What people said of the pictures of a run against its prompt, the oldest first.

    It may be of the pictures of other runs, too.
    """
    shown = (
        select(Generation.image)
        .join(RunPicture, col(RunPicture.generation) == col(Generation.id))
        .where(RunPicture.run == run.id)
    )
    prompt = storable({"prompt": run.request.prompt})["prompt"]
    chosen = select(RatingRow).where(col(RatingRow.image).in_(shown), RatingRow.prompt == prompt)
    with store.database.reading() as session:
        rows = session.exec(chosen.order_by(col(RatingRow.created), col(RatingRow.id))).all()
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
