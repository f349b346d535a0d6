"""Which questions are being asked just now, by any run of any process on this store, so that nobody pays for one twice.

A claim ends with the call. That of a process that has died, and one past its time, are in nobody's way.
"""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlmodel import Session, col, delete, select

from engine.storage.database import Database
from engine.storage.processes import is_dead, this_process
from engine.storage.tables import CachedReply, ClaimRow


class Claims:
    """The claims in `database`, by the keys of replies (`engine.cache.key`). `clock` gives seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database, self._clock = database, clock

    def take(self, keys: Collection[str], call: str, seconds: float) -> bool:
        """Claim all of these questions for a call that ends within `seconds`, or none of them.

        False where another call is asking one of them, or its reply has been kept meanwhile.
        """
        now, mine = self._clock(), this_process()
        with self._database.writing() as session:
            self._database.take_turn(session)
            if session.exec(select(CachedReply.key).where(col(CachedReply.key).in_(keys)).limit(1)).first():
                return False
            if self._in_force(session, keys, now):
                return False
            rows = [ClaimRow(key=key, call=call, process=mine, expires=now + seconds) for key in keys]
            self._database.put(session, *rows, renew=("call", "process", "expires"))
        return True

    def taken(self, keys: Sequence[str]) -> frozenset[str]:
        """Those of the keys that some call is asking now."""
        with self._database.reading() as session:
            return frozenset(self._in_force(session, keys, self._clock()))

    def release(self, calls: Collection[str]) -> None:
        """These calls are over: their replies are kept, or there are none."""
        if calls:
            with self._database.writing() as session:
                session.execute(delete(ClaimRow).where(col(ClaimRow.call).in_(calls)))

    @staticmethod
    def _in_force(session: Session, keys: Collection[str], now: float) -> list[str]:
        chosen: Any = select(ClaimRow).where(col(ClaimRow.key).in_(keys), col(ClaimRow.expires) > now)
        return [row.key for row in session.exec(chosen).all() if not is_dead(row.process)]
