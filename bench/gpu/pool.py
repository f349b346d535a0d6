"""Measures three judges that do not fit into memory together: eviction and reload."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bench.gpu.chats import chat_spec, draw_picture, lettered_ask, make_chat_folder
from bench.gpu.folders import fill_randomly
from bench.gpu.rows import GB, GpuRow, Setup
from bench.gpu.timing import reset_peak, seconds
from hallascope.backends import memory, registry
from hallascope.backends.base import Backend
from hallascope.backends.memory import Amount, Machine
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer
from hallascope.engine.models import memory_pool

NAMES = ("first", "second", "third")
TURNS = 2
# what each model counts for on a CPU, where tiny ones stand for large ones
COUNTED = 6 * GB


class _LimitedMachine(Machine):
    """Counts real bytes of a GPU, and models on a CPU, against a budget."""

    def __init__(self, budget: int, models: weakref.WeakSet[Any], device: str) -> None:
        self.budget = budget
        self.most = 0
        self._models = models
        self._device = device

    def used_memory(self) -> Amount:
        if self._device == "cpu":
            amount = Amount(COUNTED * len(self._models), 0)
        else:
            amount = super().used_memory()._replace(host=0)
        self.most = max(self.most, amount.total)
        return amount

    def free_memory(self) -> Amount:
        left = max(0, self.budget - self.used_memory().total)
        return Amount(left, left)

    def peak(self) -> Amount:
        if self._device == "cpu":
            return self.used_memory()
        amount = super().peak()._replace(host=0)
        self.most = max(self.most, amount.total)
        return amount


def measure_pool(setup: Setup) -> Iterator[GpuRow]:
    """Ask three judges of the size of Qwen2-VL 2B in turns where two of them have room."""
    folder = make_chat_folder("qwen2-vl-2b", setup)
    entry = chat_spec("qwen2-vl-2b", folder, setup)
    if memory.accelerator() is None:
        # the pool counts twice the bytes of an entry on a CPU
        entry = replace(entry, memory_gb=COUNTED / GB / 2)
    specs = [replace(entry, id=name) for name in NAMES]
    models: weakref.WeakSet[Any] = weakref.WeakSet()
    loads: list[str] = []

    def load(spec: ModelSpec) -> Backend:
        loads.append(spec.id)
        backend: Any = registry.load(spec)
        fill_randomly([backend.model], seed=NAMES.index(spec.id))
        models.add(backend)
        made: Backend = backend
        return made

    machine = _LimitedMachine(0, models, setup.device)
    pool = memory_pool.ModelPool({}, load, machine)
    machine.budget = 2 * pool.expected_size(entry).total + memory_pool.RESERVE
    picture = draw_picture(setup, 0)
    replies: list[tuple[str, object]] = []

    def ask(spec: ModelSpec) -> None:
        with pool.acquire(spec) as backend:
            judge: Any = backend
            (reply,) = judge.ask([lettered_ask(picture, "What is it?")])
        replies.append((spec.id, reply.probabilities if isinstance(reply, Answer) else reply))

    reset_peak(setup)
    times = [seconds(lambda spec=spec: ask(spec), setup.device) for spec in specs * TURNS]  # type: ignore[misc]
    reloading = sum(times[len(NAMES) :]) / len(NAMES)
    again = seconds(lambda: ask(specs[-1]), setup.device)
    same = sum(replies[i] == replies[i + len(NAMES)] for i in range(len(NAMES)))
    yield GpuRow(
        "three judges of 2 B in turns, room for two: loads for six questions, peak of the budget",
        f"{len(loads)}, {machine.most / GB:.1f} of {machine.budget / GB:.1f} GB",
        f"{TURNS * len(NAMES)}, within the budget",
    )
    yield GpuRow(
        "the same: a question with its model's reload, without; same answer after the reload",
        f"{reloading:.1f} s, {again * 1000:.0f} ms; {same} of {len(NAMES)}",
        "all",
    )
