"""Manages money: the terms of spending, likely costs, and the budget no call exceeds.

It asks no model.
"""

import os
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from hallascope.backends.base import HallaScopeError, Stopped
from hallascope.backends.keys import ApiKeys as ApiKeys
from hallascope.data.models.specs import CURRENCY, Price
from hallascope.data.models.token_limits import most_usage
from hallascope.data.requests import (
    Ask,
    Describe,
    Detect,
    Embed,
    Failure,
    Generate,
    Match,
    ReadText,
    Reply,
    Request,
    Role,
    Segment,
    Setting,
    Usage,
    Write,
)
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.models.concurrency import TICK
from hallascope.engine.storage.ledger import (
    NANO,
    Account,
    Ledger,
    LedgerReservation,
    Settlement,
    Spending,
    nano,
)

NO_RUN_ACCOUNT = "no run "  # the start of the names of accounts for what belongs to no run
RUN_CAP, DAY_CAP = 5.0, 20.0  # USD, where nobody says otherwise
CHARACTERS_A_TOKEN = 4  # of English text, about
LETTER_TOKENS, TEXT_TOKENS = 10, 600  # what a reply is likely to take: one letter, or a text
LONGEST_CALL = 3600.0  # seconds after which a call counts as lost where its model has no time limit
LONGEST_LOOK = 1.0  # seconds between two looks at what others have settled


class OverBudget(HallaScopeError):
    """A cap is reached; the message names it and says how to go on."""

    kind = "over_budget"


@dataclass(frozen=True)
class SpendingPolicy:
    """What a person allows for a run.

    No part of the run itself, so that it can be raised and the run go on.

    `run` and `day` are caps in USD (None: HALLASCOPE_BUDGET_RUN and HALLASCOPE_BUDGET_DAY, else
    RUN_CAP and DAY_CAP). `unpriced`: models whose price nobody here knows may be asked. `visitor`:
    who asks on a public app, as `hallascope.engine.deployment.rate_limit` tells them apart; ""
    where nobody is counted.
    """

    keys: ApiKeys = field(default_factory=ApiKeys)
    run: float | None = None
    day: float | None = None
    unpriced: bool = False
    visitor: str = ""

    def caps(self) -> tuple[float, float]:
        """The cap of a run and of a day, in USD.

        Raises BadRequest where one is no amount of money.
        """
        return (
            _amount(self.run, "HALLASCOPE_BUDGET_RUN", RUN_CAP, "a run"),
            _amount(self.day, "HALLASCOPE_BUDGET_DAY", DAY_CAP, "a day"),
        )


def _amount(given: float | None, name: str, otherwise: float, what: str) -> float:
    said: float | str = (
        given if given is not None else os.environ.get(name, "").strip() or otherwise
    )
    try:
        amount = float(said)
    except ValueError:
        amount = float("nan")
    if not 0 <= amount < float("inf"):
        raise BadRequest(
            f"The most that {what} may cost is {said!r}: give an amount in {CURRENCY} from 0, e.g."
            " 5.00."
        )
    return amount


# --- what it is likely to cost
# ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class CostLine:
    """What one model is likely to be asked. `amount` in USD, None where its price is not known.

    `most`: USD that the dearest of its calls may cost at most, which is what is held back for it.
    """

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    pictures: int
    amount: float | None
    most: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class CostEstimate:
    """What a request is likely to take of services that cost something.

    Without lines it costs nothing.
    """

    lines: tuple[CostLine, ...] = ()
    currency: str = CURRENCY

    @property
    def amount(self) -> float:
        return sum(line.amount or 0.0 for line in self.lines)

    @property
    def calls(self) -> int:
        return sum(line.calls for line in self.lines)

    def first_over_cap(self, cap: float) -> CostLine | None:
        """Return the first model of which a single call may cost more than the cap."""
        return next((line for line in self.lines if line.most > cap), None)

    @property
    def unpriced(self) -> tuple[str, ...]:
        return tuple(line.model for line in self.lines if line.amount is None)


def likely(request: Request, price: Price) -> Usage:
    """What a request is likely to take, before it is sent."""
    match request:
        case Generate():
            return Usage(_tokens(request.prompt), price.picture_tokens, 1)
        case Ask():
            seen = len(request.images) * price.picture_tokens
            return Usage(
                seen + _tokens(request.text), LETTER_TOKENS if request.choices else TEXT_TOKENS
            )
        case Describe():
            return Usage(price.picture_tokens + _tokens(request.text), TEXT_TOKENS)
        case Write():
            return Usage(_tokens(request.text), TEXT_TOKENS)
        case Detect() | Segment():
            return Usage(price.picture_tokens + sum(map(_tokens, request.phrases)))
        case ReadText():
            return Usage(price.picture_tokens)
        case Match():
            return Usage(price.picture_tokens + _tokens(request.text))
        case Embed():
            return Usage(price.picture_tokens if request.text is None else _tokens(request.text))


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_A_TOKEN)


def line(
    model: str,
    requests: Sequence[Request],
    price: Price | None,
    settings: Mapping[str, Setting] | None = None,
) -> CostLine:
    """What these requests are likely to take of a model with these settings."""
    each = [likely(request, price or Price()) for request in requests]
    whole = Usage(
        sum(u.input_tokens for u in each),
        sum(u.output_tokens for u in each),
        sum(u.pictures for u in each),
    )
    amount = None
    most = 0.0
    if price is not None:
        amount = price.cost(whole)
        most = max(
            (price.cost(most_usage(request, price, settings or {})) for request in requests),
            default=0.0,
        )
    return CostLine(
        model=model,
        calls=len(each),
        input_tokens=whole.input_tokens,
        output_tokens=whole.output_tokens,
        pictures=whole.pictures,
        amount=amount,
        most=most,
    )


# --- the purse
# --------------------------------------------------------------------------------------------------


@dataclass(eq=False, kw_only=True)
class Reservation:
    """Money held back for a call in flight; settled once.

    `most`: the upper bound of each of its requests.
    """

    model: str
    price: Price
    requests: Sequence[Request]
    most: Sequence[Usage]
    reservation: str
    open: bool = True


class Budget:
    """The money of one run, in the account of the `ledger` that all processes share.

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
        self._over: list[
            Settlement
        ] = []  # calls whose end is not in the ledger yet: in full until then
        self._turn = (
            threading.Lock()
        )  # one thread at a time asks for money; the others wait behind it
        self._changed = threading.Condition()

    @property
    def spent(self) -> float:
        """USD that the run has cost, as far as it is known here."""
        return self._account.run_spent / NANO

    @property
    def spent_today(self) -> float:
        """USD that all runs of the day have cost, as far as it is known here."""
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

        Waits while the calls in flight of any process may leave enough for it.

        Each of those is settled, or lost after its time, so no wait is without end. `settings` are
        the model's, and `seconds` the time limit of the call. Raises OverBudget where what is spent
        leaves too little, Stopped, StoreError.
        """
        most = [most_usage(request, price, settings or {}) for request in requests]
        wanted = _spending(self._account_name, model, requests[0].role, price, most)
        caps = nano(self.cap), nano(self.day_cap)
        look = TICK
        with self._next_in_turn(stopped):
            while True:
                if stopped():
                    raise Stopped
                # twice the time limit: what is late is given up, and settled, by its run
                came = self._ledger.reserve(wanted, caps, 2 * (seconds or LONGEST_CALL))
                if isinstance(came, LedgerReservation):
                    self._know(came.account)
                    return Reservation(
                        model=model, price=price, requests=requests, most=most, reservation=came.id
                    )
                self._know(came)
                if self.book():
                    continue
                self._refuse(came, wanted)
                with self._changed:
                    self._changed.wait(look)
                look = min(2 * look, LONGEST_LOOK)

    @contextmanager
    def _next_in_turn(self, stopped: Callable[[], bool]) -> Iterator[None]:
        while not self._turn.acquire(timeout=TICK):
            if stopped():
                raise Stopped
        try:
            yield
        finally:
            self._turn.release()

    def _refuse(self, account: Account, wanted: Spending) -> None:
        """Raise OverBudget where a call exceeds a cap even if those in flight cost nothing."""
        amount = nano(wanted.amount)
        for spent, cap, whose, what, otherwise in (
            (account.run_spent, self.cap, "The run has", "a run", ""),
            (
                account.day_spent,
                self.day_cap,
                "Today's runs have",
                "a day",
                ", or wait until tomorrow (UTC)",
            ),
        ):
            if spent + amount > nano(cap):
                so_far = f"{whose} spent {money(spent / NANO)} of at most {money(cap)}"
                one = (
                    f", and one more call of {wanted.model} may cost up to {money(wanted.amount)}"
                    if spent < nano(cap)
                    else ""
                )
                raise OverBudget(
                    f"{so_far}{one}: raise the cap of {what} and start it again to go"
                    f" on{otherwise}."
                )

    def settle(self, hold: Reservation, replies: Sequence[Reply]) -> None:
        """Book what a call took as the service counted it, else the most that it may be."""
        used = [_reply_usage(*each) for each in zip(replies, hold.most, strict=True)]
        self._book(hold, [usage for usage in used if usage is not None])

    def release(self, hold: Reservation, worked: bool, used: Usage | None = None) -> None:
        """A call ended without a reply.

        `worked`: the service may have done the work all the same, so it is booked.

        `used`: what the service counted; None: the most that it may be.
        """
        if not worked:
            booked = []
        elif used:
            booked = [used]
        else:
            booked = list(hold.most)
        self._book(hold, booked)

    def _book(self, hold: Reservation, used: Sequence[Usage]) -> None:
        with self._changed:
            if not hold.open:
                return
            hold.open = False
            took = [
                _spending(
                    self._account_name, hold.model, hold.requests[0].role, hold.price, [usage]
                )
                for usage in used
            ]
            self._over.append(Settlement(hold.reservation, took))
            self._changed.notify_all()

    def book(self) -> bool:
        """Write into the ledger what the calls that are over took, all in one go.

        Whether there was any.
        """
        with self._changed:
            over = self._over
            self._over = []
        if not over:
            return False
        with suppress(
            StoreError
            # what was held back stays in the account in full; whoever keeps the replies tells the
            # error
        ):
            self._know(self._ledger.settle(self._account_name, over))
        with self._changed:
            self.calls += sum(len(call.took) for call in over)
        return True

    def _know(self, account: Account) -> None:
        """Keep the later of two states of the account, which threads may bring in another order."""
        with self._changed:
            if account.run_spent >= self._account.run_spent:
                self._account = account


def _spending(run: str, model: str, role: Role, price: Price, usage: Sequence[Usage]) -> Spending:
    """What some requests took, or may take, as an entry of the account."""
    return Spending(
        run=run,
        model=model,
        role=role,
        amount=sum(price.cost(each) for each in usage),
        calls=len(usage),
        input_tokens=sum(each.input_tokens for each in usage),
        output_tokens=sum(each.output_tokens for each in usage),
        pictures=sum(each.pictures for each in usage),
    )


def _reply_usage(reply: Reply, most: Usage) -> Usage | None:
    """What a reply took; None where a failure took nothing that is known of.

    A reply that came without a count, or with one of pictures alone where they are sold by tokens,
    is taken to have used the most.
    """
    used = reply.usage
    if used is None:
        return None if isinstance(reply, Failure) and reply.kind != "empty" else most
    counted = used.input_tokens or used.output_tokens
    by_tokens = most.output_tokens if used.pictures else 0
    return used if counted or not by_tokens else most


def money(amount: float) -> str:
    """An amount as people read it: two decimals, more where it is small."""
    return f"{amount:.2f} {CURRENCY}" if amount >= 0.1 or not amount else f"{amount:.4f} {CURRENCY}"
