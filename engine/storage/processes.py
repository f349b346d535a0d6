"""Tells which process wrote a row, and whether it still runs. It knows no table.

What a killed one left behind belongs to nobody.
"""

import os
import socket
from functools import cache
from pathlib import Path

_SEPARATOR = " "


def this_process() -> str:
    """The name of this process, for a row: its machine and its number there."""
    return f"{_machine()}{_SEPARATOR}{os.getpid()}"


def is_dead(process: str) -> bool:
    """Whether a process has certainly ended. One of another machine is never known to have."""
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
    """Return the host, its present start, and the space of process numbers.

    Two containers on one host count as two machines.
    """
    return "/".join([socket.gethostname(), *_linux_names()])


def _linux_names() -> list[str]:
    """What tells machines of one name apart; nothing where it is not Linux."""
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return [started, os.readlink("/proc/self/ns/pid")]
    except OSError:
        return []


def _is_zombie(number: int) -> bool:
    """Whether it ended and only its parent does not know yet."""
    try:
        return (
            Path(f"/proc/{number}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
            == "Z"
        )
    except (OSError, IndexError):
        return False
