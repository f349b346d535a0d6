"""Reads runs out of a store as records that can leave it.

It reads a run at a time, so that memory does not grow with their number.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from sqlmodel import col, select

from hallascope.data.records import Report
from hallascope.data.requests import Failure
from hallascope.engine.errors import BadRequest
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
from hallascope.engine.storage.tables import Generation, Run, RunPicture, SweepItemRow, Truth

ALL = "all"


def select_runs(store: Store, text: str) -> list[str]:
    """Return the ids of runs: of runs or sweeps named with commas between, or of ``all``.

    Raises UnknownRun, BadRequest.
    """
    every = select(Run.id).order_by(col(Run.created), col(Run.id))
    names = [name.strip() for name in text.split(",") if name.strip()]
    runs: list[str] = []
    with store.database.read_transaction() as session:
        if names == [ALL]:
            runs = list(session.exec(every).all())
            if not runs:
                raise BadRequest(
                    "There is no run here yet: make one with `hallascope evaluate`, or check"
                    " HALLASCOPE_HOME."
                )
            return runs
        for name in dict.fromkeys(names):
            of_sweep = select(SweepItemRow.run).where(
                SweepItemRow.sweep == name, SweepItemRow.run != ""
            )
            swept = session.exec(of_sweep.order_by(col(SweepItemRow.position))).all()
            runs += swept or [store.run(name).id]
    if not runs:
        raise BadRequest("No run is named: give its id, several with commas between, or 'all'.")
    return list(dict.fromkeys(runs))


def read_records(store: Store, run: str) -> Iterator[SharedRecord]:
    """Yield a run, then its pictures, its evaluations, and people's ratings of its pictures.

    Raises UnknownRun.
    """
    head = read_run(store, run)
    yield head
    yield from read_pictures(store, run)
    yield from read_evaluations(store, run)
    yield from read_ratings(store, head)


def _same_fields(record: type[Any], row: object) -> dict[str, Any]:
    """Return the fields of a record that a row of the store has under the same name."""
    names = (field.name for field in fields(record))
    return {name: getattr(row, name) for name in names if hasattr(row, name)}


def read_run(store: Store, run: str) -> SharedRun:
    """Return the head of a run. Raises UnknownRun."""
    record = store.run(run)
    return SharedRun(**record._asdict() | {"request": strip_paths(record.request)})


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
            **_same_fields(SharedPicture, row)
            | {
                "run": run,
                "position": position,
                "generation": row.id,
                "settings": json_columns.SETTINGS.validate_json(row.settings),
                "failure": _read_failure(row.failure) if row.failure else None,
                "notes": json_columns.SETTINGS.validate_json(row.notes),
                "truth": json_columns.TRUTH.validate_json(truth) if truth else None,
            }
        )
        for row, position, truth in rows
    ]


def read_evaluations(store: Store, run: str) -> Iterator[SharedEvaluation]:
    """Yield the evaluations of a run, in the order of pictures, metrics, judges and trials."""
    for row in store.evaluation_rows(run):
        yield SharedEvaluation(
            **_same_fields(SharedEvaluation, row)
            | {
                "judge": row.judge or None,
                "lineup": json_columns.LINEUP.validate_json(row.lineup),
                "report": _without_paths(json_columns.REPORT.validate_json(row.report)),
            }
        )


def _read_failure(text: str) -> Failure:
    failure = json_columns.FAILURE.validate_json(text)
    return replace(failure, message=shorten_paths(failure.message))


def _without_paths(report: Report) -> Report:
    """Return a report with paths of this machine, which failures may name, cut to their end."""
    report = replace(report, verdicts=_shorten_field(report.verdicts, "failure"))
    if report.evidence is None:
        return report
    evidence = replace(
        report.evidence,
        findings=_shorten_field(report.evidence.findings, "note"),
        segments=_shorten_field(report.evidence.segments, "failure"),
        notes=tuple(map(shorten_paths, report.evidence.notes)),
    )
    return replace(report, evidence=evidence)


def _shorten_field(items: tuple[Any, ...], name: str) -> Any:
    return tuple(
        replace(item, **{name: shorten_paths(text)}) if (text := getattr(item, name)) else item
        for item in items
    )


def read_ratings(store: Store, run: SharedRun) -> list[SharedRating]:
    """Return people's ratings of the pictures of a run for its prompt, the oldest first.

    They may be of the pictures of other runs, too.
    """
    images = {picture.image for picture in read_pictures(store, run.id) if picture.image}
    kept = storable({"prompt": run.request.prompt})
    return [
        SharedRating(**vars(rating.subject), value=rating.value, created=rating.created)
        for rating in store.ratings.all(images=images)
        if rating.subject.prompt == kept["prompt"]
    ]
