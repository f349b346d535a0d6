"""A deleted run leaves what others need, and nothing else, on SQLite and on PostgreSQL alike."""

from dataclasses import replace

import pytest

from hallascope.data.requests import Generated
from hallascope.engine.storage.catalog import DeletionCount, RunDeletion
from hallascope.engine.storage.people.ratings import RatingSubject
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import SweepStore
from tests.engine.storage.test_store import PLACE, REQUEST, count, evaluation
from tests.support.board_rows import leaderboard_rows
from tests.support.images import png

TABLES = (
    *("run", "runpicture", "generation", "truth", "evaluation", "verdict", "score"),
    *("run_note", "embedding"),
)


@pytest.fixture
def deletion(store: Store) -> RunDeletion:
    return RunDeletion(store.database, store.images)


def keep_run(store: Store, run: str) -> str:
    """Keep a run with one evaluated image, which all runs share; return its SHA-256."""
    store.start_run(run, REQUEST, [PLACE])
    image = store.keep_image(png())
    store.keep_picture(PLACE, image, Generated(b"", truth={"values": {"legs": 4}}))
    store.keep_evaluation(run, replace(evaluation(), image=image.sha256))
    return image.sha256


def test_the_last_run_of_an_image_takes_all_with_it(store: Store, deletion: RunDeletion) -> None:
    image = keep_run(store, "a")
    small = store.images.render_thumbnail(image)
    assert small is not None
    store.catalog.rename("a", "mine")
    for embedder in ("one@1", "two@1"):
        store.embeddings.add(embedder, {image: [1.0]})
    expected = DeletionCount(runs=1, evaluations=1, verdicts=2, images=1, kept_images=0)
    assert deletion.count(["a"]) == expected
    assert store.images.path(image).exists(), "to count deletes nothing"
    assert deletion.delete(["a"]) == expected
    assert {table: count(store, table) for table in TABLES} == dict.fromkeys(TABLES, 0)
    assert not store.images.path(image).exists()
    assert not small.exists()


def test_an_image_that_another_run_shows_or_people_rated_stays_and_its_score_counts(
    store: Store, deletion: RunDeletion
) -> None:
    image = keep_run(store, "a")
    keep_run(store, "b")
    before = leaderboard_rows(store)
    assert deletion.delete(["b"]).kept_images == 1
    assert store.images.path(image).exists()
    assert store.truth(image) == {"values": {"legs": 4}}
    assert len(store.evaluations("a")) == 1
    assert [(row.model, row.value, row.n) for row in leaderboard_rows(store)] == [
        (row.model, row.value, row.n) for row in before
    ]
    assert leaderboard_rows(store), "the evaluation of the other run counts now"
    store.ratings.keep(RatingSubject(image, "ihalla", "a cat", "legs", "Ann"), "right")
    assert deletion.delete(["a"]).kept_images == 1
    assert store.images.path(image).exists()


def test_a_reference_of_another_run_stays(store: Store, deletion: RunDeletion) -> None:
    image = keep_run(store, "a")
    request = replace(REQUEST, reference=store.images.path(image))
    store.start_run("b", request, [PLACE._replace(id="g2")])
    assert deletion.delete(["a"]).kept_images == 1
    assert store.images.path(image).exists()


def test_a_sweep_goes_with_its_runs_but_not_with_those_of_another(
    store: Store, deletion: RunDeletion
) -> None:
    sweeps = SweepStore(store.database)
    for sweep, runs in (("s", ("a", "b")), ("t", ("b",))):
        sweeps.start(sweep, sweep, "{}", len(runs))
        for position, run in enumerate(runs):
            keep_run(store, run)
            sweeps.begin_item(sweep, position, run, "a cat")
    assert deletion.sweep_runs("s") == {"a"}
    deletion.delete(deletion.sweep_runs("s"), "s")
    assert [entry.id for entry in store.catalog.entries()] == ["t"]
    assert [store.has_run(run) for run in ("a", "b")] == [False, True]
