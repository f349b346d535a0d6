"""Runs sweeps on the models that ship, in processes that may be killed.

The process that starts them never imports torch, which does not survive a fork.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
import traceback
from contextlib import closing
from pathlib import Path

from bench.torture.sweeps import ENDED, has_ended

SPEC = """
prompts: [primer: {{count: {count}}}]
models: [primer/hasty]
metrics: [ihalla]
judge: primer/judge
"""
DATABASE = "hallascope.db"
MOST_REPLIES = 6  # between two kills
TICK = 0.05  # seconds between two looks at the store


def start_sweep(folder: Path, count: int) -> int:
    """Run the sweep over so many prompts in a process of its own, and return that process's id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        _run_sweep(folder, count)
        code = ENDED
    except Exception:  # nobody else says why this process ended
        traceback.print_exc()
    finally:
        os._exit(code)


def _run_sweep(folder: Path, count: int) -> None:
    from hallascope.data.models.specs import read_models
    from hallascope.engine.money.budget import SpendingPolicy
    from hallascope.engine.services import Services
    from hallascope.engine.storage.store import Store
    from hallascope.engine.sweep.plan import plan
    from hallascope.engine.sweep.runner import Sweep, SweepEnded
    from hallascope.engine.sweep.spec_reader import parse

    services = Services(Store(folder=folder), read_models())
    policy = SpendingPolicy()
    planned = plan(parse(SPEC.format(count=count), folder / "sweep.yaml"), services, policy)
    last = list(Sweep(planned, services, policy).events())[-1]
    services.store.close()
    # the judge refuses some of Primer's own images, in an undisturbed sweep as well
    if not isinstance(last, SweepEnded) or last.stopped:
        raise RuntimeError(f"The sweep over {count} prompts ended with {last}.")


def kill_later(child: int, folder: Path, chance: random.Random) -> bool:
    """Kill a process after some further replies and a moment; return whether it came to that.

    Raises RuntimeError where it ended by itself, and not well.
    """
    until = count_replies(folder) + chance.randint(0, MOST_REPLIES)
    while count_replies(folder) < until:
        if has_ended(child):
            return False
        time.sleep(TICK)
    time.sleep(chance.uniform(0.0, 0.5))
    if has_ended(child):
        return False
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def count_replies(folder: Path) -> int:
    """Return how many replies a store keeps; 0 where there is none yet."""
    file = folder / DATABASE
    if not file.exists():
        return 0
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute("select count(*) from cached_reply").fetchone()[0])
        except sqlite3.OperationalError:  # it is being made, or written
            return 0
