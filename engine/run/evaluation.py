"""Runs one evaluation from request to report: pictures are judged as soon as they are there."""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from hallascope.data.evidence import Finding
from hallascope.data.records import Picture, Report, Verdict
from hallascope.data.requests import LEFT_OPEN, Failure, Generated, Reply, Request
from hallascope.engine.errors import StoreError
from hallascope.engine.events import (
    Evaluated,
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
    Spent,
)
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget
from hallascope.engine.run import pipeline
from hallascope.engine.run.concept_resolution import own_concept_mark, prompt_facets
from hallascope.engine.run.driver import (
    AnyPlan,
    Driver,
    DriverEvent,
    PaymentNotice,
    PlanFailure,
    PlanProgress,
    PlanReply,
    PlanResult,
)
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.storage.images import is_whole
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.metrics.base import Metric

# stands for a picture that another run has made and stored meanwhile
STORED = Generated(b"")


class PictureKey(NamedTuple):
    """Names a picture in the driver."""

    slot: str


class EvaluationKey(NamedTuple):
    """Names an evaluation in the driver."""

    slot: str
    metric: str
    trial: int


def single_request_plan(request: Request) -> AnyPlan:
    """Ask one request; the result is its reply."""
    replies: list[Reply] = yield [request]
    return replies[0]


class EvaluationRun:
    """Holds the state of one evaluation while it runs.

    `bind` gives a model by name; `budget` is the one the driver pays from.
    """

    def __init__(
        self,
        prepared: PreparedRun,
        store: Store,
        bind: Callable[[str], BoundModel],
        driver: Driver,
        budget: Budget,
    ) -> None:
        self._prepared = prepared
        self._store = store
        self._bind = bind
        self._driver = driver
        self._budget = budget
        self._run = prepared.run
        self._slots = {slot.id: slot for slot in prepared.slots}
        self._lineups = {
            metric.name: pipeline.for_metric(prepared.request, metric)
            for metric in prepared.metrics
        }
        mark = own_concept_mark(prepared.request)
        self._own_concept_marks = {
            metric.name: mark for metric in prepared.metrics if mark and metric.needs_concepts
        }
        self._shots: dict[str, GeneratedPicture] = {}
        self._stored: dict[EvaluationKey, Evaluation] = {}
        self._request_failures: dict[EvaluationKey, list[Failure]] = {}
        self._seconds: dict[str, float | None] = {}
        self._began = 0.0
        self._pictures = 0
        self._evaluations = 0
        self._failures = 0
        self._open_plans = 0
        self._has_begun = False
        self._is_over = False  # it was finished before
        self._stopped = False

    @cached_property
    def _facets(self) -> Facets:
        """Found out for what is judged now alone: to read the world of Primer takes a moment.

        Questions that are not everybody's sort no prompt, as its facets are shared.
        """
        prepared = self._prepared
        return prompt_facets(
            prepared.request, None if prepared.has_own_questions else prepared.questions
        )

    def events(self) -> Iterator[Event]:
        """Yield everything that happens, Queued first and Finished last.

        What is stored already is reported as cached.
        """
        try:
            yield from self.begin()
            for event in self._driver.events():
                yield from self.handle(event)
        finally:
            ended = self.end()
        yield ended

    @property
    def slots(self) -> Collection[str]:
        """Return the ids of the slots of its pictures."""
        return self._slots

    @property
    def size(self) -> int:
        """Return how many images it has; many evaluations of an image count as more images."""
        return max(len(self._slots), self._prepared.evaluations // 4)

    @property
    def is_complete(self) -> bool:
        """Return whether it was begun and all its plans ended, with what came of them kept."""
        return self._has_begun and not self._open_plans

    def begin(self) -> Iterator[Event]:
        """Keep the run, and give the driver what is not there yet.

        Who reads the driver's events himself calls this, and then `handle` with each of them.
        """
        prepared = self._prepared
        questions = prepared.questions.questions if prepared.questions else ()
        self._began = time.monotonic()
        self._is_over = self._store.start_run(
            self._run, prepared.request, prepared.slots, questions, prepared.notice
        )
        self._stored = stored_evaluations(self._store, self._run)
        if self._stored:
            self._store.renew_evaluations(
                self._run,
                prepared.request.prompt,
                counts=self._store.owners.visitor is None and not prepared.has_own_questions,
            )
        shots = self._store.generated_pictures(self._run)
        yield Queued(
            run=self._run,
            shots=tuple(shots),
            evaluations=prepared.evaluations,
            questions=questions,
            notice=prepared.notice,
            not_run=prepared.not_run,
            files=prepared.files,
        )
        for shot in shots:
            yield from self._begin_picture(shot)
        self._has_begun = True

    def handle(self, event: DriverEvent) -> Iterator[Event]:
        """Yield what an event of the driver about one of its plans means here."""
        match event:
            case PlanProgress(PictureKey(slot), step, steps):
                yield Generating(self._run, slot, self._slots[slot].model, step, steps)
            case PlanReply(key=PictureKey(slot)):
                self._seconds[slot] = event.seconds
            case PlanReply(key=EvaluationKey() as key):
                if isinstance(event.reply, Failure):
                    self._request_failures.setdefault(key, []).append(event.reply)
                yield Judged(
                    run=self._run,
                    generation=key.slot,
                    metric=key.metric,
                    trial=key.trial,
                    done=event.done,
                    of=event.of,
                )
            case PaymentNotice():
                budget = self._budget
                yield Spent(self._run, budget.spent, budget.calls, budget.cap, budget.unconfirmed)
            case PlanResult() | PlanFailure():
                yield from self._handle_end(event)
                self._open_plans -= 1

    def _handle_end(self, event: PlanResult | PlanFailure) -> Iterator[Event]:
        match event:
            case PlanResult(PictureKey(slot), result):
                yield from self._handle_picture(self._slots[slot], result)
            case PlanResult(EvaluationKey() as key, report):
                mark = self._own_concept_marks.get(key.metric, "")
                report = report.with_conditions(event.protocols, event.not_applied, mark)
                yield from self._handle_report(key, report, event.cached)
            case PlanFailure(EvaluationKey() as key, failure):
                self._request_failures.pop(key, None)
                self._failures += 1
                yield EvaluationFailed(self._run, *key, failure)

    def end(self) -> Finished:
        """Note in the store how the run ended: stopped, where something was left open.

        It is also stopped where it is not over.
        """
        self._stopped = self._stopped or not self.is_complete
        if not self._is_over:
            with suppress(StoreError):  # the first error is the one to report
                self._store.end_run(self._run, "stopped" if self._stopped else "finished")
        return Finished(
            run=self._run,
            pictures=self._pictures,
            evaluations=self._evaluations,
            failures=self._failures,
            stopped=self._stopped,
            seconds=time.monotonic() - self._began,
            spent=self._budget.spent,
            unconfirmed=self._budget.unconfirmed,
        )

    # --- pictures

    def _begin_picture(self, shot: GeneratedPicture) -> Iterator[Event]:
        slot = self._slots[shot.generation]
        upload = self._prepared.uploads.get(slot.id)
        if upload and shot.image != upload.sha256:
            shot = self._store.keep_picture(slot, upload)
        if shot.picture and shot.picture.path.exists():
            yield from self._handle_stored_picture(shot, shot.picture)
            return
        request = self._prepared.drawings[slot.id]
        if isinstance(request, Failure):
            yield from self._handle_picture(slot, request)
            return
        self._open_plans += 1
        self._driver.add(
            PictureKey(slot.id),
            single_request_plan(request),
            {"generator": self._bind(slot.model)},
            find_stored=lambda: STORED if self._drawn_shot(slot) else None,
        )

    def _handle_stored_picture(self, shot: GeneratedPicture, picture: Picture) -> Iterator[Event]:
        if is_whole(picture):
            yield from self._picture_events(shot, cached=True)
            return
        self._failures += 1
        name = f"{picture.path.parent.name}/{picture.path.name}"
        message = (
            f"The file {name} does not hold the image it is named by: it was changed or damaged,"
            " and is left out. Delete it and run again."
        )
        failure = Failure("broken", message)
        yield PictureFailed(self._run, replace(shot, state="failed", failure=failure))

    def _drawn_shot(self, slot: PictureSlot) -> GeneratedPicture | None:
        """Return the picture of a slot, where it is there by now."""
        for shot in self._store.generated_pictures_by_id([slot.id]):
            if shot.path and shot.path.exists():
                return shot
        return None

    def _handle_picture(self, slot: PictureSlot, reply: Generated | Failure) -> Iterator[Event]:
        if reply is STORED and (shot := self._drawn_shot(slot)):
            yield from self._picture_events(shot, cached=True)
            return
        if isinstance(reply, Generated):
            kept = self._keep_picture(slot, reply)
            if isinstance(kept, GeneratedPicture):
                yield from self._picture_events(kept, cached=False)
                return
            reply = kept
        self._failures += 1
        yield PictureFailed(self._run, self._failed_shot(slot, reply))

    def _keep_picture(self, slot: PictureSlot, reply: Generated) -> GeneratedPicture | Failure:
        about = {"prompt": slot.prompt, "model": slot.model, "seed": str(slot.seed)}
        try:
            image = self._store.keep_image(reply.png, about)
        except ValueError as error:
            return Failure("broken", f"{slot.model}: {error}")
        return self._store.keep_picture(slot, image, reply, self._seconds.get(slot.id))

    def _failed_shot(self, slot: PictureSlot, failure: Failure) -> GeneratedPicture:
        """Keep why there is no picture, unless the slot stays open for the next time."""
        if failure.kind not in LEFT_OPEN:
            return self._store.keep_failure(slot, failure)
        self._stopped = True
        return GeneratedPicture(
            generation=slot.id, model=slot.model, seed=slot.seed, state="failed", failure=failure
        )

    def _picture_events(self, shot: GeneratedPicture, cached: bool) -> Iterator[Event]:
        self._pictures += 1
        self._shots[shot.generation] = shot
        yield Pictured(self._run, shot, cached)
        if not shot.picture:
            return
        for metric in self._prepared.metrics:
            for trial in range(self._prepared.request.trials):
                key = EvaluationKey(shot.generation, metric.name, trial)
                yield from self._begin_evaluation(shot.picture, metric, key)

    # --- evaluations

    def _begin_evaluation(
        self, picture: Picture, metric: Metric, key: EvaluationKey
    ) -> Iterator[Event]:
        if key in self._stored:
            self._evaluations += 1
            yield Evaluated(self._run, replace(self._stored[key], cached=True))
            return
        self._open_plans += 1
        self._driver.add(
            key,
            metric.plan(self._prepared.case(picture, metric)),
            {role: self._bind(model) for role, model in self._lineups[metric.name].items()},
            trial=key.trial,
            readable=metric.readable,
            isolated=True,
        )

    def _handle_report(self, key: EvaluationKey, report: Report, cached: bool) -> Iterator[Event]:
        failures = self._request_failures.pop(key, [])
        left_open = next((failure for failure in failures if failure.kind in LEFT_OPEN), None)
        self._stopped = self._stopped or self._driver.stopped or left_open is not None
        if left_open and not report.score.counted:
            self._failures += 1
            yield EvaluationFailed(self._run, *key, left_open)
            return
        self._failures += len(unanswered_items(report))
        self._evaluations += 1
        lineup = self._lineups[key.metric]
        evaluation = Evaluation(
            generation=key.slot,
            model=self._shots[key.slot].model,
            image=report.image,
            metric=key.metric,
            judge=lineup.get("judge"),
            trial=key.trial,
            report=report,
            cached=cached,
            lineup=lineup,
        )
        self._keep_evaluation(evaluation)
        yield Evaluated(self._run, evaluation)

    def _keep_evaluation(self, evaluation: Evaluation) -> None:
        judge = evaluation.judge
        visitors = {
            metric.name
            for metric in self._prepared.metrics
            if metric.needs_questions and self._prepared.has_own_questions
        }
        if self._store.owners.visitor is not None:
            visitors |= self._own_concept_marks.keys()
        self._store.keep_evaluation(
            run=self._run,
            evaluation=evaluation,
            judge_revision=self._bind(judge).revision if judge else "",
            facets=self._facets,
            is_held_back=evaluation.metric in visitors,
        )


# --- what is stored, and what is left to do


def count_unfinished(prepared: PreparedRun, store: Store) -> int:
    """Count the pictures of a request that are still to be drawn or judged.

    One that is judged counts once for each metric and trial.
    """
    shots = store.generated_pictures_by_id([slot.id for slot in prepared.slots])
    drawn = sum(shot.path is not None and shot.path.exists() for shot in shots)
    return max(
        len(prepared.slots) - drawn - len(prepared.uploads),
        prepared.evaluations - len(stored_evaluations(store, prepared.run)),
    )


def unanswered_items(report: Report) -> list[Verdict | Finding]:
    """Return the questions and rows of a report that are left out because a model failed.

    Where nothing is counted, those whose replies cannot be read are among them; where nothing was
    even asked, one row says why ("The prompt may be read wrong").
    """
    items: list[Verdict | Finding] = [
        *report.verdicts,
        *(report.evidence.findings if report.evidence else ()),
    ]
    faults = ("failed",) if report.score.counted else ("failed", "unreadable")
    unanswered = [item for item in items if item.state in faults]
    notes = report.evidence.notes if report.evidence else ()
    if not items and notes and report.score.left_out and not report.score.counted:
        unanswered = [
            Finding(
                kind="prompt",
                expected=report.prompt,
                observed="",
                state="failed",
                note=notes[0],
            )
        ]
    return unanswered


def unanswered_reason(item: Verdict | Finding) -> str:
    """Return why a question or a row of a report has no answer."""
    return (item.note if isinstance(item, Finding) else item.failure) or "There is no answer."


def stored_evaluations(store: Store, run: str) -> dict[EvaluationKey, Evaluation]:
    """Return the stored evaluations of a run in which nothing is left out."""
    return {
        EvaluationKey(e.generation, e.metric, e.trial): e
        for e in store.evaluations(run)
        if e.report.score.left_out == 0 and e.report.score.counted > 0
    }
