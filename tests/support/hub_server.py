"""A small server on loopback that plays the Hub for tests: models with files, and faults that one
sets.
"""

import hashlib
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
# bytes from which on a file has a SHA-256, as those of the Hub that git does not keep itself
LARGE = 64


@dataclass
class Repository:
    """A model: the bytes of its files by path, and what goes wrong with it."""

    files: Mapping[str, bytes]
    license: Any = "apache-2.0"
    gated: bool = False
    let_in: bool = False
    # After so many bytes of a file the connection breaks, once.
    cut: dict[str, int] = field(default_factory=dict)
    # Files whose bytes are not those that were promised.
    wrong: set[str] = field(default_factory=set)
    # Files of which half comes, until somebody sets the event.
    held: dict[str, threading.Event] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)  # what it says beside


@dataclass
class FakeHub:
    """`asked`: the path of every GET with its Range.

    `busy`: so many calls are refused with 503 first.
    """

    models: dict[str, Repository] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    tokens: list[str | None] = field(default_factory=list)
    busy: int = 0
    address: str = ""


@contextmanager
def hub() -> Iterator[FakeHub]:
    """The server, as long as one is in the block."""
    fake = FakeHub()
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), type("Handler", (_Handler,), {"fake": fake})
    ) as server:
        fake.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        thread.start()
        yield fake
        server.shutdown()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    fake: FakeHub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if self.command == "GET":
            self.fake.asked.append((path, self.headers.get("Range")))
        self.fake.tokens.append(self.headers.get("Authorization"))
        if self.fake.busy:
            self.fake.busy -= 1
            return self._say(503, b"busy")
        name, rest = _apart(path)
        model = self.fake.models.get(name)
        if model is None:
            return self._say(404, b"{}", {"X-Error-Code": "RepoNotFound"})
        if rest == "api":
            return self._say(200, json.dumps(_about(name, _commit(path), model)).encode())
        if model.gated and not model.let_in:
            return self._say(403, b"{}", {"X-Error-Code": "GatedRepo"})
        if rest == "tree":
            files = [_file(path, data) for path, data in model.files.items()]
            return self._say(200, json.dumps(files).encode())
        if rest == "auth-check":
            return self._say(200, b"{}")
        return self._send_file(model, rest, _commit(path))

    def _send_file(self, model: Repository, path: str, commit: str) -> None:
        data = model.files[path]
        promised = {"X-Repo-Commit": commit, "ETag": f'"{_sha256(data) or _blob(data)}"'}
        if path in model.wrong:
            data = data[::-1]
        begun = int(self.headers.get("Range", "bytes=0-")[6:-1])
        whole, data = len(data), data[begun:]
        more = {"Content-Range": f"bytes {begun}-{whole - 1}/{whole}"} if begun else {}
        self._head(206 if begun else 200, len(data), {**promised, **more})
        if self.command == "HEAD":
            return
        half = len(data) // 2 if path in model.held else 0
        self.wfile.write(data[:half])
        if half:
            self.wfile.flush()
            model.held[path].wait()
        if path in model.cut:
            self.wfile.write(data[: model.cut.pop(path)])
            self.close_connection = True
        else:
            self.wfile.write(data[half:])

    def _say(self, code: int, body: bytes, more: Mapping[str, str] | None = None) -> None:
        self._head(code, len(body), more or {})
        if self.command == "GET":
            self.wfile.write(body)

    def _head(self, code: int, length: int, more: Mapping[str, str]) -> None:
        self.send_response(code)
        for name, value in {"Content-Length": str(length), **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def _apart(path: str) -> tuple[str, str]:
    """The name of the model and what is asked of it: ``api``, ``tree``, ``auth-check``, or the path
    of a file.
    """
    parts = path.strip("/").split("/")
    if parts[:2] == ["api", "models"]:
        asked = parts[4] if len(parts) > 4 else "api"
        return "/".join(parts[2:4]), "api" if asked == "revision" else asked
    return "/".join(parts[:2]), "/".join(parts[4:])


def _commit(path: str) -> str:
    """The commit that an address names, else that of the branch."""
    return next((part for part in path.split("/") if re.fullmatch("[0-9a-f]{40}", part)), COMMIT)


def _about(name: str, commit: str, model: Repository) -> dict[str, Any]:
    siblings = [_sibling(path, data) for path, data in model.files.items()]
    return {
        "id": name,
        "sha": commit,
        "siblings": siblings,
        "gated": model.gated,
        "cardData": {"license": model.license},
    } | model.told


def _sibling(path: str, data: bytes) -> dict[str, Any]:
    """A file as ``/api/models/NAME?blobs=true`` lists it."""
    sha256 = _sha256(data)
    large = {"lfs": {"sha256": sha256, "size": len(data), "pointerSize": 134}} if sha256 else {}
    return {"rfilename": path, "size": len(data), "blobId": _blob(data)} | large


def _file(path: str, data: bytes) -> dict[str, Any]:
    """A file as ``/api/models/NAME/tree/COMMIT`` lists it."""
    sha256 = _sha256(data)
    large = {"lfs": {"oid": sha256, "size": len(data), "pointerSize": 134}} if sha256 else {}
    return {"type": "file", "path": path, "size": len(data), "oid": _blob(data)} | large


def _sha256(data: bytes) -> str:
    """The SHA-256 of a large file, "" of others."""
    return hashlib.sha256(data).hexdigest() if len(data) >= LARGE else ""


def _blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
