"""Figures: bars and dots with their intervals, published numbers as hollow marks, nothing by color
alone.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from hallascope.components.labels.agreement import (
    StatisticsRow,
    statistics,
)
from hallascope.components.labels.interval_dots import interval_dots
from hallascope.components.leaderboard.charts import (
    PUBLISHED,
    Axis,
    Bar,
    bars,
    heat_map,
    radar,
)
from hallascope.components.theme.model_colors import model_styles
from hallascope.metrics.statistics.intervals import IntervalEstimate

EVIL = "<b>bold</b>&<script>"


SHARE = Axis("I-HallA: Score")


KNOWN = ("m/one", "m/two")


def one(model: str = "m/one", group: str = "", value: float | None = 0.5, **said: Any) -> Bar:
    return Bar(
        model=model,
        name=model.removeprefix("m/"),
        group=group,
        value=value,
        low=said.get("low"),
        high=said.get("high"),
        n=said.get("n", 40),
        left_out=2,
        source=said.get("source", ""),
    )


def traces(ours: Sequence[Bar], published: Sequence[Bar] = ()) -> list[dict[str, Any]]:
    return list(
        bars(
            ours, published, model_styles([bar.model for bar in ours], KNOWN), SHARE
        ).to_plotly_json()["data"]
    )


def test_a_bar_has_its_interval_and_tells_on_a_click_what_it_is() -> None:
    (found,) = traces([one("m/one", "color", 0.5, low=0.4, high=0.7)])
    assert list(found["y"]) == [0.5]
    assert list(found["error_y"]["array"]) == [pytest.approx(0.2)]
    assert list(found["error_y"]["arrayminus"]) == [pytest.approx(0.1)]
    assert [list(pair) for pair in found["customdata"]] == [["m/one", "color"]]
    assert "0.50 (0.40 to 0.70)" in found["hovertext"][0]
    assert "40 prompts, 2 left out" in found["hovertext"][0]


def test_of_what_nothing_was_counted_there_is_a_dash_and_no_bar() -> None:
    bar, dash = traces([one("m/one", "color"), one("m/one", "shape", None)])
    assert len(bar["y"]) == 1
    assert (dash["mode"], dash["text"]) == ("text", "–")
    assert "nothing counted" in dash["hovertext"][0]


def test_published_numbers_are_hollow_marks_with_their_source_and_lead_nowhere() -> None:
    _, mark = traces(
        [one("m/one", "color")], [one("SDXL", "color", 0.3, source="a paper, table 1")]
    )
    assert mark["marker"]["symbol"].endswith("-open")
    assert PUBLISHED in mark["name"]
    assert "a paper, table 1" in mark["hovertext"][0]
    assert "customdata" not in mark


def test_names_are_names_and_no_markup() -> None:
    ours = [
        Bar(
            model=EVIL,
            name=EVIL,
            group=f"{EVIL}{i}",
            value=0.5,
            low=None,
            high=None,
            n=40,
            left_out=0,
        )
        for i in range(3)
    ]
    of = model_styles([EVIL], KNOWN)
    for figure in (
        bars(ours, [ours[0]._replace(source=EVIL)], of, Axis(EVIL)),
        heat_map(ours, Axis(EVIL)),
        radar(ours, of, Axis(EVIL)),
    ):
        assert figure is not None
        found = figure.to_plotly_json()
        said = str(
            [
                {name: value for name, value in trace.items() if name != "customdata"}
                for trace in found["data"]
            ]
        ) + str(found["layout"])
        assert "<script>" not in said
        assert "<b>bold" not in said


def test_under_twenty_prompts_a_value_is_a_dot_with_its_interval_beside_bars() -> None:
    few = one("m/one", value=0.5, low=0.2, high=0.8, n=19)
    many = one("m/two", value=0.6, low=0.5, high=0.7, n=20)
    assert {trace["type"] for trace in traces([many])} == {"bar"}
    dot, bar = traces([few, many])
    assert (dot["type"], dot["mode"], bar["type"]) == ("scatter", "markers", "bar")
    assert list(dot["error_y"]["array"]) == [pytest.approx(0.3)]
    assert [list(pair) for pair in dot["customdata"]] == [["m/one", ""]]
    first, second = traces([few, many._replace(n=1)])
    assert first["marker"]["symbol"] != second["marker"]["symbol"], "color is not the only sign"
    empty = one("m/three", value=None, n=0)
    assert traces([many, empty])[0]["type"] == "bar", "what counted nothing is no dot"
    grade = bars([empty], (), model_styles([empty.model], KNOWN), Axis("Grade", 1.0, 7.0))
    assert list(grade.to_plotly_json()["data"][0]["y"]) == [1.0], "a dash is where the axis begins"


def test_a_radar_goes_round_all_groups_and_needs_three() -> None:
    ours = [one("m/one", group, 0.5) for group in ("animal", "food", "plant")] + [
        one("m/two", "food", 0.1)
    ]
    found = radar(ours, model_styles(KNOWN, KNOWN), SHARE)
    assert found is not None
    first, second = found.to_plotly_json()["data"]
    assert list(first["theta"]) == ["animal", "food", "plant", "animal"]
    assert list(second["r"]) == [None, 0.1, None, None]
    assert first["marker"]["symbol"] != second["marker"]["symbol"], "colour is not the only sign"
    assert first["line"]["dash"] != second["line"]["dash"]
    assert radar(ours[:2], model_styles(KNOWN, KNOWN), SHARE) is None


def test_a_statistic_has_its_interval_and_what_is_not_defined_is_a_dash() -> None:
    values = {
        "pearson": IntervalEstimate(0.5, 0.25, 0.75),
        "spearman": IntervalEstimate(None),
        "kendall": IntervalEstimate(1.0),
    }
    html = statistics(
        [StatisticsRow("m", 1200, values, "m is flat.")], "Metrics", "metric", "Ties."
    )
    assert "<td>0.500 (0.250 to 0.750)</td><td>–</td><td>1.000</td><td>–</td><td>1,200</td>" in html
    assert "Kendall tau-b" in html
    assert "<li>m is flat.</li>" in html
    assert statistics([], "Metrics", "metric") == ""


def test_each_value_has_its_interval_and_each_statistic_its_place_and_sign() -> None:
    rows = {
        "m": {
            "accuracy": IntervalEstimate(0.5, 0.25, 0.875),
            "kappa": IntervalEstimate(0.5),
        },
        "n": {"accuracy": IntervalEstimate(1.0, 0.5, 1.0), "kappa": IntervalEstimate(None)},
    }
    figure = interval_dots(rows, "share", "always yes", 0.75)
    assert figure is not None
    accuracy, kappa, dotted = figure.data
    assert list(accuracy.x) == [0.5, 1.0]
    assert list(accuracy.error_x.array) == [0.375, 0.0]
    assert list(accuracy.error_x.arrayminus) == [0.25, 0.5]
    assert list(kappa.x) == [0.5]
    assert list(kappa.error_x.array) == [0.0]
    assert accuracy.y[0] < kappa.y[0] < accuracy.y[1], "lines keep together"
    assert accuracy.marker.symbol != kappa.marker.symbol, "color is not the only sign"
    assert accuracy.text[0] == "m: 0.500 (0.250 to 0.875)"
    assert (list(dotted.x), dotted.name) == ([0.75, 0.75], "always yes")
