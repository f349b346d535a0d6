"""Counts what a database is asked: statements, transactions and rows that are written."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event

from hallascope.engine.storage.database import Database

_ACCOUNT_TABLES = ("spending", "reservation")
_WRITES = ("INSERT", "UPDATE", "DELETE")


@dataclass
class DatabaseCounts:
    """Counts statements, transactions, those that write, written rows, and writes of money."""

    statements: int = 0
    transactions: int = 0
    writes: int = 0
    rows: int = 0
    account_writes: int = 0


class DatabaseCounter:
    """Counts what one database is asked from now on, in this thread and in all `others`.

    Beginning and ending a transaction are no statements here.
    """

    def __init__(self, database: Database) -> None:
        self.own = DatabaseCounts()
        self.others = DatabaseCounts()
        self._thread = threading.current_thread()
        self._lock = threading.Lock()
        engine = database.engine
        event.listen(engine, "after_cursor_execute", self._count_statement)
        event.listen(engine, "commit", self._count_transaction)
        event.listen(engine, "rollback", self._count_transaction)

    @property
    def _counts(self) -> DatabaseCounts:
        return self.own if threading.current_thread() is self._thread else self.others

    def _count_statement(
        self, connection: Any, cursor: Any, statement: str, *other: object
    ) -> None:
        words = statement.split(maxsplit=3)
        is_write = bool(words) and words[0] in _WRITES
        if is_write and any(word.strip('"') in _ACCOUNT_TABLES for word in words[1:3]):
            connection.info["writes_money"] = True
        with self._lock:
            self._counts.statements += 1
            self._counts.rows += max(0, cursor.rowcount) if is_write else 0

    def _count_transaction(self, connection: Any) -> None:
        """Count a transaction as it ends; one that only reads is rolled back."""
        writes_money = connection.info.pop("writes_money", False)
        with self._lock:
            self._counts.transactions += 1
            self._counts.writes += bool(connection.get_execution_options().get("writes"))
            self._counts.account_writes += writes_money
