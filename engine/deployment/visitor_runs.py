"""Knows which visitor of a public app has which runs, in memory alone."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace

MOST_VISITORS = 10_000  # the one seen longest ago is forgotten first
MOST_RUNS = 200  # of one visitor; the oldest is forgotten first


@dataclass(frozen=True)
class VisitorRun:
    """Holds what a visitor did with a run: its name and pin.

    `is_author`: the run was not stored before this visitor asked for it.
    """

    is_author: bool
    name: str = ""
    is_pinned: bool = False


class VisitorRuns:
    """Keeps the runs of each visitor, by a hash of who it is. Safe to use from many threads."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, OrderedDict[str, VisitorRun]] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, owner: str, run: str, *, is_author: bool) -> None:
        """Note that a visitor has a run; what is noted of it already stays.

        "" is nobody in particular, of whom nothing is noted.
        """
        if not owner:
            return
        with self._lock:
            runs = self._runs.setdefault(owner, OrderedDict())
            self._runs.move_to_end(owner)
            if len(self._runs) > MOST_VISITORS:
                self._runs.popitem(last=False)
            runs.setdefault(run, VisitorRun(is_author))
            if len(runs) > MOST_RUNS:
                runs.popitem(last=False)

    def runs_of(self, owner: str) -> dict[str, VisitorRun]:
        """Return the runs of a visitor by id, the oldest first."""
        with self._lock:
            return dict(self._runs.get(owner, {}))

    def change(
        self, owner: str, run: str, *, name: str | None = None, is_pinned: bool | None = None
    ) -> None:
        """Change the name or the pin of a visitor's run; None leaves it as it is."""
        with self._lock:
            runs = self._runs.get(owner, OrderedDict())
            noted = runs.get(run)
            if noted is None:
                return
            if name is not None:
                noted = replace(noted, name=name)
            if is_pinned is not None:
                noted = replace(noted, is_pinned=is_pinned)
            runs[run] = noted

    def is_sole_author(self, owner: str, run: str) -> bool:
        """Return whether the visitor made the run, and no other visitor has it."""
        with self._lock:
            own = self._runs.get(owner)
            noted = own.get(run) if own else None
            others = any(run in runs for name, runs in self._runs.items() if name != owner)
        return noted is not None and noted.is_author and not others

    def remove(self, owner: str, run: str) -> None:
        """Take a run off the list of a visitor."""
        with self._lock:
            self._runs.get(owner, OrderedDict()).pop(run, None)
