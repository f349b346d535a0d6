"""Declares how much a public app takes and keeps, and counts what each visitor has used.

Of addresses it keeps hashes alone, and those in memory. docs/deploy.md prints these limits.
"""

import math
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from hallascope.engine.errors import BadRequest

NO_LIMIT = "none"
MEGABYTE = 2**20
# bytes that even the smallest upload counts for, as every file takes room of its own
MIN_UPLOAD = 2**16
MAX_VISITORS = 50_000  # that are counted at one time; the one seen longest ago is forgotten first
MINUTE, DAY = 60, 86_400
FOR_GOOD = 0  # in place of seconds: what is taken is never given back
_WINDOW_NAMES = {MINUTE: "a minute", DAY: "a day", FOR_GOOD: "in all"}
_BUCKETS = 64  # parts of a window that are counted together


class OverLimit(BadRequest):
    """Raised where a visitor has asked for as much as one may.

    The message says how much that is, and when there is room again.
    """


class Bound(NamedTuple):
    """Declares the longest text of a column of the store, in characters, or the longest list."""

    name: str
    most: int


# for every app, by table and column
TEXTS: Mapping[str, Mapping[str, Bound]] = {
    "rating": {
        "rater": Bound("name of a rater", 80),
        "value": Bound("label, tag or note", 1_000),
        "finding": Bound("question or finding that a label is about", 4_000),
    },
    "run_note": {
        "name": Bound("name of a run", 120),
    },
    "labeling_plan": {
        "title": Bound("title of a labeling plan", 120),
        "plan": Bound("labeling plan", 32 * MEGABYTE),
    },
    "labeling_record": {
        "rater": Bound("name of a rater", 80),
        "answers": Bound("list of a rater's answers", 200_000),
    },
    "reading": {
        "author": Bound("name of an author", 80),
        "reading": Bound("correction of a prompt", 200_000),
    },
    "question_set": {
        "questions": Bound("question set of a prompt", 400_000),
    },
    "lesson": {
        "title": Bound("title of a class set", 120),
        "token": Bound("class set", 200_000),
    },
    "lesson_answer": {
        "learner": Bound("name of a learner", 80),
        "exercise": Bound("exercise", 20_000),
    },
}


# of visitors of a public app
PLAN_IMAGES = Bound("images of a labeling plan", 2_000)
MARKED_IMAGES = Bound("images that one note or tag is put on", 200)
LISTS = (PLAN_IMAGES, MARKED_IMAGES)


@dataclass(frozen=True)
class Limit:
    """Declares how much visitors of a public app may take within a window of `seconds`.

    `most`: of one visitor, or of all together where `is_shared`; None is without limit. `variable`
    is the environment variable that changes it, `scale` what one of `unit` counts for.
    """

    unit: str
    seconds: int
    most: int | None
    variable: str
    is_shared: bool = False
    scale: int = 1

    @property
    def whose(self) -> str:
        return "All visitors together have" if self.is_shared else "A visitor here has"

    @property
    def amount(self) -> str:
        """Return the limit in words: "48 images a minute"."""
        return f"{self.most or 0:,} {self.unit} {_WINDOW_NAMES[self.seconds]}"

    def from_environment(self) -> "Limit":
        """Return the limit that the environment sets in place of this one. Raises BadRequest."""
        value = os.environ.get(self.variable, "").strip()
        return self.with_most(parse_limit(self.variable, value)) if value else self

    def with_most(self, most: int | None) -> "Limit":
        return replace(self, most=most)


_IMAGES = "images"  # drawn or judged, each metric and trial counted
_UPLOADS = "MB of uploads"
_STORED = "MB of storage"
_WRITES = "saved labels, notes and corrections"
IMAGES = (
    Limit(_IMAGES, MINUTE, 48, "HALLASCOPE_PICTURES_A_MINUTE"),
    Limit(_IMAGES, DAY, 480, "HALLASCOPE_PICTURES_A_DAY"),
)
UPLOADS = (
    Limit(_UPLOADS, DAY, 256, "HALLASCOPE_UPLOAD_MB_A_DAY", scale=MEGABYTE),
    Limit(_UPLOADS, DAY, 4_096, "HALLASCOPE_UPLOAD_MB_BY_ALL", is_shared=True, scale=MEGABYTE),
)
STORED = (
    Limit(_STORED, DAY, 256, "HALLASCOPE_KEPT_MB_A_DAY", scale=MEGABYTE),
    Limit(_STORED, FOR_GOOD, 8_192, "HALLASCOPE_KEPT_MB_BY_ALL", is_shared=True, scale=MEGABYTE),
)
WRITES = (
    Limit(_WRITES, MINUTE, 300, "HALLASCOPE_WRITES_A_MINUTE"),
    Limit(_WRITES, DAY, 10_000, "HALLASCOPE_WRITES_A_DAY"),
)
LIMITS = (*IMAGES, *UPLOADS, *STORED, *WRITES)


def parse_limit(variable: str, value: str) -> int | None:
    """Return the number that a variable holds, None for "none". Raises BadRequest."""
    if value == NO_LIMIT:
        return None
    if not value.isascii() or not value.isdigit() or not int(value):
        raise BadRequest(
            f"The variable {variable} is {value!r}: give a whole number from 1, or {NO_LIMIT!r}."
        )
    return int(value)


def check_environment() -> None:
    """Read every limit of the environment. Raises BadRequest."""
    for limit in LIMITS:
        limit.from_environment()


def check_texts(table: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Raise BadRequest where a text of these rows is longer than its column of the store takes."""
    limits = TEXTS.get(table, {})
    for row in rows if limits else ():
        for column, limit in limits.items():
            length = len(row.get(column, ""))
            if length > limit.most:
                raise BadRequest(
                    f"The {limit.name} has {length:,} characters: shorten it to {limit.most:,} or"
                    " fewer."
                )


class Quota:
    """Counts what visitors take under several limits. Safe to use from many threads.

    `clock` gives seconds; `before` counts what was taken for good before this process, and is
    called once.
    """

    def __init__(
        self,
        limits: Iterable[Limit],
        clock: Callable[[], float] = time.monotonic,
        before: Callable[[], int] = int,
    ) -> None:
        self.limits = tuple(limit for limit in limits if limit.most is not None)
        self._clock = clock
        self._before = before
        self._windows: OrderedDict[tuple[str, Limit], _Window] = OrderedDict()
        self._lock = threading.RLock()

    def take(self, visitor: str, number: int = 1) -> None:
        """Count so much for a visitor; those of whom nothing is known ("") count together.

        Raises OverLimit, and counts nothing, where it does not fit.
        """
        with self._lock:
            self.require_room(visitor, number)
            self.add(visitor, number)

    def require_room(self, visitor: str, number: int) -> None:
        """Raise OverLimit where so much does not fit; nothing is counted."""
        with self._lock:
            now = self._clock()
            for limit in self.limits:
                self._window(visitor, limit).require_room(limit, now, number)

    def add(self, visitor: str, number: int) -> None:
        """Count what is taken already, whether it fits or not."""
        with self._lock:
            now = self._clock()
            for limit in self.limits:
                self._window(visitor, limit).add(limit, now, number)

    def _window(self, visitor: str, limit: Limit) -> "_Window":
        key = ("" if limit.is_shared else visitor, limit)
        window = self._windows.get(key)
        if window is None:
            taken = self._before() if limit.seconds == FOR_GOOD else 0
            window = self._windows[key] = _Window(total=taken)
        self._windows.move_to_end(key)
        if len(self._windows) > MAX_VISITORS * len(self.limits):
            self._windows.popitem(last=False)
        return window


@dataclass
class _Window:
    """Holds what was taken lately: when each part of it is free again, and how much it is."""

    total: int = 0
    parts: deque[tuple[float, int]] = field(default_factory=deque)

    def add(self, limit: Limit, now: float, number: int) -> None:
        self.total += number
        if limit.seconds == FOR_GOOD:
            return
        size = limit.seconds / _BUCKETS
        free = math.ceil(now / size) * size + limit.seconds
        if self.parts and self.parts[-1][0] == free:
            number += self.parts.pop()[1]
        self.parts.append((free, number))

    def require_room(self, limit: Limit, now: float, number: int) -> None:
        """Raise OverLimit where the number does not fit beside what was taken lately."""
        while self.parts and self.parts[0][0] <= now:
            self.total -= self.parts.popleft()[1]
        most = (limit.most or 0) * limit.scale
        excess = self.total + number - most
        if excess <= 0:
            return
        if limit.seconds == FOR_GOOD:
            raise OverLimit(
                f"{limit.whose} {limit.amount}, and they are used up: run HallaScope on your own"
                " machine."
            )
        if number > most:
            raise OverLimit(
                f"This is {math.ceil(number / limit.scale):,} {limit.unit}. {limit.whose}"
                f" {limit.amount}: ask for less at once."
            )
        for free, count in self.parts:  # the wait ends with the first that leaves enough room
            excess -= count
            if excess <= 0:
                raise OverLimit(
                    f"{limit.whose} {limit.amount}, and this would be more: wait"
                    f" {_duration_text(free - now)} and try again; what is there stays."
                )


def _duration_text(seconds: float) -> str:
    if seconds < 120:
        return f"{max(1, math.ceil(seconds))} s"
    if seconds < 7200:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 3600)} h"


class Quotas:
    """Holds what is counted of the visitors of a public app; `stored_bytes` is read once."""

    def __init__(self, stored_bytes: Callable[[], int] = int) -> None:
        """Read the limits of the environment. Raises BadRequest."""

        def quota(limits: Iterable[Limit], before: Callable[[], int] = int) -> Quota:
            return Quota([limit.from_environment() for limit in limits], before=before)

        self.images = quota(IMAGES)
        self.uploads = quota(UPLOADS)
        self.stored = quota(STORED, stored_bytes)
        self.writes = quota(WRITES)
