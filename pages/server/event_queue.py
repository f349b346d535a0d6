"""Bounds the queue of the app by kinds of work, and says to whom it refuses how long it is.

Gradio 6.31 counts all events together, so that runs that wait would keep others from opening
evidence; its page shows no reason for the status 503; it sums up all past events in a table after
each one, and looks for new ones every millisecond.
"""

import math
from collections import defaultdict, deque
from typing import Any, Literal

import fastapi
from gradio import route_utils
from gradio.block_function import BlockFunction
from gradio.data_classes import PredictBodyInternal
from gradio.queueing import EventQueue, ProcessTime, Queue

RECENT = 16  # events whose time says how long the next ones take
POLL_INTERVAL = 0.01  # seconds; Gradio looks for new events a thousand times a second
# A kind of work whose queue is done within so many seconds has more places, as nobody notices it.
SHORT_WAIT = 5.0
MORE_PLACES = 8  # times as many
FULL = 429  # the status; of 503 the page of Gradio 6.31 shows a sentence of its own


class RecentProcessTime(ProcessTime):
    """Holds the mean time of the last events of a function, in seconds."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._recent: deque[float] = deque(maxlen=RECENT)

    def add(self, time: float) -> None:
        super().add(time)
        self._recent.append(time)
        self.avg_time = sum(self._recent) / len(self._recent)  # type: ignore[assignment]


class BoundedQueue(Queue):
    """Is Gradio's queue with so many places for each kind of work; None: as many as come."""

    def __init__(self, places: int | None, **options: Any) -> None:
        super().__init__(max_size=None, **options)
        self.places = places
        times: defaultdict[BlockFunction, ProcessTime] = defaultdict(RecentProcessTime)
        self.process_time_per_fn = times
        self.ANALYTICS_MAX_EVENTS = 1
        self.sleep_when_free = POLL_INTERVAL

    async def push(
        self, body: PredictBodyInternal, request: fastapi.Request, username: str | None
    ) -> tuple[
        bool,
        str | list[dict[str, Any]],
        Literal["success", "error", "queue_full", "validator_error"],
    ]:
        """Add an event. Raises HTTPException with a sentence where its kind has no place left."""
        if body.fn_index is not None:
            function = route_utils.get_fn(self.blocks, None, body)
            kind = self.event_queue_per_concurrency_id.get(function.concurrency_id)
            if kind is not None and self.is_full(kind):
                seconds = self.expected_wait(kind)
                raise fastapi.HTTPException(
                    FULL, full_sentence(seconds), {"Retry-After": str(math.ceil(seconds or 60))}
                )
        return await super().push(body, request, username)

    def is_full(self, kind: EventQueue) -> bool:
        """Return whether a kind of work takes no more events."""
        if self.places is None or len(kind.queue) < self.places:
            return False
        seconds = self.expected_wait(kind)
        if seconds is None or seconds > SHORT_WAIT:
            return True
        return len(kind.queue) >= MORE_PLACES * self.places

    def expected_wait(self, kind: EventQueue) -> float | None:
        """Return the seconds until all that wait have begun; None where no time is known yet."""
        times = [
            self.process_time_per_fn[event.fn].avg_time
            for event in kind.queue
            if event.fn in self.process_time_per_fn
        ]
        if not times:
            return None
        return sum(times) / len(times) * len(kind.queue) / (kind.concurrency_limit or 1)

    def compute_analytics_summary(self, records: Any) -> dict[str, Any]:
        """Return an empty summary: nobody can open Gradio's page of them here."""
        return {"functions": {}}


def full_sentence(seconds: float | None) -> str:
    """Return what is said where the queue is full, with the seconds that it takes."""
    if seconds is None:
        return "The queue is full: try again in a minute."
    return f"The queue is full, about {math.ceil(seconds)} s: try again then."
