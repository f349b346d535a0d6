"""Asks judges the questions of a trial, from the cache, within the caps, until stopped.

It goes through the driver, and counts nothing.
"""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from hallascope.data.records import Difficulty
from hallascope.data.requests import Reply
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.ihalla import (
    SIDES,
    Cost,
    DifficultyResult,
    HeldOutQuestion,
    QuestionPresentation,
    QuestionResult,
    Share,
    Trial,
    primer_items,
    result,
    summarize_results,
)
from hallascope.engine.models.roles import STOPPED
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.driver import (
    AnyPlan,
    DriverEvent,
    PlanReply,
    PlanRequestFailure,
    PlanResult,
    PlanStepRequest,
)
from hallascope.engine.services import Services
from hallascope.metrics.ihalla import agents, reasoning
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning

MOST_PICTURES = 2000
MOST_TRIALS = 9
MOST_ORDERS = 9


@dataclass(frozen=True, kw_only=True)
class JudgeTrialRequest:
    """Holds what a trial asks: Primer pictures, trials, and orders of the choices.

    Each question is asked in so many trials and orders.

    `difficulty`: also five times whether the picture is normal or weird.
    """

    judges: tuple[str, ...]
    pictures: int = 200
    seed: int = 0
    trials: int = 1
    orders: int = 1
    difficulty: bool = False


class JudgeProgress(NamedTuple):
    """`done` of `of` replies of a judge are there.

    Before the first judge is asked, pictures are drawn and `judge` is "".
    """

    judge: str
    done: int
    of: int


def on_trial(
    services: Services,
    wanted: JudgeTrialRequest,
    terms: SpendingPolicy | None = None,
    stop: threading.Event | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[JudgeProgress | Trial]:
    """Try one judge after the other on the same pictures.

    Each gives its `Trial` at its end, none where it was stopped before.

    Checked at once: raises BadRequest, UnknownModel, Unavailable. The cap of a run holds for all
    judges together.
    """
    wanted = _validate_request(wanted)
    terms = terms or SpendingPolicy()
    for judge in wanted.judges:
        services.roster.require(judge, "judge", terms.keys)
    services.charge_quota(
        terms, lambda: len(wanted.judges) * wanted.pictures * wanted.trials * wanted.orders
    )
    return _run_trials(services, wanted, terms, stop or threading.Event(), clock)


def _validate_request(wanted: JudgeTrialRequest) -> JudgeTrialRequest:
    """Raises BadRequest with one sentence."""
    judges = tuple(dict.fromkeys(wanted.judges))
    if not judges:
        raise BadRequest("No judge is chosen: name at least one to be tried.")
    limits = (
        ("pictures", wanted.pictures, MOST_PICTURES),
        ("trials", wanted.trials, MOST_TRIALS),
        ("orders", wanted.orders, MOST_ORDERS),
    )
    for what, number, most in limits:
        if not 1 <= number <= most:
            raise BadRequest(f"{number} {what} cannot be tried: give a number from 1 to {most:,}.")
    return replace(wanted, judges=judges)


def _run_trials(
    services: Services,
    wanted: JudgeTrialRequest,
    terms: SpendingPolicy,
    stop: threading.Event,
    clock: Callable[[], float],
) -> Iterator[JudgeProgress | Trial]:
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder:
        items: list[HeldOutQuestion] = []
        for item in primer_items(wanted.pictures, Path(folder), wanted.seed):
            if stop.is_set():
                return
            another = not items or item.picture != items[-1].picture
            items.append(item)
            if another:
                yield JudgeProgress("", len({one.picture.sha256 for one in items}), wanted.pictures)
        for judge in wanted.judges:
            left = replace(terms, run=max(0.0, terms.caps()[0] - spent))
            sitting = _JudgeSession(
                services=services, judge=judge, items=items, wanted=wanted, terms=left, stop=stop
            )
            yield from sitting.progress(clock)
            spent += sitting.purse.spent
            if stop.is_set():
                return
            yield sitting.trial()


class _JudgeSession:
    """One judge and all that it is asked."""

    def __init__(
        self,
        services: Services,
        judge: str,
        items: Sequence[HeldOutQuestion],
        wanted: JudgeTrialRequest,
        terms: SpendingPolicy,
        *,
        stop: threading.Event,
    ) -> None:
        self._judge = judge
        self._wanted = wanted
        self._ranks = services.roster.spec(judge).ranks
        self._results: list[QuestionResult] = []
        self._reasonings: list[Reasoning] = []
        self._fresh = 0
        self._seconds = 0.0
        seats, self._runner, self.purse = services.bind([(judge, "judge")], terms, stop)
        by_picture: dict[str, list[HeldOutQuestion]] = {}
        for item in items:
            by_picture.setdefault(item.picture.sha256, []).append(item)
        for name, asked in by_picture.items():
            for trial in range(wanted.trials):
                puts = [
                    QuestionPresentation(item, order, trial)
                    for item in asked
                    for order in range(wanted.orders if trial == 0 else 1)
                ]
                self._runner.add(
                    (name, trial), _questions(puts), seats, trial=trial, readable=ihalla.readable
                )
            if wanted.difficulty:
                plan = _difficulty(asked[0], self._ranks)
                self._runner.add((name, "difficulty"), plan, seats, readable=agents.readable)

    def progress(self, clock: Callable[[], float]) -> Iterator[JudgeProgress]:
        """Asks everything; afterwards `trial` says what came of it."""
        began = clock()
        done = 0
        of = 0
        for event in self._runner.events():
            of += event.of if isinstance(event, PlanStepRequest) else 0
            if isinstance(event, PlanReply) or (
                isinstance(event, PlanRequestFailure) and event.reply != STOPPED
            ):  # many are given up at once
                done += 1
                self._fresh += isinstance(event, PlanReply) and not event.cached
                yield JudgeProgress(self._judge, done, of)
            self._handle_event(event)
        self._seconds = clock() - began

    def _handle_event(self, event: DriverEvent) -> None:
        if isinstance(event, PlanResult):
            for told in event.result:
                (self._results if isinstance(told, QuestionResult) else self._reasonings).append(
                    told
                )

    def trial(self) -> Trial:
        found = summarize_results(self._judge, self._results, self._wanted.seed)
        cost = Cost(self._fresh, self.purse.spent, self._seconds) if self._fresh else None
        return replace(
            found,
            difficulty=difficulties(self._reasonings) if self._reasonings else None,
            cost=cost,
        )


def _questions(puts: Sequence[QuestionPresentation]) -> AnyPlan:
    replies: list[Reply] = yield [put.ask() for put in puts]
    return [
        result(put, reply) for put, reply in zip(puts, replies, strict=True) if reply != STOPPED
    ]


def _difficulty(item: HeldOutQuestion, ranks: bool) -> AnyPlan:
    material = LabeledPicture(item.picture, not item.violated)
    replies: list[Reply] = yield list(agents.often(item.prompt, material, ranks))
    return [reasoning.parse_reasoning(material, reply) for reply in replies if reply != STOPPED]


def difficulties(told: Sequence[Reasoning]) -> DifficultyResult:
    """What the five readings of each picture come to."""
    found = agents.difficulties(told)
    levels: tuple[Difficulty, ...] = ("easy", "medium", "hard")
    pictures = {level: list(found.values()).count(level) for level in levels}
    by_side = {
        side: _told_right([one for one in told if one.material.factual == (side == "factual")])
        for side in SIDES
    }
    return DifficultyResult(
        _told_right(told),
        by_side,
        pictures,
        len({one.material.picture for one in told}) - len(found),
    )


def _told_right(told: Sequence[Reasoning]) -> Share:
    read = [one for one in told if one.state in ("correct", "incorrect")]
    return Share(sum(one.state == "correct" for one in read), len(read))
