"""The leaderboard that ships with the program: numbers of a real run without its pictures, shown
where a store has none of its own.

A file of JSON lines: the first says where the numbers are from and how they were judged, each of
the others is one prompt with what was counted of its pictures. It is read into a store in memory,
so that it answers whatever a store does.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col, select

from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.storage import leaderboard_sums, rebuild_sums
from hallascope.engine.storage.leaderboard_sums import Facets
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    EvaluationRow,
    Generation,
    Run,
    ScoredRow,
    ScorePartRow,
    SliceRow,
)

FILE = Path(__file__).parents[2] / "data" / "demo" / "leaderboard.jsonl"
FORMAT = 1
RUN = "demo"
NO_RUN = json.dumps({"prompt": "", "models": []})  # what stands where the request of a run would
_WAY = ("metric", "version", "judge", "judge_revision", "lineup")
_SUMS = ("total", "weight", "answered", "unanswered")
_DIGITS = 6


class Source(NamedTuple):
    """The store a leaderboard is read from.

    `demo`: it is the one that ships; `title` says what it shows then.

    `both`: there are own numbers and the ones that ship, so that there is a choice.
    """

    store: Store
    demo: bool
    title: str = ""
    both: bool = False


@dataclass(frozen=True)
class _Line:
    """One evaluation of the file: what it is of, and what it adds as rows of `score_part` without
    their number.
    """

    prompt: str
    facets: Facets
    way: dict[str, str]
    model: str
    seed: int
    trial: int
    parts: list[dict[str, Any]]


def source(store: Store, file: Path | None = None, shipped: bool = False) -> Source:
    """The store itself where anything was evaluated, else the demo, where the file is there.

    `shipped`: the demo also where there are own numbers.
    """
    with store.database.reading() as session:
        counted = session.exec(select(ScoredRow.evaluation).limit(1)).first()
    file = file or FILE
    there, own = file.exists(), counted is not None
    if not there or (own and not shipped):
        return Source(store, False, both=there)
    title, demo = _read(file)
    return Source(demo, True, title, both=own)


# --- reading
# ---------------------------------------------------------------------------------------------------------------


@cache
def _read(file: Path) -> tuple[str, Store]:
    """The title and the store of a file; read once.

    Raises StoreError with the line that cannot be used.
    """
    lines = file.read_text(encoding="utf-8").rstrip("\n").split("\n")
    try:
        head = json.loads(lines[0])
        ways = [_way(one) for one in head["judged"]]
        title = str(head["title"])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise StoreError(_faulty(file, 1, error)) from error
    store = Store("sqlite://", file.parent / "no-pictures")
    found = [
        one
        for number, line in enumerate(lines[1:], 2)
        for one in _of_prompt(file, number, line, ways)
    ]
    with store.database.writing() as session:
        _write(store, session, found)
        rebuild_sums.fill(session)
    return title, store


def _faulty(file: Path, line: int, error: Exception) -> str:
    return f"Line {line} of {file.name!r} is none of a saved leaderboard ({error!r}): save it again with `hallascope leaderboard --save-demo`."


def _way(said: dict[str, Any]) -> dict[str, str]:
    lineup = json.dumps(said["lineup"], sort_keys=True, separators=(",", ":"))
    return {**{name: str(said[name]) for name in _WAY}, "lineup": lineup}


def _of_prompt(
    file: Path, number: int, line: str, ways: Sequence[dict[str, str]]
) -> Iterator[_Line]:
    try:
        said = json.loads(line)
        facets = Facets(*(str(said[name]) for name in Facets._fields))
        for one in said["pictures"]:
            parts = [
                {"score": score, "part": part, **dict(zip(_SUMS, sums, strict=True))}
                for score, by_part in one["scores"].items()
                for part, sums in by_part.items()
            ]
            yield _Line(
                str(said["prompt"]),
                facets,
                ways[one["judged"]],
                str(one["model"]),
                int(one["seed"]),
                int(one["trial"]),
                parts,
            )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise StoreError(_faulty(file, number, error)) from error


def _write(store: Store, session: Session, found: Sequence[_Line]) -> None:
    """All at once, without reports, which nobody asks a leaderboard for."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    made: dict[str, dict[str, Any]] = {}
    for number, one in enumerate(found, 1):
        name = f"{one.model} {one.seed} {leaderboard_sums.prompt_key(one.prompt)}"
        made[name] = {
            "id": name,
            "prompt": one.prompt,
            "model": one.model,
            "revision": "",
            "seed": one.seed,
        }
        row = _evaluation(number, name, one)
        place = store.standings.slice(session, leaderboard_sums.slice_values(row, one.facets))
        rows["evaluation"].append(row.model_dump())
        rows["scored"].append(
            leaderboard_sums.scored_values(
                leaderboard_sums.Counted(number, row, one.facets, one.seed, None, 0.0), place
            )
        )
        rows["parts"] += [{"evaluation": number, **part} for part in one.parts]
    session.add(Run(id=RUN, state="finished", prompt="", request=NO_RUN))
    session.flush()
    tables = (
        (Generation, list(made.values())),
        (EvaluationRow, rows["evaluation"]),
        (ScoredRow, rows["scored"]),
        (ScorePartRow, rows["parts"]),
    )
    for table, values in tables:
        if values:
            session.execute(sa.insert(table), values)


def _evaluation(number: int, generation: str, one: _Line) -> EvaluationRow:
    about: dict[str, Any] = {
        "id": number,
        "run": RUN,
        "generation": generation,
        "image": "",
        "model": one.model,
        "trial": one.trial,
        "prompt": one.prompt,
    }
    return EvaluationRow(**{**about, **one.way}, report="{}")


# --- writing
# ---------------------------------------------------------------------------------------------------------------


def save(store: Store, file: Path, title: str, runs: Sequence[str] = ()) -> int:
    """Write what a store (or these runs and sweeps of it) has as such a file.

    Gives how many prompts. Raises BadRequest, StoreError.
    """
    with store.database.reading() as session:
        rows = session.execute(_evaluations(Filters(runs=tuple(runs)))).all()
    if not rows:
        raise BadRequest("There is nothing to save: evaluate something first, or name other runs.")
    parts = _parts(store, [row.evaluation for row in rows])
    ways = sorted({tuple(getattr(row, name) for name in _WAY) for row in rows})
    by_prompt: dict[tuple[str, Facets], list[Any]] = defaultdict(list)
    for row in rows:
        by_prompt[row.prompt, Facets(*(getattr(row, name) for name in Facets._fields))].append(row)
    judged = [{**dict(zip(_WAY, way, strict=True)), "lineup": json.loads(way[-1])} for way in ways]
    head = {"format": FORMAT, "title": title, "prompts": len(by_prompt), "judged": judged}
    lines = [
        {
            "prompt": prompt,
            **facets._asdict(),
            "pictures": [_picture(row, ways, parts) for row in several],
        }
        for (prompt, facets), several in sorted(by_prompt.items())
    ]
    text = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in (head, *lines)
    )
    with store.database.guard("written"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return len(by_prompt)


def _evaluations(filters: Filters) -> Any:
    about = (
        col(EvaluationRow.prompt),
        col(SliceRow.model),
        col(ScoredRow.seed),
        col(ScoredRow.trial),
        col(ScoredRow.evaluation),
    )
    named = (*(col(getattr(SliceRow, name)) for name in (*_WAY, *Facets._fields)), *about)
    chosen = sa.select(*named).join(ScoredRow, col(ScoredRow.slice) == col(SliceRow.id))
    chosen = chosen.join(EvaluationRow, col(EvaluationRow.id) == col(ScoredRow.evaluation))
    return chosen.where(*queries.of_evaluations(filters)).order_by(
        col(SliceRow.model), col(SliceRow.metric), col(ScoredRow.evaluation)
    )


def _parts(
    store: Store, evaluations: Iterable[int]
) -> dict[int, dict[str, dict[str, list[float]]]]:
    """By evaluation, score and part: the four numbers of `score_part`."""
    wanted, found = (
        set(evaluations),
        defaultdict[int, dict[str, dict[str, list[float]]]](lambda: defaultdict(dict)),
    )
    with store.database.reading() as session:
        for part in session.execute(
            sa.select(
                *(
                    col(getattr(ScorePartRow, name))
                    for name in ("evaluation", "score", "part", *_SUMS)
                )
            )
        ):
            if part.evaluation in wanted:
                found[part.evaluation][part.score][part.part] = [
                    round(value, _DIGITS) for value in part[3:]
                ]
    return found


def _picture(
    row: Any, ways: Sequence[tuple[str, ...]], parts: dict[int, dict[str, dict[str, list[float]]]]
) -> dict[str, Any]:
    judged = ways.index(tuple(getattr(row, name) for name in _WAY))
    return {
        "model": row.model,
        "seed": row.seed,
        "trial": row.trial,
        "judged": judged,
        "scores": parts[row.evaluation],
    }
