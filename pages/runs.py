"""Which visitor has something running, and how it is stopped; several pages start such things."""

import threading


class Runs:
    """The stop signals of what is running, by visitor's session: one at a time."""

    def __init__(self) -> None:
        self._stops: dict[str, threading.Event] = {}

    def start(self, session: str) -> threading.Event | None:
        """The signal of a new run; None where the visitor has one in progress."""
        return None if session in self._stops else self._stops.setdefault(session, threading.Event())

    def stop(self, session: str) -> None:
        if session in self._stops:
            self._stops[session].set()

    def end(self, session: str) -> None:
        """The run is over; where it was left in the middle, nothing new is begun for it."""
        self.stop(session)
        self._stops.pop(session, None)
