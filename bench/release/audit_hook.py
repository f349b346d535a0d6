"""Writes down where the processes of an environment write and whom they call: there it is copied as
``sitecustomize.py``.

It sees what goes through Python alone and knows nothing of ours. HALLASCOPE_WATCHED names the file
of its lines, "wrote" or "called", a tab, and the path or host; without it nothing is watched. A
call that leaves the machine fails, as it would without a network.
"""

import os
import sys
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Which argument of each event is the new path.
MADE = {"os.mkdir": 0, "os.rename": 1, "os.link": 1, "os.symlink": 1, "sqlite3.connect": 0}
HERE = ("", "localhost", "0.0.0.0", "::", "::1")


def written(event: str, given: tuple[Any, ...]) -> Any:
    """The path that this event of Python's audit writes to, else None."""
    if event == "open":
        return given[0] if given[2] & WRITES else None
    return given[MADE[event]] if event in MADE else None


def called(event: str, given: tuple[Any, ...]) -> str | None:
    """The host outside of this machine that this event calls or looks up, else None."""
    if event not in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        return None
    if event == "socket.getaddrinfo":
        host = given[0]
    else:
        # The address of a Unix socket is a path, not a tuple.
        host = given[1][0] if isinstance(given[1], tuple) else None
    text = os.fsdecode(host) if isinstance(host, str | bytes) else ""
    return None if text in HERE or text.startswith(("127.", "::ffff:127.")) else text


def watch(file: str) -> None:
    """From now on, to the end of the process."""
    lines = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def hear(event: str, given: tuple[Any, ...]) -> None:
        path = written(event, given)
        if isinstance(path, str | bytes | os.PathLike) and os.fspath(path) not in (
            ":memory:",
            b":memory:",
        ):
            os.write(lines, f"wrote\t{os.path.realpath(os.fsdecode(path))}\n".encode())
        if host := called(event, given):
            os.write(lines, f"called\t{host}\n".encode())
            raise ConnectionRefusedError(f"no network here, so {host} is not called")

    sys.addaudithook(hear)


if os.environ.get("HALLASCOPE_WATCHED"):
    watch(os.environ["HALLASCOPE_WATCHED"])
