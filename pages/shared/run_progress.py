"""Turns a run's events into what components show: pure functions, tested without Gradio."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from hallascope import metrics
from hallascope.components.cards.cards import Tile
from hallascope.components.cards.score_chips import MetricScore
from hallascope.components.comparison.knowledge import TITLES
from hallascope.components.evidence import factualbench
from hallascope.data.records import Report
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    Evaluation,
    EvaluationFailed,
    Event,
    Finished,
    GeneratedPicture,
    Generating,
    Judged,
    Pictured,
    PictureFailed,
    Queued,
    RunView,
    Spent,
)
from hallascope.engine.money.budget import CostEstimate, CostLine, SpendingPolicy, money
from hallascope.engine.services import Services
from hallascope.metrics.base import Metric
from hallascope.metrics.ihalla.plan import is_answered

NO_QUESTIONS = "There are no questions for this prompt."
_SHORT_FAILURE = {
    "cannot_draw": "cannot draw this",
    "timeout": "took too long",
    "refused": "refused",
    "denied": "key not accepted",
    "empty": "nothing came",
    "rate_limited": "asked too often",
    "unavailable": "not available",
    "over_budget": "over budget",
    "outside": "outside what the model knows",
    "stopped": "stopped",
}


ENOUGH = 2  # finished things before it is said how long the others take


@dataclass(frozen=True, kw_only=True)
class RunProgress:
    """How far a run is.

    `doing`: what is being done to a picture, by generation; `seconds`: of the whole run, once it is
    done.

    `paid`: what it has cost so far, None where nothing cost anything.
    """

    view: RunView
    evaluations: int
    doing: Mapping[str, str]
    failed: tuple[str, ...] = ()
    seconds: float | None = None
    paid: Spent | None = None

    @property
    def total(self) -> int:
        """Pictures and evaluations together: the steps of the bar."""
        return len(self.view.shots) + self.evaluations

    @property
    def completed_steps(self) -> int:
        pictures = sum(shot.state != "waiting" for shot in self.view.shots)
        return pictures + len(self.view.evaluations) + len(self.failed)


def begin(event: Queued, request: EvaluateRequest) -> RunProgress:
    """The first event: a place for every picture."""
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
    """How far the run is after one more event."""
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
            return replace(progress, view=replace(view, shots=shots))
        case Judged():
            return progress
        case Evaluated():
            others = tuple(e for e in view.evaluations if _name(e) != _name(event.evaluation))
            return replace(progress, view=replace(view, evaluations=(*others, event.evaluation)))
        case EvaluationFailed():
            return replace(progress, failed=(*progress.failed, event.failure.message))
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


def _name(evaluation: Evaluation) -> tuple[str, str, int]:
    return evaluation.generation, evaluation.metric, evaluation.trial


# --- pictures
# --------------------------------------------------------------------------------------------------


def short_name(model: str) -> str:
    """The name under a picture: without the family that all Primer models share."""
    return "Your picture" if model == UPLOADED else model.removeprefix("primer/")


def picture_name(shot: GeneratedPicture) -> str:
    """The name under a picture, with the knowledge that its model was given."""
    name = short_name(shot.model)
    return f"{name}, {TITLES[shot.injected]}" if shot.injected else name


def primary(view: RunView) -> str:
    """Return the metric on the cards: the first asked for that has anything to ask.

    Those that give a number alone come after it.
    """
    able = [name for name in view.request.metrics if not not_run(view, name)]
    if view.state != "running":  # of a stored run only what was evaluated is known
        evaluated = {evaluation.metric for evaluation in view.evaluations}
        able = [name for name in able if name in evaluated] or able
    evident = (name for name in able if metrics.presentation(name) != "number")
    return next(evident, next(iter(able), next(iter(view.request.metrics), "ihalla")))


def not_run(view: RunView, metric: str) -> str:
    """Why the metric says nothing of any picture of the run, in one sentence; "" where it does."""
    if why := next((one.message for one in view.not_run if one.metric == metric), ""):
        return why
    known = metrics.find(metric)
    if known and known.needs_questions and not view.questions:
        return NO_QUESTIONS
    return ""


def scores(view: RunView, shot: GeneratedPicture) -> tuple[MetricScore, ...]:
    """What every metric of the run gives a picture, in the order asked for.

    () of a picture that could not be made.
    """
    if shot.failure:
        return ()
    return tuple(
        _score(view, shot, metric)
        for name in view.request.metrics
        if (metric := metrics.find(name))
    )


def _score(view: RunView, shot: GeneratedPicture, metric: Metric) -> MetricScore:
    reports = [evaluation.report for evaluation in evaluations_of(view, shot, metric.name)]
    values = [report.score.value for report in reports if report.score.value is not None]
    return MetricScore(
        metric=metric.name,
        title=metric.title,
        presents=metric.presents,
        spec=metric.score("score"),
        value=sum(values) / len(values) if values else None,
        counted=sum(report.score.counted for report in reports),
        left_out=sum(report.score.left_out for report in reports),
        trials=len(reports),
        reason="" if values else _no_score(view, metric.name, reports),
    )


def _no_score(view: RunView, metric: str, reports: Sequence[Report]) -> str:
    """Why a metric has no score of a picture, in one sentence; "" while it is awaited."""
    if why := not_run(view, metric):
        return why
    notes = (row.note for report in reports if report.evidence for row in report.evidence.findings)
    failures = (verdict.failure for report in reports for verdict in report.verdicts)
    if reports:
        return next(filter(None, (*notes, *failures)), "Nothing could be counted.")
    return "" if view.state == "running" else "It was not run."


def evaluations_of(view: RunView, shot: GeneratedPicture, metric: str) -> tuple[Evaluation, ...]:
    """The evaluations of one picture by one metric, a trial each, in order."""
    found = (e for e in view.evaluations if e.generation == shot.generation and e.metric == metric)
    return tuple(sorted(found, key=lambda e: e.trial))


def tile(view: RunView, shot: GeneratedPicture, doing: str = "", metric: str | None = None) -> Tile:
    """One picture with all that is shown of it, by one metric (None: the primary one)."""
    metric = metric or primary(view)
    trials = evaluations_of(view, shot, metric)
    revised = shot.notes.get("revised_prompt")
    return Tile(
        run=view.run,
        key=shot.generation,
        model="yourself" if shot.model == UPLOADED else shot.model,
        name=picture_name(shot),
        prompt=view.request.prompt,
        seed=None if shot.model == UPLOADED else shot.seed,
        path=shot.path,
        seconds=shot.seconds,
        doing=_place(view, shot, doing),
        why=shot.failure.message if shot.failure else None,
        questions=view.questions if metrics.get(metric).needs_questions else (),
        reports=tuple(factualbench.display_report(e.report) for e in trials),
        judge=trials[0].judge if trials else view.request.judge,
        cached=bool(trials) and all(e.cached for e in trials),
        notice=view.notice,
        metric=metrics.get(metric).title,
        revised=str(revised) if revised else None,
        presents=metrics.presentation(metric),
        scores=scores(view, shot),
    )


def _place(view: RunView, shot: GeneratedPicture, doing: str) -> str:
    """The words in a place without a picture."""
    if shot.failure:
        return _SHORT_FAILURE.get(shot.failure.kind, "failed")
    if shot.image and shot.path is None:
        return "not kept here"
    return doing or ("waiting" if view.state == "running" else "not made")


def tiles(
    view: RunView, doing: Mapping[str, str] | None = None, metric: str | None = None
) -> tuple[Tile, ...]:
    return tuple(
        tile(view, shot, (doing or {}).get(shot.generation, ""), metric) for shot in view.shots
    )


def find_picture(view: RunView, wanted: str | None) -> GeneratedPicture | None:
    """The picture of that generation (or with that SHA-256), else the first that is there."""
    named = next((s for s in view.shots if wanted and wanted in (s.generation, s.image)), None)
    return named or next((s for s in view.shots if s.image), None) or next(iter(view.shots), None)


def worst_picture(view: RunView) -> GeneratedPicture | None:
    """Return the picture with the worst score by the first chosen metric that has any.

    It is the one to look at first; of equal ones the first.
    """
    for name in view.request.metrics:
        scored = [
            (score, shot)
            for shot in view.shots
            for score in scores(view, shot)
            if score.metric == name and score.value is not None
        ]
        if scored:
            sign = 1 if scored[0][0].spec.higher_is_better else -1
            return min(scored, key=lambda each: sign * (each[0].value or 0.0))[1]
    return None


# --- sentences
# --------------------------------------------------------------------------------------------------


def troubles(view: RunView, failed: Sequence[str] = ()) -> tuple[str, ...]:
    """All that went wrong, each sentence once, with the models it befell.

    The run's own notice first.
    """
    befell: dict[str, list[str]] = {}
    for shot in view.shots:
        if shot.failure:
            befell.setdefault(shot.failure.message, []).append(short_name(shot.model))
    everywhere = len(view.shots)
    pictures = [
        m if len(names) == everywhere else f"{', '.join(dict.fromkeys(names))}: {m}"
        for m, names in befell.items()
    ]
    notice = [view.notice] if view.notice and view.notice not in befell else []
    said = dict.fromkeys((*_unanswered(view), *failed))
    left_out = [one.message for one in view.not_run]
    return (*notice, *left_out, *pictures, *(line for line in said if line not in befell))


def _unanswered(view: RunView) -> tuple[str, ...]:
    """How many questions have no answer, and each reason once."""
    failed = [v for e in view.evaluations for v in e.report.verdicts if v.state == "failed"]
    rows = [
        row
        for e in view.evaluations
        if e.report.evidence
        for row in e.report.evidence.findings
        if row.state == "failed"
    ]
    left = (
        [
            f"The judge left {_many(len(failed), 'question')} without an answer; the scores leave"
            " them out and say so."
        ]
        if failed
        else []
    )
    left += (
        [f"{_many(len(rows), 'row')} could not be told; the scores leave them out and say so."]
        if rows
        else []
    )
    return (
        *left,
        *dict.fromkeys(
            [*(v.failure for v in failed if v.failure), *(row.note for row in rows if row.note)]
        ),
    )


def lacks_questions(view: RunView) -> bool:
    """Whether questions are wanted for the prompt and there are none."""
    return bool(view.notice) and not view.questions and view.request.judge is not None


def _many(n: int, word: str) -> str:
    return f"{n} {_plural(n, word)}"


def _plural(n: int, word: str) -> str:
    return word if n == 1 else f"{word}s"


def progress_text(progress: RunProgress) -> str:
    """How far a run is, in words."""
    shots = progress.view.shots
    drawn = (
        f"{sum(shot.state != 'waiting' for shot in shots)} of {len(shots)}"
        f" {_plural(len(shots), 'picture')}"
    )
    return (
        f"{drawn}, {len(progress.view.evaluations)} of {progress.evaluations} judged"
        if progress.evaluations
        else drawn
    )


def summary(progress: RunProgress) -> str:
    """The sentence after a run: what came of it."""
    view = progress.view
    made = sum(shot.state == "done" for shot in view.shots)
    judged = len(view.evaluations)
    took = "" if progress.seconds is None else f" in {progress.seconds:.1f} s"
    stopped = " Stopped: Generate goes on where it was." if view.state == "stopped" else ""
    paid = f" {spent(progress)}." if progress.paid else ""
    return (
        f"{made} of {len(view.shots)} {_plural(len(view.shots), 'picture')}, {judged}"
        f" judged{took}.{paid}{stopped}"
    )


def pointer(view: RunView) -> str:
    """Return where to look once the judge has answered: the picture with most wrong answers.

    A right picture would not have them; "" without answers.
    """
    judged = [e for shot in view.shots for e in evaluations_of(view, shot, primary(view))]
    found = [(e, [v for v in e.report.verdicts if is_answered(v)]) for e in judged]
    wrong = [(sum(v.state != "correct" for v in told), len(told), e) for e, told in found if told]
    if not wrong:
        return ""
    most, of, where = max(wrong, key=lambda each: each[0] / each[1])
    if not most:
        return "The judge finds nothing wrong: click a picture to see what it was asked."
    shot = next(shot for shot in view.shots if shot.generation == where.generation)
    seed = f", seed {shot.seed}" if view.request.count > 1 else ""
    return (
        f"Most is wrong in {picture_name(shot)}{seed}, says the judge: {most} of {of}. Click a"
        " picture to see what, and on what evidence."
    )


def remaining(done: int, total: int, elapsed: float) -> str:
    """An estimate in words for things that take alike, from those that are done.

    "" before there are two, and in the end.
    """
    return time_left(elapsed / done * (total - done)) if ENOUGH <= done < total else ""


def time_left(seconds: float | None) -> str:
    """An estimate in words; "" where there is none."""
    if seconds is None:
        return ""
    if seconds < 1.5:
        return "about 1 s left"
    return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"


@dataclass
class TimeEstimator:
    """Estimates how long the rest of a run takes, from what is finished of it.

    Pictures and evaluations each have their own pace.

    `first_picture`, `last_picture`: seconds since the run began, when they came. Evaluations from
    the cache say nothing about the others.
    """

    first_picture: float | None = None
    last_picture: float = 0.0
    pictures: int = 0

    def seconds_left(self, progress: RunProgress, elapsed: float) -> float | None:
        """Seconds until the end, after `elapsed`; None before enough is finished to tell."""
        done = sum(shot.state != "waiting" for shot in progress.view.shots)
        if done > self.pictures:
            self.pictures = done
            self.last_picture = elapsed
            self.first_picture = elapsed if self.first_picture is None else self.first_picture
        waiting = len(progress.view.shots) - done
        judged = len(progress.view.evaluations) + len(progress.failed)
        asked = sum(not evaluation.cached for evaluation in progress.view.evaluations)
        drawing = self._rest(waiting, done, self.last_picture)
        judging = self._rest(
            progress.evaluations - judged, asked, elapsed - (self.first_picture or 0.0)
        )
        return None if drawing is None or judging is None else max(drawing, judging)

    @staticmethod
    def _rest(waiting: int, done: int, took: float) -> float | None:
        """Seconds for what waits, where those that are done took so long.

        None where too few are done to tell.
        """
        if waiting <= 0:
            return 0.0
        return took / done * waiting if done >= ENOUGH else None


# --- money
# --------------------------------------------------------------------------------------------------


def spent(progress: RunProgress) -> str:
    """What the run has cost so far, of what it may; "" where nothing cost anything."""
    return (
        f"{money(progress.paid.amount)} of at most {money(progress.paid.cap)} spent"
        if progress.paid
        else ""
    )


def estimate(found: CostEstimate, caps: tuple[float, float], today: float, unpriced: bool) -> str:
    """Estimate what a run is likely to cost by model, and what has to be allowed first."""
    lines = "; ".join(map(_likely, found.lines))
    words = (
        f"Estimated cost: about {money(found.amount)} in all, at most {money(caps[0])}: {lines}."
    )
    if dear := found.first_over_cap(min(caps)):
        words += (
            f" One call of {dear.model} may cost up to {money(dear.most)}, so it is not made: raise"
            " the cap under Keys and spending."
        )
    elif found.amount > caps[0]:
        words += (
            " That is more than a run may cost: raise the cap under Keys and spending, or it stops"
            " on the way."
        )
    elif found.amount > caps[1] - today:
        words += (
            f" Today's runs have spent {money(today)} of at most {money(caps[1])}: raise the cap of"
            " a day, or it stops on the way."
        )
    if found.unpriced and not unpriced:
        words += " What has no known price must be allowed under Keys and spending."
    return words


def _likely(line: CostLine) -> str:
    asked = f"{line.calls:,} {_plural(line.calls, 'call')}"
    tokens = (
        f"{line.input_tokens:,} tokens read, {line.output_tokens:,} written"
        if line.input_tokens or line.output_tokens
        else ""
    )
    made = f"{line.pictures:,} {_plural(line.pictures, 'picture')}" if line.pictures else ""
    amount = "price not known" if line.amount is None else money(line.amount)
    return f"{line.model} {', '.join(filter(None, (asked, tokens, made, amount)))}"


def moments(
    services: Services, asked: EvaluateRequest, stop: threading.Event, terms: SpendingPolicy
) -> Iterator[RunProgress]:
    """How far a run is, after every event that changes it: a single answer does not.

    Raises HallaScopeError.
    """
    progress: RunProgress | None = None
    for event in services.evaluate(asked, stop, terms):
        last = progress
        if progress is not None:
            progress = apply_event(progress, event)
        elif isinstance(event, Queued):
            progress = begin(event, asked)
        if progress is not None and progress is not last:
            yield progress
