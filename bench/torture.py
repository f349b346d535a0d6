"""Kills sweeps, and takes their disk and database away: ``make torture``.

Each sweep runs in a process of its own on a judge that bills every call, and must leave what one
leaves that nobody disturbed. Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text

from hallascope.backends.base import HallaScopeError
from hallascope.cli.output.printing import TextColumn, table
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.plan import plan
from hallascope.engine.sweep.runner import Sweep, SweepEnded
from hallascope.engine.sweep.spec_reader import parse
from tests.support import postgres
from tests.support.billed_services import AT_ONCE, Bill, served, services

SPEC = """
prompts: [primer: {{count: {count}}}]
models: [free/painter]
metrics: [ihalla]
judge: billed/judge
"""
SEED = 26
KILLS, IMAGES = 100, 40
IMAGES_A_KILL = 3  # so that the sweep does not end before the last kill
CALLS_A_KILL = 12  # of the service between two kills, at most
LOST_CALLS = 2 * AT_ONCE - 1  # that a kill can cost: in flight, or answered and not yet kept
QUESTIONS = 5  # about an image
OUTAGE = 3.0  # seconds for which PostgreSQL is stopped
DISK_SLACK = 64 * 2**10  # bytes by which a file may still grow on the full disk
CAP = 10_000.0  # USD: the cap is not what is measured
ROUNDING = 1e-9  # USD
TICK = 0.005  # seconds between two looks at the service
ENDED, REFUSED = 0, 3  # exit codes
# what counts of a store, without times and the numbers that a database gives
QUERIES = (
    "select prompt, model, seed, state, image from generation",
    "select generation, metric, judge, trial, value, counted, left_out, strict from evaluation",
    'select generation, "index", answer, verdict.state, raw from verdict join evaluation on'
    " evaluation.id = evaluation",
)
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    ["tests.support.billed_services", "hallascope.engine.sweep.runner"]
)
Results = list[list[tuple[Any, ...]]]


class TortureRow(NamedTuple):
    """Holds what was measured, and whether it holds; None where it could not be measured here."""

    what: str
    measured: str
    bar: str
    holds: bool | None


class Account(NamedTuple):
    """Holds the USD that a store says were spent, and those that may have been beside them."""

    certain: float
    unconfirmed: float

    def fits(self, bill: float) -> bool:
        """Return whether certain <= bill <= certain + unconfirmed, but for what floats lose."""
        lowest = self.certain - ROUNDING
        return lowest <= bill <= self.certain + self.unconfirmed + ROUNDING


@dataclass(frozen=True)
class SweepProcess:
    """Describes a sweep over so many images in a process of its own.

    `url` is that of the database where it does not lie in `folder`. What is gone is waited for
    where `is_patient`; else the wait passes at once. `disk` is the bytes to which a file may grow.
    """

    folder: Path
    address: str
    images: int
    url: str | None = None
    is_patient: bool = False
    disk: int | None = None

    @property
    def complaint(self) -> str:
        """Return what the last process of this store gave as the reason of its end, else ""."""
        file = self.folder / "complaint.txt"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def start(self) -> BaseProcess:
        """Start the sweep, or go on with it."""
        process = PROCESSES.Process(target=run_sweep, args=(self,))
        process.start()
        return process

    def finish(self, code: int = ENDED) -> None:
        """Start the sweep and wait for its end. Raises RuntimeError for another exit code."""
        wait_for_end(self.start(), code)

    def results(self) -> Results:
        """Return the images, evaluations and verdicts of the store, sorted."""
        store = Store(self.url, self.folder)
        try:
            with store.database.engine.connect() as connection:
                found = (connection.execute(text(query)) for query in QUERIES)
                return [sorted((tuple(row) for row in rows), key=repr) for rows in found]
        finally:
            store.close()

    def account(self) -> Account:
        """Return what the store says was spent, with what killed processes held back."""
        store = Store(self.url, self.folder)
        try:
            totals = store.ledger.models()
        finally:
            store.close()
        unconfirmed = sum(total.unconfirmed for total in totals)
        return Account(sum(total.amount for total in totals) - unconfirmed, unconfirmed)


def run_sweep(sweep: SweepProcess) -> None:
    """Run a sweep to its end in this process; exit with REFUSED where a sentence said why not."""
    complaint = (sweep.folder / "complaint.txt").open("w", encoding="utf-8")
    if sweep.disk:
        resource.setrlimit(resource.RLIMIT_FSIZE, (sweep.disk, sweep.disk))
    policy = SpendingPolicy(run=CAP, day=CAP)
    waited = 0.0

    def wait(seconds: float) -> bool:
        nonlocal waited
        if sweep.is_patient:
            time.sleep(seconds)
        else:
            waited += seconds
        return False

    def clock() -> float:
        return waited + time.monotonic()

    try:
        with services(sweep.folder, sweep.address, sweep.url) as ready:
            spec = parse(SPEC.format(count=sweep.images), sweep.folder / "sweep.yaml")
            planned = plan(spec, ready, policy)
            *_, last = Sweep(planned, ready, policy, wait=wait, clock=clock).events()
    except HallaScopeError as error:
        complaint.write(str(error))
        complaint.close()
        os._exit(REFUSED)  # what else is left of it may not be written any more
    os._exit(ENDED if isinstance(last, SweepEnded) else 1)


def wait_for_end(process: BaseProcess, code: int = ENDED) -> None:
    """Wait until a process ends. Raises RuntimeError where it does not end with that code."""
    process.join()
    if process.exitcode != code:
        raise RuntimeError(f"A sweep ended with the code {process.exitcode}, not with {code}.")


def wait_for_calls(process: BaseProcess, bill: Bill, calls: int) -> bool:
    """Wait for so many further calls; return whether they came before the process ended."""
    until = bill.calls + calls
    while bill.calls < until and process.is_alive():
        time.sleep(TICK)
    return process.is_alive()


def kill_after(process: BaseProcess, bill: Bill, calls: int, chance: random.Random) -> bool:
    """Kill a process after so many further calls and a moment; return whether it came to that."""
    wait_for_calls(process, bill, calls)
    time.sleep(chance.uniform(0.0, 0.05))
    process.kill()
    process.join()
    if process.exitcode not in (ENDED, -9):
        raise RuntimeError(f"A sweep ended with the code {process.exitcode} before it was killed.")
    return process.exitcode != ENDED


# --- checks ---


@dataclass(frozen=True)
class TortureSetup:
    """Holds an empty folder, how often a sweep is killed, and the images of all other sweeps."""

    folder: Path
    kills: int
    images: int

    @contextmanager
    def sweep(
        self, name: str, images: int = 0, url: str | None = None
    ) -> Iterator[tuple[SweepProcess, Bill]]:
        """Yield a sweep on an empty store, and the bill of its service."""
        bill, folder = Bill(), self.folder / name
        folder.mkdir()
        Store(url, folder).close()
        with served(bill) as address:
            yield SweepProcess(folder, address, images or self.images, url), bill

    def undisturbed(self, name: str, images: int = 0) -> Results:
        """Return what a sweep leaves that nobody disturbed."""
        with self.sweep(f"{name}-undisturbed", images) as (sweep, _):
            sweep.finish()
            return sweep.results()


def check_kills(setup: TortureSetup) -> Iterator[TortureRow]:
    """Kill one sweep again and again at random moments until it ends."""
    chance, images = random.Random(SEED), IMAGES_A_KILL * setup.kills
    with setup.sweep("kills", images) as (sweep, bill):
        kills = 0
        while kills < setup.kills and kill_after(
            sweep.start(), bill, chance.randint(0, CALLS_A_KILL), chance
        ):
            kills += 1
        sweep.finish()
        results, account = sweep.results(), sweep.account()
    is_same = results == setup.undisturbed("kills", images)
    counts = ", ".join(
        f"{len(rows)} {name}"
        for rows, name in zip(results, ("images", "evaluations", "verdicts"), strict=True)
    )
    yield TortureRow(
        f"kill -9 at {kills} of {setup.kills} random moments of a sweep over {images} images",
        f"{counts}: {equal(is_same)}",
        "equal to an undisturbed run",
        is_same and kills == setup.kills,
    )
    yield TortureRow(
        "calls for questions that had been asked before",
        f"{bill.twice} beside {len(bill.asked)}",
        f"<= {kills * LOST_CALLS}, those in flight at a kill",
        bill.twice <= kills * LOST_CALLS,
    )
    yield account_row(account, bill)


def check_two_processes(setup: TortureSetup) -> Iterator[TortureRow]:
    """Let two processes run the same sweep on one store at once."""
    with setup.sweep("processes") as (sweep, bill):
        for process in [sweep.start() for _ in range(2)]:
            wait_for_end(process)
        results, account = sweep.results(), sweep.account()
    is_same = results == setup.undisturbed("processes")
    yield TortureRow(
        f"two processes with one sweep over {setup.images} images",
        f"{equal(is_same)}; {bill.twice} of {bill.calls} calls were asked twice",
        "equal, at most two calls a question",
        is_same and max(bill.asked.values()) <= 2,
    )
    yield account_row(account, bill)


def check_postgres(setup: TortureSetup) -> Iterator[TortureRow]:
    """Stop PostgreSQL in the middle of a sweep of two processes: for a while, and for good."""
    if postgres.programs() is None:
        yield TortureRow("PostgreSQL stopped in the middle of a sweep", postgres.MISSING, "", None)
        return
    undisturbed, chance = setup.undisturbed("postgres"), random.Random(SEED)
    third = setup.images * QUESTIONS // 3
    with (
        postgres.served() as server,
        server.database() as url,
        setup.sweep("outage", url=url) as (impatient, bill),
    ):
        sweep = replace(impatient, is_patient=True)
        killed, lasting = sweep.start(), sweep.start()
        is_killed = kill_after(killed, bill, third, chance)
        is_running = wait_for_calls(lasting, bill, third)
        server.stop()
        time.sleep(OUTAGE)
        server.start()
        sweep.finish()
        wait_for_end(lasting)
        is_same, account = sweep.results() == undisturbed, sweep.account()
    yield TortureRow(
        f"PostgreSQL stopped for {OUTAGE:.0f} s under two processes, one of them killed before",
        equal(is_same),
        "equal",
        is_same and is_killed and is_running,
    )
    yield account_row(account, bill)
    with (
        postgres.served() as server,
        server.database() as url,
        setup.sweep("gone", url=url) as (sweep, bill),
    ):
        process = sweep.start()
        is_running = wait_for_calls(process, bill, third)
        server.stop()
        wait_for_end(process, REFUSED)
        complaint = sweep.complaint
        server.start()
        sweep.finish()
        is_same = sweep.results() == undisturbed
    yield complaint_row("PostgreSQL stopped for good, and back", complaint, is_same and is_running)


def check_sqlite(setup: TortureSetup) -> Iterator[TortureRow]:
    """Damage the SQLite file in the middle of a sweep, then remove it and begin again."""
    undisturbed = setup.undisturbed("sqlite")
    for what, damage in DAMAGES.items():
        with setup.sweep(what) as (sweep, bill):
            process = sweep.start()
            is_running = wait_for_calls(process, bill, setup.images * QUESTIONS // 2)
            damage(sweep.folder / "hallascope.db")
            process.join()
            code, complaint = process.exitcode, sweep.complaint
            for path in sweep.folder.glob("hallascope.db*"):
                path.unlink()
            sweep.finish()
            is_same = sweep.results() == undisturbed
        told = code == ENDED or (code == REFUSED and is_sentence(complaint))
        yield TortureRow(
            f"the SQLite file {what}, then removed",
            f"{quote(complaint)}, then {equal(is_same)}",
            "at most one sentence, then equal",
            is_running and told and is_same,
        )


def check_full_disk(setup: TortureSetup) -> Iterator[TortureRow]:
    """Let the database grow no further in the middle of a sweep, then let it again."""
    with setup.sweep("disk") as (sweep, _):
        size = (sweep.folder / "hallascope.db").stat().st_size
        replace(sweep, disk=size + DISK_SLACK).finish(REFUSED)
        complaint = sweep.complaint
        sweep.finish()
        is_same = sweep.results() == setup.undisturbed("disk")
    yield complaint_row("a disk that is full, and is enlarged later", complaint, is_same)


def account_row(account: Account, bill: Bill) -> TortureRow:
    """Compare the account of a store with the bill of its service, lost calls among it."""
    return TortureRow(
        "the account beside the service's bill",
        f"{account.certain:.3f} USD certain, up to {account.unconfirmed:.3f} USD more;"
        f" bill {bill.amount:.3f} USD",
        "certain <= bill <= certain + more",
        account.fits(bill.amount),
    )


def complaint_row(what: str, complaint: str, holds: bool) -> TortureRow:
    """Say how a sweep ended that could not go on, and whether it is whole in the end."""
    return TortureRow(
        what,
        f"{quote(complaint)}, then {equal(holds)}",
        "one sentence, then equal",
        holds and is_sentence(complaint) and postgres.PASSWORD not in complaint,
    )


def equal(is_same: bool) -> str:
    """Return in a word whether two sweeps left the same."""
    return "equal" if is_same else "OTHER"


def quote(complaint: str) -> str:
    """Return the beginning of a sentence in quotation marks."""
    return f"“{complaint[:160]}”" if complaint else "no complaint"


def is_sentence(complaint: str) -> bool:
    """Return whether a text is what a person is to be told, and no traceback."""
    return bool(complaint) and "Traceback" not in complaint and "\n" not in complaint.strip()


def overwrite(file: Path) -> None:
    """Put noise in the place of a file's bytes."""
    file.write_bytes(random.Random(SEED).randbytes(file.stat().st_size))


DAMAGES: Mapping[str, Callable[[Path], None]] = {
    "removed": Path.unlink,
    "overwritten with noise": overwrite,
    "cut to half": lambda file: os.truncate(file, file.stat().st_size // 2),
}
CHECKS: Mapping[str, Callable[[TortureSetup], Iterator[TortureRow]]] = {
    "kills": check_kills,
    "processes": check_two_processes,
    "postgres": check_postgres,
    "sqlite": check_sqlite,
    "full-disk": check_full_disk,
}
COLUMNS = (
    TextColumn("what", lambda row: row.what),
    TextColumn("measured", lambda row: row.measured),
    TextColumn("bar", lambda row: row.bar),
    TextColumn("holds", lambda row: {True: "yes", False: "NO", None: "not run"}[row.holds]),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.torture", description=__doc__)
    parser.add_argument("--only", choices=tuple(CHECKS), nargs="+", help="run these checks")
    parser.add_argument("--kills", type=int, default=KILLS, help="how often a sweep is killed")
    parser.add_argument("--images", type=int, default=IMAGES, help="of all other sweeps")
    options = parser.parse_args(arguments)
    rows: list[TortureRow] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only or CHECKS:
            print(name, file=sys.stderr, flush=True)
            rows += CHECKS[name](TortureSetup(Path(folder), options.kills, options.images))
    print(table(COLUMNS, rows))
    sys.exit(1 if any(row.holds is False for row in rows) else 0)


if __name__ == "__main__":
    main()
