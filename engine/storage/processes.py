"""Names the process that writes a row, and checks whether it still runs."""

import os
import socket
from functools import cache
from pathlib import Path

_SEPARATOR = " "


def this_process() -> str:
    """Return the name of this process for a row: its machine, and its number there."""
    return f"{_machine()}{_SEPARATOR}{os.getpid()}"


def is_dead(process: str) -> bool:
    """Return whether a process has certainly ended, which is never known of another machine's."""
    if process == this_process():
        return False
    machine, _, number = process.rpartition(_SEPARATOR)
    if machine != _machine() or not number.isdigit() or os.name != "posix":
        return False
    try:
        os.kill(int(number), 0)  # sends nothing
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return _is_zombie(int(number))


@cache
def _machine() -> str:
    """Return the host and, on Linux, its present start and the namespace of process numbers.

    Two containers on one host count as two machines.
    """
    host = socket.gethostname()
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return "/".join([host, boot, os.readlink("/proc/self/ns/pid")])
    except OSError:
        return host


def _is_zombie(number: int) -> bool:
    """Return whether a process has ended and only its parent does not know yet."""
    try:
        stat = Path(f"/proc/{number}/stat").read_text("utf-8", "replace")
        return stat.rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False
