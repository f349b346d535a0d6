"""Keeps what came of trials of judges: a JSON file each in a folder of the store."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.packs import is_our_way
from hallascope.engine.errors import StoreError
from hallascope.engine.storage.images import write_atomically
from hallascope.engine.trials.records import HaloTrial, LabeledTrial, Trial

FOLDER = "judge-trials"
# version of the files; others are ignored
FORM = 1


@dataclass(frozen=True)
class StoredTrial:
    """Holds a trial with when it came to its end, in seconds since 1970."""

    created: float
    trial: Trial | HaloTrial | LabeledTrial
    form: int = FORM


_STORED = TypeAdapter(StoredTrial)
_Kind = TypeVar("_Kind", Trial, HaloTrial, LabeledTrial)
_Name = TypeVar("_Name")


class TrialStore:
    """Keeps trials in `folder` (that of the store). `clock` gives seconds since 1970."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder / FOLDER
        self._clock = clock

    def keep(self, trial: Trial | HaloTrial | LabeledTrial) -> None:
        """Keep a trial in place of an earlier one that asked the same.

        One of Primer's questions with fewer answers than the earlier one is not kept.
        What that cost stays, where nothing was asked anew. Figures by concept stay, where this one
        has none and all answers are those of the earlier one.

        Raises StoreError where it cannot be written.
        """
        name = sha256(json.dumps(trial.identity).encode()).hexdigest()[:32]
        path = self._folder / f"{name}.json"
        earlier = _read_trial(path)
        if isinstance(trial, Trial) and earlier and isinstance(earlier.trial, Trial):
            if earlier.trial.overall.asked > trial.overall.asked:
                return
            trial = _take_over(trial, earlier.trial)
        try:
            write_atomically(path, _STORED.dump_json(StoredTrial(self._clock(), trial), indent=1))
        except OSError as error:
            raise StoreError(
                f"The trial cannot be kept in {str(self._folder)!r}"
                f" ({error.strerror or error}): free some space or check its rights."
            ) from error

    def all(self) -> list[StoredTrial]:
        """Return every trial, the newest first.

        A file that is damaged or of another form is passed over.
        """
        read = map(_read_trial, sorted(self._folder.glob("*.json")))
        return sorted(filter(None, read), key=lambda stored: stored.created, reverse=True)

    def primer(self) -> dict[str, Trial]:
        """Return each judge's I-HallA trial that rests on most answers, the newest of those.

        Trials in another wording than ours say nothing of scores that are made in ours.
        """
        ours = [trial for trial in self._of_kind(Trial) if is_our_way(trial.version)]
        return _largest(ours, lambda own: own.judge, lambda own: own.overall.asked)

    def haloquest(self) -> dict[tuple[str, str], HaloTrial]:
        """Return the same by HaloQuest's questions, by judge and benchmark."""
        ours = [trial for trial in self._of_kind(HaloTrial) if trial.wording == OURS]
        return _largest(
            ours, lambda own: (own.judge, own.benchmark), lambda own: own.answered.overall.n
        )

    def labels(self) -> dict[str, LabeledTrial]:
        """Return each judge's newest trial on labeled images."""
        return _largest(self._of_kind(LabeledTrial), lambda own: own.judge, lambda own: 0)

    def _of_kind(self, kind: type[_Kind]) -> list[_Kind]:
        return [stored.trial for stored in self.all() if isinstance(stored.trial, kind)]


def _largest(
    trials: Sequence[_Kind], name: Callable[[_Kind], _Name], size: Callable[[_Kind], int]
) -> dict[_Name, _Kind]:
    """Return by name the first of the largest trials."""
    largest: dict[_Name, _Kind] = {}
    for trial in trials:
        best = largest.setdefault(name(trial), trial)
        if size(trial) > size(best):
            largest[name(trial)] = trial
    return largest


def _take_over(trial: Trial, earlier: Trial) -> Trial:
    """Return the trial with what the earlier one measured and this one did not."""
    if trial.cost is None:
        trial = replace(trial, cost=earlier.cost)
    if not trial.by_concept and trial.answers == earlier.answers:
        trial = replace(trial, by_concept=earlier.by_concept, by_fact=earlier.by_fact)
    return trial


def _read_trial(path: Path) -> StoredTrial | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return _parse_trial(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=256)
def _parse_trial(path: Path, changed: int, size: int) -> StoredTrial | None:
    """Return the trial in a file of that time of change (ns) and size (bytes).

    A page looks trials up for every score that it shows; a file is read again when it changes.
    """
    try:
        stored = _STORED.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
    return stored if stored.form == FORM else None
