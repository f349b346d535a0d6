"""Finds live classes by their code; starts new ones, and drops those that are over.

Classes are kept in the memory of this process alone: nothing of a pupil is written to a disk, and
a restart ends all classes.
"""

import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import NamedTuple

from hallascope.data.teaching.class_lesson import ClassLesson
from hallascope.engine.deployment.rate_limit import MAX_VISITORS, OverLimit
from hallascope.engine.errors import BadRequest
from hallascope.engine.teaching.live.live_class import LiveClass

# no vowels, so that no code is a word, and no letters that are taken for others
LETTERS = "BCDFGHJKMNPQRSTVWXZ"
LENGTH = 6
MAX_CLASSES = 100
LIFETIME = 6 * 3600.0  # seconds from its start to the end of a class
IDLE = 2 * 3600.0  # seconds without its teacher's page after which a class is dropped
STARTS_AN_HOUR = 20  # classes that a visitor may start
TRIES_A_MINUTE = 60  # wrong codes that a visitor may try
MAX_ENDED = 1000  # codes of classes that are over, which count as no wrong ones


class UnknownClass(BadRequest):
    """Raised where no class has a code, or no longer."""


class StartedClass(NamedTuple):
    """Holds a new class with the key of its teacher, which is not kept anywhere else."""

    live: LiveClass
    key: str


class _VisitorLimit:
    """Counts what each visitor does within a time; the one seen longest ago is forgotten first."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def is_used_up(self, visitor: str) -> bool:
        """Return whether a visitor has done it as often as may be."""
        times = self._times.get(visitor, deque())
        while times and self._clock() - times[0] >= self._seconds:
            times.popleft()
        return len(times) >= self._most

    def add(self, visitor: str) -> None:
        """Count it once."""
        self._times.setdefault(visitor, deque()).append(self._clock())
        self._times.move_to_end(visitor)
        if len(self._times) > MAX_VISITORS:
            self._times.popitem(last=False)


class LiveClasses:
    """Holds all live classes. Safe to use from many threads; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._classes: dict[str, LiveClass] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._starts = _VisitorLimit(STARTS_AN_HOUR, 3600.0, clock)
        self._misses = _VisitorLimit(TRIES_A_MINUTE, 60.0, clock)
        self._lock = threading.Lock()

    def start(self, lesson: ClassLesson, visitor: str = "") -> StartedClass:
        """Start a class of a lesson. Raises OverLimit."""
        with self._lock:
            self._drop_old()
            if len(self._classes) >= MAX_CLASSES:
                raise OverLimit(
                    f"{MAX_CLASSES} classes are running here, and no more fit: wait until one ends,"
                    " or run HallaScope on your own machine."
                )
            if self._starts.is_used_up(visitor):
                raise OverLimit(
                    f"You have started {STARTS_AN_HOUR} classes within an hour: wait, or go on with"
                    " one of them."
                )
            self._starts.add(visitor)
            key = secrets.token_urlsafe(18)
            live = LiveClass(self._new_code(), lesson, key, self._clock)
            self._classes[live.code] = live
            return StartedClass(live, key)

    def find(self, code: str, visitor: str = "") -> LiveClass:
        """Return the class of a code, in any case. Raises UnknownClass, OverLimit.

        Who has tried too many wrong codes is refused for a while, with a right one, too. The code
        of a class that is over is no wrong one: a whole class may still ask for it.
        """
        with self._lock:
            self._drop_old()
            if code.upper() in self._ended:
                raise UnknownClass("The class is over, and all of its answers are deleted.")
            if self._misses.is_used_up(visitor):
                raise OverLimit("Too many wrong codes were tried from here: wait a minute.")
            live = self._classes.get(code.upper())
            if live is None:
                self._misses.add(visitor)
                raise UnknownClass(
                    "There is no class with this code: look at the code again, or ask your teacher."
                )
            return live

    def end(self, live: LiveClass) -> None:
        """Drop a class with all of its answers."""
        with self._lock:
            self._forget(live)

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            if code not in self._classes and code not in self._ended:
                return code

    def _drop_old(self) -> None:
        now = self._clock()
        for live in list(self._classes.values()):
            if now - live.started >= LIFETIME or now - live.used >= IDLE:
                self._forget(live)

    def _forget(self, live: LiveClass) -> None:
        self._classes.pop(live.code, None)
        self._ended[live.code] = None
        if len(self._ended) > MAX_ENDED:
            self._ended.popitem(last=False)
