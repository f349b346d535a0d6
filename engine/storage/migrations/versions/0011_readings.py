"""Adds what people say that prompts ask for."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "reading",
        sa.Column("id", sa.String(), primary_key=True),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("prompt_hash", "author", "reading")
        ),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_index("ix_reading_prompt_hash", "reading", ["prompt_hash"])
