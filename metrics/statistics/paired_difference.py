"""Computes by how much models are above each other on the prompts that they share."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from hallascope.metrics.statistics.intervals import (
    LEVEL,
    FloatPair,
    Interval,
    IntervalMethod,
    t_quantile,
)
from hallascope.metrics.statistics.sign_flips import FlipKind, sign_flip_tests

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_PROMPTS = 6  # under so many no two-sided sign-flip test can reach p < 0.05
POWER = 0.8
_ROUNDING = 1e-12  # smaller differences are what adding up equal scores leaves
TOO_FEW = "too few prompts to tell"
# by model and prompt: the sum of a score and its weight
ScoresByModel = Mapping[str, Mapping[str, FloatPair]]


@dataclass(frozen=True, kw_only=True)
class ModelDifference:
    """Holds by how much the score of `one` exceeds that of `other`, over `n` prompts of both.

    `value` is None where they share no prompt; its 95 % interval, computed by `interval_method`, is
    None under two. `p` is two-sided, of a test by sign flips (`flips`: of all flips or of drawn
    ones): the chance of a difference at least as large where there is none; None under six prompts.
    `corrected_p` is p corrected by Holm's method for all pairs that were compared beside this one,
    None where it stands alone. `deviation` is the standard deviation of the prompts' differences,
    `prompts_needed` how many prompts it would take to tell the two apart with 80 % power if the
    difference is as measured, None where nothing follows. By composition of interest each prompt
    counts with its questions. `group` is "" for all prompts.
    """

    one: str
    other: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    interval_method: IntervalMethod = "linearized"
    flips: FlipKind | None = None
    corrected_p: float | None = None
    deviation: float | None = None
    prompts_needed: int | None = None
    unit: Literal["prompts"] = "prompts"

    @property
    def final_p(self) -> float | None:
        """Return the corrected p, or p where the difference stands alone."""
        return self.p if self.corrected_p is None else self.corrected_p

    @property
    def told_apart(self) -> bool:
        """Return whether one of the two is better, at the 5 % level."""
        return self.final_p is not None and self.final_p < 1 - LEVEL

    @property
    def words(self) -> str:
        """Return what the difference says, in a few words; the sign of the value is its way."""
        if not self.n:
            return "nothing to compare"
        if self.final_p is None:
            return TOO_FEW
        return "different" if self.told_apart else "cannot be told apart"


def model_difference(
    one: str, other: str, sides: ScoresByModel, group: str = "", *, share: bool = True
) -> ModelDifference:
    """Return the difference of two models on the prompts of both.

    `share`: the score lies in [0, 1]. Raises ValueError where a weight is not positive or a number
    is not finite.
    """
    (difference,) = _differences({group: {model: sides[model] for model in (one, other)}}, share)
    return difference


def all_differences(
    groups: Mapping[str, ScoresByModel], *, share: bool = True
) -> tuple[ModelDifference, ...]:
    """Return the differences of all pairs of models in each group, corrected for being many.

    The p of all pairs of all groups together are corrected by Holm's method (Scandinavian Journal
    of Statistics 6, 1979), so that where all models are equal, the chance that any pair is told
    apart is at most 5 %. `prompts_needed` is for a test at the level that Bonferroni's correction
    leaves each pair. Pairs of under six prompts are not tested. Raises ValueError as
    `model_difference` does.
    """
    differences = _differences(groups, share)
    tested = [difference.p for difference in differences if difference.p is not None]
    corrected = iter(holm(tested))
    level = (1 - LEVEL) / max(1, len(tested))
    return tuple(
        replace(
            difference,
            corrected_p=None if difference.p is None else next(corrected),
            prompts_needed=prompts_needed(difference.value, difference.deviation, level),
        )
        for difference in differences
    )


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p values corrected by Holm's method, in the given order.

    The i-th smallest of m is multiplied by m - i + 1; none is smaller than one before it, or above
    1.
    """
    import numpy as np

    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order]).clip(max=1.0)
    return tuple(corrected.tolist())


def difference_interval(values: "NDArray[np.float64]", *, share: bool = True) -> Interval | None:
    """Return the 95 % t interval of the mean of paired differences, one of each prompt, shape (n,).

    For scores in [0, 1] (`share`) the variance is that of the differences and of one prompt more
    that lies as far from the mean as two scores can, 1: without it differences that happen to be
    alike would have an interval without a width. `python -m bench.interval_coverage` prints how
    often it covers. It is cut to [-1, 1]. None under two prompts, and for other scores where all
    differences are the same.
    """
    n = len(values)
    if n < 2:
        return None
    mean = float(values.mean())
    squares = float(((values - mean) ** 2).sum())
    if not share and squares <= 1e-12 * float((values**2).sum()):
        return None
    half = t_quantile(n - 1) * math.sqrt((squares + share) / (n - 1) / n)
    low, high = mean - half, mean + half
    if share:
        low, high = max(low, -1.0), min(high, 1.0)
    return Interval(low, high, "linearized")


def prompts_needed(
    difference: float | None, deviation: float | None, level: float = 1 - LEVEL
) -> int | None:
    """Return how many prompts tell a difference from 0 with 80 % power, in a two-sided test.

    `deviation` is the standard deviation of the paired differences. It is the sample size of the t
    test in the approximation of Guenther (The American Statistician 35, 1981), ((z + z_power) *
    deviation / difference) ** 2 + z ** 2 / 2, at least 6. None where one of them is None, or the
    difference is 0.
    """
    if difference is None or deviation is None or abs(difference) < _ROUNDING:
        return None
    z, z_power = _normal_quantiles(level)
    needed = ((z + z_power) * deviation / difference) ** 2 + z * z / 2
    return max(MIN_PROMPTS, math.ceil(needed)) if math.isfinite(needed) else None


def least_difference(prompts: int, deviation: float, level: float = 1 - LEVEL) -> float | None:
    """Return the least difference that so many prompts tell from 0 with 80 % power.

    It is `prompts_needed` solved for the difference; None under six prompts.
    """
    z, z_power = _normal_quantiles(level)
    spare = prompts - z * z / 2
    if prompts < MIN_PROMPTS or spare <= 0:
        return None
    return (z + z_power) * deviation / math.sqrt(spare)


def _normal_quantiles(level: float) -> tuple[float, float]:
    from scipy.special import ndtri  # here, so that importing the metrics stays quick

    return float(ndtri(1 - level / 2)), float(ndtri(POWER))


def _differences(groups: Mapping[str, ScoresByModel], share: bool) -> list[ModelDifference]:
    """Return the differences of all pairs in each group, with p where there are enough prompts."""
    import numpy as np

    pairs = [(group, *pair) for group, sides in groups.items() for pair in _pair_models(sides)]
    tested = [values for *_, values in pairs if len(values) >= MIN_PROMPTS]
    columns = np.zeros((max(map(len, tested), default=0), len(tested)))
    for place, values in enumerate(tested):
        columns[: len(values), place] = values
    tests = sign_flip_tests(columns)
    results = iter(zip(tests.p, tests.kinds, strict=True))
    found = []
    for group, one, other, value, values in pairs:
        n = len(values)
        interval = difference_interval(values, share=share)
        low, high = interval[:2] if interval else (None, None)
        p, flips = next(results) if n >= MIN_PROMPTS else (None, None)
        deviation = float(values.std(ddof=1)) if n > 1 else None
        found.append(
            ModelDifference(
                one=one,
                other=other,
                group=group,
                value=value,
                low=low,
                high=high,
                p=p,
                n=n,
                flips=flips,
                deviation=deviation,
                prompts_needed=prompts_needed(value, deviation),
            )
        )
    return found


def _pair_models(
    sides: ScoresByModel,
) -> Iterator[tuple[str, str, float | None, "NDArray[np.float64]"]]:
    """Yield all pairs of models, their difference, and that of each prompt that both have.

    A side has a sum s and a weight w of each prompt. A difference is that of the linearized
    contributions to the two ratios, n * ((s - r * w) / sum(w) - (s' - r * w') / sum(w')), with r
    the ratio of both sides together. Where all weights are 1 it is s - s'. For any r their mean is
    sum(s) / sum(w) - sum(s') / sum(w'). Raises ValueError.
    """
    import numpy as np

    prompts = sorted({prompt for scores in sides.values() for prompt in scores})
    places = {prompt: place for place, prompt in enumerate(prompts)}
    tables = np.full((len(sides), len(prompts), 2), math.nan)
    for table, scores in zip(tables, sides.values(), strict=True):
        values = np.array(list(scores.values())).reshape(-1, 2)
        if not (np.isfinite(values).all() and (values[:, 1] > 0).all()):
            raise ValueError(
                "sums must be finite and weights positive: leave out prompts in which nothing was"
                " counted"
            )
        table[[places[prompt] for prompt in scores]] = values
    for (one, side), (other, other_side) in combinations(zip(sides, tables, strict=True), 2):
        pair = np.stack([side, other_side])
        pair = pair[:, np.isfinite(pair[..., 1]).all(axis=0)]
        sums, weights = pair[..., 0], pair[..., 1]
        if not pair.size:
            yield one, other, None, weights[0]
            continue
        ratio = sums.sum() / weights.sum()
        contributions = (sums - ratio * weights) / weights.sum(axis=1, keepdims=True)
        differences = pair.shape[1] * (contributions[0] - contributions[1])
        differences[abs(differences) < _ROUNDING * max(1.0, abs(ratio))] = 0.0
        ratios = sums.sum(axis=1) / weights.sum(axis=1)
        yield one, other, float(ratios[0] - ratios[1]), differences
