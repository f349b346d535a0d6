"""Money: on what terms a run may spend it, what a request is likely to cost, and the purse no call gets past; it asks no model."""

import math
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from backends.base import HallaScopeError, Stopped
from backends.keys import Keys as Keys
from data.models import CURRENCY, Price
from data.requests import Ask, Describe, Detect, Embed, Failure, Generate, Match, ReadText, Reply, Request, Segment, Usage, Write
from engine.errors import BadRequest
from engine.pace import TICK
from engine.storage.ledger import Spending

RUN_CAP, DAY_CAP = 5.0, 20.0  # USD, where nobody says otherwise
NANO = 1_000_000_000  # amounts are compared and added as whole nano-USD: sums of floats leave residues
CHARACTERS_A_TOKEN = 4  # of English text, about
LETTER_TOKENS, TEXT_TOKENS = 10, 600  # what a reply is likely to take: one letter, or a text


class OverBudget(HallaScopeError):
    """A cap is reached; the message names it and says how to go on."""

    kind = "over_budget"


@dataclass(frozen=True)
class Terms:
    """What a person allows for a run; no part of the run itself, so that it can be raised and the run go on.

    `run` and `day` are caps in USD (None: HALLASCOPE_BUDGET_RUN and HALLASCOPE_BUDGET_DAY, else RUN_CAP and DAY_CAP).
    `unpriced`: models whose price nobody here knows may be asked. `visitor`: who asks on a public app, as `engine.visitors` tells them
    apart; "" where nobody is counted.
    """

    keys: Keys = field(default_factory=Keys)
    run: float | None = None
    day: float | None = None
    unpriced: bool = False
    visitor: str = ""

    def caps(self) -> tuple[float, float]:
        """The cap of a run and of a day, in USD. Raises BadRequest where one is no amount of money."""
        return (
            _amount(self.run, "HALLASCOPE_BUDGET_RUN", RUN_CAP, "a run"),
            _amount(self.day, "HALLASCOPE_BUDGET_DAY", DAY_CAP, "a day"),
        )


def _amount(given: float | None, name: str, otherwise: float, what: str) -> float:
    said: float | str = given if given is not None else os.environ.get(name, "").strip() or otherwise
    try:
        amount = float(said)
    except ValueError:
        amount = float("nan")
    if not 0 <= amount < float("inf"):
        raise BadRequest(f"The most that {what} may cost is {said!r}: give an amount in {CURRENCY} from 0, e.g. 5.00.")
    return amount


# --- what it is likely to cost ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """What one model is likely to be asked. `amount` in USD, None where its price is not known."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    pictures: int
    amount: float | None


@dataclass(frozen=True)
class Estimate:
    """What a request is likely to take of services that cost something; without lines it costs nothing."""

    lines: tuple[Line, ...] = ()
    currency: str = CURRENCY

    @property
    def amount(self) -> float:
        return sum(line.amount or 0.0 for line in self.lines)

    @property
    def calls(self) -> int:
        return sum(line.calls for line in self.lines)

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
            return Usage(seen + _tokens(request.text), LETTER_TOKENS if request.choices else TEXT_TOKENS)
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


def line(model: str, requests: Sequence[Request], price: Price | None) -> Line:
    """What these requests are likely to take of a model."""
    each = [likely(request, price or Price()) for request in requests]
    whole = Usage(sum(u.input_tokens for u in each), sum(u.output_tokens for u in each), sum(u.pictures for u in each))
    return Line(model, len(each), whole.input_tokens, whole.output_tokens, whole.pictures, None if price is None else price.cost(whole))


# --- the purse -------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Hold:
    """Money held back for a call in flight; settled once."""

    model: str
    price: Price
    requests: Sequence[Request]
    amount: int  # nano-USD
    open: bool = True


class Purse:
    """The money of one run. What is likely to be spent by the calls in flight is held back, so that a cap is passed by one call at most.

    `spent` and `today` are what the run, and all runs of the day, have cost already. Safe to use from many threads.
    """

    def __init__(self, run: str, caps: tuple[float, float], spent: float = 0.0, today: float = 0.0) -> None:
        self.run, (self.cap, self.day_cap) = run, caps
        self.calls = 0
        self._spent, self._today = nano(spent), nano(today)
        self._held = self._in_flight = 0
        self._unbooked: list[Spending] = []
        self._changed = threading.Condition()

    @property
    def spent(self) -> float:
        """USD that the run has cost."""
        return self._spent / NANO

    @property
    def today(self) -> float:
        """USD that all runs of the day have cost, as far as it is known here."""
        return self._today / NANO

    def take(self, model: str, price: Price, requests: Sequence[Request], stopped: Callable[[], bool]) -> Hold:
        """Hold back what a call is likely to cost; waits while the calls in flight may use up the rest.

        It waits only while a call is in flight, each of which is settled or given up. Raises OverBudget where a cap is reached,
        Stopped.
        """
        amount = sum(nano(price.cost(likely(request, price))) for request in requests)
        with self._changed:
            while True:
                if stopped():
                    raise Stopped
                self._refuse()
                left = min(nano(self.cap) - self._spent, nano(self.day_cap) - self._today)
                if not self._in_flight or self._held + amount <= left:
                    break
                self._changed.wait(TICK)
            self._held += amount
            self._in_flight += 1
        return Hold(model, price, requests, amount)

    def _refuse(self) -> None:
        if self._spent >= nano(self.cap):
            raise OverBudget(
                f"The run has spent {money(self.spent)} of at most {money(self.cap)}: raise the cap of a run and start it again to go on."
            )
        if self._today >= nano(self.day_cap):
            raise OverBudget(
                f"Today's runs have spent {money(self.today)} of at most {money(self.day_cap)}: raise the cap of a day and start the run "
                "again to go on, or wait until tomorrow (UTC)."
            )

    def settle(self, hold: Hold, replies: Sequence[Reply]) -> None:
        """Book what a call really took: as the service counted it, and as was likely where it does not count."""
        used = [_used(request, reply, hold.price) for request, reply in zip(hold.requests, replies, strict=True)]
        self._book(hold, [usage for usage in used if usage is not None])

    def give_up(self, hold: Hold, worked: bool) -> None:
        """A call ended without a reply; `worked`: the service may have done the work all the same, so it is booked."""
        self._book(hold, [likely(request, hold.price) for request in hold.requests] if worked else [])

    def _book(self, hold: Hold, used: Sequence[Usage]) -> None:
        with self._changed:
            if not hold.open:
                return
            hold.open = False
            self._held -= hold.amount
            self._in_flight -= 1
            for usage in used:
                cost = hold.price.cost(usage)
                self._spent += nano(cost)
                self._today += nano(cost)
                self.calls += 1
                role = hold.requests[0].role
                self._unbooked.append(
                    Spending(self.run, hold.model, role, cost, 1, usage.input_tokens, usage.output_tokens, usage.pictures)
                )
            self._changed.notify_all()

    def unbooked(self) -> list[Spending]:
        """What was spent since the last time this was asked, for the ledger."""
        with self._changed:
            taken, self._unbooked = self._unbooked, []
        return taken

    def others_spent(self, today: float) -> None:
        """The ledger knows of more money that went today than this run's: other runs, other processes."""
        with self._changed:
            self._today = max(self._today, nano(today))


def _used(request: Request, reply: Reply, price: Price) -> Usage | None:
    """What a reply took; None where a failure took nothing that is known of.

    A service that counts no tokens for a picture which it sells by tokens is taken to have used what is likely.
    """
    used = reply.usage
    if used is None:
        return None if isinstance(reply, Failure) else likely(request, price)
    counts = used.input_tokens or used.output_tokens or price.picture
    return used if counts or not used.pictures else likely(request, price)


def nano(amount: float) -> int:
    """An amount in USD as whole nano-USD, rounded up, but for what is a residue of adding floats."""
    return math.ceil(round(amount * NANO, 3))


def money(amount: float) -> str:
    """An amount as people read it: two decimals, more where it is small."""
    return f"{amount:.2f} {CURRENCY}" if amount >= 0.1 or not amount else f"{amount:.4f} {CURRENCY}"
