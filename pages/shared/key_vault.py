"""Holds the keys that visitors type, in the memory of the server alone.

No component holds one, so no page, file or address can.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

MAX_SESSIONS = 10_000  # the one that was used longest ago is forgotten first
# seconds that keys stay after a page was closed or lost its connection: it may come back
LINGERING = 3600.0
MAX_LENGTH = 4096  # characters of a key; tokens of some services are long


class KeyVault:
    """Keeps keys by session and name, for many threads; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._keys: OrderedDict[str, dict[str, str]] = OrderedDict()
        self._closed: dict[str, float] = {}
        self._unchecked: dict[str, dict[str, None]] = {}
        self._lock = threading.Lock()

    def set_key(self, session: str, name: str, key: str) -> bool:
        """Hold a key for a session, and return whether it is held.

        None is held that is too long, or of a request without a session.
        """
        if not session or len(key) > MAX_LENGTH:
            return False
        with self._lock:
            self._forget_closed()
            held = self._keys.setdefault(session, {})
            self._keys.move_to_end(session)
            self._closed.pop(session, None)
            held[name] = key.strip()
            self._unchecked.setdefault(session, {})[name] = None
            while len(self._keys) > MAX_SESSIONS:
                forgotten, _ = self._keys.popitem(last=False)
                self._closed.pop(forgotten, None)
                self._unchecked.pop(forgotten, None)
        return True

    def take_unchecked(self, session: str | None) -> tuple[str, ...]:
        """Return the names of keys that were set since the last call, in the order of setting."""
        with self._lock:
            return tuple(self._unchecked.pop(session or "", {}))

    def get(self, session: str | None) -> Mapping[str, str]:
        """Return the keys of a session by name; none for a session that is not known."""
        with self._lock:
            self._forget_closed()
            held = self._keys.get(session or "")
            if held is None:
                return {}
            self._keys.move_to_end(session or "")
            self._closed.pop(session or "", None)
            return dict(held)

    def close(self, session: str | None) -> None:
        """Forget the keys of a closed session, unless it comes back within an hour."""
        with self._lock:
            if session is not None and session in self._keys:
                self._closed[session] = self._clock()

    def clear(self, session: str | None) -> None:
        """Forget the keys of a session now."""
        with self._lock:
            self._keys.pop(session or "", None)
            self._closed.pop(session or "", None)
            self._unchecked.pop(session or "", None)

    def __repr__(self) -> str:
        return f"KeyVault({len(self._keys)} sessions)"

    def _forget_closed(self) -> None:
        now = self._clock()
        for session, when in list(self._closed.items()):
            if now - when >= LINGERING:
                self._keys.pop(session, None)
                self._unchecked.pop(session, None)
                del self._closed[session]
