"""Makes a store as large as is asked for, of evaluations that nobody made, written in bulk:
``python -m bench.big_store FOLDER``.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from sqlmodel import Session, SQLModel

from hallascope.data.concepts import LEVELS, TASKS
from hallascope.data.records import COIS, DOMAINS, Category
from hallascope.engine.leaderboard.demo import NO_RUN
from hallascope.engine.storage.scores import Facets, score_rows
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    EvaluationRow,
    Generation,
    Run,
    RunPicture,
    ScoreRow,
    VerdictRow,
)
from hallascope.metrics.running_sums import ScoreContribution

MODELS = tuple(f"maker/model-{i}" for i in range(6))
STAGES = ("object", "color", "number", "position", "text")
SCORES = {
    "ihalla": ("score", "strict"),
    "tifa": ("score", "strict"),
    "fig": ("score", "soft", *STAGES, *(f"{stage}_soft" for stage in STAGES), "chair_i", "chair_s"),
    "factualbench": ("score", "concept", "task", "composition"),
}
# Questions a picture: ten an evaluation on the average, as two of the four metrics ask none.
ASKED = {"ihalla": 20, "tifa": 20}
KINDS = 64  # of prompts: so many concepts Primer has
AT_ONCE = 50  # prompts

JUDGED = {
    "version": "1",
    "judge": "maker/judge",
    "judge_revision": "1",
    "lineup": "{}",
    "report": '{"note": "' + "as a report. " * 80 + '"}',
}
COUNTED = {"counted": 5, "left_out": 0, "cached": False}

Rows = dict[type[SQLModel], list[dict[str, Any]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verdicts", type=int, default=1_000_000)
    said = parser.parse_args()
    print(f"{fill(said.folder, said.verdicts):,} verdicts in {said.folder}")


def fill(folder: Path, verdicts: int) -> int:
    """Make the store, with a tenth as many evaluations as verdicts.

    Gives how many verdicts there are.
    """
    a_prompt = len(MODELS) * sum(ASKED.values())
    prompts = -(-verdicts // a_prompt)
    store = Store(folder=folder)
    with store.database.write_transaction() as session:
        for start in range(0, prompts, AT_ONCE):
            rows: Rows = defaultdict(list)
            for number in range(start, min(start + AT_ONCE, prompts)):
                _prompt(number, rows)
            for table in (Run, Generation, RunPicture, EvaluationRow, VerdictRow, ScoreRow):
                _insert(session, table, rows[table])
    store.close()
    return prompts * a_prompt


def _insert(session: Session, table: type[SQLModel], rows: list[dict[str, Any]]) -> None:
    """As the driver takes it, which is ten times as fast."""
    names = ", ".join(f'"{name}"' for name in rows[0])
    said = f'INSERT INTO "{table.__tablename__}" ({names}) VALUES ({", ".join("?" * len(rows[0]))})'
    session.connection().exec_driver_sql(said, [tuple(row.values()) for row in rows])


def facets(number: int) -> Facets:
    """Return the facets of a prompt: as many kinds as Primer has concepts, with level and task."""
    kind, task = number % KINDS, number % len(TASKS)
    category = list(Category)[kind % len(Category)].value
    return Facets(category, DOMAINS[kind % len(DOMAINS)], LEVELS[task % len(LEVELS)], TASKS[task])


def _prompt(number: int, rows: Rows) -> None:
    run, prompt, created = f"run-{number}", f"prompt number {number} of many", float(number)
    rows[Run].append(
        {
            "id": run,
            "created": created,
            "state": "finished",
            "prompt": prompt,
            "request": NO_RUN,
            "questions": "[]",
        }
    )
    for at, model in enumerate(MODELS):
        about = {"prompt": prompt, "model": model, "image": f"{number:060x}{at:04x}"}
        made = {
            "revision": "1",
            "seed": 0,
            "state": "done",
            "settings": "{}",
            "notes": "{}",
            "created": created,
        }
        rows[Generation].append({"id": f"{run}-{at}", **about, **made})
        rows[RunPicture].append({"run": run, "generation": f"{run}-{at}", "position": at})
        for of, metric in enumerate(SCORES):
            same = {"run": run, "generation": f"{run}-{at}", "trial": 0}
            id_ = (number * len(MODELS) + at) * len(SCORES) + of + 1
            kind = facets(number)
            judged: dict[str, Any] = {**same, **about, **JUDGED, "metric": metric}
            named = {"category": kind.category, "domain": kind.domain}
            rows[EvaluationRow].append({"id": id_, **judged, **COUNTED, **named})
            row = EvaluationRow(id=id_, **judged)
            chance = Random(id_)
            states = _states(metric, chance)
            parts = list(_parts(metric, states, chance))
            rows[ScoreRow] += score_rows(
                row, parts, facets=kind, seed=0, injected=None, created=created
            )
            rows[VerdictRow] += _verdicts(id_, states)


def _states(metric: str, chance: Random) -> list[str]:
    names = ("correct", "incorrect", "failed")
    return [chance.choices(names, (6, 3, 1))[0] for _ in range(ASKED.get(metric, 0))]


def _verdicts(id_: int, states: list[str]) -> list[dict[str, Any]]:
    about = {"evaluation": id_, "question": "What?", "gold": "A", "raw": ""}
    return [
        {**about, "index": i, "coi": COIS[i % len(COIS)], "state": state}
        for i, state in enumerate(states)
    ]


def _parts(metric: str, states: list[str], chance: Random) -> Iterator[ScoreContribution]:
    for score in SCORES[metric]:
        yield ScoreContribution(
            score=score,
            part="",
            total=chance.randint(0, 5) / 5,
            weight=1.0,
            answered=5,
            unanswered=0,
        )
    for i, coi in enumerate(COIS if states else ()):
        own = states[i :: len(COIS)]
        yield ScoreContribution(
            score="score",
            part=coi,
            total=own.count("correct"),
            weight=len(own) - own.count("failed"),
            answered=len(own) - own.count("failed"),
            unanswered=own.count("failed"),
        )


if __name__ == "__main__":
    main()
