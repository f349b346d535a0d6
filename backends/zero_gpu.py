"""Runs calls of models on ZeroGPU of Hugging Face Spaces, which lends a GPU for some seconds.

Anywhere else a call is only a call.

A call there runs in another process, a copy of this one: arguments and results are pickled, a model
must have been loaded before, and what the call changes is lost. A visitor is counted by the request
in whose context the call is made. Of errors there only the text of a `gr.Error` arrives (package
``spaces`` 0.51, ``zero/client.py``,
``zero/wrappers.py``).
"""

import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from weakref import ref

from hallascope.backends import base
from hallascope.backends.base import Backend, HallaScopeError, Transient, Unavailable
from hallascope.data.requests import Generate, Reply, Request

BackendCall = Callable[[Backend, Sequence[Request]], Sequence[Reply]]
# replies, or the class of an error of ours and its message
GpuCallResult = list[Reply] | tuple[str, str]
LEAST = 5  # seconds: for less it is not worth to get a GPU
MOST = 110  # seconds: for more, free visitors are refused
# seconds on such a GPU, with room to spare
A_STEP = 0.6
A_PICTURE = 3.0
A_LOOK = 1.5
A_TEXT = 6.0

# weakly: whoever has loaded a model decides when it leaves the memory
_held: dict[str, tuple[ref[Backend], BackendCall]] = {}
_lent: dict[str, Callable[[Sequence[Request], int], GpuCallResult]] = {}


def is_zero_gpu() -> bool:
    """Return whether this is a Space with ZeroGPU."""
    return (
        os.environ.get("SPACES_ZERO_GPU", "").lower() in ("1", "t", "true")
        and find_spec("spaces") is not None
    )


def import_spaces() -> None:
    """Import the package before torch, as it requires; elsewhere do nothing."""
    if is_zero_gpu():
        # a Space without any such function is not started
        import_module("spaces").GPU(duration=LEAST)(lambda: None)


def seconds(requests: Sequence[Request], steps: int) -> int:
    """Return the seconds of GPU to ask for: few, since they are checked against what is left."""
    total = 0.0
    for request in requests:
        if isinstance(request, Generate):
            total += A_PICTURE + A_STEP * steps
        elif request.role in ("writer", "parser"):
            total += A_TEXT
        else:
            total += A_LOOK
    return min(MOST, max(LEAST, round(total)))


def call_model(backend: Backend, requests: Sequence[Request], call: BackendCall) -> list[Reply]:
    """Call the model, on a GPU of ZeroGPU where this is such a Space.

    Raises what the model raises, Transient and Unavailable.
    """
    if not is_zero_gpu() or backend.spec.kind != "local":
        return [*call(backend, requests)]
    steps = backend.spec.settings.get("steps")
    try:
        result = _function(backend, call)(
            requests, int(steps) if isinstance(steps, int | float) else 0
        )
    except Exception as error:  # the package has no classes of its own
        raise refusal(error) from error
    if isinstance(result, tuple):
        name, message = result
        error_class = getattr(base, name, HallaScopeError)
        raise error_class(message)
    return result


def _function(
    backend: Backend, call: BackendCall
) -> Callable[[Sequence[Request], int], GpuCallResult]:
    """Return the function of a model that runs on a GPU.

    Each model has its own: the process of another may be older than this model.
    """
    name = backend.spec.id
    _held[name] = (ref(backend), call)

    def run(requests: Sequence[Request], steps: int) -> GpuCallResult:
        """Call the model in the other process.

        Our errors are returned as text, since only those of Gradio arrive with their messages.
        """
        reference, call_it = _held[name]
        model = reference()
        try:
            if model is None:
                raise Transient("The model has just left the memory of this Space: try again.")
            return [*call_it(model, requests)]
        except HallaScopeError as error:
            return type(error).__name__, str(error)

    if name not in _lent:
        _lent[name] = import_module("spaces").GPU(duration=seconds)(run)
    return _lent[name]


# --- refusals ---

# by the title that the package gives its error
_LASTING: Mapping[str, str] = {
    "ZeroGPU illegal duration": (
        "The GPU of this Space is lent for shorter times than this needs: ask for fewer images,"
        " or run HallaScope on your own machine."
    ),
    "ZeroGPU quota exceeded": (
        "Your time on the GPU of this Space is used up for now: log in with your Hugging Face"
        " account for more, or try again later; the models of Primer need no GPU."
    ),
}
_PASSING: Mapping[str, str] = {
    "ZeroGPU pending credits exceeded": (
        "Too many of your runs wait for a GPU of this Space: try again once they are done."
    ),
    "ZeroGPU queue timeout": "No GPU of this Space was free within a minute: try again in a while.",
    "ZeroGPU client error": "No GPU of this Space could be had: reload the page and try again.",
    "ZeroGPU worker error": (
        "The GPU of this Space stopped in the middle of the work: try again with fewer images."
    ),
}


def refusal(error: BaseException) -> HallaScopeError:
    """Translate an error of the package for a person.

    Of one that is none of its refusals only the type is told.
    """
    title = str(getattr(error, "title", ""))
    if title in _LASTING:
        return Unavailable(_LASTING[title])
    if title in _PASSING:
        return Transient(_PASSING[title])
    return Unavailable(
        f"The GPU of this Space cannot be used ({type(error).__name__}): try again, or choose a"
        " model of Primer."
    )
