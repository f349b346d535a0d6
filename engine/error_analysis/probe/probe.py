"""Runs a probe: draws and judges levels of a prompt, and spends its images where failure begins.

An image of which a question that counts has no answer counts neither as right nor as failed.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from hallascope.data.records import QuestionSet, Report
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.error_analysis.experiment import Experiment, writing_cost
from hallascope.engine.error_analysis.probe.failure_curve import (
    FIRST_IMAGES,
    LevelCounts,
    choose_by_curve,
    keep_worst_half,
    plan_halving,
)
from hallascope.engine.error_analysis.probe.levels import (
    ORDERED,
    WRITTEN_VERSIONS,
    AxisName,
    CannotVary,
    ProbeLevel,
    PromptVariation,
)
from hallascope.engine.error_analysis.probe.primer_levels import vary_primer_prompt
from hallascope.engine.error_analysis.probe.text_levels import AS_IT_IS, same_meaning, vary_text
from hallascope.engine.errors import BadRequest, require_count
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import CostEstimate, CostLine, multiply_line
from hallascope.engine.questions.generation import DEFAULT_POLICY
from hallascope.engine.run.primer_prompts import draws_primer_only
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.services import Services
from hallascope.metrics.ihalla.plan import NAME as IHALLA
from hallascope.metrics.prompt_variants import (
    are_readable_variants,
    ask_prompt_variants,
    likely_variants_request,
)

MOST_IMAGES = 2000  # of a model in one probe
_STEPS = 12  # about how often the levels that are drawn next are chosen
_RIGHT = "correct"
_WRONG = ("incorrect", "abstained")
_NO_ANSWER = "A question that counts has no answer."


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

    def evaluation(
        self, prompt: str, models: tuple[str, ...], *, seed: int, count: int
    ) -> EvaluateRequest:
        """Return the request that draws and judges `count` images of a level's prompt."""
        return EvaluateRequest(
            prompt=prompt,
            models=models,
            metrics=(IHALLA,),
            judge=self.judge,
            seed=seed,
            count=count,
            wording=self.wording,
        )


@dataclass(frozen=True, kw_only=True)
class ProbedImage:
    """Holds one image of a probe and whether it failed; `failed` None: that has no answer.

    `level` is the place of the level, `image` the SHA-256, None where none was made. `evaluation`
    is the id of what the judge said, None where it said nothing. `failure` is one sentence where
    there is no image or no answer.
    """

    model: str
    level: int
    image: str | None
    evaluation: int | None
    failed: bool | None
    failure: str


@dataclass(kw_only=True)
class ProbeOutcome:
    """Holds the images of a probe so far, of `total`. `stopped`: by the person or a cap."""

    request: ProbeRequest
    variation: PromptVariation
    images: list[ProbedImage] = field(default_factory=list)
    stopped: bool = False
    spent: float = 0.0

    @property
    def total(self) -> int:
        """Return how many images are drawn in all."""
        return self.request.images * len(self.request.models)

    def level_counts(self, model: str) -> list[LevelCounts]:
        """Return how many images of a model failed at each level, of those that were answered."""
        outcomes: list[list[bool]] = [[] for _ in self.variation.levels]
        for image in self.images:
            if image.model == model and image.failed is not None:
                outcomes[image.level].append(image.failed)
        return [
            LevelCounts(failed=sum(own), answered=len(own), value=level.value)
            for level, own in zip(self.variation.levels, outcomes, strict=True)
        ]

    def image_counts(self, model: str) -> list[int]:
        """Return how many images of a model each level has, answered or not."""
        places = [image.level for image in self.images if image.model == model]
        return [places.count(place) for place in range(len(self.variation.levels))]


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
        writer = services.registry.require(request.writer or "", "writer")
        versions = WRITTEN_VERSIONS[request.axis]
        asked = writing_cost(writer, [likely_variants_request(request.prompt, versions)])
    else:
        levels = _vary_by_rule(services, request).levels
    longest = max(levels, key=lambda level: len(level.prompt))
    expected = services.estimate(
        request.evaluation(longest.prompt, request.models, seed=request.seed, count=1),
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
) -> Iterator[ProbeOutcome]:
    """Yield the outcome before the first image, after each batch of images, and at the end.

    It is one object, which grows. The budget of a run holds for the whole probe. Raises BadRequest
    where the request is wrong, CannotVary where the prompt has no such levels, NoQuestions where it
    cannot be judged, and what `Services.evaluate` raises.
    """
    request = _checked(services, request)
    return _probe(Experiment(services, terms, stop), request)


def _probe(experiment: Experiment, request: ProbeRequest) -> Iterator[ProbeOutcome]:
    variation = _vary(experiment, request)
    _require_questions(experiment, request, variation)
    outcome = ProbeOutcome(request=request, variation=variation)
    yield outcome
    choose = _follow_curve if request.axis in ORDERED else _halve
    for model in request.models:
        for place, count in choose(outcome, model):
            if experiment.is_stopped():
                break
            outcome.images += _draw(experiment, outcome, model, place, count)
            outcome.spent = experiment.spent
            yield outcome
    outcome.stopped = experiment.is_stopped()
    outcome.spent = experiment.spent
    yield outcome


def _checked(services: Services, request: ProbeRequest) -> ProbeRequest:
    """Return the request with its prompt on one line. Raises BadRequest, UnknownModel."""
    if not request.models:
        raise BadRequest("No model is named: give one or more (--model), with commas between.")
    for model in request.models:
        services.registry.require(model, "generator")
    require_count("images", request.images, MOST_IMAGES, ", which each model draws")
    request = replace(request, prompt=checked_prompt(request.prompt))
    if request.axis not in ORDERED:
        levels = len(WRITTEN_VERSIONS.get(request.axis, ())) + 1
        if not _is_written(services, request):
            levels = len(_vary_by_rule(services, request).levels)
        if request.images < levels:
            raise BadRequest(
                f"{request.images} images are fewer than the {levels} levels of {request.axis}:"
                f" take {levels} or more (--images)."
            )
    return request


# --- the levels


def _draws_primer_only(services: Services, request: ProbeRequest) -> bool:
    return any(draws_primer_only(services.registry.spec(model)) for model in request.models)


def _vary_by_rule(services: Services, request: ProbeRequest) -> PromptVariation:
    """Return the levels of a prompt: of Primer's grammar where its models draw. CannotVary."""
    vary = vary_primer_prompt if _draws_primer_only(services, request) else vary_text
    return vary(request.prompt, request.axis)


def _is_written(services: Services, request: ProbeRequest) -> bool:
    """Return whether a writer writes the levels. Primer's models draw what their grammar says."""
    has_versions = bool(request.writer) and request.axis in WRITTEN_VERSIONS
    return has_versions and not _draws_primer_only(services, request)


def _vary(experiment: Experiment, request: ProbeRequest) -> PromptVariation:
    """Return the levels: by rule, or as the writer writes them. Raises CannotVary."""
    services = experiment.services
    if not _is_written(services, request):
        return _vary_by_rule(services, request)
    texts = services.wording_texts(request.wording)
    labels = WRITTEN_VERSIONS[request.axis]
    written = experiment.ask_writer(
        request.writer or "",
        lambda: ask_prompt_variants(request.prompt, labels, texts=texts),
        partial(are_readable_variants, prompt=request.prompt, versions=labels),
    )
    if written.value is None:
        raise CannotVary(written.problem)
    levels = same_meaning(request.prompt, {AS_IT_IS: request.prompt, **written.value})
    missing = [label for label in labels if label not in written.value]
    left_out = f" It wrote no version for: {', '.join(missing)}." if missing else ""
    note = f"A writer wrote the versions; read them before you believe a difference.{left_out}"
    return PromptVariation(levels=levels, note=note)


def _require_questions(
    experiment: Experiment, request: ProbeRequest, variation: PromptVariation
) -> None:
    """Have the writer make the questions of a prompt that has none. Raises NoQuestions."""
    judged = {level.judged_as for level in variation.levels if level.judged_as}
    for prompt in sorted(judged):
        if request.writer:
            wanted = request.evaluation(prompt, request.models, seed=request.seed, count=1)
            experiment.write_questions(replace(wanted, writer=request.writer))
        experiment.services.sets.for_prompt(prompt)


def _question_finder(services: Services, level: ProbeLevel) -> Callable[[str], QuestionSet] | None:
    """Return what finds the questions of a level, None where they are those of its own prompt."""
    if level.questions:
        return lambda prompt: QuestionSet(prompt=prompt, questions=level.questions, source="rule")
    if level.judged_as and level.judged_as != level.prompt:
        return lambda prompt: replace(services.sets.for_prompt(level.judged_as), prompt=prompt)
    return None


# --- which level is drawn next, and how many images of it


def _follow_curve(outcome: ProbeOutcome, model: str) -> Iterator[tuple[int, int]]:
    """Spend the images of a model where half of them fail, on an ordered axis."""
    import numpy as np

    left = outcome.request.images
    step = max(1, left // _STEPS)
    chance = np.random.default_rng(outcome.request.seed)
    while left > 0:
        drawn = outcome.image_counts(model)
        place = choose_by_curve(drawn, outcome.level_counts(model), chance)
        count = min(left, FIRST_IMAGES if drawn[place] < FIRST_IMAGES else step)
        yield place, count
        left -= count


def _halve(outcome: ProbeOutcome, model: str) -> Iterator[tuple[int, int]]:
    """Spend the images of a model on the levels that fail most, on any other axis."""
    left = outcome.request.images
    places: Sequence[int] = range(len(outcome.variation.levels))
    for each in plan_halving(len(places), left):
        for place in places if each else ():
            yield place, each
        left -= each * len(places)
        places = keep_worst_half(places, outcome.level_counts(model))
    if left:
        yield places[0], left


def _draw(
    experiment: Experiment, outcome: ProbeOutcome, model: str, place: int, count: int
) -> list[ProbedImage]:
    """Draw and judge some images of a level, the first of them with the next free seed."""
    level = outcome.variation.levels[place]
    seed = outcome.request.seed + outcome.image_counts(model)[place]
    request = outcome.request.evaluation(level.prompt, (model,), seed=seed, count=count)
    images = []
    for each in experiment.evaluate(request, _question_finder(experiment.services, level)):
        failed = has_failed(each.report, level.counted) if each.report else None
        failure = _NO_ANSWER if each.report and failed is None else each.failure
        images.append(
            ProbedImage(
                model=model,
                level=place,
                image=each.shot.image,
                evaluation=each.evaluation,
                failed=failed,
                failure=failure,
            )
        )
    return images
