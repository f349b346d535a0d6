"""Writes what a work is likely to ask of models, how long it takes and what it costs."""

from collections.abc import Sequence

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.engine.money.spending import money
from hallascope.engine.sweep.forecast import Forecast, ForecastLine, ForecastTotals

_LISTED_REFUSALS = 5


def _cost(line: ForecastLine) -> str:
    if line.amount is None:
        return "?"
    return money(line.amount) if line.amount else "-"


_COLUMNS = (
    TextColumn("model", lambda line: line.model),
    TextColumn("role", lambda line: line.role),
    TextColumn("calls", lambda line: str(line.calls)),
    TextColumn("time", lambda line: "?" if line.seconds is None else duration(line.seconds)),
    TextColumn("cost", _cost),
)


def duration(seconds: float) -> str:
    """Return a time as people read it."""
    minutes = round(seconds / 60)
    hours = seconds / 3600
    if seconds < 90:
        return f"{seconds:.0f} s"
    if minutes < 90:
        return f"{minutes} min"
    return f"{hours:.1f} h"


def calls_table(forecast: Forecast | ForecastTotals) -> str:
    """Return a row for each model and role; "" where nothing is to be asked."""
    return printing.table(_COLUMNS, forecast.lines) if forecast.lines else ""


def time_text(forecast: Forecast | ForecastTotals) -> str:
    """Return how long it takes, and which models have no measured time yet."""
    text = f"time: about {duration(forecast.seconds)}"
    if forecast.unmeasured:
        text += (
            f" and that of {', '.join(forecast.unmeasured)}, which no sweep here has measured yet"
            " (begin with few prompts)"
        )
    return text


def cost_text(forecast: Forecast | ForecastTotals, caps: tuple[float, float], work: str) -> str:
    """Return what it costs, and at most; `caps` in USD of a `work`, such as a sweep, and a day."""
    text = f"cost: about {money(forecast.amount)}"
    if forecast.unpriced:
        text += f" and that of {', '.join(forecast.unpriced)}"
    return f"{text}; at most {money(caps[0])} a {work} and {money(caps[1])} a day"


def forecasts_lines(forecasts: Sequence[Forecast]) -> list[str]:
    """Return what several sweeps would still do together, and the first prompts left out."""
    pictures = sum(each.pictures for each in forecasts)
    evaluations = sum(each.evaluations for each in forecasts)
    undrawable = sum(each.undrawable for each in forecasts)
    amount = sum(each.amount for each in forecasts)
    seconds = sum(each.seconds for each in forecasts)
    unpriced = sorted({name for each in forecasts for name in each.unpriced})
    unmeasured = sorted({name for each in forecasts for name in each.unmeasured})
    undrawn = f"; {undrawable:,} images cannot be drawn by their models" if undrawable else ""
    more = f" and that of {', '.join(unpriced)}" if unpriced else ""
    slow = f" and that of {', '.join(unmeasured)}" if unmeasured else ""
    refused = [pair for each in forecasts for pair in each.refused]
    return [
        f"to be made with --go: {pictures:,} images and {evaluations:,} evaluations{undrawn};"
        f" cost: about {money(amount)}{more}; time: about {duration(seconds)}{slow}",
        *(f"left out: {prompt}: {message}" for prompt, message in refused[:_LISTED_REFUSALS]),
    ]
