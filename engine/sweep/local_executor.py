"""Executes on this machine: some items at once through one driver, so that models batch.

They have the work of all items; it prints nothing.
"""

from collections.abc import Iterator

from hallascope.engine.events import Event, Spent
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run import driver
from hallascope.engine.run.driver import Driver
from hallascope.engine.run.evaluation import EvaluationKey, EvaluationRun, PictureKey, PreparedRun
from hallascope.engine.sweep.executors import ExecutorContext, WorkItem


class LocalExecutor:
    """Items in a window: the next is taken when one is over.

    Models may be anywhere: `means.seat` says how each is asked.

    Where the budget is used up no new item is taken; those that are open end without what costs.
    """

    def __init__(self, means: ExecutorContext) -> None:
        self._means = means
        self._driver = Driver(means.store, means.stop, purse=means.purse, claims=means.store.claims)
        self._open: dict[str, EvaluationRun] = {}  # by run
        self._owners: dict[str, str] = {}  # place: run
        self._seats: dict[str, BoundModel] = {}
        self._closing = False

    def run(self, work: Iterator[WorkItem]) -> Iterator[Event]:
        """Everything that happens; closing it stops what is open."""
        try:
            yield from self._fill(work)
            for event in self._driver.events():
                yield from self._translate_event(event)
                yield from self._fill(work)
        finally:
            for run in list(self._open):
                self._end(run)

    def _seat(self, name: str) -> BoundModel:
        if name not in self._seats:
            self._seats[name] = self._means.measured(self._means.seat(name))
        return self._seats[name]

    def _fill(self, work: Iterator[WorkItem]) -> Iterator[Event]:
        """Take items until the window is full.

        One of which everything is there already is over at once.
        """
        while (
            len(self._open) < self._means.window
            and not self._closing
            and not self._means.stop.is_set()
        ):
            setup = next(work, None)
            if setup is None:
                self._closing = True
                return
            yield from self._begin(setup)

    def _begin(self, setup: PreparedRun) -> Iterator[Event]:
        means = self._means
        one = self._open[setup.run] = EvaluationRun(
            setup, means.store, self._seat, self._driver, means.purse
        )
        self._owners |= {place.id: setup.run for place in setup.places}
        yield from one.begin()
        if one.is_complete:
            yield self._end(setup.run)

    def _translate_event(self, event: driver.DriverEvent) -> Iterator[Event]:
        if isinstance(event, driver.PaymentNotice):
            purse = self._means.purse
            yield Spent(purse.run, purse.spent, purse.calls, purse.cap)
            return
        if isinstance(event, driver.PlanRequestFailure) and event.reply.kind == "over_budget":
            self._closing = True
        run = self._owners[_place(event)]
        yield from self._open[run].tell(event)
        if self._open[run].is_complete:
            yield self._end(run)

    def _end(self, run: str) -> Event:
        self._owners = {place: owner for place, owner in self._owners.items() if owner != run}
        return self._open.pop(run).end()


def _place(event: driver.DriverEvent) -> str:
    key = getattr(event, "key", None)
    if not isinstance(key, PictureKey | EvaluationKey):
        raise TypeError(
            f"the driver of a sweep told of {key!r}, which is no picture and no evaluation"
        )
    return key.place
