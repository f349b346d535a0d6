"""Puts generators on trial: their I-HallA scores on the same prompts and seeds, with intervals."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hallascope.data.records import CoI
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    EvaluationFailed,
    Event,
    Pictured,
    PictureFailed,
)
from hallascope.engine.judge_eval.harness import ReportProgress, ignore_progress
from hallascope.engine.services import Services
from hallascope.metrics import aggregate
from hallascope.metrics.aggregate import Mean, ReportRow
from hallascope.primer import scenes


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
        """Return whether no intervals of neighbors overlap, from the best model down."""
        means = sorted(self.score.values(), key=lambda mean: -(mean.value or 0.0))
        return all(
            better.low is not None and worse.high is not None and better.low > worse.high
            for better, worse in pairwise(means)
        )


def compare(
    services: Services,
    models: Sequence[str],
    judge: str,
    prompts: Sequence[str] | None = None,
    seeds: int = 2,
    *,
    on_progress: ReportProgress = ignore_progress,
    stop: threading.Event | None = None,
) -> GeneratorComparison:
    """Draw every prompt with every model and seed, and judge it by I-HallA.

    Prompts None: the 200 of Primer's benchmark.

    What the store holds is not done again. `on_progress` is told the prompts done, of how many.
    Raises what `Services.evaluate` raises, and BadRequest where nothing was judged.
    """
    prompts = tuple(prompts or scenes.benchmark())
    rows: dict[str, list[ReportRow]] = {model: [] for model in models}
    failures = dict.fromkeys(models, 0)
    for done, prompt in enumerate(prompts):
        on_progress(done, len(prompts))
        request = EvaluateRequest(prompt=prompt, models=tuple(models), judge=judge, count=seeds)
        _collect(services.evaluate(request, stop), judge, rows, failures)
    on_progress(len(prompts), len(prompts))
    if not any(rows.values()):
        raise BadRequest("No image was judged: none of the models can draw these prompts here.")
    return GeneratorComparison(
        judge=judge,
        prompts=len(prompts),
        seeds=seeds,
        score={model: aggregate.mean(own) for model, own in rows.items()},
        strict={model: aggregate.mean(own, "strict") for model, own in rows.items()},
        coi={model: aggregate.by_coi(own) for model, own in rows.items()},
        failures=failures,
    )


def _collect(
    events: Iterable[Event],
    judge: str,
    rows: Mapping[str, list[ReportRow]],
    failures: dict[str, int],
) -> None:
    """Add the reports of one run to the rows of each model, and count what failed."""
    drawn_by: dict[str, str] = {}
    for event in events:
        match event:
            case Pictured(shot=shot):
                drawn_by[shot.generation] = shot.model
            case PictureFailed(shot=shot):
                failures[shot.model] += 1
            case EvaluationFailed(generation=generation):
                failures[drawn_by[generation]] += 1
            case Evaluated(evaluation=evaluation):
                row = ReportRow(
                    report=evaluation.report,
                    model=evaluation.model,
                    judge=judge,
                    trial=evaluation.trial,
                )
                rows[evaluation.model].append(row)
            case _:
                pass
