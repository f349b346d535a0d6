"""One evaluation from request to report: pictures are judged as soon as they are there.

It knows no page.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from hallascope.data.evidence import Finding
from hallascope.data.records import Picture, QuestionSet, Report, Verdict
from hallascope.data.requests import Failure, Generate, Generated, Reply, Role
from hallascope.engine.errors import StoreError
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
    Spent,
)
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget
from hallascope.engine.run import driver, prompt_facets
from hallascope.engine.run import pipeline as lineup
from hallascope.engine.run.driver import AnyPlan, Driver, MonotonicClock
from hallascope.engine.run.pipeline import Lineup
from hallascope.engine.storage.images import is_whole
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.metrics.base import Case, Metric


@dataclass(frozen=True, kw_only=True)
class PreparedRun:
    """A request that was checked, with all it names.

    `uploads` are the pictures that are there already, by place.

    `metrics` are those that can say something of this prompt; `lineup` is who is asked, by role.
    `drawings`: what is asked of the model of each place, or why it cannot be asked. `ranks`: the
    judge ranks choices. `not_run`: the metrics that cannot run here. `vocabulary` is that of the
    detector.
    """

    run: str
    request: EvaluateRequest
    places: tuple[PictureSlot, ...]
    uploads: Mapping[str, Picture]
    metrics: tuple[Metric, ...]
    questions: QuestionSet | None = None
    notice: str | None = None
    reference: Picture | None = None
    lineup: Lineup = field(default_factory=dict)
    drawings: Mapping[str, Generate | Failure] = field(default_factory=dict)
    ranks: bool = False
    not_run: tuple[MetricNotRun, ...] = ()
    vocabulary: str = "general"

    @property
    def evaluations(self) -> int:
        return len(self.places) * len(self.metrics) * self.request.trials

    def case(self, picture: Picture, metric: Metric) -> Case:
        """What a metric is given of one picture."""
        asked = self.questions.questions if self.questions else ()
        roles = lineup.for_metric(self.request, metric)
        return Case(
            prompt=self.request.prompt,
            image=picture,
            questions=asked,
            reference=self.reference,
            factual=self.request.factual if metric.needs_concepts else None,
            roles=frozenset(roles),
            judge_ranks_choices=self.ranks,
            vocabulary=self.vocabulary,
        )


def undone(setup: PreparedRun, store: Store) -> int:
    """Pictures of a request that are still to be drawn or judged.

    One that is judged counts once for each metric and trial.
    """
    drawn = sum(
        shot.path is not None and shot.path.exists()
        for shot in store.shots_by_id([place.id for place in setup.places])
    )
    return max(
        len(setup.places) - drawn - len(setup.uploads),
        setup.evaluations - len(stored_evaluations(store, setup.run)),
    )


LEFT_OPEN = (
    "stopped",
    "over_budget",
)  # kinds of failure that say nothing of the request: the same run asks it again


class PictureKey(NamedTuple):
    """The driver's key of a picture."""

    place: str


class EvaluationKey(NamedTuple):
    """The driver's key of an evaluation."""

    place: str
    metric: str
    trial: int


STORED = Generated(b"")  # stands for a picture that another run has made and stored meanwhile


def picture_plan(request: Generate) -> AnyPlan:
    """The shortest of plans: one picture, or the failure to make it."""
    replies: list[Reply] = yield [request]
    return replies[0]


class EvaluationRun:
    """The state of one evaluation while it runs.

    `seat` gives the seat of a model by name; `purse` is the one the driver pays from.
    """

    def __init__(
        self,
        setup: PreparedRun,
        store: Store,
        seat: Callable[[str], BoundModel],
        runner: Driver,
        purse: Budget,
        clock: MonotonicClock = time.monotonic,
    ) -> None:
        self._setup = setup
        self._store = store
        self._seat = seat
        self._driver = runner
        self._clock = clock
        self._purse = purse
        self._run = setup.run
        self._places = {place.id: place for place in setup.places}
        self._asked = {
            metric.name: lineup.for_metric(setup.request, metric) for metric in setup.metrics
        }
        self._shots: dict[str, GeneratedPicture] = {}
        self._known: dict[EvaluationKey, Evaluation] = {}
        self._began = 0.0
        self._lost: dict[EvaluationKey, list[Failure]] = {}
        self._seconds: dict[str, float | None] = {}
        self._facets = prompt_facets.for_request(setup.request, setup.questions)
        self._pictures = self._evaluations = self._failures = self._open = 0
        self._begun = self._stopped = False

    def events(self) -> Iterator[Event]:
        """Everything that happens, Queued first and Finished last.

        What is stored already is told as cached.
        """
        try:
            yield from self.begin()
            for event in self._driver.events():
                yield from self.tell(event)
        finally:
            ended = self.end()
        yield ended

    @property
    def is_complete(self) -> bool:
        """Whether it was begun and all its plans are at their end, with what came of them kept."""
        return self._begun and not self._open

    def begin(self) -> Iterator[Event]:
        """Keep the run, and give the driver what is not there yet.

        For who reads the driver's events himself, and tells them here.
        """
        setup = self._setup
        asked = setup.questions.questions if setup.questions else ()
        self._began = self._clock()
        self._store.start_run(self._run, setup.request, setup.places, asked, setup.notice)
        self._known = stored_evaluations(self._store, self._run)
        shots = self._store.shots(self._run)
        yield Queued(
            run=self._run,
            shots=tuple(shots),
            evaluations=setup.evaluations,
            questions=asked,
            notice=setup.notice,
            not_run=setup.not_run,
        )
        for shot in shots:
            yield from self._begin(shot)
        self._begun = True

    def end(self) -> Finished:
        """Note in the store how the run ended: stopped, where something was left open.

        It is also stopped where it is not over.
        """
        self._stopped = self._stopped or not self.is_complete
        with suppress(StoreError):  # the first error is the one to tell
            self._store.end_run(self._run, "stopped" if self._stopped else "finished")
        seconds = self._clock() - self._began
        spent = self._purse.spent
        return Finished(
            run=self._run,
            pictures=self._pictures,
            evaluations=self._evaluations,
            failures=self._failures,
            stopped=self._stopped,
            seconds=seconds,
            spent=spent,
        )

    def _begin(self, shot: GeneratedPicture) -> Iterator[Event]:
        place = self._places[shot.generation]
        if shot.generation in self._setup.uploads:
            shot = self._store.keep_picture(place, self._setup.uploads[shot.generation])
        if shot.picture and shot.picture.path.exists():
            if is_whole(shot.picture):
                yield from self._picture_events(shot, cached=True)
            else:
                self._failures += 1
                yield PictureFailed(
                    self._run,
                    replace(shot, state="failed", failure=_changed_file_failure(shot.picture)),
                )
        else:
            request = self._setup.drawings[place.id]
            if isinstance(request, Failure):
                yield from self._handle_picture(place, request)
            else:
                self._open += 1
                asked: Mapping[Role, BoundModel] = {"generator": self._seat(place.model)}
                self._driver.add(
                    PictureKey(place.id),
                    picture_plan(request),
                    asked,
                    stored=partial(self._stored_picture, place),
                )

    def _stored_picture(self, place: PictureSlot) -> Generated | None:
        return STORED if self._shot(place) else None

    def _shot(self, place: PictureSlot) -> GeneratedPicture | None:
        """The picture of a place, where it is there by now."""
        return next(
            (
                shot
                for shot in self._store.shots_by_id([place.id])
                if shot.path and shot.path.exists()
            ),
            None,
        )

    def _judged(self, key: EvaluationKey, done: int, of: int) -> Judged:
        return Judged(
            run=self._run,
            generation=key.place,
            metric=key.metric,
            trial=key.trial,
            done=done,
            of=of,
        )

    def tell(self, event: driver.DriverEvent) -> Iterator[Event]:
        """What an event of the driver about one of its plans means here."""
        match event:
            case driver.PlanProgress(PictureKey(place), step, steps):
                yield Generating(self._run, place, self._places[place].model, step, steps)
            case driver.PlanReply(key=PictureKey(place)):
                self._seconds[place] = event.seconds
            case driver.PlanReply(key=EvaluationKey() as key):
                yield self._judged(key, event.done, event.of)
            case driver.PlanRequestFailure(EvaluationKey() as key):
                self._lost.setdefault(key, []).append(event.reply)
                yield self._judged(key, event.done, event.of)
            case driver.PaymentNotice():
                yield Spent(self._run, self._purse.spent, self._purse.calls, self._purse.cap)
            case driver.PlanResult(PictureKey(place), result):
                yield from self._handle_picture(self._places[place], result)
                self._open -= 1
            case driver.PlanResult(EvaluationKey() as key, report):
                yield from self._handle_report(key, report, event.cached)
                self._open -= 1
            case driver.PlanFailure(EvaluationKey() as key, failure):
                self._lost.pop(key, None)
                self._failures += 1
                yield EvaluationFailed(self._run, *key, failure)
                self._open -= 1

    # --- pictures
    # ----------------------------------------------------------------------------------------------

    def _handle_picture(self, place: PictureSlot, reply: Generated | Failure) -> Iterator[Event]:
        if reply is STORED and (shot := self._shot(place)):
            yield from self._picture_events(shot, cached=True)
            return
        if isinstance(reply, Generated):
            try:
                about = {"prompt": place.prompt, "model": place.model, "seed": str(place.seed)}
                image = self._store.keep_image(reply.png, about)
            except ValueError as error:
                reply = Failure("broken", f"{place.model}: {error}")
            else:
                yield from self._picture_events(
                    self._store.keep_picture(place, image, reply, self._seconds.get(place.id)),
                    cached=False,
                )
                return
        self._failures += 1
        if reply.kind in LEFT_OPEN:  # the place stays open for the next time
            self._stopped = True
            yield PictureFailed(
                self._run,
                GeneratedPicture(
                    generation=place.id,
                    model=place.model,
                    seed=place.seed,
                    state="failed",
                    failure=reply,
                ),
            )
        else:
            yield PictureFailed(self._run, self._store.keep_failure(place, reply))

    def _picture_events(self, shot: GeneratedPicture, cached: bool) -> Iterator[Event]:
        self._pictures += 1
        self._shots[shot.generation] = shot
        yield Pictured(self._run, shot, cached)
        for metric in self._setup.metrics:
            for trial in range(self._setup.request.trials):
                yield from self._judge(
                    shot, metric, EvaluationKey(shot.generation, metric.name, trial)
                )

    # --- evaluations
    # -------------------------------------------------------------------------------------------

    def _judge(self, shot: GeneratedPicture, metric: Metric, key: EvaluationKey) -> Iterator[Event]:
        picture = shot.picture
        if picture is None:
            return
        if key in self._known:
            self._evaluations += 1
            yield Evaluated(self._run, replace(self._known[key], cached=True))
            return
        asked = {role: self._seat(model) for role, model in self._asked[metric.name].items()}
        plan = metric.plan(self._setup.case(picture, metric))
        self._open += 1
        self._driver.add(key, plan, asked, trial=key.trial, readable=metric.readable, isolated=True)

    def _handle_report(self, key: EvaluationKey, report: Report, cached: bool) -> Iterator[Event]:
        shot = self._shots[key.place]
        asked = self._asked[key.metric]
        lost = self._lost.pop(key, [])
        left_open = next((failure for failure in lost if failure.kind in LEFT_OPEN), None)
        self._stopped = self._stopped or self._driver.stopped or left_open is not None
        if left_open and not report.score.counted:
            self._failures += 1
            yield EvaluationFailed(self._run, *key, left_open)
            return
        self._failures += len(unanswered_items(report))
        self._evaluations += 1
        judge = asked.get("judge")
        said = Evaluation(
            generation=key.place,
            model=shot.model,
            image=report.image,
            metric=key.metric,
            judge=judge,
            trial=key.trial,
            report=report,
            cached=cached,
            lineup=asked,
        )
        self._store.keep_evaluation(
            run=self._run,
            said=said,
            judge_revision=self._seat(judge).revision if judge else "",
            category=self._facets.category,
            domain=self._facets.domain,
            level=self._facets.level,
            task=self._facets.task,
        )
        yield Evaluated(self._run, said)


def _changed_file_failure(picture: Picture) -> Failure:
    name = f"{picture.path.parent.name}/{picture.path.name}"
    message = (
        f"The file {name} does not hold the image it is named by: it was changed or damaged, and is"
        " left out. Delete it and run again."
    )
    return Failure("broken", message)


def unanswered_items(report: Report) -> list[Verdict | Finding]:
    """The questions and rows of a report that are left out because a model failed."""
    found: list[Verdict | Finding] = [
        *report.verdicts,
        *(report.evidence.findings if report.evidence else ()),
    ]
    return [one for one in found if one.state == "failed"]


def stored_evaluations(store: Store, run: str) -> dict[EvaluationKey, Evaluation]:
    """What is stored of a run's evaluations and need not be asked again."""
    return {
        EvaluationKey(e.generation, e.metric, e.trial): e
        for e in store.evaluations(run)
        if _complete(e.report)
    }


def _complete(report: Report) -> bool:
    """Whether asking again could not say more."""
    return report.score.left_out == 0 and report.score.counted > 0
