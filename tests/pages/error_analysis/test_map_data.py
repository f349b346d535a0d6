"""What the script of the map draws says the same as the table of points."""

import base64
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hallascope.pages.error_analysis import map_data
from hallascope.pages.error_analysis.map_data import BINS, UNKNOWN, binned_coloring, colorings


def points(count: int = 4) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "evaluation": range(1, count + 1),
            "x": np.linspace(-3, 5, count),
            "y": np.linspace(2, -2, count),
            "model": [f"maker/model-{number % 2}" for number in range(count)],
            "error": [0.0, 0.25, 0.5, 1.0][:count],
            "wrong": ["nothing", "color", "color", "counting"][:count],
            "cluster": ["10", "2", "2", ""][:count],
            "disagreement": [float("nan")] * count,
        }
    )


def groups_of(coloring: dict[str, Any]) -> list[str]:
    numbers = base64.b64decode(coloring["of"])
    return [coloring["groups"][number]["label"] for number in numbers]


def test_each_point_is_in_the_group_of_its_value() -> None:
    found = {coloring["name"]: coloring for coloring in colorings(points(), ())}
    assert list(found) == ["error", "wrong", "model", "cluster", "truth"]
    assert groups_of(found["error"]) == [BINS[0], BINS[1], BINS[2], BINS[4]]
    assert groups_of(found["wrong"]) == list(points()["wrong"])
    assert groups_of(found["cluster"]) == ["10", "2", "2", UNKNOWN]
    assert [group["label"] for group in found["cluster"]["groups"]] == ["2", "10", UNKNOWN]
    assert found["cluster"]["groups"][0]["words"] == "2, error rate 38 %"


def test_what_is_not_known_has_a_group_of_its_own() -> None:
    values = pd.Series([0.1, float("nan")])
    assert groups_of(binned_coloring("a", "A", values, pd.Series([0.5, 0.5]))) == [BINS[1], UNKNOWN]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_coordinates_fill_the_range_and_few_points_have_a_place(count: int) -> None:
    steps = map_data._steps(points(count)["x"])
    assert len(steps) == count
    if count > 1:
        assert (steps.min(), steps.max()) == (0, 65_535)


def test_of_many_groups_the_smallest_are_drawn_together() -> None:
    values = pd.Series([f"group {number:03}" for number in range(300)])
    coloring = map_data.grouped_coloring("a", "A", values, pd.Series([0.5] * 300), ())
    assert len(coloring["groups"]) == map_data.MOST_GROUPS
    assert coloring["groups"][-1]["label"] == map_data.REST


def test_the_summary_names_the_worst_cluster() -> None:
    words = map_data.summary(points())
    assert "4 images" in words
    assert "cluster 2 (38 % of 2)" in words
    assert map_data.summary(points(0)) == ""
