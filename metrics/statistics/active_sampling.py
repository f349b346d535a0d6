"""Corrects a judge's mean score by labels of a sample whose inclusion probabilities are known.

The estimate is ``(1 / N) sum_i [ j_i + (labeled_i / pi_i) (h_i - j_i) ]`` over the N judged prompts
with the judge's scores j, those of people h, and inclusion probabilities pi: the judge's mean,
corrected by the inverse-probability weighted differences (Horvitz and Thompson, JASA 47, 1952).
With probabilities that depend on the judge's uncertainty it is active statistical inference (Zrnic
and Candes, ICML 2024, arXiv:2403.03208); where all are the same it is prediction-powered
inference. The unit is the prompt: its questions and images are not independent.
"""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from hallascope.metrics.statistics.intervals import mean_interval, t_quantile
from hallascope.metrics.statistics.prediction_powered import MIN_LABELED


class SampledPrompt(NamedTuple):
    """Holds the scores in [0, 1] that people and judge give a labeled prompt.

    Both are of the same questions. `inclusion` in (0, 1] is the probability pi of being labeled.
    """

    people: float
    judge: float
    inclusion: float


class SampledMean(NamedTuple):
    """Holds the mean score that people would give, with its 95 % interval, from `low` to `high`.

    `half_width` is that before it is cut off at 0 and 1. `from_labels` is the part of the variance
    that more labels lower, `from_prompts` the part that only more judged prompts lower. `labeled`
    of the `judged` prompts have labels. `judge` is the judge's own mean.
    """

    value: float
    low: float
    high: float
    half_width: float
    from_labels: float
    from_prompts: float
    labeled: int
    judged: int
    judge: float


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
    judged: Sequence[float], sample: Sequence[SampledPrompt], *, step: float = 0.0
) -> SampledMean | None:
    """Return the mean that people would give, None under 10 labeled prompts.

    `judged` are the judge's scores of all prompts, `sample` the labeled ones among them. The
    variance has two parts. That of the sample is ``n / (n - 1) / N^2 sum (1 - pi) (d / pi - A)^2``
    over the sample, with d = h - j and A the mean of d / pi weighed by 1 - pi (Hajek, Annals of
    Mathematical Statistics 35, 1964); where all pi are n / N it is
    ``(1 - n / N) s^2(d) / n``. That of the prompts, a sample of all there could be, is
    ``s^2(h) / N``, where s^2(h) is the variance of j over all prompts and by how much more h varies
    than j in the sample. `step` is the least by which people and judge can differ on a prompt, one
    question of it: the differences count as varying by at least one such difference in n, as a few
    labels may by chance show none. The interval is Student's t with n - 1 degrees of freedom, or
    where every prompt is labeled that of people's own scores.

    Raises ValueError where there are more labels than judged prompts.
    """
    n = len(sample)
    total = len(judged)
    if n > total:
        raise ValueError(f"{n} labels of {total} judged prompts: judge the labeled prompts too")
    if n < MIN_LABELED:
        return None
    judge = fmean(judged)
    differences = [(one.people - one.judge) / one.inclusion for one in sample]
    value = judge + math.fsum(differences) / total
    from_labels = max(
        _sample_variance(differences, sample, total), (1 - n / total) * step**2 / n**2
    )
    from_prompts = _people_variance(judged, sample) / total
    half = t_quantile(n - 1) * math.sqrt(from_labels + from_prompts)
    low, high = value - half, value + half
    alone = mean_interval([one.people for one in sample]) if n == total else None
    if alone:
        low, high = alone.low, alone.high
        half = max(value - low, high - value)
    return SampledMean(
        value=_clip(value),
        low=_clip(low),
        high=_clip(high),
        half_width=half,
        from_labels=from_labels,
        from_prompts=from_prompts,
        labeled=n,
        judged=total,
        judge=judge,
    )


def labels_for_half_width(mean: SampledMean, half_width: float) -> int | None:
    """Return how many more prompts to label until the interval is so narrow, 0 where it is.

    The part of the variance that labels lower falls with n as (1 - n / N) / n, and Student's t
    with its degrees of freedom. None where even labels of all prompts do not suffice.
    """
    if mean.half_width <= half_width:
        return 0
    n, total = mean.labeled, mean.judged
    if n == total:
        return None
    left = 1 - n / total
    for labeled in range(n + 1, total + 1):
        from_labels = mean.from_labels * (n / labeled) * ((1 - labeled / total) / left)
        half = t_quantile(labeled - 1) * math.sqrt(from_labels + mean.from_prompts)
        if half <= half_width:
            return labeled - n
    return None


def half_width_of_all(mean: SampledMean) -> float:
    """Return half the width of the interval that is to be expected with every prompt labeled."""
    return t_quantile(mean.judged - 1) * math.sqrt(mean.from_prompts)


def _sample_variance(
    differences: Sequence[float], sample: Sequence[SampledPrompt], total: int
) -> float:
    """Return the variance of the mean of `differences`, which are over their probabilities."""
    rest = [1 - one.inclusion for one in sample]
    if not math.fsum(rest):
        return 0.0
    center = math.fsum(w * d for w, d in zip(rest, differences, strict=True)) / math.fsum(rest)
    n = len(sample)
    squares = math.fsum(w * (d - center) ** 2 for w, d in zip(rest, differences, strict=True))
    return n / (n - 1) * squares / total**2


def _people_variance(judged: Sequence[float], sample: Sequence[SampledPrompt]) -> float:
    """Return the variance of people's scores over all prompts.

    It is that of the judge's scores of all prompts, corrected by how much more or less people's
    vary in the sample.
    """
    weights = [1 / one.inclusion for one in sample]
    people = _weighted_variance([one.people for one in sample], weights)
    judge = _weighted_variance([one.judge for one in sample], weights)
    return max(0.0, _weighted_variance(judged, [1.0] * len(judged)) + people - judge)


def _weighted_variance(values: Sequence[float], weights: Sequence[float]) -> float:
    total = math.fsum(weights)
    mean = math.fsum(w * value for w, value in zip(weights, values, strict=True)) / total
    squares = math.fsum(w * (value - mean) ** 2 for w, value in zip(weights, values, strict=True))
    return squares / total * len(values) / (len(values) - 1)


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))
