"""Models are compared on the prompts that they share, in each group, and before a sweep it is known
which differences its prompts can tell."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from hallascope.data.records import State
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import comparisons
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.comparisons import (
    ASSUMED_DEVIATION,
    compare_models,
    difference,
    power_forecast,
)
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.storage.store import Store
from hallascope.metrics.statistics.paired_difference import least_difference, prompts_needed
from tests.support.filled_store import Said, keep


def test_a_difference_is_paired_by_prompt_and_says_how_sure_it_is(full: Store) -> None:
    found = difference(full, Query(), "m/two", "m/one")
    assert found.value == pytest.approx(2 / 9)
    assert found.n == 9
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    # two prompts differ, both the same way: of four flips two are as far from 0
    assert (found.p, found.flips) == (0.5, "exact")
    assert found.low < 0 < found.value < found.high
    back = difference(full, Query(), "m/one", "m/two")
    assert back.value == pytest.approx(-found.value)
    assert back.p == found.p
    assert difference(full, Query(by="coi"), "m/two", "m/one", "shape").value is None


def test_two_models_are_compared_by_the_judge_of_the_leaderboard(tmp_path: Path) -> None:
    with closing(Store(folder=tmp_path)) as store:
        for number, model in product(range(2), ("m/one", "m/two", "m/three")):
            right: State = "incorrect" if model == "m/two" else "correct"
            keep(store, Said(f"prompt {number}", model, (right,)))
        for number, model in product(range(2, 4), ("m/one", "m/two")):
            wrong: State = "incorrect" if model == "m/one" else "correct"
            keep(store, Said(f"prompt {number}", model, (wrong,), judge="j/two"))
        assert difference(store, Query(), "m/one", "m/two").value == 1.0


def test_a_model_is_not_compared_with_itself_or_nobody(full: Store) -> None:
    with pytest.raises(BadRequest, match="compared with itself"):
        difference(full, Query(), "m/one", "m/one")
    with pytest.raises(BadRequest, match="Nothing of 'm/none' is stored"):
        difference(full, Query(), "m/one", "m/none")


def test_where_nothing_is_stored_the_deviation_is_assumed(full: Store) -> None:
    found = power_forecast(full, "ihalla", ("m/new", "m/other", "m/third"), 200)
    assert found is not None
    assert (found.deviation, found.measured, found.open_pairs) == (ASSUMED_DEVIATION, 0, ())
    # three pairs are compared
    assert found.least_difference == least_difference(200, ASSUMED_DEVIATION, 0.05 / 3)
    assert prompts_needed(found.least_difference, ASSUMED_DEVIATION, 0.05 / 3) in (200, 201)
    (sentence,) = found.sentences
    assert sentence.startswith("200 prompts tell models apart that differ by 0.06")
    assert "assumed, as nothing is stored" in sentence


def test_stored_pairs_give_the_deviation_and_what_they_would_need(full: Store) -> None:
    found = power_forecast(full, "ihalla", ("m/one", "m/two"), 50)
    assert found is not None
    # of nine prompts two differ by 1
    assert found.deviation is not None
    assert abs(found.deviation - (2 * (1 - 2 / 9) / 8) ** 0.5) < 1e-9
    assert found.measured == 1
    least, power = found.sentences
    assert "measured on 1 stored pair" in least
    assert power.startswith("About 33 prompts would be needed to tell m/two from m/one")


PROMPTS = 12
# of how many prompts the color, and the shape, is right
RIGHT = {"m/good": (12, 12), "m/fair": (12, 2), "m/bad": (1, 1)}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(folder=tmp_path_factory.mktemp("compared"))
    for number in range(PROMPTS):
        for model, rights in RIGHT.items():
            states: tuple[State, ...] = tuple(
                "correct" if number < right else "incorrect" for right in rights
            )
            keep(opened, Said(f"p {number}", model, states, cois=("color", "shape"), run="r"))
    yield opened
    opened.close()


def test_by_model_all_pairs_are_corrected_and_ranks_follow(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = compare_models(store, board(store, Query()), min_prompts=1)
    assert {(pair.one, pair.other) for pair in found.pairs} == {
        ("m/good", "m/fair"),
        ("m/good", "m/bad"),
        ("m/fair", "m/bad"),
    }
    assert {model: rank.words for (model, _), rank in found.ranks.items()} == {
        "m/good": "1",
        "m/fair": "2",
        "m/bad": "3",
    }
    rule, *power = found.sentences
    assert "3 pairs; 5 % level" in rule
    assert power == [], "all are told apart"
    monkeypatch.setattr(comparisons, "MOST_PAIRS", 2)
    found = compare_models(store, board(store, Query()), min_prompts=1)
    assert (found.pairs, found.left_out_pairs) == ((), 3)
    assert "3 pairs of models are too many to compare: choose fewer" in found.sentences[0]


def test_a_pair_has_the_difference_that_is_shown_of_the_two_alone(store: Store) -> None:
    found = compare_models(store, board(store, Query(by="coi")), min_prompts=1)
    for pair in found.pairs:
        alone = difference(store, Query(by="coi"), pair.one, pair.other, pair.group)
        assert replace(pair, corrected_p=None, prompts_needed=None) == replace(
            alone, prompts_needed=None
        )
        assert pair.p is not None
        assert pair.corrected_p is not None
        assert pair.corrected_p >= pair.p


def test_by_composition_models_are_compared_in_each(store: Store) -> None:
    found = compare_models(store, board(store, Query(by="coi")), min_prompts=1)
    letters = {
        group: {model: found.ranks[model, group].letters for model in RIGHT}
        for group in ("color", "shape")
    }
    assert letters == {
        "color": {"m/good": "a", "m/fair": "a", "m/bad": "b"},
        "shape": {"m/good": "a", "m/fair": "b", "m/bad": "b"},
    }
    assert found.ranks["m/fair", "color"].words == "1 to 2"
    assert "to tell m/fair from m/bad in shape" in found.sentences[1]
