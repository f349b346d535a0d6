"""Searches conjunctions of conditions for groups that fail more than the rest.

It knows units with an error, a weight and a prompt, and conditions as columns of booleans; it knows
no store. All single conditions and all pairs are looked at, and the best pairs with a third
condition (a beam search; SliceLine, Sagadeeva and Boehm, SIGMOD 2021, enumerates likewise, but does
not say what it looked at, which the correction for many groups needs).

Units of one prompt are not independent, so prompts are what is exchanged or flipped in a test:

- where a condition is on the prompt, the errors of whole prompts are permuted among the prompts, of
  the units that meet the other conditions;
- where all conditions differ within prompts (model, seed, question type), the signs of the prompts'
  score contributions are flipped (Hemerik, Goeman and Finos, JRSS B 82, 2020).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hallascope.metrics.statistics.sign_flips import sign_flip_tests

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

# of the false discovery rate: below 5 %, since the errors also choose which triples are looked at
LEVEL = 0.025
BEAM = 20  # pairs of conditions that a third is added to
TESTED = 300  # groups of each size that are tested, at most: the others count as not significant
FEWEST_UNITS = 10
FEWEST_PROMPTS = 5
MOST_OF_ALL = 0.9  # of all weight: a group that is larger has no rest to be compared with
FEWEST_DRAWS = 20_000  # permutations or flips; as many as the correction needs are drawn
_MOST_DRAWS = 400_000
_CELLS = 4_000_000  # numbers in memory at once, at most
_ADDS = 2.0  # standard errors by which a condition, or a further group, has to add something
_ADDS_LIFT = 1.2  # and how many times the error it is compared with


class Units(NamedTuple):
    """Holds what failed how much, a row for each unit.

    `errors`: in [0, 1], shape (units,). `weights`: positive, shape (units,). `prompts`: the number
    of the prompt of each unit, from 0, shape (units,). `models`: that of its model, likewise: where
    prompts are compared, an error counts as far as it lies above the mean of its model, so that
    prompts that only a bad model drew are no group. `conditions`: whether a unit meets each
    condition, shape (units, conditions). `features`: the number of the feature of each condition;
    a group has one condition of a feature.
    """

    errors: Floats
    weights: Floats
    prompts: NDArray[np.intp]
    models: NDArray[np.intp]
    conditions: Booleans
    features: Sequence[int]


class Group(NamedTuple):
    """Holds a group: which conditions (sorted), and how sure it is that it fails more.

    `correlation` is that of being in the group and the error, over units. `p` is of a test over
    prompts, `corrected_p` by Benjamini and Hochberg (JRSS B 57, 1995) over all groups looked at.
    """

    conditions: tuple[int, ...]
    correlation: float
    p: float
    corrected_p: float


class GroupSearch(NamedTuple):
    """Holds the groups that were found, the strongest first, and how many were looked at."""

    groups: tuple[Group, ...]
    looked_at: int


class _Candidates(NamedTuple):
    """Holds groups of one size to test, the strongest first, and how many were looked at."""

    groups: list[tuple[tuple[int, ...], float]]
    looked_at: int


def find_groups(units: Units, *, most: int = 10, seed: int = 0) -> GroupSearch:
    """Return the groups that fail more than the rest beyond chance, none that repeats a wider one.

    The false discovery rate over all groups that were looked at is at most 2.5 %; of those that
    remain, the one that correlates most with the error comes first, and each further one has to add
    something beside those before it. The same seed gives the same groups.
    """
    if not len(units.errors) or not len(units.features) or np.ptp(units.errors) == 0:
        return GroupSearch((), 0)
    candidates = _all_candidates(units)
    is_of_prompts = _find_prompt_conditions(units)
    tests = [_test(units, conditions, is_of_prompts) for conditions, _ in candidates.groups]
    p = _screen(tests)
    # a group that is not among the tested ones counts with p = 1
    corrected = _correct(p, candidates.looked_at)
    reached = [at for at in range(len(tests)) if corrected[at] <= LEVEL]
    if not reached:
        return GroupSearch((), candidates.looked_at)
    # the largest p that Benjamini and Hochberg's method accepts
    limit = LEVEL * len(reached) / candidates.looked_at
    draws = int(min(_MOST_DRAWS, max(FEWEST_DRAWS, 2 / limit)))
    reached.sort(key=lambda at: -candidates.groups[at][1])
    kept: list[Group] = []
    strata = np.zeros(len(units.errors), dtype=np.intp)
    for at in reached:
        if len(kept) == most:
            break
        conditions, correlation = candidates.groups[at]
        test = tests[at]
        if test is None or not _adds_to(units, conditions, strata):
            continue
        # one effect is behind many groups, so what it leaves unexplained is tested for itself
        rest = _test(_explain(units, strata), conditions, is_of_prompts)
        if _screen([rest])[0] > LEVEL * (len(kept) + 1) / candidates.looked_at and kept:
            continue
        drawn = max(float(p[at]), _drawn_p(test, draws, seed))
        if drawn <= limit:
            kept.append(Group(conditions, correlation, drawn, LEVEL * drawn / limit))
            joined = strata * 2 + members(units, conditions)
            strata = np.unique(joined, return_inverse=True)[1].ravel()
    return GroupSearch(tuple(kept), candidates.looked_at)


def members(units: Units, conditions: Sequence[int]) -> Booleans:
    """Return whether each unit is in the group of some conditions."""
    inside: Booleans = np.all(units.conditions[:, list(conditions)], axis=1)
    return inside


# --- the groups that are looked at


def _all_candidates(units: Units) -> _Candidates:
    """Return the groups of one condition, of two, and the best of these with a third."""
    first = _measure(units, *_extend(units, [()]))
    singles = [(condition,) for condition in range(len(units.features))]
    second = _measure(units, *_extend(units, singles))
    third = _measure(units, *_extend(units, [group for group, _ in second.groups[:BEAM]]))
    found = (first, second, third)
    return _Candidates(
        [group for candidates in found for group in candidates.groups],
        sum(candidates.looked_at for candidates in found),
    )


class _Sums(NamedTuple):
    """Holds of each group the number of units, the sum of weights, and that of weighted errors."""

    counts: Floats
    weights: Floats
    errors: Floats


def _extend(units: Units, groups: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], _Sums]:
    """Return the groups with one more condition, of another feature, each once, and their sums.

    The sums are products of matrices: those of all groups at once.
    """
    places: dict[tuple[int, ...], tuple[int, int]] = {}
    for place, group in enumerate(groups):
        used = {units.features[condition] for condition in group}
        for condition, feature in enumerate(units.features):
            if feature not in used:
                places.setdefault(tuple(sorted((*group, condition))), (place, condition))
    met = units.conditions.astype(np.float32)
    inside = np.array([members(units, group) for group in groups], dtype=np.float32)
    inside = inside.reshape(len(groups), len(units.errors))
    at = np.array(list(places.values()), dtype=np.intp).reshape(-1, 2)

    def sums(values: Floats) -> Floats:
        products = (inside * values.astype(np.float32)) @ met
        chosen: Floats = products[at[:, 0], at[:, 1]].astype(float)
        return chosen

    ones = np.ones(len(units.errors))
    return list(places), _Sums(sums(ones), sums(units.weights), sums(units.weights * units.errors))


def _measure(units: Units, groups: Sequence[tuple[int, ...]], sums: _Sums) -> _Candidates:
    """Return the groups that fail more than the rest, and how many are large enough to look at."""
    weight = units.weights.sum()
    mean = float(units.weights @ units.errors / weight)
    spread = float(units.weights @ (units.errors - mean) ** 2)
    is_looked_at = (sums.counts >= FEWEST_UNITS) & (sums.weights <= MOST_OF_ALL * weight)
    share = np.clip(sums.weights / weight, 0.0, 1.0)
    deviation = np.sqrt(np.maximum(share * (1 - share) * weight * spread, 1e-12))
    correlation = (sums.errors - mean * sums.weights) / deviation
    order = np.argsort(-correlation, kind="stable")
    chosen = order[(is_looked_at & (correlation > 0))[order]][:TESTED]
    return _Candidates(
        [(tuple(groups[at]), float(correlation[at])) for at in chosen], int(is_looked_at.sum())
    )


# --- tests


class _Test(NamedTuple):
    """Holds what a test exchanges or flips: a number of each prompt.

    With `chosen` (which prompts are in the group) the numbers are permuted among the prompts, else
    their signs are flipped.
    """

    values: Floats
    chosen: Booleans | None

    @property
    def variance(self) -> float:
        """Return the variance of the statistic."""
        n = len(self.values)
        squares = float((self.values**2).sum())
        if self.chosen is None or not squares:
            return squares
        k = int(self.chosen.sum())
        return k * (n - k) / (n * (n - 1)) * squares

    @property
    def z(self) -> float:
        """Return the statistic in standard errors."""
        counted = self.values if self.chosen is None else self.values[self.chosen]
        variance = self.variance
        return float(counted.sum() / variance**0.5) if variance else 0.0

    @property
    def skew(self) -> float:
        """Return the skewness of the statistic: 0 for flips.

        That of a sum of k values, drawn without replacement of n whose sum is 0: errors are rare,
        so that the normal approximation gives far too small p values.
        """
        n = len(self.values)
        variance = self.variance
        if self.chosen is None or n < 3 or not variance:
            return 0.0
        k = int(self.chosen.sum())
        third = k * (n - k) * (n - 2 * k) / (n * (n - 1) * (n - 2)) * (self.values**3).sum()
        return float(third / variance**1.5)


def _test(units: Units, conditions: Sequence[int], is_of_prompts: Sequence[bool]) -> _Test | None:
    """Return the test of a group; None where it has too few prompts."""
    of_prompts = [condition for condition in conditions if is_of_prompts[condition]]
    of_units = [condition for condition in conditions if not is_of_prompts[condition]]
    inside = members(units, of_units)
    chosen = members(units, of_prompts)
    count = int(units.prompts.max()) + 1
    is_in_group = np.bincount(units.prompts[inside & chosen], minlength=count) > 0
    if is_in_group.sum() < FEWEST_PROMPTS:
        return None
    if not of_prompts:
        everywhere = np.zeros(len(units.errors), dtype=np.intp)
        return _Test(_contributions(units, inside, everywhere), None)
    prompts, errors, weights = units.prompts[inside], units.errors[inside], units.weights[inside]
    models = units.models[inside]
    size = np.bincount(models, weights)
    means = np.bincount(models, weights * errors) / np.where(size > 0, size, 1.0)
    values = np.bincount(prompts, weights * (errors - means[models]), count).astype(float)
    has_units = np.bincount(prompts, minlength=count) > 0
    return _Test(values[has_units], is_in_group[has_units])


def _find_prompt_conditions(units: Units) -> list[bool]:
    """Return of each condition whether all units of a prompt meet it or none does."""
    count = np.bincount(units.prompts)
    met = (
        np.bincount(units.prompts[column], minlength=len(count)) for column in units.conditions.T
    )
    return [bool(((each == 0) | (each == count)).all()) for each in met]


def _explain(units: Units, strata: NDArray[np.intp]) -> Units:
    """Return the units with what their error lies above the mean of their stratum."""
    size = np.bincount(strata, units.weights)
    mean = np.bincount(strata, units.weights * units.errors) / size
    return units._replace(errors=units.errors - mean[strata])


def _contributions(units: Units, group: Booleans, strata: NDArray[np.intp]) -> Floats:
    """Return each prompt's contribution to the score of a group, compared within strata.

    It is the sum over its units of weight * (in the group less the stratum's share) * (error less
    the stratum's mean); the sum of all is the covariance of both within strata.
    """
    size = np.bincount(strata, units.weights)
    size[size == 0] = 1.0
    share = np.bincount(strata, units.weights * group) / size
    mean = np.bincount(strata, units.weights * units.errors) / size
    scores = units.weights * (group - share[strata]) * (units.errors - mean[strata])
    summed: Floats = np.bincount(units.prompts, scores).astype(float)
    return summed


def _screen(tests: Sequence[_Test | None]) -> Floats:
    """Return the p of each test by approximation, 1 where there is none.

    Flips are nearly normal; permutations have the distribution of Pearson's type III with their
    skewness.
    """
    from scipy.special import ndtr
    from scipy.stats import pearson3

    p = np.ones(len(tests))
    permuted = [at for at, test in enumerate(tests) if test and test.chosen is not None]
    flipped = [at for at, test in enumerate(tests) if test and test.chosen is None]
    z = np.array([test.z if test else 0.0 for test in tests])
    skew = np.array([test.skew if test else 0.0 for test in tests])
    p[flipped] = np.minimum(1.0, 2.0 * ndtr(-z[flipped]))
    p[permuted] = pearson3.sf(z[permuted], skew[permuted])
    return p


def _drawn_p(test: _Test, draws: int, seed: int) -> float:
    """Return the p of a test by drawn permutations, or by drawn flips; it is never 0."""
    if test.chosen is None:
        return sign_flip_tests(test.values[:, np.newaxis], drawn=draws, seed=seed).p[0]
    size = int(test.chosen.sum())
    limit = test.values[test.chosen].sum() - 1e-9 * np.abs(test.values).sum()
    chance = np.random.default_rng(seed)
    step = max(1, _CELLS // len(test.values))
    reached = 0
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        permuted = chance.permuted(np.tile(test.values, (rows, 1)), axis=1)
        reached += int((permuted[:, :size].sum(axis=1) >= limit).sum())
    return (reached + 1) / (draws + 1)


def _correct(p: Floats, looked_at: int) -> Floats:
    """Return p values corrected by Benjamini and Hochberg for all groups that were looked at."""
    from scipy.stats import false_discovery_control

    untested = np.ones(max(0, looked_at - len(p)))
    corrected: Floats = false_discovery_control(np.concatenate([p, untested]))[: len(p)]
    return corrected


# --- what repeats


def _adds_to(units: Units, conditions: Sequence[int], strata: NDArray[np.intp]) -> bool:
    """Return whether each condition adds something, and the group to those kept before.

    `strata` says in which of those kept before each unit is.
    """
    inside = members(units, conditions)
    wider = [
        members(units, [other for other in conditions if other != condition])
        for condition in conditions
        if len(conditions) > 1
    ]
    parts = [strata, *(each.astype(np.intp) for each in wider)]
    return all(_adds(units, inside, part) for part in parts)


def _adds(units: Units, group: Booleans, strata: NDArray[np.intp]) -> bool:
    """Return whether a group fails more than the rest of the strata that it lies in."""
    contributions = _contributions(units, group, strata)
    if _Test(contributions, None).z < _ADDS:
        return False
    weighted = units.weights * units.errors
    size = np.bincount(strata, units.weights * ~group)
    compared = group & (size > 0)[strata]  # a stratum that is all in the group says nothing
    rest = np.bincount(strata, weighted * ~group) / np.where(size > 0, size, 1.0)
    expected = float(units.weights[compared] @ rest[strata[compared]])
    return float(weighted[compared].sum()) >= _ADDS_LIFT * expected
