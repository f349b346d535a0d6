"""A model that needs room sends away those that rest.

What is at work stays, and nothing is lost by it.
"""

import threading
import weakref
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends import memory
from hallascope.backends.base import NoRoom, Stopped
from hallascope.backends.memory import Amount
from hallascope.data.models.specs import GB, ModelSpec
from hallascope.engine.models.memory_pool import PATIENCE, ModelPool
from tests.support.scripted import Scripted


def spec(name: str, gb: float | None = None) -> ModelSpec:
    return ModelSpec(id=name, title=name, roles=("judge",), backend="scripted", memory_gb=gb)


class Pretended:
    """A machine of so many GB on which models take what `sizes` says, whatever their entries do."""

    def __init__(
        self, gb: float, sizes: dict[str, float], growth: dict[str, float] | None = None
    ) -> None:
        self.gb, self.sizes, self.growth = gb, sizes, growth or {}
        self.there: dict[str, float] = {}
        self.loads: list[str] = []
        self.loaded: dict[str, Any] = {}
        self.now = 0.0

    def load(self, spec: ModelSpec) -> Scripted:
        self.loads.append(spec.id)
        self.release()
        if sum(self.there.values()) + self.sizes[spec.id] > self.gb:
            raise NoRoom(f"{spec.title} cannot run here: there is too little memory.")
        self.there = {**self.there, spec.id: self.sizes[spec.id]}
        return Scripted(spec)

    def used_memory(self) -> Amount:
        return Amount(int(GB * sum(self.there.values())), 0)

    def peak(self) -> Amount:
        return Amount(
            self.used_memory().host
            + int(GB * sum(self.growth.get(name, 0) for name in self.there)),
            0,
        )

    def free_memory(self) -> Amount:
        return Amount(int(GB * self.gb) - self.used_memory().host, 0)

    def watch(self) -> None: ...

    def release(self) -> None:
        self.there = {name: size for name, size in self.there.items() if name in self.loaded}

    def house(self) -> ModelPool:
        return ModelPool(self.loaded, self.load, self, lambda: self.now)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _no_accelerator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "accelerator", lambda: None)


def ask(house: ModelPool, *names: str, gb: float = 2) -> None:
    for name in names:
        with house.acquire(spec(name, gb)):
            pass


def test_the_one_that_was_not_asked_for_the_longest_goes_first_and_only_as_many_as_must() -> None:
    machine = Pretended(12, {"a": 3, "b": 3, "c": 3, "d": 2})
    house = machine.house()
    ask(house, "a", "b", "c", "a")
    gone = weakref.ref(machine.loaded["b"])
    ask(house, "d")
    assert set(machine.loaded) == {"a", "c", "d"}
    assert gone() is None, "nothing holds on to what was sent away"
    ask(house, "b")
    assert machine.loads == ["a", "b", "c", "d", "b"]


def test_what_was_measured_goes_before_what_the_entry_says() -> None:
    machine = Pretended(20, {"a": 8, "b": 2, "c": 8})
    house = machine.house()
    assert house.expected_size(spec("a", 3)) == Amount(6 * GB, 0), "twice what it takes in 16 bits"
    ask(house, "a", "b", gb=3)
    assert house.expected_size(spec("a", 3)) == Amount(8 * GB, 0)
    assert house.sizes() == {"a": Amount(8 * GB, 0), "b": Amount(2 * GB, 0)}
    ask(house, "c", gb=4)
    assert set(machine.loaded) == {"a", "b", "c"}


def test_what_its_first_call_adds_counts_unless_others_had_a_part_in_it() -> None:
    machine = Pretended(40, {"a": 3, "b": 3}, growth={"a": 2, "b": 2})
    house = machine.house()
    ask(house, "a")
    assert house.sizes()["a"] == Amount(5 * GB, 0)
    with house.acquire(spec("b", 2)):
        ask(house, "a")
    assert house.sizes()["b"] == Amount(3 * GB, 0)


def test_small_models_and_those_that_were_given_are_never_sent_away() -> None:
    machine = Pretended(8, {"little": 0.1, "a": 5, "b": 5})
    given = machine.loaded["given"] = Scripted(spec("given"))
    house = machine.house()
    ask(house, "little", gb=0.01)
    ask(house, "given", "a", "b")
    assert set(machine.loaded) == {"given", "little", "b"}
    assert machine.loaded["given"] is given
    assert house.is_preloaded("given")
    assert not house.is_preloaded("b")


def test_a_model_that_fits_nowhere_is_tried_with_all_others_away_and_says_so_itself() -> None:
    machine = Pretended(6, {"a": 3, "huge": 9})
    house = machine.house()
    ask(house, "a")
    with pytest.raises(NoRoom, match="huge cannot run here"):
        ask(house, "huge", gb=9)
    assert set(machine.loaded) == set()
    ask(house, "a")
    assert machine.loads == ["a", "huge", "a"]


def test_where_an_entry_says_too_little_the_model_is_tried_once_more_with_the_others_away() -> None:
    machine = Pretended(9, {"a": 5, "b": 6})
    house = machine.house()
    ask(house, "a")
    ask(house, "b", gb=0.5)
    assert machine.loads == ["a", "b", "b"]
    assert set(machine.loaded) == {"b"}


def test_who_needs_the_room_of_a_model_at_work_waits_until_it_rests_and_hears_a_stop() -> None:
    machine = Pretended(8, {"a": 5, "b": 5})
    house = machine.house()
    told = []

    def stop() -> None:
        told.append(1)
        if len(told) == 3:
            raise Stopped

    with house.acquire(spec("a", 2)):
        with pytest.raises(Stopped), house.acquire(spec("b", 2), stop):
            pass
        assert machine.loads == ["a"]
    with house.acquire(spec("b", 2), stop):
        assert set(machine.loaded) == {"b"}


def _waiting(house: ModelPool, name: str) -> tuple[threading.Thread, threading.Event]:
    """A thread that waits for the room of a model, and an event that is set once it has it."""
    has, looked = threading.Event(), threading.Event()

    def wait() -> None:
        with house.acquire(spec(name, 2), looked.set):
            has.set()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    assert looked.wait(20)
    return thread, has


def test_a_model_with_more_to_do_does_it_at_one_go_but_not_for_ever() -> None:
    machine = Pretended(8, {"a": 5, "b": 5})
    house = machine.house()
    with ExitStack() as work:
        work.enter_context(house.acquire(spec("a", 2)))
        thread, has = _waiting(house, "b")
        ask(house, "a", "a")
        assert not has.is_set(), "it goes on with what is loaded"
        machine.now = PATIENCE + 1
        late, got = _waiting(house, "a")
        assert not got.is_set(), "now others go first"
    thread.join(20)
    late.join(20)
    assert has.is_set()
    assert got.is_set()
    assert machine.loads == ["a", "b", "a"]


def test_of_models_that_ship_one_is_loaded_at_a_time_and_others_wait_for_none_of_them() -> None:
    machine = Pretended(16, {"first": 1, "second": 1, "other": 1})
    house = machine.house()
    begun, go_on, waited = threading.Event(), threading.Event(), threading.Event()
    load = machine.load

    def slow(spec: ModelSpec) -> Scripted:
        if spec.id == "first":
            begun.set()
            assert go_on.wait(20)
        return load(spec)

    house._load = slow

    def ask_for(name: str) -> None:
        with house.acquire(replace(spec(name), kind="trained"), waited.set):
            pass

    threads = [threading.Thread(target=ask_for, args=(name,)) for name in ("first", "second")]
    threads[0].start()
    assert begun.wait(20)
    threads[1].start()
    assert waited.wait(20)
    ask(house, "other", gb=1)
    assert machine.loads == ["other"]
    go_on.set()
    for thread in threads:
        thread.join(20)
    assert machine.loads == ["other", "first", "second"]


def test_a_model_that_fails_to_load_leaves_nothing_behind() -> None:
    machine = Pretended(8, {"a": 5})
    house = machine.house()
    load = machine.load

    def broken(spec: ModelSpec) -> Scripted:
        raise RuntimeError("broken")

    house._load = broken
    with pytest.raises(RuntimeError):
        ask(house, "a")
    house._load = load
    ask(house, "a")
    assert set(machine.loaded) == {"a"}


def test_a_model_takes_its_room_where_it_runs_and_says_it_or_is_as_large_as_its_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "unet").mkdir()
    (tmp_path / "unet" / "model.safetensors").write_bytes(bytes(1000))
    house = Pretended(8, {}).house()
    plain = replace(spec("a"), repository=str(tmp_path))
    assert house.expected_size(plain) == Amount(2000, 0)
    assert house.expected_size(replace(spec("b", 3), kind="api")) == Amount(0, 0)
    for accelerator, expected in (("cuda", Amount(0, 3 * GB)), ("mps", Amount(3 * GB, 0))):
        monkeypatch.setattr(memory, "accelerator", lambda found=accelerator: found)
        assert house.expected_size(spec("a", 3)) == expected
