"""Measures how long the calls of models take, for the forecast of the next sweep."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from hallascope.backends.base import OnStep
from hallascope.data.requests import Reply, Request
from hallascope.engine.models.roles import BoundModel, MemberRequest


class Stopwatch:
    """Sums up requests and seconds by model and role.

    The first call of a model is left out, as the model is loaded then.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._called: set[str] = set()
        self._sums: dict[tuple[str, str], tuple[int, float]] = {}

    def measure(self, model: BoundModel) -> BoundModel:
        """Return the same model with its calls measured, or those of its members."""

        def call(requests: Sequence[Request], on_step: OnStep) -> Sequence[Reply]:
            start = self._clock()
            replies = model.call(requests, on_step)
            self._add(model.model, requests, self._clock() - start)
            return replies

        if model.delegation is None:
            return replace(model, call=call)
        split = model.delegation.split

        def measured_split(request: Request) -> list[MemberRequest]:
            return [MemberRequest(self.measure(own.model), own.request) for own in split(request)]

        return replace(model, delegation=replace(model.delegation, split=measured_split))

    def _add(self, model: str, requests: Sequence[Request], seconds: float) -> None:
        key = (model, requests[0].role)
        with self._lock:
            if model in self._called:
                count, total = self._sums.get(key, (0, 0.0))
                self._sums[key] = count + len(requests), total + seconds
            self._called.add(model)

    def drain(self) -> list[tuple[str, str, int, float]]:
        """Return model, role, requests and seconds since the last call of this method."""
        with self._lock:
            sums = self._sums
            self._sums = {}
        return [(*key, *total) for key, total in sums.items()]
