"""Keeps models in memory; one that needs room evicts those unused for the longest.

The size of a model is measured: by how much the memory of the process, and that of the accelerator,
grew when it was loaded and called for the first time. Before that its entry says, or the size of
its files. A model that is at work is never evicted: whoever needs its room waits until it is idle,
so that a model that has more to do does it at one go, but not for ever (`PATIENCE`).
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass

from hallascope.backends import memory, weights
from hallascope.backends.base import Backend, NoRoom
from hallascope.backends.memory import Amount, Machine
from hallascope.data.models.specs import GB, ModelSpec
from hallascope.engine.models.concurrency import TICK

# bytes; a smaller model is always loaded and never evicted, as that would free too little
SMALL = 256 * 10**6
RESERVE = GB  # bytes that stay free on host and accelerator, for the data of the models in memory
# seconds after which a model that waits for room goes before calls of loaded models
PATIENCE = 60.0
_SINGLE = 2  # a CPU computes in 32 bits, twice the 16 bits of the entries and the files

NOTHING = Amount(0, 0)

ModelLoader = Callable[[ModelSpec], Backend]


@dataclass(eq=False, kw_only=True)
class _PooledModel:
    """Holds a model in memory with its measured size.

    `before`: what the process took before it was loaded, until its first call is over.

    `events`: how many events there had been among all models when it was loaded; where there were
    more since, others had a part in what grew.
    """

    backend: Backend
    size: Amount = NOTHING
    last_use: int = 0
    busy: int = 0
    before: Amount | None = None
    events: int = 0


@dataclass(eq=False)
class _PendingLoad:
    name: str
    since: float


class ModelPool:
    """Holds the loaded models by name, shared with `loaded`, and loads others on demand.

    Those that were put there by others are never evicted.
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
        self._models: dict[str, _PooledModel] = {}
        self._sizes: dict[str, Amount] = {}
        self._loading: dict[str, ModelSpec] = {}
        # only one large model is loaded at a time, or neither of the two could be measured
        self._loads_large = False
        self._queue: list[_PendingLoad] = []
        self._uses = itertools.count()
        self._events = 0
        self._changed = threading.Condition()

    def is_preloaded(self, name: str) -> bool:
        """Return whether the model was put there by others."""
        return name in self._loaded and name not in self._models

    def sizes(self) -> Mapping[str, Amount]:
        """Return the measured bytes of the models that were loaded so far.

        Those that were evicted are among them.
        """
        with self._changed:
            return dict(self._sizes)

    @contextmanager
    def acquire(
        self, spec: ModelSpec, on_wait: Callable[[], object] = lambda: None
    ) -> Iterator[Backend]:
        """Keep the model in memory until the end of the block; it is loaded once for all callers.

        `on_wait` is called while it waits for room, and may raise. Raises Unavailable, BadWeights.
        """
        pending = _PendingLoad(spec.id, self._clock())
        with self._changed:
            self._queue.append(pending)
        try:
            while (model := self._try_acquire(spec, pending)) is None:
                on_wait()
        finally:
            with self._changed:
                self._queue.remove(pending)
                self._changed.notify_all()
        try:
            yield model.backend
        finally:
            with self._changed:
                model.busy -= 1
                self._measure_first_call(spec.id, model)
                self._changed.notify_all()

    def _try_acquire(self, spec: ModelSpec, pending: _PendingLoad) -> _PooledModel | None:
        """Return the model, counted as busy; None where it is to be tried again after a moment."""
        with self._changed:
            is_loaded = spec.id in self._loaded
            if is_loaded:
                must_wait = self._must_yield(pending)
            else:
                must_wait = self._waits_for_loads(spec) or not self._make_room(spec)
            if must_wait:
                self._changed.wait(TICK)
                return None
            if is_loaded:
                model = self._models.get(spec.id) or _PooledModel(backend=self._loaded[spec.id])
                model.busy += 1
                model.last_use = next(self._uses)
                self._events += 1
                return model
            is_large = not self._is_small(spec)
            self._loading[spec.id] = spec
            self._loads_large = self._loads_large or is_large
        try:
            return self._load_and_measure(spec, is_large)
        finally:
            with self._changed:
                del self._loading[spec.id]
                self._loads_large = self._loads_large and not is_large
                self._changed.notify_all()

    def _waits_for_loads(self, spec: ModelSpec) -> bool:
        """Return whether the model is being loaded, or has to wait until another one is.

        Of the models that ship, one is loaded at a time. Their loads are mostly imports, which
        hold up each other: at once, all of them are late.
        """
        if spec.id in self._loading:
            return True
        return spec.ships_weights and any(other.ships_weights for other in self._loading.values())

    def _measure_first_call(self, name: str, model: _PooledModel) -> None:
        """Measure a model once more after its first call.

        Its files are read when they are needed, and a picture needs more than the weights.
        """
        if model.before is None:
            return
        if self._events == model.events:
            grown = self._machine.peak().excess_over(model.before)
            self._sizes[name] = model.size = model.size.at_least(grown)
        model.before = None

    # --- loading and evicting ---

    def _load_and_measure(self, spec: ModelSpec, is_large: bool) -> _PooledModel:
        """Load a model that has room; it counts as busy."""
        before = self._machine.used_memory()
        backend = self._load_with_room(spec)
        size = self._machine.used_memory().excess_over(before) if is_large else NOTHING
        with self._changed:
            self._events += 1
            self._loaded[spec.id] = backend
            model = self._models[spec.id] = _PooledModel(
                backend=backend,
                size=size,
                last_use=next(self._uses),
                busy=1,
                before=before if is_large else None,
                events=self._events,
            )
            if is_large:
                self._sizes[spec.id] = size
                self._machine.watch()
        return model

    def _load_with_room(self, spec: ModelSpec) -> Backend:
        """Load it; where the memory proves too small, evict every idle model and load it again."""
        try:
            return self._load(spec)
        except NoRoom:
            with self._changed:
                idle = self._idle_models()
                for name in idle:
                    self._evict(name)
            if not idle:
                raise
            return self._load(spec)

    def _make_room(self, spec: ModelSpec) -> bool:
        """Return whether the model may be loaded now, and evict idle ones for it.

        It is small, or there is room, or no model is left that could make it.
        """
        if self._is_small(spec):
            return True
        if self._loads_large:
            return False
        need = self.expected_size(spec)
        while shortage := self._shortage(need):
            idle = [name for name in self._idle_models() if self._frees(name, shortage)]
            if not idle:
                return not any(
                    model.busy and self._frees(name, shortage)
                    for name, model in self._models.items()
                )
            self._evict(idle[0])
        return True

    def _shortage(self, need: Amount) -> Amount | None:
        """Return the bytes that are missing for it, measured now; None: none."""
        missing = Amount(need.host + RESERVE, need.device + RESERVE).excess_over(
            self._machine.free_memory()
        )
        shortage = Amount(missing.host if need.host else 0, missing.device if need.device else 0)
        return shortage if shortage.total else None

    def _frees(self, name: str, shortage: Amount) -> bool:
        """Return whether the model takes some of the memory that is missing."""
        size = self._models[name].size
        return bool((size.host and shortage.host) or (size.device and shortage.device))

    def _idle_models(self) -> list[str]:
        """Return the names of idle large models, those first that were idle the longest."""
        names = [
            name
            for name, model in self._models.items()
            if not model.busy and model.size.total >= SMALL and name in self._loaded
        ]
        return sorted(names, key=lambda name: self._models[name].last_use)

    def _evict(self, name: str) -> None:
        self._events += 1
        del self._models[name], self._loaded[name]
        self._machine.release()

    def _must_yield(self, pending: _PendingLoad) -> bool:
        """Return whether another model has waited for room so long that this call must wait.

        Only calls of large models wait for it.
        """
        model = self._models.get(pending.name)
        if model is None or model.size.total < SMALL:
            return False
        return any(
            self._clock() - other.since > PATIENCE
            for other in self._queue
            if other.name not in self._loaded and other.name not in self._loading
        )

    # --- sizes ---

    def expected_size(self, spec: ModelSpec) -> Amount:
        """Return what the model will take: as measured, else as its entry or its files say."""
        if spec.id in self._sizes:
            return self._sizes[spec.id]
        if spec.kind == "api":
            return NOTHING
        size = (
            int(spec.memory_gb * GB)
            if spec.memory_gb
            else weights.size_in_bytes(spec.source, spec.revision)
        )
        match memory.accelerator():
            case "cuda":
                return Amount(0, size)
            case "mps":
                return Amount(size, 0)
            case None:
                return Amount(_SINGLE * size, 0)

    def _is_small(self, spec: ModelSpec) -> bool:
        return self.expected_size(spec).total < SMALL
