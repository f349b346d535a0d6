"""Measures the paths of a GPU: ``make bench-gpu``; one sentence where there is none.

The large models have the sizes of real ones and random weights, so nothing is downloaded. Each
measurement runs in a process of its own, which is ended at its time limit: one that fails or takes
too long leaves a row that says so. Times are medians of one run on one card; ratios compare with
the bare library in the same run.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING

from bench.gpu.rows import GIB, GpuRow, PeakMemory, Setup, from_line, to_line

if TYPE_CHECKING:
    from bench.gpu.measurements import Measurement

TOTAL = 345.0  # seconds after which no further measurement begins
SHORTEST = 15.0  # seconds that must be left for one to begin
LONGEST_START = 120.0  # seconds until a process must be ready to measure
LONGEST_MESSAGE = 400


def main(arguments: Sequence[str] | None = None) -> None:
    options = _read_options(arguments)
    if options.measure:
        _measure_here(options.measure, options.device, options.size)
        return
    if options.device == "cuda" and not _has_gpu():
        print("There is no NVIDIA GPU here, so nothing was measured: run it on a machine with one.")
        return
    from bench.gpu.measurements import MEASUREMENTS

    names = [m.name for m in MEASUREMENTS]
    if unknown := sorted(set(options.only) - set(names)):
        print(f"There is no measurement {unknown[0]!r}: choose of {', '.join(names)}.")
        sys.exit(2)
    chosen = [m for m in MEASUREMENTS if not options.only or m.name in options.only]
    with tempfile.TemporaryDirectory() as folder:
        _measure_all(chosen, options, folder)


def _measure_all(chosen: Sequence[Measurement], options: argparse.Namespace, folder: str) -> None:
    """Print a row for each result as it comes, and what entries should say at the end."""
    started = time.monotonic()
    peaks: list[PeakMemory] = []
    print("| what | measured | bar |\n| --- | --- | --- |", flush=True)
    children: list[_Child] = []
    try:
        for i, measurement in enumerate(chosen):
            # the next process starts, and imports its libraries, while one measures
            for following in chosen[len(children) : i + 2]:
                children.append(_Child(following.name, options, folder))
            left = options.total - (time.monotonic() - started)
            for item in children[i].rows(min(measurement.limit, left)):
                if isinstance(item, PeakMemory):
                    peaks.append(item)
                print(_table_line(item), flush=True)
    finally:
        for child in children:
            child.close()
    print(f"\nThe run took {time.monotonic() - started:.0f} s.\n")
    _print_peaks(peaks)


def _read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=__doc__)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--size", choices=("full", "tiny"), default="full")
    parser.add_argument(
        "--only", nargs="*", default=(), metavar="NAME", help="measure these and no others"
    )
    parser.add_argument("--total", type=float, default=TOTAL, help="seconds for the whole run")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _has_gpu() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def _table_line(item: GpuRow | PeakMemory) -> str:
    if isinstance(item, GpuRow):
        row = item
    else:
        row = GpuRow(
            f"{item.entry}: peak memory",
            f"{item.peak / GIB:.1f} GiB = {item.peak / 1e9:.1f} GB" if item.peak else "not counted",
            f"entry: {item.entry_gb} GB",
        )
    return f"| {row.what} | {row.result} | {row.bar} |"


def _print_peaks(peaks: Sequence[PeakMemory]) -> None:
    """Print what the `memory_gb` of entries may be; nothing where no GPU counted it."""
    counted = [peak for peak in peaks if peak.peak]
    if not counted:
        return
    print("| entry | memory_gb | measured GiB | measured GB | within 15 % | suggested |")
    print("| --- | --- | --- | --- | --- | --- |")
    for peak in counted:
        print(
            f"| {peak.entry} | {peak.entry_gb} | {peak.peak / GIB:.2f} | {peak.peak / 1e9:.2f} |"
            f" {'yes' if peak.is_near else 'no'} | {peak.suggestion:g} |"
        )


# --- one measurement in a process of its own ------------------------------------------------------


class _Child:
    """Runs one measurement in another process, which waits until it is told to begin."""

    def __init__(self, name: str, options: argparse.Namespace, folder: str) -> None:
        self.name = name
        # read when the process has ended, so that no `with` can hold it
        self._errors: IO[str] = tempfile.TemporaryFile(  # noqa: SIM115
            "w+", encoding="utf-8", errors="replace"
        )
        command = [sys.executable, "-m", "bench.gpu", "--measure", name]
        self._process = subprocess.Popen(
            [*command, "--device", options.device, "--size", options.size],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env={**os.environ, "TMPDIR": folder},
            start_new_session=True,
        )
        self._is_late = False

    def rows(self, limit: float) -> Iterator[GpuRow | PeakMemory]:
        """Let it begin and yield its rows as they come; the last says whether it failed."""
        if limit < SHORTEST:
            self.stop()
            yield GpuRow(self.name, "skipped: the time of the whole run is over")
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # seconds for the imports, which may not be over yet, do not count
        timer = threading.Timer(LONGEST_START, self._stop_late)
        timer.start()
        self._process.stdout.readline()
        timer.cancel()
        timer = threading.Timer(limit, self._stop_late)
        timer.start()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write("begin\n")
            self._process.stdin.flush()
        for line in self._process.stdout:
            yield from_line(line)
        code = self._process.wait()
        timer.cancel()
        if self._is_late:
            yield GpuRow(self.name, f"stopped after {limit:.0f} s")
        elif code:
            yield GpuRow(self.name, f"failed with exit code {code}: {self._last_error()}")

    def stop(self) -> None:
        """End the process, if it still runs, and those that it started."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def close(self) -> None:
        """End the process, and close what connects with it."""
        self.stop()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def _stop_late(self) -> None:
        self._is_late = True
        self.stop()

    def _last_error(self) -> str:
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        return lines[-1].replace("|", "/")[:LONGEST_MESSAGE] if lines else "it said nothing"


def _measure_here(name: str, device: str, size: str) -> None:
    """Measure in this process and write rows to what was standard output, line by line."""
    rows = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    # what libraries print must not come between the rows
    os.dup2(2, 1)
    # imported while another measurement runs
    for library in ("torch", "transformers", "diffusers", "accelerate"):
        import_module(library)
    from bench.gpu.measurements import MEASUREMENTS

    (measurement,) = (m for m in MEASUREMENTS if m.name == name)
    rows.write("ready\n")
    if not sys.stdin.readline():
        return
    with tempfile.TemporaryDirectory() as folder:
        setup = Setup(device, "tiny" if size == "tiny" else "full", Path(folder))
        try:
            for item in measurement.measure(setup):
                rows.write(to_line(item) + "\n")
        # the parent prints the row and goes on with the next measurement
        except Exception as error:
            message = " ".join(f"{type(error).__name__}: {error}".split()).replace("|", "/")
            rows.write(to_line(GpuRow(name, f"failed: {message[:LONGEST_MESSAGE]}")) + "\n")


if __name__ == "__main__":
    main()
