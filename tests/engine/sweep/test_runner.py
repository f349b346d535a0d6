"""Sweeps survive anything, kills, full disks, a database that is gone, a judge that fails, and end
like one that nobody disturbed.
"""

import errno
import os
import random
import signal
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import Price
from hallascope.data.requests import Ask, Failure
from hallascope.engine.errors import BadImage, StoreError
from hallascope.engine.events import Finished, Pictured, Queued
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.storage.images import write_atomically
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.outages import LONGEST_WAIT, PATIENCE
from hallascope.engine.sweep.runner import ItemRefused, SweepProgress, SweepStarted
from hallascope.engine.sweep.store import SweepStore
from tests.engine.storage.test_killed import rows
from tests.support.ledger_rows import run_spent
from tests.support.sweep_services import ANSWERS, EVALUATIONS, PICTURES, SPEC, World

MOMENTS = 20  # at which a sweep is killed


def everything(store: Store) -> list[Any]:
    """All rows that count, without times."""
    items = (
        "select sweep, position, run, prompt, done, pictures, evaluations, failures, note from"
        " sweep_item order by position"
    )
    with store.database.engine.connect() as connection:
        swept = [
            list(map(tuple, connection.execute(text(query)).all()))
            for query in ("select id, state, items from sweep", items)
        ]
    return [*rows(store), *swept]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What a sweep leaves that nobody disturbed."""
    world = World(tmp_path_factory.mktemp("undisturbed") / "home")
    world.run()
    world.close()
    return everything(world.store)


# --- a whole run
# --------------------------------------------------------------------------------------------------


def test_a_sweep_buys_no_image_where_its_judge_does_not_answer(begin: Any) -> None:
    cent = Price("2026-01-01", picture=0.01, output=1000.0)
    gone = Failure("denied", "There is no credit left.")
    world = begin(says=lambda ask: gone, price=cent, judge_price=cent)
    with pytest.raises(Unavailable, match=r"no credit left.*No image was bought"):
        world.run()
    assert world.asked() == {"scripted/judge": 1}
    with world.store.database.engine.connect() as connection:
        assert connection.execute(text("select state from sweep")).scalar() == "stopped"


def test_a_sweep_makes_and_judges_everything_and_says_how_far_it_is(begin: Any) -> None:
    world = begin()
    events, ended = world.run()
    assert events[0] == SweepStarted(ended.sweep, 3, 0, PICTURES)
    assert [(moved.over, moved.items) for moved in events if isinstance(moved, SweepProgress)] == [
        (1, 3),
        (2, 3),
        (3, 3),
    ]
    assert ended.totals == (3, 3, PICTURES, EVALUATIONS, 0)
    assert (ended.failed, ended.stopped, ended.notice) == ((), False, None)
    assert world.asked() == {"scripted/one": 3, "scripted/two": 3, "scripted/judge": ANSWERS}
    runs = SweepStore(world.store.database).runs(ended.sweep)
    prompts = [world.store.run(run).request.prompt for run in runs]
    assert prompts == ["a ladybug", "two tulips", "a red circle above a blue square"]
    for run in runs:
        assert world.store.run(run).state == "finished"
        own = [type(one) for one in events if getattr(one, "run", "") == run]
        assert (own[0], own[-1], own.count(Pictured)) == (Queued, Finished, 2)
    before = world.asked()
    events, again = world.run()
    assert (again.totals, world.asked()) == (ended.totals, before), "nothing is asked again"
    assert [type(one) for one in events] == [SweepStarted, type(again)]


def test_no_more_items_are_open_at_once_than_the_window_has_room_for(
    begin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hallascope.engine.sweep.runner.OPEN_IMAGES", 2)
    world = begin()
    open_now = most = 0
    for one in world.sweep(
        SPEC.replace("[a ladybug", "[a honeybee, two roses, a spider, a ladybug")
    ).events():
        open_now += isinstance(one, Queued) - isinstance(one, Finished)
        most = max(most, open_now)
    assert (open_now, most) == (0, 2)


# --- disturbed
# --------------------------------------------------------------------------------------------------


class Kill:
    """Kills this process, as `kill -9` does, at the moment of that number."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            os.kill(os.getpid(), signal.SIGKILL)


def killed(begin: Callable[..., World], name: str, at: int) -> bool:
    """Run the sweep in a process of its own that is killed at a moment; whether it came to that."""
    child = os.fork()
    if not child:
        try:
            begin(name, moment=Kill(at)).run()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


@pytest.mark.full
def test_kill_9_at_twenty_random_moments_loses_nothing_and_doubles_nothing(
    begin: Any, undisturbed: list[Any]
) -> None:
    moments: list[None] = []
    begin("counted", moment=lambda: moments.append(None)).run()
    chosen = random.Random(9).sample(range(len(moments)), MOMENTS)
    for at in chosen:
        assert killed(begin, f"killed {at}", at), at
        world = begin(f"killed {at}")
        _, ended = world.run()
        assert (ended.totals.done, ended.stopped) == (3, False), at
        assert everything(world.store) == undisturbed, at
        world.close()


def test_a_disk_that_is_full_once_is_waited_for(begin: Any, undisturbed: list[Any]) -> None:
    full, told, waits = [True], list[str](), list[float]()

    def write(path: Path, data: bytes) -> None:
        if full and path.suffix == ".png":
            full.pop()
            raise OSError(errno.ENOSPC, "No space left on device")
        write_atomically(path, data)

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return False

    world = begin(write=write)
    _, ended = world.run(notify=told.append, wait=wait)
    assert (ended.stopped, ended.failed, len(waits)) == (False, (), 1)
    assert "No space left on device" in told[0]
    assert everything(world.store) == undisturbed


def test_a_disk_that_stays_full_ends_the_sweep_with_its_sentence_and_it_goes_on_later(
    begin: Any, undisturbed: list[Any]
) -> None:
    waits, left = list[float](), [3]

    def write(path: Path, data: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        write_atomically(path, data)

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return False

    with pytest.raises(StoreError, match=r"No space left on device.*free some space"):
        begin(write=write).run(wait=wait, clock=lambda: sum(waits))
    assert sum(waits) == pytest.approx(PATIENCE)
    assert waits[:3] == [0.5, 1.0, 2.0], "each wait is twice the one before"
    assert max(waits) == LONGEST_WAIT
    world = begin()
    world.run()
    assert everything(world.store) == undisturbed


class GoneDatabase:
    """A database that is gone from a transaction on, until its clock says `back`."""

    def __init__(self, world: World, at: int, back: float) -> None:
        self.engine, self.left, self.back, self.now = world.store.database.engine, at, back, 0.0

    def begin(self, connection: object) -> None:
        self.left -= 1
        if self.left <= 0 and self.now < self.back:
            reason = sqlite3.OperationalError("the server closed the connection")
            raise OperationalError("BEGIN", {}, reason)

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return False

    def sweep(self, world: World, **more: Any) -> None:
        sweep = world.sweep(wait=self.wait, clock=lambda: self.now, **more)
        event.listen(self.engine, "begin", self.begin)
        try:
            list(sweep.events())
        finally:
            event.remove(self.engine, "begin", self.begin)


@pytest.mark.parametrize("at", [3, 40])
def test_a_database_that_is_gone_for_ten_seconds_is_waited_for(
    begin: Any, undisturbed: list[Any], at: int
) -> None:
    world, told = begin(), list[str]()
    gone = GoneDatabase(world, at, back=10)
    gone.sweep(world, notify=told.append)
    assert gone.now >= 10
    assert "the server closed the connection" in told[0]
    assert everything(world.store) == undisturbed


def test_a_database_that_does_not_come_back_is_given_up_once_and_not_for_every_prompt(
    begin: Any, undisturbed: list[Any]
) -> None:
    world = begin()
    gone = GoneDatabase(world, 17, back=float("inf"))
    with pytest.raises(StoreError, match="the server closed the connection"):
        gone.sweep(world)
    assert gone.now == pytest.approx(PATIENCE)
    world.run()
    assert everything(world.store) == undisturbed


def test_what_cannot_be_kept_at_all_is_not_waited_for(begin: Any) -> None:
    world = begin()
    sweep = world.sweep(wait=lambda seconds: pytest.fail("it waits for what does not pass"))
    with world.store.database.engine.begin() as connection:
        connection.execute(
            text(
                "create trigger no before insert on evaluation begin select raise(abort,"
                " 'never'); end"
            )
        )
    with pytest.raises(StoreError, match="never"):
        list(sweep.events())


def test_what_failed_is_listed_and_only_that_is_asked_again(
    begin: Any, undisturbed: list[Any]
) -> None:
    def fails(ask: Ask) -> str | Failure:
        return (
            Failure("refused", "The service will not say: ask another.")
            if "tulip" in ask.question
            else f"A) {ask.choices[0]}"
        )

    world = begin(says=fails)
    _, ended = world.run()
    (failed,) = ended.failed
    assert (failed.prompt, failed.failures > 0) == ("two tulips", True)
    assert ", ihalla: " in failed.note
    assert "will not say" in failed.note
    assert (ended.totals.done, ended.totals.failures, ended.stopped) == (2, failed.failures, False)
    healed = begin()
    assert healed.run()[1].failed == ()
    assert healed.asked() == {"scripted/judge": failed.failures}
    assert everything(healed.store) == undisturbed


def test_a_prompt_that_cannot_be_begun_is_told_and_the_others_go_on(
    begin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = begin()
    prepare = world.services.prepare

    def faulty(request: Any, terms: SpendingPolicy) -> Any:
        if request.prompt == "two tulips":
            raise BadImage("The reference image is damaged: give another.")
        return prepare(request, terms)

    monkeypatch.setattr(world.services, "prepare", faulty)
    events, ended = world.run()
    assert [one for one in events if isinstance(one, ItemRefused)] == [
        ItemRefused("two tulips", "The reference image is damaged: give another.")
    ]
    assert (ended.totals.done, [one.prompt for one in ended.failed]) == (2, ["two tulips"])
    monkeypatch.undo()
    assert world.run()[1].totals == (3, 3, PICTURES, EVALUATIONS, 0)


@pytest.mark.parametrize("after", [1, 6])
def test_a_stop_ends_it_cleanly_and_the_next_run_goes_on(
    begin: Any, undisturbed: list[Any], after: int
) -> None:
    world, stop, seen = begin(), threading.Event(), 0
    for one in world.sweep(stop=stop).events():
        seen += isinstance(one, Pictured)
        if seen == after:
            stop.set()
    assert one.stopped
    assert one.totals.done < 3
    assert not one.failed, "what was stopped has not failed"
    world.run()
    assert everything(world.store) == undisturbed
    assert world.asked()["scripted/judge"] <= ANSWERS + 2 * 2, (
        "only what was under way is asked twice"
    )


def test_the_cap_ends_it_with_its_sentence_and_a_higher_one_lets_it_go_on(begin: Any) -> None:
    world = begin(price=Price("2026-01-01", picture=0.1))
    _, ended = world.run(terms=SpendingPolicy(run=0.25))
    assert (ended.stopped, ended.spent <= 0.25 + 0.1) == (True, True)
    assert "raise the budget" in (ended.notice or "")
    assert 0 < ended.totals.pictures < PICTURES
    _, again = world.run(terms=SpendingPolicy(run=5.0))
    assert (again.stopped, again.totals) == (False, (3, 3, PICTURES, EVALUATIONS, 0))
    assert again.spent == pytest.approx(0.1 * PICTURES)
    assert run_spent(world.services.store.ledger, ended.sweep) == pytest.approx(0.1 * PICTURES)
