"""Connects to SQLite and PostgreSQL: one way to read and write, one sentence on failure."""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, TextClause, event, func, make_url, select, text
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    IntegrityError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import StaticPool
from sqlmodel import Session, SQLModel, create_engine

from hallascope.backends.keys import scrub
from hallascope.engine.access.limits import Quotas, check_texts
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import StoreError
from hallascope.engine.storage import migrations
from hallascope.engine.storage.tables import SCHEMA

_LOG = logging.getLogger(__name__)
T = TypeVar("T")
CHUNK = 500  # SQLite takes a limited number of values in one statement
_BUSY_SECONDS = 30  # to wait for another process that writes
_CONNECT_SECONDS = 10  # to wait for a connection to a server
# errors of values that cannot be stored, not of the database
_UNFIT = (DataError, IntegrityError, OverflowError, UnicodeError)
_DAMAGED = ("malformed", "not a database")  # in SQLite's messages about a file it cannot read
_LOCKED = "database is locked"  # SQLite's message where another program holds it for long
# the number of PostgreSQL's lock for turns; `hallascope.engine.storage.migrations` has the one
# before
_TURN_LOCK = 4_812_007_367


class Database:
    """Holds an open database with the newest tables.

    `url` is SQLite or PostgreSQL; None is SQLite in `folder`. `visitor` is who acts, None the
    operator, and `quotas` what visitors have used, None where nothing is counted.

    Every method raises StoreError with one sentence where the database or the disk does not do its
    part, and shows no password. Safe to use from several threads and several processes.
    """

    def __init__(self, url: str | None, folder: Path) -> None:
        self._folder = folder
        self._url = parse_url(url) if url else local_url(folder)
        self._place = f"at {self.display_address!r}" if url else f"in {str(folder)!r}"
        self._lock = threading.RLock()
        self.visitor: Visitor | None = None
        self.quotas: Quotas | None = None
        with self.guard("opened"):
            if not url:
                folder.mkdir(parents=True, exist_ok=True)
            self.engine = _create_engine(self._url)
        self._writer = self.engine.execution_options(writes=True)
        try:
            self._upgrade_tables()
        except StoreError:
            self.close()
            raise
        self._file = self._find_file()

    def __repr__(self) -> str:
        return f"Database({self.display_address!r})"

    @property
    def display_address(self) -> str:
        """Where the database is, for people: the URL without its password."""
        return display_address(self._url)

    def close(self) -> None:
        self.engine.dispose()

    def acting_for(self, visitor: Visitor | None) -> "Database":
        """Return the same database for a visitor of a public app; None is the operator."""
        acting = copy(self)
        acting.visitor = visitor
        return acting

    def count_stored(self, size: int) -> None:
        """Count so many bytes as stored for the visitor, if there is one."""
        if self.visitor and self.quotas:
            self.quotas.stored.add(self.visitor.network, size)

    def require_room(self, size: int) -> None:
        """Raise OverLimit where the visitor may not store so many bytes."""
        if self.visitor and self.quotas:
            self.quotas.stored.require_room(self.visitor.network, size)

    @contextmanager
    def guard(self, done: str) -> Iterator[None]:
        """Turn errors of database and disk into StoreError, which says what could not be `done`."""
        try:
            yield
        except (SQLAlchemyError, OSError, *_UNFIT) as error:
            raise StoreError(self._shown(self._describe_failure(done, error), done)) from error
        except ModuleNotFoundError as error:
            raise StoreError(
                f"The store at {self.display_address!r} needs {error.name}: run `pip install"
                " 'hallascope[postgresql]'`."
            ) from error

    @contextmanager
    def read_connection(self) -> Iterator[Connection]:
        """Read by statements alone, which is several times as fast as through a session."""
        with self.guard("read"), self._lock, self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write_connection(self) -> Iterator[Connection]:
        """Write by statements alone, all of it or nothing, as `write_transaction` does."""
        self._require_file()
        with self.guard("written"), self._lock, self._writer.begin() as connection:
            yield connection

    @contextmanager
    def read_transaction(self) -> Iterator[Session]:
        with (
            self.guard("read"),
            self._lock,
            Session(self.engine, expire_on_commit=False) as session,
        ):
            yield session

    def read(self, statement: Any, column: Any = None, values: Iterable[Any] = ()) -> list[Any]:
        """Return all rows of a statement, as they are at one moment.

        With a `column` those where it is one of the `values`, of which there may be any number.
        """
        with self.read_transaction() as session:
            if column is None:
                return list(session.exec(statement))
            return [
                row
                for chunk in chunked(values)
                for row in session.exec(statement.where(column.in_(chunk)))
            ]

    @contextmanager
    def write_transaction(self) -> Iterator[Session]:
        """Write all of it, or nothing.

        On SQLite nobody else writes between its first reading and its end.
        """
        self._require_file()
        with (
            self.guard("written"),
            self._lock,
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def take_turn(self, session: Session | Connection) -> None:
        """Let others who take a turn wait until the end of this write transaction.

        What they did before is seen from here on. On SQLite writing alone sees to it; PostgreSQL
        lets others write in the meantime.
        """
        if self.engine.dialect.name == "postgresql":
            session.execute(select(func.pg_advisory_xact_lock(_TURN_LOCK)))

    def upsert(self, session: Session, *rows: SQLModel, renew: Sequence[str] = ()) -> None:
        """Insert rows of one table.

        Where a primary key is there already, renew these columns and leave the rest.
        """
        if not rows:
            return
        values = [row.model_dump() for row in rows]
        self.write_rows(session.connection(), type(rows[0]), values, renew=renew)

    def write_rows(
        self,
        connection: Connection,
        table: type[SQLModel],
        rows: Sequence[dict[str, Any]],
        *,
        renew: Sequence[str] = (),
    ) -> None:
        """Insert rows with a value for every column, as `upsert` does."""
        if not rows:
            return
        values = [storable(row) for row in rows]
        check_texts(str(table.__tablename__), values)
        if self.visitor:
            self.count_stored(sum(map(_size, values)))
        # in one order everywhere, or two processes that write the same rows would wait for each
        # other for ever
        statement, keys = _upsert_statement(table, tuple(renew))
        values.sort(key=lambda row: [str(row[key]) for key in keys])
        connection.execute(statement, values)

    def _upgrade_tables(self) -> None:
        with self.guard("opened"):
            with self.engine.connect() as connection:
                version = migrations.version(connection)
            if version < SCHEMA:
                with self._writer.begin() as connection:
                    migrations.upgrade(connection)
                    version = migrations.version(connection)
        if version > SCHEMA:
            raise StoreError(
                f"The store {self._place} has version {version} and this program {SCHEMA}: use"
                " another database or folder (HALLASCOPE_HOME), or the program of that version."
            )
        if version < SCHEMA:
            raise StoreError(
                f"The store {self._place} has version {version}, which was never released: use a"
                " new database or folder (HALLASCOPE_HOME)."
            )

    def _find_file(self) -> tuple[int, int] | None:
        """Return the device and number of SQLite's file; None where the store is in no file."""
        if self._url.get_backend_name() != "sqlite":
            return None
        try:
            status = os.stat(self._url.database or "")
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _require_file(self) -> None:
        """Raise StoreError where SQLite's file is no longer the one that was opened.

        SQLite itself goes on writing into a file that was removed, and all of it is lost.
        """
        if self._file and self._file != self._find_file():
            failure = (
                f"The file of the store {self._place} was removed or replaced while it was in use:"
                " put it back, or start again; what is written to it now would be lost."
            )
            raise StoreError(self._shown(failure, "written")) from FileNotFoundError(
                self._url.database
            )

    def _shown(self, failure: str, done: str) -> str:
        """Return what is shown of a failure: on a public app the log alone says where it was."""
        if self.quotas is None:
            return failure
        _LOG.warning("%s", failure)
        return (
            f"The store could not be {done}: check what you sent, or tell whoever runs this app."
            " What was stored is kept."
        )

    def _describe_failure(self, done: str, error: Exception) -> str:
        """Return the sentence of an error: what could not be done, why, and the remedy."""
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        for password in passwords(self._url):
            reason = scrub(reason, password)
        place = f"in {str(self._folder)!r}" if isinstance(error, OSError) else self._place
        failure = f"The store {place} could not be {done} ({reason})"
        if isinstance(error, _UNFIT):
            remedy = "fix what was to be kept"
        elif any(words in reason for words in _DAMAGED):
            return (
                f"{failure}: the file is damaged: put a backup in its place, or move it away and"
                " begin with a new one."
            )
        elif _LOCKED in reason:
            remedy = "end the program that holds it and try again"
        elif isinstance(error, OSError) or self._url.get_backend_name() == "sqlite":
            remedy = "free some space or check its rights"
        else:
            remedy = "see that the server runs, has space, and lets you in"
        return f"{failure}: {remedy}; what was stored is kept."


@cache
def _upsert_statement(
    table: type[SQLModel], renew: tuple[str, ...]
) -> tuple[TextClause, tuple[str, ...]]:
    """Return the statement of `write_rows`, which takes long to build, and the primary key."""
    columns = table.__table__.columns  # type: ignore[attr-defined]
    keys = tuple(column.name for column in columns if column.primary_key)
    names = ", ".join(f'"{column.name}"' for column in columns)
    values = ", ".join(f":{column.name}" for column in columns)
    renewed = ", ".join(f'"{name}" = excluded."{name}"' for name in renew)
    on_conflict = f"DO UPDATE SET {renewed}" if renew else "DO NOTHING"
    named = ", ".join(f'"{key}"' for key in keys)
    return text(
        f'INSERT INTO "{table.__tablename__}" ({names}) VALUES ({values})'
        f" ON CONFLICT ({named}) {on_conflict}"
    ), keys


def storable(values: dict[str, Any]) -> dict[str, Any]:
    """Return a row's values without the character NUL.

    A model may write it, and PostgreSQL does not take it.
    """
    return {
        name: value.replace("\0", "\ufffd") if isinstance(value, str) else value
        for name, value in values.items()
    }


def _size(row: dict[str, Any]) -> int:
    """Return about how many bytes a row takes."""
    texts = (value for value in row.values() if isinstance(value, str | bytes))
    return 100 + sum(
        len(text.encode("utf-8", "replace") if isinstance(text, str) else text) for text in texts
    )


def chunked(values: Iterable[T]) -> Iterator[list[T]]:
    """Yield values in their order, as many at a time as one statement takes."""
    remaining = list(values)
    for start in range(0, len(remaining), CHUNK):
        yield remaining[start : start + CHUNK]


def _create_engine(url: URL) -> Engine:
    if url.get_backend_name() == "postgresql":
        options = {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_SECONDS}
        return create_engine(url, pool_pre_ping=True, connect_args=options)
    if url.database in (None, "", ":memory:"):
        # one connection, or every thread would see a database of its own
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    _enable_write_ahead_log(connection)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")
    # the driver would begin only where something is written: what was read before may be old by
    # then
    connection.isolation_level = None


def _enable_write_ahead_log(connection: Any) -> None:
    """Let others read while one writes.

    SQLite itself does not wait here, so two that open a new file at once would collide.
    """
    end = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _begin(connection: Connection) -> None:
    statement = "BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN"
    try:
        connection.connection.cursor().execute(statement)
    except sqlite3.Error as error:
        raise OperationalError(statement, None, error) from error


# --- addresses ---

FILE = "hallascope.db"
_DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}
_KEY_PASSWORD = "sslpassword"  # a second password, which libpq takes in the query
_UNREADABLE = (
    "The address of the store cannot be read: write it as"
    " 'postgresql://USER:PASSWORD@HOST:PORT/DATABASE', and @ : / in a password as %40 %3A %2F."
)


def local_url(folder: Path) -> URL:
    """Return the URL of SQLite in a folder, whatever characters its name has."""
    return URL.create("sqlite", database=str(folder / FILE))


def parse_url(text: str) -> URL:
    """Return the URL of an SQLite file or a PostgreSQL database.

    A password in the query is moved to its usual place. Raises StoreError, which repeats nothing of
    what may be a password.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(_UNREADABLE) from None
    kind = url.drivername.partition("+")[0]
    if kind not in _DRIVERS:
        raise StoreError(
            f"The store cannot be kept in {kind!r}: give an address that starts with 'sqlite:///'"
            " or 'postgresql://'."
        )
    if "@" in (url.host or ""):
        raise StoreError(_UNREADABLE)
    in_query = url.query.get("password")
    password = url.password or (in_query if isinstance(in_query, str) else None)
    return url.difference_update_query(["password"]).set(
        drivername=_DRIVERS[kind], password=password
    )


def display_address(url: URL) -> str:
    """Return the URL for people, with *** in place of a password."""
    return url.difference_update_query([_KEY_PASSWORD]).render_as_string(hide_password=True)


def passwords(url: URL) -> list[str]:
    """Return the passwords in a URL."""
    return [str(secret) for secret in (url.password, url.query.get(_KEY_PASSWORD)) if secret]
