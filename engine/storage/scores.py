"""Writes the scores that leaderboards average, in the transaction that writes an evaluation."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col

from hallascope.data.models.specs import KNOWLEDGE, Knowledge
from hallascope.engine.storage.database import storable
from hallascope.engine.storage.tables import SETTINGS, EvaluationRow, ScoreRow
from hallascope.metrics.running_sums import ALL, ScoreContribution

INJECTED = "injected"  # the setting of a picture that names the knowledge its model is given
SEVERAL = "+"  # separates the domains of a prompt
MAIN = "score"  # the name of the main score of every metric
HELD_BACK = 0.0  # in place of the time of an evaluation that counts in its run alone
# the row of an evaluation without a main score
_NO_SCORE = ScoreContribution(score="", part=ALL, total=0.0, weight=0.0, answered=0, unanswered=0)

# Written out: a statement that is built anew for every evaluation takes longer than the database.
_COLUMNS = tuple(ScoreRow.model_fields)
_SAME = "prompt = :prompt AND model = :model AND metric = :metric"
_LOCK = sa.text("SELECT pg_advisory_xact_lock(:number)")
_DELETE = sa.text(f"DELETE FROM score WHERE {_SAME} AND evaluation = :evaluation")
_DELETE_OF_RUN = sa.text(f"DELETE FROM score WHERE {_SAME} AND run = :run")
_PAIRS_OF_RUN = sa.text(
    "SELECT DISTINCT metric, model FROM score WHERE prompt = :prompt AND run = :run"
)
_INSERT = sa.text(
    f"INSERT INTO score ({', '.join(_COLUMNS)}) VALUES"
    f" ({', '.join(f':{name}' for name in _COLUMNS)})"
)
_HEADS = sa.text(
    "SELECT evaluation, instrument, generation, trial, newest, created, category, domain, level,"
    f" task, field, difficulty FROM score WHERE {_SAME} AND score IN ('{MAIN}', '') AND part ="
    f" '{ALL}' ORDER BY created, evaluation"
)
_SET_NEWEST = sa.text(
    f"UPDATE score SET newest = :newest WHERE {_SAME} AND evaluation = :evaluation"
)
_NOT_NEWEST = sa.text(
    "SELECT metric, model, evaluation, created FROM score WHERE prompt = :prompt AND run = :run AND"
    f" newest = :newest AND score IN ('{MAIN}', '') AND part = '{ALL}'"
)
_SET_CREATED = sa.text(
    f"UPDATE score SET created = :created WHERE {_SAME} AND evaluation = :evaluation"
)
_SET_FACETS = sa.text(
    "UPDATE score SET category = :category, domain = :domain, level = :level, task = :task,"
    f" field = :field, difficulty = :difficulty WHERE {_SAME} AND instrument = :instrument"
)


class Facets(NamedTuple):
    """Holds what a prompt is sorted by, "" where it is not known.

    `domain` may be several with "+" between. `field` is the half of I-HallA's benchmark.
    """

    category: str = ""
    domain: str = ""
    level: str = ""
    task: str = ""
    field: str = ""
    difficulty: str = ""


FACETS = Facets._fields
UNSORTED = Facets()


def prompt_key(prompt: str) -> str:
    """Return the name of a prompt in indexes, which do not take long ones."""
    return sha256(prompt.encode()).hexdigest()[:32]


def ranked_model(model: str, injected: str | None) -> str:
    """Return the name that a model is ranked by: with knowledge beside the prompt it is another."""
    return f"{model} + {injected} knowledge" if injected else model


def injected_knowledge(settings: str) -> Knowledge | None:
    """Return the knowledge that a picture's model was given beside the prompt, None without any."""
    value = SETTINGS.validate_json(settings).get(INJECTED)
    return next((knowledge for knowledge in KNOWLEDGE if knowledge == value), None)


def sorted_lineup(lineup: str) -> str:
    """Return the JSON of a line-up in the one order of its roles."""
    return json.dumps(json.loads(lineup), sort_keys=True, separators=(",", ":"))


def instrument_key(row: EvaluationRow) -> str:
    """Return a hash of all that says how an evaluation was judged."""
    parts = (row.metric, row.version, row.judge, row.judge_revision, sorted_lineup(row.lineup))
    return sha256(json.dumps(parts).encode()).hexdigest()[:16]


def head_rows() -> Any:
    """Return the condition that leaves one row of every evaluation."""
    return sa.and_(col(ScoreRow.score).in_((MAIN, "")), col(ScoreRow.part) == ALL)


def score_rows(
    row: EvaluationRow,
    contributions: Sequence[ScoreContribution],
    *,
    facets: Facets,
    seed: int,
    injected: str | None,
    created: float,
) -> list[dict[str, Any]]:
    """Return the rows of `ScoreRow` that a stored evaluation has, at least one.

    `created` is in seconds since 1970, or `HELD_BACK`.
    """
    shared = {
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
    if not any((score.score, score.part) == (MAIN, ALL) for score in contributions):
        contributions = (_NO_SCORE, *contributions)
    return [storable({**shared, **score._asdict()}) for score in contributions]


def write_scores(
    connection: sa.Connection, rows: Sequence[dict[str, Any]], *, is_visitors: bool = False
) -> None:
    """Write the rows of an evaluation that was just written, in place of those it had before.

    Of the same picture, instrument and trial in several runs it is the newest one now.
    What it says of its prompt holds for all evaluations of that prompt, model and instrument,
    or a leaderboard by domain would show one prompt in two groups. What it leaves open stays as it
    is known, and so does everything where the evaluation is a visitor's.
    """
    new = rows[0]
    key = {name: new[name] for name in ("prompt", "model", "metric")}
    _lock(connection, key)
    connection.execute(_DELETE, key | {"evaluation": new["evaluation"]})
    connection.execute(_INSERT, list(rows))
    heads = connection.execute(_HEADS, key).all()
    _spread_facets(connection, key, new, heads, is_visitors)
    _mark_newest(connection, key, heads)


def delete_scores(session: Session, run: str, prompt: str) -> None:
    """Delete the scores of a run's evaluations of a prompt.

    Where another run has evaluated the same image in the same way, its scores count instead.
    """
    connection = session.connection()
    named = {"prompt": prompt_key(prompt), "run": run}
    for row in sorted(connection.execute(_PAIRS_OF_RUN, named).all()):
        _change_scores(connection, named["prompt"], row, _DELETE_OF_RUN, {"run": run})


def has_held_back(connection: sa.Connection, run: str, prompt: str) -> bool:
    """Return whether evaluations of a prompt count in this run alone."""
    return any(row.created == HELD_BACK for row in _not_newest(connection, run, prompt))


def renew_scores(
    connection: sa.Connection, run: str, prompt: str, now: float, *, held_back: bool
) -> None:
    """Make a run's evaluations of a prompt the newest ones again, as if they were written now.

    Those are the ones that were `held_back`, or else the others.
    """
    for row in _not_newest(connection, run, prompt):
        if (row.created == HELD_BACK) == held_back:
            values = {"evaluation": row.evaluation, "created": now}
            _change_scores(connection, prompt_key(prompt), row, _SET_CREATED, values)


def _not_newest(connection: sa.Connection, run: str, prompt: str) -> list[Any]:
    named = {"prompt": prompt_key(prompt), "run": run, "newest": False}
    return sorted(connection.execute(_NOT_NEWEST, named).all())


def _change_scores(
    connection: sa.Connection, prompt: str, row: Any, change: sa.TextClause, values: dict[str, Any]
) -> None:
    """Change scores of the metric and model of a row, and mark anew which are the newest."""
    key = {"prompt": prompt, "model": row.model, "metric": row.metric}
    _lock(connection, key)
    connection.execute(change, key | values)
    _mark_newest(connection, key, connection.execute(_HEADS, key).all())


def _lock(connection: sa.Connection, key: Mapping[str, str]) -> None:
    """Keep other processes from writing scores of these until the end of the transaction.

    SQLite has one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        digest = sha256(" ".join(key.values()).encode()).hexdigest()
        connection.execute(_LOCK, {"number": int(digest[:15], 16)})


def _spread_facets(
    connection: sa.Connection,
    key: Mapping[str, str],
    new: Mapping[str, Any],
    heads: Sequence[Any],
    is_visitors: bool,
) -> None:
    instrument = new["instrument"]
    same = [head for head in heads if head.instrument == instrument]
    known = [head._asdict() for head in reversed(same) if head.evaluation != new["evaluation"]]
    sources = [*known, new] if is_visitors else [new, *known]
    facets = {f: next((each[f] for each in sources if each[f]), "") for f in FACETS}
    if any(facets[f] != getattr(head, f) for head in same for f in FACETS):
        connection.execute(_SET_FACETS, {**key, **facets, "instrument": instrument})


def _mark_newest(connection: sa.Connection, key: Mapping[str, str], heads: Sequence[Any]) -> None:
    last = {
        (head.generation, head.trial, head.instrument): head.evaluation
        for head in heads
        if head.created > HELD_BACK
    }
    for head in heads:
        newest = last.get((head.generation, head.trial, head.instrument)) == head.evaluation
        if newest != bool(head.newest):
            values = {**key, "evaluation": head.evaluation, "newest": newest}
            connection.execute(_SET_NEWEST, values)
