"""Loads models in a thread of its own before they are called, so that a first call finds them.

It does not know who calls them. A call that comes while its model is being loaded waits for that
load, and a call that comes after a load that failed loads the model again (`ModelPool`).
"""

import sys
import threading
from collections.abc import Callable, Iterable

from hallascope.backends import zero_gpu
from hallascope.engine.errors import sentence
from hallascope.engine.models.registry import ModelRegistry


def print_warning(message: str) -> None:
    """Print a sentence to standard error."""
    print(message, file=sys.stderr)


def load_in_background(
    registry: ModelRegistry,
    names: Iterable[str],
    warn: Callable[[str], object] = print_warning,
    then: Callable[[], object] = lambda: None,
) -> threading.Thread:
    """Start to load those of the models that ship and are trained, in this order.

    Others are passed over, and so are names that this app does not offer: what ships is small and
    evicts no model. Nothing is loaded on ZeroGPU, which has a GPU only during a call. A model that
    fails to load is named to `warn` in one sentence, and the next one is loaded. `then` is called
    in the end, also where nothing was loaded. Returns the thread, for which the end of the process
    does not wait.
    """

    def load_all() -> None:
        for name in shipped:
            _load(registry, name, warn)
        then()

    shipped = [n for n in names if registry.has(n) and registry.spec(n).ships_weights]
    if zero_gpu.is_zero_gpu():
        shipped = []
    thread = threading.Thread(target=load_all, name="load models", daemon=True)
    thread.start()
    return thread


def _load(registry: ModelRegistry, name: str, warn: Callable[[str], object]) -> None:
    try:
        if registry.unavailable_reason(name) is None:
            registry.backend(name)
    except Exception as error:  # the app goes on, whatever a library raises
        warn(
            f"{registry.spec(name).title} could not be loaded before it is needed; its first call"
            f" tries again: {sentence(error)}"
        )
