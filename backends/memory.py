"""Measures memory of the host and its accelerator: total, free, and used by this process.

It is measured, never guessed: resident memory of the process, what the accelerator's library has
allocated, and the limit of a container. torch is asked only where something has imported it
already; before that this process has nothing on an accelerator.
"""

from __future__ import annotations

import ctypes
import gc
import os
import platform
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

Accelerator = Literal["cuda", "mps"]
# (limit, used) of a container in bytes, version 2 and 1 of Linux' control groups
_CONTAINERS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (
        Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ),
)


class Amount(NamedTuple):
    """Counts bytes on the host and on the accelerator.

    With unified memory (MPS) all of it counts as the host's.
    """

    host: int
    device: int

    def excess_over(self, before: Amount) -> Amount:
        """Return by how much it exceeds `before`, never below 0."""
        return Amount(max(0, self.host - before.host), max(0, self.device - before.device))

    def at_least(self, other: Amount) -> Amount:
        return Amount(max(self.host, other.host), max(self.device, other.device))

    @property
    def total(self) -> int:
        return self.host + self.device


class Machine:
    """Measures the memory of this machine; tests pass another."""

    def used_memory(self) -> Amount:
        """Return what this process takes now."""
        cuda = _cuda()
        on_device = sum(map(cuda.memory_allocated, range(cuda.device_count()))) if cuda else 0
        return Amount(_resident() + _mps_used(), int(on_device))

    def free_memory(self) -> Amount:
        """Return what is left for this process.

        On the current GPU it includes what torch keeps there for later use. On an accelerator that
        nothing was loaded onto yet it is without bound.
        """
        if not (cuda := _cuda()):
            return Amount(host_free(), sys.maxsize)
        free, _ = cuda.mem_get_info()
        kept = int(cuda.memory_reserved()) - int(cuda.memory_allocated())
        return Amount(host_free(), int(free) + kept)

    def watch(self) -> None:
        """Start measuring `peak` anew."""
        if cuda := _cuda():
            cuda.reset_peak_memory_stats()

    def peak(self) -> Amount:
        """Return what this process takes on the host now, and its peak on the accelerator.

        The peak is since `watch`.
        """
        cuda = _cuda()
        return Amount(_resident() + _mps_used(), int(cuda.max_memory_allocated()) if cuda else 0)

    def release(self) -> None:
        """Give back what is no longer in use, as far as the libraries let it go."""
        gc.collect()
        if cuda := _cuda():
            cuda.empty_cache()
        if mps := _mps():
            mps.empty_cache()
        if sys.platform == "linux":
            # glibc keeps freed small pieces otherwise; another C library has no such function.
            with suppress(OSError, AttributeError):
                ctypes.CDLL("libc.so.6").malloc_trim(0)


def accelerator() -> Accelerator | None:
    """Find the accelerator without importing torch: an NVIDIA GPU, or that of an Apple chip."""
    if os.path.isdir("/proc/driver/nvidia/gpus") or shutil.which("nvidia-smi") is not None:
        return "cuda"
    return "mps" if platform.system() == "Darwin" and platform.machine() == "arm64" else None


def host_total() -> int:
    """Return the bytes of memory of this machine, or of the container of this process."""
    import psutil

    limits = [limit for limit, _ in _contained()]
    return min([int(psutil.virtual_memory().total), *limits])


def host_free() -> int:
    """Return the bytes of memory that a process here may still take without swapping."""
    import psutil

    left = [max(0, limit - used) for limit, used in _contained()]
    return min([int(psutil.virtual_memory().available), *left])


def _contained() -> list[tuple[int, int]]:
    """Return limit and use of the container, in bytes; none where there is no limit."""
    amounts = []
    for limit, used in _CONTAINERS:
        try:
            amounts.append(
                (
                    int(limit.read_text()),
                    int(used.read_text()) - _cached(used.with_name("memory.stat")),
                )
            )
        except (OSError, ValueError):  # no such file, or the word "max"
            continue
    return amounts


def _cached(stat: Path) -> int:
    """Return the bytes of files that the container caches and gives up on demand."""
    lines = (line.split() for line in stat.read_text().splitlines())
    counts = {words[0]: words[1] for words in lines if len(words) == 2}
    return int(counts.get("inactive_file", counts.get("total_inactive_file", "0")))


def _resident() -> int:
    import psutil

    return int(psutil.Process().memory_info().rss)


def _cuda() -> Any:
    """Return the CUDA of torch where it is in use, else None."""
    torch: Any = sys.modules.get("torch")
    try:
        in_use = torch and torch.cuda.is_available() and torch.cuda.is_initialized()
    except AttributeError:  # another thread is importing it
        return None
    return torch.cuda if in_use else None


def _mps() -> Any:
    """Return the MPS of torch where it can be in use, else None."""
    torch: Any = sys.modules.get("torch")
    try:
        usable = torch and accelerator() == "mps" and torch.backends.mps.is_available()
    except AttributeError:  # another thread is importing it
        return None
    return torch.mps if usable else None


def _mps_used() -> int:
    """Return what Metal holds for this process, which the system does not count as resident.

    It is of the same memory.
    """
    mps = _mps()
    return int(mps.driver_allocated_memory()) if mps else 0
