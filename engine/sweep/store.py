"""Keeps sweeps in the store: which there are, how far each item is, and how fast models were."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import sqlalchemy
from sqlalchemy import func
from sqlmodel import col, select

from hallascope.data.requests import Role
from hallascope.engine.events import RunState
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.tables import PaceRow, SweepItemRow, SweepRow

_END_ITEM = sqlalchemy.text(
    "UPDATE sweep_item SET pictures = :pictures, evaluations = :evaluations, failures = :failures,"
    " note = :note, done = :done WHERE sweep = :sweep AND position = :position"
)
_SELECT_ITEMS = sqlalchemy.text(
    "SELECT run, position, done, pictures, evaluations, failures, note FROM sweep_item"
    " WHERE sweep = :sweep"
)


class ItemTally(NamedTuple):
    """Holds what came of an item: pictures, evaluations and failures.

    `note` has a sentence for each of the first failures.
    """

    pictures: int = 0
    evaluations: int = 0
    failures: int = 0
    note: str = ""


class Totals(NamedTuple):
    """Holds the counts of a sweep: items done, pictures, evaluations, and failures left."""

    items: int
    done: int
    pictures: int
    evaluations: int
    failures: int


class FailedItem(NamedTuple):
    """Holds an item of which something failed; `run` is "" where it could not be begun."""

    prompt: str
    run: str
    failures: int
    note: str


class SweepStore:
    """Reads and writes the sweeps in `database`. Raises StoreError as the store does."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, sweep: str, title: str, spec: str, items: int) -> None:
        """Add a sweep; what is there of it already stays."""
        row = SweepRow(id=sweep, state="running", title=title, spec=spec, items=items)
        with self._database.write_transaction() as session:
            self._database.upsert(session, row, renew=("state", "title"))

    def end(self, sweep: str, state: RunState, items: int | None = None) -> None:
        """Note how a sweep ended, and how many items it has where that was not known before."""
        with self._database.write_transaction() as session:
            row = session.get_one(SweepRow, sweep)
            row.state = state
            row.items = row.items if items is None else items
            session.add(row)

    def items(self, sweep: str) -> dict[str, tuple[int, ItemTally | None]]:
        """Return the position of each run of a sweep, and what came of it where it is done.

        {} where there is no such sweep.
        """
        with self._database.read_connection() as connection:
            rows = connection.execute(_SELECT_ITEMS, {"sweep": sweep}).all()
        return {
            run: (position, ItemTally(*tally) if done else None)
            for run, position, done, *tally in rows
        }

    def done_items(self, sweep: str) -> frozenset[int]:
        """Return the positions of the items of which nothing is missing."""
        chosen = select(SweepItemRow.position).where(
            SweepItemRow.sweep == sweep, col(SweepItemRow.done).is_(True)
        )
        with self._database.read_transaction() as session:
            return frozenset(session.exec(chosen).all())

    def begin_item(self, sweep: str, position: int, run: str, prompt: str) -> None:
        """Note the run of an item; its progress stays."""
        row = SweepItemRow(sweep=sweep, position=position, run=run, prompt=prompt)
        with self._database.write_connection() as connection:
            self._database.write_rows(connection, SweepItemRow, [row.model_dump()], renew=("run",))

    def end_item(self, sweep: str, position: int, tally: ItemTally, done: bool) -> None:
        """Note how far an item is."""
        values = {"sweep": sweep, "position": position, "done": done, **tally._asdict()}
        with self._database.write_connection() as connection:
            connection.execute(_END_ITEM, storable(values))

    def totals(self, sweep: str) -> Totals:
        sums = [
            func.coalesce(func.sum(col(getattr(SweepItemRow, name))), 0)
            for name in ("pictures", "evaluations", "failures")
        ]
        done = func.count().filter(col(SweepItemRow.done).is_(True))
        with self._database.read_transaction() as session:
            row = session.get_one(SweepRow, sweep)
            counts = session.execute(
                sqlalchemy.select(done, *sums).where(col(SweepItemRow.sweep) == sweep)
            ).one()
        return Totals(row.items, *map(int, counts))

    def failed_items(self, sweep: str) -> list[FailedItem]:
        """Return the items of which something failed, in order."""
        chosen = select(SweepItemRow).where(SweepItemRow.sweep == sweep, SweepItemRow.failures > 0)
        with self._database.read_transaction() as session:
            rows = session.exec(chosen.order_by(col(SweepItemRow.position))).all()
        return [FailedItem(row.prompt, row.run, row.failures, row.note) for row in rows]

    def runs(self, sweep: str) -> list[str]:
        """Return the ids of its runs, in order; [] where there is no such sweep."""
        chosen = select(SweepItemRow.run).where(SweepItemRow.sweep == sweep, SweepItemRow.run != "")
        with self._database.read_transaction() as session:
            return list(session.exec(chosen.order_by(col(SweepItemRow.position))).all())


class ModelSpeed(NamedTuple):
    """Holds the seconds that a model took for so many requests in a role."""

    requests: int
    seconds: float

    @property
    def seconds_each(self) -> float:
        return self.seconds / self.requests


_ADD_PACE = sqlalchemy.text(
    "INSERT INTO pace (model, role, requests, seconds) VALUES (:model, :role, :requests, :seconds)"
    " ON CONFLICT (model, role) DO UPDATE SET requests = pace.requests + excluded.requests,"
    " seconds = pace.seconds + excluded.seconds"
)


class ModelSpeedStore:
    """Reads and writes in `database` how fast models were."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> Mapping[tuple[str, Role], ModelSpeed]:
        with self._database.read_transaction() as session:
            rows = session.exec(select(PaceRow)).all()
        return {
            (row.model, cast(Role, row.role)): ModelSpeed(row.requests, row.seconds)
            for row in rows
            if row.requests
        }

    def add(self, measured: Sequence[tuple[str, str, int, float]]) -> None:
        """Add model, role, requests and seconds to what is there."""
        rows = [
            {"model": model, "role": role, "requests": requests, "seconds": seconds}
            for model, role, requests, seconds in sorted(measured)
        ]
        if rows:
            with self._database.write_connection() as connection:
                connection.execute(_ADD_PACE, rows)
