"""From what a person sets on the Judges tab to a trial and what is said of it, moment by moment.

Tested without Gradio.
"""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.components.cards import status
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval import haloquest, runner, store
from hallascope.engine.judge_eval.ihalla import Trial
from hallascope.engine.judge_eval.runner import JudgeTrialRequest
from hallascope.engine.judge_eval.store import HaloSummary, TrialStore
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.explore.run import MOST_SEED, MOST_TRIALS
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.model_picker import names
from hallascope.pages.shared.numbers import parse_whole

WELCOME = (
    "A trial of twelve pictures takes the embedded judge some seconds; the command “hallascope"
    " judge-trial” tries more."
)
STOPPED = "Stopped: Try goes on where it was, as nothing that was answered is asked again."
MOST = 200  # pictures, or questions, of a trial that is begun on the page
MOST_ORDERS = 9  # of the choices of a question


class JudgeTrialSettings(NamedTuple):
    """What the controls hold, in their order."""

    judges: Sequence[str] | None = ()
    other_judges: str | None = ""
    benchmark: Sequence[str] | None = ("primer",)
    pictures: float | None = 12
    trials: float | None = 1
    orders: float | None = 2
    seed: float | None = 0
    difficulty: bool = False


def moments(
    services: Services,
    said: JudgeTrialSettings,
    terms: SpendingPolicy,
    stop: threading.Event,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[str]:
    """The status line while judges are tried; every trial that comes to its end is kept.

    Raises HallaScopeError.
    """
    judges = names(said.judges, said.other_judges)
    count = parse_whole(said.pictures, "number of pictures", 1, MOST)
    seed = parse_whole(said.seed, "seed", 0, MOST_SEED)
    yield status.progress(0, 1, "Drawing pictures")
    if list(said.benchmark or ("primer",)) == ["primer-halo"]:
        yield from _halo(
            services=services, judges=judges, count=count, seed=seed, terms=terms, stop=stop
        )
    else:
        trials = parse_whole(said.trials, "number of trials", 1, MOST_TRIALS)
        orders = parse_whole(said.orders, "number of orders", 1, MOST_ORDERS)
        yield from _primer(
            services,
            JudgeTrialRequest(
                judges=judges,
                pictures=count,
                seed=seed,
                trials=trials,
                orders=orders,
                difficulty=said.difficulty,
            ),
            terms,
            stop,
            clock,
        )


def _primer(
    services: Services,
    wanted: JudgeTrialRequest,
    terms: SpendingPolicy,
    stop: threading.Event,
    clock: Callable[[], float],
) -> Iterator[str]:
    keeper = TrialStore(services.store.folder)
    found = list[Trial]()
    began = clock()
    for told in runner.on_trial(services, wanted, terms, stop):
        if isinstance(told, Trial):
            keeper.keep(told)
            found.append(told)
            continue
        words = (
            f"{told.judge}: {told.done} of {told.of} replies"
            if told.judge
            else f"{told.done} of {told.of} pictures drawn"
        )
        left = (
            run_progress.remaining(told.done, told.of, clock() - began)
            if told.judge and len(wanted.judges) == 1
            else ""
        )
        yield status.progress(told.done, told.of, words, left)
    yield status.result_message(
        " ".join([*map(_sentence, found), *([STOPPED] if stop.is_set() else [])])
    )


def _sentence(trial: Trial) -> str:
    value = "no score" if trial.overall.value is None else f"{trial.overall.value:.3f}"
    left_out = f", {trial.unanswered} left out" if trial.unanswered else ""
    return f"{trial.judge}: {value} on {trial.overall.asked} questions answered{left_out}."


def _halo(
    services: Services,
    judges: Sequence[str],
    count: int,
    seed: int,
    terms: SpendingPolicy,
    *,
    stop: threading.Event,
) -> Iterator[str]:
    if not judges:
        raise BadRequest("No judge is chosen: name at least one to be tried.")
    for judge in judges:
        services.roster.require(judge, "judge", terms.keys)
    keeper = TrialStore(services.store.folder)
    found = list[HaloSummary]()
    with tempfile.TemporaryDirectory() as folder:
        items = list(haloquest.primer_items(count, seed, Path(folder)))
        for judge in judges:
            for told in haloquest.trying(
                services=services,
                items=items,
                judge=judge,
                grader=None,
                benchmark="primer-halo",
                terms=terms,
                stop=stop,
            ):
                if isinstance(told, haloquest.HaloTrial):
                    found.append(store.halo(told))
                    keeper.keep(found[-1])
                else:
                    yield status.progress(
                        told.done, told.of, f"{judge}: {told.done} of {told.of} questions graded"
                    )
    yield status.result_message(STOPPED if stop.is_set() else " ".join(map(_halo_sentence, found)))


def _halo_sentence(halo: HaloSummary) -> str:
    overall = halo.answered.overall
    value = "no score" if overall.value is None else f"{overall.value:.3f}"
    left_out = f", {halo.left_out} left out" if halo.left_out else ""
    return f"{halo.judge}: {value} of {overall.n} free replies right{left_out}."
