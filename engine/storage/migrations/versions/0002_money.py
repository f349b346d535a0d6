"""Adds what services were paid, and makes seeds as large as SQLite always took them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "spending",
        *(
            sa.Column(name, sa.String(), primary_key=True)
            for name in ("day", "run", "model", "role")
        ),
        sa.Column("amount", sa.Float(), nullable=False),
        *(
            sa.Column(name, LARGE, nullable=False)
            for name in ("calls", "input_tokens", "output_tokens", "pictures")
        ),
    )
    op.create_index("ix_spending_run", "spending", ["run"])
    # A seed and the pictures after it pass 2,147,483,647.
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("generation", "seed", type_=sa.BigInteger())
