"""Runs a repair experiment: each failing image with every remedy, and with the control.

All images and verdicts are those of runs, so what is stored is neither drawn nor asked again, and
the same experiment goes on where it was left.
"""

import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from hallascope.data.records import Report, Verdict
from hallascope.engine.error_analysis.remedies.effects import FactStates
from hallascope.engine.error_analysis.remedies.request import (
    FailingImage,
    RemedyName,
    RemedyRequest,
    check_request,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    Finished,
    GeneratedPicture,
    ImageOrigin,
    Pictured,
    Queued,
    Spent,
)
from hallascope.engine.images.true_answers import true_answers
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.likely_costs import CostEstimate, multiply_line
from hallascope.engine.questions.generation import DEFAULT_POLICY
from hallascope.engine.repair.loop import LAYOUT, repair_prompt
from hallascope.engine.repair.rounds import RepairRequest, RepairRound, refined_model
from hallascope.engine.services import Services
from hallascope.metrics.ihalla.plan import NAME as IHALLA

_DEFINITIONS = "text"


@dataclass(frozen=True, kw_only=True)
class JudgedImage:
    """Holds one image with what each judge says of its facts, and what is true of them.

    `evaluation` is the id of what the evaluating judge said. `score` is that of the selecting
    judge, in [0, 1], `facts` are all that was asked.
    """

    image: str
    path: Path | None = None
    prompt: str = ""
    evaluation: int | None = None
    score: float | None = None
    facts: frozenset[str] = frozenset()
    selecting: FactStates = field(default_factory=dict)
    evaluating: FactStates = field(default_factory=dict)
    truth: FactStates = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class TreatedImage:
    """Holds a failing image with the fresh images of the control and those of each remedy.

    A remedy that could not be tried is in `not_tried` with one sentence. `drawn` says how many
    images a remedy took.
    """

    case: FailingImage
    before: JudgedImage
    control: tuple[JudgedImage, ...]
    after: dict[RemedyName, tuple[JudgedImage, ...]]
    not_tried: dict[RemedyName, str]
    drawn: dict[RemedyName, int]


@dataclass(frozen=True, kw_only=True)
class CaseDone:
    """Says that one failing image is done: `treated` None where nothing could be said of it."""

    done: int
    total: int
    case: FailingImage
    treated: TreatedImage | None = None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class RemedyOutcome:
    """The last event: everything that was drawn. `stopped`: by the person or a cap."""

    request: RemedyRequest
    treated: tuple[TreatedImage, ...]
    left_out: tuple[tuple[FailingImage, str], ...] = ()
    stopped: bool = False
    spent: float = 0.0


RemedyEvent = CaseDone | Spent | RemedyOutcome


def remedies_estimate(
    services: Services, request: RemedyRequest, terms: SpendingPolicy = DEFAULT_POLICY
) -> CostEstimate:
    """Return what an experiment is likely to cost at most: all drawn and judged twice anew.

    Raises what `try_remedies` raises, but asks for no consent.
    """
    check_request(services, request)
    longest = max(request.cases, key=lambda case: len(case.prompt))
    first = _evaluation(request, longest, request.judge)
    expected = services.estimate(first, terms)
    second = services.estimate(replace(first, judge=request.evaluate_by), terms)
    judged_again = [line for line in second.lines if line.model != request.model]
    lines = [
        multiply_line(line, request.images_in_all) for line in (*expected.lines, *judged_again)
    ]
    return replace(expected, lines=tuple(lines))


def try_remedies(
    services: Services,
    request: RemedyRequest,
    terms: SpendingPolicy = DEFAULT_POLICY,
    stop: threading.Event | None = None,
) -> Iterator[RemedyEvent]:
    """Yield each failing image as it is done, what it cost, and last all of them.

    The budget of a run holds for the whole experiment. Raises BadRequest where the request is
    wrong, and what `Services.evaluate` raises.
    """
    check_request(services, request)
    return _Experiment(services, request, terms, stop or threading.Event()).events()


def _evaluation(request: RemedyRequest, case: FailingImage, judge: str) -> EvaluateRequest:
    return EvaluateRequest(
        prompt=case.prompt,
        models=(request.model,),
        metrics=(IHALLA,),
        judge=judge,
        seed=case.seed,
        wording=request.wording,
    )


class _CannotTreat(Exception):
    """Raised where a failing image cannot be treated; the message says why in one sentence."""


@dataclass(frozen=True, kw_only=True)
class _ReportedImage:
    """Holds an image of a run with the report of its judge and the id of that evaluation."""

    image: str
    path: Path | None
    injected: str | None
    report: Report | None
    evaluation: int | None


class _Experiment:
    """Holds the state of one experiment: what was spent, and whether it goes on."""

    def __init__(
        self,
        services: Services,
        request: RemedyRequest,
        terms: SpendingPolicy,
        stop: threading.Event,
    ) -> None:
        self._services = services
        self._request = request
        self._terms = terms
        self._stop = stop
        self._cap, _ = services.caps(terms)
        self._spent = 0.0
        self._is_capped = False

    def events(self) -> Iterator[RemedyEvent]:
        request = self._request
        treated: list[TreatedImage] = []
        left_out: list[tuple[FailingImage, str]] = []
        for done, case in enumerate(request.cases, 1):
            if self._is_stopped():
                break
            try:
                one = yield from self._treat(case)
            except (_CannotTreat, BadRequest) as problem:
                if self._is_stopped():
                    break
                left_out.append((case, str(problem)))
                yield CaseDone(done=done, total=len(request.cases), case=case, reason=str(problem))
                continue
            if self._is_stopped():
                break  # what was stopped within is not whole
            treated.append(one)
            yield CaseDone(done=done, total=len(request.cases), case=case, treated=one)
        yield RemedyOutcome(
            request=request,
            treated=tuple(treated),
            left_out=tuple(left_out),
            stopped=self._is_stopped(),
            spent=self._spent,
        )

    def _is_stopped(self) -> bool:
        return self._stop.is_set() or self._is_capped

    def _treat(self, case: FailingImage) -> Generator[Spent, None, TreatedImage]:
        request = self._request
        before = yield from self._draw(case, case.seed, 1)
        if not before:
            raise _CannotTreat(f"{case.prompt!r}: the image itself was not made or not judged.")
        control = yield from self._draw(case, case.seed + 1, request.images)
        if not control:
            raise _CannotTreat(f"{case.prompt!r}: no fresh image was made.")
        after: dict[RemedyName, tuple[JudgedImage, ...]] = {}
        not_tried: dict[RemedyName, str] = {}
        drawn: dict[RemedyName, int] = {}
        images: tuple[JudgedImage, ...]
        for remedy in request.remedies:
            match remedy:
                case "best-of-n":
                    images, count = (_best(control),), len(control)
                    reason = ""
                case "definitions":
                    images, count, reason = yield from self._define(case)
                case "prompt-repair":
                    images, count, reason = yield from self._repair(case, before[0])
            drawn[remedy] = count
            if images:
                after[remedy] = images
            else:
                not_tried[remedy] = reason
        return TreatedImage(
            case=case,
            before=before[0],
            control=control,
            after=after,
            not_tried=not_tried,
            drawn=drawn,
        )

    # --- images

    def _draw(
        self, case: FailingImage, seed: int, count: int
    ) -> Generator[Spent, None, tuple[JudgedImage, ...]]:
        """Draw images of the prompt as it is, and have both judges look at them."""
        plain = replace(
            _evaluation(self._request, case, self._request.judge), seed=seed, count=count
        )
        return (yield from self._judge_twice(plain))

    def _define(
        self, case: FailingImage
    ) -> Generator[Spent, None, tuple[tuple[JudgedImage, ...], int, str]]:
        """Draw the prompt with definitions, as often as the control."""
        spec = self._services.registry.spec(self._request.model)
        if _DEFINITIONS not in spec.knowledge:
            return (), 0, f"{spec.title} reads no definitions in a prompt."
        request = replace(
            _evaluation(self._request, case, self._request.judge),
            seed=case.seed + 1,
            count=self._request.images,
            inject=(_DEFINITIONS,),
        )
        images = yield from self._judge_twice(request, injected=_DEFINITIONS)
        reason = "" if images else "No definition is known of what the prompt names."
        return images, len(images), reason

    def _repair(
        self, case: FailingImage, before: JudgedImage
    ) -> Generator[Spent, None, tuple[tuple[JudgedImage, ...], int, str]]:
        """Refine the prompt by what the selecting judge finds wrong, and take the last image."""
        request = RepairRequest(
            prompt=case.prompt,
            model=self._request.model,
            judge=self._request.judge,
            writer=self._request.writer,
            rounds=self._request.images,
            seed=case.seed,
            wording=self._request.wording,
        )
        rounds: list[RepairRound] = []
        spent: dict[str, float] = {}
        for event in repair_prompt(self._services, request, self._remaining_terms(), self._stop):
            match event:
                case RepairRound():
                    rounds.append(event)
                case Spent(run=run, amount=amount):
                    spent[run] = amount
                    yield event
                case _:
                    pass
        self._spent += sum(spent.values())
        judged = [each for each in rounds if each.image and each.score]
        if not judged:
            reason = rounds[-1].failure if rounds else ""
            return (), 0, reason or "No round of the repair was judged."
        last = judged[-1]
        if last.number == 0:
            if rounds[-1].failure:  # the refined prompt was not drawn, which repairs nothing
                return (), 0, f"The refined prompt was not drawn. {rounds[-1].failure}"
            return (before,), 0, ""
        image = yield from self._judge_refined(case, last)
        if image is None:
            return (), last.number, "The image of the refined prompt was not judged."
        return (image,), last.number, ""

    def _judge_refined(
        self, case: FailingImage, last: RepairRound
    ) -> Generator[Spent, None, JudgedImage | None]:
        """Have both judges look at the image of a refined prompt, by the first questions."""
        if last.path is None or last.image is None:
            return None
        origin = ImageOrigin(
            model=refined_model(self._request.model, last.number),
            seed=case.seed,
            file=f"run {last.draw_run}",
            sha256=last.image,
            layout=LAYOUT,
        )
        request = replace(
            _evaluation(self._request, case, self._request.judge),
            models=(),
            images=(last.path,),
            origins=(origin,),
        )
        images = yield from self._judge_twice(request)
        return replace(images[0], prompt=last.prompt) if images else None

    # --- judging

    def _judge_twice(
        self, request: EvaluateRequest, injected: str | None = None
    ) -> Generator[Spent, None, tuple[JudgedImage, ...]]:
        """Return the images of a request that both judges looked at, in the order of seeds."""
        selecting = yield from self._evaluate(request)
        evaluating = yield from self._evaluate(replace(request, judge=self._request.evaluate_by))
        images = []
        for generation, first in selecting.items():
            second = evaluating.get(generation)
            if first.injected != injected or second is None:
                continue
            if first.report is None or second.report is None:
                continue
            images.append(self._judged(request.prompt, first, second))
        return tuple(images)

    def _judged(self, prompt: str, first: _ReportedImage, second: _ReportedImage) -> JudgedImage:
        report = first.report
        other = second.report
        if report is None or other is None:
            raise ValueError("an image without both reports cannot be compared")
        return JudgedImage(
            image=first.image,
            path=first.path,
            prompt=prompt,
            evaluation=second.evaluation,
            score=report.score.value,
            facts=frozenset(verdict.question.text for verdict in report.verdicts),
            selecting=judged_facts(report.verdicts),
            evaluating=judged_facts(other.verdicts),
            truth=true_facts(self._services, first.image, report),
        )

    def _evaluate(
        self, request: EvaluateRequest
    ) -> Generator[Spent, None, dict[str, _ReportedImage]]:
        """Run a request within what is left of the budget; return its images by generation."""
        images: dict[str, _ReportedImage] = {}
        run = ""
        spent = 0.0
        for event in self._services.evaluate(request, self._stop, self._remaining_terms()):
            match event:
                case Queued(shots=shots):
                    for shot in shots:
                        _add_image(images, shot)  # those that exist already
                case Pictured(shot=shot):
                    _add_image(images, shot)
                case Evaluated(evaluation=evaluation):
                    run = event.run
                    known = images.get(evaluation.generation)
                    if known:
                        images[evaluation.generation] = replace(known, report=evaluation.report)
                case Spent(amount=amount):
                    spent = amount
                    yield event
                case Finished(stopped=stopped):
                    self._is_capped = self._is_capped or stopped
                case _:
                    pass
        self._spent += spent
        for row in self._services.store.evaluation_rows(run) if run else ():
            if row.generation in images and row.judge == request.judge:
                images[row.generation] = replace(images[row.generation], evaluation=row.id)
        return images

    def _remaining_terms(self) -> SpendingPolicy:
        return replace(self._terms, run=max(self._cap - self._spent, 0.0))


def _add_image(images: dict[str, _ReportedImage], shot: GeneratedPicture) -> None:
    if shot.image:
        images[shot.generation] = _ReportedImage(
            image=shot.image, path=shot.path, injected=shot.injected, report=None, evaluation=None
        )


def judged_facts(verdicts: tuple[Verdict, ...]) -> FactStates:
    """Return which facts a judge calls right; what has no answer is left out."""
    return {
        verdict.question.text: verdict.state == "correct"
        for verdict in verdicts
        if verdict.state in ("correct", "incorrect", "abstained")
    }


def true_facts(services: Services, image: str, report: Report) -> FactStates:
    """Return which facts of a drawing are right, {} for images of which that is not known.

    What people answered is no part of it.
    """
    questions = [verdict.question for verdict in report.verdicts]
    truths = true_answers(services.store, image, report.prompt, questions, people=False)
    return {
        question.text: truth.letter == question.gold
        for question, truth in zip(questions, truths, strict=True)
        if truth is not None and truth.is_drawn
    }


def _best(images: tuple[JudgedImage, ...]) -> JudgedImage:
    """Return the image with the highest score of the selecting judge, the first of equal ones."""
    return max(images, key=lambda image: -1.0 if image.score is None else image.score)
