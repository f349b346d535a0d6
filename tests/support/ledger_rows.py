"""Books what no call took, and sums the account up by run and by model."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy
from sqlalchemy import func
from sqlmodel import col

from hallascope.engine.storage.ledger import (
    NANO,
    Ledger,
    LedgerReservation,
    Settlement,
    Spending,
)
from hallascope.engine.storage.tables import SpendingRow

_NO_CAPS = (10**18, 10**18)
_SUMS = ("amount", "calls", "input_tokens", "output_tokens", "pictures", "unconfirmed")


class ModelTotal(NamedTuple):
    """Holds all that one model took, in USD, calls, tokens and pictures, as in `Spending`."""

    model: str
    amount: float
    calls: int
    input_tokens: int
    output_tokens: int
    pictures: int
    unconfirmed: float = 0.0


def add_spending(ledger: Ledger, entries: Sequence[Spending]) -> None:
    """Add all of the entries to the account of this day, or none."""
    held = ledger.reserve(entries[0], _NO_CAPS, 60)
    assert isinstance(held, LedgerReservation)
    ledger.settle(entries[0].run, [Settlement(held.id, entries)])


def run_spent(ledger: Ledger, run: str) -> float:
    """Return the USD spent by a run since it was first started."""
    return ledger.account(run).run_spent / NANO


def model_totals(ledger: Ledger, run: str | None = None) -> list[ModelTotal]:
    """Return what each model took, in one run or (None) in all, the dearest first."""
    ledger.account("")  # books what was lost
    model = col(SpendingRow.model)
    sums = [func.sum(col(getattr(SpendingRow, name))) for name in _SUMS]
    query = sqlalchemy.select(model, *sums).group_by(model)
    if run is not None:
        query = query.where(col(SpendingRow.run) == run)
    with ledger._database.read_connection() as connection:
        rows = connection.execute(query).all()
    totals = [
        ModelTotal._make((name, float(amount), *map(int, counts), float(unconfirmed)))
        for name, amount, *counts, unconfirmed in rows
    ]
    return sorted(totals, key=lambda total: (-total.amount, total.model))
