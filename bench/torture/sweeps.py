"""Runs sweeps against a service that bills, in processes that may be killed, and reads results."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text
from stamina.instrumentation import set_on_retry_hooks

from bench.support.billed_services import COST, services
from hallascope.backends.base import HallaScopeError
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.plan import plan
from hallascope.engine.sweep.runner import Sweep, SweepEnded
from hallascope.engine.sweep.spec_reader import parse

ROOT = Path(__file__).parents[2]
SPEC = """
prompts: [primer: {{count: {count}}}]
models: [free/painter]
metrics: [ihalla]
judge: billed/judge
"""
QUESTIONS = 5  # about an image
CAP = 10_000.0  # USD: what is measured is never the cap
ROUNDING = 1e-9  # USD
TICK = 0.005  # seconds between two looks at the service
ENDED, REFUSED = 0, 3  # exit codes
# what counts of a store, without times and numbers that a database gives
QUERIES = (
    "select prompt, model, seed, state, image from generation",
    "select generation, metric, judge, trial, value, counted, left_out, strict from evaluation",
    'select generation, "index", answer, verdict.state, raw from verdict join evaluation on'
    " evaluation.id = evaluation",
)


class AccountTotal(NamedTuple):
    """Holds what an account says was spent on all days, in USD.

    `certain` is what a service counted, `unconfirmed` what may have been spent beside it.
    """

    certain: float
    unconfirmed: float

    def fits(self, bill: float) -> bool:
        """Return whether certain <= bill <= certain + unconfirmed, but for what floats lose."""
        lowest = self.certain - ROUNDING
        return lowest <= bill <= self.certain + self.unconfirmed + ROUNDING


@dataclass(frozen=True)
class ServiceStats:
    """Holds what a service counted: calls in all, and questions that were asked at least once."""

    calls: int
    questions: int
    ends: dict[str, int]

    @property
    def billed(self) -> float:
        """Return what all calls cost, in USD."""
        return self.calls * COST


@dataclass(frozen=True)
class Service:
    """Names a running service by its port on this machine."""

    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def stats(self) -> ServiceStats:
        url = f"http://127.0.0.1:{self.port}/stats"
        with urllib.request.urlopen(url, timeout=60) as reply:
            return ServiceStats(**json.load(reply))


@contextmanager
def serve(share: float = 0.0, seed: int = 0) -> Iterator[Service]:
    """Run a service for the block, in a process of its own: this one forks and has no threads."""
    command = [sys.executable, "-m", "bench.torture.service", str(share), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield Service(int(process.stdout.readline()))
        finally:
            process.kill()


def run_sweep(
    folder: Path,
    address: str,
    count: int,
    disturb: Callable[[Services], object] = lambda _: None,
    url: str | None = None,
    patient: bool = False,
) -> SweepEnded:
    """Run the sweep over so many prompts to its end, or on from where it was left.

    `disturb` is given the services before it begins. `url` is that of the database, if it does not
    lie in the folder. What is gone is waited for where it is `patient`; else the wait of some
    minutes passes at once. Raises StoreError where the store cannot be used.
    """
    set_on_retry_hooks([])  # a retry is what is wanted here, and no news
    terms = SpendingPolicy(run=CAP, day=CAP)
    waited = [0.0]

    def wait(seconds: float) -> bool:
        if patient:
            time.sleep(seconds)
        else:
            waited[0] += seconds
        return False

    with services(folder, address, url) as ready:
        disturb(ready)
        planned = plan(parse(SPEC.format(count=count), folder / "sweep.yaml"), ready, terms)
        sweep = Sweep(planned, ready, terms, wait=wait, clock=lambda: waited[0] + time.monotonic())
        last = list(sweep.events())[-1]
    if not isinstance(last, SweepEnded):
        raise RuntimeError(f"The sweep over {count} prompts ended with {last}.")
    return last


def start_sweep(
    folder: Path,
    address: str,
    count: int,
    disturb: Callable[[Services], object] = lambda _: None,
    prepare: Callable[[], object] = lambda: None,
    said: Path | None = None,
    url: str | None = None,
    patient: bool = False,
) -> int:
    """Run the sweep in a process of its own and return that process's id.

    `prepare` is called in it first, and all else is as in `run_sweep`. It ends with ENDED where the
    sweep came to its end, with REFUSED where a sentence said why not, which is written into the
    file `said`.
    """
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        sentence = said.open("w", encoding="utf-8") if said else None
        try:
            prepare()
            run_sweep(folder, address, count, disturb, url, patient)
            code = ENDED
        except HallaScopeError as error:
            code = REFUSED
            if sentence:
                sentence.write(str(error))
                sentence.close()
    finally:
        os._exit(code)


def kill_later(child: int, service: Service, calls: int, chance: random.Random) -> bool:
    """Kill a process after so many further calls and a moment; return whether it came to that.

    Raises RuntimeError where it ended by itself, and not well.
    """
    if not wait_for_calls(child, service, calls):
        return False
    time.sleep(chance.uniform(0.0, 0.05))
    if has_ended(child):
        return False
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def wait_for_calls(child: int, service: Service, calls: int) -> bool:
    """Wait for so many further calls; False where the process ends before they have come."""
    before = service.stats().calls
    while service.stats().calls < before + calls:
        if has_ended(child):
            return False
        time.sleep(TICK)
    return True


def has_ended(child: int) -> bool:
    """Return whether a process has ended. Raises RuntimeError where it did not end well."""
    ended, status = os.waitpid(child, os.WNOHANG)
    if not ended:
        return False
    check_end(status)
    return True


def wait_for_end(child: int, code: int = ENDED) -> None:
    """Wait until a process ends. Raises RuntimeError where it does not end with that code."""
    check_end(os.waitpid(child, 0)[1], code)


def end_code(child: int) -> int:
    """Wait until a process ends, and return its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def check_end(status: int, code: int = ENDED) -> None:
    """Raise RuntimeError where a process did not end with that code."""
    ended = os.waitstatus_to_exitcode(status)
    if ended != code:
        raise RuntimeError(f"A sweep ended with the code {ended}, not with {code}.")


def open_store(folder: Path, url: str | None = None) -> None:
    """Open a store, which makes it where it is missing and brings it up to date, and close it."""
    Store(url, folder).close()


def read_results(folder: Path, url: str | None = None) -> list[list[tuple[Any, ...]]]:
    """Return the images, evaluations and verdicts of a store, sorted."""
    store = Store(url, folder)
    try:
        with store.database.engine.connect() as connection:
            return [
                sorted((tuple(row) for row in connection.execute(text(query))), key=repr)
                for query in QUERIES
            ]
    finally:
        store.close()


def verdicts(folder: Path) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """Return answer and state of each verdict of a store, by image and number of the question."""
    return {row[:2]: row[2:4] for row in read_results(folder)[-1]}


def read_account(folder: Path, url: str | None = None) -> AccountTotal:
    """Return what a store says was spent on all days, with what killed processes held back."""
    store = Store(url, folder)
    try:
        totals = store.ledger.models()
    finally:
        store.close()
    unconfirmed = sum(total.unconfirmed for total in totals)
    return AccountTotal(sum(total.amount for total in totals) - unconfirmed, unconfirmed)


def change_rows(folder: Path, query: str, values: Sequence[Mapping[str, Any]]) -> None:
    """Change a store behind its back, once for each of the values."""
    store = Store(folder=folder)
    try:
        with store.database.engine.begin() as connection:
            for each in values:
                connection.execute(text(query), dict(each))
    finally:
        store.close()


def read_column(folder: Path, query: str) -> list[Any]:
    """Return the first column of what a query finds in a store."""
    store = Store(folder=folder)
    try:
        with store.database.engine.connect() as connection:
            return list(connection.execute(text(query)).scalars())
    finally:
        store.close()


def count_results(results: Sequence[Sequence[object]]) -> str:
    """Return in words how many images, evaluations and verdicts a store holds."""
    names = ("images", "evaluations", "verdicts")
    return ", ".join(f"{len(rows)} {name}" for rows, name in zip(results, names, strict=True))
