"""Finds out how often judges are right: from trials on known truth, own or shipped, or without it.

Trials are those of the store. For a judge that has none there, it is what ships:
``python -m bench.shipped_trials`` measures and writes it. It counts only beside the weights that it
is of.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from hallascope.engine.errors import StoreError
from hallascope.engine.trials.records import HaloTrial, LabeledTrial, Trial
from hallascope.engine.trials.store import TrialStore
from hallascope.metrics.juries.votes import ItemAnswer, VoteRule, estimate_truth

DATA = Path(__file__).parents[2] / "data"
FILE = DATA / "judge_trials.json"
ACCURACIES = DATA / "member_accuracies.json"


class ShippedTrials(NamedTuple):
    """Holds a judge's trials with their day (ISO), HallaScope's version, and weights' revision.

    `labels` is beside the labels of images of the diffusion models that ship.
    """

    judge: str
    revision: str
    hallascope: str
    day: str
    primer: Trial
    halo: HaloTrial
    labels: LabeledTrial


class ShippedAccuracy(NamedTuple):
    """Holds how many answers of a judge with these weights were right, on which day (ISO).

    `images`: of how many held-out drawings.
    """

    judge: str
    revision: str
    right: int
    answered: int
    images: int
    day: str


TRIALS: TypeAdapter[ShippedTrials] = TypeAdapter(ShippedTrials)
MEMBERS = TypeAdapter(tuple[ShippedAccuracy, ...])
_Shipped = TypeVar("_Shipped")


def load_shipped_trials(revision: Callable[[str], str], file: Path = FILE) -> ShippedTrials | None:
    """Return the trials that ship; None where the judge here has other weights than theirs.

    `revision` gives that of a model by name.

    Raises StoreError where the file is damaged.
    """
    shipped = read_shipped_trials(file)
    return shipped if shipped and revision(shipped.judge) == shipped.revision else None


@cache
def read_shipped_trials(file: Path = FILE) -> ShippedTrials | None:
    """Return the trials in the file, whatever weights are here; None where there is no file.

    Raises StoreError where the file is damaged.
    """
    return _read(file, TRIALS)


@cache
def read_shipped_accuracies(file: Path = ACCURACIES) -> tuple[ShippedAccuracy, ...]:
    """Return the accuracies in the file, whatever weights are here; () where there is no file.

    Raises StoreError where the file is damaged.
    """
    return _read(file, MEMBERS) or ()


def _read(file: Path, form: TypeAdapter[_Shipped]) -> _Shipped | None:
    """Return what is in the file; None where there is none."""
    try:
        return form.validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise StoreError(
            f"{file.name!r}, measurements that ship, cannot be read ({type(error).__name__}):"
            " install HallaScope again."
        ) from error


# answered questions under which a trial says too little of a member
LEAST_ANSWERED = 20


def member_accuracies(
    folder: Path,
    rule: VoteRule,
    judges: Sequence[str],
    revision: Callable[[str], str],
    file: Path = ACCURACIES,
) -> dict[str, float]:
    """Return the accuracy of each judge in [0, 1], where it is known, for a rule of a jury.

    `folder` is that of the store. By "dawid-skene" it is estimated from the answers alone
    (`estimated_accuracies`), where enough of them are there. Else it is the share of right answers
    (`measured_accuracies`), and for a judge without a trial in the store the one that ships, here
    or with the trial of the embedded judge, where `revision` says that it is of the weights that
    are here.
    """
    trials = TrialStore(folder).primer()
    own = [trials[judge] for judge in judges if judge in trials]
    if rule == "dawid-skene" and (estimated := estimated_accuracies(own)):
        return estimated
    shipped = {
        entry.judge: smoothed_share(entry.right, entry.answered)
        for entry in read_shipped_accuracies(file)
        if entry.judge in judges and revision(entry.judge) == entry.revision
    }
    known = read_shipped_trials()
    embedded = load_shipped_trials(revision) if known and known.judge in judges else None
    measured = measured_accuracies([embedded.primer] if embedded else [])
    return measured | shipped | measured_accuracies(own)


def smoothed_share(right: int, answered: int) -> float:
    """Return the share of right answers with one right and one wrong answer added (Laplace)."""
    return (right + 1) / (answered + 2)


def measured_accuracies(trials: Sequence[Trial]) -> dict[str, float]:
    """Return the share of its answers in which each judge was right (`smoothed_share`), by judge.

    What a judge left unanswered does not count, as a member of a jury abstains then.
    """
    return {
        trial.judge: smoothed_share(trial.overall.right, trial.overall.asked)
        for trial in trials
        if trial.overall.asked >= LEAST_ANSWERED
    }


def estimated_accuracies(trials: Sequence[Trial]) -> dict[str, float]:
    """Return what the answers of several judges to the same questions say of each, by judge.

    The truth of the trials is not used (`hallascope.metrics.juries.votes`). {} where fewer
    than `LEAST_ANSWERED` questions were answered by two judges.
    """
    answers = [
        ItemAnswer((answer.picture, answer.question), trial.judge, answer.said)
        for trial in trials
        for answer in trial.answers
        if answer.said is not None
    ]
    judges_of: dict[object, set[str]] = {}
    for answer in answers:
        judges_of.setdefault(answer.item, set()).add(answer.judge)
    if sum(len(judges) > 1 for judges in judges_of.values()) < LEAST_ANSWERED:
        return {}
    return dict(estimate_truth(answers).accuracies)
