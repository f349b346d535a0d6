"""Follows a run event by event."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    Evaluation,
    EvaluationFailed,
    Event,
    Finished,
    Generating,
    Judged,
    Pictured,
    PictureFailed,
    Queued,
    RunView,
    Spent,
)
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services


@dataclass(frozen=True, kw_only=True)
class RunProgress:
    """Describes how far a run is.

    `doing` says by generation what is being done to a picture. `failures` are the evaluations that
    failed. `cached_pictures` names the pictures that had been made before. `seconds` are those of
    the whole run, once it is over. `paid` is what it has cost so far, None where nothing cost
    anything.
    """

    view: RunView
    evaluations: int
    doing: Mapping[str, str]
    failures: tuple[EvaluationFailed, ...] = ()
    cached_pictures: frozenset[str] = frozenset()
    seconds: float | None = None
    paid: Spent | None = None

    @property
    def total(self) -> int:
        """Return the steps of the bar: pictures and evaluations together."""
        return len(self.view.shots) + self.evaluations

    @property
    def failed(self) -> tuple[str, ...]:
        """Return why evaluations failed, a sentence each."""
        return tuple(event.failure.message for event in self.failures)

    @property
    def completed_steps(self) -> int:
        pictures = sum(shot.state != "waiting" for shot in self.view.shots)
        return pictures + len(self.view.evaluations) + len(self.failures)


def begin(event: Queued, request: EvaluateRequest) -> RunProgress:
    """Return the progress after the first event: a place for every picture."""
    view = RunView(
        run=event.run,
        request=request,
        state="running",
        shots=event.shots,
        evaluations=(),
        questions=event.questions,
        notice=event.notice,
        not_run=event.not_run,
    )
    return RunProgress(view=view, evaluations=event.evaluations, doing={})


def apply_event(progress: RunProgress, event: Event) -> RunProgress:
    """Return the progress after one more event."""
    view = progress.view
    match event:
        case Queued():
            return begin(event, view.request)
        case Generating():
            words = "drawing" if event.steps <= 1 else f"step {event.step} of {event.steps}"
            return replace(progress, doing={**progress.doing, event.generation: words})
        case Pictured() | PictureFailed():
            shots = tuple(
                event.shot if shot.generation == event.shot.generation else shot
                for shot in view.shots
            )
            cached = progress.cached_pictures
            if isinstance(event, Pictured) and event.cached:
                cached |= {event.shot.generation}
            return replace(progress, view=replace(view, shots=shots), cached_pictures=cached)
        case Judged():
            return progress
        case Evaluated():
            new = event.evaluation
            others = (e for e in view.evaluations if _place_of(e) != _place_of(new))
            return replace(progress, view=replace(view, evaluations=(*others, new)))
        case EvaluationFailed():
            return replace(progress, failures=(*progress.failures, event))
        case Spent():
            return replace(progress, paid=event)
        case Finished():
            return replace(
                progress,
                view=replace(view, state="stopped" if event.stopped else "finished"),
                seconds=event.seconds,
            )
        case _:
            assert_never(event)


def _place_of(evaluation: Evaluation) -> tuple[str, str, int]:
    """Return what an evaluation is of; a later one of the same takes its place."""
    return evaluation.generation, evaluation.metric, evaluation.trial


def moments(
    services: Services, request: EvaluateRequest, stop: threading.Event, terms: SpendingPolicy
) -> Iterator[RunProgress]:
    """Yield the progress after every event that changes it; a single answer does not.

    Raises HallaScopeError.
    """
    progress: RunProgress | None = None
    for event in services.evaluate(request, stop, terms):
        last = progress
        if progress is not None:
            progress = apply_event(progress, event)
        elif isinstance(event, Queued):
            progress = begin(event, request)
        if progress is not None and progress is not last:
            yield progress
