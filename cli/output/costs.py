"""Writes what a work is likely to ask of models, how long it takes and what it costs."""

from collections.abc import Sequence
from typing import Any

from hallascope.cli.output import printing
from hallascope.cli.terminal import duration
from hallascope.engine.events import jsonable
from hallascope.engine.money.likely_costs import CostEstimate
from hallascope.engine.money.spending import money
from hallascope.engine.services import Services
from hallascope.engine.sweep.forecast import Forecast, ForecastTotals

_LISTED_REFUSALS = 5


def calls_table(forecast: Forecast | ForecastTotals) -> str:
    """Return a row for each model and role; "" where nothing is to be asked."""
    return printing.table(
        {
            "model": line.model,
            "role": line.role,
            "calls": line.calls,
            "time": "?" if line.seconds is None else duration(line.seconds),
            "cost": "?" if line.amount is None else (line.amount and money(line.amount)) or "-",
        }
        for line in forecast.lines
    )


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


def print_estimate_before(
    dry_run: bool, as_json: bool, estimate: CostEstimate, services: Services, policy: Any
) -> None:
    """Print what a request is likely to cost, where that is asked for or costs something."""
    if dry_run or (estimate.lines and not as_json):
        print_estimate(as_json, estimate, services, policy)


def print_estimate(as_json: bool, estimate: CostEstimate, services: Services, policy: Any) -> None:
    """Print what a request is likely to cost, as a table with its sum."""
    record = {
        "amount": estimate.amount,
        "currency": estimate.currency,
        "unpriced": estimate.unpriced,
        "models": list(map(jsonable, estimate.lines)),
    }
    cap, day_cap = services.caps(policy)
    if not estimate.lines:
        free = "Nothing that costs money is asked for, or all of it is there already."
        return printing.print_result(as_json, record, free)
    table = printing.table(
        {
            "model": line.model,
            "calls": line.calls,
            "tokens read": line.input_tokens,
            "written": line.output_tokens,
            "images": line.pictures,
            "about": "unknown price" if line.amount is None else money(line.amount),
            "price": "; an image: ".join(filter(None, (line.source, line.assumed))),
        }
        for line in estimate.lines
    )
    dear = estimate.first_over_cap(min(cap, day_cap))
    over = dear and (
        f"One call of {dear.model} may cost up to {money(dear.most)}, so it is not made: raise the"
        " caps (--budget, --budget-day)."
    )
    total = (
        f"estimated: about {money(estimate.amount)} in all; at most {money(cap)} a run and"
        f" {money(day_cap)} a day"
    )
    return printing.print_result(as_json, record, [f"{table}\n", total, over or ""])
