"""Holds the leaderboard that ships: numbers of a real run without its pictures.

It is shown where a store has none of its own.

A file of JSON lines: the first says where the numbers are from and how they were judged, each of
the others is one prompt with what was counted of its pictures. It is read into a store in memory,
so that it answers whatever a store does.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col, select

from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.storage.scores import Facets, prompt_key, score_rows, sorted_lineup
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, Run, ScoreRow
from hallascope.metrics.running_sums import ScoreContribution

FILE = Path(__file__).parents[2] / "data" / "demo" / "leaderboard.jsonl"
FORMAT = 1
RUN = "demo"
NO_RUN = json.dumps({"prompt": "", "models": []})  # what stands where the request of a run would
_WAY = ("metric", "version", "judge", "judge_revision", "lineup")
_SUMS = ("total", "weight", "answered", "unanswered")
_DIGITS = 6
_AT_ONCE = 1000  # rows of the store in memory


class LeaderboardSource(NamedTuple):
    """The store a leaderboard is read from.

    `demo`: it is the one that ships; `title` says what it shows then.

    `both`: there are own numbers and the ones that ship, so that there is a choice.
    """

    store: Store
    demo: bool
    title: str = ""
    both: bool = False


@dataclass(frozen=True, kw_only=True)
class _DemoEvaluation:
    """One evaluation of the file: what it is of, and its scores."""

    prompt: str
    facets: Facets
    way: dict[str, str]
    model: str
    seed: int
    trial: int
    parts: list[ScoreContribution]


def source(store: Store, file: Path | None = None, shipped: bool = False) -> LeaderboardSource:
    """The store itself where anything was evaluated, else the demo, where the file is there.

    `shipped`: the demo also where there are own numbers.
    """
    with store.database.reading() as session:
        counted = session.exec(select(ScoreRow.evaluation).limit(1)).first()
    file = file or FILE
    there = file.exists()
    own = counted is not None
    if not there or (own and not shipped):
        return LeaderboardSource(store, False, both=there)
    title, demo = _load_demo(file)
    return LeaderboardSource(demo, True, title, both=own)


# --- reading
# --------------------------------------------------------------------------------------------------


@cache
def _load_demo(file: Path) -> tuple[str, Store]:
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
        _write(session, found)
    return title, store


def _faulty(file: Path, line: int, error: Exception) -> str:
    return (
        f"Line {line} of {file.name!r} is none of a saved leaderboard ({error!r}): save it again"
        " with `hallascope leaderboard --save-demo`."
    )


def _way(said: dict[str, Any]) -> dict[str, str]:
    lineup = json.dumps(said["lineup"], sort_keys=True, separators=(",", ":"))
    return {**{name: str(said[name]) for name in _WAY}, "lineup": lineup}


def _of_prompt(
    file: Path, number: int, line: str, ways: Sequence[dict[str, str]]
) -> Iterator[_DemoEvaluation]:
    try:
        said = json.loads(line)
        facets = Facets(*(str(said[name]) for name in Facets._fields))
        for one in said["pictures"]:
            parts = [
                ScoreContribution(score, part, *sums)
                for score, by_part in one["scores"].items()
                for part, sums in by_part.items()
            ]
            yield _DemoEvaluation(
                prompt=str(said["prompt"]),
                facets=facets,
                way=ways[one["judged"]],
                model=str(one["model"]),
                seed=int(one["seed"]),
                trial=int(one["trial"]),
                parts=parts,
            )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise StoreError(_faulty(file, number, error)) from error


def _write(session: Session, lines: Sequence[_DemoEvaluation]) -> None:
    """Write all at once, without reports, which nobody asks a leaderboard for."""
    # of the same picture, way of judging and trial the last line counts
    last = {(one.prompt, one.model, one.seed, one.trial, *one.way.values()): one for one in lines}
    generations: dict[str, dict[str, Any]] = {}
    evaluations: list[dict[str, Any]] = []
    scores: list[dict[str, Any]] = []
    for number, one in enumerate(last.values(), 1):
        name = f"{one.model} {one.seed} {prompt_key(one.prompt)}"
        about = {"prompt": one.prompt, "model": one.model, "seed": one.seed}
        generations[name] = {"id": name, "revision": "", **about}
        row = _evaluation(number, name, one)
        evaluations.append(row.model_dump())
        scores += score_rows(
            row, one.parts, facets=one.facets, seed=one.seed, injected=None, created=0.0
        )
    session.add(Run(id=RUN, state="finished", prompt="", request=NO_RUN))
    session.flush()
    tables = (
        (Generation, list(generations.values())),
        (EvaluationRow, evaluations),
        (ScoreRow, scores),
    )
    for table, values in tables:
        if values:
            session.execute(sa.insert(table), values)


def _evaluation(number: int, generation: str, one: _DemoEvaluation) -> EvaluationRow:
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
# --------------------------------------------------------------------------------------------------


def save(store: Store, file: Path, title: str, runs: Sequence[str] = ()) -> int:
    """Write what a store (or these runs and sweeps of it) has as such a file.

    Gives how many prompts. Raises BadRequest, StoreError.
    """
    by_prompt: dict[tuple[str, Facets], dict[int, dict[str, Any]]] = defaultdict(dict)
    with store.database.reading() as session:
        for row in session.execute(_rows(Filters(runs=tuple(runs)))).yield_per(_AT_ONCE):
            facets = Facets(*(getattr(row, name) for name in Facets._fields))
            picture = by_prompt[row.prompt, facets].setdefault(row.evaluation, _picture(row))
            if row.score:
                sums = [round(getattr(row, name), _DIGITS) for name in _SUMS]
                picture["scores"].setdefault(row.score, {})[row.part] = sums
    if not by_prompt:
        raise BadRequest("There is nothing to save: evaluate something first, or name other runs.")
    every = [picture for pictures in by_prompt.values() for picture in pictures.values()]
    ways = sorted({picture["judged"] for picture in every})
    for picture in every:
        picture["judged"] = ways.index(picture["judged"])
    judged = [{**dict(zip(_WAY, way, strict=True)), "lineup": json.loads(way[-1])} for way in ways]
    head = {"format": FORMAT, "title": title, "prompts": len(by_prompt), "judged": judged}
    lines = [
        {"prompt": prompt, **facets._asdict(), "pictures": list(pictures.values())}
        for (prompt, facets), pictures in sorted(by_prompt.items(), key=lambda pair: pair[0])
    ]
    text = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in (head, *lines)
    )
    with store.database.guard("written"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return len(by_prompt)


def _rows(filters: Filters) -> Any:
    """Return the statement of all scores with how and what was judged."""
    names = (*Facets._fields, "evaluation", "model", "seed", "trial", "score", "part", *_SUMS)
    chosen = sa.select(
        *(col(getattr(EvaluationRow, name)) for name in (*_WAY, "prompt")),
        *(col(getattr(ScoreRow, name)) for name in names),
    )
    chosen = chosen.join(ScoreRow, col(ScoreRow.evaluation) == col(EvaluationRow.id))
    order = ("model", "metric", "evaluation", "score", "part")
    return chosen.where(queries.newest(filters.runs)).order_by(
        *(col(getattr(ScoreRow, name)) for name in order)
    )


def _picture(row: Any) -> dict[str, Any]:
    way = (row.metric, row.version, row.judge, row.judge_revision, sorted_lineup(row.lineup))
    told = {"model": row.model, "seed": row.seed, "trial": row.trial}
    return {**told, "judged": way, "scores": {}}
