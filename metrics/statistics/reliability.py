"""Computes Krippendorff's alpha: how far raters agree beyond chance.

Krippendorff, Content Analysis (2004), section 11.3, for any number of raters, any of them missing.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
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
    if len(distinct) > MAX_GRADES:
        return GuessedLevel("interval", f"more than {MAX_GRADES} distinct ratings")
    if all(float(value).is_integer() for value in distinct):
        return GuessedLevel("ordinal", f"{len(distinct)} distinct whole numbers")
    return GuessedLevel("interval", "ratings that are not whole numbers")


def krippendorff_alpha(units: Sequence[Sequence[float]], level: MeasurementLevel) -> float | None:
    """Return alpha over the values that each unit was given; at most 1, 0 for agreement by chance.

    `level` says what a difference is: nominal, any; interval, its square; ordinal, the square of
    the number of ratings between. None where no unit has two values, or all values are the same.
    Units with one value say nothing and are left out.
    """
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    counts = sorted(Counter(values).items())
    if len(counts) < 2:
        return None
    largest = max(map(abs, values))  # values in [-1, 1] have squares that are finite
    scale = {value: value / largest for value, _ in counts}
    if level == "ordinal":  # how many ratings lie below, its own counted half
        ends = accumulate(count for _, count in counts)
        scale = {value: end - count / 2 for (value, count), end in zip(counts, ends, strict=True)}

    def disagreement(own: Sequence[float]) -> float:
        """Return the summed differences of all ordered pairs, over the number less one."""
        n = len(own)
        if level == "nominal":
            return (n**2 - sum(count**2 for count in Counter(own).values())) / (n - 1)
        scaled = [scale[value] for value in own]
        mean = math.fsum(scaled) / n
        return 2 * n * math.fsum((value - mean) ** 2 for value in scaled) / (n - 1)

    return 1 - math.fsum(map(disagreement, units)) / disagreement(values)
