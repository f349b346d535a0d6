"""Adds what of the spending no service has confirmed.

What was booked before counts as confirmed: how it was booked stands nowhere.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    column = sa.Column("unconfirmed", sa.Float(), nullable=False, server_default="0")
    op.add_column("spending", column)
