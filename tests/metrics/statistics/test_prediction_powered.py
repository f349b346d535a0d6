"""Means corrected by labels: by hand, by enumeration, and against published code."""

import itertools
import math
import random
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics.prediction_powered import (
    correct_mean,
    correct_sampled_mean,
    inclusion_probabilities,
    judge_weight,
    sampled_estimates,
)

PEOPLE = [1, 0.8, 0.6, 1, 0.4, 0.8, 1, 0.2, 0.6, 1, 0.8, 0.8]
JUDGE = [1, 1, 0.6, 0.8, 0.6, 0.8, 1, 0.6, 0.8, 1, 0.8, 1]
UNLABELED = [1, 0.8, 0.8, 0.6, 1, 1, 0.4, 0.8, 0.9, 0.7]
UNLABELED += [1, 0.6, 0.8, 1, 0.8, 0.9, 1, 0.6, 0.8, 1]
PAIRS = list(zip(PEOPLE, JUDGE, strict=True))


def test_under_100_labels_the_judge_counts_in_full_over_all_prompts() -> None:
    found = correct_mean(UNLABELED, PAIRS)
    share = 20 / 32  # of the prompts, which have no label
    corrections = [h - share * j for h, j in PAIRS]
    assert found.weight == 1
    # ppi_mean_pointestimate of ppi-python 0.2.3 with lam=20/32 gives the same.
    assert found.value == pytest.approx(0.74479167)
    assert found.value == pytest.approx(fmean([*JUDGE, *UNLABELED]) + fmean(PEOPLE) - fmean(JUDGE))
    assert found.variance == pytest.approx(
        variance(corrections) / 12 + share**2 * variance(UNLABELED) / 20
    )


def test_from_100_labels_on_the_judge_counts_by_the_weight_of_least_variance() -> None:
    found = correct_mean(UNLABELED, PAIRS * 9)
    # ppi_mean_pointestimate of ppi-python 0.2.3, which divides by n where we divide by n - 1.
    assert found.value == pytest.approx(0.74843155, abs=5e-5)

    def spread(weight: float) -> float:
        share = weight * 20 / 128
        corrections = [h - share * j for h, j in PAIRS * 9]
        return variance(corrections) / 108 + share**2 * variance(JUDGE * 9 + UNLABELED) / 20

    assert spread(found.weight) < min(spread(found.weight + 0.05), spread(found.weight - 0.05))


def test_more_labels_do_not_make_the_interval_wider() -> None:
    prompts = [*PAIRS, *((judge, judge) for judge in UNLABELED)]
    chance = random.Random(0)
    widths = []
    for labeled in (10, 16, 22, 28, 31):
        spreads = []
        for _ in range(200):
            chance.shuffle(prompts)
            unlabeled = [judge for _, judge in prompts[labeled:]]
            spreads.append(correct_mean(unlabeled, prompts[:labeled]).variance)
        widths.append(fmean(spreads))
    assert widths == sorted(widths, reverse=True)


def test_where_every_prompt_is_labeled_it_is_what_people_say() -> None:
    found = correct_mean([], PAIRS)
    assert found.value == pytest.approx(fmean(PEOPLE))
    assert found.weight == 0
    assert found.variance == pytest.approx(variance(PEOPLE) / 12)


def test_a_few_labels_without_a_difference_still_leave_room_for_one() -> None:
    same = [(0.8, 0.8)] * 10
    assert correct_mean([0.8] * 10, same).variance == 0
    assert correct_mean([0.8] * 10, same, step=0.2).variance == pytest.approx(0.2**2 / 10 / 10)


# --- inclusion probabilities ---


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=40), st.data())
def test_inclusion_probabilities_sum_to_the_number_drawn_and_keep_the_order(
    weights: list[float], data: st.DataObject
) -> None:
    probabilities = [weight / math.fsum(weights) for weight in weights]
    n = data.draw(st.integers(0, len(weights)))
    included = inclusion_probabilities(probabilities, n)
    assert math.fsum(included) == pytest.approx(n)
    assert all(0 <= pi <= 1 for pi in included)
    for (p, pi), (q, other) in itertools.pairwise(zip(probabilities, included, strict=True)):
        assert (p - q) * (pi - other) >= -1e-12


def test_inclusion_probabilities_are_n_times_those_of_a_draw_up_to_one() -> None:
    assert inclusion_probabilities([0.5, 0.3, 0.2], 1) == pytest.approx([0.5, 0.3, 0.2])
    # the first is sure; the other draw is shared as 3 to 2
    assert inclusion_probabilities([0.5, 0.3, 0.2], 2) == pytest.approx([1, 0.6, 0.4])
    assert inclusion_probabilities([0.5, 0.3, 0.2], 3) == [1, 1, 1]
    assert inclusion_probabilities([], 0) == []


@pytest.mark.parametrize(
    ("probabilities", "n", "words"),
    [
        ([0.5, 0.5], 3, "3 of 2 prompts"),
        ([0.5, 0.5], -1, "-1 of 2 prompts"),
        ([1.0, 0.0], 1, "not positive"),
        ([1.0, math.nan], 1, "not positive"),
    ],
)
def test_what_cannot_be_drawn_is_refused(probabilities: list[float], n: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        inclusion_probabilities(probabilities, n)


# --- samples of known probabilities ---


def test_with_equal_probabilities_it_is_the_judges_mean_less_its_mean_error() -> None:
    found = correct_sampled_mean(UNLABELED, PAIRS, [12 / 32] * 12)
    differences = [h - j for h, j in PAIRS]
    judged = [*JUDGE, *UNLABELED]
    assert found.value == pytest.approx(fmean(judged) + fmean(differences))
    assert found.value == pytest.approx(correct_mean(UNLABELED, PAIRS).value)
    from_labels = (1 - 12 / 32) * variance(differences) / 12
    assert found.variance - found.from_prompts == pytest.approx(from_labels)
    of_people = variance(judged) + variance(PEOPLE) - variance(JUDGE)
    assert found.from_prompts == pytest.approx(of_people / 32)


def test_labels_count_by_the_inverse_of_their_probability() -> None:
    pairs = [(0.5, 0.5)] * 8 + [(1.0, 0.5)] * 2
    found = correct_sampled_mean([0.5] * 30, pairs, [0.8] * 8 + [0.1] * 2)
    assert found.value == pytest.approx(0.5 + 2 * (0.5 / 0.1) / 40)


def test_over_all_samples_the_estimate_is_unbiased_and_its_variance_too() -> None:
    """Simple random samples of 10 of 13 prompts, all 286 of them."""
    judge = [*JUDGE, 0.4]
    people = [*PEOPLE, 1.0]
    means = []
    for chosen in itertools.combinations(range(13), 10):
        rest = [judge[i] for i in range(13) if i not in chosen]
        pairs = [(people[i], judge[i]) for i in chosen]
        means.append(correct_sampled_mean(rest, pairs, [10 / 13] * 10))
    assert fmean(mean.value for mean in means) == pytest.approx(fmean(people))
    spread = fmean((mean.value - fmean(people)) ** 2 for mean in means)
    from_labels = fmean(mean.variance - mean.from_prompts for mean in means)
    assert from_labels == pytest.approx(spread)


@pytest.mark.parametrize("labeled", [40, 120])
def test_with_equal_probabilities_its_variance_is_the_published_one_in_expectation(
    labeled: int,
) -> None:
    """With the judge counted in full, and by the weight of least variance."""
    chance = random.Random(labeled)
    published = []
    sampled = []
    for _ in range(300):
        judge = [chance.choice((0.4, 0.6, 0.8, 1.0)) for _ in range(200)]
        people = [max(0.0, j - chance.choice((0.0, 0.2, 0.6))) for j in judge]
        pairs = list(zip(people[:labeled], judge[:labeled], strict=True))
        published.append(correct_mean(judge[labeled:], pairs))
        sampled.append(correct_sampled_mean(judge[labeled:], pairs, [labeled / 200] * labeled))
    for one, other in zip(published, sampled, strict=True):
        assert one.value == pytest.approx(other.value)
        assert one.weight == pytest.approx(other.weight)
    assert fmean(mean.variance for mean in sampled) == pytest.approx(
        fmean(mean.variance for mean in published), rel=0.01
    )
    assert fmean(mean.from_prompts for mean in sampled) == pytest.approx(
        fmean(mean.from_prompts for mean in published), rel=0.01
    )


def test_where_every_prompt_is_labeled_the_sampled_mean_is_what_people_say() -> None:
    found = correct_sampled_mean([], PAIRS, [1.0] * 12)
    assert found.value == pytest.approx(fmean(PEOPLE))
    assert found.variance == found.from_prompts == pytest.approx(variance(PEOPLE) / 12)


def test_a_few_sampled_labels_without_an_error_still_leave_room_for_one() -> None:
    found = correct_sampled_mean([1.0] * 30, [(1.0, 1.0)] * 10, [0.25] * 10, step=0.2)
    assert found.value == 1
    assert found.variance == pytest.approx((1 - 10 / 40) * 0.2**2 / 10**2)


def test_the_values_of_the_prompts_have_the_estimate_as_their_mean() -> None:
    inclusion = [0.2 + 0.05 * i for i in range(12)]
    estimates = sampled_estimates(UNLABELED, PAIRS, inclusion)
    assert len(estimates) == 32
    assert fmean(estimates) == pytest.approx(
        correct_sampled_mean(UNLABELED, PAIRS, inclusion).value
    )
    # with equal probabilities a constant error of the judge leaves no variance of the sample
    errs = [(j - 0.2, j) for j in JUDGE]
    constant = sampled_estimates(UNLABELED, errs, [12 / 32] * 12)
    assert constant == pytest.approx([j - 0.2 for j in [*UNLABELED, *JUDGE]])


def test_the_weight_of_labels_counts_in_the_judges_weight_too() -> None:
    pairs = [(0.0, 0.0), (1.0, 1.0)] * 40 + [(1.0, 0.0), (0.0, 1.0)] * 20
    rest = [0.0, 1.0] * 100
    same = judge_weight(rest, pairs)
    assert same == pytest.approx(judge_weight(rest, pairs, [0.4] * 120))
    # where the agreeing prompts were likelier to be labeled, the others stand for more
    assert judge_weight(rest, pairs, [0.5] * 80 + [0.2] * 40) < same
    assert judge_weight(rest, [(h * 9, j) for h, j in pairs]) == pytest.approx(1 + 120 / 200)


def test_labels_and_probabilities_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="12 labels but 3 probabilities"):
        correct_sampled_mean(UNLABELED, PAIRS, [0.5] * 3)
    with pytest.raises(ValueError, match="1 labeled prompts have no variance"):
        correct_sampled_mean(UNLABELED, PAIRS[:1], [0.5])
