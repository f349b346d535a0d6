"""Shards of several processes come together in one store: nothing is lost, and what is in several
of them is counted once.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, Finished
from hallascope.engine.export.importer import Shards, merge, runs_in_shards, shards
from hallascope.engine.storage.store import Store
from tests.engine.export.conftest import opened
from tests.support.exports import lines_of
from tests.support.shared_runs import keep

RUNS = ("run0", "run1", "run2", "run3")


@pytest.fixture(scope="module")
def home(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with four runs, which no test changes."""
    with opened(tmp_path_factory.mktemp("homes") / "home", empty) as store:
        for run in RUNS:
            keep(store, run, f"the prompt of {run}")
        yield store


def all_lines(store: Store) -> list[list[str]]:
    return [lines_of(store, run) for run in RUNS]


def ends(*runs: str) -> list[Finished]:
    return [
        Finished(run=run, pictures=2, evaluations=4, failures=0, stopped=False, seconds=1.0)
        for run in runs
    ]


def wrote(
    store: Store,
    folder: Path,
    *runs: str,
    size: int = 50,
    sweep: str = "never begun",
    at: Sequence[float] = (),
) -> list[Any]:
    moments = iter(at or count(1_700_000_000.0))
    services: Any = SimpleNamespace(store=store)
    return list(
        Shards(services, folder, size, clock=lambda: next(moments)).write_finished_runs(
            sweep, ends(*runs)
        )
    )


def test_what_was_written_as_shards_comes_together_as_it_was_with_its_pictures(
    home: Store, store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "shards"
    assert wrote(home, folder, *RUNS, size=3) == ends(*RUNS)
    assert len(shards(folder)) == 2
    assert runs_in_shards(folder) == set(RUNS)
    found = merge(store, folder)
    assert (
        found.runs,
        found.pictures,
        found.evaluations,
        found.there,
        found.missing,
        found.faults,
    ) == (4, 12, 16, 0, 0, [])
    assert all_lines(store) == all_lines(home)
    assert all(
        shot.path and shot.path.exists() for shot in store.generated_pictures("run0") if shot.image
    )


def test_of_a_run_in_several_shards_the_newest_stands(
    store: Store, other: Store, tmp_path: Path
) -> None:
    keep(store)
    wrote(store, tmp_path / "shards", "run1", at=[1.0])
    place = store.generated_pictures("run1")[-1]
    assert place.state == "failed"
    kept = store.keep_image(
        store.images.path(store.generated_pictures("run1")[0].image or "").read_bytes(),
        {"again": "yes"},
    )
    store.keep_picture(SimpleNamespace(id=place.generation), kept)  # type: ignore[arg-type]
    wrote(store, tmp_path / "shards", "run1", at=[2.0])
    merge(other, tmp_path / "shards")
    assert other.generated_pictures("run1")[-1].state == "done"


def test_what_a_process_that_died_had_not_written_is_written_first_when_its_sweep_goes_on(
    home: Store, tmp_path: Path
) -> None:
    wrote(home, tmp_path / "shards", "run0")
    wrote(home, tmp_path / "shards", "run3", sweep="run0,run1", at=[2.0])
    assert runs_in_shards(tmp_path / "shards") == {"run0", "run1", "run3"}


def test_a_run_that_was_stopped_is_written_again_when_it_is_whole(
    store: Store, tmp_path: Path
) -> None:
    store.start_run("run1", EvaluateRequest(prompt="a", models=("m",)), [])
    store.end_run("run1", "stopped")
    wrote(store, tmp_path / "shards", "run1", at=[1.0])
    assert runs_in_shards(tmp_path / "shards") == set()
    store.end_run("run1", "finished")
    wrote(store, tmp_path / "shards", sweep="run1", at=[2.0])
    assert runs_in_shards(tmp_path / "shards") == {"run1"}


def test_a_folder_without_a_shard_is_refused_in_one_sentence(store: Store, tmp_path: Path) -> None:
    (tmp_path / "shards" / ".hallascope-half").mkdir(parents=True)
    for folder in (tmp_path / "shards", tmp_path / "nowhere"):
        with pytest.raises(
            BadRequest,
            match="holds no shard: name the folder that was given to `hallascope sweep --shards`",
        ):
            merge(store, folder)
