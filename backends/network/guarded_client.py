"""Makes calls over HTTP end: at a deadline, after so many bytes, and at public hosts only.

The timeouts of `httpx2` are for one read each, so a service that sends a byte now and then would
hold a thread and a socket forever. What a thread does within `call_limits` shares one deadline.
"""

import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpx2

from hallascope.backends.network.public_addresses import (
    ForbiddenAddress,
    Resolve,
    check_host,
    is_public_app,
)

LONGEST_READ = 3600.0  # seconds, where nobody says


class BadReply(ValueError):
    """Says why what came is not accepted, as the end of a sentence."""


class Redirected(ForbiddenAddress):
    """Tells that a service sent a request on to another host, which may pass."""


class _CallLimits(threading.local):
    until = float("inf")
    most_bytes = sys.maxsize
    is_public = False


_limits = _CallLimits()


@contextmanager
def call_limits(seconds: float, most_bytes: int, is_public: bool = False) -> Iterator[None]:
    """Limit what this thread does with guarded clients; one such block is in no other.

    They raise `httpx2.ReadTimeout` after so many seconds, BadReply above so many bytes of a reply,
    unpacked, Redirected for a redirect to another host, and ForbiddenAddress for a host that is not
    public, where it must be.
    """
    _limits.until, _limits.most_bytes = time.monotonic() + seconds, most_bytes
    _limits.is_public = is_public or is_public_app()
    try:
        yield
    finally:
        vars(_limits).clear()


def guard(client: httpx2.Client, look_up: Resolve) -> httpx2.Client:
    """Make a client keep to `call_limits`, and return it."""
    hooks = client.event_hooks
    if _limit_reply not in hooks["response"]:
        hooks["request"].append(partial(_limit_request, look_up))
        hooks["response"].append(_limit_reply)
        client.event_hooks = hooks
    return client


def _limit_request(look_up: Resolve, request: httpx2.Request) -> None:
    """Send a request to the address that was checked, whatever its host's name leads to later.

    What goes through a proxy of the environment is not checked.
    """
    request.extensions["trace"] = _limit_connection
    if not _limits.is_public:
        return
    host = request.url.raw_host.decode("ascii")
    is_proxied = {request.url.scheme, "all"} & getproxies().keys() and not proxy_bypass(host)
    if not is_proxied:
        request.extensions["sni_hostname"] = host
        try:
            request.url = request.url.copy_with(host=check_host(host, look_up))
        except OSError as error:
            raise httpx2.ConnectError(f"{host} is not found") from error


def _limit_connection(event: str, about: Mapping[str, Any]) -> None:
    """Make a connection that has been opened read within the deadline of whatever call uses it."""
    if event.endswith(("connect_tcp.complete", "start_tls.complete")):
        stream = about["return_value"]
        read = stream.read
        stream.read = lambda size, timeout=None: read(size, min(timeout or LONGEST_READ, _left()))


def _left() -> float:
    """Return the seconds until the deadline. Raises `httpx2.ReadTimeout` where none are left."""
    left = _limits.until - time.monotonic()
    if left <= 0:
        raise httpx2.ReadTimeout("the time of the whole call is over")
    return left


def _limit_reply(response: httpx2.Response) -> None:
    if _limits.until == float("inf"):
        return
    if response.has_redirect_location:
        place = response.url.join(response.headers["location"])
        if place.host != response.url.host:
            raise Redirected("sends requests on to another address")
    packed = httpx2.Response(200, headers=response.headers, stream=response.stream)
    response.headers.pop("content-encoding", None)
    response.stream = LimitedBody(packed)


class LimitedBody(httpx2.SyncByteStream):
    """Yields the unpacked bytes of a response; `is_read_out` tells whether to their end."""

    is_read_out = False

    def __init__(self, packed: httpx2.Response) -> None:
        self._packed = packed

    def __iter__(self) -> Iterator[bytes]:
        left = most = _limits.most_bytes
        for chunk in self._packed.iter_bytes():
            left -= len(chunk)
            if left < 0:
                raise BadReply(f"is longer than {most // 2**20} MB")
            yield chunk
        self.is_read_out = True

    def close(self) -> None:
        self._packed.close()
