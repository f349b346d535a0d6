"""Computes Krippendorff's alpha: how far raters agree beyond chance.

Krippendorff, Content Analysis (2004), section 11.3, for any number of raters, any of them missing.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

MeasurementLevel = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[MeasurementLevel, ...] = ("nominal", "ordinal", "interval")
MAX_GRADES = 11  # as many as a scale from 0 to 10 has; more distinct ratings are measurements


class GuessedLevel(NamedTuple):
    """Holds the level at which ratings are likely measured, and the reason in a few words."""

    level: MeasurementLevel
    reason: str


def guess_level(ratings: Iterable[float]) -> GuessedLevel:
    """Return the level of a scale from its ratings.

    At most two distinct values are nominal (all levels then give the same alpha), up to eleven
    whole numbers are grades and ordinal, all else is interval. Numbers that name categories cannot
    be told from grades.
    """
    distinct = set(ratings)
    if len(distinct) <= 2:
        return GuessedLevel("nominal", "at most two distinct ratings")
    if len(distinct) <= MAX_GRADES and all(float(value).is_integer() for value in distinct):
        return GuessedLevel("ordinal", f"{len(distinct)} distinct whole numbers")
    if len(distinct) <= MAX_GRADES:
        return GuessedLevel("interval", "ratings that are not whole numbers")
    return GuessedLevel("interval", f"more than {MAX_GRADES} distinct ratings")


def krippendorff_alpha(units: Sequence[Sequence[float]], level: MeasurementLevel) -> float | None:
    """Return alpha over the values that each unit was given; at most 1, 0 for agreement by chance.

    `level` says what a difference is: nominal, any; interval, its square; ordinal, the square of
    the number of ratings between. None where no unit has two values, or all values are the same.
    Units with one value say nothing and are left out.
    """
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    if len(set(values)) < 2:
        return None
    if level == "nominal":
        return 1 - _disagreement_ratio(units, _count_unequal)
    if level == "ordinal":
        scale = _midranks(values)
    else:
        # Alpha does not depend on the unit: values in [-1, 1] have squares that are finite.
        largest = max(map(abs, values)) or 1.0
        scale = {value: value / largest for value in values}
    return 1 - _disagreement_ratio([[scale[value] for value in unit] for unit in units], _squares)


def _disagreement_ratio(
    units: Sequence[Sequence[float]], disagreement: Callable[[Sequence[float]], float]
) -> float:
    """Return the disagreement within the units over that among all their values."""
    values = [value for unit in units for value in unit]
    within = math.fsum(disagreement(unit) / (len(unit) - 1) for unit in units)
    return within / (disagreement(values) / (len(values) - 1))


def _count_unequal(values: Sequence[Hashable]) -> int:
    """Return how many ordered pairs differ."""
    return len(values) ** 2 - sum(count * count for count in Counter(values).values())


def _squares(values: Sequence[float]) -> float:
    """Return the summed squared differences of all ordered pairs.

    That is 2 n times the summed squared deviations from the mean.
    """
    mean = math.fsum(values) / len(values)
    return 2 * len(values) * math.fsum((value - mean) ** 2 for value in values)


def _midranks(values: Sequence[float]) -> Mapping[float, float]:
    """Return for each value how many ratings lie below it, its own counted half.

    The ordinal difference is that of two such ranks.
    """
    ranks = {}
    below = 0
    for value, count in sorted(Counter(values).items()):
        ranks[value] = below + count / 2
        below += count
    return ranks
