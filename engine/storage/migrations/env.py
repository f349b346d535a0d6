"""Runs the steps for alembic, on the connection and in the transaction it is given."""

from typing import Any

from alembic import context
from sqlalchemy import text
from sqlmodel import SQLModel

from hallascope.engine.storage import tables  # noqa: F401 - fills the metadata
from hallascope.engine.storage.migrations import MARK


def write_version(ctx: Any, step: Any, heads: Any, run_args: Any) -> None:
    """Write the version where every program looks for it."""
    ctx.connection.execute(text("DELETE FROM schema"))
    ctx.connection.execute(
        text("INSERT INTO schema (version) VALUES (:version)"),
        {"version": int(step.up_revision_id)},
    )


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    version_table=MARK,
    on_version_apply=write_version,
)
with context.begin_transaction():
    context.run_migrations()
