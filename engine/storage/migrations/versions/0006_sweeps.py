"""Adds sweeps, the runs and the progress of each, and how fast models were."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "sweep",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("created", sa.Float(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("state", "title", "spec")),
        sa.Column("items", sa.Integer(), nullable=False),
    )
    op.create_table(
        "sweep_item",
        sa.Column("sweep", sa.String(), sa.ForeignKey("sweep.id"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("run", "prompt")),
        sa.Column("done", sa.Boolean(), nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("pictures", "evaluations", "failures")
        ),
        sa.Column("note", sa.String(), nullable=False),
    )
    op.create_table(
        "pace",
        *(sa.Column(name, sa.String(), primary_key=True) for name in ("model", "role")),
        sa.Column("requests", LARGE, nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
    )
    op.create_index("ix_sweep_item_run", "sweep_item", ["run"])
