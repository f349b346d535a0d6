"""Adds what leaderboards count, beside the reports, and their sums.

The version that had them filled them; 0010 replaces them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "slice",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False, unique=True),
        *_texts(
            "instrument",
            "facet",
            "metric",
            "version",
            "judge",
            "judge_revision",
            "lineup",
            "model",
            "category",
            "domain",
            "level",
            "task",
        ),
    )
    op.create_table(
        "rollup",
        *(
            sa.Column(name, sa.Integer(), sa.ForeignKey("slice.id"), primary_key=True)
            for name in ("slice", "above")
        ),
    )
    op.create_table(
        "scored",
        sa.Column("evaluation", sa.Integer(), sa.ForeignKey("evaluation.id"), primary_key=True),
        sa.Column("slice", sa.Integer(), sa.ForeignKey("slice.id"), nullable=False),
        *_texts("prompt", "run", "generation"),
        sa.Column("seed", LARGE, nullable=False),
        *_integers("trial"),
        sa.Column("newest", sa.Boolean(), nullable=False),
        *_numbers("created"),
    )
    op.create_table(
        "score_part",
        sa.Column("evaluation", sa.Integer(), sa.ForeignKey("evaluation.id"), primary_key=True),
        *(sa.Column(name, sa.String(), primary_key=True) for name in ("score", "part")),
        *_numbers("total", "weight"),
        *_integers("answered", "unanswered"),
    )
    op.create_table(
        "standing",
        sa.Column("slice", sa.Integer(), sa.ForeignKey("slice.id"), primary_key=True),
        sa.Column("trial", sa.Integer(), primary_key=True),
        *(sa.Column(name, sa.String(), primary_key=True) for name in ("score", "part")),
        *_integers("prompts", "empty"),
        *_numbers("total", "weight", "squares", "products", "weights"),
        *_integers("answered", "unanswered"),
    )
    op.create_index("ix_slice_instrument", "slice", ["instrument"])
    op.create_index("ix_slice_facet_metric", "slice", ["facet", "metric"])
    op.create_index("ix_scored_prompt_slice", "scored", ["prompt", "slice"])
    for column in ("slice", "run", "generation", "created"):
        op.create_index(f"ix_scored_{column}", "scored", [column])


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]


def _integers(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer(), nullable=False) for name in names]


def _numbers(*names: str) -> list[sa.Column[float]]:
    return [sa.Column(name, sa.Float(), nullable=False) for name in names]
