"""Scores of models and their differences, corrected by labels: by hand and by simulation."""

import math
import random
from dataclasses import replace
from statistics import fmean, variance

import pytest
from scipy import stats

from hallascope.metrics.statistics.corrected_scores import (
    CorrectedScore,
    LabeledPrompt,
    correct_difference,
    correct_score,
    half_width_of_all,
    labels_for_half_width,
)
from hallascope.metrics.statistics.intervals import t_quantile
from hallascope.metrics.statistics.prediction_powered import correct_mean, labels_needed
from tests.support.corrected_scores import corrected_score

PEOPLE = [1, 0.8, 0.6, 1, 0.4, 0.8, 1, 0.2, 0.6, 1, 0.8, 0.8]
JUDGE = [1, 1, 0.6, 0.8, 0.6, 0.8, 1, 0.6, 0.8, 1, 0.8, 1]
UNLABELED = [1, 0.8, 0.8, 0.6, 1, 1, 0.4, 0.8, 0.9, 0.7]
UNLABELED += [1, 0.6, 0.8, 1, 0.8, 0.9, 1, 0.6, 0.8, 1]
PAIRS = list(zip(PEOPLE, JUDGE, strict=True))


def label(
    people: tuple[float, float], judge: tuple[float, float], probability: float | None = None
) -> LabeledPrompt:
    """Return a prompt of which people could tell every question."""
    return LabeledPrompt(people, judge, people, people, int(people[1]), probability)


def five(share: float) -> tuple[float, float]:
    """Return the sums of five questions of which a share is right."""
    return 5 * share, 5.0


LABELED = {f"p{i}": label(five(h), five(j)) for i, (h, j) in enumerate(PAIRS)}
JUDGED = {f"p{i}": (5 * j, 5.0) for i, j in enumerate([*JUDGE, *UNLABELED])}


def test_prompts_of_five_questions_each_count_as_their_means() -> None:
    found = correct_score(JUDGED, LABELED)
    assert found is not None
    mean = correct_mean(UNLABELED, PAIRS, step=0.2)
    half = stats.t.ppf(0.975, 11) * mean.variance**0.5
    assert found.value == pytest.approx(mean.value)
    assert found.low == pytest.approx(mean.value - half)
    assert found.high == pytest.approx(mean.value + half)
    assert found.judge == pytest.approx(fmean([*JUDGE, *UNLABELED]))
    assert found.bias == pytest.approx(fmean(JUDGE) - fmean(PEOPLE))
    assert found.bias_low < found.bias < found.bias_high
    assert (found.labeled, found.judged) == (12, 32)


def test_where_every_prompt_weighs_the_same_one_question_still_changes_little() -> None:
    judged = {p: (total / 5, 1.0) for p, (total, _) in JUDGED.items()}
    labeled = {
        p: LabeledPrompt((h, 1.0), (h, 1.0), (h, 1.0), (h, 1.0), questions=5)
        for p, (h, _) in zip(judged, PAIRS, strict=False)
    }
    found = correct_score(judged, labeled)
    assert found is not None
    half = stats.t.ppf(0.975, 11) * 0.2 / 12
    assert found.bias_high == pytest.approx(half)


def test_a_prompt_with_more_questions_counts_more() -> None:
    judged = {f"p{i}": (4.0, 5.0) for i in range(20)} | {"long": (0.0, 50.0)}
    labeled = {p: label(pair, pair) for p, pair in judged.items()}
    found = correct_score(judged, labeled)
    assert found is not None
    assert found.value == pytest.approx(80 / 150)


def test_what_people_could_not_tell_is_bounded_by_all_wrong_and_all_right() -> None:
    labeled = LABELED | {"p0": LabeledPrompt((2.0, 2.0), (2.0, 2.0), (2.0, 5.0), (5.0, 5.0), 2)}
    found = correct_score(JUDGED, labeled)
    assert found is not None
    assert found.lowest < found.value < found.highest
    told = correct_score(JUDGED, LABELED)
    assert told is not None
    assert told.lowest == told.value == told.highest


def test_under_ten_labeled_prompts_nothing_is_corrected_and_it_says_how_many_are_missing() -> None:
    few = dict(list(LABELED.items())[:9])
    assert correct_score(JUDGED, few) is None
    assert correct_difference(JUDGED, JUDGED, few, LABELED) is None
    assert (labels_needed(9), labels_needed(12)) == (1, 0)


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


# --- by simulation ---


def judged_sample(
    chance: random.Random, truth: float, sensitivity: float, specificity: float, n: int
) -> tuple[dict[str, tuple[float, float]], dict[str, LabeledPrompt]]:
    """Return 150 judged prompts of five questions, and labels of the first `n`."""
    judged = {}
    labeled = {}
    for i in range(150):
        share = chance.betavariate(4 * truth, 4 * (1 - truth))
        facts = [chance.random() < share for _ in range(5)]
        accepted = [
            chance.random() < (specificity if holds else 1 - sensitivity) for holds in facts
        ]
        judged[f"{i:03}"] = (float(sum(accepted)), 5.0)
        if i < n:
            labeled[f"{i:03}"] = label((float(sum(facts)), 5.0), judged[f"{i:03}"])
    return judged, labeled


@pytest.mark.parametrize(
    ("truth", "sensitivity", "specificity", "n"),
    [(0.8, 0.5, 0.95, 10), (0.5, 0.8, 0.9, 40), (0.95, 0.9, 0.97, 60), (0.8, 0.99, 0.99, 100)],
)
def test_the_interval_covers_the_truth_as_often_as_it_says(
    truth: float, sensitivity: float, specificity: float, n: int
) -> None:
    chance = random.Random(n)
    covered = 0
    for _ in range(400):
        found = correct_score(*judged_sample(chance, truth, sensitivity, specificity, n))
        assert found is not None
        covered += found.low <= truth <= found.high
    assert covered / 400 >= 0.92


def untellable_sample(
    chance: random.Random, n: int
) -> tuple[dict[str, tuple[float, float]], dict[str, LabeledPrompt]]:
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


def test_ten_labeled_prompts_must_be_such_that_people_could_tell_something() -> None:
    told = dict(list(LABELED.items())[:9])
    untold = {
        p: LabeledPrompt((0.0, 0.0), JUDGED[p], (0.0, 5.0), (5.0, 5.0), 0)
        for p in ("p9", "p10", "p11")
    }
    assert correct_score(JUDGED, told | untold) is None
    found = correct_score(JUDGED, dict(list(LABELED.items())[:10]) | {"p11": untold["p11"]})
    assert found is not None
    assert found.labeled == 11
    assert correct_score({}, {}) is None


# --- labels drawn with unequal probabilities ---


def sampled_by_kind(
    chance: random.Random, truth: float, hard: float, easy: float
) -> tuple[dict[str, tuple[float, float]], dict[str, LabeledPrompt]]:
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


def test_with_unequal_probabilities_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    chance = random.Random(5)
    covered = []
    for truth, hard, easy in [(0.8, 0.6, 0.15), (0.6, 0.5, 0.1), (0.8, 0.3, 0.3)]:
        found = [correct_score(*sampled_by_kind(chance, truth, hard, easy)) for _ in range(400)]
        scores = [score for score in found if score]
        assert len(scores) == 400
        covered.append(fmean(score.low <= truth <= score.high for score in scores))
        assert fmean(score.value for score in scores) == pytest.approx(truth, abs=0.01)
    assert 0.93 <= fmean(covered) <= 0.97
    assert min(covered) >= 0.92


def test_without_their_probabilities_such_labels_would_mislead() -> None:
    chance = random.Random(11)
    values = []
    for _ in range(100):
        judged, labeled = sampled_by_kind(chance, 0.6, 0.6, 0.1)
        equal = {p: said._replace(probability=None) for p, said in labeled.items()}
        found = correct_score(judged, equal)
        assert found is not None
        values.append(found.value)
    assert fmean(values) < 0.55


def test_equal_probabilities_give_the_score_of_a_plain_sample() -> None:
    judged, labeled = judged_sample(random.Random(2), 0.8, 0.5, 0.95, 60)
    plain = correct_score(judged, labeled)
    found = correct_score(
        judged, {p: said._replace(probability=60 / 150) for p, said in labeled.items()}
    )
    assert plain is not None
    assert found is not None
    assert found.value == pytest.approx(plain.value)
    assert found.bias == pytest.approx(plain.bias)
    assert found.high - found.low == pytest.approx(plain.high - plain.low, rel=0.1)


def test_a_difference_needs_no_probability_of_being_labeled_for_both() -> None:
    chance = random.Random(3)
    covered = 0
    for _ in range(300):
        one, labeled_one = sampled_by_kind(chance, 0.8, 0.5, 0.3)
        other, labeled_other = sampled_by_kind(chance, 0.7, 0.4, 0.5)
        found = correct_difference(one, other, labeled_one, labeled_other)
        assert found is not None
        covered += found.low <= 0.1 <= found.high
    assert 0.92 <= covered / 300 <= 0.98


def test_where_every_prompt_of_a_model_is_labeled_probabilities_do_not_matter() -> None:
    judged = {p: pair for p, pair in JUDGED.items() if p in LABELED}
    labeled = {p: said._replace(probability=0.5) for p, said in LABELED.items()}
    found_one, plain = correct_score(judged, labeled), correct_score(judged, LABELED)
    assert found_one is not None
    assert plain is not None
    assert (found_one.value, found_one.low, found_one.high) == pytest.approx(
        (plain.value, plain.low, plain.high)
    )
    assert (found_one.weight, plain.weight) == (0, 0)
    others = {p: (pair[0] / 2, pair[1]) for p, pair in judged.items()}
    some = {p: label(others[p], others[p])._replace(probability=0.8) for p in list(others)[:11]}
    found = correct_difference(judged, others, labeled, some)
    assert found is not None
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(fmean(PEOPLE) - fmean(JUDGE) / 2)


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


def test_with_a_good_judge_it_is_at_most_half_as_wide_as_people_alone() -> None:
    judged, labeled = judged_sample(random.Random(1), 0.7, 0.99, 0.99, 15)
    found = correct_score(judged, labeled)
    assert found is not None
    people = [said.people[0] / 5 for said in labeled.values()]
    alone = 2 * stats.t.ppf(0.975, 14) * (variance(people) / 15) ** 0.5
    assert found.high - found.low <= alone / 2


# --- looking ahead ---


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


def test_what_is_promised_comes_true_on_average() -> None:
    """Label as many more as it says: the width is the one that was asked for, within a tenth."""
    chance = random.Random(4)
    widths = []
    for _ in range(60):
        judge = [chance.choice((0.6, 0.8, 1.0)) for _ in range(400)]
        people = [max(0.0, j - chance.choice((0.0, 0.0, 0.4))) for j in judge]
        score = _corrected(judge, people, 40)
        more = labels_for_half_width(score, 0.035)
        assert more
        widths.append(_corrected(judge, people, 40 + more).half_width)
    assert fmean(widths) == pytest.approx(0.035, rel=0.1)


def _corrected(judge: list[float], people: list[float], n: int) -> CorrectedScore:
    judged = {f"{i:03}": (score, 1.0) for i, score in enumerate(judge)}
    labeled = {
        f"{i:03}": LabeledPrompt(
            people=(people[i], 1.0),
            judge=(judge[i], 1.0),
            lowest=(people[i], 1.0),
            highest=(people[i], 1.0),
            questions=5,
            probability=n / len(judge),
        )
        for i in range(n)
    }
    found = correct_score(judged, labeled)
    assert found is not None
    return found
