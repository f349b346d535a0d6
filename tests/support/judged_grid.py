"""Fills a store with judged images of many prompts by many models, without their files."""

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from hallascope.data.records import State
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    EvaluationRow,
    Generation,
    Run,
    RunPicture,
    ScoreRow,
    VerdictRow,
)
from tests.conftest import build as build_services
from tests.support.filled_store import Said, keep

PROMPTS = 100
MODELS = 30


def build(folder: Path, **options: Any) -> Any:
    """Services on a store with 3,000 judged images; every third model has a wrong answer."""
    services = build_services(folder, **options)
    for model in range(MODELS):
        first: State = "incorrect" if model % 3 == 0 else "correct"
        states: tuple[State, ...] = (first, "correct")
        keep(services.store, Said(prompt="prompt 0", model=f"m/{model:02}", states=states))
    _repeat(services.store)
    return services


def _repeat(store: Store) -> None:
    """Store the same again for other prompts: to keep each by itself takes a minute and more."""
    tables: list[Any] = [Run, Generation, RunPicture, EvaluationRow, VerdictRow, ScoreRow]
    with store.database.write_transaction() as session:
        connection = session.connection()
        for kind in tables:
            table = kind.__table__
            rows = [dict(row) for row in connection.execute(sa.select(table)).mappings()]
            copies = [_copy(row, number) for number in range(1, PROMPTS) for row in rows]
            connection.execute(sa.insert(table), copies)


def _copy(row: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the row of a table for another prompt: with other ids, and the same in all else."""
    changes: dict[str, Any] = {}
    for name, value in row.items():
        if name in ("id", "run", "generation", "prompt", "image") and isinstance(value, str):
            changes[name] = (
                f"{value} of prompt {number}" if name != "prompt" else f"prompt {number}"
            )
        elif name == "evaluation" or (name == "id" and isinstance(value, int)):
            changes[name] = value + MODELS * number
    return row | changes
