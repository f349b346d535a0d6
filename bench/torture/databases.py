"""Checks what happens to a sweep whose database stops, goes away, or is not what it was."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy

from bench.support import postgres
from bench.torture import stores, sweeps
from bench.torture.rows import SEED, TortureRow, TortureSetup
from bench.torture.stores import DATABASE
from bench.torture.sweeps import REFUSED
from hallascope.engine.storage import address, database, migrations
from hallascope.engine.storage.tables import SCHEMA

OUTAGE = 3.0  # seconds for which the server is stopped
PASSWORD = "not-asked-for"  # in the URL of the tests' server
OLD_VERSION = 9
OLD_STORE = sweeps.ROOT / "tests" / "engine" / "storage" / "version_9.sql.gz"
OPENERS = 4  # processes that bring one store up at once
SHOWN = 160  # characters of a sentence
SHORT_WAIT = 0.2  # seconds for which a locked SQLite file is waited for in these checks


def check_postgres(setup: TortureSetup) -> Iterator[TortureRow]:
    """Stop PostgreSQL in the middle of a sweep of two processes: for a while, and for good."""
    if postgres.programs() is None:
        what = "PostgreSQL stopped in the middle of a sweep"
        yield TortureRow(what, postgres.MISSING, "equal", None)
        return
    with postgres.served() as server, server.database() as url:
        yield _stop_for_a_while(setup, server, url)
    with postgres.served() as server, server.database() as url:
        yield _stop_for_good(setup, server, url)


def _stop_for_a_while(setup: TortureSetup, server: postgres.Server, url: str) -> TortureRow:
    folder = setup.folder / "postgres"
    said = setup.folder / "postgres.txt"
    third = setup.images * sweeps.QUESTIONS // 3
    sweeps.open_store(folder, url)
    with sweeps.serve() as service:

        def start() -> int:
            return sweeps.start_sweep(
                folder, service.address, setup.images, said=said, url=url, patient=True
            )

        killed, lasting = start(), start()
        is_killed = sweeps.kill_later(killed, service, third, random.Random(SEED))
        again = start()
        is_running = sweeps.wait_for_calls(lasting, service, third)
        server.stop()
        time.sleep(OUTAGE)
        server.start()
        if is_running:
            sweeps.wait_for_end(lasting)
        sweeps.wait_for_end(again)
        stats = service.stats()
    is_same = sweeps.read_results(folder, url) == stores.undisturbed_results(setup)
    account = sweeps.read_account(folder, url)
    return TortureRow(
        f"PostgreSQL stopped for {OUTAGE:.0f} s under a sweep of two processes, one of them killed"
        " and begun again",
        f"{stores.equal(is_same)}; bill {stats.billed:.3f} USD, account"
        f" {account.certain:.3f} and up to {account.unconfirmed:.3f} more",
        "equal; certain <= bill <= certain + more",
        is_same and is_killed and is_running and account.fits(stats.billed),
    )


def _stop_for_good(setup: TortureSetup, server: postgres.Server, url: str) -> TortureRow:
    folder = setup.folder / "postgres-gone"
    said = setup.folder / "gone.txt"
    sweeps.open_store(folder, url)
    with sweeps.serve() as service:
        child = sweeps.start_sweep(folder, service.address, setup.images, said=said, url=url)
        is_running = sweeps.wait_for_calls(child, service, setup.images * sweeps.QUESTIONS // 2)
        server.stop()
        sweeps.wait_for_end(child, REFUSED)
        server.start()
        sweeps.wait_for_end(sweeps.start_sweep(folder, service.address, setup.images, url=url))
    sentence = said.read_text(encoding="utf-8")
    is_same = sweeps.read_results(folder, url) == stores.undisturbed_results(setup)
    is_told = is_sentence(sentence) and PASSWORD not in sentence
    return TortureRow(
        "PostgreSQL stopped for good, and there again for the same command",
        f"{_quote(sentence)}; then {stores.equal(is_same)}",
        "one sentence without the password, then equal",
        is_same and is_running and is_told,
    )


@dataclass(frozen=True)
class Damage:
    """Describes what is done to an SQLite file in the middle of a sweep, and how it is undone."""

    what: str
    do: Callable[[Path], object]
    undo: Callable[[Path], object] = lambda _: None


def check_sqlite(setup: TortureSetup) -> Iterator[TortureRow]:
    """Damage, remove or lock the SQLite file of a sweep that runs, then begin it again."""
    for number, damage in enumerate(DAMAGES):
        yield _check_damage(setup, damage, setup.folder / f"damage-{number}")


def _check_damage(setup: TortureSetup, damage: Damage, folder: Path) -> TortureRow:
    file = stores.make_store(folder) / DATABASE
    said = folder / "said.txt"
    with sweeps.serve() as service:
        child = sweeps.start_sweep(
            folder, service.address, setup.images, prepare=_wait_shortly, said=said
        )
        is_running = sweeps.wait_for_calls(child, service, setup.images * sweeps.QUESTIONS // 2)
        damage.do(file)
        code = sweeps.end_code(child)
        first = said.read_text(encoding="utf-8")
        again = sweeps.start_sweep(
            folder, service.address, setup.images, prepare=_wait_shortly, said=said
        )
        code_again = sweeps.end_code(again)
        second = said.read_text(encoding="utf-8")
        damage.undo(file)
        sweeps.wait_for_end(sweeps.start_sweep(folder, service.address, setup.images))
    is_same = sweeps.read_results(folder) == stores.undisturbed_results(setup)
    is_told = all(
        ended == sweeps.ENDED or (ended == REFUSED and is_sentence(sentence))
        for ended, sentence in ((code, first), (code_again, second))
    )
    sentence = stores.without_paths(first or second, setup)
    return TortureRow(
        damage.what,
        f"{_quote(sentence)}; then {stores.equal(is_same)}",
        "at most one sentence, then equal",
        is_running and is_told and is_same,
    )


def check_migration(setup: TortureSetup) -> Iterator[TortureRow]:
    """Let several processes bring a store of an older version up to date at once."""
    engine = sqlalchemy.create_engine(address.local_url(setup.folder))
    with engine.begin() as connection:
        migrations.upgrade(connection, OLD_VERSION)
    engine.dispose()
    with closing(sqlite3.connect(setup.folder / DATABASE)) as opened:
        opened.executescript(gzip.decompress(OLD_STORE.read_bytes()).decode())
    context = multiprocessing.get_context("spawn")
    openers = [
        context.Process(target=sweeps.open_store, args=(setup.folder,)) for _ in range(OPENERS)
    ]
    for process in openers:
        process.start()
    for process in openers:
        process.join()
    codes = [process.exitcode for process in openers]
    with closing(sqlite3.connect(setup.folder / DATABASE)) as opened:
        (version,) = opened.execute("select max(version) from schema").fetchone()
    yield TortureRow(
        f"a store of version {OLD_VERSION} opened by {OPENERS} processes at once",
        f"{codes.count(0)} of {OPENERS} opened it; version {version}",
        f"all; version {SCHEMA}",
        version == SCHEMA and codes == [0] * OPENERS,
    )


def is_sentence(text: str) -> bool:
    """Return whether a text is what a person is to be told, and no traceback."""
    return bool(text) and "Traceback" not in text and "\n" not in text.strip()


def _wait_shortly() -> None:
    """Let a process wait for a locked file only shortly, so that the check does not last long."""
    database._BUSY_SECONDS = SHORT_WAIT  # type: ignore[assignment]


def _quote(sentence: str) -> str:
    """Return the beginning of a sentence in quotation marks."""
    if not sentence:
        return "no complaint"
    end = "..." if len(sentence) > SHOWN else ""
    return f"“{sentence[:SHOWN]}{end}”"


# --- damages --------------------------------------------------------------------------------------


def _files(file: Path) -> list[Path]:
    """Return the database and the files that SQLite keeps beside it."""
    return list(file.parent.glob(f"{file.name}*"))


def _remove(file: Path) -> None:
    for path in _files(file):
        path.unlink(missing_ok=True)


def _overwrite(file: Path) -> None:
    file.write_bytes(random.Random(SEED).randbytes(file.stat().st_size))


def _truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _replace(file: Path) -> None:
    """Put a file of another program in the place of the database."""
    other = file.with_suffix(".other")
    other.write_bytes(b"no database at all\n" * 500)
    other.replace(file)


def _lock(file: Path) -> None:
    connection = sqlite3.connect(file, check_same_thread=False, isolation_level=None, timeout=60)
    connection.execute("BEGIN IMMEDIATE")
    _LOCKS[file] = connection


def _unlock(file: Path) -> None:
    _LOCKS.pop(file).close()


def _raise_version(file: Path) -> None:
    _change(file, f"insert into schema (version) values ({SCHEMA + 1})")


def _lower_version(file: Path) -> None:
    _change(file, f"delete from schema where version > {SCHEMA}")


def _change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file, timeout=60)) as connection, connection:
        connection.execute(statement)


_LOCKS: dict[Path, sqlite3.Connection] = {}
DAMAGES = (
    Damage("the SQLite file removed", _remove),
    Damage("the SQLite file overwritten with noise, then removed", _overwrite, _remove),
    Damage("the SQLite file cut to half, then removed", _truncate, _remove),
    Damage("another program's file in its place, then removed", _replace, _remove),
    Damage("the SQLite file locked by another program for long", _lock, _unlock),
    Damage("a store of a newer version", _raise_version, _lower_version),
)
