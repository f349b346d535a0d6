"""Limits what one visitor of a public app may draw, judge and upload.

Of addresses it keeps hashes alone, and those in memory.
"""

import hashlib
import ipaddress
import math
import os
import secrets
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hallascope.engine.errors import BadRequest

# pictures for a visitor of a public app, where the environment does not say otherwise
PICTURES_A_MINUTE = 48
PICTURES_A_DAY = 480
PICTURE_VARIABLES = ("HALLASCOPE_PICTURES_A_MINUTE", "HALLASCOPE_PICTURES_A_DAY")
NO_LIMIT = "none"
MAX_VISITORS = 50_000  # that are counted at one time; the one seen longest ago is forgotten first
# megabytes of a visitor, and of all together, in a day
UPLOAD_LIMITS = {"HALLASCOPE_UPLOAD_MB_A_DAY": 256, "HALLASCOPE_UPLOAD_MB_BY_ALL": 4096}
# megabytes of a visitor in a day, and of all for good
STORAGE_LIMITS = {"HALLASCOPE_KEPT_MB_A_DAY": 256, "HALLASCOPE_KEPT_MB_BY_ALL": 8192}
MEGABYTE = 2**20
# bytes that even the smallest upload counts for, as every file takes room of its own
MIN_UPLOAD = 2**16
_MINUTE = 60
_DAY = 86_400
_WINDOW_NAMES = {_MINUTE: "minute", _DAY: "day"}
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
# of this process alone: hashes of visitors are not stored, and mean nothing elsewhere
_SALT = secrets.token_bytes(16)


class OverLimit(BadRequest):
    """Raised where a visitor has asked for as much as one may.

    The message says how much that is, and when there is room again.
    """


# --- limits ---


@dataclass(frozen=True)
class PictureLimits:
    """Limits the pictures that are drawn or judged for one visitor; None: without limit."""

    minute: int | None = None
    day: int | None = None

    def windows(self) -> Iterator[tuple[int, int]]:
        """Yield each window in seconds, and the pictures that fit into it."""
        if self.minute is not None:
            yield _MINUTE, self.minute
        if self.day is not None:
            yield _DAY, self.day


@dataclass(frozen=True)
class UploadLimits:
    """Limits the bytes of a visitor, and of all visitors together; None: without limit."""

    visitor: int | None = None
    everybody: int | None = None


def picture_limits(public: bool) -> PictureLimits:
    """Return the limits of the environment, else our own on a public app and none elsewhere.

    Raises BadRequest.
    """
    defaults = (PICTURES_A_MINUTE, PICTURES_A_DAY) if public else (None, None)
    return PictureLimits(*map(_limit, PICTURE_VARIABLES, defaults))


def upload_limits() -> UploadLimits:
    """Return how much may be uploaded to a public app in a day, by environment or default.

    Raises BadRequest.
    """
    return _byte_limits(UPLOAD_LIMITS)


def storage_limits() -> UploadLimits:
    """Return how much a public app keeps of visitors' pictures, by environment or default.

    Raises BadRequest.
    """
    return _byte_limits(STORAGE_LIMITS)


def _byte_limits(defaults: Mapping[str, int]) -> UploadLimits:
    megabytes = [_limit(variable, default) for variable, default in defaults.items()]
    return UploadLimits(*(None if limit is None else limit * MEGABYTE for limit in megabytes))


def _limit(variable: str, default: int | None) -> int | None:
    value = os.environ.get(variable, "").strip()
    return parse_limit(variable, value) if value else default


def parse_limit(variable: str, value: str) -> int | None:
    """Return the number that a variable holds, None for "none". Raises BadRequest."""
    if value == NO_LIMIT:
        return None
    if not value.isascii() or not value.isdigit() or not int(value):
        raise BadRequest(
            f"The variable {variable} is {value!r}: give a whole number from 1, or {NO_LIMIT!r}."
        )
    return int(value)


# --- quotas ---


class PictureQuota:
    """Counts the pictures of each visitor. Safe to use from many threads; `clock` gives seconds."""

    def __init__(
        self, limits: PictureLimits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits or PictureLimits()
        self._clock = clock
        self._taken: OrderedDict[str, deque[tuple[float, int]]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, visitor: str, number: int) -> None:
        """Count so many pictures for a visitor; "" is nobody in particular, who is not counted.

        Raises OverLimit, and counts nothing, where they do not fit.
        """
        windows = list(self.limits.windows())
        if not visitor or number <= 0 or not windows:
            return
        with self._lock:
            now = self._clock()
            taken = self._taken.setdefault(visitor, deque())
            self._taken.move_to_end(visitor)
            if len(self._taken) > MAX_VISITORS:
                self._taken.popitem(last=False)
            longest, _ = windows[-1]
            while taken and now - taken[0][0] >= longest:
                taken.popleft()
            for seconds, most in windows:
                _require_room(taken, now, seconds, most, number)
            taken.append((now, number))


def _require_room(
    taken: deque[tuple[float, int]], now: float, seconds: int, most: int, number: int
) -> None:
    """Raise OverLimit where the number does not fit beside what was taken in the last seconds."""
    recent = [(at, count) for at, count in taken if now - at < seconds]
    excess = sum(count for _, count in recent) + number - most
    if excess <= 0:
        return
    window = _WINDOW_NAMES[seconds]
    if number > most:
        raise OverLimit(
            f"This is {number} images to draw or judge, and a visitor here has {most} a {window}:"
            " ask for fewer images, models, metrics or trials."
        )
    for at, count in recent:  # the wait ends with the first that leaves enough room
        excess -= count
        if excess <= 0:
            wait = _duration_text(seconds - (now - at))
            raise OverLimit(
                f"A visitor here has {most} images a {window}, and this would be more: wait"
                f" {wait} and start it again; what is there stays."
            )


def _duration_text(seconds: float) -> str:
    if seconds < 120:
        return f"{max(1, math.ceil(seconds))} s"
    if seconds < 7200:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 3600)} h"


class UploadQuota:
    """Counts what visitors have uploaded in the last day, in bytes.

    Safe to use from many threads; `clock` gives seconds.
    """

    def __init__(
        self,
        limits: UploadLimits,
        clock: Callable[[], float] = time.monotonic,
        action: str = "upload {most} MB a day",
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._action = action
        self._taken: deque[tuple[float, str, int]] = deque()
        self._by_visitor: Counter[str] = Counter()
        self._total = 0
        self._lock = threading.Lock()

    def take(self, visitor: str, size: int) -> None:
        """Count an upload of so many bytes; those of unknown visitors count together.

        Raises OverLimit, and counts nothing.
        """
        size = max(size, MIN_UPLOAD)
        most = self._limits.visitor
        everybody = self._limits.everybody
        with self._lock:
            self._forget_old()
            if most is not None and self._by_visitor[visitor] + size > most:
                action = self._action.format(most=f"{most // MEGABYTE:,}")
                raise OverLimit(
                    f"A visitor here may {action}, and this would be more: bring smaller files, or"
                    " come back tomorrow."
                )
            if everybody is not None and self._total + size > everybody:
                raise OverLimit(
                    f"All visitors together may upload {everybody // MEGABYTE:,} MB a day here, and"
                    " this would be more: come back tomorrow."
                )
            self._taken.append((self._clock(), visitor, size))
            self._by_visitor[visitor] += size
            self._total += size

    def _forget_old(self) -> None:
        while self._taken and self._clock() - self._taken[0][0] >= _DAY:
            _, visitor, size = self._taken.popleft()
            self._total -= size
            self._by_visitor[visitor] -= size
            if not self._by_visitor[visitor]:
                del self._by_visitor[visitor]


class StorageQuota:
    """Limits what is kept of visitors' pictures, in bytes: a visitor's day, and all for good.

    `stored_bytes` counts what was kept before this process; it is called once, at the first
    picture. Safe to use from many threads.
    """

    def __init__(
        self,
        limits: UploadLimits,
        stored_bytes: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = limits.everybody
        self._stored_bytes = stored_bytes
        self._daily = UploadQuota(
            UploadLimits(limits.visitor), clock, "have {most} MB of images kept in a day"
        )
        self._total: int | None = None
        self._lock = threading.Lock()

    def take(self, visitor: str, size: int) -> None:
        """Count a picture of so many bytes that is to be kept.

        Raises OverLimit, and counts nothing.
        """
        with self._lock:
            if self._total is None:
                self._total = 0 if self._most is None else self._stored_bytes()
            if self._most is not None and self._total + size > self._most:
                raise OverLimit(
                    f"This app keeps at most {self._most // MEGABYTE:,} MB of images that"
                    " visitors bring, and they are used up: evaluate images that models make, or"
                    " run HallaScope on your own machine."
                )
            self._daily.take(visitor, size)
            self._total += size


# --- visitors ---


def visitor(login: str | None, peer: str | None, forwarded: str = "") -> str:
    """Return who asks, as a hash of a login's name, else of the address; "" where both are unknown.

    `peer` is the address that the connection comes from, `forwarded` the header X-Forwarded-For. It
    is believed only where a proxy stands before the app (the peer is no public address), and of it
    the last public address, which that proxy wrote: what a visitor writes into it stands before. Of
    IPv6 the first 64 bits count: one visitor has all that follows.
    """
    if login:
        identity = f"login {login.casefold()}"
    else:
        address = _client_address(peer, forwarded)
        if address is None:
            return ""
        identity = str(address)
        if address.version == 6:
            identity = str(ipaddress.IPv6Network((int(address), 64), strict=False))
    return hashlib.blake2b(identity.encode(), key=_SALT, digest_size=12).hexdigest()


def _client_address(peer: str | None, forwarded: str) -> IPAddress | None:
    direct = _parse_address(peer or "")
    if direct is not None and direct.is_global:
        return direct
    for text in reversed(forwarded.split(",")):
        address = _parse_address(text)
        if address is not None and address.is_global:
            return address
    return direct


def _parse_address(text: str) -> IPAddress | None:
    try:
        address = ipaddress.ip_address(text.strip().strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
