"""Makes a store as large as is asked for.

One image is judged by the models that ship; all others are its copies, with scores by chance.
"""

import itertools
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from sqlmodel import Session, SQLModel, select

from hallascope.data.concepts import LEVELS, TASKS
from hallascope.data.models.specs import read_models
from hallascope.data.records import DOMAINS, Category
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.scores import prompt_key
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    EvaluationRow,
    Generation,
    Run,
    RunPicture,
    ScoreRow,
    VerdictRow,
)

MODELS = tuple(f"maker/model-{number}" for number in range(6))
METRICS = ("ihalla", "tifa", "fig", "factualbench")
VERDICTS_PER_EVALUATION = 20  # of metrics that ask; the others have none
KINDS = 65  # of prompts: so many concepts Primer has
AT_ONCE = 500  # images
TABLES: Sequence[type[SQLModel]] = (
    Run,
    Generation,
    RunPicture,
    EvaluationRow,
    VerdictRow,
    ScoreRow,
)
Rows = dict[type[SQLModel], list[dict[str, Any]]]


def fill(folder: Path, images: int, metrics: Sequence[str] = METRICS) -> int:
    """Make a store with so many judged images of all models, and return its verdicts."""
    services = Services(Store(folder=folder), read_models())
    request = EvaluateRequest(
        prompt="three red circles above a blue square",
        models=("primer/hasty",),
        metrics=tuple(metrics),
    )
    list(services.evaluate(request))
    verdicts = 0
    with services.store.database.write_transaction() as session:
        first: Rows = {
            table: [row.model_dump() for row in session.exec(select(table)).all()]
            for table in TABLES
        }
        for start in range(1, images, AT_ONCE):
            rows: Rows = defaultdict(list)
            for number in range(start, min(start + AT_ONCE, images)):
                copy_image(first, number, rows)
            verdicts += len(rows[VerdictRow])
            for table in TABLES:
                insert(session, table, rows[table])
    services.store.close()
    return verdicts


def insert(session: Session, table: type[SQLModel], rows: Sequence[dict[str, Any]]) -> None:
    """Write rows, if any, as the driver takes them, which is ten times as fast."""
    if not rows:
        return
    names = ", ".join(f'"{name}"' for name in rows[0])
    marks = ", ".join("?" * len(rows[0]))
    statement = f'INSERT INTO "{table.__tablename__}" ({names}) VALUES ({marks})'
    session.connection().exec_driver_sql(statement, [tuple(row.values()) for row in rows])


def copy_image(first: Rows, number: int, rows: Rows) -> None:
    """Add the rows of one more image, whose scores are by chance."""
    chance = Random(number)
    prompt_number, model = divmod(number, len(MODELS))
    prompt = f"prompt number {prompt_number} of many"
    kind, task = prompt_number % KINDS, prompt_number % len(TASKS)
    facets = {
        "category": list(Category)[kind % len(Category)].value,
        "domain": DOMAINS[kind % len(DOMAINS)],
    }
    image = {"model": MODELS[model], "prompt": prompt, "image": f"{number:064x}"}
    link = {"run": f"run-{prompt_number}", "generation": f"made-{number}"}
    created = {"created": float(prompt_number)}
    if not model:
        rows[Run].append(first[Run][0] | {"id": link["run"], "prompt": prompt} | created)
    elif prompt_number == 0:
        link["run"] = first[Run][0]["id"]
    rows[Generation].append(first[Generation][0] | image | created | {"id": link["generation"]})
    rows[RunPicture].append(link | {"position": model})
    ids: dict[int, int] = {}
    for old in first[EvaluationRow]:
        ids[old["id"]] = number * len(first[EvaluationRow]) + old["id"]
        rows[EvaluationRow].append(old | image | link | facets | {"id": ids[old["id"]]})
        own = [row for row in first[VerdictRow] if row["evaluation"] == old["id"]]
        for index, row in zip(range(VERDICTS_PER_EVALUATION), itertools.cycle(own), strict=False):
            state = chance.choices(("correct", "incorrect", "failed"), (6, 3, 1))[0]
            about = {"evaluation": ids[old["id"]], "index": index, "state": state}
            rows[VerdictRow].append(row | about)
    for old in first[ScoreRow]:
        total = old["weight"] * chance.randint(0, 5) / 5
        about = {"evaluation": ids[old["evaluation"]], "model": MODELS[model], "total": total}
        levels = {"level": LEVELS[task % len(LEVELS)], "task": TASKS[task]}
        named = link | facets | levels | created | {"prompt": prompt_key(prompt)}
        rows[ScoreRow].append(old | about | named)


def images_for(verdicts: int) -> int:
    """Return how many images have so many verdicts: two of the four metrics ask."""
    return verdicts // (2 * VERDICTS_PER_EVALUATION) + 1
