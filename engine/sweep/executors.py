"""Where the work of a sweep is done: the one protocol of engines, and which there are.

It knows no specification and prints nothing.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import ModelSpec
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Event
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget
from hallascope.engine.run.evaluation import PreparedRun
from hallascope.engine.storage.store import Store

WorkItem = PreparedRun
"""One item: a prompt with the places of its pictures (`places`: model, seed), and what each of them
is judged by (`metrics` times `request.trials`). `run` is its id. Done is what is in the store:
an item may be there in part, or as a whole.
"""


@dataclass(frozen=True, kw_only=True)
class ExecutorContext:
    """What an engine works with.

    `seat` gives the seat of a model by name, `spec` its entry; all that costs is paid from `purse`.

    `stop` ends the work; `window` items may be open at once; `address` is that of a cluster, where
    one is named. `measured` gives a seat that notes how long its calls take.
    """

    store: Store
    seat: Callable[[str], BoundModel]
    spec: Callable[[str], ModelSpec]
    purse: Budget
    stop: threading.Event
    window: int = 16
    address: str | None = None
    measured: Callable[[BoundModel], BoundModel] = lambda seat: seat


class SweepExecutor(Protocol):
    """Does the work of a sweep.

    `run` takes the next item only when it has room for it, so that neither items nor results pile
    up (back-pressure), and tells what happens in any order: of each item a Queued first and a
    Finished last, by which all it brought is in the store. Where `stop` is set it takes nothing
    more and ends soon; what is not finished then is begun again at the next run. Whoever has models
    elsewhere needs other seats, not another `run`:
    `hallascope.engine.sweep.local_executor.LocalExecutor` with `replace(means, seat=...)`.
    """

    def run(self, work: Iterator[WorkItem]) -> Iterator[Event]: ...


ENGINES: Mapping[str, str] = {
    "local": "hallascope.engine.sweep.local_executor:LocalExecutor",
    "ray": "hallascope.engine.sweep.ray.executor:ClusterExecutor",
}
"""By name, "module:class", imported when it is asked for; the class takes `ExecutorContext`."""


def roster(
    name: str, here: ModelRegistry, address: str | None = None, workers: int | None = None
) -> ModelRegistry:
    """Return the models of an executor: of this machine, or of a cluster's nodes.

    On a cluster there are so many workers a model at most.

    Raises as `engine` does.
    """
    if _require_known_name(name) != "ray":
        return here
    try:
        from hallascope.engine.sweep.ray.cluster import RayCluster
        from hallascope.engine.sweep.ray.executor import ClusterModelRegistry
        from hallascope.engine.sweep.ray.worker_pool import WorkerPool
    except ModuleNotFoundError as error:
        raise _missing(name, error) from error
    return ClusterModelRegistry(here, WorkerPool(RayCluster(address), workers))


def engine(name: str, means: ExecutorContext) -> SweepExecutor:
    """The engine of that name.

    Raises BadRequest, and Unavailable where what it needs is not installed.
    """
    module, _, kind = ENGINES[_require_known_name(name)].partition(":")
    try:
        made: SweepExecutor = getattr(import_module(module), kind)(means)
    except ModuleNotFoundError as error:
        raise _missing(name, error) from error
    return made


def _require_known_name(name: str) -> str:
    if name not in ENGINES:
        raise BadRequest(f"There is no engine {name!r}: choose of {', '.join(ENGINES)}.")
    return name


def _missing(name: str, error: ModuleNotFoundError) -> Unavailable:
    return Unavailable(
        f"The engine {name!r} needs {error.name}: run `pip install 'hallascope[cluster]'`."
    )
