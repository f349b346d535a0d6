"""Manages money: what a person allows for a run, and the budget that no call exceeds."""

import os
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from hallascope.backends.base import HallaScopeError, Stopped
from hallascope.backends.keys import ApiKeys as ApiKeys
from hallascope.data.models.specs import CURRENCY, Price
from hallascope.data.models.token_limits import most_usage
from hallascope.data.requests import Reply, Request, Setting, Usage
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.models.concurrency import TICK
from hallascope.engine.money.spending import (
    counted_usage,
    may_be_charged,
    money,
    spending_of,
    unconfirmed_note,
)
from hallascope.engine.storage.ledger import (
    NANO,
    Account,
    Ledger,
    LedgerReservation,
    Settlement,
    Spending,
    nano,
)

# accounts for what belongs to no run have names that start with this
NO_RUN_ACCOUNT = "no run "
# default caps in USD
RUN_CAP = 5.0
DAY_CAP = 20.0
# seconds after which a call to a model without a time limit counts as lost
LONGEST_CALL = 3600.0
# longest interval in seconds between checks of what other processes have settled
LONGEST_LOOK = 1.0


class OverBudget(HallaScopeError):
    """A cap is reached; the message names it and says how to go on."""

    kind = "over_budget"


@dataclass(frozen=True)
class SpendingPolicy:
    """Holds what a person allows for a run.

    It is no part of the run itself, so that it can be raised and the run go on.

    `run` and `day` are caps in USD (None: HALLASCOPE_BUDGET_RUN and HALLASCOPE_BUDGET_DAY, else
    RUN_CAP and DAY_CAP). `unpriced`: models whose price nobody here knows may be asked. `visitor`:
    who asks on a public app, whose the run is; None is the operator.
    """

    keys: ApiKeys = field(default_factory=ApiKeys)
    run: float | None = None
    day: float | None = None
    unpriced: bool = False
    visitor: Visitor | None = None

    def caps(self) -> tuple[float, float]:
        """Return the cap of a run and of a day, in USD.

        Raises BadRequest where one is no amount of money.
        """
        run = os.environ.get("HALLASCOPE_BUDGET_RUN", "").strip() or RUN_CAP
        day = os.environ.get("HALLASCOPE_BUDGET_DAY", "").strip() or DAY_CAP
        return (
            _amount(run if self.run is None else self.run, "a run"),
            _amount(day if self.day is None else self.day, "a day"),
        )


def _amount(value: float | str, what: str) -> float:
    try:
        amount = float(value)
    except ValueError:
        amount = float("nan")
    if not 0 <= amount < float("inf"):
        raise BadRequest(
            f"The most that {what} may cost is {value!r}: give an amount in {CURRENCY} from 0, e.g."
            " 5.00."
        )
    return amount


@dataclass(eq=False, kw_only=True)
class Reservation:
    """Holds back money for a call in flight; it is settled once.

    `most`: the upper bound of each of its requests.
    """

    model: str
    price: Price
    requests: Sequence[Request]
    most: Sequence[Usage]
    reservation: str
    open: bool = True


class Budget:
    """Spends the money of one run, in the account of the `ledger` that all processes share.

    Before a call is sent, the most that it may cost is held back, so that the calls in flight never
    pass a cap together. What a run that has no id spends (`run` "") has an account of its own. Safe
    to use from many threads.
    """

    def __init__(self, run: str, caps: tuple[float, float], ledger: Ledger) -> None:
        self.run = run
        self.cap, self.day_cap = caps
        self.calls = 0  # those whose end is in the ledger
        self._account_name = run or f"{NO_RUN_ACCOUNT}{uuid.uuid4().hex}"
        self._ledger = ledger
        self._account = ledger.account(self._account_name)
        # calls that have ended and are not in the ledger yet, where they count in full until then
        self._ended: list[Settlement] = []
        self._turn = threading.Lock()  # only one thread at a time asks the ledger for money
        self._changed = threading.Condition()

    @property
    def spent(self) -> float:
        """Return the USD that the run has cost, as far as it is known here."""
        return self._account.run_spent / NANO

    @property
    def unconfirmed(self) -> float:
        """Return the USD of `spent` that no service has confirmed.

        That is what calls took at most that were cut off, or whose replies did not count it.
        """
        return self._account.run_unconfirmed / NANO

    @property
    def unconfirmed_today(self) -> float:
        """Return the USD of `spent_today` that no service has confirmed."""
        return self._account.day_unconfirmed / NANO

    @property
    def spent_today(self) -> float:
        """Return the USD that all runs of the day have cost, as far as it is known here."""
        return self._account.day_spent / NANO

    def reserve(
        self,
        model: str,
        price: Price,
        requests: Sequence[Request],
        stopped: Callable[[], bool],
        settings: Mapping[str, Setting] | None = None,
        *,
        seconds: float | None = None,
    ) -> Reservation:
        """Hold back the most that a call may cost.

        Wait while the calls in flight of any process may leave enough for it. Each of those is
        settled, or lost after its time, so no wait is without end.

        `settings` are the model's, and `seconds` the time limit of the call. Raises OverBudget
        where what is spent leaves too little, Stopped, StoreError.
        """
        most = [most_usage(request, price, settings or {}) for request in requests]
        spending = spending_of(self._account_name, model, requests[0].role, price, most)
        # twice the time limit: what is late is given up, and settled, by its run
        reservation = self._reserve(spending, 2 * (seconds or LONGEST_CALL), stopped)
        return Reservation(
            model=model, price=price, requests=requests, most=most, reservation=reservation
        )

    def _reserve(self, spending: Spending, seconds: float, stopped: Callable[[], bool]) -> str:
        """Return the id of the ledger's reservation; raises as `reserve` does."""
        caps = nano(self.cap), nano(self.day_cap)
        wait = TICK
        with self._next_in_turn(stopped):
            while True:
                if stopped():
                    raise Stopped
                answer = self._ledger.reserve(spending, caps, seconds)
                if isinstance(answer, LedgerReservation):
                    self._update_account(answer.account)
                    return answer.id
                self._update_account(answer)
                if self.book():
                    continue
                self._check_caps(answer, spending)
                with self._changed:
                    self._changed.wait(wait)
                wait = min(2 * wait, LONGEST_LOOK)

    @contextmanager
    def _next_in_turn(self, stopped: Callable[[], bool]) -> Iterator[None]:
        while not self._turn.acquire(timeout=TICK):
            if stopped():
                raise Stopped
        try:
            yield
        finally:
            self._turn.release()

    def _check_caps(self, account: Account, spending: Spending) -> None:
        """Raise OverBudget where a call exceeds a cap even if those in flight cost nothing."""
        run = account.run_spent, account.run_unconfirmed, self.cap
        if shortage := _shortage(*run, spending):
            raise OverBudget(
                f"The run has {shortage}: raise the budget of a run and start it again to go on."
            )
        day = account.day_spent, account.day_unconfirmed, self.day_cap
        if shortage := _shortage(*day, spending):
            raise OverBudget(
                f"Today's runs have {shortage}: raise the budget of a day and start it again to go"
                " on, or wait until tomorrow (UTC)."
            )

    def settle(self, reservation: Reservation, replies: Sequence[Reply]) -> None:
        """Book what a call took as the service counted it, else the most that it may be."""
        confirmed: list[Usage] = []
        unconfirmed: list[Usage] = []
        for reply, most in zip(replies, reservation.most, strict=True):
            if used := counted_usage(reply, most):
                confirmed.append(used)
            elif may_be_charged(reply):
                unconfirmed.append(most)
        self._close(reservation, confirmed, unconfirmed)

    def release(self, reservation: Reservation, worked: bool, used: Usage | None = None) -> None:
        """Close the reservation of a call that ended without a reply.

        `worked`: the service may have done the work all the same, so it is booked. `used`: what the
        service counted; None: the most that it may be.
        """
        if not worked:
            self._close(reservation)
        elif used:
            self._close(reservation, confirmed=[used])
        else:
            self._close(reservation, unconfirmed=reservation.most)

    def _close(
        self,
        reservation: Reservation,
        confirmed: Sequence[Usage] = (),
        unconfirmed: Sequence[Usage] = (),
    ) -> None:
        with self._changed:
            if not reservation.open:
                return
            reservation.open = False
            role = reservation.requests[0].role
            spent = [
                spending_of(self._account_name, reservation.model, role, reservation.price, [usage])
                for usage in (*confirmed, *unconfirmed)
            ]
            lost = [replace(each, unconfirmed=each.amount) for each in spent[len(confirmed) :]]
            spent = spent[: len(confirmed)] + lost
            self._ended.append(Settlement(reservation.reservation, spent))
            self._changed.notify_all()

    def book(self) -> bool:
        """Write into the ledger what the calls that have ended took, all in one go.

        Return whether there were any.
        """
        with self._changed:
            ended = self._ended
            self._ended = []
        if not ended:
            return False
        # without the store, what was held back stays in the account in full; whoever stores the
        # replies reports the error
        with suppress(StoreError):
            self._update_account(self._ledger.settle(self._account_name, ended))
        with self._changed:
            self.calls += sum(len(call.spending) for call in ended)
        return True

    def _update_account(self, account: Account) -> None:
        """Keep the later of two states of the account, which threads may bring in another order."""
        with self._changed:
            if account.run_spent >= self._account.run_spent:
                self._account = account


def _shortage(spent: int, unconfirmed: int, cap: float, spending: Spending) -> str:
    """Return what is spent of a cap in USD, and what one more call may cost; "" where it fits.

    `spent` and `unconfirmed`, its part that no service has confirmed, are in 1e-9 USD.
    """
    if spent + nano(spending.amount) <= nano(cap):
        return ""
    message = f"spent {money(spent / NANO)} of at most {money(cap)}"
    message += unconfirmed_note(spent / NANO, unconfirmed / NANO, cap)
    if spent >= nano(cap):
        return message
    return (
        f"{message}, and one more call of {spending.model} may cost up to {money(spending.amount)}"
    )
