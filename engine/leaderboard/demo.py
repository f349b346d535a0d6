"""Holds the leaderboard that ships: numbers of a real run without its pictures.

It is shown where a store has none of its own.

A file of JSON lines, compressed where its name ends in ``.gz``: the first says where the numbers
are from and how they were judged, each of the others is one prompt with what was counted of its
pictures. It is read into a store in memory, so that it answers whatever a store does.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col, select

from hallascope.data.records import Category
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.leaderboard import queries
from hallascope.engine.storage.scores import Facets, prompt_key, score_rows, sorted_lineup
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, Run, ScoreRow
from hallascope.metrics.running_sums import ScoreContribution

FILE = Path(__file__).parents[2] / "data" / "demo" / "leaderboard.jsonl.gz"
FORMAT = 1
RUN = "demo"
NO_RUN = json.dumps({"prompt": "", "models": []})  # in place of a run's request
_INSTRUMENT = ("metric", "version", "judge", "judge_revision", "lineup")
_SUMS = ("total", "weight", "answered", "unanswered")
_DIGITS = 6
_ROWS_AT_ONCE = 1000


class LeaderboardSource(NamedTuple):
    """Holds the store that a leaderboard is read from.

    `demo`: it is the one that ships; `title` says what it shows then.
    """

    store: Store
    demo: bool
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class _DemoEvaluation:
    """Holds one evaluation of the file: what it is of, and its scores."""

    prompt: str
    facets: Facets
    instrument: dict[str, str]
    model: str
    seed: int
    trial: int
    contributions: list[ScoreContribution]


def leaderboard_source(
    store: Store, file: Path | None = None, shipped: bool = False
) -> LeaderboardSource:
    """Return the store itself where anything was evaluated, else the demo, where its file is there.

    `shipped`: the demo also where there are own numbers.
    """
    with store.database.read_transaction() as session:
        evaluated = session.exec(select(ScoreRow.evaluation).limit(1)).first() is not None
    file = file or FILE
    ships = file.exists()
    if not ships or (evaluated and not shipped):
        return LeaderboardSource(store, False)
    title, demo = _load_demo(file)
    return LeaderboardSource(demo, True, title)


# --- reading ---


@cache
def _load_demo(file: Path) -> tuple[str, Store]:
    """Return the title and the store of a file, which is read once.

    Raises StoreError with the line that cannot be used.
    """
    try:
        data = file.read_bytes()
        if file.suffix == ".gz":
            data = gzip.decompress(data)
        lines = data.decode("utf-8").rstrip("\n").split("\n")
        head = json.loads(lines[0])
        instruments = [
            {
                **{name: str(judged[name]) for name in _INSTRUMENT},
                "lineup": json.dumps(judged["lineup"], sort_keys=True, separators=(",", ":")),
            }
            for judged in head["judged"]
        ]
        title = str(head["title"])
    except (ValueError, KeyError, TypeError, IndexError, EOFError, OSError) as error:
        raise _faulty_line(file, 1, error) from error
    evaluations: list[_DemoEvaluation] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            evaluations += _read_prompt(json.loads(line), instruments)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise _faulty_line(file, number, error) from error
    store = Store("sqlite://", file.parent / "no-pictures")
    with store.database.write_transaction() as session:
        _write_evaluations(session, evaluations)
    return title, store


def _faulty_line(file: Path, line: int, error: Exception) -> StoreError:
    return StoreError(
        f"Line {line} of {file.name!r} is none of a saved leaderboard ({error!r}): save it again"
        " with `hallascope leaderboard --save-demo`."
    )


def _read_prompt(
    fields: dict[str, Any], instruments: Sequence[dict[str, str]]
) -> Iterator[_DemoEvaluation]:
    facets = _read_facets(fields)
    for picture in fields["pictures"]:
        contributions = [
            ScoreContribution(score, part, *sums)
            for score, by_part in picture["scores"].items()
            for part, sums in by_part.items()
        ]
        yield _DemoEvaluation(
            prompt=str(fields["prompt"]),
            facets=facets,
            instrument=instruments[picture["judged"]],
            model=str(picture["model"]),
            seed=int(picture["seed"]),
            trial=int(picture["trial"]),
            contributions=contributions,
        )


def _read_facets(fields: Mapping[str, Any]) -> Facets:
    """Return the facets of a line; files of older versions have neither field nor difficulty."""
    category = str(fields["category"])
    field = next((known.field for known in Category if known == category), "")
    return Facets(
        category=category,
        domain=str(fields["domain"]),
        level=str(fields["level"]),
        task=str(fields["task"]),
        field=str(fields.get("field", field)),
        difficulty=str(fields.get("difficulty", "")),
    )


def _write_evaluations(session: Session, evaluations: Sequence[_DemoEvaluation]) -> None:
    """Write all at once, without reports, which leaderboards do not read."""
    # of the same picture, way of judging and trial the last line counts
    last = {
        (item.prompt, item.model, item.seed, item.trial, *item.instrument.values()): item
        for item in evaluations
    }
    generations: dict[str, dict[str, Any]] = {}
    rows: list[dict[str, Any]] = []
    scores: list[dict[str, Any]] = []
    for number, item in enumerate(last.values(), 1):
        name = f"{item.model} {item.seed} {prompt_key(item.prompt)}"
        generations[name] = {
            "id": name,
            "revision": "",
            "prompt": item.prompt,
            "model": item.model,
            "seed": item.seed,
        }
        row = _evaluation_row(number, name, item)
        rows.append(row.model_dump())
        scores += score_rows(
            row,
            item.contributions,
            facets=item.facets,
            seed=item.seed,
            injected=None,
            created=0.0,
        )
    session.add(Run(id=RUN, state="finished", prompt="", request=NO_RUN))
    session.flush()
    if rows:
        session.execute(sa.insert(Generation), list(generations.values()))
        session.execute(sa.insert(EvaluationRow), rows)
        session.execute(sa.insert(ScoreRow), scores)


def _evaluation_row(number: int, generation: str, item: _DemoEvaluation) -> EvaluationRow:
    values: dict[str, Any] = {
        "id": number,
        "run": RUN,
        "generation": generation,
        "image": "",
        "model": item.model,
        "trial": item.trial,
        "prompt": item.prompt,
        "report": "{}",
    }
    return EvaluationRow(**{**values, **item.instrument})


# --- writing ---


def save_demo(store: Store, file: Path, title: str, runs: Sequence[str] = ()) -> int:
    """Write what a store (or these runs and sweeps of it) has as such a file.

    Return how many prompts it has. Raises BadRequest, StoreError.
    """
    by_prompt = _read_pictures(store, runs)
    if not by_prompt:
        raise BadRequest("There is nothing to save: evaluate something first, or name other runs.")
    judged = _number_instruments(
        [picture for pictures in by_prompt.values() for picture in pictures]
    )
    lines: list[dict[str, Any]] = [
        {"format": FORMAT, "title": title, "prompts": len(by_prompt), "judged": judged}
    ]
    for prompt, facets in sorted(by_prompt):
        pictures = by_prompt[prompt, facets]
        lines.append({"prompt": prompt, **facets._asdict(), "pictures": pictures})
    written = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines]
    data = "".join(f"{line}\n" for line in written).encode()
    with store.database.guard("written"):
        file.parent.mkdir(parents=True, exist_ok=True)
        # without a time, so that the same numbers are the same file
        file.write_bytes(gzip.compress(data, mtime=0) if file.suffix == ".gz" else data)
    return len(by_prompt)


def _number_instruments(pictures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put a number in the place of each picture's way of judging, and return them in that order."""
    instruments = sorted({picture["judged"] for picture in pictures})
    for picture in pictures:
        picture["judged"] = instruments.index(picture["judged"])
    return [
        {**dict(zip(_INSTRUMENT, instrument, strict=True)), "lineup": json.loads(instrument[-1])}
        for instrument in instruments
    ]


def _read_pictures(
    store: Store, runs: Sequence[str]
) -> dict[tuple[str, Facets], list[dict[str, Any]]]:
    """Return by prompt its evaluations as the file has them.

    Only `judged` is the way of judging itself, not yet its number.
    """
    by_prompt: dict[tuple[str, Facets], dict[int, dict[str, Any]]] = defaultdict(dict)
    with store.database.read_transaction() as session:
        for row in session.execute(_select_scores(runs)).yield_per(_ROWS_AT_ONCE):
            facets = Facets(*(getattr(row, name) for name in Facets._fields))
            pictures = by_prompt[row.prompt, facets]
            if row.evaluation not in pictures:
                lineup = sorted_lineup(row.lineup)
                pictures[row.evaluation] = {
                    "model": row.model,
                    "seed": row.seed,
                    "trial": row.trial,
                    "judged": (row.metric, row.version, row.judge, row.judge_revision, lineup),
                    "scores": {},
                }
            if row.score:
                sums = [round(getattr(row, name), _DIGITS) for name in _SUMS]
                pictures[row.evaluation]["scores"].setdefault(row.score, {})[row.part] = sums
    return {key: list(pictures.values()) for key, pictures in by_prompt.items()}


def _select_scores(runs: Sequence[str]) -> Any:
    """Return the statement of all scores, with what was judged and how."""
    names = (*Facets._fields, "evaluation", "model", "seed", "trial", "score", "part", *_SUMS)
    order = ("model", "metric", "evaluation", "score", "part")
    return (
        sa.select(
            *(col(getattr(EvaluationRow, name)) for name in (*_INSTRUMENT, "prompt")),
            *(col(getattr(ScoreRow, name)) for name in names),
        )
        .join(ScoreRow, col(ScoreRow.evaluation) == col(EvaluationRow.id))
        .where(queries.newest_evaluations(runs))
        .order_by(*(col(getattr(ScoreRow, name)) for name in order))
    )
