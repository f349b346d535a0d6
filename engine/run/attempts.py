"""Makes one call of a model: when it may go, and what it holds back of the budget.

It says what is told of it, and knows no plan.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hallascope.backends.base import Stopped, Transient
from hallascope.data.requests import Reply, Request
from hallascope.engine.models.concurrency import Permit
from hallascope.engine.models.roles import BoundModel, stated_wait
from hallascope.engine.money.budget import Budget, Reservation


@dataclass(eq=False, kw_only=True)
class ModelCall:
    """A batch on its way to a model.

    `began` is None while it waits between attempts, `seconds` sums them up.

    `abandoned`: nobody listens to it any more; its thread may go on for a while. `over`: it has its
    replies. `keys` are those of the requests whose replies are kept, and `claim` is what they are
    claimed under.
    """

    seat: BoundModel
    requests: Sequence[Request]
    keys: Sequence[str] = ()
    claim: str = ""
    began: float | None = None
    abandoned: bool = False
    over: bool = False
    seconds: float = 0.0
    hold: Reservation | None = None
    ticket: Permit | None = None

    def late(self, now: float) -> bool:
        """Whether the attempt in flight is past its deadline."""
        return (
            self.began is not None
            and self.seat.timeout is not None
            and now - self.began > self.seat.timeout
        )

    def abandon(self, purse: Budget | None) -> None:
        """Free the place of a call that nobody waits for; one in flight is likely to be charged."""
        self.abandoned = True
        if self.hold and purse:
            purse.release(self.hold, worked=True)
        if self.ticket:
            self.seat.pace.leave(self.ticket, went_well=False)


@dataclass(frozen=True)
class CallProgress:
    """A model tells how far it is."""

    call: ModelCall
    step: int
    steps: int


@dataclass(frozen=True)
class CallEnd:
    """A call is over, with a reply a request; with none where another run is asking the same."""

    call: ModelCall
    replies: Sequence[Reply]


@dataclass(eq=False)
class CallAttempts:
    """The attempts at one call, each with its place in the model's pace and its money held.

    It is a `hallascope.engine.models.roles.AttemptObserver`.
    """

    call: ModelCall
    clock: Callable[[], float]
    purse: Budget | None
    stopped: Callable[[], bool]
    tell: Callable[[CallProgress], None]

    def begin(self) -> None:
        call = self.call
        seat = self.call.seat
        call.ticket = seat.pace.enter(self._is_abandoned)
        try:
            if self.purse and seat.price:
                call.hold = self.purse.reserve(
                    model=seat.model,
                    price=seat.price,
                    requests=call.requests,
                    stopped=self._is_abandoned,
                    settings=seat.settings,
                    seconds=seat.timeout,
                )
        except BaseException:
            seat.pace.leave(call.ticket, went_well=False)
            raise
        call.began = self.clock()

    def on_replies(self, replies: Sequence[Reply]) -> None:
        if self.call.hold and self.purse:
            self.purse.settle(self.call.hold, replies)
        self._rest(went_well=True)

    def on_error(self, error: BaseException) -> None:
        if isinstance(error, Transient) and error.kind == "rate_limited" and self.call.ticket:
            self.call.seat.pace.too_many(self.call.ticket, stated_wait(error))
        if self.call.hold and self.purse:
            worked = isinstance(error, Stopped) or (
                isinstance(error, Transient) and error.may_be_charged
            )
            self.purse.release(
                self.call.hold, worked, error.usage if isinstance(error, Transient) else None
            )
        self._rest(went_well=False)

    def on_step(self, step: int, steps: int) -> None:
        """How far the model is; `steps` 0: nobody knows how far it is to go. Raises Stopped."""
        if self._is_abandoned():
            raise Stopped
        if steps:
            self.tell(CallProgress(self.call, step, steps))

    def _is_abandoned(self) -> bool:
        return self.call.abandoned or self.stopped()

    def _rest(self, went_well: bool) -> None:
        call = self.call
        began, call.began, call.hold = call.began, None, None
        call.seconds += self.clock() - began if began is not None else 0.0
        if call.ticket:
            call.seat.pace.leave(call.ticket, went_well)
