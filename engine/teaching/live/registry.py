"""Finds live classes by their code; starts new ones, and drops those that are over.

Classes are kept in the memory of this process alone: nothing of a pupil is written to a disk, and
a restart ends all classes.
"""

import secrets
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from hallascope.data.teaching.class_lesson import ClassLesson
from hallascope.engine.access.limits import OverLimit
from hallascope.engine.errors import BadRequest
from hallascope.engine.teaching.live.live_class import LiveClass

# no vowels, so that no code is a word, and no letters that are taken for others
LETTERS = "BCDFGHJKMNPQRSTVWXZ"
# 19^8 codes, two groups of four: at 300 tries a second, one of 100 classes is found in 160 hours.
# So no try has to be counted, which would shut out a school behind the address of who guesses.
LENGTH = 8
MAX_CLASSES = 100
MAX_OF_NETWORK = 20  # classes at one time: a school has one address
MAX_OF_BROWSER = 5
LIFETIME = 6 * 3600.0  # seconds from its start to the end of a class
IDLE = 2 * 3600.0  # seconds without its teacher's page after which a class is dropped
EMPTY_IDLE = 600.0  # the same for a class that no pupil has joined


class UnknownClass(BadRequest):
    """Raised where no class has a code, or no longer."""


class StartedClass(NamedTuple):
    """Holds a new class with the key of its teacher, which is not kept anywhere else."""

    live: LiveClass
    key: str


class LiveClasses:
    """Holds all live classes. Safe to use from many threads; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._classes: dict[str, LiveClass] = {}
        self._lock = threading.Lock()

    def start(self, lesson: ClassLesson, network: str = "", browser: str = "") -> StartedClass:
        """Start a class of a lesson, from a network and a browser; "" is unknown.

        Raises OverLimit.
        """
        with self._lock:
            self._drop_old()
            if len(self._classes) >= MAX_CLASSES:
                raise OverLimit(
                    f"{MAX_CLASSES} classes are running here, and no more fit: wait until one ends,"
                    " or run HallaScope on your own machine."
                )
            for starter, most in ((network, MAX_OF_NETWORK), (browser, MAX_OF_BROWSER)):
                running = sum(starter in live.starters for live in self._classes.values())
                if starter and running >= most:
                    raise OverLimit(
                        f"{most} classes that were started from here are running, and no more fit:"
                        " end one of them."
                    )
            key = secrets.token_urlsafe(18)
            live = LiveClass(self._new_code(), lesson, key, self._clock, (network, browser))
            self._classes[live.code] = live
            return StartedClass(live, key)

    def find(self, code: str) -> LiveClass:
        """Return the class of a code, in any case and with any spaces. Raises UnknownClass."""
        code = "".join(code.split()).upper()
        with self._lock:
            self._drop_old()
            if code not in self._classes:
                raise UnknownClass(
                    "No class has this code, or it is over: look at the code again, or ask your"
                    " teacher."
                )
            return self._classes[code]

    def end(self, live: LiveClass) -> None:
        """Drop a class with all of its answers."""
        with self._lock:
            self._classes.pop(live.code, None)

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            if code not in self._classes:
                return code

    def _drop_old(self) -> None:
        now = self._clock()
        for live in list(self._classes.values()):
            idle = IDLE if live.joined else EMPTY_IDLE
            if now - live.started >= LIFETIME or now - live.used >= idle:
                del self._classes[live.code]
