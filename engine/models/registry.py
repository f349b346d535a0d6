"""The models by name: whether they can run here, in memory when they are asked, each in its seat.

It knows no run.
"""

import difflib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from hallascope.backends import registry, zero_gpu
from hallascope.backends.base import Backend, OnStep, Unavailable, UnknownModel
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import ANY, ModelSpec, find
from hallascope.data.requests import Reply, Request, Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.models import roles
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.engine.models.memory_pool import ModelPool
from hallascope.engine.models.roles import BoundModel, paid

# seconds a call, where the entry does not say; a model on this machine may take as long as it needs
API_TIMEOUT = 120.0
MARGIN = 15.0  # seconds by which the engine waits longer than the backend does
NO_KEYS = ApiKeys()


@dataclass(frozen=True)
class ModelAvailability:
    """A model with the sentence why it cannot run here; None: it can."""

    spec: ModelSpec
    reason: str | None = None


class ModelRegistry:
    """All models.

    `backends` are loaded already; the others are loaded when asked, and kept while there is room
    (`ModelPool`).

    What needs a key that was typed in is made anew for whoever typed it, and kept by nobody else
    (`ModelBinder`).
    """

    def __init__(
        self, models: Mapping[str, ModelSpec], backends: Mapping[str, Backend] | None = None
    ) -> None:
        self._loaded = dict(backends or {})
        self._specs = {**models, **{name: backend.spec for name, backend in self._loaded.items()}}
        self._lock = threading.Lock()
        self._seats: dict[str, BoundModel] = {}
        self._residents = ModelPool(self._loaded, lambda spec: registry.load(spec))

    @property
    def specs(self) -> Mapping[str, ModelSpec]:
        """All entries by name."""
        return self._specs

    def preloaded(self) -> Mapping[str, Backend]:
        """The models that were loaded by others, by name."""
        return {
            name: backend
            for name, backend in self._loaded.items()
            if self._residents.is_preloaded(name)
        }

    def has(self, name: str) -> bool:
        """Whether there is an entry of exactly that name."""
        return name in self._specs

    def of_repository(self, repository: str) -> str | None:
        """The first entry of that repository."""
        return next(
            (spec.id for spec in self._specs.values() if spec.repository == repository), None
        )

    def add(self, spec: ModelSpec) -> None:
        """One more entry, until the process ends.

        Raises BadRequest where there is one of its name.
        """
        with self._lock:
            if spec.id in self._specs:
                raise BadRequest(
                    f"There is a model {spec.id!r} already: give the other one another name."
                )
            self._specs = {**self._specs, spec.id: spec}

    def models(
        self, role: Role | None = None, keys: ApiKeys = NO_KEYS
    ) -> tuple[ModelAvailability, ...]:
        """Return all entries, or those of one role, each with why it cannot run here.

        They are in the order of the file.
        """
        specs = [spec for spec in self._specs.values() if role is None or role in spec.roles]
        return tuple(
            ModelAvailability(spec, self.unavailable_reason(spec.id, keys)) for spec in specs
        )

    def key_names(self) -> tuple[str, ...]:
        """The names of the keys that any entry needs, in the order of the file."""
        return tuple(dict.fromkeys(spec.key for spec in self._specs.values() if spec.key))

    def unavailable_reason(self, name: str, keys: ApiKeys = NO_KEYS) -> str | None:
        """Why the model cannot run here, in one sentence; None: it can. Raises UnknownModel."""
        return None if name in self._loaded else registry.available(self.spec(name), keys)

    def spec(self, name: str) -> ModelSpec:
        """Raises UnknownModel with the nearest name."""
        if (found := find(self._specs, name)) and not (name.endswith(ANY)):
            return found
        if name in self._specs:
            return self._specs[name]
        near = difflib.get_close_matches(name.casefold(), self._specs, n=1, cutoff=0.5)
        remedy = f"did you mean {near[0]!r}?" if near else "`hallascope models` lists all."
        raise UnknownModel(f"There is no model {name!r}: {remedy}")

    def require(self, name: str, role: Role, keys: ApiKeys = NO_KEYS) -> ModelSpec:
        """The entry of a model that is to fill a role.

        Raises UnknownModel, BadRequest where it does not fit, Unavailable.
        """
        spec = self.spec(name)
        if spec.family:
            raise BadRequest(
                f"{name!r} stands for every model of a service: name one of them, e.g."
                f" {name[:-1]}NAME."
            )
        if role not in spec.roles:
            fit = ", ".join(s.id for s in self._specs.values() if role in s.roles)
            raise BadRequest(f"{name!r} is no {role}: choose one of {fit}.")
        if reason := self.unavailable_reason(name, keys):
            raise Unavailable(reason)
        return spec

    def backend(self, name: str) -> Backend:
        """The loaded model; loads it once, however many ask. Raises Unavailable, BadWeights."""
        with self._residents.acquire(self.spec(name)) as backend:
            return backend

    def bind(self, name: str) -> BoundModel:
        """The model in its role, loaded only when it is asked for the first time.

        One seat, and one pace, for all runs.
        """
        with self._lock:
            known = self._seats.get(name)
        if known is None:
            known = self._new_binding(self.spec(name))
            with self._lock:
                known = self._seats.setdefault(name, known)
        return known

    def binder(self, keys: ApiKeys = NO_KEYS) -> "ModelBinder":
        """The seats of one run or one visitor, with the keys they typed in."""
        return ModelBinder(self, keys)

    def _new_binding(self, spec: ModelSpec) -> BoundModel:
        name = spec.id
        timeout = deadline(spec)
        if self._residents.is_preloaded(name):
            return roles.seat(self._loaded[name], timeout)
        loaded = self._loaded.get(name)
        revision = loaded.revision if loaded else registry.revision(spec)
        if revision is None:
            loaded = self.backend(name)
            revision = loaded.revision
        limits = loaded.limits if loaded else registry.limits(spec)
        call = partial(self._call, spec)
        service = spec.kind == "api"
        return BoundModel(
            model=name,
            revision=revision,
            call=call,
            limits=limits,
            settings=spec.settings,
            timeout=timeout,
            price=paid(spec.price),
            pace=ConcurrencyLimiter(limits),
            service=service,
        )

    def _call(self, spec: ModelSpec, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
        step = (
            _unheard if zero_gpu.here() else on_step
        )  # nothing is told out of the process that has the GPU
        with self._residents.acquire(spec, partial(on_step, 0, 0)) as backend:
            return zero_gpu.ask(
                backend, requests, lambda model, asked: roles.call(model, asked, step)
            )


def _unheard(step: int, steps: int) -> None:
    """For a call that nobody can be told of while it runs."""


class ModelBinder:
    """Gives the seat of a model by name.

    What needs a key that was typed in has a seat of its own here.
    """

    def __init__(self, roster: ModelRegistry, keys: ApiKeys) -> None:
        self._roster = roster
        self._keys = keys
        self._own: dict[str, BoundModel] = {}

    def __call__(self, name: str) -> BoundModel:
        spec = self._roster.spec(name)
        if spec.key is None or not self._keys.is_session_key(spec.key):
            return self._roster.bind(name)
        if name not in self._own:
            self._own[name] = roles.seat(registry.load(spec, self._keys), deadline(spec))
        return self._own[name]


def deadline(spec: ModelSpec) -> float | None:
    """Seconds after which one attempt of a call is given up from outside.

    None: it takes as long as it needs.

    What the backend itself gives up at its `timeout` is tried again, so it is left to it first.
    """
    said = spec.settings.get("timeout")
    if said:
        limit = float(said)
    elif spec.kind == "api":
        limit = API_TIMEOUT
    else:
        limit = None
    return None if limit is None else limit + MARGIN
