"""The ledger adds up what was spent by day, run, model and role, and rounds nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.errors import StoreError
from engine.storage.database import Database
from engine.storage.ledger import Ledger, Spending, Total

BEFORE_MIDNIGHT = datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC).timestamp()


class Clock:
    """A clock that is put forward by hand."""

    now = BEFORE_MIDNIGHT

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(url: str, tmp_path: Path, clock: Clock) -> Iterator[Ledger]:
    database = Database(url, tmp_path)
    yield Ledger(database, clock)
    database.close()


def test_nothing_spent_is_zero(ledger: Ledger) -> None:
    ledger.add([])
    assert (ledger.day(), ledger.run("r"), ledger.models()) == (0.0, 0.0, [])


def test_what_is_added_adds_up_within_a_batch_and_after_it(ledger: Ledger) -> None:
    once = Spending("r", "o/judge", "judge", 0.25, 1, 100, 10)
    ledger.add([once, once, Spending("r", "o/judge", "writer", 0.5), Spending("s", "o/judge", "judge", 1.0)])
    ledger.add([once])
    assert (ledger.run("r"), ledger.run("s"), ledger.day()) == (1.25, 1.0, 2.25)
    assert ledger.models("r") == [Total("o/judge", 1.25, 4, 300, 30, 0)]


def test_a_day_is_that_of_greenwich(ledger: Ledger, clock: Clock) -> None:
    ledger.add([Spending("r", "o/painter", "generator", 0.5, pictures=1)])
    clock.now += 1
    assert (ledger.day(), ledger.day("2026-03-01")) == (0.0, 0.5)
    ledger.add([Spending("r", "o/painter", "generator", 0.25, pictures=1)])
    assert (ledger.day(), ledger.day("2026-03-01"), ledger.run("r")) == (0.25, 0.5, 0.75)


def test_models_are_listed_the_dearest_first(ledger: Ledger) -> None:
    ledger.add([Spending("r", name, "judge", amount) for name, amount in (("b", 1.0), ("a", 1.0), ("c", 2.0))])
    ledger.add([Spending("s", "a", "generator", 0.5, 2, pictures=2)])
    assert [total.model for total in ledger.models()] == ["c", "a", "b"]
    assert ledger.models("s") == [Total("a", 0.5, 2, 0, 0, 2)]


def test_more_tokens_than_32_bits_hold_are_counted(ledger: Ledger) -> None:
    ledger.add([Spending("r", "m", "judge", 1.0, input_tokens=2**31 - 1)] * 3)
    ledger.add([Spending("r", "m", "judge", 1.0, input_tokens=2**31 - 1)])
    assert ledger.models()[0].input_tokens == 4 * (2**31 - 1)


def test_thousandths_of_a_cent_are_not_rounded_away(ledger: Ledger) -> None:
    for _ in range(100):
        ledger.add([Spending("r", "m", "judge", 1.5e-7)])
    assert ledger.day() == pytest.approx(1.5e-5, rel=1e-12)


def test_a_sum_that_is_no_sum_of_money_is_refused(ledger: Ledger) -> None:
    for amount in (-0.01, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="amount"):
            Spending("r", "m", "judge", amount)
    with pytest.raises(ValueError, match="input_tokens"):
        Spending("r", "m", "judge", 0.0, input_tokens=-1)


def test_a_batch_that_cannot_be_written_leaves_nothing(ledger: Ledger) -> None:
    with pytest.raises(StoreError, match="could not be written"):
        ledger.add([Spending("r", "a", "judge", 1.0), Spending("r", "b", "judge", 1.0, input_tokens=2**63)])
    assert ledger.day() == 0.0
