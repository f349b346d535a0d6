"""Keeps what came of trials of judges, a JSON file each in a folder of the store."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.packs import is_our_way
from hallascope.engine.errors import StoreError
from hallascope.engine.judge_eval.haloquest import HaloTrial
from hallascope.engine.judge_eval.ihalla import Trial
from hallascope.engine.judge_eval.labelled import LabeledTrial
from hallascope.engine.storage.images import write_atomically
from hallascope.metrics.haloquest.aggregate import Shares
from hallascope.metrics.statistics.response_statistics import Kappa

FOLDER = "judge-trials"
# version of the files; others are ignored
FORM = 1


@dataclass(frozen=True, kw_only=True)
class HaloSummary:
    """Holds what came of HaloQuest's questions, without the replies.

    `left_out`: how many of the `questions` are in no share. `wording` is as in `HaloTrial`.
    """

    judge: str
    grader: str
    benchmark: str
    answered: Shares
    published: Shares
    questions: int
    left_out: int
    people: Kappa | None = None
    wording: str = OURS


@dataclass(frozen=True)
class StoredTrial:
    """Holds a trial with when it came to its end, in seconds since 1970."""

    created: float
    trial: Trial | HaloSummary | LabeledTrial
    form: int = FORM


_STORED = TypeAdapter(StoredTrial)


def summarize_halo(trial: HaloTrial) -> HaloSummary:
    """Return what is kept of a trial by HaloQuest's questions."""
    return HaloSummary(
        judge=trial.judge,
        grader=trial.grader,
        benchmark=trial.benchmark,
        answered=trial.answered,
        published=trial.published,
        questions=len(trial.reports),
        left_out=len(trial.left_out),
        people=trial.people,
        wording=trial.wording,
    )


class TrialStore:
    """Keeps trials in `folder` (that of the store). `clock` gives seconds since 1970."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder / FOLDER
        self._clock = clock

    def keep(self, trial: Trial | HaloSummary | LabeledTrial) -> None:
        """Keep a trial in place of an earlier one that asked the same.

        What that cost stays, where nothing was asked anew. Figures by concept stay, where this one
        has none and all answers are those of the earlier one.

        Raises StoreError where it cannot be written.
        """
        path = self._folder / f"{_file_name(trial)}.json"
        if isinstance(trial, Trial):
            earlier = _read_trial(path)
            if earlier and isinstance(earlier.trial, Trial):
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
        trials = [
            stored for path in sorted(self._folder.glob("*.json")) if (stored := _read_trial(path))
        ]
        return sorted(trials, key=lambda stored: stored.created, reverse=True)

    def primer(self) -> dict[str, Trial]:
        """Return each judge's I-HallA trial that rests on most answers, the newest of those.

        Trials in another wording than ours say nothing of scores that are made in ours.
        """
        largest: dict[str, Trial] = {}
        for stored in self.all():
            trial = stored.trial
            if isinstance(trial, Trial) and is_our_way(trial.version):
                best = largest.setdefault(trial.judge, trial)
                if trial.overall.asked > best.overall.asked:
                    largest[trial.judge] = trial
        return largest

    def haloquest(self) -> dict[tuple[str, str], HaloSummary]:
        """Return the same by HaloQuest's questions, by judge and benchmark."""
        largest: dict[tuple[str, str], HaloSummary] = {}
        for stored in self.all():
            trial = stored.trial
            if isinstance(trial, HaloSummary) and trial.wording == OURS:
                best = largest.setdefault((trial.judge, trial.benchmark), trial)
                if trial.answered.overall.n > best.answered.overall.n:
                    largest[trial.judge, trial.benchmark] = trial
        return largest

    def labels(self) -> dict[str, LabeledTrial]:
        """Return each judge's newest trial on labeled images."""
        newest: dict[str, LabeledTrial] = {}
        for stored in self.all():
            if isinstance(stored.trial, LabeledTrial):
                newest.setdefault(stored.trial.judge, stored.trial)
        return newest


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


def _file_name(trial: Trial | HaloSummary | LabeledTrial) -> str:
    """Return the same name for trials that asked the same."""
    if isinstance(trial, HaloSummary):
        parts: list[object] = [trial.judge, trial.benchmark, trial.grader, trial.questions]
        parts += [trial.wording] if trial.wording != OURS else []
    elif isinstance(trial, LabeledTrial):
        parts = [trial.judge, "labels", trial.folder, sorted(trial.labellers)]
    else:
        repetitions = [
            trial.repeated is not None,
            trial.reordered is not None,
            trial.difficulty is not None,
        ]
        parts = [
            trial.judge,
            trial.benchmark,
            trial.pictures,
            trial.seed,
            trial.version,
            repetitions,
        ]
    return sha256(json.dumps(parts).encode()).hexdigest()[:32]
