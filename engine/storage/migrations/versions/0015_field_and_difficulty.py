"""Adds to evaluations and scores the field of I-HallA and the difficulty of a prompt.

The field follows from the category, where one is known; no difficulty was kept before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

# The categories of each field as they were at this version (I-HallA, table 1).
FIELD_OF_CATEGORY = """
UPDATE {table} SET field = CASE
    WHEN category IN ('Physics', 'Biology', 'Earth Science') THEN 'Science'
    ELSE 'History' END
WHERE category <> ''
"""


def upgrade() -> None:
    for name in ("field", "difficulty"):
        op.add_column("evaluation", sa.Column(name, sa.String(), nullable=True))
        op.add_column("score", sa.Column(name, sa.String(), nullable=False, server_default=""))
    for table in ("evaluation", "score"):
        op.execute(FIELD_OF_CATEGORY.format(table=table))
