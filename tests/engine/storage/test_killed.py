"""A run that is killed in the middle goes on with the same request, and ends like one that was left
alone.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from hallascope.data.requests import Ask
from hallascope.engine.events import EvaluateRequest, Finished
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted, serve

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[3]
REQUEST = EvaluateRequest(
    prompt="a molecule of methane",
    models=("primer/exact", "primer/hasty", "primer/careless"),
    judge="scripted/judge",
)
QUESTIONS = 15

CHILD = """
import sys, threading
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.engine.storage.test_killed import REQUEST, served
left = [int(sys.argv[2])]
def script(ask):
    left[0] -= 1
    if left[0] < 0:
        with open(sys.argv[3], "w") as latch:
            latch.write("in the middle")
        threading.Event().wait()
    return "A) " + ask.choices[0]
for event in served(Path(sys.argv[1]), script)[0].evaluate(REQUEST):
    pass
"""


def first_choice(ask: Ask) -> str:
    return f"A) {ask.choices[0]}"


def served(folder: Path, script: Any) -> tuple[Services, Scripted]:
    judge = scripted("scripted/judge", "judge", script)
    return serve(Store(folder=folder), judge), judge


def rows(store: Store) -> list[Any]:
    """Everything that counts, without the times."""
    tables = {
        "run": "id, state",
        "generation": "id, state, image",
        "runpicture": "run, generation, position",
        "truth": "generation, truth",
        "evaluation": "run, generation, metric, judge, trial, value, counted, left_out, strict",
        "cached_reply": "key, reply",
    }
    verdicts = (
        'select generation, "index", answer, verdict.state, raw from verdict join evaluation on'
        " evaluation.id = evaluation"
    )
    queries = [*(f"select {columns} from {table}" for table, columns in tables.items()), verdicts]
    with store.database.engine.connect() as connection:
        return [sorted(map(tuple, connection.execute(text(query)).all())) for query in queries]


@pytest.mark.parametrize("answered", [0, 14])
def test_kill_9_in_the_middle_loses_nothing_and_doubles_nothing(
    tmp_path: Path, answered: int
) -> None:
    latch = tmp_path / "latch"
    os.mkfifo(latch)
    code = CHILD.format(root=str(ROOT))
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "killed"), str(answered), str(latch)]
    )
    latch.read_text()  # returns when the judge is being asked for the next answer
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL

    services, judge = served(tmp_path / "killed", first_choice)
    end = list(services.evaluate(REQUEST))[-1]
    undisturbed, _ = served(tmp_path / "left alone", first_choice)
    list(undisturbed.evaluate(REQUEST))
    assert isinstance(end, Finished)
    assert (end.pictures, end.evaluations, end.failures) == (3, 3, 0)
    assert rows(services.store) == rows(undisturbed.store)
    # the reply before the one under way may not have been written yet
    assert QUESTIONS - answered <= judge.calls <= QUESTIONS - answered + 1
    services.store.close()
    undisturbed.store.close()
