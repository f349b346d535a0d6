"""The leaderboard says what the reports say: each row is the mean over prompts that
`hallascope.metrics.aggregate` makes of the same reports.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import State
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.leaderboard.board import Corrections, board
from hallascope.engine.leaderboard.documents import leaderboard_document
from hallascope.engine.leaderboard.drilldown import prompt_evaluations, prompt_page
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.leaderboard.options import leaderboard_options
from hallascope.engine.storage.store import Store
from hallascope.metrics import aggregate
from tests.support.board_rows import leaderboard_rows
from tests.support.filled_store import Said, keep

STATES: tuple[State, ...] = ("correct", "incorrect", "abstained", "unreadable", "failed")


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    opened = Store(url, tmp_path / "home")
    yield opened
    opened.close()


def told(
    store: Store, by: str = "model", score: str = "score", **filters: object
) -> dict[tuple[str, str], tuple[object, ...]]:
    found = leaderboard_rows(store, by, "ihalla", score, Filters(**filters))  # type: ignore[arg-type]
    return {(row.model, row.group): (row.value, row.n, row.left_out) for row in found}


def test_what_is_unanswered_is_left_out_and_counted_never_wrong(store: Store) -> None:
    keep(store, Said("a cat", states=("correct", "failed")))
    keep(store, Said("a dog", states=("failed", "unreadable")))
    (row,) = leaderboard_rows(store)
    assert (row.value, row.n, row.left_out, row.answered, row.unanswered, row.left_out_share) == (
        1.0,
        1,
        1,
        1,
        3,
        0.75,
    )
    assert (row.low, row.high) == (None, None)


def test_a_pooled_score_weighs_what_the_reports_counted_and_not_prompts(store: Store) -> None:
    """CHAIR_i: one of two objects is hallucinated in one caption, none of six in the other."""
    keep(store, Said("a cat", metric="fig", values={"score": 1.0, "chair_i": 0.5}, counted=2))
    keep(store, Said("a dog", metric="fig", values={"score": 1.0, "chair_i": 0.0}, counted=6))
    averaged = board(store, Query("fig", "chair_i"))
    pooled = board(store, Query("fig", "chair_i_pooled"))
    assert [(row.value, row.n) for row in averaged.rows] == [(0.25, 2)]
    assert [(row.value, row.n) for row in pooled.rows] == [(0.125, 8)]
    assert (averaged.unit, pooled.unit) == ("prompts", "items")
    scores = leaderboard_options(store, "fig").scores
    assert scores[-2:] == ("chair_i", "chair_i_pooled")


def test_numbers_of_two_judges_or_versions_are_never_averaged(store: Store) -> None:
    keep(store, Said("a cat", states=("correct",)))
    keep(store, Said("a dog", states=("correct",)))
    keep(store, Said("a dog", states=("incorrect",), judge="j/two", run="s"))
    keep(store, Said("a dog", states=("incorrect",), version="2", run="t"))
    found = board(store, Query())
    assert [row.value for row in found.rows] == [1.0]
    assert found.instrument is not None
    assert (
        found.instrument.judge,
        found.instrument.version,
        found.instrument.prompts,
        len(found.instruments),
    ) == ("j/one", "1", 2, 3)
    document = leaderboard_document(found, demo=True)
    assert document["judged_by"] == {
        "version": "1",
        "wording": "ours",
        "protocol": "",
        "judge": "j/one",
        "lineup": {"judge": "j/one"},
    }
    others = [(other["judge"], other["version"]) for other in document["judged_otherwise"]]
    assert sorted(others) == [("j/one", "2"), ("j/two", "1")]
    assert document["interval"] == {"level": 0.95, "by": "prompt", "method": found.interval_method}
    assert (document["unit"], document["demo"]) == ("prompts", True)
    assert json.loads(json.dumps(document)) == document
    assert told(store, judge="j/two") == {("m/one", ""): (0.0, 1, 0)}
    assert told(store, "judge") == {
        ("m/one", "j/one"): (1.0, 2, 0),
        ("m/one", "j/two"): (0.0, 1, 0),
    }
    assert told(store, instrument=found.instruments[-1].key) == {("m/one", ""): (0.0, 1, 0)}


def test_two_protocols_stand_apart_and_who_never_answered_stands_with_one(store: Store) -> None:
    never: tuple[State, ...] = ("failed",) * 4
    keep(store, Said(model="m/one", version="1~ranked"))
    keep(store, Said(model="m/one", prompt="a dog", version="1~ranked"))
    keep(store, Said(model="m/two", version="1", states=never))
    keep(store, Said(model="m/two", prompt="a dog", version="1", states=never))
    keep(store, Said(model="m/three", version="1~free", states=("incorrect",)))
    found = board(store, Query("ihalla"))
    assert {row.model: (row.value, row.left_out) for row in found.rows} == {
        "m/one": (1.0, 0),
        "m/two": (None, 2),
    }
    assert found.instrument is not None
    assert found.instrument.version == "1~ranked"


def test_a_failure_that_was_answered_in_another_run_is_not_left_out(store: Store) -> None:
    keep(store, Said(states=("failed",), run="down"))
    keep(store, Said("a dog", states=("failed",), run="down"))
    keep(store, Said(version="1~ranked", run="up"))
    (row,) = board(store, Query()).rows
    assert (row.value, row.n, row.left_out, row.unanswered) == (1.0, 1, 1, 1)
    assert prompt_page(store, Query(), "m/one").total == 2
    assert told(store, runs=("down",)) == {("m/one", ""): (None, 0, 2)}
    assert told(store, runs=("up", "down")) == {("m/one", ""): (1.0, 1, 1)}


@pytest.mark.parametrize("by, left_out", [("model", 0), ("judge", 0), ("coi", 1)])
def test_a_prompt_of_which_one_picture_has_no_answer_counts_once_and_is_not_left_out(
    store: Store, by: Grouping, left_out: int
) -> None:
    """By composition of interest questions count, of which one has no answer."""
    keep(store, Said(version="1~ranked"))
    keep(store, Said(states=("failed",), seed=1))
    (row,) = board(store, Query(by=by)).rows
    assert (row.value, row.n, row.left_out, row.answered, row.unanswered) == (
        1.0,
        1,
        left_out,
        1,
        1,
    )
    found = prompt_page(store, Query(by=by), "m/one", row.group)
    assert (found.total, [item.pictures for item in found.items]) == (1, [2])


def test_by_field_a_prompt_counts_in_the_half_of_its_category_or_in_the_given_one(
    store: Store,
) -> None:
    keep(store, Said("a cat", category="Biology"))
    keep(store, Said("a vase", states=("incorrect",), category="Eastern Modern"))
    keep(store, Said("a crown", category=None, benchmark_field="History"))
    keep(store, Said("a hamburger", category=None))
    groups = {
        ("m/one", "Science"): (1.0, 1, 0),
        ("m/one", "History"): (0.5, 2, 0),
        ("m/one", "not given"): (1.0, 1, 0),
    }
    assert told(store, "field") == groups
    assert told(store, field="History") == {("m/one", ""): (0.5, 2, 0)}
    assert leaderboard_options(store, "ihalla").groups["field"] == ("Science", "History")


def test_a_prompt_of_two_domains_is_counted_in_both(store: Store) -> None:
    keep(store, Said("a cat and a pizza", domain="animal+food"))
    keep(store, Said("a cat", states=("incorrect",)))
    keep(store, Said("a stone", domain=None))
    assert {key[1]: value for key, value in told(store, "domain").items()} == {
        "animal": (0.5, 2, 0),
        "food": (1.0, 1, 0),
        "not given": (1.0, 1, 0),
    }
    assert told(store, domain="food") == {("m/one", ""): (1.0, 1, 0)}
    assert told(store, "domain", domain="food") == {("m/one", "food"): (1.0, 1, 0)}
    assert told(store, domain="not given") == {("m/one", ""): (1.0, 1, 0)}


def test_a_model_with_injected_knowledge_is_another_one_and_own_pictures_are_of_none(
    store: Store,
) -> None:
    keep(store, Said())
    keep(store, Said(states=("incorrect",), settings={"injected": "text"}))
    keep(store, Said(model="uploaded"))
    assert told(store) == {("m/one", ""): (1.0, 1, 0), ("m/one + text knowledge", ""): (0.0, 1, 0)}
    assert told(store, models=("uploaded",)) == {("uploaded", ""): (1.0, 1, 0)}
    with pytest.raises(BadRequest, match="by their run"):
        prompt_page(store, Query("ihalla"), "uploaded")


SAID = st.builds(
    Said,
    prompt=st.sampled_from(["a cat", "a dog", "ein Hund\u2028"]),
    states=st.lists(st.sampled_from(STATES), max_size=4),
    seed=st.integers(0, 1),
    trial=st.integers(0, 1),
    run=st.sampled_from(["r", "s"]),
    version=st.sampled_from(["1", "1", "2"]),
    domain=st.sampled_from(["animal", "animal+food", None]),
)


def test_whatever_is_written_every_row_is_the_mean_of_its_reports(store: Store) -> None:
    """Every example has a model of its own in one store, as a store takes long to make."""
    numbers = count()

    @settings(max_examples=8, deadline=None, database=None, phases=(Phase.generate,))
    @given(st.lists(SAID, min_size=1, max_size=6))
    def holds(said: list[Said]) -> None:
        kept: dict[tuple[str, str, int], Said] = {}  # the oldest first
        model = f"m/{next(numbers)}"
        for one in (replace(one, model=model) for one in said):
            keep(store, one)
            kept.pop((one.run, one.generation, one.trial), None)
            kept[one.run, one.generation, one.trial] = one
        last = {(one.generation, one.trial, one.version): one for one in kept.values()}
        for way in board(store, Query(filters=Filters(models=(model,)))).instruments:
            own = [one for one in last.values() if one.version == way.version and one.states]
            _compare(store, Filters(models=(model,), instrument=way.key), own)

    holds()


def test_an_evaluation_and_its_scores_are_written_together_or_not_at_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left")

    keep(store, Said("a cat"))
    monkeypatch.setattr("hallascope.engine.storage.evaluations.write_scores", fail)
    with pytest.raises(StoreError, match="no space left"):
        keep(store, Said("a dog"))
    assert [found.report.prompt for found in store.evaluations("r")] == ["a cat"]


def _compare(store: Store, filters: Filters, own: list[Said]) -> None:
    reports = [one.report for one in own]
    by_trial = {
        str(trial): [one.report for one in own if one.trial == trial]
        for trial in {one.trial for one in own}
    }
    for narrow in (filters, replace(filters, since=0.0)):
        found = {by: told(store, by, **vars(narrow)) for by in ("model", "coi", "trial", "domain")}
        model = filters.models[0]
        assert found["model"].get((model, "")) == _of(aggregate.mean(reports))
        assert told(store, score="strict", **vars(narrow)).get((model, "")) == _of(
            aggregate.mean(reports, "strict")
        )
        assert found["coi"] == {
            (model, coi): _of(mean) for coi, mean in aggregate.by_coi(reports).items()
        }
        assert found["trial"] == {
            (model, trial): _of(aggregate.mean(several)) for trial, several in by_trial.items()
        }


def _of(mean: aggregate.Mean) -> tuple[object, ...] | None:
    value = None if mean.value is None else pytest.approx(mean.value)
    return (value, mean.n, mean.left_out) if mean.n + mean.left_out else None


# --- corrections of what prompts ask for

ANN = PromptReading(prompt="a cat", source="person", author="Ann")
BO = PromptReading(
    prompt="a cat", objects=(AskedObject(id="o1", name="cat"),), source="person", author="Bo"
)


def test_a_leaderboard_says_whose_readings_its_numbers_rest_on(store: Store) -> None:
    keep(store, Said("a cat"))
    keep(store, Said("a dog", reading=PromptReading(prompt="a dog")))
    query = Query("ihalla")
    assert board(store, query).corrections is None
    keep(store, Said("a cat", run="again", reading=ANN))
    keep(store, Said("a cow", reading=replace(BO, author="")))
    corrections = board(store, query).corrections
    assert corrections == Corrections(prompts=2, authors=("Ann",), mixed=0)
    assert corrections.sentence == "What 2 prompts ask for was corrected by Ann."
    by_coi = board(store, Query("ihalla", "score", "coi"))
    assert by_coi.corrections == corrections
    assert board(store, Query("ihalla", filters=Filters(prompts=("a dog",)))).corrections is None
    assert board(store, Query("ihalla", filters=Filters(runs=("r",)))).corrections == Corrections(
        prompts=1, authors=(), mixed=0
    )


def test_where_lower_is_better_the_highest_is_first(store: Store) -> None:
    """Prompts behind a bar, and the evaluations of one prompt."""
    for seed, value in enumerate((0.25, 1.0, 0.5)):
        keep(store, Said("a cat", metric="fig", values={"score": 1.0, "chair_i": value}, seed=seed))
    keep(store, Said("a dog", metric="fig", values={"score": 1.0, "chair_i": 0.75}))
    query = Query("fig", "chair_i")
    page = prompt_page(store, query, "m/one")
    assert [(item.prompt, item.value) for item in page.items] == [
        ("a dog", 0.75),
        ("a cat", pytest.approx(1.75 / 3)),
    ]
    shown = prompt_evaluations(store, query, "m/one", "a cat")
    assert [(item.seed, item.value) for item in shown] == [(1, 1.0), (2, 0.5), (0, 0.25)]


def test_behind_a_bar_is_what_the_judge_of_the_leaderboard_said(store: Store) -> None:
    for prompt in ("a cat", "a dog"):
        for model in ("m/one", "m/two"):
            keep(store, Said(prompt, model))
    keep(store, Said("a cat", judge="j/two", states=("incorrect",), run="s"))
    for behind in (
        prompt_page(store, Query(), "m/one").items,
        prompt_evaluations(store, Query(), "m/one", "a cat"),
    ):
        assert {item.value for item in behind} == {1.0}


def test_what_an_evaluation_says_of_its_prompt_holds_for_the_older_ones_too(store: Store) -> None:
    for seed, (state, domain) in enumerate((("incorrect", "animal"), ("correct", "food"))):
        keep(store, Said("a cat", states=(state,), domain=domain, seed=seed))  # type: ignore[arg-type]
    assert told(store, "domain") == {("m/one", "food"): (0.5, 1, 0)}
    assert told(store, domain="food") == {("m/one", ""): (0.5, 1, 0)}
