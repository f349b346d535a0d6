"""What is kept of a sweep: its items, how far each is, its questions, and how fast models were."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.engine.storage.database import Database
from hallascope.engine.storage.questions_and_replies import QuestionAndReplyStore
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import (
    ItemTally,
    ModelSpeed,
    ModelSpeedStore,
    SweepStore,
    normalize_prompts,
)
from hallascope.primer import scenes


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(None, tmp_path)
    yield opened
    opened.close()


def test_sweeps_and_model_speeds_are_kept_alike_in_every_database(url: str, tmp_path: Path) -> None:
    store = Store(url, tmp_path)
    sweeps, speeds = SweepStore(store.database), ModelSpeedStore(store.database)
    for _ in range(2):
        sweeps.start("s", "Mine", "{}", 4)
        for position, prompt in enumerate(("a cat", "a dog", "a bird")):
            sweeps.begin_item("s", position, f"run {position}" if position else "", prompt)
    sweeps.end_item("s", 2, ItemTally(2, 2), done=True)
    sweeps.end_item("s", 0, ItemTally(failures=1, note="It cannot be begun."), done=False)
    sweeps.end_item("s", 1, ItemTally(2, 1, 3, "No answer."), done=False)
    sweeps.begin_item("s", 1, "run 1", "a dog")
    assert sweeps.done_items("s") == {2}
    assert sweeps.totals("s") == (4, 1, 4, 3, 4)
    assert sweeps.failed_items("s") == [
        ("a cat", "", 1, "It cannot be begun."),
        ("a dog", "run 1", 3, "No answer."),
    ]
    assert sweeps.runs("s") == ["run 1", "run 2"]
    speeds.add([("m", "judge", 2, 1.0)])
    speeds.add([("m", "judge", 3, 1.5), ("m", "writer", 1, 9.0)])
    speeds.add([])
    assert speeds.all() == {("m", "judge"): (5, 2.5), ("m", "writer"): (1, 9.0)}
    store.close()


def test_a_sweep_that_ended_is_in_that_state_and_begins_again_with_what_is_done(
    database: Database,
) -> None:
    sweeps = SweepStore(database)
    sweeps.start("s", "Mine", "{}", 2)
    sweeps.begin_item("s", 0, "run 0", "a cat")
    sweeps.end_item("s", 0, ItemTally(1, 1), done=True)
    sweeps.end("s", "stopped")
    sweeps.start("s", "Another title", "{}", 2)
    assert sweeps.done_items("s") == {0}
    assert sweeps.totals("s") == (2, 1, 1, 1, 0)
    assert sweeps.runs("another sweep") == []


def test_the_hash_of_questions_is_that_of_these_prompts_alone(database: Database) -> None:
    sweeps = SweepStore(database)
    saved = QuestionAndReplyStore(database)
    prompts = normalize_prompts(iter(["A  Ladybug"]))
    assert prompts == {"a ladybug"}
    without = sweeps.questions(prompts)
    saved.keep_question_set(scenes.parse("two tulips").questions())
    assert sweeps.questions(prompts) == without
    saved.keep_question_set(scenes.parse("a ladybug").questions())
    assert sweeps.questions(prompts) != without


def test_the_speed_of_a_model_is_the_seconds_of_one_request() -> None:
    assert ModelSpeed(requests=4, seconds=2.0).seconds_each == 0.5
