"""Claims questions that are being asked, so that nobody pays for one twice.

It is for any run of any process on this store.

A claim ends with the call. That of a process that has died, and one past its time, are in nobody's
way.
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
_KEPT = text("SELECT key FROM cached_reply WHERE key IN :keys LIMIT 1").bindparams(_KEYS)
_CLAIMED = text("SELECT key, process FROM claim WHERE key IN :keys AND expires > :now").bindparams(
    _KEYS
)
_CLAIM = text(
    "INSERT INTO claim (key, call, process, expires) VALUES (:key, :call, :process, :expires) ON"
    " CONFLICT (key) DO UPDATE SET call = excluded.call, process = excluded.process, expires ="
    " excluded.expires"
)
_RELEASE = text("DELETE FROM claim WHERE call IN :calls").bindparams(
    bindparam("calls", expanding=True)
)


class Claims:
    """The claims in `database`, by the keys of replies (`hallascope.engine.run.cache.key`).

    `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def take(self, keys: Collection[str], call: str, seconds: float) -> bool:
        """Claim all of these questions for a call that ends within `seconds`, or none of them.

        False where another call is asking one of them, or its reply has been kept meanwhile.
        """
        now = self._clock()
        mine = this_process()
        wanted = sorted(keys)
        with self._database.writing() as session:
            self._database.take_turn(session)
            connection = session.connection()
            if connection.execute(_KEPT, {"keys": wanted}).first() or self._in_force(
                session, wanted, now
            ):
                return False
            rows = [
                {"key": key, "call": call, "process": mine, "expires": now + seconds}
                for key in wanted
            ]
            connection.execute(_CLAIM, rows)
        return True

    def active_keys(self, keys: Sequence[str]) -> frozenset[str]:
        """Those of the keys that some call is asking now."""
        with self._database.reading() as session:
            return frozenset(self._in_force(session, keys, self._clock()))

    def release(self, calls: Collection[str]) -> None:
        """These calls are over: their replies are kept, or there are none."""
        if calls:
            with self._database.writing() as session:
                session.connection().execute(_RELEASE, {"calls": list(calls)})

    @staticmethod
    def _in_force(session: Session, keys: Sequence[str], now: float) -> list[str]:
        found = session.connection().execute(_CLAIMED, {"keys": keys, "now": now}).all()
        return [key for key, process in found if not is_dead(process)]
