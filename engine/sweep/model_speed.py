"""Measures how long the calls of models take, for the estimate of the next sweep.

It knows neither requests nor sweeps.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from hallascope.backends.base import OnStep
from hallascope.data.requests import Reply, Request
from hallascope.engine.models.roles import BoundModel


class Stopwatch:
    """Sums up requests and seconds by model and role.

    The first call of a model is left out: it is loaded then.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._met: set[str] = set()
        self._sums: dict[tuple[str, str], tuple[int, float]] = {}

    def measure(self, seat: BoundModel) -> BoundModel:
        """The same seat, with its calls measured."""

        def call(requests: Sequence[Request], on_step: OnStep) -> Sequence[Reply]:
            began = self._clock()
            replies = seat.call(requests, on_step)
            self._note(seat.model, requests, self._clock() - began)
            return replies

        return replace(seat, call=call)

    def _note(self, model: str, requests: Sequence[Request], seconds: float) -> None:
        name = (model, requests[0].role)
        with self._lock:
            if model in self._met:
                number, so_far = self._sums.get(name, (0, 0.0))
                self._sums[name] = number + len(requests), so_far + seconds
            self._met.add(model)

    def drain(self) -> list[tuple[str, str, int, float]]:
        """Model, role, requests and seconds since this was last asked."""
        with self._lock:
            sums = self._sums
            self._sums = {}
        return [(*name, *sum_) for name, sum_ in sums.items()]
