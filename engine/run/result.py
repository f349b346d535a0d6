"""Holds a run as it is known so far: what is stored of it, or what its events have said.

The events are folded here and nowhere else; pages, commands, the API and the library read the
result.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from hallascope.data.records import Question
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    Evaluation,
    EvaluationFailed,
    Event,
    Finished,
    GeneratedPicture,
    Generating,
    Judged,
    MetricNotRun,
    Pictured,
    PictureFailed,
    Queued,
    RunState,
    Spent,
)


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """Holds a run: its images in the order asked for, and what each metric said of them.

    `expected` evaluations are to come in all, 0 where the run is over. `files`: the names of the
    files that were brought, by generation. `failures`: evaluations that failed. `drawing`: how far
    a model is with an image, by generation. `cached_images` had been made before. `seconds` are
    those of the whole run, None before its end. `spent` and `unconfirmed` are USD, `cap` the most
    that the run may spend, None where nothing has cost anything. `not_run`, `files` and all that
    follows are known while a run goes on, and are not stored.
    """

    run: str
    request: EvaluateRequest
    state: RunState = "running"
    shots: tuple[GeneratedPicture, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    questions: tuple[Question, ...] = ()
    notice: str | None = None
    not_run: tuple[MetricNotRun, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    expected: int = 0
    failures: tuple[EvaluationFailed, ...] = ()
    drawing: Mapping[str, Generating] = field(default_factory=dict)
    cached_images: frozenset[str] = frozenset()
    seconds: float | None = None
    spent: float = 0.0
    unconfirmed: float = 0.0
    cap: float | None = None

    @property
    def steps(self) -> int:
        """Return how many images and evaluations there will be together."""
        return len(self.shots) + self.expected

    @property
    def completed_steps(self) -> int:
        images = sum(shot.state != "waiting" for shot in self.shots)
        return images + len(self.evaluations) + len(self.failures)

    @property
    def ordered_evaluations(self) -> list[Evaluation]:
        """Return the evaluations in the order of the images, and of metrics and repetitions."""
        place = {shot.generation: number for number, shot in enumerate(self.shots)}
        return sorted(self.evaluations, key=lambda e: (place[e.generation], e.metric, e.trial))


def fold(result: RunResult, events: Iterable[Event]) -> RunResult:
    """Return the result after more events of its run."""
    shots = {shot.generation: shot for shot in result.shots}
    evaluations = {_place(evaluation): evaluation for evaluation in result.evaluations}
    failures = list(result.failures)
    drawing = dict(result.drawing)
    cached = set(result.cached_images)
    for event in events:
        match event:
            case Queued():
                result = RunResult(
                    run=event.run,
                    request=result.request,
                    questions=event.questions,
                    notice=event.notice,
                    not_run=event.not_run,
                    files=event.files,
                    expected=event.evaluations,
                )
                shots = {shot.generation: shot for shot in event.shots}
            case Generating():
                drawing[event.generation] = event
            case Pictured() | PictureFailed():
                shots[event.shot.generation] = event.shot
                if isinstance(event, Pictured) and event.cached:
                    cached.add(event.shot.generation)
            case Judged():
                pass
            case Evaluated():
                place = _place(event.evaluation)
                evaluations.pop(place, None)
                evaluations[place] = event.evaluation
            case EvaluationFailed():
                failures.append(event)
            case Spent():
                result = replace(
                    result, spent=event.amount, unconfirmed=event.unconfirmed, cap=event.cap
                )
            case Finished():
                result = replace(
                    result,
                    state="stopped" if event.stopped else "finished",
                    seconds=event.seconds,
                    spent=event.spent,
                    unconfirmed=event.unconfirmed,
                )
            case _:
                assert_never(event)
    return replace(
        result,
        shots=tuple(shots.values()),
        evaluations=tuple(evaluations.values()),
        failures=tuple(failures),
        drawing=drawing,
        cached_images=frozenset(cached),
    )


def _place(evaluation: Evaluation) -> tuple[str, str, int]:
    """Return what an evaluation is of; a later one of the same takes its place."""
    return evaluation.generation, evaluation.metric, evaluation.trial


def results(request: EvaluateRequest, events: Iterable[Event]) -> Iterator[RunResult]:
    """Yield the result of a run after every event that changes it."""
    result = RunResult(run="", request=request)
    for event in events:
        if not isinstance(event, Judged):
            result = fold(result, [event])
            yield result


def run_result(request: EvaluateRequest, events: Iterable[Event]) -> RunResult:
    """Return the result of a run that is over, with all of its events.

    Example:
        result = run_result(request, services.evaluate(request))
    """
    return fold(RunResult(run="", request=request), events)
