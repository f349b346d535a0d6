"""Ranks say which places the differences leave, and letters who cannot be told apart."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics.paired_difference import ModelDifference
from hallascope.metrics.statistics.ranking import rank_intervals

VALUES = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.2}


def pair(one: str, other: str, p: float | None) -> ModelDifference:
    return ModelDifference(
        one=one,
        other=other,
        group="",
        value=VALUES[one] - VALUES[other],
        low=None,
        high=None,
        p=p,
        corrected_p=p,
        n=30,
    )


def test_a_rank_leaves_out_what_is_better_or_worse_beyond_doubt() -> None:
    sure = {("a", "c"), ("a", "d"), ("b", "d"), ("c", "d")}
    pairs = [pair(*two, 0.001 if two in sure else 0.4) for two in combinations(VALUES, 2)]
    found = rank_intervals(VALUES, pairs)
    assert {model: (rank.words, rank.letters) for model, rank in found.items()} == {
        "a": ("1 to 2", "a"),
        "b": ("1 to 3", "ab"),
        "c": ("2 to 3", "b"),
        "d": ("4", "c"),
    }


def test_where_less_is_better_the_order_is_the_other_way_round() -> None:
    pairs = [pair(*two, 0.001) for two in combinations(VALUES, 2)]
    found = rank_intervals(VALUES, pairs, higher_is_better=False)
    assert {model: rank.words for model, rank in found.items()} == {
        "d": "1",
        "c": "2",
        "b": "3",
        "a": "4",
    }


def test_what_was_not_tested_leaves_all_ranks() -> None:
    found = rank_intervals(VALUES, [pair(*two, None) for two in combinations(VALUES, 2)])
    assert {(rank.best, rank.worst, rank.letters) for rank in found.values()} == {(1, 4, "a")}


@given(st.sets(st.sampled_from(list(combinations(VALUES, 2)))))
def test_two_models_share_a_letter_exactly_where_they_cannot_be_told_apart(
    sure: set[tuple[str, str]],
) -> None:
    pairs = [pair(*two, 0.001 if two in sure else 0.4) for two in combinations(VALUES, 2)]
    found = rank_intervals(VALUES, pairs)
    for one, other in combinations(VALUES, 2):
        shared = set(found[one].letters) & set(found[other].letters)
        assert bool(shared) is ((one, other) not in sure)
