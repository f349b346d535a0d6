"""Runs a trial as the Judges tab asks for it, and says how far it is."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.components.cards import status
from hallascope.data.records import LETTERS
from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.judge_eval import haloquest, runner
from hallascope.engine.judge_eval.ihalla import NONE_RIGHT
from hallascope.engine.judge_eval.runner import JudgeTrialRequest
from hallascope.engine.models.registry import NO_KEYS
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.money.spending import money
from hallascope.engine.services import Services
from hallascope.engine.trials.records import HaloTrial, Trial
from hallascope.engine.trials.store import TrialStore
from hallascope.pages.evaluate.run import MAX_REPETITIONS
from hallascope.pages.shared import time_left
from hallascope.pages.shared.model_picker import chosen_models
from hallascope.pages.shared.numbers import parse_seed, parse_whole
from hallascope.pages.shared.run_buttons import StartedRun

WELCOME = (
    "With the built-in judge, twelve images take some seconds. For longer tests "
    "use the command “hallascope trial”."
)
OF_VISITOR = "On a public app the tables do not take this test."
STOPPED = "Stopped. The same test continues and asks no question twice."
QUICK = 40  # pictures of a trial that is begun by one click, each question asked once
MOST = 200  # pictures, or questions, of a trial that is begun on the page
MOST_ORDERS = 9  # of the choices of a question


class JudgeTrialSettings(NamedTuple):
    """Holds the values of the controls, in their order."""

    judges: Sequence[str] | None = ()
    benchmark: str | None = "primer"
    pictures: float | None = 12
    trials: float | None = 1
    orders: float | None = 2
    seed: float | None = 0
    difficulty: bool = False
    wording: str | None = OURS


def quick_settings(judge: str) -> JudgeTrialSettings:
    """Return the settings of the trial that one click begins."""
    return JudgeTrialSettings(judges=(judge,), pictures=QUICK, orders=1)


def offer_text(services: Services, judge: str, keys: ApiKeys = NO_KEYS) -> str:
    """Say what the trial of one click takes of a judge; "" where the judge cannot be tried here."""
    try:
        spec = services.registry.require(judge, "judge", keys)
    except HallaScopeError:
        return ""
    line = runner.estimate_judge_trial(spec, QUICK)
    questions = round(QUICK * len(LETTERS) * (1 + NONE_RIGHT))
    if line is None:
        return f"{QUICK} images, about {questions} questions; free"
    price = "unknown price" if line.amount is None else f"about {money(line.amount)}"
    return f"{QUICK} images, {line.calls} calls; {price}"


def moments(
    begun: StartedRun,
    settings: JudgeTrialSettings,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[str]:
    """Yield the status line while judges are tried; every finished trial is stored.

    That of a visitor of a public app is not: scores and juries of others would rest on it.
    Raises HallaScopeError.
    """
    judges = chosen_models(settings.judges)
    count = parse_whole(settings.pictures, "number of images", 1, MOST)
    seed = parse_seed(settings.seed)
    wording = settings.wording or OURS
    yield status.progress(0, 1, "Drawing images")
    if settings.benchmark == "primer-halo":
        yield from _halo(begun, judges, count, seed, wording)
        return
    request = JudgeTrialRequest(
        judges=judges,
        pictures=count,
        seed=seed,
        trials=parse_whole(settings.trials, "number of trials", 1, MAX_REPETITIONS),
        orders=parse_whole(settings.orders, "number of orders", 1, MOST_ORDERS),
        difficulty=settings.difficulty,
        wording=wording,
    )
    yield from _primer(begun, request, clock)


def _primer(
    begun: StartedRun, request: JudgeTrialRequest, clock: Callable[[], float]
) -> Iterator[str]:
    trials = list[Trial]()
    asked = clock()  # to ask, once all pictures are drawn
    for event in runner.run_judge_trials(begun.services, request, begun.terms, begun.stop):
        if isinstance(event, Trial):
            _keep(begun, event)
            trials.append(event)
            continue
        words = f"{event.done} of {event.of} images drawn"
        left = ""
        if event.judge:
            words = f"{event.judge}: {event.done} of {event.of} replies"
            if len(request.judges) == 1:
                waiting = event.of - event.done
                seconds = time_left.seconds_for_rest(waiting, event.new, clock() - asked)
                left = time_left.time_left_text(seconds) if waiting else ""
        else:
            asked = clock()
        yield status.progress(event.done, event.of, words, left)
    yield _end_message(map(_sentence, trials), begun, len(trials) < len(request.judges))


def _keep(begun: StartedRun, trial: Trial | HaloTrial) -> None:
    if begun.terms.visitor is None:
        TrialStore(begun.services.store.folder).keep(trial)


def _end_message(sentences: Iterable[str], begun: StartedRun, is_capped: bool = False) -> str:
    words = [*sentences]
    if words and begun.terms.visitor:
        words.append(OF_VISITOR)
    if is_capped or begun.stop.is_set():
        words.append(STOPPED)
    return status.result_message(" ".join(words))


def _sentence(trial: Trial) -> str:
    value = "no score" if trial.overall.value is None else f"{trial.overall.value:.3f}"
    left_out = f", {trial.unanswered} left out" if trial.unanswered else ""
    apart = _apart_note(str(wording_mark(trial.version)))
    return f"{trial.judge}: {value} on {trial.overall.asked} questions answered{left_out}.{apart}"


def _apart_note(wording: str) -> str:
    """Return that a trial in another wording than ours is in no table, "" where it is ours."""
    if wording == OURS:
        return ""
    return f" In the wording {wording}; the tables show trials in ours."


def _halo(
    begun: StartedRun, judges: Sequence[str], count: int, seed: int, wording: str
) -> Iterator[str]:
    if not judges:
        raise BadRequest("No judge is chosen: choose at least one.")
    for judge in judges:
        begun.services.registry.require(judge, "judge", begun.terms.keys)
    summaries = list[HaloTrial]()
    with tempfile.TemporaryDirectory() as folder:
        items = list(haloquest.primer_items(count, seed, Path(folder)))
        for judge in judges:
            for event in haloquest.run_halo_trial(
                services=begun.services,
                items=items,
                judge=judge,
                grader=None,
                benchmark="primer-halo",
                terms=begun.terms,
                stop=begun.stop,
                wording=wording,
                seed=seed,
            ):
                if isinstance(event, HaloTrial):
                    summaries.append(event)
                    _keep(begun, event)
                else:
                    words = f"{judge}: {event.done} of {event.of} questions graded"
                    yield status.progress(event.done, event.of, words)
    yield _end_message(map(_halo_sentence, summaries), begun)


def _halo_sentence(halo: HaloTrial) -> str:
    overall = halo.answered.overall
    value = "no score" if overall.value is None else f"{overall.value:.3f}"
    left_out = f", {halo.left_out} left out" if halo.left_out else ""
    apart = _apart_note(halo.wording)
    return f"{halo.judge}: {value} of {overall.n} free replies right{left_out}.{apart}"
