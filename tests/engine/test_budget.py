"""Money: caps as they are given, what a request is likely to cost, and a purse that no call gets past."""

import threading
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backends.base import Stopped
from backends.keys import Keys
from data.models import Price
from data.records import Picture
from data.requests import Answer, Ask, Failure, Generate, Generated, Usage, Write
from engine import budget
from engine.budget import DAY_CAP, RUN_CAP, Estimate, Hold, Line, OverBudget, Purse, Terms, likely, money
from engine.errors import BadRequest

PRICE = Price("2026-01-01", input=1.0, output=10.0, picture_tokens=1000)
ASK = Ask((Picture("00", Path("a.png")),), "x" * 400, "?", ("Red", "Blue"))
CENT = Price("2026-01-01", picture=0.01)
DRAW = Generate("a cat", 0)


def never() -> bool:
    return False


def test_caps_are_those_given_else_of_the_environment_else_the_usual_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HALLASCOPE_BUDGET_RUN", "HALLASCOPE_BUDGET_DAY"):
        monkeypatch.delenv(name, raising=False)
    assert Terms().caps() == (RUN_CAP, DAY_CAP)
    monkeypatch.setenv("HALLASCOPE_BUDGET_RUN", "0.25")
    assert Terms().caps() == (0.25, DAY_CAP)
    assert Terms(run=3.0, day=0.0).caps() == (3.0, 0.0)


@pytest.mark.parametrize("said", ["much", "-1", "nan", "inf"])
def test_a_cap_that_is_no_amount_is_one_sentence(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("HALLASCOPE_BUDGET_DAY", said)
    with pytest.raises(BadRequest, match=f"a day may cost is '{said}': give an amount in USD"):
        Terms().caps()


def test_terms_never_show_a_key() -> None:
    assert "secret" not in repr(Terms(keys=Keys({"OPENAI_API_KEY": "secret-123"})))


def test_what_a_question_is_likely_to_take_is_its_text_its_pictures_and_one_letter() -> None:
    assert likely(ASK, PRICE) == Usage(1100, budget.LETTER_TOKENS)
    assert likely(Write("x" * 5), PRICE) == Usage(2, budget.TEXT_TOKENS)
    assert likely(DRAW, PRICE) == Usage(2, 1000, 1)


def test_an_estimate_sums_what_is_known_and_names_what_is_not() -> None:
    lines = (budget.line("a", [ASK, ASK], PRICE), budget.line("b", [ASK], None))
    found = Estimate(lines)
    assert lines[0] == Line("a", 2, 2200, 20, 0, pytest.approx(0.0024))
    assert (found.amount, found.calls, found.unpriced) == (pytest.approx(0.0024), 3, ("b",))


def test_small_amounts_are_not_rounded_away() -> None:
    assert (money(0), money(0.0042), money(12.3)) == ("0.00 USD", "0.0042 USD", "12.30 USD")


def purse(run: float = 1.0, day: float = 10.0, **spent: float) -> Purse:
    return Purse("r", (run, day), **spent)


def test_what_the_service_counted_is_booked_and_what_is_likely_where_it_does_not_count() -> None:
    mine = purse()
    counted = Answer("A", usage=Usage(1_000, 100))
    mine.settle(mine.take("m", PRICE, [ASK], never), [counted])
    assert mine.spent == pytest.approx(0.002)
    mine.settle(mine.take("m", PRICE, [ASK], never), [Answer("A")])
    assert mine.spent == pytest.approx(0.002 + PRICE.cost(likely(ASK, PRICE)))
    assert [(s.role, s.calls, s.input_tokens) for s in mine.unbooked()] == [("judge", 1, 1000), ("judge", 1, 1100)]
    assert mine.unbooked() == []


def test_a_picture_that_is_sold_by_tokens_is_never_free_where_the_service_counts_none() -> None:
    mine = purse()
    mine.settle(mine.take("m", PRICE, [DRAW], never), [Generated(b"", usage=Usage(pictures=1))])
    assert mine.spent == pytest.approx(PRICE.cost(likely(DRAW, PRICE)))


def test_a_failure_costs_what_the_service_counted_and_else_nothing() -> None:
    mine = purse()
    mine.settle(mine.take("m", PRICE, [ASK], never), [Failure("broken", "no")])
    assert (mine.spent, mine.calls) == (0, 0)
    mine.settle(mine.take("m", PRICE, [ASK], never), [Failure("refused", "no", usage=Usage(1_000_000))])
    assert (mine.spent, mine.calls) == (1.0, 1)


def test_a_call_that_was_given_up_is_booked_where_the_service_may_have_worked_and_only_once() -> None:
    mine = purse()
    hold = mine.take("m", CENT, [DRAW], never)
    mine.give_up(hold, worked=True)
    mine.settle(hold, [Failure("broken", "late", usage=Usage(pictures=5))])
    assert mine.spent == pytest.approx(0.01)
    mine.give_up(mine.take("m", CENT, [DRAW], never), worked=False)
    assert mine.spent == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("caps", "spent", "said"),
    [
        ({"run": 0.5}, {"spent": 0.5}, "The run has spent 0.50 USD of at most 0.50 USD: raise the cap of a run"),
        ({"day": 0.5}, {"today": 0.7}, "Today's runs have spent 0.70 USD of at most 0.50 USD: raise the cap of a day"),
        ({"run": 0.0}, {}, "The run has spent 0.00 USD of at most 0.00 USD"),
    ],
)
def test_an_empty_purse_says_which_cap_is_reached_and_how_to_go_on(caps: dict[str, float], spent: dict[str, float], said: str) -> None:
    with pytest.raises(OverBudget, match=said):
        purse(**caps, **spent).take("m", CENT, [DRAW], never)


def test_what_others_spent_today_counts() -> None:
    mine = purse(day=1.0)
    mine.others_spent(1.0)
    with pytest.raises(OverBudget, match="Today's runs"):
        mine.take("m", CENT, [DRAW], never)


def test_a_call_that_may_pass_the_cap_waits_for_those_in_flight_and_hears_the_stop() -> None:
    mine = purse(run=0.015)
    mine.take("m", CENT, [DRAW], never)
    looks = iter([False, False, True])
    with pytest.raises(Stopped):
        mine.take("m", CENT, [DRAW], lambda: next(looks))


@given(cap=st.integers(0, 20), costs=st.lists(st.integers(0, 5), max_size=30), workers=st.integers(1, 6))
def test_a_cap_is_passed_by_one_call_at_most_however_many_are_in_flight(cap: int, costs: list[int], workers: int) -> None:
    """Where the estimate is right: calls whose cost is held back in full."""
    mine, rest, lock = purse(run=cap), list(costs), threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if not rest:
                    return
                cost = rest.pop()
            price = Price("2026-01-01", picture=cost)
            try:
                hold = mine.take("m", price, [DRAW], never)
            except OverBudget:
                return
            mine.settle(hold, [Failure("broken", "", usage=Usage(pictures=1))])

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert mine.spent < cap + max(costs, default=0) or mine.spent == 0


def test_a_hold_is_open_until_it_is_settled() -> None:
    mine = purse()
    hold = mine.take("m", CENT, [DRAW], never)
    assert isinstance(hold, Hold)
    assert hold.open
    mine.give_up(hold, worked=False)
    assert not hold.open


# --- at the cap ----------------------------------------------------------------------------------------------------------

WATCH = 30.0  # seconds after which a wait is called one without end; all of it takes a fraction of one


def spend_at_the_cap(mine: Purse, amounts: list[float], workers: int) -> list[threading.Thread]:
    """Threads that take and settle these amounts until the purse is empty or all is settled; those that still wait when time is up."""
    rest, lock, over = list(amounts), threading.Lock(), threading.Event()

    def work() -> None:
        while True:
            with lock:
                if not rest:
                    return
                price = Price("2026-01-01", picture=rest.pop())
            try:
                hold = mine.take("m", price, [DRAW], over.is_set)
            except (OverBudget, Stopped):
                return
            time.sleep(0)  # the others take in the meantime
            mine.settle(hold, [Generated(b"", usage=Usage(pictures=1))])

    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WATCH)
    waiting = [thread for thread in threads if thread.is_alive()]
    over.set()
    return waiting


@settings(max_examples=40, deadline=None)
@given(
    amounts=st.lists(st.sampled_from([0.0003, 0.0007, 0.1, 0.0001, 1e-7, 0.03]), min_size=1, max_size=60),
    cap=st.floats(0.0001, 0.05),
    workers=st.integers(2, 16),
)
@example(amounts=[0.0003] * 400, cap=0.1, workers=16)
@example(amounts=[0.0003, 0.0007] * 200, cap=0.1, workers=16)
def test_no_thread_waits_for_ever_at_the_cap(amounts: list[float], cap: float, workers: int) -> None:
    assert spend_at_the_cap(purse(run=cap), amounts, workers) == []


def test_nothing_is_held_back_after_all_calls_are_settled_whatever_they_cost() -> None:
    """In floats 0.1 + 0.2 + 0.3 - 0.1 - 0.2 - 0.3 is not 0: the next call would wait for calls that are over."""
    mine = purse(run=0.65)
    holds = [mine.take("m", Price("2026-01-01", picture=amount), [DRAW], never) for amount in (0.1, 0.2, 0.3)]
    for hold in holds:
        mine.give_up(hold, worked=False)
    looks = iter([False] * 3)
    assert mine.take("m", Price("2026-01-01", picture=0.7), [DRAW], lambda: next(looks)).open
