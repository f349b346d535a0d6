"""Tells a stray denial of one call from a service that does not serve a model any more."""

import threading
from collections.abc import Sequence
from dataclasses import replace

from hallascope.backends.base import Denied, OnStep, Transient
from hallascope.data.requests import Reply, Request
from hallascope.engine.models.roles import BoundModel

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
