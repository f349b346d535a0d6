"""Krippendorff's alpha: how far raters agree beyond chance.

It knows values by unit, not what was rated or by whom.

Krippendorff, Content Analysis (2004), section 11.3. Any number of raters, any of them missing.
"""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

MeasurementLevel = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[MeasurementLevel, ...] = ("nominal", "ordinal", "interval")


def krippendorff_alpha(units: Sequence[Sequence[float]], level: MeasurementLevel) -> float | None:
    """Alpha over the values that each unit was given; at most 1, 0 for agreement by chance.

    `level` says what a difference is: nominal, any; interval, its square; ordinal, the square of
    the number of ratings between. None where no unit has two values, or all values are the same.
    Units with one value say nothing and are left out.
    """
    paired = [list(values) for values in units if len(values) > 1]
    values = [value for unit in paired for value in unit]
    if len(set(values)) < 2:
        return None
    if level == "nominal":
        within = math.fsum(_unequal(unit) / (len(unit) - 1) for unit in paired)
        between = _unequal(values) / (len(values) - 1)
    else:
        placed = _places(values) if level == "ordinal" else _scaled(values)
        rows = [[placed[value] for value in unit] for unit in paired]
        within = math.fsum(_squares(row) / (len(row) - 1) for row in rows)
        between = _squares([value for row in rows for value in row]) / (len(values) - 1)
    return 1 - within / between


def _unequal(values: Sequence[Hashable]) -> int:
    """How many ordered pairs differ."""
    return len(values) ** 2 - sum(count * count for count in Counter(values).values())


def _squares(values: Sequence[float]) -> float:
    """Return the summed squared differences of all ordered pairs.

    It is 2 n times the squared deviations from the mean.
    """
    mean = math.fsum(values) / len(values)
    return 2 * len(values) * math.fsum((value - mean) ** 2 for value in values)


def _places(values: Sequence[float]) -> Mapping[float, float]:
    """Return for each value how many ratings lie below it, its own counted half.

    The ordinal difference is that of two such places.
    """
    places = {}
    below = 0
    for value, count in sorted(Counter(values).items()):
        places[value] = below + count / 2
        below += count
    return places


def _scaled(values: Sequence[float]) -> Mapping[float, float]:
    """The values within [-1, 1]; alpha does not depend on the unit."""
    most = max(map(abs, values)) or 1.0
    return {value: value / most for value in values}
