"""Keeps models in memory; one that needs room evicts those unused for the longest.

It knows no request and no run.

What a model takes is measured: by how much the memory of the process, and that of the accelerator,
grew when it was loaded and asked for the first time. Before that its entry says, or the size of its
files. A model that is at work is never sent away: who needs its room waits until it rests, so that
a model that has more to do does it at one go, but not for ever (`PATIENCE`).
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass

from hallascope.backends import memory, weights
from hallascope.backends.base import Backend, NoRoom
from hallascope.backends.memory import GB, Amount, Machine
from hallascope.data.models.specs import ModelSpec
from hallascope.engine.models.concurrency import TICK

SMALL = (
    256 * 10**6
    # bytes below which a model is loaded beside all others, and is never sent away: it would make
    # no
    # room
)
RESERVE = GB  # bytes that stay free on host and accelerator, for what models in memory work on
# seconds after which a model that waits for room goes before calls of those that are in it
PATIENCE = 60.0
_SINGLE = 2  # times what an entry says or a file of 16 bits holds: a processor computes in 32

NOTHING = Amount(0, 0)

ModelLoader = Callable[[ModelSpec], Backend]


@dataclass(eq=False, kw_only=True)
class _PooledModel:
    """A model in memory.

    `before`: what the process took before it was loaded, until its first call is over.

    `events`: how many there had been among all models when it was loaded; where there were more,
    others had a part in what grew.
    """

    backend: Backend
    size: Amount = NOTHING
    asked: int = 0
    busy: int = 0
    before: Amount | None = None
    events: int = 0


@dataclass(eq=False)
class _PendingLoad:
    name: str
    since: float


class ModelPool:
    """The loaded models by name, shared with `loaded`.

    Those that were put there by others are never sent away.
    """

    def __init__(
        self,
        loaded: MutableMapping[str, Backend],
        load: ModelLoader,
        machine: Machine | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._loaded = loaded
        self._load = load
        self._machine = machine or Machine()
        self._clock = clock
        self._kept: dict[str, _PooledModel] = {}
        self._sizes: dict[str, Amount] = {}
        self._loading: set[str] = set()
        # somebody loads a large model: one at a time, or nobody knows what either of them takes
        self._turn = False
        self._queue: list[_PendingLoad] = []
        self._asked = itertools.count()
        self._events = 0
        self._changed = threading.Condition()

    def is_preloaded(self, name: str) -> bool:
        """Whether the model was put there by others."""
        return name in self._loaded and name not in self._kept

    def sizes(self) -> Mapping[str, Amount]:
        """What the models that were loaded so far were measured to take, in bytes.

        Also of those that were sent away.
        """
        with self._changed:
            return dict(self._sizes)

    @contextmanager
    def acquire(
        self, spec: ModelSpec, on_wait: Callable[[], object] = lambda: None
    ) -> Iterator[Backend]:
        """The model, in memory until the end of the block; loaded once, however many ask.

        `on_wait` is called while it waits for room, and may raise. Raises Unavailable, BadWeights.
        """
        waiting = _PendingLoad(spec.id, self._clock())
        with self._changed:
            self._queue.append(waiting)
        try:
            while (resident := self._try_enter(spec, waiting)) is None:
                on_wait()
        finally:
            with self._changed:
                self._queue.remove(waiting)
                self._changed.notify_all()
        try:
            yield resident.backend
        finally:
            self._leave(spec.id, resident)

    def _try_enter(self, spec: ModelSpec, waiting: _PendingLoad) -> _PooledModel | None:
        """The model, counted as busy; None where it is to be tried again after a moment."""
        with self._changed:
            there = spec.id in self._loaded
            if (
                self._must_yield(waiting)
                if there
                else spec.id in self._loading or not self._room(spec)
            ):
                self._changed.wait(TICK)
                return None
            if there:
                return self._enter(spec.id)
            large = not self._small(spec)
            self._loading.add(spec.id)
            self._turn = self._turn or large
        return self._moved_in(spec, large)

    def _enter(self, name: str) -> _PooledModel:
        resident = self._kept.get(name) or _PooledModel(backend=self._loaded[name])
        resident.busy += 1
        resident.asked = next(self._asked)
        self._events += 1
        return resident

    def _leave(self, name: str, resident: _PooledModel) -> None:
        with self._changed:
            resident.busy -= 1
            if resident.before is not None:
                self._measure_again(name, resident, resident.before)
            self._changed.notify_all()

    def _measure_again(self, name: str, resident: _PooledModel, before: Amount) -> None:
        """Measure a model after its first call, as files are read when they are needed.

        A picture needs more than the weights.
        """
        resident.before = None
        if self._events == resident.events:
            self._sizes[name] = resident.size = resident.size.at_least(
                self._machine.peak().beyond(before)
            )

    # --- moving in and out
    # ---------------------------------------------------------------------------------------

    def _moved_in(self, spec: ModelSpec, large: bool) -> _PooledModel:
        """Load a model that may be; it counts as busy."""
        try:
            before = self._machine.used()
            backend = self._load_with_room(spec)
            size = self._machine.used().beyond(before) if large else NOTHING
            with self._changed:
                self._events += 1
                self._loaded[spec.id] = backend
                found = _PooledModel(
                    backend=backend,
                    size=size,
                    asked=next(self._asked),
                    busy=1,
                    before=before if large else None,
                    events=self._events,
                )
                self._kept[spec.id] = found
                if large:
                    self._sizes[spec.id] = size
                    self._machine.watch()
            return found
        finally:
            with self._changed:
                self._loading.discard(spec.id)
                self._turn = self._turn and not large
                self._changed.notify_all()

    def _load_with_room(self, spec: ModelSpec) -> Backend:
        """Load it.

        Where the memory turns out to be too small, once more with every model at rest out of it.
        """
        try:
            return self._load(spec)
        except NoRoom:
            with self._changed:
                resting = self._idle_models()
                for name in resting:
                    self._send_away(name)
            if not resting:
                raise
            return self._load(spec)

    def _room(self, spec: ModelSpec) -> bool:
        """Return whether the model may be loaded now, and send idle ones away for it.

        It is small, or there is room, or nobody is left who could make it.
        """
        if self._small(spec):
            return True
        if self._turn:
            return False
        need = self.expected_size(spec)
        while lack := self._lack(need):
            able = [name for name in self._idle_models() if _helps(self._kept[name].size, lack)]
            if not able:
                return not any(
                    resident.busy and _helps(resident.size, lack)
                    for resident in self._kept.values()
                )
            self._send_away(able[0])
        return True

    def _lack(self, need: Amount) -> Amount | None:
        """What is missing for it, measured now; None: nothing."""
        free = self._machine.free()
        lack = Amount(need.host + RESERVE, need.device + RESERVE).beyond(free)
        asked = Amount(lack.host if need.host else 0, lack.device if need.device else 0)
        return asked if asked.total else None

    def _idle_models(self) -> list[str]:
        """Return the names of idle large models, those first that were idle the longest."""
        names = [
            name
            for name, one in self._kept.items()
            if not one.busy and one.size.total >= SMALL and name in self._loaded
        ]
        return sorted(names, key=lambda name: self._kept[name].asked)

    def _send_away(self, name: str) -> None:
        self._events += 1
        del self._kept[name], self._loaded[name]
        self._machine.release()

    def _must_yield(self, waiting: _PendingLoad) -> bool:
        """Return whether somebody else has waited for room so long that this call must wait.

        It is the call of a large model.
        """
        resident = self._kept.get(waiting.name)
        if resident is None or resident.size.total < SMALL:
            return False
        others = [
            other
            for other in self._queue
            if other.name not in self._loaded and other.name not in self._loading
        ]
        return any(self._clock() - other.since > PATIENCE for other in others)

    # --- sizes
    # ----------------------------------------------------------------------------------------------

    def expected_size(self, spec: ModelSpec) -> Amount:
        """Return what the model will take: as measured, else as its entry or its files say."""
        if spec.id in self._sizes:
            return self._sizes[spec.id]
        if spec.kind == "api":
            return NOTHING
        said = (
            int(spec.memory_gb * GB)
            if spec.memory_gb
            else weights.weight(spec.repository or spec.id, spec.revision)
        )
        match memory.accelerator():
            case "cuda":
                return Amount(0, said)
            case "mps":
                return Amount(said, 0)
            case None:
                return Amount(_SINGLE * said, 0)

    def _small(self, spec: ModelSpec) -> bool:
        return self.expected_size(spec).total < SMALL


def _helps(size: Amount, lack: Amount) -> bool:
    """Whether a model of that size takes what is missing."""
    return bool((size.host and lack.host) or (size.device and lack.device))
