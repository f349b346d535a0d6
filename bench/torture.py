"""Kills sweeps, and takes their disk and database away: ``make torture``.

Each sweep runs in a process of its own on a judge that bills every call, and must leave what one
leaves that nobody disturbed. Exit code 1 where a bar is missed.
"""

import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy import text

from bench.measuring import Row, finish, launch
from hallascope.backends.base import HallaScopeError
from hallascope.engine.errors import BadRequest
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
PROCESSES.set_forkserver_preload(["tests.support.billed_services"])
Results = list[list[tuple[Any, ...]]]


@dataclass(frozen=True)
class SweepProcess:
    """Describes a sweep over so many images in a process of its own, and the bill of its service.

    `url` is that of the database where it does not lie in `folder`. `disk` is the bytes to which a
    file may grow.
    """

    folder: Path
    address: str
    images: int
    url: str | None = None
    disk: int | None = None

    @property
    def complaint(self) -> str:
        """What the last process of this store gave as the reason of its end, else ""."""
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
        with closing(Store(self.url, self.folder)) as store, store.database.engine.connect() as db:
            return [sorted(map(tuple, db.execute(text(query))), key=repr) for query in QUERIES]

    def account_row(self, bill: Bill) -> Row:
        """Compare the account of the store with the bill of its service, lost calls among it."""
        with closing(Store(self.url, self.folder)) as store:
            totals = store.ledger.models()
        more = sum(total.unconfirmed for total in totals)
        certain = sum(total.amount for total in totals) - more
        return Row(
            "the account beside the service's bill",
            f"{certain:.3f} USD certain, up to {more:.3f} more; bill {bill.amount:.3f} USD",
            "certain <= bill <= certain + more",
            fits(certain, more, bill.amount),
        )


def fits(certain: float, more: float, bill: float) -> bool:
    """Return whether a bill lies between two sums, but for what floats lose."""
    return certain - ROUNDING <= bill <= certain + more + ROUNDING


def run_sweep(sweep: SweepProcess) -> None:
    """Run a sweep to its end in this process; exit with REFUSED where a sentence said why not."""
    complaint = (sweep.folder / "complaint.txt").open("w", encoding="utf-8")
    if sweep.disk:
        resource.setrlimit(resource.RLIMIT_FSIZE, (sweep.disk, sweep.disk))
    policy = SpendingPolicy(run=CAP, day=CAP)
    waited = 0.0

    def wait(seconds: float) -> bool:
        """Wait for a server, which comes back; for a file that is gone the time passes at once."""
        nonlocal waited
        if sweep.url:
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


def wait_for_end(process: BaseProcess, *codes: int) -> None:
    """Wait until a process ends. Raises RuntimeError where it ends with none of the codes."""
    process.join()
    if process.exitcode not in codes:
        raise RuntimeError(f"A sweep ended with the code {process.exitcode}, not with {codes}.")


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
    wait_for_end(process, ENDED, -9)
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

    def is_whole(self, sweep: SweepProcess) -> bool:
        """Return whether a sweep left what one leaves that nobody disturbed."""
        name = f"{sweep.folder.name}-undisturbed"
        with self.sweep(name, sweep.images) as (undisturbed, _):
            undisturbed.finish()
            return sweep.results() == undisturbed.results()


def check_kills(setup: TortureSetup) -> Iterator[Row]:
    """Kill one sweep again and again at random moments until it ends."""
    chance, images = random.Random(SEED), IMAGES_A_KILL * setup.kills
    with setup.sweep("kills", images) as (sweep, bill):
        kills = 0
        while kills < setup.kills and kill_after(
            sweep.start(), bill, chance.randint(0, CALLS_A_KILL), chance
        ):
            kills += 1
        sweep.finish()
        what = f"kill -9 at {kills} of {setup.kills} random moments of a sweep over {images} images"
        is_whole = setup.is_whole(sweep)
        yield Row(what, equal(is_whole), "equal", is_whole and kills == setup.kills)
        yield Row(
            "calls for questions that had been asked before",
            f"{bill.twice} beside {len(bill.asked)}",
            f"<= {kills * LOST_CALLS}, those in flight at a kill",
            bill.twice <= kills * LOST_CALLS,
        )
        yield sweep.account_row(bill)


def check_two_processes(setup: TortureSetup) -> Iterator[Row]:
    """Let two processes run the same sweep on one store at once."""
    with setup.sweep("processes") as (sweep, bill):
        for process in [sweep.start() for _ in range(2)]:
            wait_for_end(process, ENDED)
        is_whole = setup.is_whole(sweep)
        yield Row(
            f"two processes with one sweep over {setup.images} images",
            f"{equal(is_whole)}; {bill.twice} of {bill.calls} calls were asked twice",
            "equal, at most two calls a question",
            is_whole and max(bill.asked.values()) <= 2,
        )
        yield sweep.account_row(bill)


def check_fault(
    setup: TortureSetup,
    name: str,
    damage: Callable[[Path], object],
    mend: Callable[[Path], object],
    **options: Any,
) -> Row:
    """Damage what a sweep writes to in the middle of it, mend that, and go on.

    `options` are those of the sweep.
    """
    with setup.sweep(name, url=options.get("url")) as (sweep, bill):
        process = replace(sweep, **options).start()
        is_hit = wait_for_calls(process, bill, setup.images * QUESTIONS // 3)
        damage(sweep.folder / "hallascope.db")
        wait_for_end(process, ENDED, REFUSED)
        complaint = sweep.complaint
        mend(sweep.folder)
        sweep.finish()
        is_whole = setup.is_whole(sweep)
    is_told = is_sentence(complaint) if process.exitcode == REFUSED else not complaint
    quoted = f"“{complaint[:160]}”" if complaint else "no complaint"
    is_safe = postgres.PASSWORD not in complaint
    is_hit = process.exitcode == REFUSED if "disk" in options else is_hit
    holds = is_hit and is_told and is_safe and is_whole
    bar = "at most one sentence, then equal"
    return Row(name, f"{quoted}, then {equal(is_whole)}", bar, holds)


def check_sqlite(setup: TortureSetup) -> Iterator[Row]:
    """Damage the SQLite file in the middle of a sweep, then remove it and begin again."""

    def remove(folder: Path) -> None:
        for path in folder.glob("hallascope.db*"):
            path.unlink()

    for what, damage in DAMAGES.items():
        yield check_fault(setup, f"the SQLite file {what}, then removed", damage, remove)


def check_full_disk(setup: TortureSetup) -> Iterator[Row]:
    """Let no file grow beyond an almost empty database in the middle of a sweep, then let it."""
    with setup.sweep("empty") as (sweep, _):
        most = (sweep.folder / "hallascope.db").stat().st_size + DISK_SLACK
    name = "a disk that is full, and is enlarged later"
    yield check_fault(setup, name, leave, leave, disk=most)


def check_postgres(setup: TortureSetup) -> Iterator[Row]:
    """Stop PostgreSQL for a while in the middle of a sweep."""
    if postgres.programs() is None:
        yield Row("PostgreSQL stopped in the middle of a sweep", postgres.MISSING)
        return
    with postgres.served() as server, server.database() as url:

        def pause(_: Path) -> None:
            server.stop()
            time.sleep(OUTAGE)
            server.start()

        yield check_fault(setup, f"PostgreSQL stopped for {OUTAGE:.0f} s", pause, leave, url=url)


def leave(path: Path) -> None:
    """Leave everything as it is."""


def equal(is_whole: bool) -> str:
    """Return in a word whether two sweeps left the same."""
    return "equal" if is_whole else "OTHER"


def is_sentence(complaint: str) -> bool:
    """Return whether a text is what a person is to be told, and no traceback."""
    return bool(complaint) and "Traceback" not in complaint and "\n" not in complaint.strip()


DAMAGES: Mapping[str, Callable[[Path], object]] = {
    "removed": Path.unlink,
    "overwritten with noise": lambda file: file.write_bytes(os.urandom(file.stat().st_size)),
    "cut to half": lambda file: os.truncate(file, file.stat().st_size // 2),
}
CHECKS: Mapping[str, Callable[[TortureSetup], Iterator[Row]]] = {
    "kills": check_kills,
    "processes": check_two_processes,
    "postgres": check_postgres,
    "sqlite": check_sqlite,
    "full-disk": check_full_disk,
}


def main(
    only: Annotated[list[str] | None, typer.Option(help="Run this check; repeatable.")] = None,
    kills: Annotated[int, typer.Option(help="How often a sweep is killed.")] = 100,
    images: Annotated[int, typer.Option(help="Of all other sweeps.")] = 40,
) -> None:
    if unknown := set(only or ()) - set(CHECKS):
        raise BadRequest(f"There is no check {min(unknown)!r}: choose of {', '.join(CHECKS)}.")

    def rows() -> Iterator[Row]:
        with tempfile.TemporaryDirectory() as folder:
            for name in only or CHECKS:
                print(name, file=sys.stderr, flush=True)
                yield from CHECKS[name](TortureSetup(Path(folder), kills, images))

    finish(rows())


if __name__ == "__main__":
    launch(main)
