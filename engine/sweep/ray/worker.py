"""Runs a model on a node: finds out whether it can run there, loads it, and answers requests."""

import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, cast

from hallascope.backends import registry
from hallascope.backends.base import Backend, CallLimits, HallaScopeError, Transient, TransientKind
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import FailureKind, Reply, Usage
from hallascope.engine.models import roles
from hallascope.engine.sweep.ray.serialization import PackedRequests, RequestUnpacker


@dataclass(frozen=True)
class Fitness:
    """Holds whether a model can run on a node: `reason` is one sentence where it cannot.

    Where it can, there are its revision and limits.
    """

    reason: str | None = None
    revision: str = ""
    limits: CallLimits = field(default_factory=CallLimits)


@dataclass(frozen=True, kw_only=True)
class RemoteError:
    """Holds what a model raised, as errors of other libraries may not survive the way.

    `sort`: it may pass (`Transient`), it lasts (any other error of ours), or nobody foresaw it.
    """

    message: str
    sort: Literal["passing", "lasting", "unforeseen"]
    kind: FailureKind = "unavailable"
    retry_after: float | None = None
    may_be_charged: bool = False
    usage: Usage | None = None

    def error(self) -> Exception:
        """Return the error that it stands for."""
        if self.sort == "unforeseen":
            return RuntimeError(self.message)
        if self.sort == "passing":
            kind = cast(TransientKind, self.kind)
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
    """Return the version of HallaScope that runs here."""
    return metadata.version("hallascope")


def fitness(spec: ModelSpec, required_version: str) -> Fitness:
    """Return whether the model can run on this node, with that version of HallaScope.

    Loads nothing.
    """
    if version() != required_version:
        return Fitness(
            f"HallaScope {version()} is installed there and {required_version} here: install the"
            " same version on every node."
        )
    try:
        if reason := registry.available(spec):
            return Fitness(reason)
        return Fitness(None, registry.revision(spec) or "", registry.limits(spec))
    except HallaScopeError as error:
        return Fitness(str(error))


class Worker:
    """Loads and calls a model on a node, with a folder for the pictures it is sent.

    `get` gives the bytes of a reference in packed requests. `close` removes the folder.
    """

    def __init__(self, spec: ModelSpec, get: Callable[[Any], bytes]) -> None:
        self._spec = spec
        self._get = get
        self._folder = tempfile.TemporaryDirectory(prefix="hallascope-")
        self._unpacker = RequestUnpacker(Path(self._folder.name))
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

    def ask(self, packed: PackedRequests) -> list[Reply] | RemoteError:
        """Return one reply a request, in order, of a model that was loaded.

        What it raises comes back as a value.
        """
        try:
            if self._backend is None:
                raise RuntimeError("it was asked before it was loaded")
            requests = self._unpacker.unpack(packed, self._get)
            return roles.call(self._backend, requests, roles.ignore_progress)
        except Exception as error:
            return remote_error(error)

    def close(self) -> None:
        """Remove the folder with the pictures; the worker is asked nothing afterwards."""
        self._folder.cleanup()
