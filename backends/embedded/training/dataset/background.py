"""Draws samples before a training, or in processes of their own beside it."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from hallascope.backends.embedded.training.dataset import shards

LOOK_SECONDS = 0.2


@contextmanager
def drawing(write: Callable[[], None], folder: Path, begin: int) -> Iterator[None]:
    """Draw the samples of a folder by `write`.

    With `begin` shards the block begins as soon as there are so many, and the others are drawn
    beside it, as long as it lasts; with 0 it begins when all are there.
    """
    if not begin:
        write()
        yield
        return
    process = get_context("fork").Process(target=_write_alone, args=(write,))
    process.start()
    try:
        while process.is_alive() and len(shards.files(folder)) < begin:
            time.sleep(LOOK_SECONDS)
        yield
    finally:
        if process.is_alive() and process.pid:
            os.killpg(process.pid, signal.SIGKILL)
        process.join()


def _write_alone(write: Callable[[], None]) -> None:
    """Write with all processes that it starts in one group, which can be ended together."""
    os.setpgrp()
    write()
