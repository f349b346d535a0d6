"""Creates the newest tables, or upgrades those of an earlier release.

It knows no other version: who opens a store says what to do with one.
"""

from sqlalchemy import Connection, func, insert, inspect, select, text, update
from sqlmodel import SQLModel, col

from hallascope.engine.storage.tables import SCHEMA, Schema

RELEASED = (8, 17)  # the tables of version 0.1.0 and of its last development version
_UPGRADE_LOCK = 4_812_007_366  # of PostgreSQL, for all who would upgrade one database
# columns that tables of version 8 lack
_COLUMNS = (
    ("evaluation", "field", "VARCHAR"),
    ("evaluation", "difficulty", "VARCHAR"),
    ("spending", "unconfirmed", "FLOAT DEFAULT 0 NOT NULL"),
)
# from the tables of version 8 on which the sums of leaderboards rested; an evaluation without a
# main score has a row without a score
_COPY_SCORES = """
INSERT INTO score (metric, score, part, instrument, model, prompt, evaluation, newest, total,
                   weight, answered, unanswered, judge, category, domain, level, task, run,
                   generation, seed, trial, created)
SELECT l.metric, p.score, p.part, l.instrument, l.model, s.prompt, s.evaluation, s.newest, p.total,
       p.weight, p.answered, p.unanswered, l.judge, l.category, l.domain, l.level, l.task, s.run,
       s.generation, s.seed, s.trial, s.created
FROM scored s JOIN slice l ON l.id = s.slice JOIN (
    SELECT evaluation, score, part, total, weight, answered, unanswered FROM score_part
    UNION ALL
    SELECT evaluation, '', '', 0.0, 0.0, 0, 0 FROM scored WHERE evaluation NOT IN (
        SELECT evaluation FROM score_part WHERE score = 'score' AND part = '')
) p ON p.evaluation = s.evaluation
"""
_REPLACED_BY_SCORES = ("prompt_standing", "standing", "score_part", "scored", "rollup", "slice")
# the categories of each field (I-HallA, table 1)
_SET_FIELD = """
UPDATE {table} SET field = CASE WHEN category IN ('Physics', 'Biology', 'Earth Science')
    THEN 'Science' ELSE 'History' END WHERE category <> ''
"""


def version(connection: Connection) -> int:
    """Return the version of the tables that are there, 0 where there are none."""
    if not inspect(connection).has_table(str(Schema.__tablename__)):
        return 0
    return connection.execute(select(func.max(col(Schema.version)))).scalar() or 0


def upgrade(connection: Connection) -> None:
    """Create or upgrade the tables within the writing transaction of `connection`.

    Tables of a version that was not released are left as they are.

    Of several processes that come at once, the first upgrades and the others find it done: on
    SQLite the transaction keeps them waiting, on PostgreSQL a lock of its own.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
    match version(connection):
        case 0:
            SQLModel.metadata.create_all(connection, checkfirst=False)
            connection.execute(insert(Schema).values(version=SCHEMA))
        case present if present in RELEASED:
            _upgrade_release(connection)
            connection.execute(update(Schema).values(version=SCHEMA))


def _upgrade_release(connection: Connection) -> None:
    """Add what is missing; what is there already is the operator's, and its cost confirmed."""
    SQLModel.metadata.create_all(connection)
    columns = {table: inspect(connection).get_columns(table) for table, *_ in _COLUMNS}
    for table, name, kind in _COLUMNS:
        if name not in [column["name"] for column in columns[table]]:
            connection.execute(text(f"ALTER TABLE {table} ADD COLUMN {name} {kind}"))
    if inspect(connection).has_table("scored"):
        connection.execute(text(_COPY_SCORES))
        for table in ("evaluation", "score"):
            connection.execute(text(_SET_FIELD.format(table=table)))
        for table in _REPLACED_BY_SCORES:
            connection.execute(text(f"DROP TABLE {table}"))
    # each process now knows by itself which questions are being asked
    connection.execute(text("DROP TABLE IF EXISTS claim"))
