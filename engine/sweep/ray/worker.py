"""Runs a model on a node: finds out whether it can run there, loads it, and answers requests.

Requests come with the bytes of their images; what the model raises goes back as a value, as errors
of other libraries may not survive the way.
"""

import hashlib
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.backends import registry
from hallascope.backends.base import Backend, CallLimits, Denied, HallaScopeError, Transient
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Reply, Request, request_pictures
from hallascope.engine.models import roles


@dataclass(frozen=True)
class Fitness:
    """Holds whether a model can run on a node: `reason` is one sentence where it cannot.

    Where it can, there are its revision and limits.
    """

    reason: str | None = None
    revision: str = ""
    limits: CallLimits = field(default_factory=CallLimits)


def portable_error(error: Exception) -> Exception:
    """Return an error of a class that every process can unpickle, with the same fault."""
    if isinstance(error, Transient | Denied):
        return error
    if isinstance(error, HallaScopeError):
        plain = HallaScopeError(str(error))
        plain.kind = error.kind
        return plain
    message = " ".join(str(error).split())[:200] or "no message"
    return RuntimeError(f"{type(error).__name__}: {message}")


class PackedRequests(NamedTuple):
    """Holds requests of one role with the bytes of their images, by SHA-256."""

    requests: tuple[Request, ...]
    images: Mapping[str, bytes]


def pack(requests: Sequence[Request]) -> PackedRequests:
    """Return requests with the bytes of their images. Raises OSError where one cannot be read."""
    files = {each.sha256: each.path for request in requests for each in request_pictures(request)}
    return PackedRequests(
        tuple(requests), {sha256: path.read_bytes() for sha256, path in files.items()}
    )


def unpack(packed: PackedRequests, folder: Path) -> list[Request]:
    """Return the requests, about files that are written into a folder.

    Raises ValueError where an image is not the one that was meant.
    """
    for sha256, data in packed.images.items():
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ValueError(
                f"The image {sha256[:12]} came with other bytes: look at the file of that name in"
                " the store."
            )
        (folder / f"{sha256}.png").write_bytes(data)

    def relocate(value: Any) -> Any:
        if isinstance(value, Picture):
            return replace(value, path=folder / f"{value.sha256}.png")
        return tuple(map(relocate, value)) if isinstance(value, tuple) else value

    return [
        replace(
            request,
            **{each.name: relocate(getattr(request, each.name)) for each in fields(request)},
        )
        for request in packed.requests
    ]


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
    """Loads a model at its first call, and calls it; it is what runs in a Ray actor."""

    def __init__(self, spec: ModelSpec) -> None:
        self._spec = spec
        self._backend: Backend | None = None
        self._lock = threading.Lock()

    def ask(self, packed: PackedRequests) -> list[Reply] | Exception:
        """Return one reply a request, in order; what is raised comes back as a value."""
        try:
            with self._lock:
                self._backend = self._backend or registry.load(self._spec)
            with tempfile.TemporaryDirectory(prefix="hallascope-") as folder:
                requests = unpack(packed, Path(folder))
                return roles.call(self._backend, requests, roles.ignore_progress)
        except Exception as error:
            return portable_error(error)
