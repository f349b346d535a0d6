"""Measures seconds, memory and the rates of a device."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from bench.gpu.rows import Setup

ROUNDS = 5
ENOUGH = 6.0  # seconds after which no further round of two calls begins
MATRIX = 8192  # side of the matrices whose product measures a GPU
COPIED = 2**31  # bytes that are copied to measure the memory of a GPU


def wait(device: str) -> None:
    """Wait until the device has done all that it was given."""
    import torch

    if device == "cuda":
        torch.cuda.synchronize()


def seconds(call: Callable[[], object], device: str) -> float:
    """Return how long a call takes on a device, to the end of its work there."""
    wait(device)
    started = time.perf_counter()
    call()
    wait(device)
    return time.perf_counter() - started


def median_seconds(call: Callable[[], object], device: str, rounds: int = ROUNDS) -> float:
    """Return the median of some rounds after one that does not count; fewer where they are long."""
    call()
    times: list[float] = []
    while len(times) < rounds and sum(times) < ENOUGH:
        times.append(seconds(call, device))
    return statistics.median(times)


def compare(
    one: Callable[[], object], other: Callable[[], object], device: str
) -> tuple[float, float]:
    """Return the median seconds of two calls that take turns, each after one that does not count.

    The medians are over at most ROUNDS rounds; after ENOUGH seconds none is added.
    """
    one()
    other()
    turns: list[tuple[float, float]] = []
    while len(turns) < ROUNDS and sum(map(sum, turns)) < ENOUGH:
        if len(turns) % 2:
            second = seconds(other, device)
            turns.append((seconds(one, device), second))
        else:
            turns.append((seconds(one, device), seconds(other, device)))
    first, second = (statistics.median(times) for times in zip(*turns, strict=True))
    return first, second


def ratio_text(one: float, other: float) -> str:
    """Write the ratio of two times in seconds, with both in milliseconds."""
    return f"{one / other:.2f} ({one * 1000:.1f} ms, {other * 1000:.1f} ms)"


def reset_peak(setup: Setup) -> None:
    """Forget the largest memory so far."""
    import torch

    if setup.device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def peak_bytes(setup: Setup) -> int:
    """Return the most bytes on the GPU since `reset_peak`; 0 on a CPU, which does not count them.

    They are what torch gave to tensors: what it keeps for later and the driver's own (about half a
    GB) are not among them, as the pool of models counts neither.
    """
    import torch

    return int(torch.cuda.max_memory_allocated()) if setup.device == "cuda" else 0


@dataclass(frozen=True)
class Rates:
    """Holds what a device reaches: floating-point operations and bytes of memory in a second."""

    flops: float
    bandwidth: float

    def pass_seconds(self, weights: int, tokens: int, bytes_a_weight: int = 2) -> float:
        """Return the least time of one pass of so many tokens through so many weights.

        It is the larger of 2 operations a weight and token at `flops`, and of reading each weight
        once at `bandwidth` (the roofline; Williams et al., 2009). Attention between tokens is left
        out.
        """
        return max(2 * weights * tokens / self.flops, weights * bytes_a_weight / self.bandwidth)


def measure_rates(setup: Setup) -> Rates:
    """Measure the product of two matrices in bfloat16 and a copy within the memory."""
    import torch

    side = 256 if setup.is_tiny else MATRIX
    copied = 2**22 if setup.is_tiny else COPIED
    left, right = (
        torch.randn(side, side, device=setup.device, dtype=torch.bfloat16) for _ in range(2)
    )
    product = median_seconds(lambda: left @ right, setup.device)
    source = torch.zeros(copied, dtype=torch.uint8, device=setup.device)
    target = torch.empty_like(source)
    copy = median_seconds(lambda: target.copy_(source), setup.device)
    # a copy reads and writes every byte
    return Rates(2 * side**3 / product, 2 * copied / copy)
