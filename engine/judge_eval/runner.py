"""Asks judges I-HallA's questions in a trial: from the cache, within the caps, until stopped."""

import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import get_args

from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Difficulty
from hallascope.data.requests import LEFT_OPEN, Ask, Failure, Reply
from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.templates import Template, template
from hallascope.engine.errors import BadRequest, require_count
from hallascope.engine.judge_eval.answers import TrialAnswer, TrialQuestion, read_answer
from hallascope.engine.judge_eval.harness import TrialProgress
from hallascope.engine.judge_eval.ihalla import (
    NONE_RIGHT,
    concept_items,
    none_right_items,
    primer_items,
    primer_prompt,
    summarize_results,
)
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import CostLine, cost_line
from hallascope.engine.run.driver import (
    AnyPlan,
    PlanReply,
    PlanResult,
    PlanStepRequest,
)
from hallascope.engine.run.estimate import NOT_YET, costs
from hallascope.engine.services import Services
from hallascope.engine.trials.records import SIDES, Cost, DifficultyResult, Share, Trial
from hallascope.metrics.ihalla import agents, reasoning
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts

DIFFICULTY = "difficulty"  # in place of a trial's number
MOST_PICTURES = 2000
MOST_TRIALS = 9
MOST_ORDERS = 9
MOST_EACH_CONCEPT = 100


@dataclass(frozen=True, kw_only=True)
class JudgeTrialRequest:
    """Holds what a trial asks: Primer pictures, trials, and orders of the choices.

    Each question is asked in so many trials and orders, and a part of them once more without the
    true choice.

    `difficulty`: also five times whether the picture is normal or weird. `each_concept`: so many
    pictures more of each concept alone, for the figures by concept. `wording` is the pack of texts
    that the judge is sent, or its folder.
    """

    judges: tuple[str, ...]
    pictures: int = 200
    seed: int = 0
    trials: int = 1
    orders: int = 1
    difficulty: bool = False
    each_concept: int = 0
    wording: str = OURS

    @property
    def drawn(self) -> int:
        """Return how many pictures are drawn."""
        return self.pictures + self.each_concept * len(concepts())


def estimate_judge_trial(spec: ModelSpec, pictures: int) -> CostLine | None:
    """Return what a judge is likely to take for a trial of so many images, five questions each.

    Each question is asked once, a part of them once more without the true choice. None where the
    judge costs nothing.
    """
    if not costs(spec):
        return None
    return cost_line(spec.id, _likely_requests(pictures), spec.price, spec.settings)


@lru_cache(maxsize=8)
def _likely_requests(pictures: int) -> tuple[Ask, ...]:
    """Return what a trial asks, about images that are still to be drawn.

    Which questions are asked once more depends on the images: here it is every tenth.
    """
    asked = [
        TrialQuestion(NOT_YET, question, question.gold).request()
        for number in range(pictures)
        for question in scenes.parse(primer_prompt(number)).fact_questions()[: scenes.ASKED]
    ]
    return (*asked, *asked[:: round(1 / NONE_RIGHT)])


def run_judge_trials(
    services: Services,
    request: JudgeTrialRequest,
    terms: SpendingPolicy | None = None,
    stop: threading.Event | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[TrialProgress | Trial]:
    """Try one judge after the other on the same pictures.

    Each gives its `Trial` at its end, none where a person or a cap stopped it before.

    Checked at once: raises BadRequest, UnknownModel, Unavailable. The cap of a run holds for all
    judges together.
    """
    if not request.judges:
        raise BadRequest("No judge is chosen: name at least one to be tried.")
    require_count("images", request.pictures, MOST_PICTURES)
    require_count("trials", request.trials, MOST_TRIALS)
    require_count("orders", request.orders, MOST_ORDERS)
    if request.each_concept:
        require_count("images of each concept", request.each_concept, MOST_EACH_CONCEPT)
    request = replace(request, judges=tuple(dict.fromkeys(request.judges)))
    terms = terms or SpendingPolicy()
    services.wording_pack(request.wording)
    for judge in request.judges:
        services.registry.require(judge, "judge", terms.keys)
    services.charge_quota(
        terms, lambda: len(request.judges) * request.drawn * request.trials * request.orders
    )
    return _run_trials(services, request, terms, stop or threading.Event(), clock)


def _run_trials(
    services: Services,
    request: JudgeTrialRequest,
    terms: SpendingPolicy,
    stop: threading.Event,
    clock: Callable[[], float],
) -> Iterator[TrialProgress | Trial]:
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder:
        items: dict[str, list[TrialQuestion]] = defaultdict(list)
        place = Path(folder)
        held_out = chain(
            primer_items(request.pictures, place, request.seed),
            concept_items(request.each_concept, place, request.seed),
        )
        for item in held_out:
            if stop.is_set():
                return
            is_new = item.image not in items
            items[item.image].append(item)
            if is_new:
                yield TrialProgress("", len(items), request.drawn)
        for judge in request.judges:
            remaining = replace(terms, run=max(0.0, terms.caps()[0] - spent))
            spent += yield from _try_judge(
                services, judge, request, items.values(), remaining, stop, clock
            )
            if stop.is_set():
                return


def _try_judge(
    services: Services,
    judge: str,
    request: JudgeTrialRequest,
    pictures: Iterable[Sequence[TrialQuestion]],
    terms: SpendingPolicy,
    stop: threading.Event,
    clock: Callable[[], float],
) -> Generator[TrialProgress | Trial, None, float]:
    """Ask one judge everything about the pictures, and return what that cost in USD."""
    pack = services.wording_pack(request.wording)
    texts = pack.folder if pack else None
    models, driver, budget = services.bind([(judge, "judge")], terms, stop)
    ranks = services.registry.spec(judge).ranks
    for items in pictures:
        image = items[0].image
        for trial, asked in _asked_questions(items, request):
            plan = _ask_questions(asked, template("ihalla_ask", texts))
            driver.add((image, trial), plan, models, trial=trial, readable=ihalla.readable)
        if request.difficulty and not items[0].concept:
            plan = _ask_difficulty(items[0], ranks, texts)
            driver.add((image, DIFFICULTY), plan, models, readable=agents.readable)
    answers: list[TrialAnswer] = []
    reasonings: list[Reasoning] = []
    done = of = fresh = 0
    is_stopped = False
    began = clock()
    for event in driver.events():
        match event:
            case PlanStepRequest():
                of += event.of
            case PlanReply(reply=Failure(kind=kind)) if kind in LEFT_OPEN:
                is_stopped = True  # many are given up at once
            case PlanReply(reply=reply):
                done += 1
                fresh += not (isinstance(reply, Failure) or event.cached)
                yield TrialProgress(judge, done, of, fresh)
            case PlanResult(key=(_, kind), result=result):
                (reasonings if kind == DIFFICULTY else answers).extend(result)
    if not (is_stopped or stop.is_set()):
        yield replace(
            summarize_results(judge, answers, request.seed, pack),
            difficulty=summarize_difficulty(reasonings) if reasonings else None,
            cost=Cost(fresh, budget.spent, clock() - began) if fresh else None,
        )
    return budget.spent


def _asked_questions(
    items: Sequence[TrialQuestion], request: JudgeTrialRequest
) -> Iterator[tuple[int, list[TrialQuestion]]]:
    """Yield by trial what is asked about one picture: its questions in every order.

    Some are asked once more without the true choice, on pictures that try no single concept.
    """
    for trial in range(request.trials):
        orders = range(request.orders if trial == 0 else 1)
        asked = [replace(item, order=order, trial=trial) for item in items for order in orders]
        if trial == 0 and not items[0].concept:
            asked += none_right_items(items, request.seed)
        yield trial, asked


def _ask_questions(asked: Sequence[TrialQuestion], form: Template) -> AnyPlan:
    replies: list[Reply] = yield [question.request(form) for question in asked]
    return [read_answer(question, reply) for question, reply in zip(asked, replies, strict=True)]


def _ask_difficulty(item: TrialQuestion, ranks: bool, texts: Path | None) -> AnyPlan:
    material = LabeledPicture(item.picture, not item.violated)
    replies: list[Reply] = yield list(agents.repeated_asks(item.prompt, material, ranks, texts))
    return [reasoning.parse_reasoning(material, reply) for reply in replies]


def summarize_difficulty(reasonings: Sequence[Reasoning]) -> DifficultyResult:
    """Return what the five readings of each picture come to."""
    by_picture = agents.difficulties(reasonings)
    counts = Counter(by_picture.values())
    levels: tuple[Difficulty, ...] = get_args(Difficulty)
    return DifficultyResult(
        told=_share_right(reasonings),
        by_side={
            side: _share_right([r for r in reasonings if r.material.factual == (side == "factual")])
            for side in SIDES
        },
        pictures={level: counts[level] for level in levels},
        left_out=len({r.material.picture for r in reasonings}) - len(by_picture),
    )


def _share_right(reasonings: Sequence[Reasoning]) -> Share:
    states = [reasoning.state for reasoning in reasonings]
    right = states.count("correct")
    return Share(right, right + states.count("incorrect"))
