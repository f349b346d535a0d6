"""Keeps account of what services were paid, by day, run, model and role, for all runs and processes; it decides nothing."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import func
from sqlmodel import Session, col, select

from data.requests import Role
from engine.storage.database import Database
from engine.storage.tables import SpendingRow

_NAMES = ("day", "run", "model", "role")
_SUMS = ("amount", "calls", "input_tokens", "output_tokens", "pictures")


@dataclass(frozen=True)
class Spending:
    """What some calls of one model took: `amount` in USD, tokens read and written, pictures made. Replies from the cache take nothing.

    `run` is "" for what belongs to no run. Raises ValueError for what is no amount or number: a day's sum would be wrong for ever.
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
            raise ValueError(f"{said}: give a number from 0 on; see its price in data/models.yaml.")


class Total(NamedTuple):
    """All that one model took, in USD, calls, tokens and pictures."""

    model: str
    amount: float
    calls: int
    input_tokens: int
    output_tokens: int
    pictures: int


class Ledger:
    """What was spent, in `database`. Raises StoreError as the store does. `clock` gives seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database, self._clock = database, clock

    def add(self, entries: Sequence[Spending]) -> float:
        """Add to the account of this day (UTC), all of the entries or none; gives what the day has cost then, in USD."""
        if not entries:
            return self.day()
        today = self._today()
        put = self._database.insert(SpendingRow)
        table = put.table.c
        kept = put.on_conflict_do_update(index_elements=_NAMES, set_={name: table[name] + put.excluded[name] for name in _SUMS})
        with self._database.writing() as session:
            session.execute(kept, _rows(entries, today))
            return _amount(session, col(SpendingRow.day) == today)

    def day(self, date: str | None = None) -> float:
        """USD spent on a day (ISO, UTC; None: today) by all runs and processes."""
        with self._database.reading() as session:
            return _amount(session, col(SpendingRow.day) == (date or self._today()))

    def run(self, run: str) -> float:
        """USD spent by a run since it was first started."""
        with self._database.reading() as session:
            return _amount(session, col(SpendingRow.run) == run)

    def models(self, run: str | None = None) -> list[Total]:
        """What each model took, in one run or (None) in all, the dearest first."""
        model = col(SpendingRow.model)
        chosen: Any = sqlalchemy.select(model, *(func.sum(col(getattr(SpendingRow, name))) for name in _SUMS)).group_by(model)
        if run is not None:
            chosen = chosen.where(col(SpendingRow.run) == run)
        with self._database.reading() as session:
            found = session.execute(chosen).all()
        totals = [Total(row[0], float(row[1]), *(int(number) for number in row[2:])) for row in found]
        return sorted(totals, key=lambda total: (-total.amount, total.model))

    def _today(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).date().isoformat()


def _rows(entries: Sequence[Spending], day: str) -> list[dict[str, Any]]:
    """One row for each name, in one order everywhere, so that two processes never wait for each other."""
    rows = [{"day": day, **asdict(entry)} for entry in entries]

    def name(row: dict[str, Any]) -> tuple[str, ...]:
        return tuple(row[part] for part in _NAMES)

    together = [list(same) for _, same in groupby(sorted(rows, key=name), key=name)]
    return [same[0] | {part: sum(row[part] for row in same) for part in _SUMS} for same in together]


def _amount(session: Session, which: Any) -> float:
    return float(session.exec(select(func.coalesce(func.sum(col(SpendingRow.amount)), 0.0)).where(which)).one())
