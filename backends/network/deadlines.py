"""Limits a whole call over HTTP: it ends at its deadline, and only some hosts may be asked.

The timeouts of the HTTP libraries are for one read each, so a service that sends a byte now and
then would hold a thread and a socket forever. Whatever a client reads or writes within `time_limit`
shares one deadline.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from hallascope.backends.network.public_addresses import (
    ForbiddenAddress,
    Resolve,
    check_host,
    is_public_app,
    resolve,
)

_now = threading.local()  # `until` of the call that this thread makes


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Time out a guarded client's traffic of this thread after so many seconds."""
    before: float | None = getattr(_now, "until", None)
    until = time.monotonic() + seconds
    _now.until = until if before is None else min(before, until)
    try:
        yield
    finally:
        _now.until = before


def guard(client: Any, look_up: Resolve = resolve) -> None:
    """Make the connections of an HTTP client (`httpx` or `httpx2`) keep to these limits.

    On a public app a host is asked only where all its addresses are public. What goes through a
    proxy is not checked. A client without connections (of a test) is left as it is.
    """
    library = import_module(
        "httpcore2" if type(client).__module__.startswith("httpx2") else "httpcore"
    )
    for transport in (client._transport, *client._mounts.values()):
        pool = getattr(transport, "_pool", None)
        if pool is not None and not isinstance(pool._network_backend, _Network):
            direct = type(pool).__name__ == "ConnectionPool"
            pool._network_backend = _Network(
                pool._network_backend, library, look_up if direct else None
            )


def refuse_redirects(client: Any) -> None:
    """Make a client raise ForbiddenAddress where a redirect leaves the host within `time_limit`."""
    hooks = client.event_hooks
    if _stay not in hooks["response"]:
        client.event_hooks = {**hooks, "response": [*hooks["response"], _stay]}


def _stay(response: Any) -> None:
    if getattr(_now, "until", None) is None or not response.has_redirect_location:
        return
    url = response.request.url
    if url.join(response.headers["location"]).host != url.host:
        raise ForbiddenAddress("leads to another host")


def _remaining_seconds(timeout: float | None, late: Callable[[str], Exception]) -> float | None:
    """Return the seconds until the nearer of the timeout and the deadline.

    Raises the timeout of the library where none are left.
    """
    until: float | None = getattr(_now, "until", None)
    if until is None:
        return timeout
    left = until - time.monotonic()
    if left <= 0:
        raise late("the time of the whole call is over")
    return left if timeout is None else min(timeout, left)


class _Network:
    """Opens the connections of a pool with the deadline of the call."""

    def __init__(self, inner: Any, library: Any, look_up: Resolve | None) -> None:
        self._inner = inner
        self._library = library
        self._look_up = look_up

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, **options: Any
    ) -> "_Stream":
        if self._look_up and is_public_app():
            try:
                host = check_host(host, self._look_up)
            except OSError as error:
                raise self._library.ConnectError(str(error)) from error
        left = _remaining_seconds(timeout, self._library.ConnectTimeout)
        return _Stream(self._inner.connect_tcp(host, port, timeout=left, **options), self._library)

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, **options: Any
    ) -> "_Stream":
        left = _remaining_seconds(timeout, self._library.ConnectTimeout)
        return _Stream(
            self._inner.connect_unix_socket(path, timeout=left, **options), self._library
        )

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class _Stream:
    """Reads and writes on a connection within the deadline of the call."""

    def __init__(self, inner: Any, library: Any) -> None:
        self._inner = inner
        self._library = library

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data: bytes = self._inner.read(
            max_bytes, timeout=_remaining_seconds(timeout, self._library.ReadTimeout)
        )
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout=_remaining_seconds(timeout, self._library.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> "_Stream":
        left = _remaining_seconds(timeout, self._library.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, left), self._library)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def find_forbidden_address(error: BaseException | None) -> ForbiddenAddress | None:
    """Return the refusal of an address among the causes of an error, if there is one."""
    for _ in range(10):
        if error is None or isinstance(error, ForbiddenAddress):
            return error
        error = error.__cause__ or error.__context__
    return None
