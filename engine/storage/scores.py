"""Writes what leaderboards average, in the transaction that writes an evaluation.

It knows no leaderboard.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col

from hallascope.engine.storage.database import storable
from hallascope.engine.storage.tables import EvaluationRow, ScoreRow
from hallascope.metrics.running_sums import ALL, ScoreContribution

INJECTED = "injected"  # the setting of a picture that names the knowledge its model is given
SEVERAL = "+"  # between the domains of a prompt that has several
MAIN = "score"  # the name of the main score of every metric
_HEAD = ScoreContribution(
    score="", part=ALL, total=0.0, weight=0.0, answered=0, unanswered=0
)  # stands in the table for an evaluation without a main score

# Written out: a statement that is built anew for every evaluation takes longer than the database.
_COLUMNS = tuple(ScoreRow.model_fields)
_SAME = "prompt = :prompt AND model = :model AND metric = :metric"
_LOCK = sa.text("SELECT pg_advisory_xact_lock(:number)")
_DELETE = sa.text(f"DELETE FROM score WHERE {_SAME} AND evaluation = :evaluation")
_INSERT = sa.text(
    f"INSERT INTO score ({', '.join(_COLUMNS)}) VALUES"
    f" ({', '.join(f':{name}' for name in _COLUMNS)})"
)
_HEADS = sa.text(
    "SELECT evaluation, instrument, generation, trial, newest, category, domain, level, task "
    f"FROM score WHERE {_SAME} AND score IN ('{MAIN}', '') AND part = '{ALL}' "
    "ORDER BY created, evaluation"
)
_SET_NEWEST = sa.text(
    f"UPDATE score SET newest = :newest WHERE {_SAME} AND evaluation = :evaluation"
)
_SET_FACETS = sa.text(
    "UPDATE score SET category = :category, domain = :domain, level = :level, task = :task WHERE"
    f" {_SAME} AND instrument = :instrument"
)


class Facets(NamedTuple):
    """What a prompt is sorted by; "" where it is not known. `domain`: several with "+" between."""

    category: str = ""
    domain: str = ""
    level: str = ""
    task: str = ""


FACETS = Facets._fields


def prompt_key(prompt: str) -> str:
    """Return the name of a prompt in indexes, which do not take long ones."""
    return sha256(prompt.encode()).hexdigest()[:32]


def ranked_model(model: str, injected: str | None) -> str:
    """Return the name that a model is ranked by: with knowledge beside the prompt it is another."""
    return f"{model} + {injected} knowledge" if injected else model


def sorted_lineup(lineup: str) -> str:
    """Return the JSON of a line-up in the one order of its roles."""
    return json.dumps(json.loads(lineup), sort_keys=True, separators=(",", ":"))


def instrument_key(row: EvaluationRow) -> str:
    """Return a hash of all that says how an evaluation was judged."""
    way = (row.metric, row.version, row.judge, row.judge_revision, sorted_lineup(row.lineup))
    return sha256(json.dumps(way).encode()).hexdigest()[:16]


def head_rows() -> Any:
    """The condition that leaves one row of every evaluation."""
    return sa.and_(col(ScoreRow.score).in_((MAIN, "")), col(ScoreRow.part) == ALL)


def score_rows(
    row: EvaluationRow,
    parts: Sequence[ScoreContribution],
    *,
    facets: Facets,
    seed: int,
    injected: str | None,
    created: float,
) -> list[dict[str, Any]]:
    """Return the rows of `ScoreRow` that a stored evaluation has, at least one."""
    about = {
        "metric": row.metric,
        "instrument": instrument_key(row),
        "model": ranked_model(row.model, injected),
        "prompt": prompt_key(row.prompt),
        "evaluation": row.id,
        "judge": row.judge,
        **facets._asdict(),
        "run": row.run,
        "generation": row.generation,
        "seed": seed,
        "trial": row.trial,
        "newest": True,
        "created": created,
    }
    has_head = any((part.score, part.part) == (MAIN, ALL) for part in parts)
    added = parts if has_head else (_HEAD, *parts)
    return [storable({**about, **part._asdict()}) for part in added]


def write_scores(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Write the rows of an evaluation that was just written, in place of those it had before.

    Of the same picture, instrument and trial in several runs it is the newest one now.
    What it says of its prompt holds for all evaluations of that prompt, model and instrument,
    or a leaderboard by domain would show one prompt in two groups.
    """
    execute = session.connection().execute
    new = rows[0]
    same = {name: new[name] for name in ("prompt", "model", "metric")}
    if session.connection().dialect.name == "postgresql":
        # No other process writes scores of these; SQLite has one writer anyway.
        execute(_LOCK, {"number": _lock_number(same.values())})
    execute(_DELETE, same | {"evaluation": new["evaluation"]})
    execute(_INSERT, list(rows))
    heads = execute(_HEADS, same).all()
    facets = {name: new[name] for name in FACETS}
    if any(head.instrument == new["instrument"] and facets != _facets(head) for head in heads):
        execute(_SET_FACETS, same | facets | {"instrument": new["instrument"]})
    last = {(head.generation, head.trial, head.instrument): head.evaluation for head in heads}
    for head in heads:
        newest = last[head.generation, head.trial, head.instrument] == head.evaluation
        if newest != bool(head.newest):
            execute(_SET_NEWEST, same | {"evaluation": head.evaluation, "newest": newest})


def _lock_number(names: Any) -> int:
    return int(sha256(" ".join(names).encode()).hexdigest()[:15], 16)


def _facets(head: Any) -> dict[str, str]:
    return {name: getattr(head, name) for name in FACETS}
