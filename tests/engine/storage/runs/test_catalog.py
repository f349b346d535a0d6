"""Runs and sweeps are listed, named, pinned and found, on SQLite and on PostgreSQL alike."""

from dataclasses import replace

import pytest

from hallascope.data.records import Score
from hallascope.engine.errors import UnknownRun
from hallascope.engine.storage.catalog import CatalogRun, MeanScore
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.engine.sweep.store import SweepStore
from tests.engine.storage.test_store import PLACE, REQUEST, evaluation
from tests.support.images import png


def keep_run(store: Store, run: str, prompt: str, slot: PictureSlot = PLACE) -> None:
    store.start_run(run, replace(REQUEST, prompt=prompt), [slot])
    store.end_run(run, "finished")


def listed(store: Store, text: str = "") -> list[str]:
    return [entry.id for entry in store.catalog.entries(text)]


def test_runs_come_newest_first_and_pinned_ones_before_them(store: Store) -> None:
    for run in ("a", "b", "c"):
        keep_run(store, run, f"prompt {run}")
    assert listed(store) == ["c", "b", "a"]
    store.catalog.pin("a", True)
    assert listed(store) == ["a", "c", "b"]
    assert [entry.id for entry in store.catalog.entries(limit=1, offset=1)] == ["c"]
    store.catalog.pin("a", False)
    assert listed(store) == ["c", "b", "a"]
    assert store.catalog.count() == 3


def test_a_run_is_found_by_its_name_prompt_model_and_judge_in_any_case(store: Store) -> None:
    keep_run(store, "a", "A Cat 100% black")
    keep_run(store, "b", "a dog", PLACE._replace(id="g2", model="other/Model"))
    store.keep_evaluation("a", evaluation())
    store.catalog.rename("b", "Second")
    found = {text: listed(store, text) for text in ("cat", "0% B", "SECOND", "other/m", "J/ONE")}
    assert found == {
        "cat": ["a"],
        "0% B": ["a"],
        "SECOND": ["b"],
        "other/m": ["b"],
        "J/ONE": ["a"],
    }
    assert listed(store, "1_0") == [], "_ stands for itself"
    assert listed(store, "  ") == ["b", "a"]


def test_the_runs_of_a_sweep_are_one_entry(store: Store) -> None:
    for run in ("a", "b", "c"):
        keep_run(store, run, f"prompt {run}")
    sweeps = SweepStore(store.database)
    sweeps.start("s", "Two prompts", "{}", 3)
    for position, run in enumerate(("b", "a", "")):
        sweeps.begin_item("s", position, run, f"prompt {run}")
    assert sorted(listed(store)) == ["c", "s"]
    entry = store.catalog.find("s")
    assert (entry.is_sweep, entry.title) == (True, "Two prompts")
    assert entry.runs == (CatalogRun("b", "prompt b"), CatalogRun("a", "prompt a"))
    assert listed(store, "prompt a") == ["s"]
    assert listed(store, "m/one") == listed(store)
    with pytest.raises(UnknownRun, match="'a' belongs to the sweep 's'"):
        store.catalog.find("a")


def test_an_entry_says_what_it_contains(store: Store) -> None:
    keep_run(store, "a", "a cat")
    image = store.keep_image(png())
    store.keep_picture(PLACE, image)
    store.keep_evaluation("a", evaluation())
    unscored = replace(evaluation(trial=1).report, scores={"score": Score(None, 0, 5)})
    store.keep_evaluation("a", replace(evaluation(trial=1), report=unscored, metric="other"))
    contents = store.catalog.find("a")
    assert contents.models == ("m/one",)
    assert contents.judges == ("j/one",)
    assert (contents.images, contents.image) == (1, image.sha256)
    assert contents.scores == (MeanScore("ihalla", 1.0, 1, 0),), "without a score there is no mean"


def test_the_start_of_an_id_is_enough_where_it_is_one(store: Store) -> None:
    keep_run(store, "abc", "a cat")
    keep_run(store, "abd", "a dog")
    keep_run(store, "ab", "a cow")
    assert store.catalog.find("abc").title == "a cat"
    assert store.catalog.find("abd").id == "abd"
    assert store.catalog.find("ab").title == "a cow", "the whole id comes first"
    with pytest.raises(UnknownRun, match="Several runs"):
        store.catalog.find("a")
    for name in ("", "no", "%", "_"):
        with pytest.raises(UnknownRun, match="No run"):
            store.catalog.find(name)
