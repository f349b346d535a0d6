"""Makes one call of a model: when it may go, and what it holds back of the budget.

It tells a stray denial of one call from a service that does not serve a model any more.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hallascope.backends.base import Denied, OnStep, Stopped, Transient
from hallascope.data.requests import Reply, Request
from hallascope.engine.models.concurrency import Permit
from hallascope.engine.models.roles import BoundModel, stated_wait
from hallascope.engine.money.budget import Budget, Reservation


@dataclass(eq=False, kw_only=True)
class ModelCall:
    """Holds a batch on its way to a model.

    `began` is None while it waits between attempts, `seconds` sums them up.

    `abandoned`: nobody listens to it any more; its thread may go on for a while. `over`: it has its
    replies. `keys` are those of the requests whose replies are kept.
    """

    bound_model: BoundModel
    requests: Sequence[Request]
    keys: Sequence[str] = ()
    began: float | None = None
    abandoned: bool = False
    over: bool = False
    seconds: float = 0.0
    reservation: Reservation | None = None
    permit: Permit | None = None

    def is_late(self, now: float) -> bool:
        """Return whether the attempt in flight is past its deadline."""
        if self.began is None or self.bound_model.timeout is None:
            return False
        return now - self.began > self.bound_model.timeout

    def abandon(self, budget: Budget | None) -> None:
        """Free the place of a call that nobody waits for; one in flight is likely to be charged."""
        self.abandoned = True
        if self.reservation and budget:
            budget.release(self.reservation, worked=True)
        if self.permit:
            self.bound_model.limiter.release(self.permit, went_well=False)


@dataclass(frozen=True)
class CallProgress:
    """Tells how far a model is with a call."""

    call: ModelCall
    step: int
    steps: int


@dataclass(frozen=True)
class CallEnd:
    """Ends a call, with a reply a request; with none where another run is asking the same."""

    call: ModelCall
    replies: Sequence[Reply]


@dataclass(eq=False)
class CallAttempts:
    """Makes the attempts at one call, each with a permit of the model and its money reserved.

    It is a `hallascope.engine.models.roles.AttemptObserver`.
    """

    call: ModelCall
    clock: Callable[[], float]
    budget: Budget | None
    stopped: Callable[[], bool]
    tell: Callable[[CallProgress], None]

    @property
    def run(self) -> str:
        return self.budget.run if self.budget else ""

    def begin(self, requests: Sequence[Request]) -> None:
        call = self.call
        bound_model = call.bound_model
        call.permit = bound_model.limiter.acquire(self._is_abandoned)
        try:
            if self.budget and bound_model.price:
                call.reservation = self.budget.reserve(
                    model=bound_model.model,
                    price=bound_model.price,
                    requests=requests,
                    stopped=self._is_abandoned,
                    settings=bound_model.settings,
                    seconds=bound_model.timeout,
                )
        except BaseException:
            bound_model.limiter.release(call.permit, went_well=False)
            raise
        call.began = self.clock()

    def on_replies(self, replies: Sequence[Reply]) -> None:
        if self.call.reservation and self.budget:
            self.budget.settle(self.call.reservation, replies)
        self._pause(went_well=True)

    def on_error(self, error: BaseException) -> None:
        if isinstance(error, Transient) and error.kind == "rate_limited" and self.call.permit:
            self.call.bound_model.limiter.reject(self.call.permit, stated_wait(error))
        if self.call.reservation and self.budget:
            worked = isinstance(error, Stopped) or (
                isinstance(error, Transient) and error.may_be_charged
            )
            self.budget.release(
                self.call.reservation, worked, error.usage if isinstance(error, Transient) else None
            )
        self._pause(went_well=False)

    def on_step(self, step: int, steps: int) -> None:
        """Tell how far the model is; with `steps` 0 nobody knows where it ends. Raises Stopped."""
        if self._is_abandoned():
            raise Stopped
        if steps:
            self.tell(CallProgress(self.call, step, steps))

    def _is_abandoned(self) -> bool:
        return self.call.abandoned or self.stopped()

    def _pause(self, went_well: bool) -> None:
        call = self.call
        if call.began is not None:
            call.seconds += self.clock() - call.began
        call.began = None
        call.reservation = None
        if call.permit:
            call.bound_model.limiter.release(call.permit, went_well)


# denials of one call in a row, while no other call works, that are final
MAX_DENIALS = 3


class DenialHistory:
    """Counts the calls of one model that worked in a run, which say what a denial means.

    Before the first of them a denial is final: key, name or account is wrong. Later it is a fault
    of one call, which is tried again, until this call is denied `MAX_DENIALS` times in a row while
    no other call works. So a burst that denies all calls in flight at once is one denial of each.
    """

    def __init__(self) -> None:
        self._worked = 0
        self._lock = threading.Lock()

    def watch(self, model: BoundModel) -> BoundModel:
        """Return the model for the attempts at one call.

        Its call raises Denied for what is final, and Transient for a stray denial.
        """
        denials, worked_before = 0, 0

        def call(requests: Sequence[Request], on_step: OnStep) -> Sequence[Reply]:
            nonlocal denials, worked_before
            try:
                replies = model.call(requests, on_step)
            except Denied as error:
                worked = self._worked
                denials = denials + 1 if worked == worked_before else 1
                worked_before = worked
                if not worked:
                    raise
                if denials < MAX_DENIALS:
                    message = f"{model.model} was denied to a call while others worked"
                    raise Transient(f"{message}: run it again.") from error
                calls = f"After {worked} call{'s' * (worked > 1)} that worked"
                raise Denied(f"{calls}, {denials} in a row were denied: {error}") from error
            with self._lock:
                self._worked += 1
            return replies

        return replace(model, call=call)
