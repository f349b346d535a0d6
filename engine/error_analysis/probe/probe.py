"""Runs a probe: draws and judges levels of a prompt, and spends its images where failure begins.

The images and answers are those of runs: what is stored already is neither drawn nor asked again,
and the same probe goes on where it was left. An image of which a question that counts has no answer
counts neither as right nor as failed.
"""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hallascope.data.records import QuestionSet, Report
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.error_analysis.probe import allocation
from hallascope.engine.error_analysis.probe.failure_curve import LevelCounts
from hallascope.engine.error_analysis.probe.levels import (
    ORDERED,
    WRITTEN_VERSIONS,
    AxisName,
    ProbeLevel,
    PromptVariation,
)
from hallascope.engine.error_analysis.probe.text_levels import same_meaning
from hallascope.engine.error_analysis.probe.variations import (
    AS_IT_IS,
    is_written,
    vary_by_rule,
    vary_by_writer,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    EvaluationFailed,
    Event,
    Finished,
    Pictured,
    PictureFailed,
    Queued,
    Spent,
)
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.likely_costs import (
    CostEstimate,
    CostLine,
    cost_line,
    multiply_line,
)
from hallascope.engine.questions.generation import DEFAULT_POLICY
from hallascope.engine.run.estimate import costs
from hallascope.engine.run.prompt_understanding import draws_primer_only
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.services import Services
from hallascope.engine.writer_plan import WriterTerms, run_writer_plan
from hallascope.metrics.ihalla.plan import NAME as IHALLA
from hallascope.metrics.prompt_variants import (
    PromptVariants,
    are_readable_variants,
    ask_prompt_variants,
    likely_variants_request,
)

MOST_IMAGES = 2000  # of a model in one probe
_STEPS = 12  # about how often the levels that are drawn next are chosen
_RIGHT = "correct"
_WRONG = ("incorrect", "abstained")


@dataclass(frozen=True, kw_only=True)
class ProbeRequest:
    """Holds what is probed: a prompt, the axis it is varied on, the models, and the judge.

    `images` is how many images each model draws in all. The seeds of a level are `seed`, `seed` +
    1, ... `writer` writes the questions of a prompt that has none, and versions of the prompt in
    other words or languages, for models that draw any prompt. `wording` names the pack of
    texts that the models are sent, or its folder.
    """

    prompt: str
    axis: AxisName
    models: tuple[str, ...]
    judge: str = "primer/judge"
    images: int = 60
    seed: int = 0
    writer: str | None = None
    wording: str = OURS


@dataclass(frozen=True, kw_only=True)
class ProbedImage:
    """Holds one image of a probe and whether it failed; `failed` None: that has no answer.

    `level` is the place of the level. `evaluation` is the id of what the judge said, None where it
    said nothing. `failure` is one sentence where there is no image or no answer.
    """

    model: str
    level: int
    seed: int
    image: str | None = None
    run: str = ""
    evaluation: int | None = None
    failed: bool | None = None
    failure: str = ""


@dataclass(frozen=True, kw_only=True)
class ProbeStart:
    """The first event: the levels, and how many images are drawn in all."""

    variation: PromptVariation
    images: int


@dataclass(frozen=True, kw_only=True)
class ProbeOutcome:
    """The last event: all images of a probe. `stopped`: by the person or a cap."""

    request: ProbeRequest
    variation: PromptVariation
    images: tuple[ProbedImage, ...]
    stopped: bool = False
    spent: float = 0.0

    def level_counts(self, model: str) -> tuple[LevelCounts, ...]:
        """Return how many images of a model failed at each level."""
        return count_levels(self.variation.levels, [i for i in self.images if i.model == model])


ProbeEvent = ProbeStart | ProbedImage | Spent | ProbeOutcome


def count_levels(
    levels: Sequence[ProbeLevel], images: Sequence[ProbedImage]
) -> tuple[LevelCounts, ...]:
    """Return how many images failed at each level, of those that were answered."""
    counts = []
    for place, level in enumerate(levels):
        outcomes = [i.failed for i in images if i.level == place and i.failed is not None]
        counts.append(LevelCounts(failed=sum(outcomes), answered=len(outcomes), value=level.value))
    return tuple(counts)


def has_failed(report: Report, counted: frozenset[str]) -> bool | None:
    """Return whether a question that counts is answered wrongly; None where one has no answer.

    `counted` are texts of questions; empty: all count.
    """
    states = [
        verdict.state
        for verdict in report.verdicts
        if not counted or verdict.question.text in counted
    ]
    if not states or any(state != _RIGHT and state not in _WRONG for state in states):
        return None
    return any(state in _WRONG for state in states)


def probe_estimate(
    services: Services, request: ProbeRequest, terms: SpendingPolicy = DEFAULT_POLICY
) -> CostEstimate:
    """Return what a probe is likely to cost at most: every image drawn and judged anew.

    What a writer is asked for other prompts is not in it. Raises what `run_probe` raises, but asks
    for no consent.
    """
    request = _checked(services, request)
    asked: list[CostLine] = []
    if _is_written(services, request):
        levels = same_meaning(request.prompt, {AS_IT_IS: request.prompt})
        asked = _writing_cost(services, request)
    else:
        levels = _vary_by_rule(services, request).levels
    longest = max(levels, key=lambda level: len(level.prompt))
    expected = services.estimate(
        _evaluation(request, longest, request.models, seed=request.seed, count=1),
        terms,
        _question_finder(services, longest),
    )
    lines = [multiply_line(line, request.images) for line in expected.lines]
    return replace(expected, lines=(*asked, *lines))


def run_probe(
    services: Services,
    request: ProbeRequest,
    terms: SpendingPolicy = DEFAULT_POLICY,
    stop: threading.Event | None = None,
) -> Iterator[ProbeEvent]:
    """Yield the levels, each image as it is judged, what it cost, and last all of them.

    The budget of a run holds for the whole probe. Raises BadRequest where the request is wrong,
    CannotVary where the prompt has no such levels, NoQuestions where it cannot be judged, and what
    `Services.evaluate` raises.
    """
    request = _checked(services, request)
    return _Probe(services, request, terms, stop or threading.Event()).events()


def _checked(services: Services, request: ProbeRequest) -> ProbeRequest:
    """Return the request with its prompt on one line. Raises BadRequest, UnknownModel."""
    if not request.models:
        raise BadRequest("No model is named: give one or more (--model), with commas between.")
    for model in request.models:
        services.registry.require(model, "generator")
    if not 1 <= request.images <= MOST_IMAGES:
        raise BadRequest(
            f"The number of images is {request.images!r}: give a whole number from 1 to"
            f" {MOST_IMAGES:,}, which each model draws."
        )
    return replace(request, prompt=checked_prompt(request.prompt))


def _draws_primer_only(services: Services, request: ProbeRequest) -> bool:
    return any(draws_primer_only(services.registry.spec(model)) for model in request.models)


def _vary_by_rule(services: Services, request: ProbeRequest) -> PromptVariation:
    primer_only = _draws_primer_only(services, request)
    return vary_by_rule(request.prompt, request.axis, primer_only=primer_only)


def _is_written(services: Services, request: ProbeRequest) -> bool:
    primer_only = _draws_primer_only(services, request)
    return is_written(request.axis, request.writer, primer_only=primer_only)


def _writing_cost(services: Services, request: ProbeRequest) -> list[CostLine]:
    """Return what the writer's one reply is likely to cost; nothing where it costs nothing."""
    spec = services.registry.require(request.writer or "", "writer")
    if not costs(spec):
        return []
    asked = [likely_variants_request(request.prompt, WRITTEN_VERSIONS[request.axis])]
    return [cost_line(spec.id, asked, spec.price, spec.settings)]


def _evaluation(
    request: ProbeRequest, level: ProbeLevel, models: tuple[str, ...], *, seed: int, count: int
) -> EvaluateRequest:
    return EvaluateRequest(
        prompt=level.prompt,
        models=models,
        metrics=(IHALLA,),
        judge=request.judge,
        seed=seed,
        count=count,
        wording=request.wording,
    )


def _question_finder(services: Services, level: ProbeLevel) -> Callable[[str], QuestionSet] | None:
    """Return what finds the questions of a level, None where they are those of its own prompt."""
    if level.questions:
        return lambda prompt: QuestionSet(prompt=prompt, questions=level.questions, source="rule")
    if level.judged_as:
        return lambda prompt: replace(services.sets.for_prompt(level.judged_as), prompt=prompt)
    return None


class _Probe:
    """Holds the state of one probe: its images so far, and what was spent."""

    def __init__(
        self,
        services: Services,
        request: ProbeRequest,
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
        self._images: list[ProbedImage] = []

    def events(self) -> Iterator[ProbeEvent]:
        request = self._request
        variation = yield from self._vary()
        yield from self._require_questions(variation)
        yield ProbeStart(variation=variation, images=request.images * len(request.models))
        for model in request.models:
            if request.axis in ORDERED:
                yield from self._follow_curve(model, variation.levels)
            else:
                yield from self._halve(model, variation.levels)
        yield ProbeOutcome(
            request=request,
            variation=variation,
            images=tuple(self._images),
            stopped=self._is_stopped(),
            spent=self._spent,
        )

    def _vary(self) -> Generator[Spent, None, PromptVariation]:
        """Return the levels: by rule, or as the writer writes them. Raises CannotVary."""
        request = self._request
        if not _is_written(self._services, request):
            return _vary_by_rule(self._services, request)
        asked = WriterTerms(request.writer or "", self._remaining_terms(), self._stop)
        texts = self._services.wording_texts(request.wording)
        written, cost = yield from run_writer_plan(
            self._services,
            asked,
            lambda: ask_prompt_variants(
                request.prompt, WRITTEN_VERSIONS[request.axis], texts=texts
            ),
            are_readable_variants,
            PromptVariants(problem="Stopped: the same probe goes on where it was left."),
        )
        self._spent += cost
        return vary_by_writer(request.prompt, request.axis, written)

    def _is_stopped(self) -> bool:
        return self._stop.is_set() or self._is_capped

    def _require_questions(self, variation: PromptVariation) -> Iterator[Spent]:
        """Have the writer make the questions of a prompt that has none. Raises NoQuestions."""
        judged = {level.judged_as for level in variation.levels if level.judged_as}
        for prompt in sorted(judged):
            if self._request.writer:
                wanted = replace(
                    _evaluation(
                        self._request,
                        ProbeLevel(label="", prompt=prompt),
                        self._request.models,
                        seed=self._request.seed,
                        count=1,
                    ),
                    writer=self._request.writer,
                )
                for event in self._services.write_missing_questions(
                    wanted, self._remaining_terms(), self._stop
                ):
                    if isinstance(event, Spent):
                        yield event
            self._services.sets.for_prompt(prompt)

    # --- which level is drawn next

    def _follow_curve(self, model: str, levels: Sequence[ProbeLevel]) -> Iterator[ProbeEvent]:
        """Spend the images of a model where half of them fail, on an ordered axis."""
        import numpy as np

        left = self._request.images
        step = max(1, left // _STEPS)
        chance = np.random.default_rng(self._request.seed)
        own: list[ProbedImage] = []
        while left > 0 and not self._is_stopped():
            drawn = _images_by_level(levels, own)
            place = allocation.choose_by_curve(drawn, count_levels(levels, own), chance)
            is_first = drawn[place] < allocation.FIRST_IMAGES
            count = min(left, allocation.FIRST_IMAGES if is_first else step)
            own += yield from self._draw(model, levels, place, drawn[place], count)
            left -= count

    def _halve(self, model: str, levels: Sequence[ProbeLevel]) -> Iterator[ProbeEvent]:
        """Spend the images of a model on the levels that fail most, on any other axis."""
        own: list[ProbedImage] = []
        places = list(range(len(levels)))
        for each in allocation.plan_halving(len(levels), self._request.images):
            for place in places:
                if not each or self._is_stopped():
                    return
                drawn = _images_by_level(levels, own)[place]
                own += yield from self._draw(model, levels, place, drawn, each)
            places = allocation.keep_worst_half(places, count_levels(levels, own))

    # --- images

    def _draw(
        self, model: str, levels: Sequence[ProbeLevel], place: int, first: int, count: int
    ) -> Generator[ProbeEvent, None, list[ProbedImage]]:
        """Draw and judge some images of a level, the first of them with the next free seed."""
        level = levels[place]
        seed = self._request.seed + first
        evaluation = _evaluation(self._request, level, (model,), seed=seed, count=count)
        batch = _Batch(model, place)
        spent = 0.0
        for event in self._services.evaluate(
            evaluation,
            self._stop,
            self._remaining_terms(),
            _question_finder(self._services, level),
        ):
            batch.add(event, level.counted)
            if isinstance(event, Spent):
                spent = event.amount
                yield event
        self._spent += spent
        self._is_capped = self._is_capped or batch.is_stopped
        images = batch.images(self._services)
        self._images += images
        yield from images
        return images

    def _remaining_terms(self) -> SpendingPolicy:
        return replace(self._terms, run=max(self._cap - self._spent, 0.0))


def _images_by_level(levels: Sequence[ProbeLevel], images: Sequence[ProbedImage]) -> list[int]:
    return [sum(image.level == place for image in images) for place in range(len(levels))]


class _Batch:
    """Gathers the images of one run of a level."""

    def __init__(self, model: str, level: int) -> None:
        self._model = model
        self._level = level
        self._run = ""
        self._images: dict[str, ProbedImage] = {}
        self.is_stopped = False

    def add(self, event: Event, counted: frozenset[str]) -> None:
        match event:
            case Queued(run=run, shots=shots):
                self._run = run
                for shot in shots:
                    self._images[shot.generation] = ProbedImage(
                        model=self._model, level=self._level, seed=shot.seed, run=run
                    )
            case Pictured(shot=shot):
                self._change(shot.generation, image=shot.image)
            case PictureFailed(shot=shot):
                reason = shot.failure.message if shot.failure else "The image was not made."
                self._change(shot.generation, failure=reason)
            case Evaluated(evaluation=evaluation):
                failed = has_failed(evaluation.report, counted)
                reason = "" if failed is not None else "A question that counts has no answer."
                self._change(evaluation.generation, failed=failed, failure=reason)
            case EvaluationFailed(generation=generation, failure=failure):
                self._change(generation, failure=failure.message)
            case Finished(stopped=stopped):
                self.is_stopped = stopped
            case _:
                pass

    def images(self, services: Services) -> list[ProbedImage]:
        """Return the images by seed, each with the id of its evaluation."""
        rows = services.store.evaluation_rows(self._run)
        ids = {row.generation: row.id for row in rows if row.metric == IHALLA}
        for generation, evaluation in ids.items():
            self._change(generation, evaluation=evaluation)
        return sorted(self._images.values(), key=lambda image: image.seed)

    def _change(self, generation: str, **values: Any) -> None:
        if generation in self._images:
            self._images[generation] = replace(self._images[generation], **values)
