"""Checks a dashboard's settings before it is loaded, and states a fault in one sentence."""

import errno
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hallascope.backends.base import HallaScopeError
from hallascope.backends.network.public_addresses import PUBLIC
from hallascope.engine.access.limits import check_environment
from hallascope.engine.deployment import hosting
from hallascope.engine.deployment.hosts import allowed_hosts, is_loopback
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy

WRONG_SETTING = 2  # the exit code, as for a wrong request on the command line
PORT = 7860
HOST = "127.0.0.1"
MAX_PORTS = 100  # ports that are tried
_PORT = "GRADIO_SERVER_PORT"
_HOST = "GRADIO_SERVER_NAME"
_SHARE = "GRADIO_SHARE"
_GRADIO_NUMBERS = (
    "GRADIO_NUM_PORTS",
    "GRADIO_NODE_NUM_PORTS",
    "GRADIO_ANALYTICS_MAX_EVENTS",
    "GRADIO_DEBUG",
)
_SWITCHES = ("", "0", "1", "true", "false", "yes", "no")
_CHECKS: tuple[Callable[[], object], ...] = (
    check_environment,
    hosting.queue_limit,
    hosting.session_limit,
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
    public = os.environ.get(PUBLIC, "").strip()
    if public.lower() not in _SWITCHES:
        raise BadRequest(
            f"The variable {PUBLIC} is {public!r}: give 1 for an app that is open to others, or 0."
        )
    port()
    for name in _GRADIO_NUMBERS:
        _whole_number(name, 0, 2**31 - 1)
    for check_setting in _CHECKS:
        check_setting()
    _check_writable("GRADIO_TEMP_DIR")


def port() -> int:
    """Return the first port to try. Raises BadRequest."""
    number = _whole_number(_PORT, 1, 65_535)
    return PORT if number is None else number


def host() -> str:
    """Return the address to listen on."""
    return os.environ.get(_HOST, "").strip() or HOST


def free_port(first: int, name: str = HOST) -> int:
    """Return the port, or the next one that is free at this address.

    Raises BadRequest where none is, or the address is not this machine's.
    """
    for number in range(first, min(first + MAX_PORTS, 65_536)):
        if _is_free(name, number):
            return number
    last = min(first + MAX_PORTS, 65_536) - 1
    raise BadRequest(f"No port from {first} to {last} is free at {name}: set {_PORT} to another.")


def _is_free(name: str, number: int) -> bool:
    try:
        addresses = socket.getaddrinfo(name, number, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = addresses[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except PermissionError as error:
        raise BadRequest(
            f"Port {number} may not be used here ({error.strerror}): set {_PORT} to one from 1024."
        ) from error
    except OSError as error:
        is_lookup = isinstance(error, socket.gaierror)
        if error.errno == errno.EADDRINUSE and not is_lookup:
            return False
        raise BadRequest(
            f"{name!r} in {_HOST} is not an address of this machine ({error.strerror}): set it to"
            " 127.0.0.1, or to 0.0.0.0 for all networks."
        ) from error
    except UnicodeError:
        raise BadRequest(
            f"{name!r} in {_HOST} is not a name of a host: set it to 127.0.0.1, or to 0.0.0.0 for"
            " all networks."
        ) from None
    return True


def warning() -> str | None:
    """Return one sentence where others reach an app whose settings are for one's own machine.

    None elsewhere.
    """
    if hosting.public():
        return None
    shared = os.environ.get(_SHARE, "").strip().casefold() == "true"
    if not shared and is_loopback(host()):
        return None
    where = "through a share link" if shared else f"at {host()}"
    return (
        f"Warning: others reach HallaScope {where}, and all of them can use its keys, spend its"
        f" budget and fetch models, as on their own machine: set {PUBLIC}=1 to limit what visitors"
        " may do."
    )


def _whole_number(variable: str, low: int, high: int) -> int | None:
    value = os.environ.get(variable)
    if value is None:
        return None
    digits = value.strip()
    is_number = digits.isascii() and digits.isdigit() and len(digits) < 12
    if not is_number or not low <= int(digits) <= high:
        raise BadRequest(
            f"The variable {variable} is {value!r}: give a whole number from {low} to {high:,}."
        )
    return int(digits)


def _check_writable(variable: str) -> None:
    """Make the folder that a variable names, and a file in it. Raises BadRequest."""
    folder = os.environ.get(variable)
    if not folder:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        probe = Path(folder) / f".hallascope-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadRequest(
            f"The folder {folder!r} in {variable} cannot be written ({reason}): set it to one that"
            " can."
        ) from error
