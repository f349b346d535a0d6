"""Counts what a database is asked: statements, transactions and rows that are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import event

from hallascope.engine.storage.database import Database

_ACCOUNT_TABLES = ("spending", "reservation")
_WRITES = ("INSERT", "UPDATE", "DELETE")


@dataclass(eq=False)
class StatementCounter:
    """Counts what one `database` is asked from now on, in all threads of this process.

    `account` counts the transactions that wrote money. Beginning and ending a transaction are no
    statements here.
    """

    database: Database
    statements: int = 0
    reads: int = 0
    writes: int = 0
    rows: int = 0
    account: int = 0

    def __post_init__(self) -> None:
        engine = self.database.engine
        event.listen(engine, "after_cursor_execute", self._count_statement)
        event.listen(engine, "commit", self._count_commit)
        event.listen(engine, "rollback", self._count_commit)

    def _count_statement(
        self, connection: Any, cursor: Any, statement: str, *other: object
    ) -> None:
        self.statements += 1
        words = statement.split(maxsplit=3)
        if words and words[0] in _WRITES:
            self.rows += max(0, cursor.rowcount)
            if any(word.strip('"') in _ACCOUNT_TABLES for word in words[1:3]):
                connection.info["writes_money"] = True

    def _count_commit(self, connection: Any) -> None:
        """Count a transaction as it ends; one that only reads is rolled back."""
        if connection.get_execution_options().get("writes"):
            self.writes += 1
        else:
            self.reads += 1
        if connection.info.pop("writes_money", False):
            self.account += 1
