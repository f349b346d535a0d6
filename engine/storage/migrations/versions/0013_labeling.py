"""Adds plans of what people label, and who labeled or skipped what of a plan."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "labeling_plan",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("plan", sa.String(), nullable=False),
    )
    op.create_table(
        "labeling_record",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("plan", sa.String(), sa.ForeignKey("labeling_plan.id"), nullable=False),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("rater", "item", "state", "answers")
        ),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("shown", "created")),
    )
    op.create_index("ix_labeling_record_plan", "labeling_record", ["plan"])
