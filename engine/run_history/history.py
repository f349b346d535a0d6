"""Offers the list of runs: all of it, or on a public app that of the visitor who asks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col

from hallascope.engine.events import jsonable
from hallascope.engine.services import Services
from hallascope.engine.storage.catalog import DeletionCount, ListedRun, RunCatalog, RunDeletion
from hallascope.engine.storage.owners import NotYours
from hallascope.engine.storage.tables import RunNoteRow

PER_PAGE = 30


class RunList(NamedTuple):
    """Holds a part of the list of runs, and how many there are in all."""

    runs: list[ListedRun]
    total: int


@dataclass(frozen=True)
class RunRemoval:
    """Says what deleting a run deletes.

    `count` is None where the run is only taken off a visitor's list. `planned` counts by the id of
    a labeling plan the images of the run that are in it, and are taken out; `exercises` by the
    title of a class set those with an image of the run, which can be asked no more.
    """

    run: ListedRun
    count: DeletionCount | None
    planned: Mapping[str, int] = field(default_factory=dict)
    exercises: Mapping[str, int] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """Return what is deleted and what stays, for people."""
        if self.count is None:
            return (
                f"This takes “{self.run.name}” off your list. The run stays stored, because"
                " others have it, too."
            )
        counted = self.count
        record = "record of the run"
        if counted.runs != 1:
            record = f"records of {counted.runs:,} runs"
        said = (
            f"This deletes “{self.run.name}”: the {record},"
            f" {_number(counted.evaluations, 'evaluation')},"
            f" {_number(counted.verdicts, 'verdict')} and {_number(counted.images, 'image')}."
        )
        if counted.kept_images:
            kept = _number(counted.kept_images, "image")
            verb = "stays" if counted.kept_images == 1 else "stay"
            said += f" {kept} that other runs show or people rated {verb}."
        for plan, images in self.planned.items():
            said += f" The labeling plan {plan} loses {_number(images, 'image')} and their labels."
        for title, count in self.exercises.items():
            said += f" The class set “{title}” loses {_number(count, 'exercise')}."
        if self.run.state == "running":
            said += " The run has not ended: stop it first if it is still at work."
        return said


class RunHistory(RunCatalog):
    """Lists, names, pins and deletes runs and sweeps.

    A visitor of a public app sees and changes their own alone: names and pins are the visitor's,
    and a run that another visitor has is not deleted. Every method raises UnknownRun where the run
    is not there for who asks, and StoreError.
    """

    def __init__(self, services: Services) -> None:
        self._store = services.store
        super().__init__(self._store.database)
        self._deletion = RunDeletion(self._store.database, self._store.images)

    def list(self, text: str = "", limit: int = PER_PAGE, offset: int = 0) -> RunList:
        """Return the runs whose name, prompts, models or judge contain `text`, the pinned first."""
        return RunList(self.entries(text, limit=limit, offset=offset), self.count(text))

    def describe_removal(self, name: str) -> RunRemoval:
        """Return what deleting a run would delete."""
        run = self.find(name)
        with self._database.read_transaction() as session:
            if not self._owners.is_sole_author(session, "run", run.id):
                return RunRemoval(run, None)
        runs = self._runs_of(run)
        plans = self._store.labeling.count_planned(self._deletion.evaluation_ids(runs))
        exercises = self._store.lessons.count_exercises(runs)
        return RunRemoval(run, self._deletion.count(runs), plans, exercises)

    def delete(self, name: str) -> RunRemoval:
        """Delete a run or sweep, and return what was deleted.

        Labeling plans lose its images. A run that others have is taken off the visitor's list.
        """
        removal = self.describe_removal(name)
        run = removal.run
        if removal.count is not None:
            runs = self._runs_of(run)
            evaluations = self._deletion.evaluation_ids(runs)
            sweep = run.id if run.is_sweep else None
            self._deletion.delete(runs, sweep, partial(self._require_sole_author, run.id))
            if removal.planned:
                self._store.labeling.drop_images(evaluations)
        with self._database.write_transaction() as session:
            self._owners.remove(session, "run", run.id)
            note = col(RunNoteRow.id) == self._note_id(run.id)
            session.execute(sa.delete(RunNoteRow).where(note))
        return removal

    def _require_sole_author(self, entry: str, session: Session) -> None:
        """Raise NotYours where others have asked for the run since it was said what goes."""
        if not self._owners.is_sole_author(session, "run", entry):
            raise NotYours("Others have this run now, too: press again to take it off your list.")

    def _runs_of(self, run: ListedRun) -> frozenset[str]:
        if run.is_sweep:
            return self._deletion.sweep_runs(run.id)
        return frozenset({run.id})


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


# --- documents ---


def run_document(run: ListedRun) -> dict[str, Any]:
    """Return one run; `created` is ISO 8601 in UTC, `image` the SHA-256 of its first image."""
    names = ("id", "name", "state", "prompts", "models", "judges", "images", "image", "scores")
    return {name: jsonable(getattr(run, name)) for name in names} | {
        "kind": "sweep" if run.is_sweep else "run",
        "pinned": run.is_pinned,
        "created": datetime.fromtimestamp(run.created, UTC).isoformat(timespec="seconds"),
        "runs": [member.run for member in run.runs],
    }


def list_document(runs: RunList) -> dict[str, Any]:
    """Return a part of the list, and how many runs there are in all."""
    return {"runs": list(map(run_document, runs.runs)), "total": runs.total}


def removal_document(removal: RunRemoval, deleted: bool) -> dict[str, Any]:
    """Return what was deleted, or would be."""
    return {
        "id": removal.run.id,
        "name": removal.run.name,
        "deleted": deleted,
        "count": jsonable(removal.count),
        "sentence": removal.sentence,
    }
