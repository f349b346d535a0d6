"""Adds what people say of pictures and of findings, which no score counts."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "rating",
        sa.Column("id", sa.String(), primary_key=True),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("image", "metric", "prompt", "finding", "rater", "value")
        ),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_index("ix_rating_image", "rating", ["image"])
