"""Items are executed on this machine in a window: the next begins where one is over."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hallascope.data.models.specs import Price
from hallascope.engine.events import Event, Finished, Pictured, Queued, Spent
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.sweep.executors import ExecutorContext, WorkItem
from hallascope.engine.sweep.local_executor import LocalExecutor
from tests.support.sweep_services import SPEC, World

FOUR = SPEC.replace("[a ladybug", "[a honeybee, a ladybug")


def context(world: World, policy: SpendingPolicy, stop: threading.Event) -> ExecutorContext:
    registry = world.services.registry
    return ExecutorContext(
        store=world.store,
        bind=registry.binder(policy.keys),
        spec=registry.spec,
        budget=world.services.budget("sweep", policy),
        stop=stop,
        window=2,
    )


@pytest.fixture
def execute() -> Callable[..., list[Event]]:
    """Execute items on a world; `on_event` is called with each event and all items taken so far."""

    def ignore(event: Event, taken: list[WorkItem]) -> None:
        pass

    def run(
        world: World,
        policy: SpendingPolicy | None = None,
        stop: threading.Event | None = None,
        on_event: Callable[[Event, list[WorkItem]], None] = ignore,
    ) -> list[Event]:
        policy = policy or SpendingPolicy()
        taken: list[WorkItem] = []

        def work() -> Iterator[WorkItem]:
            for item in world.planned(FOUR).items():
                taken.append(world.services.prepare(item.request, policy))
                yield taken[-1]

        executor = LocalExecutor(context(world, policy, stop or threading.Event()))
        events = []
        for event in executor.run(work()):
            on_event(event, taken)
            events.append(event)
        return events

    return run


def test_an_item_is_taken_only_where_the_window_has_room(begin: Any, execute: Any) -> None:
    over: list[str] = []

    def watch(event: Event, taken: list[WorkItem]) -> None:
        assert len(taken) - len(over) <= 2
        if isinstance(event, Finished):
            over.append(event.run)

    events = execute(begin(), on_event=watch)
    assert len(over) == len(set(over)) == 4
    assert sum(isinstance(event, Queued) for event in events) == 4


def test_of_each_item_queued_comes_first_and_finished_last(begin: Any, execute: Any) -> None:
    events = execute(begin())
    for run in {event.run for event in events}:
        own = [event for event in events if event.run == run]
        assert isinstance(own[0], Queued)
        assert isinstance(own[-1], Finished)
        assert sum(isinstance(event, Pictured) for event in own) == 2


def test_what_is_there_already_is_over_at_once_and_asks_nobody(begin: Any, execute: Any) -> None:
    world = begin()
    execute(world)
    asked = world.asked()
    events = execute(world)
    assert world.asked() == asked
    ends = [event for event in events if isinstance(event, Finished)]
    assert [(end.pictures, end.evaluations, end.stopped) for end in ends] == [(2, 2, False)] * 4


def test_after_a_stop_nothing_more_is_taken_and_what_is_open_ends_as_stopped(
    begin: Any, execute: Any
) -> None:
    stop = threading.Event()
    runs: set[str] = set()

    def stop_at_first_picture(event: Event, taken: list[WorkItem]) -> None:
        runs.update(item.run for item in taken)
        if isinstance(event, Pictured):
            stop.set()

    events = execute(begin(), stop=stop, on_event=stop_at_first_picture)
    ends = {event.run: event for event in events if isinstance(event, Finished)}
    assert ends.keys() == runs
    assert len(runs) == 2
    assert all(end.stopped for end in ends.values())


def test_where_the_budget_is_used_up_no_new_item_is_taken(begin: Any, execute: Any) -> None:
    world = begin(price=Price(picture=0.1, date="2026-01-01"))
    taken_in_all: list[WorkItem] = []

    def note(event: Event, taken: list[WorkItem]) -> None:
        taken_in_all[:] = taken

    events = execute(world, SpendingPolicy(run=0.15), on_event=note)
    assert len(taken_in_all) == 2
    assert any(isinstance(event, Spent) and event.run == "sweep" for event in events)
    assert all(event.stopped for event in events if isinstance(event, Finished))
