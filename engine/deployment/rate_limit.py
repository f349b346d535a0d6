"""How much one visitor of a public app may have done in a minute and in a day.

It keeps hashes of addresses alone, and those in memory.
"""

import hashlib
import ipaddress
import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hallascope.engine.errors import BadRequest

A_MINUTE, A_DAY = 48, 480  # pictures for a visitor of a public app, where nobody says otherwise
NAMES = {60: "HALLASCOPE_PICTURES_A_MINUTE", 86_400: "HALLASCOPE_PICTURES_A_DAY"}
NO_LIMIT = "none"
MOST_VISITORS = 50_000  # counted at one time; the one who was seen longest ago is forgotten first
_WORDS = {60: "minute", 86_400: "day"}


class OverLimit(BadRequest):
    """A visitor has asked for as much as one may.

    The message says how much that is, and when there is room again.
    """


@dataclass(frozen=True)
class PictureLimits:
    """Pictures that are drawn or judged for one visitor; None: as many as are asked for."""

    minute: int | None = None
    day: int | None = None

    def windows(self) -> Iterator[tuple[int, int]]:
        """Seconds, and the pictures that fit into them."""
        for seconds, most in zip(_WORDS, (self.minute, self.day), strict=True):
            if most is not None:
                yield seconds, most


UPLOAD_LIMITS = {
    "HALLASCOPE_UPLOAD_MB_A_DAY": 256,
    "HALLASCOPE_UPLOAD_MB_BY_ALL": 4096,
}  # of a visitor, and of all together, in a day
KEPT_LIMITS = {
    "HALLASCOPE_KEPT_MB_A_DAY": 256,
    "HALLASCOPE_KEPT_MB_BY_ALL": 8192,
}  # of a visitor in a day, and of all for good
MEGABYTE = 2**20
LEAST = (
    2**16
)  # bytes that every upload counts for, however small: a file takes room beside what is in it
_DAY = 86_400


@dataclass(frozen=True)
class UploadLimits:
    """Bytes of a visitor, and of all visitors together; None: as many as come."""

    visitor: int | None = None
    everybody: int | None = None


def upload_limits() -> UploadLimits:
    """How much may be uploaded to a public app in a day, by the environment, else our own.

    Raises BadRequest.
    """
    return _bytes(UPLOAD_LIMITS)


def kept_limits() -> UploadLimits:
    """Return how much a public app keeps of visitors' pictures, by environment or default.

    Raises BadRequest.
    """
    return _bytes(KEPT_LIMITS)


def _bytes(limits: Mapping[str, int]) -> UploadLimits:
    megabytes = [_number(name, own) for name, own in limits.items()]
    return UploadLimits(*(None if number is None else number * MEGABYTE for number in megabytes))


class UploadQuota:
    """What visitors have uploaded in the last day, in bytes.

    Safe to use from many threads; `clock` counts seconds.
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
        self._totals: dict[str, int] = {}
        self._sum = 0
        self._lock = threading.Lock()

    def take(self, visitor: str, size: int) -> None:
        """Count an upload of so many bytes; those of unknown visitors count together.

        Raises OverLimit, and counts nothing.
        """
        size = max(size, LEAST)
        with self._lock:
            self._forget_old()
            if (
                self._limits.visitor is not None
                and self._totals.get(visitor, 0) + size > self._limits.visitor
            ):
                action = self._action.format(most=f"{self._limits.visitor // MEGABYTE:,}")
                raise OverLimit(
                    f"A visitor here may {action}, and this would be more: bring smaller files, or"
                    " come back tomorrow."
                )
            if self._limits.everybody is not None and self._sum + size > self._limits.everybody:
                raise OverLimit(
                    f"All visitors together may upload {self._limits.everybody // MEGABYTE:,} MB a"
                    " day here, and this would be more: come back tomorrow."
                )
            self._taken.append((self._clock(), visitor, size))
            self._totals[visitor] = self._totals.get(visitor, 0) + size
            self._sum += size

    def _forget_old(self) -> None:
        while self._taken and self._clock() - self._taken[0][0] >= _DAY:
            _, visitor, size = self._taken.popleft()
            self._sum -= size
            left = self._totals[visitor] - size
            if left:
                self._totals[visitor] = left
            else:
                del self._totals[visitor]


class KeptQuota:
    """Limits what is kept of visitors' pictures, in bytes: a visitor's day, and all for good.

    `already` counts what was kept before this process; it is called once, at the first picture.
    Safe to use from many threads.
    """

    def __init__(
        self,
        limits: UploadLimits,
        already: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._already = already
        self._daily = UploadQuota(
            UploadLimits(limits.visitor), clock, "have {most} MB of pictures kept in a day"
        )
        self._sum: int | None = None
        self._lock = threading.Lock()

    def take(self, visitor: str, size: int) -> None:
        """Count a picture of so many bytes that is to be kept.

        Raises OverLimit, and counts nothing.
        """
        with self._lock:
            most = self._limits.everybody
            if most is not None:
                if self._sum is None:
                    self._sum = self._already()
                if self._sum + size > most:
                    raise OverLimit(
                        f"This app keeps at most {most // MEGABYTE:,} MB of pictures that visitors"
                        " bring, and they are used up: evaluate pictures that models make, or run"
                        " HallaScope on your own machine."
                    )
            self._daily.take(visitor, size)
            self._sum = (self._sum or 0) + size


def limits(public: bool) -> PictureLimits:
    """What the environment says; where it says nothing, our own on a public app and none elsewhere.

    Raises BadRequest.
    """
    return PictureLimits(
        *(
            _number(name, own if public else None)
            for name, own in zip(NAMES.values(), (A_MINUTE, A_DAY), strict=True)
        )
    )


def _number(name: str, otherwise: int | None) -> int | None:
    said = os.environ.get(name, "").strip()
    return amount(name, said) if said else otherwise


def amount(name: str, said: str) -> int | None:
    """The number that a variable holds, None for "none". Raises BadRequest."""
    if said == NO_LIMIT:
        return None
    if not said.isascii() or not said.isdigit() or not int(said):
        raise BadRequest(
            f"The variable {name} is {said!r}: give a whole number from 1, or {NO_LIMIT!r}."
        )
    return int(said)


class Allowance:
    """What each visitor has had. Safe to use from many threads; `clock` counts seconds."""

    def __init__(
        self, allowed: PictureLimits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = allowed or PictureLimits()
        self._clock = clock
        self._had: OrderedDict[str, deque[tuple[float, int]]] = OrderedDict()
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
            had = self._usage_of(visitor)
            while had and now - had[0][0] >= windows[-1][0]:
                had.popleft()
            for seconds, most in windows:
                _fits(had, now, seconds, most, number)
            had.append((now, number))

    def _usage_of(self, visitor: str) -> deque[tuple[float, int]]:
        had = self._had.setdefault(visitor, deque())
        self._had.move_to_end(visitor)
        if len(self._had) > MOST_VISITORS:
            self._had.popitem(last=False)
        return had


def _fits(had: deque[tuple[float, int]], now: float, seconds: int, most: int, number: int) -> None:
    """Raises OverLimit where the number does not fit beside what was had in the last seconds."""
    within = [(at, count) for at, count in had if now - at < seconds]
    over = sum(count for _, count in within) + number - most
    if over <= 0:
        return
    word = _WORDS[seconds]
    if number > most:
        raise OverLimit(
            f"This is {number} pictures to draw or judge, and a visitor here has {most} a {word}:"
            " ask for fewer pictures, models, metrics or trials."
        )
    for at, count in within:  # the wait ends with the first that leaves enough room
        over -= count
        if over <= 0:
            wait = _duration(seconds - (now - at))
            raise OverLimit(
                f"A visitor here has {most} pictures a {word}, and this would be more: wait {wait}"
                " and start it again; what is there stays."
            )


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{max(1, -int(-seconds // 1))} s"
    return f"{-int(-seconds // 60)} min" if seconds < 7200 else f"{-int(-seconds // 3600)} h"


# --- who it is
# --------------------------------------------------------------------------------------------------

_SALT = secrets.token_bytes(
    16
)  # of this process: a hash says nothing to any other, and is written nowhere


def visitor(login: str | None, peer: str | None, forwarded: str = "") -> str:
    """Who asks, as a hash: by the name of a login, else by the address; "" where neither is known.

    `peer` is the address that the connection comes from, `forwarded` the header X-Forwarded-For. It
    is believed only where a proxy stands before the app (the peer is no public address), and of it
    the last public address, which that proxy wrote: what a visitor writes into it stands before. Of
    IPv6 the first 64 bits count: one visitor has all that follows.
    """
    who = f"login {login.casefold()}" if login else _network(_asker(peer, forwarded))
    return hashlib.blake2b(who.encode(), key=_SALT, digest_size=12).hexdigest() if who else ""


def _asker(peer: str | None, forwarded: str) -> str:
    said = [_address(one) for one in forwarded.split(",")]
    direct = _address(peer or "")
    if direct is not None and direct.is_global:
        return str(direct)
    behind = next((one for one in reversed(said) if one is not None and one.is_global), direct)
    return str(behind) if behind else ""


def _address(said: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(said.strip().strip("[]"))
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def _network(address: str) -> str:
    if ":" not in address:
        return address
    return str(ipaddress.ip_network(f"{address.partition('%')[0]}/64", strict=False))
