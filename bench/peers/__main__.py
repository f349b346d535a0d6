"""Judges the same images by HallaScope and by inspect_ai: ``python -m bench.peers PYTHON``.

PYTHON is that of an environment of its own, made by ``pip install inspect-ai openai``. Both
ask a service that takes LATENCY a call, AT_ONCE at once, and both keep replies; the second time
none is asked. Times are those of whole commands, with their start, in turns.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from bench.judge_speed import (
    AT_ONCE,
    LATENCY,
    MODELS,
    SIZES,
    command,
    save_questions,
    write_images,
)
from bench.measuring import Row, finish, launch
from tests.support.billed_services import Bill, served

PEER = Path(__file__).with_name("inspect_judge.py")


def by_peer(python: str, home: Path, *arguments: str) -> float:
    """Return the seconds of the peer's command, which keeps its files in `home`."""
    env = {**os.environ, "BENCH_API_KEY": "none", "HOME": str(home), "XDG_CACHE_HOME": str(home)}
    began = time.perf_counter()
    done = subprocess.run(
        [python, str(PEER), *arguments, str(home)], env=env, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"The peer failed: {done.stderr[-2000:]}")
    return time.perf_counter() - began


def rows(python: str, images: int, questions: int, rounds: int) -> Iterator[Row]:
    """Yield the first time and the repeat, ours to the peer's."""
    firsts: list[list[float]] = []
    repeats: list[list[float]] = []
    bill = Bill(LATENCY)
    with tempfile.TemporaryDirectory() as root, served(bill) as address:
        folder = Path(root) / "images"
        write_images(folder, images, *SIZES["4 KB"])
        for number in range(rounds):
            own, other = Path(root) / f"own{number}", Path(root) / f"other{number}"
            own.mkdir()
            other.mkdir()
            (own / "m.yaml").write_text(MODELS.format(address=address))
            save_questions(own, images, questions)

            def ours(home: Path = own) -> float:
                told = ("--as", "noise", "--judge", "bench/judge", "--budget", "5")
                return command(home, "judge", str(folder), *told).wall

            def peers(home: Path = other) -> float:
                return by_peer(python, home, address, str(folder), str(questions), str(AT_ONCE))

            for kept in (firsts, repeats):
                kept.append([_counted(one, bill, kept is firsts) for one in (ours, peers)])
    what = f"{images * questions} calls about {images} images of 4 KB"
    ideal = -(-images * questions // AT_ONCE) * LATENCY
    for name, kept in ((f"{what} (ideal {ideal:.1f} s)", firsts), ("the same again", repeats)):
        own_time, peer_time = (median(column) for column in zip(*kept, strict=True))
        words = f"{own_time / peer_time:.2f}: {own_time:.1f} s to {peer_time:.1f} s of inspect_ai"
        yield Row(f"{name}, to inspect_ai", words)


def _counted(work: Callable[[], float], bill: Bill, asks: bool) -> float:
    """Return the seconds of a command. Raises RuntimeError where it asks what it must not."""
    before = bill.calls
    seconds = work()
    calls = bill.calls - before
    if (calls > 0) != asks:
        raise RuntimeError(f"{calls} calls were made where {'some' if asks else 'none'} should be.")
    return seconds


def main(
    python: Annotated[str, typer.Argument(help="Of an environment with inspect-ai and openai.")],
    images: int = 40,
    questions: int = 5,
    rounds: int = 3,
) -> None:
    finish(rows(python, images, questions, rounds))


if __name__ == "__main__":
    launch(main)
