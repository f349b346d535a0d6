"""Corrects a judge's mean by what people say of a sample of the same prompts.

Prediction-powered inference: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 382 (2023),
its estimate of a mean; the weight of the judge is that of PPI++, "power tuning" (Angelopoulos,
Duchi and Zrnic, arXiv:2311.01453). The unit is the prompt: its questions and images are
not independent.

It is valid only where the labeled prompts are a random sample of the judged ones, and people gave
their labels without seeing the judge's answers. Where some prompts are likelier to be labeled than
others, each label counts by the inverse of its inclusion probability (`correct_sampled_mean`):
active statistical inference, Zrnic and Candès (ICML 2024), arXiv:2403.03208.
"""

import math
import operator
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from hallascope.metrics.statistics.intervals import FloatPair

MIN_LABELED = 10  # prompts under which nothing is corrected
TUNED_FROM = 100  # labeled prompts from which the judge's weight is estimated


class CorrectedMean(NamedTuple):
    """Holds a corrected mean and the variance of its estimate.

    `from_prompts` is the part of the variance that only more judged prompts lower; labels lower the
    rest. `weight`, 0 or above, is how far the judge's scores count.
    """

    value: float
    variance: float
    from_prompts: float
    weight: float


def labels_needed(labeled: int) -> int:
    """Return how many prompts must still be labeled before anything is corrected."""
    return max(0, MIN_LABELED - labeled)


def judge_weight(
    unlabeled: Sequence[float], pairs: Sequence[FloatPair], inclusion: Sequence[float] = ()
) -> float:
    """Return the weight, 0 or above, of the judge's scores: 0 where every prompt is labeled.

    From 100 labeled prompts on it is the slope ``cov(h, j) / s2(j)``, else 1. Each label weighs the
    inverse of its probability in `inclusion`, all the same where that is empty. The paper's weight
    l, which is in [0, 1], is this times (N - n) / N.
    """
    if not unlabeled:
        return 0.0
    if len(pairs) < TUNED_FROM:
        return 1.0
    n = len(pairs)
    spread = _variance([*(judge for _, judge in pairs), *unlabeled])
    if spread <= 0:
        return 0.0
    weights = _label_weights(n, inclusion)
    people_mean = weighted_mean([people for people, _ in pairs], weights)
    judge_mean = weighted_mean([judge for _, judge in pairs], weights)
    products = [(people - people_mean) * (judge - judge_mean) for people, judge in pairs]
    covariance = n / (n - 1) * weighted_mean(products, weights)
    most = 1 + n / len(unlabeled)
    return min(most, max(0.0, covariance / spread))


# --- a simple random sample ---


def correct_mean(
    unlabeled: Sequence[float], pairs: Sequence[FloatPair], *, step: float = 0.0
) -> CorrectedMean:
    """Return the mean that people would give over all prompts.

    `unlabeled` are the judge's scores of prompts without labels, `pairs` the scores of people and
    of the judge of each labeled prompt. With n labeled of N, weight w, people h and judge j, it is
    ``mean(w j) over all + mean(h - w j) over labeled``. That is the paper's estimate, ``mean(l j)
    over unlabeled + mean(h - l j) over labeled``, with ``l = w (N - n) / N``: where many prompts
    are labeled, few are left for the judge to add to. Its variance is ``s2(h - l j) / n + l^2 s2(j)
    / (N - n)``.

    The weight is 1 under 100 labeled prompts, and from there on the one of least variance. `step`
    is the least by which people and judge can differ on a prompt, one question of it: the variance
    of their differences is at least that of one such difference in n, as a few labels may by chance
    show none.

    Raises ValueError under two labeled prompts.
    """
    n = len(pairs)
    if n < 2:
        raise ValueError(f"{n} labeled prompts have no variance: give two or more")
    weight = judge_weight(unlabeled, pairs)
    share = weight * len(unlabeled) / (len(unlabeled) + n)
    corrections = [people - share * judge for people, judge in pairs]
    value = fmean(corrections)
    spread = max(_variance(corrections), step**2 / n) / n
    if unlabeled:
        value += share * fmean(unlabeled)
        spread += share**2 * _variance(unlabeled) / len(unlabeled)
    from_prompts = _people_variance(unlabeled, pairs, weight) / (len(unlabeled) + n)
    return CorrectedMean(value, spread, min(spread, from_prompts), weight)


# --- a sample of known probabilities ---


def inclusion_probabilities(probabilities: Sequence[float], n: int) -> list[float]:
    """Return the probability of each prompt to be among the first n of a stratum.

    `probabilities` are those of one draw. They are scaled so that the results, at most 1, sum to n:
    min(1, n * p) where no prompt is sure to be drawn (Ohlsson, Journal of Official Statistics 14,
    1998, equation 1.2; Sarndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, section
    3.6.2 for those that are sure).

    Raises ValueError where n is negative or more than there are prompts, or a probability is not
    positive.
    """
    if not 0 <= n <= len(probabilities):
        raise ValueError(f"{n} of {len(probabilities)} prompts cannot be drawn: give 0 to all")
    if any(not p > 0 for p in probabilities):
        raise ValueError("a probability is not positive: every prompt must have a chance")
    order = sorted(range(len(probabilities)), key=lambda i: -probabilities[i])
    included = [1.0] * len(probabilities)
    remaining = math.fsum(probabilities)
    for sure, i in enumerate(order):
        # the prompts before i, the likeliest, are sure to be drawn
        scale = (n - sure) / remaining
        if scale * probabilities[i] < 1:
            for other in order[sure:]:
                included[other] = scale * probabilities[other]
            break
        remaining -= probabilities[i]
    return included


def correct_sampled_mean(
    unlabeled: Sequence[float],
    pairs: Sequence[FloatPair],
    inclusion: Sequence[float],
    *,
    step: float = 0.0,
) -> CorrectedMean:
    """Return the mean that people would give, where prompts had unequal chances to be labeled.

    `inclusion` in (0, 1] are the probabilities pi with which the prompts of `pairs` were drawn, in
    a sample whose size n is fixed; the rest is as in `correct_mean`. The value is the mean of
    ``w j + (l / pi) (h - w j)`` over all N prompts, of which i is labeled (l = 1) or not (l = 0):
    the judge's mean, corrected by differences that weigh the inverse of their probability (Horvitz
    and Thompson, JASA 47, 1952).

    The variance has two parts. That of the sample is ``n / (n - 1) / N^2 sum (1 - pi) (d / pi -
    A)^2`` over the labels, with d = h - w j and A the mean of d / pi weighed by 1 - pi (Hajek,
    Annals of Mathematical Statistics 35, 1964). That of the prompts, which are a sample of all that
    there could be, is ``s2(h) / N``: s2(h) is the variance of w j over all prompts, and by how much
    more h varies than w j in the sample. Where all pi are n / N, value and variance are those of
    `correct_mean`, the variance in expectation.

    Raises ValueError under two labeled prompts, and where `inclusion` has another length.
    """
    n = len(pairs)
    if n < 2:
        raise ValueError(f"{n} labeled prompts have no variance: give two or more")
    if len(inclusion) != n:
        raise ValueError(f"{n} labels but {len(inclusion)} probabilities: give one of each")
    total = len(unlabeled) + n
    weight = judge_weight(unlabeled, pairs, inclusion)
    judged = math.fsum([*unlabeled, *(judge for _, judge in pairs)]) / total
    weighed = _weighed_differences(pairs, inclusion, weight)
    rest = [1 - pi for pi in inclusion]
    center = _center(weighed, rest)
    squares = math.fsum(
        share * (amount - center) ** 2 for share, amount in zip(rest, weighed, strict=True)
    )
    from_labels = max(n / (n - 1) * squares / total**2, (1 - n / total) * step**2 / n**2)
    from_prompts = _people_variance(unlabeled, pairs, weight, inclusion) / total
    return CorrectedMean(
        value=weight * judged + math.fsum(weighed) / total,
        variance=from_labels + from_prompts,
        from_prompts=from_prompts,
        weight=weight,
    )


def sampled_estimates(
    unlabeled: Sequence[float], pairs: Sequence[FloatPair], inclusion: Sequence[float]
) -> list[float]:
    """Return a value of each prompt; their mean is the value of `correct_sampled_mean`.

    Those of prompts without labels come first. They are ``w j + (l / pi) (h - w j)``. As the size
    of the sample is fixed, the A of `correct_sampled_mean` can be taken from each that was not sure
    to be labeled, and be given to all in equal parts: the mean stays, and the values vary as it
    does from sample to sample. So the difference of two models has the variance of the differences
    of their values, prompt by prompt.
    """
    weight = judge_weight(unlabeled, pairs, inclusion)
    weighed = _weighed_differences(pairs, inclusion, weight)
    center = _center(weighed, [1 - pi for pi in inclusion])
    taken = [center if pi < 1 else 0.0 for pi in inclusion]
    given = math.fsum(taken) / (len(unlabeled) + len(pairs))
    estimates = [weight * judge + given for judge in unlabeled]
    return estimates + [
        weight * judge + amount - own + given
        for (_, judge), amount, own in zip(pairs, weighed, taken, strict=True)
    ]


def _weighed_differences(
    pairs: Sequence[FloatPair], inclusion: Sequence[float], weight: float
) -> list[float]:
    return [
        (people - weight * judge) / pi for (people, judge), pi in zip(pairs, inclusion, strict=True)
    ]


def _center(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted mean; 0 where nothing has a weight, as every prompt is labeled."""
    return weighted_mean(values, weights) if math.fsum(weights) else 0.0


# --- both ---


def _people_variance(
    unlabeled: Sequence[float],
    pairs: Sequence[FloatPair],
    weight: float,
    inclusion: Sequence[float] = (),
) -> float:
    """Return the variance of people's scores over all prompts.

    It is that of the judge's weighed scores of all prompts, corrected by how much more or less
    people's vary in the sample.
    """
    weights = _label_weights(len(pairs), inclusion)
    judge = [judge for _, judge in pairs]
    people = _weighted_variance([people for people, _ in pairs], weights)
    more = _variance([*judge, *unlabeled]) - _weighted_variance(judge, weights)
    return max(0.0, people + weight**2 * more)


def _label_weights(n: int, inclusion: Sequence[float]) -> list[float]:
    """Return the inverse of the probabilities; all the same where there are none."""
    return [1 / pi for pi in inclusion] if inclusion else [1.0] * n


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the mean of values that weigh unequally; the weights have a positive sum."""
    return math.fsum(map(operator.mul, values, weights)) / math.fsum(weights)


def _weighted_variance(values: Sequence[float], weights: Sequence[float]) -> float:
    mean = weighted_mean(values, weights)
    squares = weighted_mean([(value - mean) ** 2 for value in values], weights)
    return squares * len(values) / (len(values) - 1)


def _variance(values: Sequence[float]) -> float:
    """Return the sample variance (n - 1); 0 under two values, and exactly 0 for equal ones.

    As `statistics.variance`, which counts in fractions and takes several times as long.
    """
    if len(values) < 2:
        return 0.0
    shifted = [value - values[0] for value in values]
    mean = math.fsum(shifted) / len(shifted)
    return math.fsum((value - mean) ** 2 for value in shifted) / (len(shifted) - 1)
