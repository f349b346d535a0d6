"""Executes the work of a sweep: some items at once through one driver, so that models batch.

Plans, cache, budget and store stay in this process; the models are here or on a cluster.
"""

import threading
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal

from hallascope.data.requests import Failure
from hallascope.engine.events import Event, Spent
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget
from hallascope.engine.run.calls.call_queue import questions_in_flight
from hallascope.engine.run.driver import Driver, DriverEvent, PaymentNotice, PlanReply
from hallascope.engine.run.evaluation import EvaluationKey, EvaluationRun, PictureKey
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.storage.store import Store

# memory grows with it, and not with the number of prompts; some times the calls that a model takes
OPEN_IMAGES = 96
EngineName = Literal["local", "ray"]


def model_registry(
    engine: EngineName, local: ModelRegistry, address: str | None = None, workers: int | None = None
) -> ModelRegistry:
    """Return the models of an engine: of this machine, or of the nodes of a Ray cluster.

    On a cluster a model has at most so many workers. Raises BadRequest, and Unavailable where ray
    is not installed or the cluster does not answer.
    """
    if engine == "local":
        return local
    from hallascope.engine.sweep.ray.cluster import RayCluster
    from hallascope.engine.sweep.ray.models import ClusterModelRegistry, ClusterModels

    return ClusterModelRegistry(local, ClusterModels(RayCluster(address), workers))


class Executor:
    """Executes items in a window: the next is taken only when there is room for it.

    So neither items nor results pile up. At least two are open, so that no model waits for the last
    answers about one of them. Of each item come a Queued first and a Finished last, by which all it
    brought is in the store. Where `stop` is set nothing more is taken, and what is not finished
    then is begun again at the next run. Where the budget is used up no new item is taken; those
    that are open end without what costs.
    """

    def __init__(
        self,
        store: Store,
        bind: Callable[[str], BoundModel],
        budget: Budget,
        stop: threading.Event,
        window: int = OPEN_IMAGES,
    ) -> None:
        """Take how a model is bound by its name, and how many images may be open."""
        self._store = store
        self._budget = budget
        self._stop = stop
        self._window = window
        self._driver = Driver(store, stop, budget=budget, in_flight=questions_in_flight(store))
        self._open: dict[str, EvaluationRun] = {}  # by run
        self._images = 0  # of the open runs
        self._run_of_slot: dict[str, str] = {}
        self._bind = cache(bind)
        self._closing = False

    def run(self, work: Iterator[PreparedRun]) -> Iterator[Event]:
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

    def _fill_window(self, work: Iterator[PreparedRun]) -> Iterator[Event]:
        """Take items until the window is full; the calls of one go before the next is prepared.

        An item of which everything is there already is over at once.
        """
        while self._has_room() and not self._closing and not self._stop.is_set():
            item = next(work, None)
            if item is None:
                self._closing = True
                return
            run = EvaluationRun(item, self._store, self._bind, self._driver, self._budget)
            self._open[item.run] = run
            self._images += run.size
            self._run_of_slot |= dict.fromkeys(run.slots, item.run)
            yield from run.begin()
            if run.is_complete:
                yield self._end(item.run)
            else:
                self._driver.start()

    def _has_room(self) -> bool:
        return len(self._open) < 2 or self._images < self._window

    def _translate_event(self, event: DriverEvent) -> Iterator[Event]:
        if isinstance(event, PaymentNotice):
            budget = self._budget
            yield Spent(budget.run, budget.spent, budget.calls, budget.cap, budget.unconfirmed)
            return
        match event:
            case PlanReply(reply=Failure(kind="over_budget")):
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
