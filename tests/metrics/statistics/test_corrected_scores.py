"""Scores corrected by labels: by hand, enumeration, simulation and against published code."""

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, variance

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hallascope.metrics.statistics.corrected_scores import (
    CorrectedScore,
    LabeledPrompt,
    correct_difference,
    correct_score,
    half_width_of_all,
    labels_for_half_width,
)
from hallascope.metrics.statistics.intervals import FloatPair, t_quantile
from hallascope.metrics.statistics.prediction_powered import (
    LabeledSample,
    inclusion_probabilities,
    labels_needed,
)
from hallascope.metrics.statistics.rogan_gladen import (
    TrialErrors,
    correct_by_errors,
    rogan_gladen,
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


def test_a_few_labels_without_a_difference_still_leave_room_for_one() -> None:
    same = LabeledSample([0.8] * 10, [0.8] * 10, [0.8] * 10)
    assert same.mean().variance == 0
    assert same.mean(step=0.2).variance == pytest.approx(0.2**2 / 10 / 10)
    drawn = LabeledSample([1.0] * 30, [1.0] * 10, [1.0] * 10, [0.25] * 10).mean(step=0.2)
    assert drawn.value == 1
    assert drawn.variance == pytest.approx((1 - 10 / 40) * 0.2**2 / 10**2)


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=40), st.data())
def test_inclusion_probabilities_sum_to_the_number_drawn(
    weights: list[float], data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, len(weights)))
    included = inclusion_probabilities([weight / math.fsum(weights) for weight in weights], n)
    assert math.fsum(included) == pytest.approx(n)
    assert all(0 <= pi <= 1 for pi in included)


@pytest.mark.parametrize(
    ("n", "expected"),
    [(1, [0.5, 0.3, 0.2]), (2, [1, 0.6, 0.4]), (3, [1, 1, 1])],  # of 2 the first is sure
)
def test_inclusion_probabilities_are_n_times_those_of_a_draw_up_to_one(
    n: int, expected: list[float]
) -> None:
    assert inclusion_probabilities([0.5, 0.3, 0.2], n) == pytest.approx(expected)


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


def test_with_equal_probabilities_it_is_the_judges_mean_less_its_mean_error() -> None:
    found = LabeledSample(UNLABELED, PEOPLE, JUDGE, [12 / 32] * 12).mean()
    differences = [h - j for h, j in zip(PEOPLE, JUDGE, strict=True)]
    judged = [*JUDGE, *UNLABELED]
    assert found.value == pytest.approx(fmean(judged) + fmean(differences))
    from_labels = (1 - 12 / 32) * variance(differences) / 12
    assert found.variance - found.from_prompts == pytest.approx(from_labels)
    of_people = variance(judged) + variance(PEOPLE) - variance(JUDGE)
    assert found.from_prompts == pytest.approx(of_people / 32)


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


def test_the_values_of_the_prompts_have_the_estimate_as_their_mean() -> None:
    sample = LabeledSample(UNLABELED, PEOPLE, JUDGE, [0.2 + 0.05 * i for i in range(12)])
    assert sample.estimates().shape == (32,)
    assert sample.estimates().mean() == pytest.approx(sample.mean().value)
    # with equal probabilities a constant error of the judge leaves no variance of the sample
    constant = LabeledSample(UNLABELED, [j - 0.2 for j in JUDGE], JUDGE, [12 / 32] * 12)
    assert constant.estimates() == pytest.approx([j - 0.2 for j in [*UNLABELED, *JUDGE]])


def test_the_weight_of_labels_counts_in_the_judges_weight_too() -> None:
    people, judge = [0.0, 1.0] * 40 + [1.0, 0.0] * 20, [0.0, 1.0] * 60
    rest = [0.0, 1.0] * 100
    same = LabeledSample(rest, people, judge).weight
    assert same == pytest.approx(LabeledSample(rest, people, judge, [0.4] * 120).weight)
    # where the agreeing prompts were likelier to be labeled, the others stand for more
    assert LabeledSample(rest, people, judge, [0.5] * 80 + [0.2] * 40).weight < same
    steep = LabeledSample(rest, [9 * h for h in people], judge)
    assert steep.weight == pytest.approx(1 + 120 / 200)


def test_one_label_has_no_variance() -> None:
    with pytest.raises(ValueError, match="1 labeled prompts have no variance"):
        LabeledSample(UNLABELED, PEOPLE[:1], JUDGE[:1])


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


def test_where_every_prompt_weighs_the_same_one_question_still_changes_little() -> None:
    judged = {p: (total / 5, 1.0) for p, (total, _) in JUDGED.items()}
    labeled = {
        p: LabeledPrompt((h, 1.0), (h, 1.0), (h, 1.0), (h, 1.0), questions=5)
        for p, h in zip(judged, PEOPLE, strict=False)
    }
    found = corrected(judged, labeled)
    half = stats.t.ppf(0.975, 11) * 0.2 / 12
    assert found.bias_high == pytest.approx(half)


def test_a_prompt_with_more_questions_counts_more() -> None:
    judged = {f"p{i}": (4.0, 5.0) for i in range(20)} | {"long": (0.0, 50.0)}
    labeled = {p: label(pair, pair) for p, pair in judged.items()}
    found = corrected(judged, labeled)
    assert found.value == pytest.approx(80 / 150)


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


def untellable_sample(
    chance: random.Random, n: int
) -> tuple[dict[str, FloatPair], dict[str, LabeledPrompt]]:
    """Return 150 judged prompts of five questions, and labels of the first `n`.

    People see 80 % of what they can tell, and can tell nothing of every fourth prompt. The judge
    agrees with them, and says of two thirds of what they cannot tell that it is wrong.
    """
    judged = {}
    labeled = {}
    for i in range(150):
        told = 0 if i % 4 == 0 else chance.randint(1, 5)
        right = sum(chance.random() < 0.8 for _ in range(told))
        guessed = sum(chance.random() < 1 / 3 for _ in range(5 - told))
        prompt = f"{chance.random()}"
        judged[prompt] = (float(right + guessed), 5.0)
        if i < n:
            labeled[prompt] = LabeledPrompt(
                people=(float(right), float(told)),
                judge=judged[prompt],
                lowest=(float(right), 5.0),
                highest=(float(right + 5 - told), 5.0),
                questions=told,
            )
    return judged, labeled


def test_what_the_judge_says_of_questions_that_nobody_can_tell_does_not_move_the_score() -> None:
    chance = random.Random(5)
    found = [correct_score(*untellable_sample(chance, 60)) for _ in range(300)]
    scores = [score for score in found if score]
    assert fmean(score.value for score in scores) == pytest.approx(0.8, abs=0.01)
    assert fmean(score.judge for score in scores) < 0.65
    assert sum(score.low <= 0.8 <= score.high for score in scores) / 300 >= 0.92


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


def sampled_by_kind(
    chance: random.Random, truth: float, hard: float, easy: float
) -> tuple[dict[str, FloatPair], dict[str, LabeledPrompt]]:
    """Return 200 judged prompts, and labels of those drawn with a probability by their kind.

    Of every second prompt the judge misses most of what is wrong. As many are drawn as the
    probabilities sum to, in the order of a random number over the probability, as in a plan.
    """
    judged = {}
    people = {}
    order = []
    for i in range(200):
        missed, probability = (0.8, hard) if i % 2 else (0.05, easy)
        share = chance.betavariate(4 * truth, 4 * (1 - truth))
        facts = [chance.random() < share for _ in range(5)]
        accepted = [chance.random() < (0.97 if holds else missed) for holds in facts]
        name = f"{i:03}"
        judged[name] = (float(sum(accepted)), 5.0)
        people[name] = label((float(sum(facts)), 5.0), judged[name], probability)
        order.append((chance.random() / probability, name))
    drawn = sorted(order)[: round(100 * (hard + easy))]
    return judged, {name: people[name] for _, name in drawn}


def test_a_difference_needs_no_probability_of_being_labeled_for_both() -> None:
    chance = random.Random(3)
    covered = 0
    for _ in range(150):
        one, labeled_one = sampled_by_kind(chance, 0.8, 0.5, 0.3)
        other, labeled_other = sampled_by_kind(chance, 0.7, 0.4, 0.5)
        found = correct_difference(one, other, labeled_one, labeled_other)
        assert found is not None
        covered += found.low <= 0.1 <= found.high
    assert 0.92 <= covered / 150 <= 0.98


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


def test_it_is_zero_where_the_interval_is_narrow_and_none_where_labels_cannot_do_it() -> None:
    assert labels_for_half_width(score_of(1e-5, 1e-5, 40, 400), 0.05) == 0
    few_prompts = score_of(0.002, 0.002, 20, 40)
    assert labels_for_half_width(few_prompts, 0.05) is None
    assert half_width_of_all(few_prompts) == pytest.approx(t_quantile(39) * math.sqrt(0.002))
    assert labels_for_half_width(score_of(0.0, 0.002, 40, 40), 0.05) is None


ERRORS = TrialErrors(flagged=80, violated=100, accepted=190, holding=200)


def test_a_share_is_taken_back_to_the_truth_that_would_give_it() -> None:
    # Of 30 % violated facts 80 % are flagged, of 70 % holding ones 5 %: 27.5 % are called violated.
    found, perfect = rogan_gladen(0.725, 1000, ERRORS), rogan_gladen(1.0, 50, ERRORS)
    assert found is not None
    assert found.value == pytest.approx(0.7)
    assert found.low < 0.7 < found.high
    assert perfect is not None
    assert perfect.low < perfect.value == perfect.high == 1.0


@pytest.mark.parametrize("truth", [0.5, 0.8, 0.97])
def test_its_interval_covers_the_truth_as_often_as_it_says(truth: float) -> None:
    chance = np.random.default_rng(3)
    covered = 0
    for _ in range(1000):
        flagged = int(chance.binomial(60, 0.8))
        accepted = int(chance.binomial(200, 0.95))
        errors = TrialErrors(flagged=flagged, violated=60, accepted=accepted, holding=200)
        right = chance.binomial(300, 0.95 * truth + 0.2 * (1 - truth))
        found = rogan_gladen(right / 300, 300, errors)
        assert found is not None
        covered += found.low <= truth <= found.high
    assert covered >= 930


@pytest.mark.parametrize(
    "errors",
    [
        TrialErrors(flagged=10, violated=100, accepted=180, holding=200),
        TrialErrors(flagged=0, violated=0, accepted=180, holding=200),
        TrialErrors(flagged=3, violated=9, accepted=0, holding=0),
        TrialErrors(flagged=1, violated=1, accepted=1, holding=10),
    ],
)
def test_a_judge_that_tells_nothing_corrects_nothing(errors: TrialErrors) -> None:
    assert rogan_gladen(0.8, 100, errors) is None


def test_errors_add_up_and_name_their_shares() -> None:
    found = ERRORS + TrialErrors(flagged=1, violated=2, accepted=0.5, holding=0.5)
    assert found.sensitivity == pytest.approx(81 / 102)
    assert found.specificity == pytest.approx(190.5 / 200.5)
    assert (TrialErrors().sensitivity, TrialErrors().specificity) == (None, None)


def test_a_model_whose_prompts_are_all_right_or_all_wrong_has_as_many_questions_as_prompts() -> (
    None
):
    judged = [(5.0, 5.0)] * 29 + [(0.0, 5.0)] * 11
    found = correct_by_errors(judged, ERRORS)
    n = 0.725 * 0.275 / (0.725 * 0.275 / 39)  # the variance of 40 prompts, of which 29 are right
    expected = rogan_gladen(0.725, n, ERRORS)
    assert found is not None
    assert expected is not None
    assert (found.value, found.low, found.high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )
    assert (found.sensitivity, found.specificity) == (0.8, 0.95)


def test_where_no_prompt_differs_the_interval_still_has_a_width() -> None:
    found = correct_by_errors([(1.0, 1.0)] * 30, ERRORS)
    assert found is not None
    assert found.low < found.high
    assert correct_by_errors([(1.0, 1.0)], ERRORS) is None
