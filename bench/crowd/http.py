"""Asks an app over HTTP/1.1 as a browser does: connections that stay open, and a cache.

It keeps what Cache-Control allows to keep, and asks again with the tag of what it has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 600.0  # seconds that a response may take; what takes longer is an error
_LIFETIME = re.compile(r"max-age=([1-9]\d*)")


class RefusedRequest(Exception):
    """An address answered with another status than 200; the message is what it said."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Browser:
    """Holds what the requests of one visitor share: their address, their cookie, their cache."""

    def __init__(self, address: str, number: int) -> None:
        place = urlsplit(address)
        self._host = place.hostname or ""
        self._port = place.port
        # the proxy before a public app names the visitor; a cookie names the browser
        self.headers = {
            "Accept-Encoding": "gzip, deflate",
            "Cookie": f"hallascope_browser={number:032x}",
            "X-Forwarded-For": f"91.198.{number // 250 % 250}.{number % 250 + 1}",
        }
        self._fresh: set[str] = set()
        self._tags: dict[str, str] = {}
        self._idle: HTTPConnection | None = None

    def connect(self) -> HTTPConnection:
        """Return a new connection."""
        return HTTPConnection(self._host, self._port, timeout=PATIENCE)

    def get(self, path: str) -> bytes:
        """Return what lies there, as it was sent; nothing where the cache has it.

        Raises RefusedRequest.
        """
        if path in self._fresh:
            return b""
        tag = self._tags.get(path)
        response = self._ask("GET", path, None, {"If-None-Match": tag} if tag else {})
        body = response.read()
        if response.status not in (200, 304):
            raise RefusedRequest(response.status, body.decode(errors="replace"))
        if _LIFETIME.search(response.getheader("cache-control", "")):
            self._fresh.add(path)
        if found := response.getheader("etag"):
            self._tags[path] = found
        return body

    def post(self, path: str, content: Any) -> Any:
        """Return the JSON of the answer. Raises RefusedRequest with its sentence."""
        response = self._ask("POST", path, json.dumps(content).encode(), _JSON)
        body = response.read()
        if response.status != 200:
            raise RefusedRequest(response.status, _sentence(body))
        return json.loads(body)

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> HTTPResponse:
        """Send a request on the connection that is open; the next one waits for the response."""
        connection = self._idle or self.connect()
        self._idle = connection
        try:
            connection.request(method, path, body, self.headers | headers)
            return connection.getresponse()
        except (ConnectionError, OSError):  # the server closed it after the last response
            connection.close()
            connection.request(method, path, body, self.headers | headers)
            return connection.getresponse()

    def close(self) -> None:
        if self._idle is not None:
            self._idle.close()
            self._idle = None


_JSON = {"Content-Type": "application/json"}


def events(response: HTTPResponse) -> Iterator[Any]:
    """Yield the JSON of each event of a stream (server-sent events) until the server ends it."""
    for line in response:
        if line.startswith(b"data:"):
            yield json.loads(line.removeprefix(b"data:"))


def _sentence(body: bytes) -> str:
    try:
        content = json.loads(body)
    except ValueError:
        return body.decode(errors="replace")
    return str(content.get("detail") or content.get("error") or content)
