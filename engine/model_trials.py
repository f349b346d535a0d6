"""Puts generators on trial: their I-HallA scores on the same prompts and seeds, with intervals; it prints nothing."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from data.primer import scenes
from data.records import CoI
from engine.errors import BadRequest
from engine.events import Evaluated, EvaluateRequest, EvaluationFailed, Pictured, PictureFailed
from engine.services import Services
from metrics import slices
from metrics.slices import Mean, Row


@dataclass(frozen=True)
class Comparison:
    """What came of generators on the same prompts and seeds: the mean score of each with its interval, in the order asked for.

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
    def apart(self) -> bool:
        """Whether no intervals of neighbours overlap, from the best model down."""
        found = sorted(self.score.values(), key=lambda mean: -(mean.value or 0.0))
        return all(one.low is not None and other.high is not None and one.low > other.high for one, other in pairwise(found))


def compare(
    services: Services,
    models: Sequence[str],
    judge: str,
    prompts: Sequence[str] | None = None,
    seeds: int = 2,
    tell: Callable[[int, int], None] = lambda done, of: None,
    stop: threading.Event | None = None,
) -> Comparison:
    """Draw every prompt (None: the 200 of Primer's benchmark) with every model and seed, and judge it by I-HallA.

    What the store holds is not done again. `tell`: prompts done, of how many. Raises what `Services.evaluate` raises, and
    BadRequest where nothing was judged.
    """
    asked = tuple(prompts or scenes.benchmark())
    rows: list[Row] = []
    failures = dict.fromkeys(models, 0)
    for done, prompt in enumerate(asked):
        tell(done, len(asked))
        shots: dict[str, str] = {}
        for event in services.evaluate(EvaluateRequest(prompt, tuple(models), judge=judge, count=seeds), stop):
            match event:
                case Pictured(shot=shot):
                    shots[shot.generation] = shot.model
                case PictureFailed(shot=shot):
                    failures[shot.model] += 1
                case EvaluationFailed(generation=generation):
                    failures[shots[generation]] += 1
                case Evaluated(evaluation=said):
                    rows.append(Row(said.report, said.model, judge, said.trial))
                case _:
                    pass
    tell(len(asked), len(asked))
    if not rows:
        raise BadRequest("No picture was judged: none of the models can draw these prompts here.")
    return _comparison(judge, len(asked), seeds, models, rows, failures)


def _comparison(
    judge: str, prompts: int, seeds: int, models: Sequence[str], rows: Sequence[Row], failures: Mapping[str, int]
) -> Comparison:
    own = {model: [row for row in rows if row.model == model] for model in models}
    return Comparison(
        judge,
        prompts,
        seeds,
        {model: slices.mean(some) for model, some in own.items()},
        {model: slices.mean(some, "strict") for model, some in own.items()},
        {model: slices.by_coi(some) for model, some in own.items()},
        failures,
    )
