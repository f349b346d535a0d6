"""Money: caps as they are given, a budget that no call gets past, and what requests are likely to
take.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from hallascope.backends.base import CallLimits, OnStep, Stopped
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import Price
from hallascope.data.models.token_limits import most_usage
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Embed,
    Failure,
    Generate,
    Generated,
    Match,
    ReadText,
    Reply,
    Request,
    Segment,
    Usage,
    Write,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import (
    DAY_CAP,
    RUN_CAP,
    Budget,
    OverBudget,
    Reservation,
    SpendingPolicy,
)
from hallascope.engine.money.spending import (
    LETTER_TOKENS,
    TEXT_TOKENS,
    CostEstimate,
    CostLine,
    cost_line,
    likely_usage,
    money,
)
from hallascope.engine.run.estimate import require_money
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.ledger import Ledger, Spending
from hallascope.engine.storage.tables import ReservationRow, SpendingRow
from tests.support.driver_runs import plan_of, run_plans, texts
from tests.support.ledger_rows import add_spending, run_spent

PRICE = Price("2026-01-01", input=1.0, output=10.0, picture_tokens=1000)
PICTURE = Picture("00", Path("a.png"))
ASK = Ask(images=(PICTURE,), text="x" * 400, question="?", choices=("Red", "Blue"))
CENT = Price("2026-01-01", picture=0.01)
DRAW = Generate("a cat", 0)
WATCH = 20.0  # seconds after which a wait is called one without end; all takes a fraction of one


def settle(mine: Budget, hold: Reservation, reply: Reply) -> None:
    mine.settle(hold, [reply])
    mine.book()


class Never:
    """Says that nobody stops the run, until a test has taken so long that it waits in vain."""

    until = 0.0

    def __call__(self) -> bool:
        return monotonic() > self.until


never = Never()


@pytest.fixture(autouse=True)
def watch() -> None:
    never.until = monotonic() + WATCH


def test_caps_are_those_given_else_of_the_environment_else_the_usual_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HALLASCOPE_BUDGET_RUN", "HALLASCOPE_BUDGET_DAY"):
        monkeypatch.delenv(name, raising=False)
    assert SpendingPolicy().caps() == (RUN_CAP, DAY_CAP)
    monkeypatch.setenv("HALLASCOPE_BUDGET_RUN", "0.25")
    assert SpendingPolicy().caps() == (0.25, DAY_CAP)
    assert SpendingPolicy(run=3.0, day=0.0).caps() == (3.0, 0.0)


def test_a_cap_that_is_no_amount_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in ("much", "-1", "nan", "inf"):
        monkeypatch.setenv("HALLASCOPE_BUDGET_DAY", said)
        with pytest.raises(BadRequest, match=f"a day may cost is '{said}': give an amount in USD"):
            SpendingPolicy().caps()


def test_terms_never_show_a_key() -> None:
    assert "secret" not in repr(SpendingPolicy(keys=ApiKeys({"OPENAI_API_KEY": "secret-123"})))


def test_small_amounts_are_not_rounded_away() -> None:
    assert (money(0), money(0.0042), money(12.3)) == ("0.00 USD", "0.0042 USD", "12.30 USD")


Make = Callable[..., Budget]


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    """In memory, for all tests: to make its tables takes longer than a test."""
    opened = Database("sqlite://", Path())
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def ledger(database: Database) -> Ledger:
    return Ledger(database)


@pytest.fixture(scope="module")
def purse(database: Database, ledger: Ledger) -> Make:
    """Gives the purse of a run in an account with nothing in it but what the run has `spent`, and
    all runs `today`.
    """

    def make(run: float = 1.0, day: float = 10.0, spent: float = 0.0, today: float = 0.0) -> Budget:
        with database.write_transaction() as session:
            for table in (SpendingRow, ReservationRow):
                session.execute(delete(table))
        add_spending(
            ledger,
            [
                Spending(run="r", model="m", role="judge", amount=spent),
                Spending(run="another", model="m", role="judge", amount=max(0.0, today - spent)),
            ],
        )
        return Budget("r", (run, day), ledger)

    return make


MOST_ASKED, MOST_DRAWN = (PRICE.cost(most_usage(each, PRICE, {})) for each in (ASK, DRAW))


@pytest.mark.parametrize(
    "request_, reply, spent, unconfirmed",
    [
        (ASK, Answer("A", usage=Usage(1_000, 100)), 0.002, 0.0),
        (ASK, Answer("A"), MOST_ASKED, MOST_ASKED),
        # sold by tokens, of which the service counts none
        (DRAW, Generated(b"", usage=Usage(pictures=1)), MOST_DRAWN, MOST_DRAWN),
        (ASK, Failure("broken", "no"), 0.0, 0.0),
        (ASK, Failure("refused", "no", usage=Usage(1_000_000)), 1.0, 0.0),
    ],
)
def test_what_the_service_counted_is_booked_and_the_most_it_may_be_where_it_does_not_count(
    purse: Make, request_: Request, reply: Reply, spent: float, unconfirmed: float
) -> None:
    mine = purse()
    settle(mine, mine.reserve("m", PRICE, [request_], never), reply)
    assert mine.spent == pytest.approx(spent)
    assert mine.unconfirmed == pytest.approx(unconfirmed)
    assert mine.calls == (spent > 0)


def test_a_call_that_was_given_up_is_booked_where_the_service_may_have_worked_and_only_once(
    purse: Make,
) -> None:
    mine = purse()
    hold = mine.reserve("m", CENT, [DRAW], never)
    opened = hold.open
    mine.release(hold, worked=True)
    assert (opened, hold.open) == (True, False)
    mine.book()
    settle(mine, hold, Failure("broken", "late", usage=Usage(pictures=5)))
    assert mine.spent == mine.unconfirmed == pytest.approx(0.01)
    mine.release(mine.reserve("m", CENT, [DRAW], never), worked=False)
    mine.book()
    assert mine.spent == pytest.approx(0.01)


def test_an_empty_purse_says_which_cap_is_reached_and_how_to_go_on(purse: Make) -> None:
    for limits, said in (
        ({"run": 0.5, "spent": 0.5}, "The run has spent 0.50 USD of at most 0.50 USD: raise"),
        ({"day": 0.5, "today": 0.7}, "Today's runs have spent 0.70 USD of at most 0.50 USD: raise"),
        ({"run": 0.0}, "The run has spent 0.00 USD of at most 0.00 USD"),
        (
            {"run": 0.005},
            "at most 0.0050 USD.* one more call of m may cost up to 0.0100 USD: raise the budget",
        ),
    ):
        with pytest.raises(OverBudget, match=said):
            purse(**limits).reserve("m", CENT, [DRAW], never)


def test_a_cap_that_lost_calls_reach_says_what_is_certain_and_which_budget_leaves_them_out(
    purse: Make, ledger: Ledger
) -> None:
    for limits, who, cap, left_out in (
        ({"run": 0.5}, "The run has", "0.50 USD", "0.80 USD"),
        ({"day": 0.5, "run": 5.0}, "Today's runs have", "0.50 USD", "0.80 USD"),
    ):
        mine = purse(**limits, spent=0.195)
        lost = Spending(run="r", model="m", role="judge", amount=0.3, unconfirmed=0.3)
        add_spending(ledger, [lost])
        with pytest.raises(OverBudget) as caught:
            mine.reserve("m", CENT, [DRAW], never)
        assert str(caught.value).startswith(
            f"{who} spent 0.49 USD of at most {cap} (0.20 USD is certain, and up to 0.30 USD more"
            f" for calls that were cut off or not counted; a budget of {left_out} leaves these"
            " out), and one more call of m may cost up to 0.0100 USD: raise the budget of a "
        )
        assert (mine.unconfirmed, mine.unconfirmed_today) == (0.3, 0.3)
        raised = Budget("r", (0.8, 0.8), ledger)
        assert raised.reserve("m", CENT, [DRAW], never).open
    expected: Any = SimpleNamespace(amount=0.01)
    with pytest.raises(
        OverBudget, match=r"for a day \(0.20 USD is certain, and up to 0.30 USD more"
    ):
        require_money(expected, mine)


def test_what_belongs_to_no_run_has_an_account_of_its_own(purse: Make, ledger: Ledger) -> None:
    purse()
    first, second = Budget("", (0.01, 1.0), ledger), Budget("", (0.01, 1.0), ledger)
    for each in (first, second):
        settle(
            each, each.reserve("m", CENT, [DRAW], never), Generated(b"", usage=Usage(pictures=1))
        )
    assert (first.spent, second.spent, ledger.day()) == (0.01, 0.01, 0.02)


def test_a_call_that_may_pass_the_cap_waits_for_those_in_flight_and_hears_the_stop(
    purse: Make,
) -> None:
    mine = purse(run=0.015)
    mine.reserve("m", CENT, [DRAW], never)
    looks = iter([False, False, True])
    with pytest.raises(Stopped):
        mine.reserve("m", CENT, [DRAW], lambda: next(looks))


# --- at the cap
# --------------------------------------------------------------------------------------------------


def spend_at_the_cap(purses: list[Budget], amounts: list[float], workers: int) -> int:
    """Take and settle these amounts in threads until the purses are empty or all is settled.

    Return how many threads still wait when time is up.
    """
    rest, lock, over = list(amounts), threading.Lock(), threading.Event()

    def work(number: int) -> None:
        own = purses[number % len(purses)]
        while True:
            with lock:
                if not rest:
                    return
                price = Price("2026-01-01", picture=rest.pop())
            try:
                hold = own.reserve("m", price, [DRAW], over.is_set)
            except (OverBudget, Stopped):
                return
            settle(own, hold, Generated(b"", usage=Usage(pictures=1)))

    threads = [
        threading.Thread(target=work, args=(number,), daemon=True) for number in range(workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WATCH)
    waiting = sum(thread.is_alive() for thread in threads)
    over.set()
    return waiting


@settings(max_examples=30, deadline=None)
@given(
    amounts=st.lists(
        st.sampled_from([0.0003, 0.0007, 0.1, 0.0001, 1e-7, 0.03, 0.0]), min_size=1, max_size=60
    ),
    cap=st.floats(0.0001, 0.05),
    workers=st.integers(1, 16),
    purses=st.integers(1, 3),
)
@example(amounts=[0.0003] * 200, cap=0.05, workers=16, purses=1)
@example(amounts=[0.0003, 0.0007] * 100, cap=0.05, workers=16, purses=1)
@example(amounts=[5, 0, 1, 3] * 7, cap=20, workers=6, purses=3)
@example(amounts=[1, 0, 0], cap=0, workers=6, purses=3)
def test_a_cap_is_never_passed_and_no_thread_waits_for_ever_however_many_are_at_it(
    purse: Make, ledger: Ledger, amounts: list[float], cap: float, workers: int, purses: int
) -> None:
    """Every process has a purse of its own in the one account."""
    each = [purse(run=cap, day=100), *(Budget("r", (cap, 100), ledger) for _ in range(purses - 1))]
    assert spend_at_the_cap(each, amounts, workers) == 0
    assert run_spent(ledger, "r") <= cap + 1e-9


def test_the_replies_after_a_batch_that_failed_are_paid_one_by_one(purse: Make) -> None:
    def call(requests: Sequence[Request], on_step: OnStep) -> Sequence[Reply]:
        if len(requests) > 1:
            raise ValueError("The batch is too large.")
        return [Answer("A", usage=Usage(1_000, 100))]

    judge = BoundModel(
        model="m", revision="1", call=call, limits=CallLimits(batch=2, concurrency=1), price=PRICE
    )
    mine = purse()
    assert texts(run_plans(judge, {"p": plan_of("a", "b")}, budget=mine)["p"]) == ["A", "A"]
    mine.book()
    assert mine.spent == pytest.approx(0.004)


def test_calls_are_counted_when_they_are_booked_so_that_every_booking_is_told(purse: Make) -> None:
    """A thread may end a call between two bookings: were it counted then, the last state of the
    account would never be told.
    """
    mine = purse()
    first, second = (mine.reserve("a", CENT, [DRAW], never) for _ in range(2))
    mine.settle(first, [Generated(b"", usage=Usage(pictures=1))])
    mine.book()
    counted = mine.calls
    mine.settle(second, [Generated(b"", usage=Usage(pictures=1))])
    assert mine.calls == counted == 1
    mine.book()
    assert mine.calls == 2


BOXES = (Box(0, 0, 1, 1),)
LIKELY: list[tuple[Request, Usage]] = [
    (ASK, Usage(1100, LETTER_TOKENS)),
    (Write("x" * 5), Usage(2, TEXT_TOKENS)),
    (Generate("a cat", 0), Usage(2, 1000, 1)),
    (Describe(PICTURE, "x" * 8), Usage(1002, TEXT_TOKENS)),
    (Detect(PICTURE, ("cat", "a dog")), Usage(1003)),
    (Segment(PICTURE, BOXES, ("cat",)), Usage(1001)),
    (Match(PICTURE, "cats"), Usage(1001)),
    (ReadText(PICTURE), Usage(1000)),
    (Embed(image=PICTURE), Usage(1000)),
    (Embed(text="cats"), Usage(1)),
]


def test_a_request_is_likely_to_take_its_text_its_images_and_what_is_written() -> None:
    assert [likely_usage(request, PRICE) for request, _ in LIKELY] == [used for _, used in LIKELY]


def test_an_estimate_sums_what_is_known_and_names_what_is_not() -> None:
    lines = (cost_line("a", [ASK, ASK], PRICE), cost_line("b", [ASK], None))
    estimate = CostEstimate(lines)
    assert lines[0] == CostLine(
        model="a", calls=2, input_tokens=2200, output_tokens=20, pictures=0, amount=lines[0].amount
    )
    assert lines[0].amount == pytest.approx(0.0024)
    assert estimate.amount == pytest.approx(0.0024)
    assert (estimate.calls, estimate.unpriced) == (3, ("b",))


def test_an_estimate_names_the_model_of_which_one_call_may_cost_more_than_the_cap() -> None:
    estimate = CostEstimate((cost_line("a", [ASK], PRICE, {"max_tokens": 1000}),))
    most = PRICE.cost(most_usage(ASK, PRICE, {"max_tokens": 1000}))
    assert estimate.lines[0].most == most > estimate.amount
    assert estimate.first_over_cap(most) is None
    assert estimate.first_over_cap(most / 2) == estimate.lines[0]
