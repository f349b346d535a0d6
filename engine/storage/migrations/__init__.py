"""Upgrades a database to the newest tables, one numbered step after another.

The table `schema` holds the number for every program that opens a store, older ones too; alembic
keeps its own mark beside it. Alembic is loaded only for a store that has older tables: an empty one
gets the newest at once.
"""

import threading

from sqlalchemy import Connection, func, insert, inspect, select
from sqlmodel import SQLModel, col

from hallascope.engine.storage.tables import SCHEMA, Schema

# not alembic's usual name: another program may keep its tables in the same database
MARK = "hallascope_revision"
_UPGRADE_LOCK = 4_812_007_366  # of PostgreSQL, for all who would upgrade one database
# alembic keeps the migration under way in its modules, for the whole process
_ALEMBIC_LOCK = threading.Lock()


def version(connection: Connection) -> int:
    """Return the version of the tables that are there, 0 where there are none."""
    if not inspect(connection).has_table(str(Schema.__tablename__)):
        return 0
    return connection.execute(select(func.max(col(Schema.version)))).scalar() or 0


def upgrade(connection: Connection, to: int = SCHEMA) -> None:
    """Take the missing steps, within the writing transaction of `connection`.

    A newer version is left as it is. A database without any tables gets the newest without steps.

    Of several processes that come at once, the first takes the steps and the others find them
    taken: on SQLite the transaction keeps them waiting, on PostgreSQL a lock of its own.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
    present = version(connection)
    if present >= to:
        return
    if to == SCHEMA and not inspect(connection).get_table_names():
        SQLModel.metadata.create_all(connection, checkfirst=False)
        connection.execute(insert(Schema).values(version=SCHEMA))
        return

    from alembic import command  # takes a tenth of a second, and most starts do not need it
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "hallascope.engine.storage:migrations")
    with _ALEMBIC_LOCK:
        # a store of before there were steps
        if present and not inspect(connection).has_table(MARK):
            command.stamp(config, f"{present:04}")
        command.upgrade(config, f"{to:04}")
