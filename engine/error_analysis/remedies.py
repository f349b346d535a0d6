"""Tries remedies for failing images beside a control of equal cost.

All images and verdicts are those of runs, so what is stored is neither drawn nor asked again, and
the same experiment goes on where it was left.
"""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from hallascope.data.benchmarks.prompt_files import read_entries
from hallascope.data.benchmarks.prompt_lists import prompt_of
from hallascope.data.files.tables import Complaint
from hallascope.data.records import Report, Verdict
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.error_analysis.experiment import Experiment, writing_cost
from hallascope.engine.error_analysis.remedy_effects import EffectView, FactStates
from hallascope.engine.error_analysis.repair import (
    MOST_ROUNDS,
    RepairRequest,
    judge_refined,
    repair_rounds,
)
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import BadRequest, require_count, require_name, sentence
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.images.true_answers import true_answers
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import CostEstimate, multiply_line
from hallascope.engine.questions.generation import DEFAULT_POLICY
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.prompt_repair import likely_request

RemedyName = Literal["best-of-n", "definitions", "prompt-repair"]
REMEDIES: Mapping[RemedyName, str] = {
    "best-of-n": "The best of several fresh images, by the selecting judge",
    "definitions": "The prompt with definitions of what it names",
    "prompt-repair": "The prompt with the facts that were wrong, round by round (I-HallA)",
}
ALL_REMEDIES: tuple[RemedyName, ...] = get_args(RemedyName)
MOST_CASES = 1000
_DEFINITIONS = "text"


class FailingImage(NamedTuple):
    """Names an image that is to be repaired by its prompt and seed."""

    prompt: str
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class RemedyRequest:
    """Holds what a repair experiment is asked for.

    Each remedy draws `images` for each failing image, and so does the control. `judge` selects the
    best image and says what a repaired prompt must state; `evaluate_by` is another judge, whose
    verdicts count. `writer` None: a rule adds the facts that were wrong.
    """

    cases: tuple[FailingImage, ...]
    model: str
    judge: str
    evaluate_by: str
    images: int = 4
    remedies: tuple[RemedyName, ...] = ALL_REMEDIES
    writer: str | None = None
    wording: str = OURS

    @property
    def images_in_all(self) -> int:
        """Return how many images are drawn at most; best of N takes those of the control."""
        drawing = sum(remedy != "best-of-n" for remedy in self.remedies)
        return len(self.cases) * (1 + self.images * (1 + drawing))

    def repair(self, case: FailingImage) -> RepairRequest:
        """Return the repair of the prompt of a failing image."""
        return RepairRequest(
            prompt=case.prompt,
            model=self.model,
            judge=self.judge,
            writer=self.writer,
            rounds=self.images,
            seed=case.seed,
            wording=self.wording,
        )


@dataclass(frozen=True, kw_only=True)
class TreatedImage:
    """Holds one image with what each judge says of its facts, and what is true of them (`states`).

    `evaluation` is the id of what the evaluating judge said. `score` is that of the selecting
    judge, in [0, 1], `facts` are all that was asked.
    """

    evaluation: int | None
    score: float | None = None
    facts: frozenset[str] = frozenset()
    states: Mapping[EffectView, FactStates] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class TreatedCase:
    """Holds a failing image with the fresh images of the control and those of each remedy.

    A remedy that could not be tried is in `not_tried` with one sentence. `drawn` says how many
    images a remedy took.
    """

    case: FailingImage
    before: TreatedImage
    control: tuple[TreatedImage, ...]
    after: dict[RemedyName, tuple[TreatedImage, ...]]
    not_tried: dict[RemedyName, str] = field(default_factory=dict)
    drawn: dict[RemedyName, int] = field(default_factory=dict)


@dataclass(kw_only=True)
class RemedyOutcome:
    """Holds what was drawn so far. `stopped`: by the person or a cap."""

    request: RemedyRequest
    treated: list[TreatedCase] = field(default_factory=list)
    left_out: list[tuple[FailingImage, str]] = field(default_factory=list)
    stopped: bool = False
    spent: float = 0.0

    @property
    def done(self) -> int:
        """Return how many failing images are done, treated or not."""
        return len(self.treated) + len(self.left_out)


# --- what is asked for


def failing_images(
    store: Store, selection: ErrorSelection, model: str, most: int | None = None
) -> tuple[FailingImage, ...]:
    """Return the images of a model in which something is wrong, one of each prompt.

    Of several images of a prompt it is the one that was judged first, so that how wrong an image is
    does not decide whether it is taken. `most`: so many prompts, the first ones.
    """
    images = read_judged_images(store, selection).images
    own = images[(images["model"] == model) & (images["trial"] == 0) & (images["error"] > 0)]
    first = own.drop_duplicates("prompt", keep="first").head(len(own) if most is None else most)
    return tuple(
        FailingImage(str(prompt), int(seed))
        for prompt, seed in zip(first["prompt"], first["seed"], strict=True)
    )


def prompts_of_file(path: Path, seed: int = 0) -> tuple[FailingImage, ...]:
    """Return the prompts of a file, a prompt a line or a table with a column `prompt`.

    Raises BadRequest where it cannot be read, whole or in part.
    """
    complaints: list[Complaint] = []
    try:
        prompts = [prompt_of(entry) for entry in read_entries(path, complaints)]
    except (ValueError, OSError) as problem:
        raise BadRequest(sentence(problem)) from problem
    if complaints:
        raise BadRequest(str(complaints[0]))
    return tuple(FailingImage(prompt, seed) for prompt in dict.fromkeys(prompts))


def parse_remedies(names: tuple[str, ...]) -> tuple[RemedyName, ...]:
    """Return the remedies of these names, all where none is named. Raises BadRequest."""
    chosen = {require_name("remedy", name, ALL_REMEDIES) for name in names or ALL_REMEDIES}
    return tuple(remedy for remedy in ALL_REMEDIES if remedy in chosen)


def _check(services: Services, request: RemedyRequest) -> None:
    """Raise BadRequest, UnknownModel or Unavailable where the experiment cannot be run."""
    registry = services.registry
    registry.require(request.model, "generator")
    for judge in (request.judge, request.evaluate_by):
        registry.require(judge, "judge")
    problem = ""
    if not request.cases:
        problem = (
            "There is no failing image to repair: name a run with errors (--run), or prompts"
            " (--prompts)."
        )
    elif len(request.cases) > MOST_CASES:
        problem = f"{len(request.cases):,} images are to be repaired: name at most {MOST_CASES:,}."
    if problem:
        raise BadRequest(problem)
    require_count("images", request.images, MOST_ROUNDS)
    if not request.remedies:
        raise BadRequest(f"No remedy is chosen: choose one of {', '.join(REMEDIES)}.")
    asked = ({spec.id for spec in registry.with_members(name)} for name in _judges(request))
    shared = sorted(set.intersection(*asked))
    if shared:
        one, other = _judges(request)
        reason = f"{one!r} and {other!r} both ask {shared[0]!r}"
        if one == other:
            reason = f"{one!r} would evaluate what it selected itself"
        raise BadRequest(
            f"{reason}, so that a remedy could win by fooling it: choose another judge to evaluate"
            " (--evaluate-by)."
        )


def _judges(request: RemedyRequest) -> tuple[str, str]:
    return request.judge, request.evaluate_by


def remedies_estimate(
    services: Services, request: RemedyRequest, terms: SpendingPolicy = DEFAULT_POLICY
) -> CostEstimate:
    """Return what an experiment is likely to cost at most: all drawn and judged twice anew.

    Raises what `try_remedies` raises, but asks for no consent.
    """
    _check(services, request)
    longest = max(request.cases, key=lambda case: len(case.prompt))
    first = request.repair(longest).first
    expected = services.estimate(first, terms)
    second = services.estimate(replace(first, judge=request.evaluate_by), terms)
    judged_again = [line for line in second.lines if line.model != request.model]
    lines = [
        multiply_line(line, request.images_in_all) for line in (*expected.lines, *judged_again)
    ]
    if request.writer and "prompt-repair" in request.remedies:
        once = likely_request(longest.prompt)
        written = writing_cost(services.registry.spec(request.writer), [once])
        lines += [multiply_line(line, request.images * len(request.cases)) for line in written]
    return replace(expected, lines=tuple(lines))


# --- the experiment


def try_remedies(
    services: Services,
    request: RemedyRequest,
    terms: SpendingPolicy = DEFAULT_POLICY,
    stop: threading.Event | None = None,
) -> Iterator[RemedyOutcome]:
    """Yield the outcome after each failing image, and once more at the end.

    It is one object, which grows. The budget of a run holds for the whole experiment. Raises
    BadRequest where the request is wrong, and what `Services.evaluate` raises.
    """
    _check(services, request)
    return _Treatment(Experiment(services, terms, stop), request).outcomes()


class _CannotTreat(Exception):
    """Raised where a remedy or a failing image cannot be treated; the message says why."""


class _Treatment:
    """Treats the failing images of a request, one after the other."""

    def __init__(self, experiment: Experiment, request: RemedyRequest) -> None:
        self._experiment = experiment
        self._request = request

    def outcomes(self) -> Iterator[RemedyOutcome]:
        experiment = self._experiment
        outcome = RemedyOutcome(request=self._request)
        for case in self._request.cases:
            if experiment.is_stopped():
                break
            treated: TreatedCase | None = None
            reason = ""
            try:
                treated = self._treat(case)
            except (_CannotTreat, BadRequest) as problem:
                reason = str(problem)
            outcome.spent = experiment.spent
            if experiment.is_stopped():
                break  # what was stopped within is not whole
            if treated:
                outcome.treated.append(treated)
            else:
                outcome.left_out.append((case, reason))
            yield outcome
        outcome.stopped = experiment.is_stopped()
        yield outcome

    def _treat(self, case: FailingImage) -> TreatedCase:
        request = self._request
        first = request.repair(case).first
        before = self._judge_twice(first)
        if not before:
            raise _CannotTreat(f"{case.prompt!r}: the image itself was not made or not judged.")
        fresh = replace(first, seed=case.seed + 1, count=request.images)
        control = self._judge_twice(fresh)
        if not control:
            raise _CannotTreat(f"{case.prompt!r}: no fresh image was made.")
        treated = TreatedCase(case=case, before=before[0], control=control, after={})
        images: tuple[TreatedImage, ...]
        for remedy in request.remedies:
            count = 0
            try:
                match remedy:
                    case "best-of-n":
                        images, count = (_best(control),), len(control)
                    case "definitions":
                        images = self._define(fresh)
                        count = len(images)
                    case "prompt-repair":
                        images, count = self._repair(case, before)
                treated.after[remedy] = images
            except _CannotTreat as problem:
                treated.not_tried[remedy] = str(problem)
            treated.drawn[remedy] = count
        return treated

    def _define(self, fresh: EvaluateRequest) -> tuple[TreatedImage, ...]:
        """Draw the prompt with definitions, as often as the control."""
        spec = self._experiment.services.registry.spec(self._request.model)
        if _DEFINITIONS not in spec.knowledge:
            raise _CannotTreat(f"{spec.title} reads no definitions in a prompt.")
        images = self._judge_twice(replace(fresh, inject=(_DEFINITIONS,)), injected=_DEFINITIONS)
        if not images:
            raise _CannotTreat("No definition is known of what the prompt names.")
        return images

    def _repair(
        self, case: FailingImage, before: tuple[TreatedImage, ...]
    ) -> tuple[tuple[TreatedImage, ...], int]:
        """Refine the prompt by what the selecting judge finds wrong, and take the last image."""
        request = self._request.repair(case)
        *_, repair = repair_rounds(self._experiment, request)
        failure = repair.rounds[-1].failure
        judged = [each for each in repair.rounds if each.image and each.score]
        if not judged:
            raise _CannotTreat(failure or "No round of the repair was judged.")
        last = judged[-1]
        if last.number == 0:
            has_no_fact_to_add = self._request.writer is None and last.wrong and not failure
            if repair.repaired or has_no_fact_to_add:
                return before[:1], 0
            raise _CannotTreat(f"No refined prompt was drawn. {failure or repair.end}")
        images = self._judge_twice(judge_refined(request, last))
        if not images:
            raise _CannotTreat("The image of the refined prompt was not judged.")
        return images[:1], last.number

    def _judge_twice(
        self, request: EvaluateRequest, injected: str | None = None
    ) -> tuple[TreatedImage, ...]:
        """Return the images of a request that both judges looked at, in the order of seeds."""
        experiment = self._experiment
        selecting = experiment.evaluate(request)
        evaluating = experiment.evaluate(replace(request, judge=self._request.evaluate_by))
        others = {each.shot.generation: each for each in evaluating}
        images = []
        for first in selecting:
            second = others.get(first.shot.generation)
            report, image = first.report, first.shot.image
            is_wanted = first.shot.injected == injected and image
            if not (is_wanted and report and second and second.report):
                continue
            images.append(
                TreatedImage(
                    evaluation=second.evaluation,
                    score=report.score.value,
                    facts=frozenset(verdict.question.text for verdict in report.verdicts),
                    states={
                        "selecting": judged_facts(report.verdicts),
                        "evaluating": judged_facts(second.report.verdicts),
                        "truth": true_facts(experiment.services.store, str(image), report),
                    },
                )
            )
        return tuple(images)


def judged_facts(verdicts: tuple[Verdict, ...]) -> FactStates:
    """Return which facts a judge calls right; what has no answer is left out."""
    return {
        verdict.question.text: verdict.state == "correct"
        for verdict in verdicts
        if verdict.state in ("correct", "incorrect", "abstained")
    }


def true_facts(store: Store, image: str, report: Report) -> FactStates:
    """Return which facts of a drawing are right, {} for images of which that is not known.

    What people answered is no part of it.
    """
    questions = [verdict.question for verdict in report.verdicts]
    truths = true_answers(store, image, report.prompt, questions, people=False)
    return {
        question.text: truth.letter == question.gold
        for question, truth in zip(questions, truths, strict=True)
        if truth is not None and truth.is_drawn
    }


def _best(images: tuple[TreatedImage, ...]) -> TreatedImage:
    """Return the image with the highest score of the selecting judge, the first of equal ones."""
    return max(images, key=lambda image: -1.0 if image.score is None else image.score)
