"""The ledger adds up what was spent by day, run, model and role, and rounds nothing."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hallascope.engine.errors import StoreError
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.ledger import (
    Account,
    Ledger,
    LedgerReservation,
    Settlement,
    Spending,
    nano,
)
from tests.support.clock import Clock
from tests.support.ledger_rows import ModelTotal, add_spending, model_totals, run_spent
from tests.support.threads import run_at_once

BEFORE_MIDNIGHT = datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC).timestamp()


@pytest.fixture
def clock() -> Clock:
    return Clock(BEFORE_MIDNIGHT)


@pytest.fixture
def ledger(database: Database, clock: Clock) -> Ledger:
    return Ledger(database, clock)


def test_what_is_added_adds_up_within_a_batch_and_after_it(ledger: Ledger) -> None:
    assert (ledger.day(), run_spent(ledger, "r"), model_totals(ledger)) == (0.0, 0.0, [])
    once = Spending(
        run="r",
        model="o/judge",
        role="judge",
        amount=0.25,
        calls=1,
        input_tokens=100,
        output_tokens=10,
    )
    add_spending(
        ledger,
        [
            once,
            once,
            Spending(run="r", model="o/judge", role="writer", amount=0.5),
            Spending(run="s", model="o/judge", role="judge", amount=1.0),
        ],
    )
    add_spending(ledger, [once])
    assert (run_spent(ledger, "r"), run_spent(ledger, "s"), ledger.day()) == (1.25, 1.0, 2.25)
    assert model_totals(ledger, "r") == [
        ModelTotal(
            model="o/judge", amount=1.25, calls=4, input_tokens=300, output_tokens=30, pictures=0
        )
    ]
    add_spending(
        ledger, [Spending(run="s", model=model, role="judge", amount=3.0) for model in "ba"]
    )
    assert [total.model for total in model_totals(ledger)] == ["a", "b", "o/judge"], (
        "the dearest first"
    )


def test_a_day_is_that_of_greenwich(ledger: Ledger, clock: Clock) -> None:
    add_spending(
        ledger, [Spending(run="r", model="o/painter", role="generator", amount=0.5, pictures=1)]
    )
    clock.now += 1
    assert ledger.day() == 0.0
    add_spending(
        ledger, [Spending(run="r", model="o/painter", role="generator", amount=0.25, pictures=1)]
    )
    assert (ledger.day(), run_spent(ledger, "r")) == (0.25, 0.75)
    clock.now -= 1
    assert ledger.day() == 0.5


def test_more_tokens_than_32_bits_hold_and_thousandths_of_a_cent_are_counted(
    ledger: Ledger,
) -> None:
    tiny = Spending(run="r", model="m", role="judge", amount=1.5e-7, input_tokens=2**31 - 1)
    add_spending(ledger, [tiny] * 3)
    for _ in range(20):
        add_spending(ledger, [tiny])
    assert model_totals(ledger)[0].input_tokens == 23 * (2**31 - 1)
    assert ledger.day() == pytest.approx(23 * 1.5e-7, rel=1e-12)


def test_a_sum_that_is_no_sum_of_money_is_refused(ledger: Ledger) -> None:
    for amount in (-0.01, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="amount"):
            Spending(run="r", model="m", role="judge", amount=amount)
    with pytest.raises(ValueError, match="input_tokens"):
        Spending(run="r", model="m", role="judge", amount=0.0, input_tokens=-1)


def test_a_batch_that_cannot_be_written_leaves_nothing(ledger: Ledger) -> None:
    with pytest.raises(StoreError, match="could not be written"):
        add_spending(
            ledger,
            [
                Spending(run="r", model="a", role="judge", amount=1.0),
                Spending(run="r", model="b", role="judge", amount=1.0, input_tokens=2**63),
            ],
        )
    assert ledger.day() == 0.0


MOST = Spending(
    run="r", model="m", role="judge", amount=0.25, calls=1, input_tokens=100, output_tokens=10
)


CAPS = (nano(1.0), nano(10.0))


def test_what_is_held_back_counts_against_the_cap_and_not_as_spent_until_it_is_settled(
    ledger: Ledger,
) -> None:
    held = [ledger.reserve(MOST, CAPS, 60) for _ in range(5)]
    assert [isinstance(each, LedgerReservation) for each in held] == [True] * 4 + [False]
    assert (run_spent(ledger, "r"), ledger.account("r")) == (0.0, Account(0, CAPS[0], 0, CAPS[0]))
    first = held[0]
    assert isinstance(first, LedgerReservation)
    half = replace(MOST, amount=0.125, input_tokens=50, output_tokens=5)
    account = ledger.settle("r", [Settlement(first.id, [half])])
    assert account == Account(nano(0.125), nano(0.75), nano(0.125), nano(0.75))
    assert model_totals(ledger) == [
        ModelTotal(model="m", amount=0.125, calls=1, input_tokens=50, output_tokens=5, pictures=0)
    ]
    # what a run holds back counts against the cap of the day of all
    other = replace(MOST, run="s", amount=0.5)
    of_all = [ledger.reserve(other, (nano(1.0), nano(day)), 60) for day in (1.3, 1.5)]
    assert [isinstance(each, LedgerReservation) for each in of_all] == [False, True]


def test_what_is_never_settled_is_spent_in_full_once_its_time_is_over(
    ledger: Ledger, clock: Clock
) -> None:
    clock.now -= 3600
    held = ledger.reserve(MOST, CAPS, 60)
    assert isinstance(held, LedgerReservation)
    clock.now += 61
    assert (run_spent(ledger, "r"), ledger.day()) == (0.25, 0.25)
    ledger.settle(
        "r", [Settlement(held.id, [Spending(run="r", model="m", role="judge", amount=0.125)])]
    )
    assert model_totals(ledger, "r") == [
        ModelTotal(
            model="m",
            amount=0.25,
            calls=1,
            input_tokens=100,
            output_tokens=10,
            pictures=0,
            unconfirmed=0.25,
        )
    ], "it is not booked twice"
    assert ledger.account("").day_unconfirmed == nano(0.25)
    assert ledger.account("r").run_unconfirmed == nano(0.25)


@pytest.mark.full
def test_what_a_dead_process_held_back_is_spent_in_full_at_once(
    database: Database, url: str, tmp_path: Path
) -> None:
    code = (
        "import sys; from pathlib import Path; from hallascope.engine.storage.database import"
        " Database;from hallascope.engine.storage.ledger import Ledger,"
        " Spending;Ledger(Database(sys.argv[1], Path(sys.argv[2]))).reserve(Spending(run='r',"
        " model='m', role='judge', amount=0.25), (10**9, 10**9), 3600)"
    )
    subprocess.run(
        [sys.executable, "-c", code, url, str(tmp_path)],
        check=True,
        cwd=Path(__file__).parents[3],
        timeout=120,
    )
    assert run_spent(Ledger(database), "r") == 0.25


def test_many_threads_that_reserve_at_once_never_pass_the_cap(ledger: Ledger) -> None:
    small = Spending(run="r", model="m", role="judge", amount=0.1)
    reserved = run_at_once(*[lambda: ledger.reserve(small, (nano(0.5), nano(1.0)), 60)] * 12)
    assert sum(isinstance(each, LedgerReservation) for each in reserved) == 5
