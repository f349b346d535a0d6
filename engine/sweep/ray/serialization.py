"""Packs requests for another machine: the bytes of their pictures travel beside them."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from hallascope.data.records import Picture
from hallascope.data.requests import Request, request_pictures
from hallascope.engine.storage.images import write_atomically

MAX_PICTURES = 256  # pictures on a worker's disk, and those whose bytes are kept for workers


@dataclass(frozen=True)
class PackedRequests:
    """Holds requests of one role with a reference to the bytes of each picture, by its SHA-256."""

    requests: tuple[Request, ...]
    pictures: Mapping[str, Any]


class RequestPacker:
    """Gives the bytes of pictures to `put`, once however many requests need them."""

    def __init__(self, put: Callable[[bytes], Any], most: int = MAX_PICTURES) -> None:
        self._put = put
        self._most = most
        self._references: OrderedDict[str, Any] = OrderedDict()
        self._lock = threading.Lock()

    def pack(self, requests: Sequence[Request]) -> PackedRequests:
        """Return the requests with references to their pictures.

        Raises OSError where a picture cannot be read.
        """
        unique = {
            picture.sha256: picture for request in requests for picture in request_pictures(request)
        }
        references = {sha256: self._reference(picture) for sha256, picture in unique.items()}
        return PackedRequests(tuple(requests), references)

    def _reference(self, picture: Picture) -> Any:
        with self._lock:
            if picture.sha256 not in self._references:
                self._references[picture.sha256] = self._put(picture.path.read_bytes())
            self._references.move_to_end(picture.sha256)
            while len(self._references) > self._most:
                self._references.popitem(last=False)
            return self._references[picture.sha256]


class RequestUnpacker:
    """Keeps the last pictures that a worker was sent in a folder of the worker."""

    def __init__(self, folder: Path, most: int = MAX_PICTURES) -> None:
        self._folder = folder
        self._most = most
        self._files: OrderedDict[str, Path] = OrderedDict()
        self._lock = threading.Lock()

    def unpack(self, packed: PackedRequests, get: Callable[[Any], bytes]) -> list[Request]:
        """Return the requests, about files of this folder; `get` gives the bytes of a reference.

        Raises ValueError where a picture is not the one that was meant.
        """
        files = {
            sha256: self._file(sha256, reference, get)
            for sha256, reference in packed.pictures.items()
        }
        return [with_files(request, files) for request in packed.requests]

    def _file(self, sha256: str, reference: Any, get: Callable[[Any], bytes]) -> Path:
        with self._lock:
            if sha256 not in self._files:
                data = get(reference)
                if hashlib.sha256(data).hexdigest() != sha256:
                    raise ValueError(
                        f"The image {sha256[:12]} came with other bytes: look at the file of that"
                        " name in the store."
                    )
                file = self._folder / f"{sha256}.png"
                write_atomically(file, data)
                self._files[sha256] = file
            self._files.move_to_end(sha256)
            while len(self._files) > self._most:
                self._files.popitem(last=False)[1].unlink(missing_ok=True)
            return self._files[sha256]


def with_files(request: Request, files: Mapping[str, Path]) -> Request:
    """Return the same request about the same pictures in other files, by their SHA-256."""

    def relocate(value: Any) -> Any:
        if isinstance(value, Picture):
            return Picture(value.sha256, files[value.sha256])
        return tuple(relocate(item) for item in value) if isinstance(value, tuple) else value

    changes: dict[str, Any] = {}
    for field in fields(request):
        value = getattr(request, field.name)
        relocated = relocate(value)
        if relocated is not value:
            changes[field.name] = relocated
    return replace(request, **changes)
