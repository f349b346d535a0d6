"""Paired differences, their tests by sign flips, corrections of many pairs and ranks."""

from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics.intervals import FloatPair
from hallascope.metrics.statistics.paired_difference import (
    ModelDifference,
    all_differences,
    difference_interval,
    holm,
    least_difference,
    model_difference,
    prompts_needed,
)
from hallascope.metrics.statistics.ranking import rank_intervals
from hallascope.metrics.statistics.sign_flips import sign_flip_tests


def side(values: "np.ndarray | list[float]", weight: float = 1.0) -> dict[str, FloatPair]:
    return {f"prompt {i}": (float(value) * weight, weight) for i, value in enumerate(values)}


def compare(one: "np.ndarray | list[float]", other: "np.ndarray | list[float]") -> ModelDifference:
    return model_difference("a", "b", {"a": side(one), "b": side(other)})


def test_a_paired_difference_is_nearer_than_its_sides_tell() -> None:
    base = np.random.default_rng(0).random(80) * 0.9
    found = compare(base + 0.02, base)
    assert found.value == pytest.approx(0.02)
    # the variance is that of one prompt more that lies 1 away, as all differences are the same
    half = scipy.stats.t.ppf(0.975, 79) * (1 / 79 / 80) ** 0.5
    assert (found.low, found.high) == pytest.approx((0.02 - half, 0.02 + half))
    assert found.p is not None
    assert found.p < 0.001
    assert found.words == "different"


def test_where_there_is_no_difference_p_is_one_and_the_interval_has_a_width() -> None:
    same = np.linspace(0, 1, 10)
    found = compare(same, same)
    assert (found.value, found.p, found.flips) == (0.0, 1.0, "exact")
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high
    assert found.words == "cannot be told apart"
    assert found.prompts_needed is None


@pytest.mark.parametrize("n", [2, 5])
def test_under_six_prompts_there_is_no_p(n: int) -> None:
    found = compare([1.0] * n, [0.0] * n)
    assert (found.value, found.p, found.flips) == (1.0, None, None)
    assert found.words == "too few prompts to tell"
    assert (found.low is None, found.high) == (False, 1.0)


def test_one_prompt_has_no_interval_and_none_no_difference() -> None:
    alone = compare([0.4], [0.2])
    assert (alone.n, alone.low, alone.words) == (1, None, "too few prompts to tell")
    none = model_difference("a", "b", {"a": {"x": (1.0, 1.0)}, "b": {"y": (1.0, 1.0)}})
    assert (none.n, none.value, none.words) == (0, None, "nothing to compare")


def test_only_prompts_of_both_count() -> None:
    one = side([0.2, 0.4, 0.6])
    other = {prompt: one[prompt] for prompt in list(one)[1:]} | {"another": (1.0, 1.0)}
    found = model_difference("a", "b", {"a": one, "b": other})
    assert (found.n, found.value) == (2, 0.0)


def test_the_difference_of_ratios_is_that_of_both_and_its_interval_is_linearized() -> None:
    chance = np.random.default_rng(8)
    weights = chance.integers(1, 5, (2, 40)).astype(float)
    sums = chance.random((2, 40)) * weights * 5
    sides = {
        name: {f"p{i}": (s, w) for i, (s, w) in enumerate(zip(*pair, strict=True))}
        for name, pair in zip("ab", zip(sums.tolist(), weights.tolist(), strict=True), strict=True)
    }
    found = model_difference("a", "b", sides, share=False)
    ratios = sums.sum(axis=1) / weights.sum(axis=1)
    assert found.value == pytest.approx(ratios[0] - ratios[1])
    pooled = sums.sum() / weights.sum()
    linear = (sums - pooled * weights) / weights.mean(axis=1, keepdims=True)
    low, high = scipy.stats.t.interval(
        0.95, 39, ratios[0] - ratios[1], scipy.stats.sem(linear[0] - linear[1])
    )
    assert (found.low, found.high) == pytest.approx((low, high))


def test_what_is_no_pair_of_sides_is_refused() -> None:
    with pytest.raises(ValueError, match="weights positive"):
        model_difference("a", "b", {"a": {"x": (1.0, 0.0)}, "b": {"x": (1.0, 1.0)}})


def test_differences_of_scores_without_bounds_have_students_interval() -> None:
    values = np.array([3.0, 5.0, 4.0, 9.0])
    found = difference_interval(values, share=False)
    assert found is not None
    assert found[:2] == pytest.approx(
        scipy.stats.t.interval(0.95, 3, values.mean(), scipy.stats.sem(values))
    )
    assert difference_interval(np.full(9, 0.1), share=False) is None


def test_the_interval_of_a_difference_covers_it_where_one_model_rarely_fails() -> None:
    chance = np.random.default_rng(3)
    held = 0
    for _ in range(1000):
        found = difference_interval((chance.random(20) < 0.05).astype(float))
        held += found is not None and found.low <= 0.05 <= found.high
    assert held >= 930


def test_holm_multiplies_the_smallest_by_all_and_keeps_the_order() -> None:
    # Holm (1979): 0.01 * 4, max(that, 0.02 * 3), 0.03 * 2 is lower than 0.06, 0.5 * 1
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx((0.06, 0.04, 0.5, 0.06))
    assert holm([0.6, 0.7]) == (1.0, 1.0)
    assert holm([]) == ()


def test_all_pairs_of_all_groups_are_corrected_together() -> None:
    chance = np.random.default_rng(1)
    models = {name: side(chance.binomial(5, 0.8, 30) / 5) for name in "abc"}
    found = all_differences({"color": models, "shape": models})
    assert [(pair.one + pair.other, pair.group) for pair in found] == [
        (pair, group) for group in ("color", "shape") for pair in ("ab", "ac", "bc")
    ]
    p = [pair.p for pair in found if pair.p is not None]
    assert [pair.corrected_p for pair in found] == pytest.approx(holm(p))
    assert all((pair.corrected_p or 0) >= (pair.p or 0) for pair in found)


def test_pairs_of_too_few_prompts_are_no_part_of_the_correction() -> None:
    chance = np.random.default_rng(1)
    many = {name: side(chance.binomial(5, 0.8, 30) / 5) for name in "ab"}
    few = {name: side([1.0, 0.0]) for name in "ab"}
    tested, untested = all_differences({"many": many, "few": few})
    assert tested.corrected_p == tested.p
    assert (untested.p, untested.corrected_p) == (None, None)


@pytest.mark.parametrize(("seed", "prompts"), [(1, 10), (2, 50)])
def test_of_ten_equal_models_a_pair_is_told_apart_on_at_most_one_board_in_twenty(
    seed: int, prompts: int
) -> None:
    chance = np.random.default_rng(seed)
    boards = 60
    wrong = 0
    for _ in range(boards):
        models = {f"m{i}": side(chance.binomial(5, 0.8, prompts) / 5) for i in range(10)}
        wrong += any(pair.told_apart for pair in all_differences({"": models}))
    assert wrong <= 7, "the chance of more than 7 of 60 is under 1.5 % where each is 5 %"


def power(n: int, effect: float) -> float:
    """Return the power of the two-sided paired t test at 5 %, by the noncentral t distribution."""
    limit = scipy.stats.t.ppf(0.975, n - 1)
    beyond = scipy.stats.nct.sf(limit, n - 1, effect * n**0.5)
    return float(beyond + scipy.stats.nct.cdf(-limit, n - 1, effect * n**0.5))


def test_as_many_prompts_as_are_needed_give_the_power() -> None:
    needed = prompts_needed(0.1, 0.3)
    assert needed is not None
    assert [power(n, 1 / 3) >= 0.8 for n in (needed - 1, needed)] == [False, True]
    chance = np.random.default_rng(0)
    p = np.asarray(scipy.stats.ttest_1samp(chance.normal(0.1, 0.3, (needed, 4000)), 0).pvalue)
    assert 0.78 < float((p < 0.05).mean()) < 0.82
    assert least_difference(needed, 0.3) == pytest.approx(0.1, abs=0.001)


def test_a_stricter_level_needs_more_prompts_and_no_difference_has_no_number() -> None:
    z = NormalDist().inv_cdf
    exact = ((z(1 - 0.005 / 2) + z(0.8)) * 3) ** 2 + z(1 - 0.005 / 2) ** 2 / 2
    assert prompts_needed(-0.1, 0.3, 0.005) == int(exact) + 1
    assert prompts_needed(0.0, 0.3) is None
    assert prompts_needed(None, None) is None
    assert prompts_needed(1.0, 0.0) == 6
    assert least_difference(5, 0.3) is None


def exact_p(values: np.ndarray) -> float:
    """Return the p of all flips, by scipy."""
    found: Any = scipy.stats.permutation_test(
        [values], np.sum, permutation_type="samples", n_resamples=100_000
    )
    return float(found.pvalue)


@pytest.mark.parametrize(
    "values",
    [[0.2, 0.2, 0.4, -0.2, 0.6, 0.2], [1.0] * 7, [0.5, -0.5], [0.3, 0.1, -0.2, 0.4, 0.7, 0.1, 0.9]],
)
def test_few_differences_have_all_their_flips_tried(values: list[float]) -> None:
    column = np.array(values)
    found = sign_flip_tests(column[:, np.newaxis])
    assert found.p == pytest.approx((exact_p(column),))
    assert found.kinds == ("exact",)


def test_zeros_change_nothing() -> None:
    values = np.array([0.4, 0.2, -0.2, 0.6, 0.2])
    padded = np.concatenate([values, np.zeros(40)])
    found = sign_flip_tests(padded[:, np.newaxis])
    assert found.p == sign_flip_tests(values[:, np.newaxis]).p
    assert found.kinds == ("exact",)
    assert sign_flip_tests(np.zeros((9, 1))).p == (1.0,)


def test_drawn_flips_come_near_all_flips_and_the_seed_fixes_them() -> None:
    values = np.random.default_rng(2).normal(0.25, 0.5, (16, 3))
    found = sign_flip_tests(values)
    assert found.kinds == ("drawn",) * 3
    assert found.p == pytest.approx([exact_p(column) for column in values.T], abs=0.012)
    assert sign_flip_tests(values).p == found.p
    assert sign_flip_tests(values, seed=1).p != found.p


def test_a_drawn_p_is_never_zero() -> None:
    (p,) = sign_flip_tests(np.ones((200, 1)), drawn=999).p
    assert p == pytest.approx(1 / 1000)


@pytest.mark.parametrize("prompts", [10, 40])
def test_where_there_is_no_difference_at_most_five_of_a_hundred_are_below_five_percent(
    prompts: int,
) -> None:
    chance = np.random.default_rng(4)
    scores = chance.binomial(5, 0.8, (2, prompts, 4000)) / 5
    p = np.array(sign_flip_tests(scores[0] - scores[1], drawn=2_000).p)
    assert 0.01 < (p < 0.05).mean() < 0.06, "ties make it less, and a seed a little more"


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
