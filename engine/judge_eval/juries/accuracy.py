"""Finds out how often the members of a jury are right: from trials on known truth, or without it.

The trials are those of the store. For a judge that has none there, it is what ships, which
``python -m hallascope.engine.judge_eval.juries.accuracy`` measures and writes.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from hallascope.data.models.specs import read_models
from hallascope.engine.errors import StoreError
from hallascope.engine.judge_eval import runner
from hallascope.engine.judge_eval.ihalla import Trial
from hallascope.engine.judge_eval.shipped import JUDGE, load_shipped_trials
from hallascope.engine.judge_eval.store import TrialStore
from hallascope.engine.services import Services
from hallascope.engine.storage.images import write_atomically
from hallascope.engine.storage.store import Store
from hallascope.metrics.juries.dawid_skene import ItemAnswer, estimate_truth
from hallascope.metrics.juries.votes import VoteRule

# answered questions under which a trial says too little of a member
LEAST_ANSWERED = 20
FILE = Path(__file__).parents[3] / "data" / "member_accuracies.json"
JURY = "primer/jury"  # the jury whose members are measured
IMAGES = 400


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


_SHIPPED = TypeAdapter(tuple[ShippedAccuracy, ...])


def member_accuracies(
    store: Store,
    rule: VoteRule,
    judges: Sequence[str],
    revision: Callable[[str], str],
    file: Path = FILE,
) -> dict[str, float]:
    """Return the accuracy of each judge in [0, 1], where it is known, for a rule of a jury.

    By "dawid-skene" it is estimated from the answers alone (`estimated_accuracies`), where enough
    of them are there. Else it is the share of right answers (`measured_accuracies`), and for a
    judge without a trial in the store the one that ships, here or with the trial of the embedded
    judge, where `revision` says that it is of the weights that are here.
    """
    trials = TrialStore(store.folder).primer()
    own = [trials[judge] for judge in judges if judge in trials]
    if rule == "dawid-skene" and (estimated := estimated_accuracies(own)):
        return estimated
    shipped = {
        entry.judge: smoothed_share(entry.right, entry.answered)
        for entry in read_shipped_accuracies(file)
        if entry.judge in judges and revision(entry.judge) == entry.revision
    }
    return _accuracies_of_shipped_trial(judges, revision) | shipped | measured_accuracies(own)


def _accuracies_of_shipped_trial(
    judges: Sequence[str], revision: Callable[[str], str]
) -> dict[str, float]:
    if JUDGE not in judges or (trials := load_shipped_trials(revision)) is None:
        return {}
    return measured_accuracies([trials.primer])


@cache
def read_shipped_accuracies(file: Path = FILE) -> tuple[ShippedAccuracy, ...]:
    """Return the accuracies in the file, whatever weights are here; () where there is no file.

    Raises StoreError where the file is damaged.
    """
    try:
        return _SHIPPED.validate_json(file.read_bytes())
    except FileNotFoundError:
        return ()
    except (OSError, ValidationError) as error:
        raise StoreError(
            f"{file.name!r}, the accuracies of the jury's members, cannot be read"
            f" ({type(error).__name__}): install HallaScope again, or write the file again with"
            " `python -m hallascope.engine.judge_eval.juries.accuracy`."
        ) from error


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


def measure_members(services: Services, images: int = IMAGES) -> list[ShippedAccuracy]:
    """Try the members of the embedded jury on held-out drawings. Raises what a trial raises."""
    judges = services.registry.spec(JURY).members
    request = runner.JudgeTrialRequest(judges=judges, pictures=images)
    day = time.strftime("%Y-%m-%d", time.gmtime())
    accuracies = []
    for step in runner.run_judge_trials(services, request):
        if isinstance(step, Trial):
            revision = services.registry.bind(step.judge).revision
            right, answered = step.overall.right, step.overall.asked
            accuracies.append(ShippedAccuracy(step.judge, revision, right, answered, images, day))
    return accuracies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=IMAGES, help="held-out drawings")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), read_models(), {})
        measured = measure_members(services, arguments.images)
        services.store.close()
    write_atomically(FILE, _SHIPPED.dump_json(tuple(measured), indent=1) + b"\n")


if __name__ == "__main__":
    main()
