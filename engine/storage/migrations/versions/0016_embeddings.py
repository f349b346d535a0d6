"""Adds the vectors of images by embedders, and where images lie on a map."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "embedding",
        sa.Column("embedder", sa.String(), primary_key=True),
        sa.Column("image", sa.String(), primary_key=True),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("cluster", sa.Integer(), nullable=False),
    )
    op.create_table(
        "map_layout",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("coordinates", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
    )
