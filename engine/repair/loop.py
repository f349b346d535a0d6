"""Runs a repair: draw, judge, refine the prompt, until all is right or the rounds are used up.

I-HallA, appendix A and figure 6. Every round is judged by the questions of the first prompt, and
is stored as runs: one that drew the refined prompt, and one that judged its image. A question that
has no answer is never counted as wrong, and a round without a score ends the repair.
"""

import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    Evaluation,
    EvaluationFailed,
    Event,
    GeneratedPicture,
    ImageOrigin,
    Pictured,
    PictureFailed,
    Queued,
    Spent,
)
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.likely_costs import CostEstimate, cost_line, multiply_line
from hallascope.engine.questions.generation import DEFAULT_POLICY
from hallascope.engine.repair.rounds import (
    RepairEnd,
    RepairRequest,
    RepairRound,
    check_repair,
    refined_model,
)
from hallascope.engine.run.estimate import costs
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.services import Services
from hallascope.engine.writer_plan import WriterTerms, run_writer_plan
from hallascope.metrics.ihalla.prompt_repair import (
    RefinedPrompt,
    add_facts,
    ask_refined_prompt,
    likely_request,
    readable,
    wrong_verdicts,
)

LAYOUT = "refined prompt"  # how an image of a round was matched with its questions
_NOTHING_TO_ADD = (
    "The prompt states all that is wrong already, or would be too long: name a writer to go on."
)
RepairEvent = RepairRound | RepairEnd | Spent


def repair_estimate(
    services: Services, request: RepairRequest, terms: SpendingPolicy = DEFAULT_POLICY
) -> CostEstimate:
    """Return what a repair is likely to cost at most: all rounds, each drawn and judged anew.

    Raises what `Services.evaluate` raises, but asks for no consent.
    """
    check_repair(request)
    once = services.estimate(request.first, terms)
    lines = [multiply_line(line, request.rounds + 1) for line in once.lines]
    if request.writer:
        spec = services.registry.spec(request.writer)
        if costs(spec):
            asked = [likely_request(request.prompt)] * request.rounds
            lines.append(cost_line(request.writer, asked, spec.price, spec.settings))
    return replace(once, lines=tuple(lines))


def repair_prompt(
    services: Services,
    request: RepairRequest,
    terms: SpendingPolicy = DEFAULT_POLICY,
    stop: threading.Event | None = None,
) -> Iterator[RepairEvent]:
    """Yield each round as it is done, what it cost, and last why the repair ended.

    The budget of a run holds for the whole repair. Raises BadRequest where the request is wrong,
    NoQuestions where the prompt has none, and what `Services.evaluate` raises.
    """
    check_repair(request)
    request = replace(request, prompt=checked_prompt(request.prompt))
    services.sets.for_prompt(request.prompt)  # without questions nothing can be judged
    return _Repair(services, request, terms, stop).events()


class _Repair:
    """Holds the state of one repair: the prompt of the round, and what was spent before it."""

    def __init__(
        self,
        services: Services,
        request: RepairRequest,
        terms: SpendingPolicy,
        stop: threading.Event | None,
    ) -> None:
        self._services = services
        self._request = request
        self._terms = terms
        self._stop = stop
        self._cap, _ = services.caps(terms)
        self._spent = 0.0

    def events(self) -> Iterator[RepairEvent]:
        prompt = self._request.prompt
        for number in range(self._request.rounds + 1):
            done = yield from self._round(number, prompt)
            yield done
            if end := self._end(done):
                yield end
                return
            if number == self._request.rounds:
                break
            refined = yield from self._refine(prompt, done)
            if not refined.text:
                yield RepairEnd(refined.problem)
                return
            prompt = refined.text
        yield RepairEnd(
            f"After {self._request.rounds} refined prompts the image still gets"
            f" {len(done.wrong)} of its questions wrong."
        )

    def _end(self, done: RepairRound) -> RepairEnd | None:
        """Return why no further round is drawn, None where one is."""
        if self._is_stopped():
            return RepairEnd("Stopped: the same repair goes on where it was left.")
        if done.failure or done.score is None or done.score.value is None:
            return RepairEnd(done.failure or "No question was answered, so the round has no score.")
        if done.wrong:
            return None
        if done.score.left_out:
            return RepairEnd(
                f"No question is answered wrongly, but {done.score.left_out} have no answer: the"
                " same repair asks them again."
            )
        return RepairEnd("Every question is answered right.", repaired=True)

    def _is_stopped(self) -> bool:
        return self._stop is not None and self._stop.is_set()

    # --- one round

    def _round(self, number: int, prompt: str) -> Generator[Spent, None, RepairRound]:
        """Draw a prompt and judge its image by the questions of the first one."""
        first = self._request.first
        if number == 0:
            outcome = yield from self._run(first)
            return _repair_round(number, prompt, outcome, outcome)
        drawn = yield from self._run(replace(first, prompt=prompt, judge=None))
        if drawn.shot is None or drawn.shot.path is None or drawn.shot.image is None:
            return _repair_round(number, prompt, drawn, _RunOutcome(failure=drawn.failure))
        origin = ImageOrigin(
            model=refined_model(self._request.model, number),
            seed=self._request.seed,
            file=f"run {drawn.run}",
            sha256=drawn.shot.image,
            layout=LAYOUT,
        )
        judging = replace(first, models=(), images=(drawn.shot.path,), origins=(origin,))
        judged = yield from self._run(judging)
        return _repair_round(number, prompt, drawn, judged)

    def _run(self, request: EvaluateRequest) -> Generator[Spent, None, "_RunOutcome"]:
        """Run a request within what is left of the budget."""
        outcome = _RunOutcome()
        spent = 0.0
        for event in self._services.evaluate(request, self._stop, self._remaining_terms()):
            outcome = outcome.with_event(event)
            if isinstance(event, Spent):
                spent = event.amount
                yield event
        self._spent += spent
        return outcome

    def _refine(self, prompt: str, done: RepairRound) -> Generator[Spent, None, RefinedPrompt]:
        """Return a more explicit prompt: the writer's, or that of the rule without a writer."""
        request = self._request
        if request.writer is None:
            text = add_facts(prompt, done.wrong)
            if text == prompt:
                return RefinedPrompt(problem=_NOTHING_TO_ADD)
            return RefinedPrompt(text=text)
        asked = WriterTerms(request.writer, self._remaining_terms(), self._stop)
        texts = self._services.wording_texts(request.wording)
        refined, cost = yield from run_writer_plan(
            self._services,
            asked,
            lambda: ask_refined_prompt(request.prompt, prompt, done.wrong, prompts=texts),
            readable,
            RefinedPrompt(problem="Stopped: the same repair goes on where it was left."),
        )
        self._spent += cost
        return refined

    def _remaining_terms(self) -> SpendingPolicy:
        return replace(self._terms, run=max(self._cap - self._spent, 0.0))


@dataclass(frozen=True, kw_only=True)
class _RunOutcome:
    """Holds what a run of one image gave: its picture, what was said of it, and a failure."""

    run: str = ""
    shot: GeneratedPicture | None = None
    evaluation: Evaluation | None = None
    failure: str = ""

    def with_event(self, event: Event) -> "_RunOutcome":
        """Return what is known after an event of the run."""
        match event:
            case Queued(run=run):
                return replace(self, run=run)
            case Pictured(shot=shot):
                return replace(self, shot=shot)
            case PictureFailed(shot=shot):
                reason = shot.failure.message if shot.failure else "The image was not made."
                return replace(self, failure=reason)
            case Evaluated(evaluation=evaluation):
                return replace(self, evaluation=evaluation)
            case EvaluationFailed(failure=failure):
                return replace(self, failure=failure.message)
            case _:
                return self


def _repair_round(number: int, prompt: str, drawn: _RunOutcome, judged: _RunOutcome) -> RepairRound:
    report = judged.evaluation.report if judged.evaluation else None
    return RepairRound(
        number=number,
        prompt=prompt,
        draw_run=drawn.run,
        run=judged.run,
        image=drawn.shot.image if drawn.shot else None,
        path=drawn.shot.path if drawn.shot else None,
        score=report.score if report else None,
        wrong=wrong_verdicts(report) if report else (),
        failure=judged.failure or drawn.failure,
    )
