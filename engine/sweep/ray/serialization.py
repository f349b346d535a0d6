"""Requests on their way to another machine: the bytes of their pictures travel beside them.

It knows no model and no cluster.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from hallascope.data.records import Picture
from hallascope.data.requests import Request
from hallascope.engine.storage.images import write_whole

KEPT = 256  # pictures a worker keeps on its disk, and whose bytes are kept for the workers


@dataclass(frozen=True)
class PackedRequests:
    """Requests of one role with what stands for the bytes of each picture, by its SHA-256."""

    requests: tuple[Request, ...]
    pictures: Mapping[str, Any]


class RequestPacker:
    """Replaces the bytes of pictures, given to `put` once however many requests need them."""

    def __init__(self, put: Callable[[bytes], Any], kept: int = KEPT) -> None:
        self._put = put
        self._kept = kept
        self._known: OrderedDict[str, Any] = OrderedDict()
        self._lock = threading.Lock()

    def pack(self, requests: Sequence[Request]) -> PackedRequests:
        """Raises OSError where a picture cannot be read."""
        found = {picture.sha256: picture for request in requests for picture in pictures(request)}
        return PackedRequests(
            tuple(requests), {sha256: self._handle_of(picture) for sha256, picture in found.items()}
        )

    def _handle_of(self, picture: Picture) -> Any:
        with self._lock:
            if picture.sha256 not in self._known:
                self._known[picture.sha256] = self._put(picture.path.read_bytes())
            self._known.move_to_end(picture.sha256)
            while len(self._known) > self._kept:
                self._known.popitem(last=False)
            return self._known[picture.sha256]


class RequestUnpacker:
    """The folder of a worker, in which the pictures it was sent lie; only the last ones."""

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self._folder = folder
        self._kept = kept
        self._files: OrderedDict[str, Path] = OrderedDict()
        self._lock = threading.Lock()

    def requests(self, parcel: PackedRequests, get: Callable[[Any], bytes]) -> list[Request]:
        """The requests, about files of this folder.

        Raises ValueError where a picture is not the one that was meant.
        """
        there = {sha256: self._file(sha256, what, get) for sha256, what in parcel.pictures.items()}
        return [elsewhere(request, there) for request in parcel.requests]

    def _file(self, sha256: str, what: Any, get: Callable[[Any], bytes]) -> Path:
        with self._lock:
            if sha256 not in self._files:
                data = get(what)
                if hashlib.sha256(data).hexdigest() != sha256:
                    raise ValueError(
                        f"The picture {sha256[:12]} came with other bytes: look at the file of that"
                        " name in the store."
                    )
                file = self._folder / f"{sha256}.png"
                write_whole(file, data)
                self._files[sha256] = file
            self._files.move_to_end(sha256)
            while len(self._files) > self._kept:
                self._files.popitem(last=False)[1].unlink(missing_ok=True)
            return self._files[sha256]


def pictures(request: Request) -> list[Picture]:
    """All pictures of a request."""
    found = [getattr(request, field.name) for field in fields(request)]
    return [
        picture
        for value in found
        for picture in (value if isinstance(value, tuple) else (value,))
        if isinstance(picture, Picture)
    ]


def elsewhere(request: Request, files: Mapping[str, Path]) -> Request:
    """The same request about the same pictures in other files, by their SHA-256."""

    def moved(value: Any) -> Any:
        if isinstance(value, Picture):
            return Picture(value.sha256, files[value.sha256])
        return tuple(moved(one) for one in value) if isinstance(value, tuple) else value

    changed = {field.name: moved(getattr(request, field.name)) for field in fields(request)}
    return replace(
        request,
        **{name: value for name, value in changed.items() if value is not getattr(request, name)},
    )
