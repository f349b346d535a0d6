"""Metrics beside people as tables and figures: what is not defined is a dash, names are names,
points carry their picture.
"""

from hallascope.components.people.agreement import (
    IntervalValue,
    RatingStrip,
    ScatterPoint,
    StatisticsRow,
    left_out_rows,
    scatter,
    statistics,
    table,
    violins,
)

EVIL = "<b>bold</b>&<script>"


def test_a_statistic_has_its_interval_and_what_is_not_defined_is_a_dash() -> None:
    values = {
        "pearson": IntervalValue(0.5, 0.25, 0.75),
        "spearman": IntervalValue(None),
        "kendall": IntervalValue(1.0),
    }
    html = statistics(
        [StatisticsRow("m", 1200, values, "m is flat.")], "Metrics", "metric", "Ties."
    )
    assert "<td>0.500 (0.250 to 0.750)</td><td>–</td><td>1.000</td><td>–</td><td>1,200</td>" in html
    assert "Kendall tau-b" in html
    assert "<li>m is flat.</li>" in html
    assert statistics([], "Metrics", "metric") == ""


def test_every_text_is_escaped() -> None:
    for html in (table(EVIL, (EVIL,), [(EVIL, EVIL)], EVIL, [EVIL]), left_out_rows([EVIL])):
        assert "<script>" not in html
        assert "<b>" not in html


def test_rejected_rows_are_counted_and_listed() -> None:
    assert left_out_rows([]) == ""
    assert "1 row is left out" in left_out_rows(["r.csv, row 6: outside"])
    assert "2 rows are left out" in left_out_rows(["a", "b"])


def test_each_metric_has_its_sign_and_each_point_its_picture() -> None:
    found = scatter(
        {"one": [ScatterPoint("i1", 0.5, 4.0, "file=a.webp")], EVIL: [ScatterPoint("i2", 0.1, 1.0)]}
    ).to_plotly_json()["data"]
    assert [list(trace["x"]) for trace in found] == [[0.5], [0.1]]
    assert [list(map(list, trace["customdata"])) for trace in found] == [
        [["i1", "file=a.webp"]],
        [["i2", ""]],
    ]
    assert found[0]["marker"]["symbol"] != found[1]["marker"]["symbol"], (
        "colour is not the only sign"
    )
    assert "<b>" not in found[1]["name"]


def test_people_are_a_violin_with_every_dot_and_the_judge_a_star() -> None:
    found = violins(
        [
            RatingStrip("m", (("ann", 0.2), ("bo", 0.8)), {"j": 0.6}),
            RatingStrip("n", (("ann", 1.0),), {}),
        ]
    ).to_plotly_json()["data"]
    assert [trace["type"] for trace in found] == ["violin", "violin", "scatter"]
    assert list(found[0]["y"]) == [0.2, 0.8]
    assert list(found[0]["text"]) == ["ann", "bo"]
    assert (list(found[2]["x"]), list(found[2]["y"]), found[2]["marker"]["symbol"]) == (
        ["m"],
        [0.6],
        "star",
    )
