"""Keeps what came of trials of judges, a JSON file each in a folder of the store.

It does not know who looks at them.
"""

import json
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from hallascope.engine.errors import StoreError
from hallascope.engine.judge_eval.haloquest import HaloTrial
from hallascope.engine.judge_eval.ihalla import Trial
from hallascope.engine.storage.images import write_whole
from hallascope.metrics.haloquest.aggregate import Shares
from hallascope.metrics.statistics.response_statistics import Kappa

FOLDER = "judge-trials"
FORM = 1  # of the files; those of another form are passed over


@dataclass(frozen=True, kw_only=True)
class HaloSummary:
    """What came of HaloQuest's questions, without the replies.

    `left_out`: how many of the `questions` are in no share.
    """

    judge: str
    grader: str
    benchmark: str
    answered: Shares
    published: Shares
    questions: int
    left_out: int
    people: Kappa | None = None


@dataclass(frozen=True)
class StoredTrial:
    """A trial with when it came to its end, in seconds since 1970."""

    created: float
    trial: Trial | HaloSummary
    form: int = FORM

    @property
    def answer_count(self) -> int:
        """How many answers it rests on."""
        return (
            self.trial.overall.asked
            if isinstance(self.trial, Trial)
            else self.trial.answered.overall.n
        )


_KEPT = TypeAdapter(StoredTrial)
N = TypeVar("N", bound=Hashable)


def halo(trial: HaloTrial) -> HaloSummary:
    """What is kept of a trial by HaloQuest's questions."""
    left_out = len(trial.left_out)
    return HaloSummary(
        judge=trial.judge,
        grader=trial.grader,
        benchmark=trial.benchmark,
        answered=trial.answered,
        published=trial.published,
        questions=len(trial.reports),
        left_out=left_out,
        people=trial.people,
    )


class TrialStore:
    """The trials in `folder` (that of the store). `clock` gives seconds since 1970."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder / FOLDER
        self._clock = clock

    def keep(self, trial: Trial | HaloSummary) -> None:
        """Keep a trial in place of an earlier one that asked the same.

        What that cost stays, where nothing was asked anew.

        Raises StoreError where it cannot be written.
        """
        path = self._folder / f"{_name(trial)}.json"
        before = _read_trial(path)
        if (
            isinstance(trial, Trial)
            and trial.cost is None
            and before
            and isinstance(before.trial, Trial)
        ):
            trial = replace(trial, cost=before.trial.cost)
        try:
            write_whole(path, _KEPT.dump_json(StoredTrial(self._clock(), trial), indent=1))
        except OSError as error:
            said = error.strerror or str(error)
            raise StoreError(
                f"The trial cannot be kept in {str(self._folder)!r} ({said}): free some space or"
                " check its rights."
            ) from error

    def all(self) -> list[StoredTrial]:
        """Every trial, the newest first.

        A file that is damaged or of another form is passed over.
        """
        found = [
            kept for path in sorted(self._folder.glob("*.json")) if (kept := _read_trial(path))
        ]
        return sorted(found, key=lambda kept: kept.created, reverse=True)

    def primer(self) -> dict[str, Trial]:
        """Return each judge's I-HallA trial that rests on most answers, the newest of those."""
        most = _most(
            self.all(), lambda kept: kept.trial.judge if isinstance(kept.trial, Trial) else None
        )
        return {judge: kept.trial for judge, kept in most.items() if isinstance(kept.trial, Trial)}

    def haloquest(self) -> dict[tuple[str, str], HaloSummary]:
        """The same by HaloQuest's questions, by judge and benchmark."""
        most = _most(
            self.all(),
            lambda kept: (
                (kept.trial.judge, kept.trial.benchmark)
                if isinstance(kept.trial, HaloSummary)
                else None
            ),
        )
        return {
            name: kept.trial for name, kept in most.items() if isinstance(kept.trial, HaloSummary)
        }


def _most(
    found: Sequence[StoredTrial], name: Callable[[StoredTrial], N | None]
) -> dict[N, StoredTrial]:
    """Of each name the trial that rests on most answers; those without a name are left out."""
    most: dict[N, StoredTrial] = {}
    for kept in found:
        called = name(kept)
        if called is not None and (
            called not in most or kept.answer_count > most[called].answer_count
        ):
            most[called] = kept
    return most


def _read_trial(path: Path) -> StoredTrial | None:
    try:
        kept = _KEPT.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
    return kept if kept.form == FORM else None


def _name(trial: Trial | HaloSummary) -> str:
    """The same for trials that asked the same."""
    if isinstance(trial, HaloSummary):
        asked: Sequence[object] = (trial.judge, trial.benchmark, trial.grader, trial.questions)
    else:
        several = (
            trial.repeated is not None,
            trial.reordered is not None,
            trial.difficulty is not None,
        )
        asked = (trial.judge, trial.benchmark, trial.pictures, trial.seed, trial.version, several)
    return sha256(json.dumps(asked).encode()).hexdigest()[:32]
