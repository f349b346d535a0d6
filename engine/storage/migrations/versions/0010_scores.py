"""Makes one table of scores, which leaderboards average by GROUP BY.

It replaces sums that were kept up to date beside them.

It is filled from the rows that those sums were made of. Where a version before 0005 counted nothing
yet, it is filled from the reports.
"""

import json
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from alembic import op
from pydantic import TypeAdapter

revision = "0010"
down_revision = "0009"

LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
KEY = ("metric", "score", "part", "instrument", "model", "prompt", "evaluation")
FACETS = ("category", "domain", "level", "task")
SUMS = ("total", "weight", "answered", "unanswered")

# An evaluation without a main score has a row without a score, so that it is known to be there.
COPY = f"""
INSERT INTO score ({", ".join(KEY)},
                   newest, total, weight, answered, unanswered, judge, category, domain, level,
                   task, run, generation, seed, trial, created)
SELECT l.metric, p.score, p.part, l.instrument, l.model, s.prompt, s.evaluation,
       s.newest, p.total, p.weight, p.answered, p.unanswered,
       l.judge, l.category, l.domain, l.level, l.task,
       s.run, s.generation, s.seed, s.trial, s.created
FROM scored s JOIN slice l ON l.id = s.slice JOIN (
    SELECT evaluation, score, part, total, weight, answered, unanswered FROM score_part
    UNION ALL
    SELECT evaluation, '', '', 0.0, 0.0, 0, 0 FROM scored WHERE evaluation NOT IN (
        SELECT evaluation FROM score_part WHERE score = 'score' AND part = '')
) p ON p.evaluation = s.evaluation
ORDER BY 1, 2, 3, 4, 5, 6, 7
"""
# In the order in which they were written, as far as it is known.
EVALUATIONS = """
SELECT e.id, e.metric, e.version, e.judge, e.judge_revision, e.lineup, e.model, e.prompt, e.run,
       e.generation, e.trial, e.category, e.domain, r.created, r.request, g.seed, g.settings
FROM evaluation e JOIN run r ON r.id = e.run JOIN generation g ON g.id = e.generation
ORDER BY r.created, e.id
"""


def upgrade() -> None:
    score = op.create_table(
        "score",
        *(sa.Column(name, sa.String(), primary_key=True) for name in KEY[:-1]),
        sa.Column("evaluation", sa.Integer(), sa.ForeignKey("evaluation.id"), primary_key=True),
        sa.Column("newest", sa.Boolean(), nullable=False),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("total", "weight")),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("answered", "unanswered")),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("judge", *FACETS)),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("run", "generation")),
        sa.Column("seed", LARGE, nullable=False),
        sa.Column("trial", sa.Integer(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    if connection.execute(sa.text("SELECT 1 FROM scored LIMIT 1")).first():
        connection.execute(sa.text(COPY))
    else:
        _count_reports(connection, score)
    op.create_index("ix_score_prompt", "score", ["prompt", "model", "metric"])
    for table in ("prompt_standing", "standing", "score_part", "scored", "rollup", "slice"):
        op.drop_table(table)


def _count_reports(connection: sa.Connection, score: sa.Table) -> None:
    """Fill the table from the reports of all evaluations.

    Of the same picture, instrument and trial the last evaluation is the newest one.
    What the last evaluation of a prompt by a model and an instrument says of it holds for all.
    """
    rows: dict[int, dict[str, Any]] = {}
    facets: dict[tuple[str, ...], dict[str, str]] = {}
    newest: dict[tuple[str, int, str], int] = {}
    of_runs: dict[str, dict[str, str]] = {}
    for found in connection.execute(sa.text(EVALUATIONS)):
        if found.run not in of_runs:
            of_runs[found.run] = _facets(found.request)
        row = rows[found.id] = _row(found)
        own = {"category": found.category or "", "domain": found.domain or ""}
        facets[_place(row)] = of_runs[found.run] | own
        newest[row["generation"], row["trial"], row["instrument"]] = found.id
    for number, row in rows.items():
        row |= facets[_place(row)]
        same = (row["generation"], row["trial"], row["instrument"])
        row["newest"] = newest[same] == number
    for number, row in rows.items():
        report = connection.execute(
            sa.text("SELECT report FROM evaluation WHERE id = :id"), {"id": number}
        ).scalar_one()
        connection.execute(sa.insert(score), [row | part for part in _parts(report)])


def _row(found: Any) -> dict[str, Any]:
    lineup = json.dumps(json.loads(found.lineup), sort_keys=True, separators=(",", ":"))
    way = (found.metric, found.version, found.judge, found.judge_revision, lineup)
    injected = json.loads(found.settings).get("injected")
    return {
        "metric": found.metric,
        "instrument": sha256(json.dumps(way).encode()).hexdigest()[:16],
        "model": f"{found.model} + {injected} knowledge" if injected else found.model,
        "prompt": sha256(found.prompt.encode()).hexdigest()[:32],
        "evaluation": found.id,
        "judge": found.judge,
        "run": found.run,
        "generation": found.generation,
        "seed": found.seed,
        "trial": found.trial,
        "created": found.created,
    }


def _place(row: dict[str, Any]) -> tuple[str, ...]:
    return row["instrument"], row["model"], row["prompt"]


def _facets(request: str) -> dict[str, str]:
    """Return what is known of the prompt of a run from its request."""
    from hallascope.engine.events import EvaluateRequest
    from hallascope.engine.run import (
        prompt_facets as facets,  # here, as most stores need neither them nor what they load
    )

    return facets.for_request(TypeAdapter(EvaluateRequest).validate_json(request))._asdict()


def _parts(report: str) -> list[dict[str, Any]]:
    """Return the scores of a report as `hallascope.metrics.running_sums` does, at least one."""
    from hallascope.data.records import Report
    from hallascope.metrics.running_sums import score_contributions

    found = [
        part._asdict() for part in score_contributions(TypeAdapter(Report).validate_json(report))
    ]
    if any((part["score"], part["part"]) == ("score", "") for part in found):
        return found
    return [{"score": "", "part": "", **dict.fromkeys(SUMS, 0)}, *found]
