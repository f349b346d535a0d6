"""Adds which models an evaluation asked, by role."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column(
        "evaluation", sa.Column("lineup", sa.String(), nullable=False, server_default="{}")
    )
