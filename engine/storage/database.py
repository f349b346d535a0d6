"""Connects to SQLite and PostgreSQL: one way to read and write, one sentence on failure.

It knows no table's meaning.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, event, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import StaticPool
from sqlmodel import Session, SQLModel, create_engine

from hallascope.backends.keys import scrub
from hallascope.engine.errors import StoreError
from hallascope.engine.storage import address, migrations
from hallascope.engine.storage.tables import SCHEMA

_WAIT = 30  # seconds for another process that writes
_UNFIT = (
    DataError,
    IntegrityError,
    OverflowError,
    UnicodeError,
)  # what was to be kept is wrong, not the place
# the number of PostgreSQL's lock for turns; `hallascope.engine.storage.migrations` has the one
# before
_TURN = 4_812_007_367
_DAMAGED = ("malformed", "not a database")  # what SQLite says of a file that it can make nothing of
_CONNECT = 10  # seconds for a server to let us in


class Database:
    """An open database with the newest tables.

    `url` is SQLite or PostgreSQL; None is SQLite in `folder`.

    Every method raises StoreError with one sentence where the database or the disk does not do its
    part, and shows no password. Safe to use from several threads and several processes.
    """

    def __init__(self, url: str | None, folder: Path) -> None:
        self._folder = folder
        self._url = address.read(url) if url else address.local(folder)
        self._place = f"at {self.display_address!r}" if url else f"in {str(folder)!r}"
        self._lock = threading.RLock()
        with self.guard("opened"):
            if not url:
                folder.mkdir(parents=True, exist_ok=True)
            self.engine = _engine(self._url)
        self._writer = self.engine.execution_options(writes=True)
        try:
            self._bring_up()
        except StoreError:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"Database({self.display_address!r})"

    @property
    def display_address(self) -> str:
        """Where it is, for people: the URL without its password."""
        return address.display_address(self._url)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def guard(self, done: str) -> Iterator[None]:
        """Turn what database and disk raise into StoreError with what could not be done."""
        try:
            yield
        except (SQLAlchemyError, OSError, *_UNFIT) as error:
            raise StoreError(self._sentence(done, error)) from error
        except ModuleNotFoundError as error:
            raise StoreError(
                f"The store at {self.display_address!r} needs {error.name}: run `pip install"
                " 'hallascope[postgresql]'`."
            ) from error

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with (
            self.guard("read"),
            self._lock,
            Session(self.engine, expire_on_commit=False) as session,
        ):
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: all of it, or nothing.

        On SQLite nobody else writes between its first reading and its end.
        """
        with (
            self.guard("written"),
            self._lock,
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def take_turn(self, session: Session) -> None:
        """Let others who take a turn wait until the end of this transaction, within `writing`.

        What they did before is seen from here on.

        On SQLite writing alone sees to it; PostgreSQL lets others write in the meantime.
        """
        if self.engine.dialect.name == "postgresql":
            session.execute(select(func.pg_advisory_xact_lock(_TURN)))

    def upsert(self, session: Session, *rows: SQLModel, renew: Sequence[str] = ()) -> None:
        """Insert rows of one table.

        Where a primary key is there already, renew these columns and leave the rest.
        """
        if not rows:
            return
        put = self.insert(type(rows[0]))
        keys = [column.name for column in put.table.primary_key]
        if renew:
            put = put.on_conflict_do_update(
                index_elements=keys, set_={name: put.excluded[name] for name in renew}
            )
        else:
            put = put.on_conflict_do_nothing(index_elements=keys)
        values = [storable(row.model_dump()) for row in rows]
        # in one order everywhere, or two processes that put the same rows wait for each other for
        # ever
        session.execute(put, sorted(values, key=lambda row: [str(row[key]) for key in keys]))

    def insert(self, table: type[SQLModel]) -> Any:
        """An insert that knows what to do on a conflict; SQL has no one form of it."""
        dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        return dialect.insert(table.__table__)  # type: ignore[attr-defined]

    def _bring_up(self) -> None:
        with self.guard("opened"):
            with self.engine.connect() as connection:
                found = migrations.version(connection)
            if found < SCHEMA:
                with self._writer.begin() as connection:
                    migrations.upgrade(connection)
                    found = migrations.version(connection)
        if found > SCHEMA:
            said = f"The store {self._place} has version {found} and this program {SCHEMA}"
            raise StoreError(
                f"{said}: use another database or folder (HALLASCOPE_HOME), or the program of that"
                " version."
            )

    def _sentence(self, done: str, error: Exception) -> str:
        said = " ".join(str(getattr(error, "orig", None) or error).split())
        for secret in address.secrets(self._url):
            said = scrub(said, secret)
        if isinstance(error, _UNFIT):
            remedy = "mend what was to be kept"
        elif any(word in said for word in _DAMAGED):
            remedy = (
                "the file is damaged: put a backup in its place, or move it away and begin with a"
                " new one"
            )
            return f"The store {self._place} could not be {done} ({said}): {remedy}."
        elif isinstance(error, OSError) or self._url.get_backend_name() == "sqlite":
            remedy = "free some space or check its rights"
        else:
            remedy = "see that the server runs, has space, and lets you in"
        place = f"in {str(self._folder)!r}" if isinstance(error, OSError) else self._place
        return f"The store {place} could not be {done} ({said}): {remedy}; what was stored is kept."


def storable(values: dict[str, Any]) -> dict[str, Any]:
    """A row's values without the sign NUL, which a model may write and PostgreSQL does not take."""
    return {
        name: value.replace("\0", "\ufffd") if isinstance(value, str) else value
        for name, value in values.items()
    }


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "postgresql":
        patience = {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT}
        return create_engine(url, pool_pre_ping=True, connect_args=patience)
    if url.database in (
        None,
        "",
        ":memory:",
    ):  # one connection, or every thread would see a database of its own
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        engine = create_engine(url, connect_args={"timeout": _WAIT})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _: object) -> None:
    _write_ahead(connection)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    # the driver would begin only where something is written: what was read before may be old by
    # then
    connection.isolation_level = None


def _write_ahead(connection: Any) -> None:
    """Let others read while one writes.

    SQLite itself does not wait here, so two that open a new file at once would collide.
    """
    end = time.monotonic() + _WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(
        "BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN"
    )
