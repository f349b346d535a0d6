"""Repairs a prompt: draw, judge, refine the prompt, until all is right or the rounds are used up.

I-HallA, appendix A and figure 6. Every round is judged by the questions of the first prompt, and
is stored as runs: one that drew the refined prompt, and one that judged its image. A question that
has no answer is never counted as wrong, and a round without a score ends the repair.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from hallascope.data.records import Score, Verdict
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.error_analysis.experiment import (
    Experiment,
    ExperimentImage,
    writing_cost,
)
from hallascope.engine.errors import require_count
from hallascope.engine.events import EvaluateRequest, ImageOrigin
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import CostEstimate, multiply_line
from hallascope.engine.questions.generation import DEFAULT_POLICY
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.services import Services
from hallascope.metrics.ihalla.plan import NAME as IHALLA
from hallascope.metrics.ihalla.prompt_repair import (
    add_facts,
    ask_refined_prompt,
    likely_request,
    readable,
    wrong_verdicts,
)
from hallascope.metrics.written import Written

MOST_ROUNDS = 10
LAYOUT = "refined prompt"  # how an image of a round was matched with its questions
_NOTHING_TO_ADD = (
    "The prompt states all that is wrong already, or would be too long: name a writer to go on."
)
_STOPPED = "Stopped: the same repair goes on where it was left."


@dataclass(frozen=True, kw_only=True)
class RepairRequest:
    """Holds a prompt to repair: who draws it, who judges, and who writes more explicit prompts.

    `writer` None: a rule adds the facts that were wrong. `rounds` is how many refined prompts are
    tried at most, after the prompt itself. All images have the same `seed`. `wording` names the
    pack of texts that judge and writer are sent, or its folder.
    """

    prompt: str
    model: str
    judge: str = "primer/judge"
    writer: str | None = None
    rounds: int = 3
    seed: int = 0
    wording: str = OURS

    @property
    def first(self) -> EvaluateRequest:
        """Return the evaluation of the prompt itself."""
        return EvaluateRequest(
            prompt=self.prompt,
            models=(self.model,),
            metrics=(IHALLA,),
            judge=self.judge,
            seed=self.seed,
            wording=self.wording,
        )


@dataclass(frozen=True, kw_only=True)
class RepairRound:
    """Holds one round: the prompt that was drawn, its image, and the score by the first questions.

    `number` is 0 for the prompt itself. `draw_run` made the image, `run` judged it; both are stored
    ("" where there is none). `image` is the SHA-256 of the image, None where none was made. `score`
    is in [0, 1] over the questions with an answer, None where nothing was judged. `wrong` are the
    questions that were answered wrongly. `failure` is one sentence where something failed.
    """

    number: int
    prompt: str
    draw_run: str = ""
    run: str = ""
    image: str | None = None
    path: Path | None = None
    score: Score | None = None
    wrong: tuple[Verdict, ...] = ()
    failure: str = ""


@dataclass(kw_only=True)
class Repair:
    """Holds the rounds of a repair so far, and what they cost in USD.

    `end` says why it ended, in one sentence, "" before; `repaired`: every question is answered
    right.
    """

    rounds: list[RepairRound] = field(default_factory=list)
    end: str = ""
    repaired: bool = False
    spent: float = 0.0
    unconfirmed: float = 0.0


def repair_estimate(
    services: Services, request: RepairRequest, terms: SpendingPolicy = DEFAULT_POLICY
) -> CostEstimate:
    """Return what a repair is likely to cost at most: all rounds, each drawn and judged anew.

    Raises what `Services.evaluate` raises, but asks for no consent.
    """
    require_count("rounds", request.rounds, MOST_ROUNDS)
    once = services.estimate(request.first, terms)
    lines = [multiply_line(line, request.rounds + 1) for line in once.lines]
    if request.writer:
        asked = [likely_request(request.prompt)] * request.rounds
        lines += writing_cost(services.registry.spec(request.writer), asked)
    return replace(once, lines=tuple(lines))


def repair_prompt(
    services: Services,
    request: RepairRequest,
    terms: SpendingPolicy = DEFAULT_POLICY,
    stop: threading.Event | None = None,
) -> Iterator[Repair]:
    """Yield the repair after each round, and once more when it has ended.

    It is one object, which grows. The budget of a run holds for the whole repair. Raises BadRequest
    where the request is wrong, NoQuestions where the prompt has none, and what `Services.evaluate`
    raises.
    """
    require_count("rounds", request.rounds, MOST_ROUNDS)
    request = replace(request, prompt=checked_prompt(request.prompt))
    services.sets.for_prompt(request.prompt)  # without questions nothing can be judged
    return repair_rounds(Experiment(services, terms, stop), request)


def repair_rounds(experiment: Experiment, request: RepairRequest) -> Iterator[Repair]:
    """Yield the repair after each round and at its end, as a part of an experiment."""
    repair = Repair()
    before = experiment.spent, experiment.unconfirmed
    prompt = request.prompt
    while not repair.end:
        done = _round(experiment, request, len(repair.rounds), prompt)
        repair.rounds.append(done)
        yield repair
        repair.end, repair.repaired = _end(experiment, request, done)
        if not repair.end:
            refined = _refine(experiment, request, prompt, done)
            prompt, repair.end = refined.value or "", refined.problem
        repair.spent = experiment.spent - before[0]
        repair.unconfirmed = experiment.unconfirmed - before[1]
    yield repair


def judge_refined(request: RepairRequest, done: RepairRound) -> EvaluateRequest:
    """Return the request that judges a round's image by the questions of the first prompt.

    The image counts on leaderboards under a name of its own, as what was drawn is another prompt.
    """
    if done.path is None or done.image is None:
        raise ValueError(f"round {done.number} has no image to judge")
    origin = ImageOrigin(
        model=f"{request.model} + refined prompt {done.number}",
        seed=request.seed,
        file=f"run {done.draw_run}",
        sha256=done.image,
        layout=LAYOUT,
    )
    return replace(request.first, models=(), images=(done.path,), origins=(origin,))


def _end(experiment: Experiment, request: RepairRequest, done: RepairRound) -> tuple[str, bool]:
    """Return why no further round is drawn, "" where one is, and whether the prompt is repaired."""
    if experiment.stop.is_set():
        return _STOPPED, False
    if done.failure or done.score is None or done.score.value is None:
        return done.failure or "No question was answered, so the round has no score.", False
    if done.wrong and done.number < request.rounds:
        return "", False
    if done.wrong:
        return (
            f"After {request.rounds} refined prompts the image still gets {len(done.wrong)} of its"
            " questions wrong.",
            False,
        )
    if done.score.left_out:
        return (
            f"No question is answered wrongly, but {done.score.left_out} have no answer: the same"
            " repair asks them again.",
            False,
        )
    return "Every question is answered right.", True


def _round(experiment: Experiment, request: RepairRequest, number: int, prompt: str) -> RepairRound:
    """Draw a prompt and judge its image by the questions of the first one."""
    if number == 0:
        [image] = experiment.evaluate(request.first)
        return _judged_round(RepairRound(number=0, prompt=prompt, draw_run=image.run), image)
    [drawn] = experiment.evaluate(replace(request.first, prompt=prompt, judge=None))
    done = RepairRound(
        number=number,
        prompt=prompt,
        draw_run=drawn.run,
        image=drawn.shot.image,
        path=drawn.shot.path,
        failure=drawn.failure,
    )
    if done.path is None or done.image is None:
        return done
    [judged] = experiment.evaluate(judge_refined(request, done))
    return _judged_round(done, judged)


def _judged_round(done: RepairRound, judged: ExperimentImage) -> RepairRound:
    report = judged.report
    return replace(
        done,
        run=judged.run,
        image=done.image or judged.shot.image,
        path=done.path or judged.shot.path,
        score=report.score if report else None,
        wrong=wrong_verdicts(report) if report else (),
        failure=judged.failure or done.failure,
    )


def _refine(
    experiment: Experiment, request: RepairRequest, prompt: str, done: RepairRound
) -> Written[str]:
    """Return a more explicit prompt: the writer's, or that of the rule without a writer."""
    if request.writer is None:
        text = add_facts(prompt, done.wrong)
        return Written(problem=_NOTHING_TO_ADD) if text == prompt else Written(text)
    texts = experiment.services.wording_texts(request.wording)
    return experiment.ask_writer(
        request.writer,
        lambda: ask_refined_prompt(request.prompt, prompt, done.wrong, prompts=texts),
        readable,
    )
