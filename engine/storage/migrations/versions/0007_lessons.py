"""Adds sets of exercises that teachers make, and the first answers of learners."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "lesson",
        sa.Column("id", sa.String(), primary_key=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("title", "token")),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_table(
        "lesson_answer",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("lesson", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("exercise", "learner")),
        sa.Column("place", sa.Boolean(), nullable=True),
        sa.Column("fact", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
    )
    for column in ("lesson", "learner"):
        op.create_index(f"ix_lesson_answer_{column}", "lesson_answer", [column])
