"""What is kept of a sweep: its items, how far each is, its questions, and how fast models were."""

from pathlib import Path

from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import (
    ItemTally,
    ModelSpeedStore,
    SweepStore,
)


def test_sweeps_and_model_speeds_are_kept_alike_in_every_database(url: str, tmp_path: Path) -> None:
    store = Store(url, tmp_path)
    sweeps, speeds = SweepStore(store.database), ModelSpeedStore(store.database)
    for _ in range(2):
        sweeps.start("s", "Mine", "{}", 4)
        for position, prompt in enumerate(("a cat", "a dog", "a bird")):
            sweeps.begin_item("s", position, f"run {position}" if position else "", prompt)
    sweeps.end_item("s", 2, ItemTally(2, 2), done=True)
    sweeps.end_item("s", 1, ItemTally(2, 1, 3, "No answer."), done=False)
    sweeps.begin_item("s", 1, "run 1", "a dog")
    assert sweeps.done_items("s") == {2}
    assert sweeps.totals("s") == (4, 1, 4, 3, 3)
    assert sweeps.failed_items("s") == [("a dog", "run 1", 3, "No answer.")]
    assert sweeps.runs("s") == ["run 1", "run 2"]
    for added in ([("m", "judge", 2, 1.0)], [("m", "judge", 3, 1.5), ("m", "writer", 1, 9.0)], []):
        speeds.add(added)
    assert speeds.all() == {("m", "judge"): (5, 2.5), ("m", "writer"): (1, 9.0)}
    store.close()
