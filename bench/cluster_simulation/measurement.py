"""Measures what the process of a sweep spends on one image: its threads, its store, its account.

The code is that of real sweeps; only the models are scripted, so that nothing waits for a GPU. The
images have the size and about the bytes of photographs. CPU seconds are those of threads, so that
other work on the machine changes them little.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from PIL import Image, ImageFilter

from bench import big_store
from bench.cluster_simulation.counters import DatabaseCounter
from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data.files.question_files import write_jsonl
from hallascope.data.models.specs import ModelSpec, Price
from hallascope.data.records import Question, QuestionSet
from hallascope.data.requests import Generate, Generated
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.plan import plan
from hallascope.engine.sweep.runner import Sweep, SweepEnded, SweepEvent
from hallascope.engine.sweep.spec import Spec
from hallascope.engine.sweep.spec_reader import parse
from tests.support import postgres

QUESTIONS = 5
SIDE = 1024  # pixels
BASES = 4  # different images; each is kept with text of its own, so that no two files are equal
CHOICES = ("One", "Two", "Three", "Four", "None of the above")
WARM_UP = 10  # images
CAP = 1e6  # USD, which no scripted call reaches
SPEC = """
prompts: [questions: {questions}]
models: [bench/painter]
metrics: [{metrics}]
judge: {judge}
budget: {cap}
budget_day: {cap}
"""


@dataclass(frozen=True, kw_only=True)
class MeasuredSweep:
    """Says which sweep is measured.

    `judge` is "none", "local" (free, all questions of an image in one call) or "api" (paid, one
    call a question). `images` are made, one a prompt, with `calls` at once to each model. The store
    holds `stored` verdicts before.
    """

    database: str
    judge: str
    images: int
    calls: int = 8
    stored: int = 0
    side: int = SIDE


@dataclass(frozen=True, kw_only=True)
class SweepCosts:
    """Holds what one image of a measured sweep took, as means over its images.

    `driver_ms` is the CPU time of the thread that runs the sweep, `calls_ms` that of all other
    threads, and `server_ms` that of the database server, 0 for SQLite, which runs in these threads
    (all in milliseconds). Statements and transactions are counted by the same threads; `writes` and
    `account_writes` are transactions of all threads, `rows` are written ones. `database_kb` and
    `file_kb` are 1000 bytes that the database and the folder of images grew by. `peak_mb` is the
    peak memory of the whole process in 10^6 bytes.
    """

    database: str
    judge: str
    images: int
    calls: int
    stored: int
    side: int
    driver_ms: float
    calls_ms: float
    server_ms: float
    driver_statements: float
    driver_transactions: float
    calls_statements: float
    calls_transactions: float
    writes: float
    rows: float
    account_writes: float
    events: float
    database_kb: float
    file_kb: float
    files: float
    peak_mb: float


def measure(sweep: MeasuredSweep) -> SweepCosts:
    """Run a sweep in a process of its own and return what it took."""
    photographs(sweep.side)  # before the fork, so that they are made once
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, mp_context=context) as processes:
        return processes.submit(_measure_warm, sweep).result()


def _measure_warm(sweep: MeasuredSweep) -> SweepCosts:
    """Measure after a few images that do not count, so that nothing is imported or built on top."""
    measure_here(replace(sweep, database="sqlite", images=WARM_UP, stored=0, side=64))
    return measure_here(sweep)


def measure_here(sweep: MeasuredSweep) -> SweepCosts:
    """Run a sweep in this process and return what it took.

    Raises RuntimeError where something of it is missing.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if sweep.stored:
            big_store.fill(folder, sweep.stored)
        server = None
        if sweep.database == "postgresql":
            server = stack.enter_context(postgres.served())
        url = stack.enter_context(server.database()) if server else None
        store = Store(url, folder)
        stack.callback(store.close)
        with _server_seconds(store) as server_seconds:
            costs = _run(sweep, store, folder)
        per_image = 1000 / sweep.images
        return replace(costs, server_ms=sum(server_seconds) * per_image)


def _run(sweep: MeasuredSweep, store: Store, folder: Path) -> SweepCosts:
    services = Services(store, {}, {model.spec.id: model for model in _models(sweep)})
    policy = SpendingPolicy(run=CAP, day=CAP)
    planned = plan(_spec(sweep, folder), services, policy)
    counter = DatabaseCounter(store.database)
    size_before = _database_bytes(store)
    events = 0
    ended: SweepEvent | None = None
    process, thread = time.process_time(), time.thread_time()
    for event in Sweep(planned, services, policy).events():
        events += 1
        ended = event
    thread = time.thread_time() - thread
    process = time.process_time() - process
    _require_all(ended, sweep)
    files = [path for path in (folder / "images").rglob("*") if path.is_file()]
    n, own, others = sweep.images, counter.own, counter.others
    return SweepCosts(
        database=sweep.database,
        judge=sweep.judge,
        images=n,
        calls=sweep.calls,
        stored=sweep.stored,
        side=sweep.side,
        driver_ms=1000 * thread / n,
        calls_ms=1000 * (process - thread) / n,
        server_ms=0.0,
        driver_statements=own.statements / n,
        driver_transactions=own.transactions / n,
        calls_statements=others.statements / n,
        calls_transactions=others.transactions / n,
        writes=(own.writes + others.writes) / n,
        rows=(own.rows + others.rows) / n,
        account_writes=(own.account_writes + others.account_writes) / n,
        events=events / n,
        database_kb=(_database_bytes(store) - size_before) / n / 1000,
        file_kb=sum(path.stat().st_size for path in files) / n / 1000,
        files=len(files) / n,
        peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
    )


def _require_all(ended: SweepEvent | None, sweep: MeasuredSweep) -> None:
    judged = 0 if sweep.judge == "none" else sweep.images
    wanted = (sweep.images, sweep.images, sweep.images, judged, 0)
    if not isinstance(ended, SweepEnded) or tuple(ended.totals) != wanted:
        raise RuntimeError(
            f"the sweep over {sweep.images} images ended with {ended}: run `make test` and look."
        )


# --- the sweep


def _spec(sweep: MeasuredSweep, folder: Path) -> Spec:
    questions = folder / "questions.jsonl"
    write_jsonl([_question_set(number) for number in range(sweep.images)], questions)
    text = SPEC.format(
        questions=questions,
        metrics="" if sweep.judge == "none" else "ihalla",
        judge="none" if sweep.judge == "none" else f"bench/{sweep.judge}-judge",
        cap=CAP,
    )
    return parse(text, folder / "sweep.yaml")


def _question_set(number: int) -> QuestionSet:
    questions = tuple(
        Question(
            text=f"What is thing {at} of scene {number}?", choices=CHOICES, gold="A", coi="others"
        )
        for at in range(QUESTIONS)
    )
    return QuestionSet(prompt=f"scene {number} with {QUESTIONS} things", questions=questions)


def _models(sweep: MeasuredSweep) -> list[Scripted]:
    images = photographs(sweep.side)

    def draw(request: Generate) -> Generated:
        return Generated(images[crc32(request.prompt.encode()) % len(images)])

    painter = ModelSpec(
        id="bench/painter", title="A painter", roles=("generator",), backend="scripted"
    )
    local = ModelSpec(
        id="bench/local-judge", title="A local judge", roles=("judge",), backend="scripted"
    )
    api = ModelSpec(
        id="bench/api-judge",
        title="A paid judge",
        roles=("judge",),
        backend="scripted",
        kind="api",
        price=Price(date="2026-01-01", input=1.0, output=1.0, picture_tokens=1000),
    )
    return [
        Scripted(painter, draw, limits=CallLimits(1, sweep.calls)),
        Scripted(local, limits=CallLimits(40, sweep.calls)),
        Scripted(api, limits=CallLimits(1, sweep.calls)),
    ]


@cache
def photographs(side: int) -> tuple[bytes, ...]:
    """Return a few PNG files of smooth noise, about 1.2 bytes a pixel as photographs have."""
    files = []
    for seed in range(BASES):
        noise = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
        stream = io.BytesIO()
        Image.fromarray(noise).filter(ImageFilter.GaussianBlur(2)).save(stream, "PNG")
        files.append(stream.getvalue())
    return tuple(files)


# --- the database


def _database_bytes(store: Store) -> int:
    """Return how large the database is, without what its log still holds."""
    with store.database.engine.connect() as connection:
        if store.database.engine.dialect.name == "postgresql":
            query = "SELECT pg_database_size(current_database())"
            return int(connection.exec_driver_sql(query).scalar_one())
    with store.database.engine.connect() as connection:
        connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return sum(path.stat().st_size for path in store.folder.glob("*.db*"))


@contextmanager
def _server_seconds(store: Store) -> Iterator[list[float]]:
    """Give the CPU seconds that the server's processes for this store take in the block."""
    seconds: list[float] = []
    if store.database.engine.dialect.name != "postgresql":
        yield seconds
        return
    before = _backend_seconds(store)
    yield seconds
    for process, after in _backend_seconds(store).items():
        seconds.append(after - before.get(process, 0.0))


def _backend_seconds(store: Store) -> dict[int, float]:
    query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
    with store.database.engine.connect() as connection:
        processes = [int(row[0]) for row in connection.exec_driver_sql(query)]
    return {process: _cpu_seconds(process) for process in processes}


def _cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process, as Linux counts them (proc(5), utime and stime)."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")
