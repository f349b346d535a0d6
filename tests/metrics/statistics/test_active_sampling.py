"""Scores corrected by labels of known inclusion probability: by hand, by enumeration, simulated."""

import itertools
import math
import random
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics.active_sampling import (
    SampledMean,
    SampledPrompt,
    correct_sampled_mean,
    half_width_of_all,
    inclusion_probabilities,
    labels_for_half_width,
)
from hallascope.metrics.statistics.intervals import t_quantile

PEOPLE = [1, 0.8, 0.6, 1, 0.4, 0.8, 1, 0.2, 0.6, 1, 0.8, 0.8]
JUDGE = [1, 1, 0.6, 0.8, 0.6, 0.8, 1, 0.6, 0.8, 1, 0.8, 1]
REST = [1, 0.8, 0.8, 0.6, 1, 1, 0.4, 0.8, 0.9, 0.7, 1, 0.6]


def sampled(inclusion: float) -> list[SampledPrompt]:
    return [SampledPrompt(h, j, inclusion) for h, j in zip(PEOPLE, JUDGE, strict=True)]


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


# --- the estimate ---


def test_with_equal_probabilities_it_is_the_judges_mean_less_its_mean_error() -> None:
    judged = [*JUDGE, *REST]
    mean = correct_sampled_mean(judged, sampled(12 / 24))
    assert mean is not None
    differences = [h - j for h, j in zip(PEOPLE, JUDGE, strict=True)]
    assert mean.value == pytest.approx(fmean(judged) + fmean(differences))
    assert mean.from_labels == pytest.approx((1 - 12 / 24) * variance(differences) / 12)
    of_people = variance(judged) + variance(PEOPLE) - variance(JUDGE)
    assert mean.from_prompts == pytest.approx(of_people / 24)
    half = t_quantile(11) * math.sqrt(mean.from_labels + mean.from_prompts)
    assert mean.half_width == pytest.approx(half)
    assert (mean.low, mean.high) == pytest.approx((mean.value - half, min(1, mean.value + half)))
    assert (mean.judge, mean.labeled, mean.judged) == (fmean(judged), 12, 24)


def test_labels_count_by_the_inverse_of_their_probability() -> None:
    judged = [0.5] * 40
    often = [SampledPrompt(0.5, 0.5, 0.8)] * 8
    seldom = [SampledPrompt(1.0, 0.5, 0.1)] * 2
    mean = correct_sampled_mean(judged, [*often, *seldom])
    assert mean is not None
    assert mean.value == pytest.approx(0.5 + 2 * (0.5 / 0.1) / 40)


def test_over_all_samples_the_estimate_is_unbiased_and_its_variance_too() -> None:
    """Simple random samples of 10 of 13 prompts, all 286 of them."""
    judge = [*JUDGE, 0.4]
    people = [*PEOPLE, 1.0]
    means = []
    for chosen in itertools.combinations(range(13), 10):
        sample = [SampledPrompt(people[i], judge[i], 10 / 13) for i in chosen]
        mean = correct_sampled_mean(judge, sample)
        assert mean is not None
        means.append(mean)
    assert fmean(mean.value for mean in means) == pytest.approx(fmean(people))
    spread = fmean((mean.value - fmean(people)) ** 2 for mean in means)
    assert fmean(mean.from_labels for mean in means) == pytest.approx(spread)


def test_where_every_prompt_is_labeled_it_is_what_people_say() -> None:
    mean = correct_sampled_mean(JUDGE, sampled(1.0))
    assert mean is not None
    assert mean.value == pytest.approx(fmean(PEOPLE))
    assert mean.from_labels == 0
    assert mean.from_prompts == pytest.approx(variance(PEOPLE) / 12)
    assert mean.low < mean.value < mean.high < 1


def test_a_few_labels_without_an_error_still_leave_room_for_one() -> None:
    same = [SampledPrompt(1.0, 1.0, 0.25)] * 10
    mean = correct_sampled_mean([1.0] * 40, same, step=0.2)
    assert mean is not None
    assert mean.value == mean.high == 1
    assert mean.from_labels == pytest.approx((1 - 10 / 40) * 0.2**2 / 10**2)
    assert mean.low < 1


def test_under_ten_labels_nothing_is_said_and_more_labels_than_prompts_are_refused() -> None:
    assert correct_sampled_mean([*JUDGE, *REST], sampled(0.5)[:9]) is None
    with pytest.raises(ValueError, match="12 labels of 3 judged prompts"):
        correct_sampled_mean([1, 1, 1], sampled(0.5))


# --- looking ahead ---


def mean_of(from_labels: float, from_prompts: float, labeled: int, judged: int) -> SampledMean:
    half = t_quantile(labeled - 1) * math.sqrt(from_labels + from_prompts)
    return SampledMean(
        0.8, 0.8 - half, 0.8 + half, half, from_labels, from_prompts, labeled, judged, 0.9
    )


def test_so_many_more_labels_reach_the_width_and_one_less_does_not() -> None:
    deviation = 0.3
    mean = mean_of(deviation**2 / 40 * (1 - 40 / 400), 0.0, 40, 400)
    more = labels_for_half_width(mean, 0.05)
    assert more is not None
    halves = [
        t_quantile(n - 1) * math.sqrt(deviation**2 / n * (1 - n / 400))
        for n in (40 + more, 40 + more - 1)
    ]
    assert halves[0] <= 0.05 < halves[1]
    # without Student's t and the finite part: n (h / 0.05)^2, less 40
    assert more < 40 * (mean.half_width / 0.05) ** 2 - 40


def test_it_is_zero_where_the_interval_is_narrow_and_none_where_labels_cannot_do_it() -> None:
    assert labels_for_half_width(mean_of(1e-5, 1e-5, 40, 400), 0.05) == 0
    few_prompts = mean_of(0.002, 0.002, 20, 40)
    assert labels_for_half_width(few_prompts, 0.05) is None
    assert half_width_of_all(few_prompts) == pytest.approx(t_quantile(39) * math.sqrt(0.002))
    assert labels_for_half_width(mean_of(0.0, 0.002, 40, 40), 0.05) is None


def test_what_is_promised_comes_true_on_average() -> None:
    """Label as many more as it says: the width is the one that was asked for, within a tenth."""
    chance = random.Random(4)
    widths = []
    for _ in range(60):
        judge = [chance.choice((0.6, 0.8, 1.0)) for _ in range(400)]
        people = [max(0.0, j - chance.choice((0.0, 0.0, 0.4))) for j in judge]
        mean = _corrected(judge, people, 40)
        more = labels_for_half_width(mean, 0.035)
        assert more
        widths.append(_corrected(judge, people, 40 + more).half_width)
    assert fmean(widths) == pytest.approx(0.035, rel=0.1)


def _corrected(judge: list[float], people: list[float], n: int) -> SampledMean:
    sample = [SampledPrompt(people[i], judge[i], n / len(judge)) for i in range(n)]
    mean = correct_sampled_mean(judge, sample)
    assert mean is not None
    return mean
