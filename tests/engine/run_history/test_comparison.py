"""Two runs beside each other: prompt by prompt, model by model, with what differs named."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from hallascope.data.files.object_attributes import ObjectAttribute
from hallascope.data.records import Score
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.run_history.comparison import (
    ALL_MODELS,
    compare_runs,
    comparison_document,
)
from hallascope.engine.run_history.history import RunHistory
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.engine.sweep.store import SweepStore
from hallascope.metrics.statistics.paired_difference import model_difference
from tests.engine.storage.test_store import evaluation
from tests.support.board_rows import leaderboard_rows
from tests.support.images import png

MODELS = ("m/one", "m/two")


class FilledServices:
    """Holds what a run history needs of the services: a store."""

    def __init__(self, store: Store) -> None:
        self.store = store


def keep_sweep(
    store: Store, sweep: str, values: Mapping[str, tuple[float | None, ...]], **changes: Any
) -> None:
    """Keep a sweep with an image of each model for each prompt; `values` are by prompt."""
    sweeps = SweepStore(store.database)
    sweeps.start(sweep, "", "{}", len(values))
    image = store.keep_image(png())
    for position, (prompt, scores) in enumerate(values.items()):
        run = f"{sweep}-{position}"
        slots = [
            PictureSlot(f"{run}-{model}", prompt, model, "1", changes.get("seed", 0), {})
            for model in MODELS[: len(scores)]
        ]
        request = EvaluateRequest(prompt=prompt, models=MODELS, **changes)
        store.start_run(run, request, slots)
        sweeps.begin_item(sweep, position, run, prompt)
        for slot, value in zip(slots, scores, strict=True):
            store.keep_picture(slot, image)
            store.keep_evaluation(run, judged(slot, prompt, value))


def judged(slot: PictureSlot, prompt: str, value: float | None) -> Evaluation:
    """Return what a judge said of an image."""
    score = Score(value, 5, 0) if value is not None else Score(None, 0, 5)
    report = replace(evaluation().report, prompt=prompt, scores={"score": score})
    return replace(evaluation(), generation=slot.id, model=slot.model, report=report)


FIRST = {"a cat": (1.0, 0.2), "a dog": (0.8, 0.4), "a cow": (0.6, 0.6)}
SECOND = {"a cat": (0.6, 0.2), "a dog": (0.6, 0.2), "a hen": (1.0,)}


@pytest.fixture
def compared(store: Store) -> Any:
    keep_sweep(store, "s", FIRST)
    keep_sweep(store, "t", SECOND, seed=3, judge="j/two")
    history = RunHistory(FilledServices(store))  # type: ignore[arg-type]
    return compare_runs(store, history.find("s"), history.find("t"))


def test_means_are_of_each_run_and_differences_are_paired_over_the_prompts_of_both(
    store: Store, compared: Any
) -> None:
    (by,) = compared.metrics
    for place, sweep in enumerate(("s", "t")):
        for row in leaderboard_rows(store, filters=Filters(runs=(sweep,))):
            assert by.means[row.model][place] == pytest.approx(row.value)
    assert by.means[ALL_MODELS][0] == pytest.approx(0.6)
    sides = {
        name: {prompt: (values[prompt][0], 1.0) for prompt in ("a cat", "a dog")}
        for name, values in (("one", FIRST), ("other", SECOND))
    }
    expected = model_difference("other", "one", sides)
    found = by.differences["m/one"]
    assert (found.n, found.value) == (2, pytest.approx(-0.3))
    assert (found.low, found.high) == (expected.low, expected.high)
    assert by.differences["m/two"].value == pytest.approx(-0.1)
    together = by.differences[ALL_MODELS]
    assert (together.n, together.value) == (2, pytest.approx(-0.2))
    assert together.words == "too few prompts to tell"
    document = comparison_document(compared)["metrics"][0]
    assert document["all_models"]["difference"]["n"] == 2
    assert [model["model"] for model in document["models"]] == list(MODELS)
    assert document["rows"][0]["images"][0] == {"run": "s-0", "image": "s-0-m/one"}


def test_a_row_for_each_prompt_and_model_of_either_run(compared: Any) -> None:
    (by,) = compared.metrics
    rows = {(row.prompt, row.model): row for row in by.rows}
    assert set(rows) == {
        *((prompt, model) for prompt in FIRST for model in MODELS),
        ("a hen", "m/one"),
    }
    cat = rows["a cat", "m/one"]
    assert cat.values == (1.0, 0.6)
    assert cat.difference == pytest.approx(-0.4)
    assert cat.images[0].run == "s-0"
    assert cat.images[0].thumbnail.suffix == ".webp"
    hen = rows["a hen", "m/one"]
    assert (hen.values[0], hen.images[0], hen.difference) == (None, None, None)


def test_only_what_differs_in_the_configuration_is_named(compared: Any, store: Store) -> None:
    named = {each.setting: (each.one, each.other) for each in compared.configuration}
    assert named == {
        "Prompts": ("3: a cow", "3: a hen"),
        "Judge": ("primer/judge", "j/two"),
        "Seed": ("0", "3"),
    }
    keep_sweep(store, "u", FIRST)
    history = RunHistory(FilledServices(store))  # type: ignore[arg-type]
    same = compare_runs(store, history.find("s"), history.find("u"))
    assert same.configuration == ()
    wood = ObjectAttribute("chair", "material", "wooden")
    keep_sweep(store, "v", FIRST, accept_readings=True, wording="plain", fig_attributes=(wood,))
    differing = compare_runs(store, history.find("s"), history.find("v")).configuration
    assert [(each.one, each.other) for each in differing] == [
        ("no", "yes"),
        (OURS, "plain"),
        ("none", "chair material wooden"),
    ]
    many = ("blip-itm", "blip-vqa", "clipscore")
    for sweep, name in (("w", "scene-graph"), ("x", "tifa")):
        keep_sweep(store, sweep, FIRST, metrics=(*many, name))
    ((_, *last),) = compare_runs(store, history.find("w"), history.find("x")).configuration
    assert ["graph" in last[0], "TIFA" in last[1]] == [True, True]
    assert same.metrics[0].differences["m/one"].value == pytest.approx(0.0)
    with pytest.raises(BadRequest, match="with itself"):
        compare_runs(store, history.find("s"), history.find("s"))
