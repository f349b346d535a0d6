"""Finds out how often the members of a jury are right: from trials on known truth, or without it.

The trials are those of the store. For a judge that has none there, it is what ships.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from hallascope.engine.trials.records import Trial
from hallascope.engine.trials.shipped import (
    ACCURACIES,
    load_shipped_trials,
    read_shipped_accuracies,
    read_shipped_trials,
)
from hallascope.engine.trials.store import TrialStore
from hallascope.metrics.juries.dawid_skene import ItemAnswer, estimate_truth
from hallascope.metrics.juries.votes import VoteRule

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

    The truth of the trials is not used (`hallascope.metrics.juries.dawid_skene`). {} where fewer
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
