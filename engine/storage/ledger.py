"""Keeps account of what services were paid, and what is held back for calls in flight.

It is for all runs and processes.
"""

import math
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import func
from sqlmodel import Session, col, select

from hallascope.data.requests import Role
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.processes import is_dead, this_process
from hallascope.engine.storage.tables import ReservationRow, SpendingRow

# amounts are compared and held back as whole nano-USD: sums of floats leave residues
NANO = 1_000_000_000
_NAMES = ("day", "run", "model", "role")
_SUMS = ("amount", "calls", "input_tokens", "output_tokens", "pictures")
# Written out, since each call needs them all, and to build them takes longer than to run them.
_STANDS = sqlalchemy.text(
    "SELECT (SELECT coalesce(sum(amount), 0) FROM spending WHERE run = :run),"
    " (SELECT coalesce(sum(nano_usd), 0) FROM reservation WHERE run = :run),"
    " (SELECT coalesce(sum(amount), 0) FROM spending WHERE day = :day),"
    " (SELECT coalesce(sum(nano_usd), 0) FROM reservation WHERE day = :day)"
)
_HOLD = sqlalchemy.text(
    "INSERT INTO reservation (id, day, run, model, role, process, nano_usd, calls, input_tokens,"
    " output_tokens, pictures, expires) VALUES (:id, :day, :run, :model, :role, :process,"
    " :nano_usd, :calls, :input_tokens, :output_tokens, :pictures, :expires)"
)
_LET_GO = sqlalchemy.text("DELETE FROM reservation WHERE id = :id RETURNING day")
_SPEND = sqlalchemy.text(
    f"INSERT INTO spending ({', '.join((*_NAMES, *_SUMS))}) VALUES"
    f" ({', '.join(f':{name}' for name in (*_NAMES, *_SUMS))}) ON CONFLICT ({', '.join(_NAMES)}) DO"
    f" UPDATE SET {', '.join(f'{name} = spending.{name} + excluded.{name}' for name in _SUMS)}"
)


@dataclass(frozen=True, kw_only=True)
class Spending:
    """What some calls of one model took: `amount` in USD, tokens read and written, pictures made.

    Replies from the cache take nothing.

    `run` is "" for what belongs to no run. Raises ValueError for what is no amount or number: a
    day's sum would be wrong for ever.
    """

    run: str
    model: str
    role: Role
    amount: float
    calls: int = 1
    input_tokens: int = 0
    output_tokens: int = 0
    pictures: int = 0

    def __post_init__(self) -> None:
        wrong = next((name for name in _SUMS if not 0 <= getattr(self, name) < math.inf), None)
        if wrong:
            said = f"{self.model!r} cannot have taken {getattr(self, wrong)!r} of {wrong}"
            raise ValueError(
                f"{said}: give a number from 0 on; see its price in data/models/models.yaml."
            )


class ModelTotal(NamedTuple):
    """All that one model took, in USD, calls, tokens and pictures."""

    model: str
    amount: float
    calls: int
    input_tokens: int
    output_tokens: int
    pictures: int


class Account(NamedTuple):
    """Holds what counts against the caps of a run and a day, in nano-USD: spent or held back.

    It is held back for calls in flight.
    """

    run_spent: int
    run_held: int
    day_spent: int
    day_held: int


class LedgerReservation(NamedTuple):
    """Money held back under `id`, and the account as it stood before."""

    id: str
    account: Account


class Settlement(NamedTuple):
    """What the call really took for which money was held back under `reservation`.

    Nothing where it was not made.
    """

    reservation: str
    took: Sequence[Spending]


class Ledger:
    """What was spent and what is held back, in `database`, for all runs and processes.

    Raises StoreError as the store does.

    A call is paid from a reservation: made before it is sent, for the most that it may cost, and
    settled by what it took. What is never settled, because its process died or its time is over, is
    booked as spent in full. So the account may say more than a service charges, and never less.
    `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    # --- calls
    # ----------------------------------------------------------------------------------------------

    def reserve(
        self, most: Spending, caps: tuple[int, int], seconds: float
    ) -> LedgerReservation | Account:
        """Hold back the `most` that a call may take, if `caps` allow, else return the account.

        The caps are of a run and of a day, in nano-USD.

        `seconds`: how long until it counts as spent without having been settled.
        """
        amount = nano(most.amount)
        today = self._today()
        with self._turn() as session:
            account = _account(session, most.run, today)
            if not _fits(account, amount, caps) and self._book_lost(session):
                account = _account(session, most.run, today)
            if not _fits(account, amount, caps):
                return account
            name = uuid.uuid4().hex
            held = {
                "id": name,
                "day": today,
                "process": this_process(),
                "nano_usd": amount,
                "expires": self._clock() + seconds,
            }
            session.connection().execute(_HOLD, asdict(most) | held)
        return LedgerReservation(name, account)

    def settle(self, run: str, calls: Sequence[Settlement]) -> Account:
        """Book what calls really took in place of what was held, and return the run's account.

        Nothing is booked for one that was booked as lost meanwhile.
        """
        with self._turn() as session:
            rows: list[dict[str, Any]] = []
            for call in calls:
                day = session.connection().execute(_LET_GO, {"id": call.reservation}).scalar()
                if day is not None:
                    rows += _rows(call.took, day)
            self._add_rows(session, rows)
            return _account(session, run, self._today())

    def account(self, run: str) -> Account:
        """What stands against the caps of a run and of this day."""
        self._tidy()
        with self._database.reading() as session:
            return _account(session, run, self._today())

    # --- sums
    # ----------------------------------------------------------------------------------------------

    def add(self, entries: Sequence[Spending]) -> float:
        """Add to the account of this day (UTC), all of the entries or none.

        Gives what the day has cost then, in USD.
        """
        if not entries:
            return self.day()
        today = self._today()
        with self._turn() as session:
            self._add_rows(session, _rows(entries, today))
            return _amount(session, col(SpendingRow.day) == today)

    def day(self, date: str | None = None) -> float:
        """USD spent on a day (ISO, UTC; None: today) by all runs and processes."""
        self._tidy()
        with self._database.reading() as session:
            return _amount(session, col(SpendingRow.day) == (date or self._today()))

    def run(self, run: str) -> float:
        """USD spent by a run since it was first started."""
        self._tidy()
        with self._database.reading() as session:
            return _amount(session, col(SpendingRow.run) == run)

    def models(self, run: str | None = None) -> list[ModelTotal]:
        """What each model took, in one run or (None) in all, the dearest first."""
        self._tidy()
        model = col(SpendingRow.model)
        chosen: Any = sqlalchemy.select(
            model, *(func.sum(col(getattr(SpendingRow, name))) for name in _SUMS)
        ).group_by(model)
        if run is not None:
            chosen = chosen.where(col(SpendingRow.run) == run)
        with self._database.reading() as session:
            found = session.execute(chosen).all()
        totals = [
            ModelTotal(row[0], float(row[1]), *(int(number) for number in row[2:])) for row in found
        ]
        return sorted(totals, key=lambda total: (-total.amount, total.model))

    # --- rows
    # ----------------------------------------------------------------------------------------------

    @contextmanager
    def _turn(self) -> Iterator[Session]:
        """A transaction in which nobody else reserves or settles."""
        with self._database.writing() as session:
            self._database.take_turn(session)
            yield session

    @staticmethod
    def _add_rows(session: Session, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            session.connection().execute(_SPEND, rows)

    def _tidy(self) -> None:
        """Book what was lost, where there is any: it is only looked for without writing."""
        with self._database.reading() as session:
            lost = self._lost(session)
        if lost:
            with self._turn() as session:
                self._book_lost(session)

    def _lost(self, session: Session) -> list[ReservationRow]:
        """Reservations that nobody is going to settle."""
        now = self._clock()
        return [
            row
            for row in session.exec(select(ReservationRow)).all()
            if row.expires <= now or is_dead(row.process)
        ]

    def _book_lost(self, session: Session) -> bool:
        """Count as spent in full what nobody is going to settle; whether there was any."""
        lost = self._lost(session)
        for row in lost:
            session.connection().execute(_LET_GO, {"id": row.id})
            self._add_rows(session, [_spending_row(row)])
        return bool(lost)

    def _today(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).date().isoformat()


def _rows(entries: Sequence[Spending], day: str) -> list[dict[str, Any]]:
    """Return one row for each name, always in one order, so that processes never deadlock."""
    rows = [{"day": day, **asdict(entry)} for entry in entries]

    def name(row: dict[str, Any]) -> tuple[str, ...]:
        return tuple(row[part] for part in _NAMES)

    together = [list(same) for _, same in groupby(sorted(rows, key=name), key=name)]
    return [same[0] | {part: sum(row[part] for row in same) for part in _SUMS} for same in together]


def _spending_row(row: ReservationRow) -> dict[str, Any]:
    """A reservation as a row of what was spent."""
    values = row.model_dump(include={*_NAMES, *_SUMS})
    return values | {"amount": row.nano_usd / NANO}


def _fits(account: Account, amount: int, caps: tuple[int, int]) -> bool:
    """Whether one more call may be made, however much those in flight are going to cost."""
    run = account.run_spent + account.run_held
    day = account.day_spent + account.day_held
    return run + amount <= caps[0] and day + amount <= caps[1]


def _account(session: Session, run: str, day: str) -> Account:
    """The sums of a run and of a day, all of one moment."""
    run_spent, run_held, day_spent, day_held = (
        session.connection().execute(_STANDS, {"run": run, "day": day}).one()
    )
    return Account(nano(float(run_spent)), int(run_held), nano(float(day_spent)), int(day_held))


def nano(amount: float) -> int:
    """Return USD as whole nano-USD, rounded up but for the residue of adding floats."""
    return math.ceil(round(amount * NANO, 3))


def _amount(session: Session, which: Any) -> float:
    return float(
        session.exec(
            select(func.coalesce(func.sum(col(SpendingRow.amount)), 0.0)).where(which)
        ).one()
    )
