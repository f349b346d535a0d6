"""Offers the list of runs: all of it, or that of one visitor of a public app."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.services import Services
from hallascope.engine.storage.runs.catalog import CatalogContents, CatalogEntry
from hallascope.engine.storage.runs.deletion import DeletionCount, RunDeletion

MOST_NAME = 120  # characters
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

    `count` is None where the run is only taken off a visitor's list.
    """

    run: RunSummary
    count: DeletionCount | None

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
        if self.run.entry.state == "running":
            said += " The run has not ended: stop it first if it is still at work."
        return said


class RunHistory:
    """Lists, names, pins and deletes runs and sweeps.

    `owner` is None where all runs may be seen and changed. Else it is a visitor, who sees and
    changes their own alone: names and pins are the visitor's, and a run that another visitor has is
    not deleted. Every method raises UnknownRun where the run is not there for `owner`, and
    StoreError.
    """

    def __init__(self, services: Services, owner: str | None = None) -> None:
        self._services = services
        self._catalog = services.store.catalog
        self._deletion = RunDeletion(services.store.database, services.store.images)
        self._owner = owner

    def list(self, text: str = "", limit: int = PER_PAGE, offset: int = 0) -> RunList:
        """Return the runs whose name, prompts, models or judge contain `text`, the pinned first."""
        if self._owner is None:
            entries = self._catalog.entries(text, limit=limit, offset=offset)
            return RunList(self._summaries(entries), self._catalog.count(text))
        noted = self._services.visitor_runs.runs_of(self._owner)
        if not noted:
            return RunList((), 0)
        found = {entry.id for entry in self._catalog.entries(text, only=tuple(noted))}
        words = text.strip().casefold()
        entries = [
            entry
            for entry in self._own_entries(tuple(noted))
            if entry.id in found or (words and words in entry.name.casefold())
        ]
        entries.sort(key=lambda entry: (not entry.is_pinned, -entry.created))
        shown = entries[offset : offset + limit]
        return RunList(self._summaries(shown), len(entries))

    def find(self, name: str) -> RunSummary:
        """Return a run or sweep by its id, or by how the id begins."""
        entry = self._catalog.find(name)
        if self._owner is not None:
            own = self._own_entries((entry.id,))
            if not own:
                raise UnknownRun(f"The run {name!r} is not among yours.")
            entry = own[0]
        return self._summaries([entry])[0]

    def rename(self, name: str, new: str) -> RunSummary:
        """Give a run a name of at most 120 characters; "" gives it its first name again.

        Raises BadRequest where the name is longer.
        """
        words = " ".join(new.split())
        if len(words) > MOST_NAME:
            raise BadRequest(
                f"The name has {len(words)} characters: give one of at most {MOST_NAME}."
            )
        run = self.find(name)
        if self._owner is None:
            self._catalog.rename(run.entry.id, words)
        else:
            self._services.visitor_runs.change(self._owner, run.entry.id, name=words)
        return self.find(run.entry.id)

    def pin(self, name: str, is_pinned: bool) -> RunSummary:
        """Pin a run, so that it stands first, or unpin it."""
        run = self.find(name)
        if self._owner is None:
            self._catalog.pin(run.entry.id, is_pinned)
        else:
            self._services.visitor_runs.change(self._owner, run.entry.id, is_pinned=is_pinned)
        return self.find(run.entry.id)

    def describe_removal(self, name: str) -> RunRemoval:
        """Return what deleting a run would delete.

        Raises BadRequest where a labeling plan needs it.
        """
        run = self.find(name)
        if not self._may_delete(run.entry.id):
            return RunRemoval(run, None)
        runs = self._runs_of(run)
        self._require_unplanned(run, runs)
        return RunRemoval(run, self._deletion.count(runs))

    def delete(self, name: str) -> RunRemoval:
        """Delete a run or sweep, and return what was deleted.

        Raises BadRequest where a labeling plan needs it.
        """
        run = self.find(name)
        entry = run.entry
        if not self._may_delete(entry.id):
            self._services.visitor_runs.remove(self._owner or "", entry.id)
            return RunRemoval(run, None)
        runs = self._runs_of(run)
        self._require_unplanned(run, runs)
        count = self._deletion.delete(runs, entry.id if entry.is_sweep else None)
        if self._owner is not None:
            self._services.visitor_runs.remove(self._owner, entry.id)
        return RunRemoval(run, count)

    def _may_delete(self, run: str) -> bool:
        """Return whether deleting the run deletes it for all."""
        owner = self._owner
        return owner is None or self._services.visitor_runs.is_sole_author(owner, run)

    def _runs_of(self, run: RunSummary) -> frozenset[str]:
        if run.entry.is_sweep:
            return self._deletion.sweep_runs(run.entry.id)
        return frozenset({run.entry.id})

    def _require_unplanned(self, run: RunSummary, runs: frozenset[str]) -> None:
        plans = self._services.store.labeling.plans()
        if not plans:
            return
        numbers = self._deletion.evaluation_ids(runs)
        for plan in plans:
            if any(image.evaluation in numbers for image in plan.images):
                raise BadRequest(
                    f"“{run.name}” cannot be deleted: images of it are in the labeling plan"
                    f" {plan.id}, whose labels would lose what they are about."
                )

    def _own_entries(self, runs: Sequence[str]) -> Sequence[CatalogEntry]:
        """Return those of the runs that the visitor has, as the visitor named them."""
        noted = self._services.visitor_runs.runs_of(self._owner or "")
        entries = self._catalog.entries(only=[run for run in runs if run in noted])
        return [
            replace(entry, name=noted[entry.id].name, is_pinned=noted[entry.id].is_pinned)
            for entry in entries
        ]

    def _summaries(self, entries: Sequence[CatalogEntry]) -> tuple[RunSummary, ...]:
        contents: Mapping[str, CatalogContents] = self._catalog.contents(entries)
        return tuple(RunSummary(entry=entry, contents=contents[entry.id]) for entry in entries)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
