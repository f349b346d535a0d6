"""Values with their intervals as a figure: each statistic has its sign, what is unknown is left
out, names are names.
"""

from hallascope.components.people.agreement import IntervalValue
from hallascope.components.people.interval_dots import Baseline, DotRow, interval_dots

EVIL = "<b>bold</b>&<script>"


def test_each_value_has_its_interval_and_each_statistic_its_place_and_sign() -> None:
    rows = [
        DotRow("m", {"accuracy": IntervalValue(0.5, 0.25, 0.875), "kappa": IntervalValue(0.5)}),
        DotRow("n", {"accuracy": IntervalValue(1.0, 0.5, 1.0), "kappa": IntervalValue(None)}),
    ]
    figure = interval_dots(rows, "share", Baseline("always yes", 0.75))
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


def test_nothing_known_is_no_figure() -> None:
    baseline = Baseline("always yes", 0.5)
    assert interval_dots([], "share", baseline) is None
    assert interval_dots([DotRow("m", {"k": IntervalValue(None)})], "share", baseline) is None


def test_every_text_is_escaped_and_a_long_name_is_whole_in_its_hover_text() -> None:
    row = DotRow(f"{EVIL} is a long name", {EVIL: IntervalValue(0.5)})
    figure = interval_dots([row], EVIL, Baseline(EVIL, 1))
    assert figure is not None
    assert "<" not in str(figure.to_plotly_json()).replace("<extra>", "").replace("</extra>", "")
    assert figure.layout.yaxis.ticktext[0].endswith("…")
    assert "is a long name" in figure.data[0].text[0]
