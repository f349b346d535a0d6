"""Kills sweeps, and takes their disk and database away: ``make torture``.

Each sweep runs in a process of its own on a judge that bills every call, and must leave what one
leaves that nobody disturbed. Exit code 1 where a bar is missed.
"""

import multiprocessing
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
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
from tests.support.ledger_rows import model_totals

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
OUTAGE = 3.0  # seconds for which PostgreSQL is stopped
CAP = 10_000.0  # USD: the cap is not what is measured
ROUNDING = 1e-9  # USD
FULL = 4_096  # bytes beyond which no file grows on a full disk: room for a sentence
TICK = 0.005  # seconds between two looks at the service
ENDED, REFUSED = 0, 3  # exit codes
Damage = Callable[[Path, BaseProcess], object]
"""Gets the file of the database, and the process of the sweep."""
Mend = Callable[[Path], object]
# what counts of a store, without times and the numbers that a database gives
QUERIES = (
    "select prompt, model, seed, state, image from generation",
    "select generation, metric, judge, trial, value, counted, left_out, strict from evaluation",
    'select generation, "index", answer, verdict.state, raw from verdict join evaluation on'
    " evaluation.id = evaluation",
)
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.support.billed_services"])


@dataclass(frozen=True)
class SweepProcess:
    """Describes a sweep over so many images in a process of its own.

    `url` is that of the database where it does not lie in `folder`.
    """

    folder: Path
    address: str
    images: int
    url: str | None = None

    @property
    def complaint(self) -> str:
        """What the last process of this store gave as the reason of its end, else ""."""
        return (self.folder / "complaint.txt").read_text(encoding="utf-8")

    def start(self) -> BaseProcess:
        """Start the sweep, or go on with it."""
        process = PROCESSES.Process(target=run_sweep, args=(self,))
        process.start()
        return process

    def store(self) -> closing[Store]:
        """Open the store."""
        return closing(Store(self.url, self.folder))

    def results(self) -> list[list[tuple[Any, ...]]]:
        """Finish the sweep, and return the images, evaluations and verdicts, sorted."""
        wait_for_end(self.start(), ENDED)
        with self.store() as store, store.database.engine.connect() as database:
            found = [database.execute(text(query)) for query in QUERIES]
            return [sorted(map(tuple, rows), key=repr) for rows in found]

    def is_whole(self) -> bool:
        """Return whether it leaves, once finished, what one leaves that nobody disturbed."""
        with sweep_process(self.images) as (undisturbed, _):
            return self.results() == undisturbed.results()

    def account_row(self, bill: Bill) -> Row:
        """Compare the account of the store with the bill of its service, lost calls among it."""
        with self.store() as store:
            totals = model_totals(store.ledger)
        more = sum(total.unconfirmed for total in totals)
        certain = sum(total.amount for total in totals) - more
        words = f"{certain:.3f} USD certain, up to {more:.3f} more; bill {bill.amount:.3f} USD"
        return Row(
            "the account beside the service's bill",
            words,
            "certain <= bill <= certain + more",
            fits(certain, more, bill.amount),
        )


def fits(certain: float, more: float, bill: float) -> bool:
    """Return whether a bill lies between two sums, but for what floats lose."""
    return certain - ROUNDING <= bill <= certain + more + ROUNDING


@contextmanager
def sweep_process(images: int, url: str | None = None) -> Iterator[tuple[SweepProcess, Bill]]:
    """Yield a sweep on an empty store, and the bill of its service."""
    bill = Bill()
    with tempfile.TemporaryDirectory() as folder, served(bill) as address:
        sweep = SweepProcess(Path(folder), address, images, url)
        with sweep.store():
            pass
        yield sweep, bill


def run_sweep(sweep: SweepProcess) -> None:
    """Run a sweep to its end in this process; exit with REFUSED where a sentence said why not."""
    complaint = (sweep.folder / "complaint.txt").open("w", encoding="utf-8")
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


def wait_for_end(process: BaseProcess, *codes: int) -> int | None:
    """Return the code with which a process ends. Raises RuntimeError where it is none of these."""
    process.join()
    if process.exitcode not in codes:
        raise RuntimeError(f"A sweep ended with the code {process.exitcode}, not with {codes}.")
    return process.exitcode


def wait_for_calls(process: BaseProcess, bill: Bill, calls: int) -> bool:
    """Wait for so many further calls; return whether they came before the process ended."""
    until = bill.calls + calls
    while bill.calls < until and process.is_alive():
        time.sleep(TICK)
    return process.is_alive()


# --- checks ---


def check_kills(kills: int) -> Iterator[Row]:
    """Kill one sweep again and again at random moments until it ends."""
    chance, images = random.Random(SEED), IMAGES_A_KILL * kills
    killed = 0
    with sweep_process(images) as (sweep, bill):
        for _ in range(kills):
            process = sweep.start()
            wait_for_calls(process, bill, chance.randint(0, CALLS_A_KILL))
            time.sleep(chance.uniform(0.0, 0.05))
            process.kill()
            killed += wait_for_end(process, ENDED, -9) != ENDED
        is_whole = sweep.is_whole()
        what = f"kill -9 at {killed} of {kills} random moments of a sweep over {images} images"
        yield Row(what, equal(is_whole), "equal", is_whole and killed == kills)
        most = killed * LOST_CALLS
        words, bar = f"{bill.twice} beside {len(bill.asked)}", f"<= {most}, in flight at a kill"
        yield Row("calls for questions asked before", words, bar, bill.twice <= most)
        yield sweep.account_row(bill)


def check_two_processes(images: int) -> Iterator[Row]:
    """Let two processes run the same sweep on one store at once."""
    with sweep_process(images) as (sweep, bill):
        for process in [sweep.start() for _ in range(2)]:
            wait_for_end(process, ENDED)
        is_whole = sweep.is_whole()
        words = f"{equal(is_whole)}; {bill.twice} of {bill.calls} calls were asked twice"
        holds = is_whole and max(bill.asked.values()) <= 2
        bar = "equal, at most two calls a question"
        yield Row(f"two processes with one sweep over {images} images", words, bar, holds)
        yield sweep.account_row(bill)


def check_fault(
    name: str, images: int, damage: Damage, mend: Mend = lambda _: None, url: str | None = None
) -> Row:
    """Damage what a sweep writes to in the middle of it, mend that, and go on."""
    with sweep_process(images, url) as (sweep, bill):
        process = sweep.start()
        is_hit = wait_for_calls(process, bill, images)
        damage(sweep.folder / "hallascope.db", process)
        code = wait_for_end(process, ENDED, REFUSED)
        complaint = sweep.complaint
        mend(sweep.folder)
        is_whole = sweep.is_whole()
    is_told = is_sentence(complaint) if code == REFUSED else not complaint
    quoted = f"“{complaint[:160]}”" if complaint else "no complaint"
    holds = is_hit and is_told and is_whole and postgres.PASSWORD not in complaint
    bar = "at most one sentence, then equal"
    return Row(name, f"{quoted}, then {equal(is_whole)}", bar, holds)


def check_sqlite(images: int) -> Iterator[Row]:
    """Damage the SQLite file in the middle of a sweep, then remove it and begin again."""

    def remove(folder: Path) -> None:
        for path in folder.glob("hallascope.db*"):
            path.unlink()

    damages: Mapping[str, Damage] = {
        "removed": lambda file, _: file.unlink(),
        "overwritten with noise": lambda file, _: file.write_bytes(os.urandom(file.stat().st_size)),
        "cut to half": lambda file, _: os.truncate(file, file.stat().st_size // 2),
    }
    for what, damage in damages.items():
        yield check_fault(f"the SQLite file {what}, then removed", images, damage, remove)


def check_full_disk(images: int) -> Iterator[Row]:
    """Let no file grow beyond a page in the middle of a sweep, then let all grow."""

    def fill(_: Path, process: BaseProcess) -> None:
        resource.prlimit(process.pid or 0, resource.RLIMIT_FSIZE, (FULL, FULL))

    row = check_fault("a disk that is full, and is enlarged later", images, fill)
    yield row._replace(holds=row.holds and "no complaint" not in row.measured)


def check_postgres(images: int) -> Iterator[Row]:
    """Stop PostgreSQL for a while in the middle of a sweep."""
    if postgres.programs() is None:
        yield Row("PostgreSQL stopped in the middle of a sweep", postgres.MISSING)
        return
    with postgres.served() as server, server.database() as url:

        def pause(_: Path, process: BaseProcess) -> None:
            server.stop()
            time.sleep(OUTAGE)
            server.start()

        yield check_fault(f"PostgreSQL stopped for {OUTAGE:.0f} s", images, pause, url=url)


def equal(is_whole: bool) -> str:
    """Return in a word whether two sweeps left the same."""
    return "equal" if is_whole else "OTHER"


def is_sentence(complaint: str) -> bool:
    """Return whether a text is what a person is to be told, and no traceback."""
    return bool(complaint) and "Traceback" not in complaint and "\n" not in complaint.strip()


CHECKS: Mapping[str, Callable[[int], Iterator[Row]]] = {
    "kills": check_kills,
    "processes": check_two_processes,
    "postgres": check_postgres,
    "sqlite": check_sqlite,
    "full-disk": check_full_disk,
}


def main(
    only: Annotated[list[str] | None, typer.Option(help="Run this check; repeatable.")] = None,
    kills: int = 100,
    images: int = 40,
) -> None:
    if unknown := set(only or ()) - set(CHECKS):
        raise BadRequest(f"There is no check {min(unknown)!r}: choose one of {', '.join(CHECKS)}.")
    finish(
        row for name in only or CHECKS for row in CHECKS[name](kills if name == "kills" else images)
    )


if __name__ == "__main__":
    launch(main)
