"""Keeps account of what services were paid, and what is held back for calls in flight.

The account is one for all runs and processes.
"""

import math
import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import Connection

from hallascope.data.requests import Role
from hallascope.engine.storage.database import Database

# amounts are compared and reserved as whole nano-USD, as sums of floats are not exact
NANO = 1_000_000_000
_KEY = ("day", "run", "model", "role")
_SUMS = ("amount", "calls", "input_tokens", "output_tokens", "pictures", "unconfirmed")
# Written out, since each call needs them all, and to build them takes longer than to run them.
_SELECT_ACCOUNT = sqlalchemy.text(
    "SELECT (SELECT coalesce(sum(amount), 0) FROM spending WHERE run = :run),"
    " (SELECT coalesce(sum(nano_usd), 0) FROM reservation WHERE run = :run),"
    " (SELECT coalesce(sum(amount), 0) FROM spending WHERE day = :day),"
    " (SELECT coalesce(sum(nano_usd), 0) FROM reservation WHERE day = :day),"
    " (SELECT coalesce(sum(unconfirmed), 0) FROM spending WHERE run = :run),"
    " (SELECT coalesce(sum(unconfirmed), 0) FROM spending WHERE day = :day)"
)
_INSERT_RESERVATION = sqlalchemy.text(
    "INSERT INTO reservation (id, day, run, model, role, process, nano_usd, calls, input_tokens,"
    " output_tokens, pictures, expires) VALUES (:id, :day, :run, :model, :role, :process,"
    " :nano_usd, :calls, :input_tokens, :output_tokens, :pictures, :expires)"
)
_SELECT_RESERVATIONS = sqlalchemy.text("SELECT * FROM reservation")
_DELETE_RESERVATION = sqlalchemy.text("DELETE FROM reservation WHERE id = :id RETURNING day")
_ADD_SPENDING = sqlalchemy.text(
    f"INSERT INTO spending ({', '.join((*_KEY, *_SUMS))}) VALUES"
    f" ({', '.join(f':{name}' for name in (*_KEY, *_SUMS))}) ON CONFLICT ({', '.join(_KEY)}) DO"
    f" UPDATE SET {', '.join(f'{name} = spending.{name} + excluded.{name}' for name in _SUMS)}"
)


@dataclass(frozen=True, kw_only=True)
class Spending:
    """Holds what some calls of one model took.

    That is the `amount` in USD, tokens read and written, and pictures made; replies from the cache
    take nothing. `run` is "" for what belongs to no run. `unconfirmed`: USD of the `amount` that no
    service has confirmed, so that the bill may be less by as much. Raises ValueError for what is no
    amount or number: a day's sum would be wrong for ever.
    """

    run: str
    model: str
    role: Role
    amount: float
    calls: int = 1
    input_tokens: int = 0
    output_tokens: int = 0
    pictures: int = 0
    unconfirmed: float = 0.0

    def __post_init__(self) -> None:
        for name in _SUMS:
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(
                    f"{self.model!r} cannot have taken {getattr(self, name)!r} of {name}: give a"
                    " number from 0 on; see its price in data/models/models.yaml."
                )


class Account(NamedTuple):
    """Holds what counts against the caps of a run and a day, in nano-USD.

    It is spent already, or held back for calls in flight. `run_unconfirmed`, `day_unconfirmed`:
    what of the spending no service has confirmed. It counts too: a call that a kill cut off may be
    on the bill, and so may the call that asks the same again.
    """

    run_spent: int
    run_held: int
    day_spent: int
    day_held: int
    run_unconfirmed: int = 0
    day_unconfirmed: int = 0


class LedgerReservation(NamedTuple):
    """Holds the `id` under which money is held back, and the account as it stood before."""

    id: str
    account: Account


class Settlement(NamedTuple):
    """Holds what the call of a reservation really took, nothing where it was not made."""

    reservation: str
    spending: Sequence[Spending]


class Ledger:
    """Keeps what was spent and what is held back in `database`, for all runs and processes.

    Raises StoreError as the store does.

    A call is paid from a reservation: made before it is sent, for the most that it may cost, and
    settled by what it took. What is never settled, because its process died or its time is over, is
    booked as spent in full, and as unconfirmed. So the account may say more than a service charges,
    by what is unconfirmed at most, and never less.
    `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    # --- calls ---

    def reserve(
        self, most: Spending, caps: tuple[int, int], seconds: float
    ) -> LedgerReservation | Account:
        """Hold back the `most` that a call may take, if `caps` allow, else return the account.

        The caps are of a run and of a day, in nano-USD.

        `seconds`: how long until it counts as spent without having been settled.
        """
        amount = nano(most.amount)
        today = self._today()
        with self._turn() as connection:
            account = _account(connection, most.run, today)
            if not _fits(account, amount, caps) and self._book_lost(connection):
                account = _account(connection, most.run, today)
            if not _fits(account, amount, caps):
                return account
            reservation = uuid.uuid4().hex
            row = {
                **vars(most),
                "id": reservation,
                "day": today,
                "process": this_process(),
                "nano_usd": amount,
                "expires": self._clock() + seconds,
            }
            connection.execute(_INSERT_RESERVATION, row)
        return LedgerReservation(reservation, account)

    def settle(self, run: str, calls: Sequence[Settlement]) -> Account:
        """Book what calls really took in place of what was held, and return the run's account.

        Nothing is booked for one that was booked as lost meanwhile.
        """
        with self._turn() as connection:
            rows: list[dict[str, Any]] = []
            for call in calls:
                reservation = {"id": call.reservation}
                day = connection.execute(_DELETE_RESERVATION, reservation).scalar()
                if day is not None:
                    rows += _spending_rows(call.spending, day)
            _add_rows(connection, rows)
            return _account(connection, run, self._today())

    def account(self, run: str) -> Account:
        """Return what counts against the caps of a run and of this day."""
        self._book_lost_reservations()
        with self._database.read_connection() as connection:
            return _account(connection, run, self._today())

    def day(self) -> float:
        """Return the USD spent on this day (UTC) by all runs and processes."""
        return self.account("").day_spent / NANO

    # --- rows ---

    @contextmanager
    def _turn(self) -> Iterator[Connection]:
        """Open a transaction in which nobody else reserves or settles."""
        with self._database.write_connection() as connection:
            self._database.take_turn(connection)
            yield connection

    def _book_lost_reservations(self) -> None:
        """Book what was lost, where there is any; looking for it writes nothing."""
        with self._database.read_connection() as connection:
            lost = self._lost_reservations(connection)
        if lost:
            with self._turn() as connection:
                self._book_lost(connection)

    def _lost_reservations(self, connection: Connection) -> list[Any]:
        """Return the reservations that nobody is going to settle."""
        now = self._clock()
        rows = connection.execute(_SELECT_RESERVATIONS).mappings().all()
        return [row for row in rows if row["expires"] <= now or is_dead(row["process"])]

    def _book_lost(self, connection: Connection) -> bool:
        """Count lost reservations as spent, unconfirmed, and return whether there were any."""
        lost = self._lost_reservations(connection)
        for row in lost:
            connection.execute(_DELETE_RESERVATION, {"id": row["id"]})
            amount = row["nano_usd"] / NANO
            _add_rows(connection, [{**row, "amount": amount, "unconfirmed": amount}])
        return bool(lost)

    def _today(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).date().isoformat()


def _spending_rows(entries: Sequence[Spending], day: str) -> list[dict[str, Any]]:
    """Return one row for each key, always in one order, so that processes never deadlock."""
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    for entry in entries:
        values = {"day": day, **vars(entry)}
        row = rows.setdefault(tuple(values[name] for name in _KEY), values)
        if row is not values:
            row |= {name: row[name] + values[name] for name in _SUMS}
    return [rows[key] for key in sorted(rows)]


def _add_rows(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        connection.execute(_ADD_SPENDING, rows)


def _fits(account: Account, amount: int, caps: tuple[int, int]) -> bool:
    """Return whether one more call may be made, whatever those in flight are going to cost."""
    run = account.run_spent + account.run_held
    day = account.day_spent + account.day_held
    return run + amount <= caps[0] and day + amount <= caps[1]


def _account(connection: Connection, run: str, day: str) -> Account:
    """Return the sums of a run and of a day, all of one moment."""
    run_spent, run_held, day_spent, day_held, *unconfirmed = connection.execute(
        _SELECT_ACCOUNT, {"run": run, "day": day}
    ).one()
    return Account(
        nano(float(run_spent)),
        int(run_held),
        nano(float(day_spent)),
        int(day_held),
        *(nano(float(amount)) for amount in unconfirmed),
    )


def nano(amount: float) -> int:
    """Return USD as whole nano-USD, rounded up but for the residue of adding floats."""
    return math.ceil(round(amount * NANO, 3))


# --- processes ---

_SEPARATOR = " "


def this_process() -> str:
    """Return the name of this process for a row: its machine, and its number there."""
    return f"{_machine()}{_SEPARATOR}{os.getpid()}"


def is_dead(process: str) -> bool:
    """Return whether a process has certainly ended, which is never known of another machine's."""
    if process == this_process():
        return False
    machine, _, number = process.rpartition(_SEPARATOR)
    if machine != _machine() or not number.isdigit() or os.name != "posix":
        return False
    try:
        os.kill(int(number), 0)  # sends nothing
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return _is_zombie(int(number))


@cache
def _machine() -> str:
    """Return the host and, on Linux, its present start and the namespace of process numbers.

    Two containers on one host count as two machines.
    """
    host = socket.gethostname()
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return "/".join([host, boot, os.readlink("/proc/self/ns/pid")])
    except OSError:
        return host


def _is_zombie(number: int) -> bool:
    """Return whether a process has ended and only its parent does not know yet."""
    try:
        stat = Path(f"/proc/{number}/stat").read_text("utf-8", "replace")
        return stat.rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False
