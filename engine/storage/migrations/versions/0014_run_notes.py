"""Adds the names that people give to runs and sweeps, and which of them are pinned."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "run_note",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
    )
