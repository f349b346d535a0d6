"""What runs on a node: looks whether a model can run there, loads it, and answers.

It knows no plan, no store and no other node.
"""

import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, cast

from hallascope.backends import registry
from hallascope.backends.base import Backend, CallLimits, HallaScopeError, Passing, Transient
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import FailureKind, Reply, Usage
from hallascope.engine.models import roles
from hallascope.engine.sweep.ray.serialization import PackedRequests, RequestUnpacker


@dataclass(frozen=True)
class Fitness:
    """Whether a model can run on a node: `reason` is one sentence where it cannot.

    Its revision and limits there where it can.
    """

    reason: str | None = None
    revision: str = ""
    limits: CallLimits = field(default_factory=CallLimits)


@dataclass(frozen=True, kw_only=True)
class RemoteError:
    """What a model raised, as a value: errors of other people's libraries may not survive the way.

    `sort`: it may pass (`Transient`), it lasts (any other error of ours), or nobody foresaw it.
    """

    message: str
    sort: Literal["passing", "lasting", "unforeseen"]
    kind: FailureKind = "unavailable"
    retry_after: float | None = None
    may_be_charged: bool = False
    usage: Usage | None = None

    def error(self) -> Exception:
        """The error it stands for."""
        if self.sort == "unforeseen":
            return RuntimeError(self.message)
        if self.sort == "passing":
            kind = cast(Passing, self.kind)
            return Transient(self.message, kind, self.retry_after, self.may_be_charged, self.usage)
        error = HallaScopeError(self.message)
        error.kind = self.kind
        return error


def remote_error(error: Exception) -> RemoteError:
    if isinstance(error, Transient):
        return RemoteError(
            message=str(error),
            sort="passing",
            kind=error.kind,
            retry_after=error.retry_after,
            may_be_charged=error.may_be_charged,
            usage=error.usage,
        )
    if isinstance(error, HallaScopeError):
        return RemoteError(message=str(error), sort="lasting", kind=error.kind)
    return RemoteError(
        message=f"{type(error).__name__}: {' '.join(str(error).split())[:200] or 'no message'}",
        sort="unforeseen",
        kind="broken",
    )


def version() -> str:
    """The version of HallaScope that runs here."""
    return metadata.version("hallascope")


def fitness(spec: ModelSpec, ours: str) -> Fitness:
    """Whether the model can run on this node; `ours` is the version of HallaScope that asks.

    Loads nothing.
    """
    if version() != ours:
        return Fitness(
            f"HallaScope {version()} is installed there and {ours} here: install the same version"
            " on every node."
        )
    try:
        reason = registry.available(spec)
        return (
            Fitness(reason)
            if reason
            else Fitness(None, registry.revision(spec) or "", registry.limits(spec))
        )
    except HallaScopeError as error:
        return Fitness(str(error))


class Worker:
    """A model on a node, with a folder for the pictures it is sent.

    `get` gives the bytes for what stands for them in a parcel.
    """

    def __init__(self, spec: ModelSpec, get: Callable[[Any], bytes]) -> None:
        self._spec = spec
        self._get = get
        self._home = tempfile.TemporaryDirectory(prefix="hallascope-")
        self._unpacking = RequestUnpacker(Path(self._home.name))
        self._backend: Backend | None = None
        self._lock = threading.Lock()

    def load(self) -> RemoteError | None:
        """Load the model, once; what it raises comes back as a value."""
        with self._lock:
            try:
                self._backend = self._backend or registry.load(self._spec)
            except Exception as error:
                return remote_error(error)
        return None

    def ask(self, parcel: PackedRequests) -> list[Reply] | RemoteError:
        """One reply a request, in order, of a model that was loaded.

        What it raises comes back as a value.
        """
        try:
            if self._backend is None:
                raise RuntimeError("it was asked before it was loaded")
            return roles.call(self._backend, self._unpacking.requests(parcel, self._get), _unheard)
        except Exception as error:
            return remote_error(error)


def _unheard(step: int, steps: int) -> None:
    """Nothing is told out of a worker while it works."""
