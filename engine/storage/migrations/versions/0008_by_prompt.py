"""Adds what each prompt contributes to leaderboards.

The version that had the table filled it, with the sums over it; 0010 replaces both.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "prompt_standing",
        sa.Column("prompt", sa.String(), primary_key=True),
        *(sa.Column(name, sa.Integer(), primary_key=True) for name in ("above", "trial")),
        *(sa.Column(name, sa.String(), primary_key=True) for name in ("score", "part")),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("slice", "evaluation")),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("total", "weight")),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("answered", "unanswered")),
        sa.Column("value", sa.Float()),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_prompt_standing_order",
        "prompt_standing",
        [
            "above",
            "trial",
            "score",
            "part",
            "value",
            "unanswered",
            "evaluation",
            "slice",
            "total",
            "weight",
            "answered",
        ],
    )
