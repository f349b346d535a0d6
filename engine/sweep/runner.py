"""Runs a sweep: gives an executor one item after another, and stores how far each of them is."""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from hallascope.data.requests import LEFT_OPEN, Failure
from hallascope.engine.errors import StoreError
from hallascope.engine.events import (
    Evaluated,
    EvaluationFailed,
    Event,
    Finished,
    Pictured,
    PictureFailed,
    RunState,
)
from hallascope.engine.money.budget import Budget, SpendingPolicy
from hallascope.engine.money.spending import money, unconfirmed_note
from hallascope.engine.run import evaluation
from hallascope.engine.run.estimate import costs
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.executor import OPEN_IMAGES, Executor
from hallascope.engine.sweep.model_speed import Stopwatch
from hallascope.engine.sweep.outages import StoppableWait, StoreRetrier, retrying_store
from hallascope.engine.sweep.plan import PlannedSweep, SweepItem, prepare_item
from hallascope.engine.sweep.ray.models import ClusterModelRegistry
from hallascope.engine.sweep.store import (
    FailedItem,
    ItemTally,
    ModelSpeedStore,
    SweepStore,
    Totals,
)

MAX_NOTES = 5  # failures of an item whose sentences are stored
SPEED_INTERVAL = 20.0  # seconds between two times that the models' speed is stored


@dataclass(frozen=True)
class SweepStarted:
    """Opens the events: `done` of `items` are there from earlier runs.

    `pictures`: how many there will be in all.
    """

    sweep: str
    items: int
    done: int
    pictures: int


@dataclass(frozen=True)
class ItemRefused:
    """Reports that an item cannot be begun; `message` says why."""

    prompt: str
    message: str


@dataclass(frozen=True)
class SweepProgress:
    """Reports that one more item is over; about `seconds_left` remain."""

    over: int
    items: int
    seconds_left: float


@dataclass(frozen=True, kw_only=True)
class SweepEnded:
    """Closes the events.

    `stopped`: by the person or the cap, which `notice` explains; `failed` lists what is asked again
    next time; `unconfirmed`: USD of what was `spent` that no service has confirmed.
    """

    sweep: str
    totals: Totals
    failed: tuple[FailedItem, ...]
    stopped: bool
    seconds: float
    spent: float
    notice: str | None = None
    unconfirmed: float = 0.0


SweepEvent = SweepStarted | ItemRefused | SweepProgress | SweepEnded | Event


@dataclass(eq=False)
class _OpenItem:
    """Holds an item under way, and what came of it so far."""

    position: int
    pictures: int = 0
    evaluations: int = 0
    failures: int = 0
    notes: list[str] = field(default_factory=list)

    def add_failure(self, note: str) -> None:
        self.failures += 1
        if note not in self.notes and len(self.notes) < MAX_NOTES:
            self.notes.append(note)

    @property
    def tally(self) -> ItemTally:
        return ItemTally(self.pictures, self.evaluations, self.failures, "\n".join(self.notes))


class Sweep:
    """Runs a planned sweep, once.

    `stop` ends it cleanly; while the store is gone it `wait`s, and gives `notify` what is wrong.
    """

    def __init__(
        self,
        planned: PlannedSweep,
        services: Services,
        policy: SpendingPolicy,
        stop: threading.Event | None = None,
        notify: Callable[[str], None] = lambda message: None,
        wait: StoppableWait | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._planned = planned
        self._services = services
        self._policy = policy
        self._clock = clock
        self._start = 0.0
        self._stop = stop or threading.Event()
        self._refused: deque[ItemRefused] = deque()
        self._retry = StoreRetrier(self._stop, notify, wait, clock)
        self._sweeps = SweepStore(services.store.database)
        self._store: Store = retrying_store(services.store, self._retry)
        self._stopwatch = Stopwatch()
        self._speed_stored = 0.0
        self._open: dict[str, _OpenItem] = {}  # by run
        self._notice: str | None = None
        self._stopped = False
        self._over = 0
        self._over_before = 0  # items that were done in earlier runs

    def events(self) -> Iterator[SweepEvent]:
        """Yield everything that happens, SweepStarted first and SweepEnded last.

        The same sweep again goes on where it was left. Raises StoreError where the store does not
        come back, BadRequest, Unavailable.
        """
        self._start = self._clock()
        budget = self._services.budget(self._planned.id, self._policy, self._store.ledger)
        registry = self._services.registry
        bind = registry.binder(self._policy.keys)
        cluster = registry.cluster_models if isinstance(registry, ClusterModelRegistry) else None
        executor = Executor(
            self._store,
            lambda name: self._stopwatch.measure(bind(name)),
            budget,
            self._stop,
            OPEN_IMAGES * max(1, len(cluster.nodes) if cluster else 1),
        )
        done = self._retry(self._store_sweep)
        self._over = self._over_before = len(done)
        try:
            if len(done) < len(self._planned):
                self._check_models(budget)
            yield SweepStarted(
                self._planned.id, len(self._planned), len(done), self._planned.pictures
            )
            for event in executor.run(self._work(done)):
                yield from self._drain_refused()
                yield event
                if item := self._open.get(event.run):
                    self._count(item, event)
                if isinstance(event, Finished):
                    yield self._finish_item(event)
            yield from self._drain_refused()
        except BaseException:
            with suppress(StoreError):  # the first error is the one to report
                self._end("stopped")
            raise
        finally:
            if cluster:
                cluster.close()
        yield self._end_event(budget)

    def _check_models(self, budget: Budget) -> None:
        """Raise Unavailable where images are to be bought and a paid model does not answer."""
        registry = self._services.registry
        drawing = [registry.spec(name) for name in self._planned.spec.models]
        buying = [spec for spec in drawing if costs(spec)]
        if buying:
            called = {
                spec.id: spec
                for name, _ in self._planned.models
                for spec in registry.with_members(name)
                if costs(spec) and not spec.members
            }
            self._services.require_answers(
                buying, list(called.values()), self._policy, budget, self._stop
            )

    def _store_sweep(self) -> frozenset[int]:
        """Store the sweep; return the positions of the items that are done already."""
        planned = self._planned
        self._sweeps.start(
            planned.id, planned.spec.title, json.dumps(planned.spec.plain()), len(planned)
        )
        return self._sweeps.done_items(planned.id)

    def _end(self, state: RunState) -> tuple[Totals, tuple[FailedItem, ...]]:
        """Store how the sweep ended, and return its totals and what failed."""
        sweep = self._planned.id
        self._store_speed()
        self._sweeps.end(sweep, state)
        return self._sweeps.totals(sweep), tuple(self._sweeps.failed_items(sweep))

    def _end_event(self, budget: Budget) -> SweepEnded:
        stopped = self._stopped or self._over < len(self._planned)
        totals, failed = self._retry(lambda: self._end("stopped" if stopped else "finished"))
        return SweepEnded(
            sweep=self._planned.id,
            totals=totals,
            failed=failed,
            stopped=stopped,
            seconds=self._clock() - self._start,
            spent=budget.spent,
            notice=self._notice or (_cap_notice(budget) if stopped else None),
            unconfirmed=budget.unconfirmed,
        )

    # --- items ---

    def _work(self, done: frozenset[int]) -> Iterator[PreparedRun]:
        """Yield the items that are not done, each prepared on demand."""
        for item in self._planned.items():
            if item.position in done:
                continue
            prepared = prepare_item(item, self._services, self._policy, self._retry)
            if isinstance(prepared, str):
                self._begin_item(item, run="")
                self._end_item(item.position, ItemTally(failures=1, note=prepared), done=False)
                self._refused.append(ItemRefused(item.request.prompt, prepared))
                continue
            self._open[prepared.run] = _OpenItem(item.position)
            self._begin_item(item, prepared.run)
            yield prepared

    def _begin_item(self, item: SweepItem, run: str) -> None:
        self._retry(
            lambda: self._sweeps.begin_item(
                self._planned.id, item.position, run, item.request.prompt
            )
        )

    def _end_item(self, position: int, tally: ItemTally, done: bool) -> None:
        self._retry(lambda: self._sweeps.end_item(self._planned.id, position, tally, done))
        self._over += 1

    def _drain_refused(self) -> Iterator[ItemRefused]:
        """Yield the items that were refused while the executor was at work."""
        while self._refused:
            yield self._refused.popleft()

    # --- events ---

    def _count(self, item: _OpenItem, event: Event) -> None:
        match event:
            case Pictured():
                item.pictures += 1
            case PictureFailed(shot=shot) if shot.failure:
                self._add_failure(item, f"{shot.model} seed {shot.seed}", shot.failure)
            case EvaluationFailed():
                self._add_failure(item, event.metric, event.failure)
            case Evaluated(evaluation=result):
                item.evaluations += 1
                for unanswered in evaluation.unanswered_items(result.report):
                    reason = evaluation.unanswered_reason(unanswered)
                    item.add_failure(f"{result.model}, {result.metric}: {reason}")
            case _:
                pass

    def _add_failure(self, item: _OpenItem, what: str, failure: Failure) -> None:
        if failure.kind not in LEFT_OPEN:
            item.add_failure(f"{what}: {failure.message}")
        elif failure.kind == "over_budget":
            self._notice = failure.message

    def _finish_item(self, event: Finished) -> SweepProgress:
        """Store how far the item is.

        What failed is asked again at the next run, and so is what was left open, which has not
        failed.
        """
        item = self._open.pop(event.run)
        self._stopped = self._stopped or event.stopped
        tally = item.tally._replace(failures=0, note="") if event.stopped else item.tally
        self._end_item(item.position, tally, done=not event.stopped and not item.failures)
        if self._clock() - self._speed_stored > SPEED_INTERVAL:
            self._store_speed()
        items = len(self._planned)
        seconds_each = (self._clock() - self._start) / (self._over - self._over_before)
        return SweepProgress(self._over, items, seconds_each * (items - self._over))

    def _store_speed(self) -> None:
        """Store how fast the models were; without it only the next forecast is poorer."""
        self._speed_stored = self._clock()
        with suppress(StoreError):
            ModelSpeedStore(self._services.store.database).add(self._stopwatch.drain())


def _cap_notice(budget: Budget) -> str | None:
    """Return one sentence where what is spent has reached the cap, though no call was refused."""
    if budget.spent < budget.cap or not budget.spent:
        return None
    return (
        f"The sweep has spent {money(budget.spent)} of at most {money(budget.cap)}"
        f"{unconfirmed_note(budget.spent, budget.unconfirmed, budget.cap)}: raise the budget"
        " (--budget) to go on."
    )
