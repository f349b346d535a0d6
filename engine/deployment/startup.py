"""Checks a dashboard's settings before it is loaded, and states a fault in one sentence.

It starts nothing.
"""

import errno
import ipaddress
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hallascope.backends.base import HallaScopeError
from hallascope.backends.network.public_addresses import PUBLIC
from hallascope.engine.deployment import hosting
from hallascope.engine.deployment.hosts import allowed_hosts
from hallascope.engine.deployment.rate_limit import kept_limits, limits, upload_limits
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy

WRONG_SETTING = 2  # the exit code, as for a wrong request on the command line
PORT = 7860
HOST = "127.0.0.1"
TRIES = 100  # ports that are looked at from the first on
_PORT = "GRADIO_SERVER_PORT"
_HOST = "GRADIO_SERVER_NAME"
_SHARE = "GRADIO_SHARE"
_NUMBERS_OF_GRADIO = (
    "GRADIO_NUM_PORTS",
    "GRADIO_NODE_NUM_PORTS",
    "GRADIO_ANALYTICS_MAX_EVENTS",
    "GRADIO_DEBUG",
)
_SWITCHES = ("", "0", "1", "true", "false", "yes", "no")
_CHECKS: tuple[Callable[[], object], ...] = (
    lambda: limits(hosting.public()),
    hosting.waiting,
    hosting.sessions,
    upload_limits,
    kept_limits,
    allowed_hosts,
    lambda: SpendingPolicy().caps(),
)


@contextmanager
def one_sentence() -> Iterator[None]:
    """End the process with one sentence on standard error and exit code 2 on a wrong setting."""
    try:
        yield
    except HallaScopeError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        sys.exit(WRONG_SETTING)


def check() -> None:
    """Read every setting that needs nothing else to be read. Raises BadRequest."""
    _switch(PUBLIC)
    port()
    for name in _NUMBERS_OF_GRADIO:
        _whole(name, 0, 2**31 - 1)
    for read in _CHECKS:
        read()
    _writable("GRADIO_TEMP_DIR")


def port() -> int:
    """The first port to try. Raises BadRequest."""
    said = _whole(_PORT, 1, 65_535)
    return PORT if said is None else said


def host() -> str:
    """The address to listen on."""
    return os.environ.get(_HOST, "").strip() or HOST


def free_port(first: int, name: str = HOST) -> int:
    """The port, or the next that is free at this address.

    Raises BadRequest where none is, or the address is not this machine's.
    """
    for number in range(first, min(first + TRIES, 65_536)):
        if _is_free(name, number):
            return number
    last = min(first + TRIES, 65_536) - 1
    raise BadRequest(f"No port from {first} to {last} is free at {name}: set {_PORT} to another.")


def _is_free(name: str, number: int) -> bool:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            name, number, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except PermissionError as error:
        raise BadRequest(
            f"Port {number} may not be used here ({error.strerror}): set {_PORT} to one from 1024."
        ) from error
    except OSError as error:
        if _is_taken(error):
            return False
        raise BadRequest(
            f"{name!r} in {_HOST} is no address of this machine ({error.strerror}): set it to"
            " 127.0.0.1, or to 0.0.0.0 for all networks."
        ) from error
    except UnicodeError:
        raise BadRequest(
            f"{name!r} in {_HOST} is no name of a host: set it to 127.0.0.1, or to 0.0.0.0 for all"
            " networks."
        ) from None
    return True


def _is_taken(error: OSError) -> bool:
    return not isinstance(error, socket.gaierror) and error.errno == errno.EADDRINUSE


def warning() -> str | None:
    """One sentence where others reach an app whose settings are for one's own machine.

    None elsewhere.
    """
    if hosting.public():
        return None
    shared = os.environ.get(_SHARE, "").strip().casefold() == "true"
    if not shared and _is_local(host()):
        return None
    where = "through a share link" if shared else f"at {host()}"
    return (
        f"Warning: others reach HallaScope {where}, and all of them can use its keys, spend its"
        f" budget and fetch models, as on their own machine: set {PUBLIC}=1 to limit what visitors"
        " may do."
    )


def _is_local(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def _switch(name: str) -> None:
    said = os.environ.get(name, "").strip()
    if said.lower() not in _SWITCHES:
        raise BadRequest(
            f"The variable {name} is {said!r}: give 1 for an app that is open to others, or 0."
        )


def _whole(name: str, low: int, high: int) -> int | None:
    said = os.environ.get(name)
    if said is None:
        return None
    plain = said.strip()
    if not (plain.isascii() and plain.isdigit() and len(plain) < 12 and low <= int(plain) <= high):
        raise BadRequest(
            f"The variable {name} is {said!r}: give a whole number from {low} to {high:,}."
        )
    return int(plain)


def _writable(name: str) -> None:
    """That files can be made in a folder that a variable names; it is made where it is missing."""
    said = os.environ.get(name)
    if not said:
        return
    try:
        Path(said).mkdir(parents=True, exist_ok=True)
        probe = Path(said) / f".hallascope-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadRequest(
            f"The folder {said!r} in {name} cannot be written ({reason}): set it to one that can."
        ) from error
