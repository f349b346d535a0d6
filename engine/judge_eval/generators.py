"""Puts generators on trial: their I-HallA scores on the same prompts and seeds, with intervals.

It prints nothing.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hallascope.data.records import CoI
from hallascope.data.requests import Ask, Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    EvaluationFailed,
    Pictured,
    PictureFailed,
)
from hallascope.engine.services import Services
from hallascope.metrics import aggregate
from hallascope.metrics.aggregate import Mean, ReportRow
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts

SHOWN = "What is shown in the image?"


@dataclass(frozen=True, kw_only=True)
class GeneratorComparison:
    """Holds generators on the same prompts and seeds: each one's mean score and interval.

    They are in the order asked for.

    `failures`: pictures and evaluations that are not there, by model; they are in no mean.
    """

    judge: str
    prompts: int
    seeds: int
    score: Mapping[str, Mean]
    strict: Mapping[str, Mean]
    coi: Mapping[str, Mapping[CoI, Mean]]
    failures: Mapping[str, int]

    @property
    def is_separated(self) -> bool:
        """Whether no intervals of neighbours overlap, from the best model down."""
        found = sorted(self.score.values(), key=lambda mean: -(mean.value or 0.0))
        return all(
            one.low is not None and other.high is not None and one.low > other.high
            for one, other in pairwise(found)
        )


def compare(
    services: Services,
    models: Sequence[str],
    judge: str,
    prompts: Sequence[str] | None = None,
    seeds: int = 2,
    *,
    tell: Callable[[int, int], None] = lambda done, of: None,
    stop: threading.Event | None = None,
) -> GeneratorComparison:
    """Draw every prompt with every model and seed, and judge it by I-HallA.

    Prompts None: the 200 of Primer's benchmark.

    What the store holds is not done again. `tell`: prompts done, of how many. Raises what
    `Services.evaluate` raises, and BadRequest where nothing was judged.
    """
    asked = tuple(prompts or scenes.benchmark())
    rows: list[ReportRow] = []
    failures = dict.fromkeys(models, 0)
    for done, prompt in enumerate(asked):
        tell(done, len(asked))
        shots: dict[str, str] = {}
        for event in services.evaluate(
            EvaluateRequest(prompt=prompt, models=tuple(models), judge=judge, count=seeds), stop
        ):
            match event:
                case Pictured(shot=shot):
                    shots[shot.generation] = shot.model
                case PictureFailed(shot=shot):
                    failures[shot.model] += 1
                case EvaluationFailed(generation=generation):
                    failures[shots[generation]] += 1
                case Evaluated(evaluation=said):
                    rows.append(
                        ReportRow(
                            report=said.report, model=said.model, judge=judge, trial=said.trial
                        )
                    )
                case _:
                    pass
    tell(len(asked), len(asked))
    if not rows:
        raise BadRequest("No picture was judged: none of the models can draw these prompts here.")
    return _comparison(
        judge=judge, prompts=len(asked), seeds=seeds, models=models, rows=rows, failures=failures
    )


@dataclass(frozen=True)
class RecognitionResult:
    """Of how many pictures of a single concept a judge says what it is.

    `missed`: what it said instead, by concept.
    """

    right: int
    asked: int
    missed: Mapping[str, tuple[str, ...]]

    @property
    def value(self) -> float | None:
        return self.right / self.asked if self.asked else None


def run_recognition(
    services: Services,
    model: str,
    judge: str,
    seeds: int = 2,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> RecognitionResult:
    """Draw every concept of Primer alone and ask the judge what is shown, without choices.

    Raises what `Services.evaluate` raises.
    """
    looker = services.judge(judge)
    known = concepts()
    right = 0
    asked = 0
    missed = dict[str, list[str]]()
    for done, concept in enumerate(known):
        tell(done, len(known))
        request = EvaluateRequest(
            prompt=concept.phrase, models=(model,), metrics=(), judge=None, count=seeds
        )
        made = [e.shot.picture for e in services.evaluate(request) if isinstance(e, Pictured)]
        replies = looker.ask(
            [Ask(images=(picture,), text=SHOWN, question=SHOWN) for picture in made if picture]
        )
        said = [
            "" if isinstance(reply, Failure) else reply.text.strip().casefold() for reply in replies
        ]
        right = right + said.count(concept.name.casefold())
        asked = asked + len(said)
        if wrong := [name for name in said if name != concept.name.casefold()]:
            missed[concept.name] = wrong
    return RecognitionResult(right, asked, {name: tuple(names) for name, names in missed.items()})


def _comparison(
    judge: str,
    prompts: int,
    seeds: int,
    models: Sequence[str],
    rows: Sequence[ReportRow],
    *,
    failures: Mapping[str, int],
) -> GeneratorComparison:
    own = {model: [row for row in rows if row.model == model] for model in models}
    return GeneratorComparison(
        judge=judge,
        prompts=prompts,
        seeds=seeds,
        score={model: aggregate.mean(some) for model, some in own.items()},
        strict={model: aggregate.mean(some, "strict") for model, some in own.items()},
        coi={model: aggregate.by_coi(some) for model, some in own.items()},
        failures=failures,
    )
