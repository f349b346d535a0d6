"""All models of a leaderboard are compared on the prompts that they share, in each group."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.records import State
from hallascope.engine.leaderboard import comparisons, queries
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.comparisons import compare_models, power_sentence, round_up
from hallascope.engine.leaderboard.differences import difference
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep

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


def test_by_model_all_pairs_are_corrected_and_ranks_follow(store: Store) -> None:
    found = compare_models(store, board(store, Query()))
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


def test_a_pair_has_the_difference_that_is_shown_of_the_two_alone(store: Store) -> None:
    found = compare_models(store, board(store, Query(by="coi")))
    for pair in found.pairs:
        alone = difference(store, Query(by="coi"), pair.one, pair.other, pair.group)
        assert replace(pair, corrected_p=None, prompts_needed=None) == replace(
            alone, prompts_needed=None
        )
        assert pair.p is not None
        assert pair.corrected_p is not None
        assert pair.corrected_p >= pair.p


def test_by_composition_models_are_compared_in_each(store: Store) -> None:
    found = compare_models(store, board(store, Query(by="coi")))
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


def test_the_scores_of_groups_are_those_of_single_prompts(store: Store) -> None:
    query = Query(by="coi")
    shown = board(store, query)
    scores = queries.read_group_scores(store, query, shown.instrument_keys)
    request = queries.prompt_query(store, query, ("m/fair",), "shape")
    assert scores["shape"]["m/fair"] == queries.read_score_pairs(store, request)["m/fair"]


def test_one_model_is_compared_with_nobody(store: Store) -> None:
    alone = Query(filters=Filters(models=("m/bad",)))
    found = compare_models(store, board(store, alone))
    assert (found.pairs, found.ranks, found.sentences) == ((), {}, [])


def test_too_many_pairs_are_left_out_and_counted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparisons, "MOST_PAIRS", 2)
    found = compare_models(store, board(store, Query()))
    assert (found.pairs, found.left_out_pairs) == ((), 3)
    assert "3 pairs of models are too many to compare" in found.sentences[0]


def test_of_too_few_prompts_nothing_is_told(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    for number in range(5):
        for model, state in (("m/good", "correct"), ("m/bad", "incorrect")):
            keep(store, Said(f"p {number}", model, (state,), run="r"))  # type: ignore[arg-type]
    found = compare_models(store, board(store, Query()))
    store.close()
    assert {rank.words for rank in found.ranks.values()} == {"1 to 2"}
    assert found.sentences[0].startswith("Too few prompts to tell the models apart")


def test_a_sentence_says_how_many_prompts_would_tell_two_models(store: Store) -> None:
    pair = difference(store, Query(), "m/fair", "m/good")
    words = power_sentence(replace(pair, prompts_needed=687, value=-0.0361))
    assert words == (
        "About 690 prompts would be needed to tell m/good from m/fair (difference 0.036, 80 %"
        " power)."
    )
    assert power_sentence(replace(pair, prompts_needed=None)) == ""
    assert list(map(round_up, (6, 73, 101, 12_345))) == [6, 73, 110, 13_000]
