"""Holds the leaderboard that ships: numbers of a real run without its pictures.

It is shown where a store has none of its own.

A file of JSON lines, compressed where its name ends in ``.gz``: the first says where the numbers
are from, each of the others is a table of the store, the values of each column that
leaderboards read. It is read into a store in memory, so that it answers whatever a store does.
"""

import gzip
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import SQLModel, col

from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.events import UPLOADED
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.leaderboard.queries import newest_evaluations
from hallascope.engine.storage.scores import FACETS
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, Run, ScoreRow

FILE = Path(__file__).parents[2] / "data" / "demo" / "leaderboard.jsonl.gz"
FORMAT = 2
RUN = "demo"
_ALL = Filters()
_INSTRUMENT = ("metric", "version", "judge", "judge_revision", "lineup")
# the columns of a table that the file has; the others have one value, the same in every row
_COLUMNS: dict[type[SQLModel], tuple[str, ...]] = {
    Generation: ("id", "prompt", "model", "seed"),
    EvaluationRow: ("id", "generation", "prompt", "model", "trial", *_INSTRUMENT),
    ScoreRow: (
        *("evaluation", "score", "part", "metric", "instrument", "model", "prompt", "judge"),
        *("total", "weight", "answered", "unanswered", *FACETS, "generation", "seed", "trial"),
    ),
}
_CONSTANT: dict[type[SQLModel], dict[str, Any]] = {
    Generation: {"revision": ""},
    EvaluationRow: {"run": RUN, "image": "", "report": "{}"},
    ScoreRow: {"run": RUN, "created": 0.0, "newest": True},
}


class LeaderboardSource(NamedTuple):
    """Holds the store that a leaderboard is read from.

    `demo`: it is the one that ships; `title` says what it shows then.
    """

    store: Store
    demo: bool
    title: str = ""


def leaderboard_source(
    store: Store, file: Path | None = None, shipped: bool = False, filters: Filters = _ALL
) -> LeaderboardSource:
    """Return the store itself where it ranks a model, else the demo, where its file is there.

    With `filters` that name runs or uploaded images, it is the store where it has any score.
    `shipped`: the demo also where there are own numbers. Raises StoreError where the file cannot be
    used.
    """
    shown = sa.select(col(ScoreRow.evaluation)).limit(1)
    if not filters.runs and UPLOADED not in filters.models:
        shown = shown.where(col(ScoreRow.newest), col(ScoreRow.model) != UPLOADED)
    file = file or FILE
    if not file.exists() or (not shipped and store.database.read(shown)):
        return LeaderboardSource(store, False)
    title, demo = _load_demo(file)
    return LeaderboardSource(demo, True, title)


@cache
def _load_demo(file: Path) -> tuple[str, Store]:
    """Return the title and the store of a file, which is read once."""
    store = Store("sqlite://", file.parent / "no-pictures")
    try:
        data = file.read_bytes()
        lines = (gzip.decompress(data) if file.suffix == ".gz" else data).splitlines()
        head, *tables = map(json.loads, lines)
        if head["format"] != FORMAT:
            raise ValueError(f"format {head['format']}")
        with store.database.write_transaction() as session:
            session.add(Run(id=RUN, state="finished", prompt="", request=_NO_REQUEST))
            session.flush()
            for (table, constant), saved in zip(_CONSTANT.items(), tables, strict=True):
                rows = zip(*saved.values(), strict=True)
                named = [constant | dict(zip(saved, row, strict=True)) for row in rows]
                session.execute(sa.insert(table), named)
    except (ValueError, KeyError, TypeError, EOFError, OSError, sa.exc.SQLAlchemyError) as error:
        raise StoreError(
            f"{file.name!r} is none of a saved leaderboard ({error!r}): save it again with"
            " `hallascope leaderboard --save-demo`."
        ) from error
    return str(head["title"]), store


_NO_REQUEST = json.dumps({"prompt": "", "models": []})  # in place of a run's request


def save_demo(store: Store, file: Path, title: str, runs: Sequence[str] = ()) -> int:
    """Write what a store (or these runs and sweeps of it) has as such a file.

    Return how many prompts it has. Raises BadRequest, StoreError.
    """
    newest = newest_evaluations(runs)
    chosen = {
        Generation: col(Generation.id).in_(sa.select(col(ScoreRow.generation)).where(newest)),
        EvaluationRow: col(EvaluationRow.id).in_(sa.select(col(ScoreRow.evaluation)).where(newest)),
        ScoreRow: newest,
    }
    tables = []
    for table, names in _COLUMNS.items():
        columns = [getattr(table, name) for name in names]
        statement = sa.select(*columns).where(chosen[table]).order_by(*columns)
        values = zip(*store.database.read(statement), strict=True)
        tables.append(dict(zip(names, values, strict=False)))
    if not tables[0]:
        raise BadRequest("There is nothing to save: evaluate something first, or name other runs.")
    prompts = set(tables[0]["prompt"])
    head = {"format": FORMAT, "title": title, "prompts": len(prompts)}
    written = [json.dumps(line, ensure_ascii=False) for line in (head, *tables)]
    data = "".join(f"{line}\n" for line in written).encode()
    with store.database.guard("written"):
        file.parent.mkdir(parents=True, exist_ok=True)
        # without a time, so that the same numbers are the same file
        file.write_bytes(gzip.compress(data, mtime=0) if file.suffix == ".gz" else data)
    return len(prompts)
