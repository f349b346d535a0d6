"""Forecasts are written with their units, and with what is not known named."""

import pytest

from hallascope.cli.output.forecasts import (
    calls_table,
    cost_text,
    duration,
    forecasts_lines,
    time_text,
)
from hallascope.engine.sweep.forecast import Forecast, ForecastLine, ForecastTotals

LINES = (
    ForecastLine(model="openai/a", role="judge", calls=3, amount=0.5, seconds=12.0),
    ForecastLine(model="b", role="judge", calls=4, amount=None),
)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (89.4, "89 s"), (90, "2 min"), (89 * 60, "89 min"), (5400, "1.5 h")],
)
def test_a_time_is_given_in_the_unit_that_people_use(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_models_without_a_price_or_a_time_are_named() -> None:
    totals = ForecastTotals(
        lines=LINES, seconds=12.0, amount=0.5, unmeasured=("b",), unpriced=("b",)
    )
    assert calls_table(totals).splitlines()[1].split()[-4:] == ["12", "s", "0.50", "USD"]
    assert calls_table(totals).splitlines()[2].split() == ["b", "judge", "4", "?", "?"]
    assert time_text(totals).startswith("time: about 12 s and that of b, which no sweep")
    assert cost_text(totals, (5.0, 20.0), "run") == (
        "cost: about 0.50 USD and that of b; at most 5.00 USD a run and 20.00 USD a day"
    )


def test_nothing_to_ask_has_no_table() -> None:
    assert calls_table(ForecastTotals()) == ""


def test_several_forecasts_are_added_and_images_that_cannot_be_drawn_stand_apart() -> None:
    forecast = Forecast(
        sweep="a",
        items=3,
        done=0,
        pictures=2,
        undrawable=1,
        evaluations=4,
        lines=(),
        seconds=1.0,
        amount=0.25,
        unmeasured=(),
        unpriced=("b",),
        refused=(("a cow", "No judge can run here."),),
    )
    first, second, *_ = forecasts_lines([forecast, forecast])
    assert first == (
        "to be made with --go: 4 images and 8 evaluations; 2 images cannot be drawn by their"
        " models; cost: about 0.50 USD and that of b; time: about 2 s"
    )
    assert second == "left out: a cow: No judge can run here."
    assert "cannot be drawn" not in forecasts_lines([forecast._replace(undrawable=0)])[0]
