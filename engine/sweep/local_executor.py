"""Executes a sweep on this machine: some items at once through one driver, so that models batch."""

from collections.abc import Iterator
from functools import cache

from hallascope.data.requests import Failure
from hallascope.engine.events import Event, Spent
from hallascope.engine.run import driver_events
from hallascope.engine.run.driver import Driver
from hallascope.engine.run.evaluation import EvaluationKey, EvaluationRun, PictureKey
from hallascope.engine.sweep.executors import ExecutorContext, WorkItem


class LocalExecutor:
    """Executes items in a window: the next is taken when there is room for it.

    At least two are open, so that no model waits for the last answers about one of them.

    Models may be anywhere: `context.bind` says how each is called.

    Where the budget is used up no new item is taken; those that are open end without what costs.
    """

    def __init__(self, context: ExecutorContext) -> None:
        self._context = context
        self._driver = Driver(
            context.store, context.stop, budget=context.budget, in_flight=context.store.in_flight
        )
        self._open: dict[str, EvaluationRun] = {}  # by run
        self._images = 0  # of the open runs
        self._run_of_slot: dict[str, str] = {}
        self._bind = cache(lambda name: context.measure(context.bind(name)))
        self._closing = False

    def run(self, work: Iterator[WorkItem]) -> Iterator[Event]:
        """Yield everything that happens; closing it stops what is open."""
        try:
            yield from self._fill_window(work)
            for event in self._driver.events():
                yield from self._translate_event(event)
                yield from self._fill_window(work)
        finally:
            self._driver.close()
            for run in list(self._open):
                self._end(run)

    def _fill_window(self, work: Iterator[WorkItem]) -> Iterator[Event]:
        """Take items until the window is full; the calls of one go before the next is prepared.

        An item of which everything is there already is over at once.
        """
        context = self._context
        while self._has_room() and not self._closing and not context.stop.is_set():
            item = next(work, None)
            if item is None:
                self._closing = True
                return
            run = EvaluationRun(item, context.store, self._bind, self._driver, context.budget)
            self._open[item.run] = run
            self._images += run.size
            self._run_of_slot |= dict.fromkeys(run.slots, item.run)
            yield from run.begin()
            if run.is_complete:
                yield self._end(item.run)
            else:
                self._driver.start()

    def _has_room(self) -> bool:
        return len(self._open) < 2 or self._images < self._context.window

    def _translate_event(self, event: driver_events.DriverEvent) -> Iterator[Event]:
        if isinstance(event, driver_events.PaymentNotice):
            budget = self._context.budget
            yield Spent(budget.run, budget.spent, budget.calls, budget.cap, budget.unconfirmed)
            return
        match event:
            case driver_events.PlanReply(reply=Failure(kind="over_budget")):
                self._closing = True
        key = getattr(event, "key", None)
        if not isinstance(key, PictureKey | EvaluationKey):
            raise TypeError(
                f"the driver of a sweep gave an event of {key!r}, which is no image and no"
                " evaluation"
            )
        run = self._run_of_slot[key.slot]
        yield from self._open[run].handle(event)
        if self._open[run].is_complete:
            yield self._end(run)

    def _end(self, run: str) -> Event:
        ended = self._open.pop(run)
        self._images -= ended.size
        for slot in ended.slots:
            if self._run_of_slot.get(slot) == run:
                del self._run_of_slot[slot]
        return ended.end()
