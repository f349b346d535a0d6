"""Makes the first tables: runs, pictures, evaluations, questions, replies.

The program that first made them could be killed between two of them, so each is made only where it
is missing.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _table("schema", _integer("version", primary_key=True))
    _table(
        "run",
        _text("id", primary_key=True),
        _number("created"),
        *(_text(name) for name in ("state", "prompt", "request")),
        _text("notice", nullable=True),
        _text("questions"),
    )
    _table(
        "generation",
        _text("id", primary_key=True),
        *(_text(name) for name in ("prompt", "model", "revision")),
        _integer("seed"),
        _text("settings"),
        _text("state"),
        _text("image", nullable=True),
        _number("seconds", nullable=True),
        _text("failure", nullable=True),
        _text("notes"),
        _number("created"),
    )
    _table(
        "runpicture",
        _text("run", "run.id", primary_key=True),
        _text("generation", "generation.id", primary_key=True),
        _integer("position"),
    )
    _table("truth", _text("generation", "generation.id", primary_key=True), _text("truth"))
    _evaluations()
    _table("question_set", _text("prompt", primary_key=True), _text("questions"))
    _table("cached_reply", _text("key", primary_key=True), _text("reply"), _number("created"))
    _indexes("run", "created")
    _indexes("generation", "model", "image")
    _indexes("runpicture", "generation")


def _evaluations() -> None:
    _table(
        "evaluation",
        _integer("id", primary_key=True),
        _text("run", "run.id"),
        _text("generation", "generation.id"),
        *(
            _text(name)
            for name in ("image", "model", "metric", "version", "judge", "judge_revision")
        ),
        _integer("trial"),
        _text("prompt"),
        _text("category", nullable=True),
        _text("domain", nullable=True),
        _number("value", nullable=True),
        _integer("counted"),
        _integer("left_out"),
        _number("strict", nullable=True),
        _text("report"),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("run", "generation", "metric", "judge", "trial"),
    )
    _table(
        "verdict",
        sa.Column("evaluation", sa.Integer(), sa.ForeignKey("evaluation.id"), primary_key=True),
        _integer("index", primary_key=True),
        *(_text(name) for name in ("coi", "question", "gold")),
        _text("answer", nullable=True),
        _text("state"),
        _text("raw"),
        _number("probability", nullable=True),
    )
    _indexes("evaluation", "image", "run", "model", "generation")
    _indexes("verdict", "state", "coi")


def _table(name: str, *parts: sa.Column[Any] | sa.UniqueConstraint) -> None:
    op.create_table(name, *parts, if_not_exists=True)


def _indexes(table: str, *columns: str) -> None:
    for column in columns:
        op.create_index(f"ix_{table}_{column}", table, [column], if_not_exists=True)


def _text(
    name: str, refers: str = "", *, primary_key: bool = False, nullable: bool = False
) -> sa.Column[Any]:
    foreign = [sa.ForeignKey(refers)] if refers else []
    return sa.Column(name, sa.String(), *foreign, primary_key=primary_key, nullable=nullable)


def _integer(name: str, *, primary_key: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), primary_key=primary_key, nullable=False)


def _number(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Float(), nullable=nullable)
