"""ZeroGPU of Hugging Face Spaces: a call of a model gets a GPU for some seconds.

Anywhere else a call is only a call.

What is called there runs in another process, which is a copy of this one: what it is given and what
it gives back are pickled, a model must have been loaded before, and what the call changes is lost.
A visitor is counted by the request in whose context the call is made. Of what goes wrong there only
the text of a `gr.Error` arrives (package ``spaces`` 0.51, ``zero/client.py``,
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
GpuCallResult = (
    list[Reply] | tuple[str, str]
)  # replies, or the class of an error of ours and its sentence
LEAST, MOST = (
    5,
    110,
)  # seconds: below the first no GPU is worth the way, above the second free visitors are refused
A_STEP, A_PICTURE, A_LOOK, A_TEXT = 0.6, 3.0, 1.5, 6.0  # seconds on such a GPU, with room to spare

_held: dict[
    str, tuple[ref[Backend], BackendCall]
] = {}  # weakly: whoever has loaded a model decides when it leaves the memory
_lent: dict[str, Callable[[Sequence[Request], int], GpuCallResult]] = {}


def here() -> bool:
    """Whether this is a Space with ZeroGPU."""
    return (
        os.environ.get("SPACES_ZERO_GPU", "").lower() in ("1", "t", "true")
        and find_spec("spaces") is not None
    )


def begin() -> None:
    """Make the package known before torch is imported, as it asks for; nothing elsewhere."""
    if here():
        import_module("spaces").GPU(duration=LEAST)(
            _nothing
        )  # a Space without any such function is not started


def seconds(requests: Sequence[Request], steps: int) -> int:
    """Return the seconds of GPU to ask for: few, since they are checked against what is left."""
    each = [_request_seconds(request, steps) for request in requests]
    return min(MOST, max(LEAST, round(sum(each))))


def _request_seconds(request: Request, steps: int) -> float:
    if isinstance(request, Generate):
        return A_PICTURE + A_STEP * steps
    if request.role == "writer":
        return A_TEXT
    return A_LOOK


def ask(backend: Backend, requests: Sequence[Request], call: BackendCall) -> list[Reply]:
    """What the model says, on a GPU of ZeroGPU where this is such a Space.

    Raises what the model raises, Transient and Unavailable.
    """
    if not here() or backend.spec.kind != "local":
        return [*call(backend, requests)]
    steps = backend.spec.settings.get("steps")
    try:
        ran = _function(backend, call)(
            requests, int(steps) if isinstance(steps, int | float) else 0
        )
    except Exception as error:  # what the package raises is no class of its own
        raise refusal(error) from error
    if isinstance(ran, tuple):
        raise _ours(*ran)
    return ran


def _function(
    backend: Backend, call: BackendCall
) -> Callable[[Sequence[Request], int], GpuCallResult]:
    """The function of a model that runs on a GPU.

    Each model has its own: the process of another may be older than this model.
    """
    name = backend.spec.id
    _held[name] = (ref(backend), call)

    def run(requests: Sequence[Request], steps: int) -> GpuCallResult:
        """In the other process.

        An error of ours comes back as words, since only those of Gradio arrive with their text.
        """
        held, ask_it = _held[name]
        try:
            return [*ask_it(_there(held()), requests)]
        except HallaScopeError as error:
            return type(error).__name__, str(error)

    if name not in _lent:
        _lent[name] = import_module("spaces").GPU(duration=seconds)(run)
    return _lent[name]


def _there(backend: Backend | None) -> Backend:
    if backend is None:
        raise Transient("The model has just left the memory of this Space: try again.")
    return backend


def _nothing() -> None:
    """Runs on no GPU and does nothing."""


def _ours(kind: str, message: str) -> HallaScopeError:
    found = getattr(base, kind, HallaScopeError)
    return (
        found(message)
        if isinstance(found, type) and issubclass(found, HallaScopeError)
        else HallaScopeError(message)
    )


# --- what it refuses
# --------------------------------------------------------------------------------------------------

# by the title that the package gives its error
_LASTING: Mapping[str, str] = {
    "ZeroGPU illegal duration": (
        "The GPU of this Space is lent for shorter times than this needs: ask for fewer pictures,"
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
    "ZeroGPU client error": "No GPU of this Space could be had: load the page anew and try again.",
    "ZeroGPU worker error": (
        "The GPU of this Space stopped in the middle of the work: try again with fewer pictures."
    ),
}


def refusal(error: BaseException) -> HallaScopeError:
    """What an error of the package means to a person.

    One that is none of its refusals says its type alone.
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
