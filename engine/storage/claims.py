"""Claims questions that are being asked, so that no two calls pay for the same one.

The claims hold for every run of every process on a store. A claim ends with its call. The claim of
a process that has died, and one past its time, bind nobody.
"""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlalchemy import bindparam, text
from sqlmodel import Session

from hallascope.engine.storage.database import Database
from hallascope.engine.storage.processes import is_dead, this_process

# Written out, since each call needs them all, and to build them takes longer than to run them.
_KEYS: Any = bindparam("keys", expanding=True)
_SELECT_REPLY = text("SELECT key FROM cached_reply WHERE key IN :keys LIMIT 1").bindparams(_KEYS)
_SELECT_CLAIMS = text(
    "SELECT key, process FROM claim WHERE key IN :keys AND expires > :now"
).bindparams(_KEYS)
_INSERT = text(
    "INSERT INTO claim (key, call, process, expires) VALUES (:key, :call, :process, :expires) ON"
    " CONFLICT (key) DO UPDATE SET call = excluded.call, process = excluded.process, expires ="
    " excluded.expires"
)
_DELETE = text("DELETE FROM claim WHERE call IN :calls").bindparams(
    bindparam("calls", expanding=True)
)


class Claims:
    """Holds the claims in `database` by the keys of replies.

    The keys are those of `hallascope.engine.run.calls.cache.key`. `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def acquire(self, keys: Collection[str], call: str, seconds: float) -> bool:
        """Claim all of these questions for a call that ends within `seconds`, or none of them.

        Return False where another call is asking one of them, or its reply has been kept meanwhile.
        """
        now = self._clock()
        process = this_process()
        ordered = sorted(keys)
        rows = [
            {"key": key, "call": call, "process": process, "expires": now + seconds}
            for key in ordered
        ]
        with self._database.write_transaction() as session:
            self._database.take_turn(session)
            connection = session.connection()
            if connection.execute(_SELECT_REPLY, {"keys": ordered}).first():
                return False
            if _keys_in_force(session, ordered, now):
                return False
            connection.execute(_INSERT, rows)
        return True

    def active_keys(self, keys: Sequence[str]) -> frozenset[str]:
        """Return those of the keys that some call is asking now."""
        with self._database.read_transaction() as session:
            return frozenset(_keys_in_force(session, keys, self._clock()))

    def release(self, calls: Collection[str]) -> None:
        """End the claims of these calls: their replies are kept, or there are none."""
        if calls:
            with self._database.write_transaction() as session:
                session.connection().execute(_DELETE, {"calls": list(calls)})


def _keys_in_force(session: Session, keys: Sequence[str], now: float) -> list[str]:
    rows = session.connection().execute(_SELECT_CLAIMS, {"keys": keys, "now": now}).all()
    return [key for key, process in rows if not is_dead(process)]
