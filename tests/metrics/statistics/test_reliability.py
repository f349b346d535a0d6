"""Krippendorff's alpha is that of the package of its name, and of the example in his book."""

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hallascope.metrics.statistics.reliability import (
    LEVELS,
    MeasurementLevel,
    guess_level,
    krippendorff_alpha,
)

# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: four observers, twelve
# units, "." is missing
OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
UNITS = [
    [float(value) for value in unit if value != "."]
    for unit in zip(*(row.split() for row in OBSERVERS), strict=True)
]
tables = st.lists(st.lists(st.integers(1, 5), min_size=0, max_size=5), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("level", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_example_of_his_paper_comes_out_as_printed(
    level: MeasurementLevel, printed: float
) -> None:
    assert krippendorff_alpha(UNITS, level) == pytest.approx(printed, abs=0.0005)


@given(tables)
def test_any_ratings_give_what_the_package_gives(units: list[list[int]]) -> None:
    kept = [value for unit in units if len(unit) > 1 for value in unit]
    assume(len(set(kept)) > 1)
    table = np.array([unit + [np.nan] * (5 - len(unit)) for unit in units], dtype=float).T
    for level in LEVELS:
        theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        assert krippendorff_alpha(units, level) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("units", [[], [[1.0], [2.0]], [[3.0, 3.0], [3.0, 3.0]]])
@pytest.mark.parametrize("level", LEVELS)
def test_where_nothing_is_shared_or_nothing_varies_there_is_no_alpha(
    units: list[list[float]], level: MeasurementLevel
) -> None:
    assert krippendorff_alpha(units, level) is None


@pytest.mark.parametrize("level", LEVELS)
def test_full_agreement_is_one_and_the_unit_of_the_values_does_not_matter(
    level: MeasurementLevel,
) -> None:
    assert krippendorff_alpha([[1.0, 1.0], [2.0, 2.0], [5.0, 5.0]], level) == 1.0
    large = [[value * 1e200 for value in unit] for unit in UNITS]
    assert krippendorff_alpha(large, level) == pytest.approx(krippendorff_alpha(UNITS, level))


@pytest.mark.parametrize(
    ("ratings", "level"),
    [
        ([], "nominal"),
        ([0.0, 1.0, 1.0], "nominal"),
        ([1.0, 2.0, 5.0], "ordinal"),
        ([float(grade) for grade in range(11)], "ordinal"),
        ([float(grade) for grade in range(12)], "interval"),
        ([1.0, 2.5, 3.0], "interval"),
    ],
)
def test_the_level_of_a_scale_is_guessed_from_its_distinct_values(
    ratings: list[float], level: MeasurementLevel
) -> None:
    assert guess_level(ratings).level == level


@given(tables)
def test_of_two_values_every_level_gives_the_same_alpha(units: list[list[int]]) -> None:
    binary = [[float(value > 2) for value in unit] for unit in units]
    alphas = [krippendorff_alpha(binary, level) for level in LEVELS]
    assert alphas[1:] == [pytest.approx(alphas[0])] * 2
