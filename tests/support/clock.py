"""A clock for limits, keys and classes."""


class Clock:
    """Gives the seconds that a test sets."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
