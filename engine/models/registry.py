"""Keeps the models by name: whether they can run here, and each bound so that it can be called."""

import difflib
import threading
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from hallascope.backends import registry, zero_gpu
from hallascope.backends.base import Backend, Judge, OnStep, Unavailable, UnknownModel
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.juries import named_jury
from hallascope.data.models.services import find, retirement
from hallascope.data.models.specs import ANY, ModelSpec
from hallascope.data.requests import Reply, Request, Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import jsonable
from hallascope.engine.models import roles
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.engine.models.delegation import (
    MEMBER_ROLES,
    FindAccuracies,
    bind_members,
    members_of,
    no_accuracies,
)
from hallascope.engine.models.key_check import KeyCheck, check_key
from hallascope.engine.models.memory_pool import ModelPool
from hallascope.engine.models.roles import BoundModel, bind_backend, charged_price
from hallascope.engine.models.service_lists import ServiceLists

# default seconds for a call to a service; a model on this machine has no time limit
API_TIMEOUT = 120.0
MARGIN = 15.0  # seconds that the engine waits longer than the backend
NO_KEYS = ApiKeys()
MAX_NEGOTIATIONS = 1000  # models whose refused parameters are remembered


@dataclass(frozen=True)
class ModelAvailability:
    """Holds a model and the sentence why it cannot run here; None: it can."""

    spec: ModelSpec
    reason: str | None = None

    @property
    def document(self) -> dict[str, Any]:
        """Return the specification with "available", and the "reason" where it is not."""
        return {**jsonable(self.spec), "available": self.reason is None, "reason": self.reason}


class ModelRegistry:
    """Finds, checks, loads and binds models by name.

    `backends` are loaded already; the others are loaded when they are called, and kept while there
    is room (`ModelPool`). A model that needs a typed key is loaded for that key alone, and is not
    shared (`ModelBinder`). `accuracies` gives those of the members of a jury.
    """

    def __init__(
        self,
        models: Mapping[str, ModelSpec],
        backends: Mapping[str, Backend] | None = None,
        accuracies: FindAccuracies = no_accuracies,
    ) -> None:
        self.accuracies = accuracies
        self._loaded = dict(backends or {})
        self._specs = {**models, **{name: backend.spec for name, backend in self._loaded.items()}}
        self.lists = ServiceLists()
        self._negotiations: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._bound: dict[str, BoundModel] = {}
        self._pool = ModelPool(self._loaded, lambda spec: registry.load(spec))

    @property
    def specs(self) -> Mapping[str, ModelSpec]:
        """Return all entries by name."""
        return self._specs

    def preloaded_backends(self) -> Mapping[str, Backend]:
        """Return the models that were loaded by others, by name."""
        return {
            name: backend for name, backend in self._loaded.items() if self._pool.is_preloaded(name)
        }

    def has(self, name: str) -> bool:
        """Return whether there is an entry of exactly that name."""
        return name in self._specs

    def find_by_repository(self, repository: str) -> str | None:
        """Return the name of the first entry of that repository."""
        return next(
            (spec.id for spec in self._specs.values() if spec.repository == repository), None
        )

    def add(self, spec: ModelSpec) -> None:
        """Add an entry until the process ends.

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

        They are in the order of the file; those that a service listed for a key come before the
        entry that stands for all of its models.
        """
        specs = [
            spec
            for entry in self._specs.values()
            for spec in (*(self.lists.offered_models(entry, keys) if entry.family else ()), entry)
            if role is None or spec.fills(role)
        ]
        return tuple(
            ModelAvailability(spec, self.unavailable_reason(spec.id, keys)) for spec in specs
        )

    def judge(self, name: str) -> Judge:
        """Return the loaded judge of that name.

        Raises UnknownModel, BadRequest where it is no judge, Unavailable, BadWeights.
        """
        if self.require(name, "judge").members:
            raise BadRequest(
                f"{name!r} answers through other models, and here a judge is needed that is loaded"
                " itself: name one of its members."
            )
        backend = self.backend(name)
        if not isinstance(backend, Judge):
            raise BadRequest(
                f"{name!r} is listed as a judge but cannot answer questions: fix its entry among"
                " the models."
            )
        return backend

    def check_key(self, name: str, keys: ApiKeys) -> KeyCheck:
        """Ask the service of a key whether it accepts it, and which models to begin with."""
        return check_key(self.lists, self._specs.values(), name, keys)

    def coming_ends(self, names: Iterable[str | None]) -> tuple[str, ...]:
        """Return a sentence for each of the models that its service is going to shut down."""
        specs = [self.spec(name) for name in dict.fromkeys(names) if name]
        ends = [(spec, retirement(spec)) for spec in specs]
        return tuple(end.sentence(spec.title) for spec, end in ends if end and not end.is_over())

    def key_names(self) -> tuple[str, ...]:
        """Return the names of the keys that any entry needs, in the order of the file."""
        return tuple(dict.fromkeys(spec.key for spec in self._specs.values() if spec.key))

    def unavailable_reason(self, name: str, keys: ApiKeys = NO_KEYS) -> str | None:
        """Return why the model cannot run here, in one sentence; None: it can.

        A judge that answers through others can where all of them can.

        Raises UnknownModel.
        """
        if name in self._loaded:
            return None
        spec = self.spec(name)
        if not spec.members:
            return registry.available(spec, keys) or self._unlisted_reason(spec, keys)
        return self._member_reason(spec, keys, {spec.id})

    def share_negotiations(self, spec: ModelSpec, backend: Any) -> None:
        """Let a newly loaded model of a service know what that service has refused before."""
        if hasattr(backend, "negotiations"):
            with self._lock:
                if len(self._negotiations) > MAX_NEGOTIATIONS:
                    self._negotiations.clear()
                known = self._negotiations.setdefault(spec.id, backend.negotiations)
            backend.negotiations = known

    def must_be_listed(self, spec: ModelSpec, keys: ApiKeys) -> bool:
        """Return whether the list of the model's service is still to be read with this key."""
        family = self._family(spec)
        return family is not None and self.lists.names(family, keys) is None

    def _family(self, spec: ModelSpec) -> ModelSpec | None:
        """Return the entry that stands for all models of a model's service, if there is one."""
        return self._specs.get(spec.id.partition("/")[0] + ANY)

    def _unlisted_reason(self, spec: ModelSpec, keys: ApiKeys) -> str | None:
        """Return why a model of a service is no longer to be had, None where it is."""
        family = self._family(spec)
        if family is None or spec.family or spec.backend != family.backend:
            return None
        return self.lists.unlisted_reason(family, spec, keys)

    def _member_reason(self, spec: ModelSpec, keys: ApiKeys, above: AbstractSet[str]) -> str | None:
        """Return why a judge cannot answer through its members, None where it can.

        `above`: the judges that answer through it, and itself.
        """
        try:
            members = members_of(spec)
            for name in members:
                own, role = self.spec(name), MEMBER_ROLES[spec.backend]
                if own.id in above:
                    raise BadRequest(f"it is a member of itself, by {own.id!r}.")
                if own.family or not own.fills(role):
                    raise BadRequest(f"its member {name!r} is no {role}.")
                reason = (
                    self._member_reason(own, keys, {*above, own.id})
                    if own.members
                    else self.unavailable_reason(own.id, keys)
                )
                if reason:
                    return f"{spec.title} cannot run here: {reason}"
        except (BadRequest, UnknownModel) as error:
            return f"{spec.title} cannot run here: {error}"
        return None

    def with_members(self, name: str) -> tuple[ModelSpec, ...]:
        """Return the entry of a model and of all models that it answers through.

        Raises UnknownModel.
        """
        specs: dict[str, ModelSpec] = {}
        open_names = [name]
        while open_names:
            spec = self.spec(open_names.pop())
            if spec.id not in specs:
                specs[spec.id] = spec
                open_names += spec.members
        return tuple(specs.values())

    def spec(self, name: str) -> ModelSpec:
        """Return the entry of a model. Raises UnknownModel with the nearest name."""
        if jury := named_jury(name):
            return jury
        spec = self._specs.get(name) if name.endswith(ANY) else find(self._specs, name)
        if spec:
            listed = self.lists.spec(name)
            return replace(spec, price=listed.price or spec.price) if listed else spec
        near = difflib.get_close_matches(name.casefold(), self._specs, n=1, cutoff=0.5)
        remedy = f"did you mean {near[0]!r}?" if near else "`hallascope models list` lists all."
        raise UnknownModel(f"There is no model {name!r}: {remedy}")

    def fills(self, name: str, role: Role) -> bool:
        """Return whether a model can fill a role. Raises UnknownModel."""
        return self.spec(name).fills(role)

    def require(self, name: str, role: Role, keys: ApiKeys = NO_KEYS) -> ModelSpec:
        """Return the entry of a model that is to fill a role.

        Raises UnknownModel, BadRequest where it does not fit, Unavailable.
        """
        spec = self.spec(name)
        if spec.family:
            raise BadRequest(
                f"{name!r} stands for every model of a service: name one of them, e.g."
                f" {name[:-1]}NAME."
            )
        if not spec.fills(role):
            names = ", ".join(other.id for other in self._specs.values() if other.fills(role))
            raise BadRequest(f"{name!r} is no {role}: choose one of {names}.")
        if reason := self.unavailable_reason(name, keys):
            raise Unavailable(reason)
        return spec

    def backend(self, name: str) -> Backend:
        """Return the model, loaded once for all callers. Raises Unavailable, BadWeights."""
        with self._pool.acquire(self.spec(name)) as backend:
            return backend

    def bind(self, name: str) -> BoundModel:
        """Return the model bound to its calls; it is loaded when it is called for the first time.

        All runs share it, and the limit of its calls in flight. A judge that answers through others
        is bound anew each time, as the accuracy of its members may have been measured meanwhile.
        """
        spec = self.spec(name)
        if spec.members:
            return bind_members(spec, self.bind, self.accuracies)
        with self._lock:
            bound = self._bound.get(name)
        if bound is None:
            bound = self._new_binding(spec)
            with self._lock:
                bound = self._bound.setdefault(name, bound)
        # a service may have said its price since the model was bound
        price = charged_price(spec.price)
        return bound if bound.price == price else replace(bound, price=price)

    def binder(self, keys: ApiKeys = NO_KEYS) -> "ModelBinder":
        """Return a binder of models for one run or one visitor, with the keys they typed in."""
        return ModelBinder(self, keys)

    def _new_binding(self, spec: ModelSpec) -> BoundModel:
        timeout = attempt_timeout(spec)
        if self._pool.is_preloaded(spec.id):
            return bind_backend(self._loaded[spec.id], timeout)
        loaded = self._loaded.get(spec.id)
        revision = loaded.revision if loaded else registry.revision(spec)
        if revision is None:
            loaded = self.backend(spec.id)
            revision = loaded.revision
        limits = loaded.limits if loaded else registry.limits(spec)
        return BoundModel(
            model=spec.id,
            revision=revision,
            call=partial(self._call, spec),
            limits=limits,
            settings=spec.settings,
            timeout=timeout,
            price=charged_price(spec.price),
            limiter=ConcurrencyLimiter(limits),
            service=spec.kind == "api",
        )

    def _call(self, spec: ModelSpec, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
        # the process that has the GPU cannot report progress to this one
        step = roles.ignore_progress if zero_gpu.is_zero_gpu() else on_step
        with self._pool.acquire(spec, partial(on_step, 0, 0)) as backend:
            return zero_gpu.call_model(
                backend, requests, lambda model, batch: roles.call(model, batch, step)
            )


class ModelBinder:
    """Returns bound models by name.

    A model that needs a typed key is bound here alone, to that key.
    """

    def __init__(self, registry: ModelRegistry, keys: ApiKeys) -> None:
        self.registry = registry
        self._keys = keys
        self._own: dict[str, BoundModel] = {}

    def __call__(self, name: str) -> BoundModel:
        spec = self.registry.spec(name)
        if spec.members:
            if name not in self._own:
                self._own[name] = bind_members(spec, self, self.registry.accuracies)
            return self._own[name]
        if spec.key is None or not self._keys.is_session_key(spec.key):
            return self.registry.bind(name)
        if name not in self._own:
            backend = registry.load(spec, self._keys)
            self.registry.share_negotiations(spec, backend)
            self._own[name] = bind_backend(backend, attempt_timeout(spec))
        return self._own[name]


def attempt_timeout(spec: ModelSpec) -> float | None:
    """Return the seconds after which the engine gives up one attempt of a call.

    None: it takes as long as it needs. The backend's own `timeout` comes `MARGIN` seconds earlier,
    as what it gives up is tried again.
    """
    if timeout := spec.settings.get("timeout"):
        return float(timeout) + MARGIN
    return API_TIMEOUT + MARGIN if spec.kind == "api" else None
