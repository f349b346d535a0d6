"""Adds which evaluations rest on what a person says that the prompt asks for."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "corrected_evaluation",
        sa.Column("evaluation", sa.Integer(), sa.ForeignKey("evaluation.id"), primary_key=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("prompt", "reading", "author")),
    )
    op.create_index("ix_corrected_evaluation_prompt", "corrected_evaluation", ["prompt"])
