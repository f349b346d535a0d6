"""From a run as the engine tells it to what the components show: pure functions, tested without Gradio."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from components.cards import Tile
from engine.events import (
    UPLOADED,
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
    Shot,
)

_SHORT_FAILURE = {
    "cannot_draw": "cannot draw this",
    "timeout": "took too long",
    "refused": "refused",
    "rate_limited": "asked too often",
    "unavailable": "not available",
    "over_budget": "over budget",
    "stopped": "stopped",
}


@dataclass(frozen=True)
class Progress:
    """How far a run is. `doing`: what is being done to a picture, by generation; `seconds`: of the whole run, once it is done."""

    view: RunView
    evaluations: int
    doing: Mapping[str, str]
    failed: tuple[str, ...] = ()
    seconds: float | None = None

    @property
    def total(self) -> int:
        """Pictures and evaluations together: the steps of the bar."""
        return len(self.view.shots) + self.evaluations

    @property
    def done(self) -> int:
        pictures = sum(shot.state != "waiting" for shot in self.view.shots)
        return pictures + len(self.view.evaluations) + len(self.failed)


def begin(event: Queued, request: EvaluateRequest) -> Progress:
    """The first event: a place for every picture."""
    view = RunView(event.run, request, "running", event.shots, (), event.questions, event.notice)
    return Progress(view, event.evaluations, {})


def after(progress: Progress, event: Event) -> Progress:
    """How far the run is after one more event."""
    view = progress.view
    match event:
        case Queued():
            return begin(event, view.request)
        case Generating():
            words = "drawing" if event.steps <= 1 else f"step {event.step} of {event.steps}"
            return replace(progress, doing={**progress.doing, event.generation: words})
        case Pictured() | PictureFailed():
            shots = tuple(event.shot if shot.generation == event.shot.generation else shot for shot in view.shots)
            return replace(progress, view=replace(view, shots=shots))
        case Judged():
            return progress
        case Evaluated():
            others = tuple(e for e in view.evaluations if _name(e) != _name(event.evaluation))
            return replace(progress, view=replace(view, evaluations=(*others, event.evaluation)))
        case EvaluationFailed():
            return replace(progress, failed=(*progress.failed, event.failure.message))
        case Finished():
            return replace(progress, view=replace(view, state="stopped" if event.stopped else "finished"), seconds=event.seconds)
        case _:
            assert_never(event)


def _name(evaluation: Evaluation) -> tuple[str, str, int]:
    return evaluation.generation, evaluation.metric, evaluation.trial


# --- pictures -----------------------------------------------------------------------------------------------------------


def short_name(model: str) -> str:
    """The name under a picture: without the family that all Primer models share."""
    return "Your picture" if model == UPLOADED else model.removeprefix("primer/")


def evaluations_of(view: RunView, shot: Shot, metric: str = "ihalla") -> tuple[Evaluation, ...]:
    """The evaluations of one picture by one metric, a trial each, in order."""
    found = (e for e in view.evaluations if e.generation == shot.generation and e.metric == metric)
    return tuple(sorted(found, key=lambda e: e.trial))


def tile(view: RunView, shot: Shot, doing: str = "") -> Tile:
    """One picture with all that is shown of it."""
    trials = evaluations_of(view, shot)
    return Tile(
        run=view.run,
        key=shot.generation,
        model="yourself" if shot.model == UPLOADED else shot.model,
        name=short_name(shot.model),
        prompt=view.request.prompt,
        seed=None if shot.model == UPLOADED else shot.seed,
        path=shot.path,
        seconds=shot.seconds,
        doing=_place(view, shot, doing),
        why=shot.failure.message if shot.failure else None,
        questions=view.questions,
        reports=tuple(e.report for e in trials),
        judge=trials[0].judge if trials else view.request.judge,
        cached=bool(trials) and all(e.cached for e in trials),
        notice=view.notice,
    )


def _place(view: RunView, shot: Shot, doing: str) -> str:
    """The words in a place without a picture."""
    if shot.failure:
        return _SHORT_FAILURE.get(shot.failure.kind, "failed")
    return doing or ("waiting" if view.state == "running" else "not made")


def tiles(view: RunView, doing: Mapping[str, str] | None = None) -> tuple[Tile, ...]:
    return tuple(tile(view, shot, (doing or {}).get(shot.generation, "")) for shot in view.shots)


def chosen(view: RunView, wanted: str | None) -> Shot | None:
    """The picture of that generation (or with that SHA-256), else the first that is there."""
    named = next((s for s in view.shots if wanted and wanted in (s.generation, s.image)), None)
    return named or next((s for s in view.shots if s.image), None) or next(iter(view.shots), None)


# --- sentences ------------------------------------------------------------------------------------------------------------


def troubles(view: RunView, failed: Sequence[str] = ()) -> tuple[str, ...]:
    """All that went wrong, each sentence once, with the models it befell; the run's own notice first."""
    befell: dict[str, list[str]] = {}
    for shot in view.shots:
        if shot.failure:
            befell.setdefault(shot.failure.message, []).append(short_name(shot.model))
    everywhere = len(view.shots)
    pictures = [m if len(names) == everywhere else f"{', '.join(dict.fromkeys(names))}: {m}" for m, names in befell.items()]
    unanswered = sum(v.state == "failed" for e in view.evaluations for v in e.report.verdicts)
    judge = (
        [f"The judge left {unanswered} {_plural(unanswered, 'question')} without an answer; the scores leave them out and say so."]
        if unanswered
        else []
    )
    notice = [view.notice] if view.notice and view.notice not in befell else []
    return (*notice, *pictures, *judge, *dict.fromkeys(failed))


def _plural(n: int, word: str) -> str:
    return word if n == 1 else f"{word}s"


def so_far(progress: Progress) -> str:
    """How far a run is, in words."""
    shots = progress.view.shots
    drawn = f"{sum(shot.state != 'waiting' for shot in shots)} of {len(shots)} {_plural(len(shots), 'picture')}"
    return f"{drawn}, {len(progress.view.evaluations)} of {progress.evaluations} judged" if progress.evaluations else drawn


def summary(progress: Progress) -> str:
    """The sentence after a run: what came of it."""
    view = progress.view
    made = sum(shot.state == "done" for shot in view.shots)
    judged = len(view.evaluations)
    took = "" if progress.seconds is None else f" in {progress.seconds:.1f} s"
    stopped = " Stopped: Generate goes on where it was." if view.state == "stopped" else ""
    return f"{made} of {len(view.shots)} {_plural(len(view.shots), 'picture')}, {judged} judged{took}.{stopped}"


def remaining(done: int, total: int, elapsed: float, guess: float | None = None) -> str:
    """An estimate in words: from the pace so far, before that from `guess` (seconds in all, as earlier runs took)."""
    left = elapsed / done * (total - done) if done else guess
    if left is None or done >= total:
        return ""
    return "about 1 s left" if left < 1.5 else f"about {left:.0f} s left" if left < 90 else f"about {left / 60:.0f} min left"
