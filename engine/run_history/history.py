"""Offers the list of runs: all of it, or on a public app that of the visitor who asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlmodel import Session

from hallascope.engine.services import Services
from hallascope.engine.storage.owners import NotYours
from hallascope.engine.storage.runs.catalog import CatalogContents, CatalogEntry
from hallascope.engine.storage.runs.deletion import DeletionCount, RunDeletion

PER_PAGE = 30


@dataclass(frozen=True, kw_only=True)
class RunSummary:
    """Holds a run or a sweep with what it contains, as a list shows it."""

    entry: CatalogEntry
    contents: CatalogContents

    @property
    def prompts(self) -> tuple[str, ...]:
        """Return the prompts, each once, in order."""
        return tuple(dict.fromkeys(member.prompt for member in self.contents.runs))

    @property
    def name(self) -> str:
        """Return the name: what a person called it, else the first prompt and how many more."""
        if self.entry.name:
            return self.entry.name
        first, *others = self.prompts or (self.entry.title,)
        return f"{first} + {len(others)} more" if others else first


@dataclass(frozen=True)
class RunList:
    """Holds a part of the list of runs, and how many there are in all."""

    runs: tuple[RunSummary, ...]
    total: int


@dataclass(frozen=True)
class RunRemoval:
    """Says what deleting a run deletes.

    `count` is None where the run is only taken off a visitor's list. `planned` counts by the id of
    a labeling plan the images of the run that are in it, and are taken out.
    """

    run: RunSummary
    count: DeletionCount | None
    planned: Mapping[str, int] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """Return what is deleted and what stays, for people."""
        if self.count is None:
            return (
                f"This takes “{self.run.name}” off your list. The run stays stored, because"
                " others have it, too."
            )
        counted = self.count
        record = (
            "the record of the run"
            if counted.runs == 1
            else f"the records of {counted.runs:,} runs"
        )
        parts = [
            record,
            _number(counted.evaluations, "evaluation"),
            _number(counted.verdicts, "verdict"),
            _number(counted.images, "image"),
        ]
        said = f"This deletes “{self.run.name}”: {', '.join(parts[:-1])} and {parts[-1]}."
        if counted.kept_images:
            kept = _number(counted.kept_images, "image")
            verb = "stays" if counted.kept_images == 1 else "stay"
            said += f" {kept} that other runs show or people rated {verb}."
        for plan, images in self.planned.items():
            said += f" The labeling plan {plan} loses {_number(images, 'image')} and their labels."
        if self.run.entry.state == "running":
            said += " The run has not ended: stop it first if it is still at work."
        return said


class RunHistory:
    """Lists, names, pins and deletes runs and sweeps.

    A visitor of a public app sees and changes their own alone: names and pins are the visitor's,
    and a run that another visitor has is not deleted. Every method raises UnknownRun where the run
    is not there for who asks, and StoreError.
    """

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._catalog = self._store.catalog
        self._deletion = RunDeletion(self._store.database, self._store.images)

    def list(self, text: str = "", limit: int = PER_PAGE, offset: int = 0) -> RunList:
        """Return the runs whose name, prompts, models or judge contain `text`, the pinned first."""
        entries = self._catalog.entries(text, limit=limit, offset=offset)
        return RunList(self._summaries(entries), self._catalog.count(text))

    def find(self, name: str) -> RunSummary:
        """Return a run or sweep by its id, or by how the id begins."""
        return self._summaries([self._catalog.find(name)])[0]

    def rename(self, name: str, new: str) -> RunSummary:
        """Give a run a name; "" gives it its first name again.

        Raises BadRequest where the name is too long.
        """
        run = self.find(name)
        self._catalog.rename(run.entry.id, new)
        return self.find(run.entry.id)

    def pin(self, name: str, is_pinned: bool) -> RunSummary:
        """Pin a run, so that it stands first, or unpin it."""
        run = self.find(name)
        self._catalog.pin(run.entry.id, is_pinned)
        return self.find(run.entry.id)

    def describe_removal(self, name: str) -> RunRemoval:
        """Return what deleting a run would delete."""
        run = self.find(name)
        with self._store.database.read_transaction() as session:
            if not self._store.owners.is_sole_author(session, "run", run.entry.id):
                return RunRemoval(run, None)
        runs = self._runs_of(run)
        plans = self._store.labeling.count_planned(self._deletion.evaluation_ids(runs))
        return RunRemoval(run, self._deletion.count(runs), plans)

    def delete(self, name: str) -> RunRemoval:
        """Delete a run or sweep, and return what was deleted.

        Labeling plans lose its images. A run that others have is taken off the visitor's list.
        """
        removal = self.describe_removal(name)
        entry = removal.run.entry
        if removal.count is not None:
            runs = self._runs_of(removal.run)
            evaluations = self._deletion.evaluation_ids(runs)
            sweep = entry.id if entry.is_sweep else None
            self._deletion.delete(runs, sweep, partial(self._require_sole_author, entry.id))
            if removal.planned:
                self._store.labeling.drop_images(evaluations)
        with self._store.database.write_transaction() as session:
            self._store.owners.remove(session, "run", entry.id)
        return removal

    def _require_sole_author(self, entry: str, session: Session) -> None:
        """Raise NotYours where others have asked for the run since it was said what goes."""
        if not self._store.owners.is_sole_author(session, "run", entry):
            raise NotYours("Others have this run now, too: press again to take it off your list.")

    def _runs_of(self, run: RunSummary) -> frozenset[str]:
        if run.entry.is_sweep:
            return self._deletion.sweep_runs(run.entry.id)
        return frozenset({run.entry.id})

    def _summaries(self, entries: Sequence[CatalogEntry]) -> tuple[RunSummary, ...]:
        contents: Mapping[str, CatalogContents] = self._catalog.contents(entries)
        return tuple(RunSummary(entry=entry, contents=contents[entry.id]) for entry in entries)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
