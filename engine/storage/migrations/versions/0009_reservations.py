"""Adds money held back for calls in flight, and questions being asked, for all processes."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "reservation",
        sa.Column("id", sa.String(), primary_key=True),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("day", "run", "model", "role", "process")
        ),
        *(
            sa.Column(name, LARGE, nullable=False)
            for name in ("nano_usd", "calls", "input_tokens", "output_tokens", "pictures")
        ),
        sa.Column("expires", sa.Float(), nullable=False),
    )
    op.create_table(
        "claim",
        *(
            sa.Column(name, sa.String(), primary_key=name == "key", nullable=False)
            for name in ("key", "call", "process")
        ),
        sa.Column("expires", sa.Float(), nullable=False),
    )
    op.create_index("ix_claim_call", "claim", ["call"])
