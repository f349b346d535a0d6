"""Runs a sweep from first item to last and keeps how far each of them is.

It gives an executor one after another, and prints nothing.
"""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from hallascope.data.records import Verdict
from hallascope.engine.errors import StoreError
from hallascope.engine.events import (
    Evaluated,
    EvaluationFailed,
    Event,
    Finished,
    Pictured,
    PictureFailed,
)
from hallascope.engine.money.budget import Budget, SpendingPolicy, money
from hallascope.engine.run import evaluation
from hallascope.engine.run.evaluation import LEFT_OPEN
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.executors import ExecutorContext, WorkItem, engine
from hallascope.engine.sweep.model_speed import Stopwatch
from hallascope.engine.sweep.outages import StoppableWait, StoreRetrier, patient
from hallascope.engine.sweep.plan import PlannedSweep, SweepItem, prepare_item
from hallascope.engine.sweep.store import (
    FailedItem,
    ItemTally,
    ModelSpeedStore,
    SweepState,
    SweepStore,
    Totals,
)

# pictures of all the items that are open at once; memory grows with it, and not with the number of
# prompts
OPEN_PICTURES = 96
NOTES, NOTE_EVERY = (
    5,
    20.0,
)  # sentences that are kept of an item's failures; seconds between notes of the pace


@dataclass(frozen=True)
class SweepStarted:
    """The first event: `done` of `items` are there from earlier runs.

    `pictures`: how many there will be in all.
    """

    sweep: str
    items: int
    done: int
    pictures: int


@dataclass(frozen=True)
class ItemRefused:
    """An item cannot be begun; `message` says why."""

    prompt: str
    message: str


@dataclass(frozen=True)
class SweepProgress:
    """One more item is over. `left`: about how many seconds are, None where nobody can tell yet."""

    over: int
    items: int
    left: float | None


@dataclass(frozen=True, kw_only=True)
class SweepEnded:
    """The last event.

    `stopped`: by the person or the cap, of which `notice` tells; `failed` lists what is asked again
    next time.
    """

    sweep: str
    totals: Totals
    failed: tuple[FailedItem, ...]
    stopped: bool
    seconds: float
    spent: float
    notice: str | None = None


SweepEvent = SweepStarted | ItemRefused | SweepProgress | SweepEnded | Event


@dataclass(eq=False)
class _OpenItem:
    """An item under way, and what came of it so far."""

    position: int
    pictures: int = 0
    evaluations: int = 0
    failures: int = 0
    notes: list[str] = field(default_factory=list)

    def add_failure(self, note: str, times: int = 1) -> None:
        self.failures += times
        if note not in self.notes and len(self.notes) < NOTES:
            self.notes.append(note)

    @property
    def tally(self) -> ItemTally:
        return ItemTally(self.pictures, self.evaluations, self.failures, "\n".join(self.notes))


class Sweep:
    """Runs a planned sweep, once.

    `stop` ends it cleanly; while the store is gone it `wait`s, and `tell`s what is wrong.
    """

    def __init__(
        self,
        planned: PlannedSweep,
        services: Services,
        terms: SpendingPolicy,
        stop: threading.Event | None = None,
        tell: Callable[[str], None] = lambda said: None,
        wait: StoppableWait | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._planned = planned
        self._services = services
        self._terms = terms
        self._clock = clock
        self._stop = stop or threading.Event()
        self._told: deque[SweepEvent] = deque()
        self._patience = StoreRetrier(self._stop, tell, wait, clock)
        self._kept = SweepStore(services.store.database)
        self._store: Store = patient(services.store, self._patience)
        self._stopwatch = Stopwatch()
        self._noted = 0.0
        self._open: dict[str, _OpenItem] = {}  # by run
        self._notice: str | None = None
        self._stopped = False
        self._over = self._there = 0

    def events(self, by: str = "local", address: str | None = None) -> Iterator[SweepEvent]:
        """Everything that happens, Begun first and Ended last.

        The same sweep again goes on where it was left. `by`: which engine.

        Raises StoreError where the store does not come back, BadRequest, Unavailable.
        """
        began = self._clock()
        purse = self._services.budget(self._planned.id, self._terms, self._store.ledger)
        works = engine(by, self._means(purse, address))
        done = self._patience(self._start)
        self._over = self._there = len(done)
        try:
            yield SweepStarted(
                self._planned.id, len(self._planned), len(done), self._planned.pictures
            )
            for event in works.run(self._work(done)):
                yield from self._tell(event, began)
            yield from self._rest()
        except BaseException:
            with suppress(StoreError):  # the first error is the one to tell
                self._end("stopped")
            raise
        yield self._end_event(began, purse)

    def _means(self, purse: Budget, address: str | None) -> ExecutorContext:
        roster = self._services.roster
        seating = roster.binder(self._terms.keys)
        return ExecutorContext(
            store=self._store,
            seat=seating,
            spec=roster.spec,
            purse=purse,
            stop=self._stop,
            window=self._window(),
            address=address,
            measured=self._stopwatch.measure,
        )

    def _start(self) -> frozenset[int]:
        """Keep the sweep; the places of the items that are done already."""
        planned = self._planned
        self._kept.start(
            planned.id, planned.spec.title, json.dumps(planned.spec.plain()), len(planned)
        )
        return self._kept.done_items(planned.id)

    def _end(self, state: SweepState) -> tuple[Totals, tuple[FailedItem, ...]]:
        """Note how it ended; what is there of it."""
        self._note_pace()
        self._kept.end(self._planned.id, state)
        return self._kept.totals(self._planned.id), tuple(self._kept.failed_items(self._planned.id))

    def _end_event(self, began: float, purse: Budget) -> SweepEnded:
        stopped = self._stopped or self._over < len(self._planned)
        totals, failed = self._patience(lambda: self._end("stopped" if stopped else "finished"))
        notice = self._notice or (_spent(purse) if stopped else None)
        return SweepEnded(
            sweep=self._planned.id,
            totals=totals,
            failed=failed,
            stopped=stopped,
            seconds=self._clock() - began,
            spent=purse.spent,
            notice=notice,
        )

    def _window(self) -> int:
        """Return how many items are open at once: at least two, so that models need not wait.

        They would wait for the last answers about one.
        """
        spec = self._planned.spec
        each = (
            len(spec.models)
            * spec.groups[0].count
            * (1 + len(spec.inject))
            * max(1, len(spec.metrics) * spec.trials // 4)
        )
        return max(2, OPEN_PICTURES // each)

    # --- items
    # ----------------------------------------------------------------------------------------------

    def _work(self, done: frozenset[int]) -> Iterator[WorkItem]:
        """The items that are not done, each prepared when it is asked for."""
        for item in self._planned.items():
            if item.position in done:
                continue
            found = prepare_item(item, self._services, self._terms, self._patience)
            if isinstance(found, str):
                self._refuse(item, found)
                continue
            self._begin(item, found.run)
            yield found

    def _begin(self, item: SweepItem, run: str) -> None:
        self._open[run] = _OpenItem(item.position)
        self._patience(
            lambda: self._kept.begin_item(self._planned.id, item.position, run, item.request.prompt)
        )

    def _refuse(self, item: SweepItem, why: str) -> None:
        sweep = self._planned.id
        prompt = item.request.prompt
        self._patience(lambda: self._kept.begin_item(sweep, item.position, "", prompt))
        self._patience(
            lambda: self._kept.end_item(
                sweep, item.position, ItemTally(failures=1, note=why), done=False
            )
        )
        self._over += 1
        self._told.append(ItemRefused(prompt, why))

    # --- events
    # ----------------------------------------------------------------------------------------------

    def _tell(self, event: Event, began: float) -> Iterator[SweepEvent]:
        yield from self._rest()
        yield event
        if one := self._open.get(event.run):
            self._count(one, event)
        if isinstance(event, Finished):
            yield self._finish_item(event, began)

    def _rest(self) -> Iterator[SweepEvent]:
        """What came up while the engine was at work."""
        while self._told:
            yield self._told.popleft()

    def _count(self, one: _OpenItem, event: Event) -> None:
        match event:
            case Pictured():
                one.pictures += 1
            case PictureFailed(shot=shot) if shot.failure:
                self._note_failure(
                    one, f"{shot.model} seed {shot.seed}", shot.failure.kind, shot.failure.message
                )
            case EvaluationFailed():
                self._note_failure(one, event.metric, event.failure.kind, event.failure.message)
            case Evaluated(evaluation=said):
                one.evaluations += 1
                for lost in evaluation.unanswered_items(said.report):
                    why = lost.failure if isinstance(lost, Verdict) else lost.note
                    one.add_failure(f"{said.model}, {said.metric}: {why}")
            case _:
                pass

    def _note_failure(self, one: _OpenItem, what: str, kind: str, why: str) -> None:
        if kind not in LEFT_OPEN:
            one.add_failure(f"{what}: {why}")
        elif kind == "over_budget":
            self._notice = why

    def _finish_item(self, event: Finished, began: float) -> SweepProgress:
        """Keep how far the item is.

        What failed is asked again at the next run, and so is what was left open, which has not
        failed.
        """
        one = self._open.pop(event.run)
        tally = one.tally._replace(failures=0, note="") if event.stopped else one.tally
        done = not event.stopped and not one.failures
        self._stopped = self._stopped or event.stopped
        self._patience(lambda: self._kept.end_item(self._planned.id, one.position, tally, done))
        self._over += 1
        if self._clock() - self._noted > NOTE_EVERY:
            self._note_pace()
        fresh = self._over - self._there
        items = len(self._planned)
        return SweepProgress(
            self._over, items, (self._clock() - began) / fresh * (items - self._over)
        )

    def _note_pace(self) -> None:
        """Keep how fast the models were; without it only the next estimate is poorer."""
        self._noted = self._clock()
        with suppress(StoreError):
            ModelSpeedStore(self._services.store.database).add(self._stopwatch.drain())


def _spent(purse: Budget) -> str | None:
    """One sentence where the cap was reached by what is there, and by nothing that was refused."""
    if purse.spent < purse.cap or not purse.spent:
        return None
    return (
        f"The sweep has spent {money(purse.spent)} of at most {money(purse.cap)}: raise the cap"
        " (--budget) to go on."
    )
