"""Defines what executes the work of a sweep: the protocol of executors, and which there are."""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Protocol

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import ModelSpec
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Event
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.storage.store import Store

# memory grows with it, and not with the number of prompts; some times the calls that a model takes
OPEN_IMAGES = 96
WorkItem = PreparedRun
"""One item: a prompt with the slots of its images (`places`: model, seed), and what each of them
is judged by (`metrics` times `request.trials`). `run` is its id. Done is what is in the store:
an item may be there in part, or as a whole.
"""


@dataclass(frozen=True, kw_only=True)
class ExecutorContext:
    """Holds what an executor works with.

    `bind` binds a model by name, `spec` gives its entry; all that costs is paid from `budget`.

    `stop` ends the work; with `window` images open no further item is taken; `address` is that of a
    cluster, where one is named. `measure` returns a bound model that notes how long its calls take.
    """

    store: Store
    bind: Callable[[str], BoundModel]
    spec: Callable[[str], ModelSpec]
    budget: Budget
    stop: threading.Event
    window: int = OPEN_IMAGES
    address: str | None = None
    measure: Callable[[BoundModel], BoundModel] = lambda model: model


class SweepExecutor(Protocol):
    """Does the work of a sweep.

    `run` takes the next item only when it has room for it, so that neither items nor results pile
    up (back-pressure), and yields what happens in any order: of each item a Queued first and a
    Finished last, by which all it brought is in the store. Where `stop` is set it takes nothing
    more and ends soon; what is not finished then is begun again at the next run.

    An executor with models elsewhere needs another `bind`, not another `run`:
    `hallascope.engine.sweep.local_executor.LocalExecutor` with `replace(context, bind=...)`.
    """

    def run(self, work: Iterator[WorkItem]) -> Iterator[Event]: ...


EXECUTORS: Mapping[str, str] = {
    "local": "hallascope.engine.sweep.local_executor:LocalExecutor",
    "ray": "hallascope.engine.sweep.cluster_executor:ClusterExecutor",
}
"""By name, "module:class", imported on demand; the class takes `ExecutorContext`."""


def model_registry(
    name: str, local: ModelRegistry, address: str | None = None, workers: int | None = None
) -> ModelRegistry:
    """Return the models of an executor: of this machine, or of a cluster's nodes.

    On a cluster a model has at most so many workers.

    Raises as `executor` does.
    """
    if _require_known_name(name) != "ray":
        return local
    try:
        from hallascope.engine.sweep.ray.cluster import RayCluster
        from hallascope.engine.sweep.ray.models import ClusterModelRegistry, ClusterModels
    except ModuleNotFoundError as error:
        raise _not_installed(name, error) from error
    return ClusterModelRegistry(local, ClusterModels(RayCluster(address), workers))


def executor(name: str, context: ExecutorContext) -> SweepExecutor:
    """Return the executor of that name.

    Raises BadRequest, and Unavailable where what it needs is not installed.
    """
    try:
        result: SweepExecutor = resolve_name(EXECUTORS[_require_known_name(name)])(context)
    except ModuleNotFoundError as error:
        raise _not_installed(name, error) from error
    return result


def _require_known_name(name: str) -> str:
    if name not in EXECUTORS:
        raise BadRequest(f"There is no engine {name!r}: choose of {', '.join(EXECUTORS)}.")
    return name


def _not_installed(name: str, error: ModuleNotFoundError) -> Unavailable:
    return Unavailable(
        f"The engine {name!r} needs {error.name}: run `pip install 'hallascope[cluster]'`."
    )
