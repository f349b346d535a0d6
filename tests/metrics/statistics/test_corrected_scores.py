"""Scores corrected by labels: by hand, enumeration, simulation and against published code."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, variance

import numpy as np
import pytest
from scipy import stats

from hallascope.metrics.statistics.corrected_scores import (
    CorrectedScore,
    LabeledPrompt,
    correct_difference,
    correct_score,
    labels_for_half_width,
)
from hallascope.metrics.statistics.intervals import FloatPair, t_quantile
from hallascope.metrics.statistics.prediction_powered import (
    LabeledSample,
    inclusion_probabilities,
    labels_needed,
)
from tests.support.corrected_scores import corrected_score

PEOPLE = [1, 0.8, 0.6, 1, 0.4, 0.8, 1, 0.2, 0.6, 1, 0.8, 0.8]
JUDGE = [1, 1, 0.6, 0.8, 0.6, 0.8, 1, 0.6, 0.8, 1, 0.8, 1]
UNLABELED = [1, 0.8, 0.8, 0.6, 1, 1, 0.4, 0.8, 0.9, 0.7, 1, 0.6, 0.8, 1, 0.8, 0.9, 1, 0.6, 0.8, 1]


def test_under_100_labels_the_judge_counts_in_full_over_all_prompts() -> None:
    found = LabeledSample(UNLABELED, PEOPLE, JUDGE).mean()
    share = 20 / 32  # of the prompts, which have no label
    corrections = [h - share * j for h, j in zip(PEOPLE, JUDGE, strict=True)]
    assert found.weight == 1
    # ppi_mean_pointestimate of ppi-python 0.2.3 with lam=20/32 gives the same.
    assert found.value == pytest.approx(0.74479167)
    assert found.value == pytest.approx(fmean([*JUDGE, *UNLABELED]) + fmean(PEOPLE) - fmean(JUDGE))
    assert found.variance == pytest.approx(
        variance(corrections) / 12 + share**2 * variance(UNLABELED) / 20
    )


def test_from_100_labels_on_the_judge_counts_by_the_weight_of_least_variance() -> None:
    found = LabeledSample(UNLABELED, PEOPLE * 9, JUDGE * 9).mean()
    # ppi_mean_pointestimate of ppi-python 0.2.3, which divides by n where we divide by n - 1.
    assert found.value == pytest.approx(0.74843155, abs=5e-5)

    def spread(weight: float) -> float:
        share = weight * 20 / 128
        corrections = [h - share * j for h, j in zip(PEOPLE * 9, JUDGE * 9, strict=True)]
        return variance(corrections) / 108 + share**2 * variance(JUDGE * 9 + UNLABELED) / 20

    assert spread(found.weight) < min(spread(found.weight + 0.05), spread(found.weight - 0.05))


@pytest.mark.parametrize("inclusion", [None, [1.0] * 12])
def test_where_every_prompt_is_labeled_it_is_what_people_say(
    inclusion: Sequence[float] | None,
) -> None:
    found = LabeledSample([], PEOPLE, JUDGE, inclusion).mean()
    assert found.value == pytest.approx(fmean(PEOPLE))
    assert found.weight == 0
    assert (found.variance, found.from_prompts) == pytest.approx((variance(PEOPLE) / 12,) * 2)


@pytest.mark.parametrize(
    "n, expected",
    [(1, [0.5, 0.3, 0.2]), (2, [1, 0.6, 0.4]), (3, [1, 1, 1])],  # of 2 the first is sure
)
def test_inclusion_probabilities_are_n_times_those_of_a_draw_up_to_one(
    n: int, expected: list[float]
) -> None:
    assert inclusion_probabilities([0.5, 0.3, 0.2], n) == pytest.approx(expected)


def test_labels_count_by_the_inverse_of_their_probability() -> None:
    people = [0.5] * 8 + [1.0] * 2
    found = LabeledSample([0.5] * 30, people, [0.5] * 10, [0.8] * 8 + [0.1] * 2).mean()
    assert found.value == pytest.approx(0.5 + 2 * (0.5 / 0.1) / 40)


def test_over_all_samples_the_estimate_is_unbiased_and_its_variance_too() -> None:
    """Simple random samples of 10 of 13 prompts, all 286 of them."""
    judge, people = np.array([*JUDGE, 0.4]), np.array([*PEOPLE, 1.0])
    means = []
    for chosen in itertools.combinations(range(13), 10):
        own = list(chosen)
        rest = np.delete(judge, own)
        means.append(LabeledSample(rest, people[own], judge[own], [10 / 13] * 10).mean())
    assert fmean(mean.value for mean in means) == pytest.approx(people.mean())
    spread = fmean((mean.value - people.mean()) ** 2 for mean in means)
    from_labels = fmean(mean.variance - mean.from_prompts for mean in means)
    assert from_labels == pytest.approx(spread)


def label(people: FloatPair, judge: FloatPair, probability: float | None = None) -> LabeledPrompt:
    """Return a prompt of which people could tell every question."""
    return LabeledPrompt(people, judge, people, people, int(people[1]), probability)


def five(share: float) -> FloatPair:
    """Return the sums of five questions of which a share is right."""
    return 5 * share, 5.0


def corrected(
    judged: Mapping[str, FloatPair], labeled: Mapping[str, LabeledPrompt]
) -> CorrectedScore:
    found = correct_score(judged, labeled)
    assert found is not None
    return found


LABELED = {
    f"p{i}": label(five(h), five(j)) for i, (h, j) in enumerate(zip(PEOPLE, JUDGE, strict=True))
}
JUDGED = {f"p{i}": five(j) for i, j in enumerate([*JUDGE, *UNLABELED])}


def test_prompts_of_five_questions_each_count_as_their_means() -> None:
    found = corrected(JUDGED, LABELED)
    mean = LabeledSample(UNLABELED, PEOPLE, JUDGE).mean(step=0.2)
    half = stats.t.ppf(0.975, 11) * mean.variance**0.5
    assert (found.value, found.low, found.high) == pytest.approx(
        (mean.value, mean.value - half, mean.value + half)
    )
    assert found.judge == pytest.approx(fmean([*JUDGE, *UNLABELED]))
    assert found.bias == pytest.approx(fmean(JUDGE) - fmean(PEOPLE))
    assert found.bias_low < found.bias < found.bias_high
    assert (found.labeled, found.judged) == (12, 32)
    assert found.lowest == found.value == found.highest


def test_what_people_could_not_tell_is_bounded_by_all_wrong_and_all_right() -> None:
    labeled = LABELED | {"p0": LabeledPrompt((2.0, 2.0), (2.0, 2.0), (2.0, 5.0), (5.0, 5.0), 2)}
    found = corrected(JUDGED, labeled)
    assert found.lowest < found.value < found.highest


def test_a_labeled_prompt_that_was_not_judged_is_named() -> None:
    with pytest.raises(ValueError, match="no score of 'x'"):
        correct_score(JUDGED, LABELED | {"x": label(five(1), five(1))})


def test_the_difference_of_two_models_is_corrected_on_the_prompts_of_both() -> None:
    lenient = {p: (min(5.0, total + 1), 5.0) for p, (total, _) in JUDGED.items()}
    people = {p: label(said.people, lenient[p]) for p, said in LABELED.items()}
    found = correct_difference(lenient, JUDGED, people, LABELED)
    assert found is not None
    # People see no difference, the judge sees one.
    assert found.value == pytest.approx(0, abs=0.05)
    assert found.low < 0 < found.high
    assert found.judge > 0.1
    assert (found.labeled, found.judged) == (12, 32)


def test_nothing_is_corrected_under_ten_prompts_of_which_people_could_tell_something() -> None:
    ten = dict(list(LABELED.items())[:10])
    nine = dict(list(ten.items())[:9])
    untold = {
        p: LabeledPrompt((0.0, 0.0), JUDGED[p], (0.0, 5.0), (5.0, 5.0), 0) for p in ("p10", "p11")
    }
    assert correct_score(JUDGED, nine | untold) is correct_score({}, {}) is None
    assert correct_difference(JUDGED, JUDGED, nine, LABELED) is None
    assert corrected(JUDGED, ten | untold).labeled == 12
    assert (labels_needed(9), labels_needed(12)) == (1, 0)


@pytest.mark.parametrize("probability", [0.0, 1.5])
def test_a_probability_that_is_none_is_refused(probability: float) -> None:
    labeled = {p: said._replace(probability=0.5) for p, said in LABELED.items()}
    first = next(iter(labeled))
    wrong = labeled[first]._replace(probability=probability)
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        correct_score(JUDGED, labeled | {first: wrong})
    with pytest.raises(ValueError, match="give it for all"):
        correct_score(JUDGED, labeled | {first: LABELED[first]})
    with pytest.raises(ValueError, match="give it for all"):
        correct_difference(JUDGED, JUDGED, labeled, LABELED)


def score_of(from_labels: float, from_prompts: float, labeled: int, judged: int) -> CorrectedScore:
    half = t_quantile(labeled - 1) * math.sqrt(from_labels + from_prompts)
    return replace(
        corrected_score(labeled=labeled),
        judged=judged,
        half_width=half,
        from_labels=from_labels,
        from_prompts=from_prompts,
    )


def test_so_many_more_labels_reach_the_width_and_one_less_does_not() -> None:
    deviation = 0.3
    score = score_of(deviation**2 / 40 * (1 - 40 / 400), 0.0, 40, 400)
    more = labels_for_half_width(score, 0.05)
    assert more is not None
    halves = [
        t_quantile(n - 1) * math.sqrt(deviation**2 / n * (1 - n / 400))
        for n in (40 + more, 40 + more - 1)
    ]
    assert halves[0] <= 0.05 < halves[1]
    # without Student's t and the finite part: n (h / 0.05)^2, less 40
    assert more < 40 * (score.half_width / 0.05) ** 2 - 40
