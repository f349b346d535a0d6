"""Writes what a request is likely to ask of models, how long it takes and what it costs."""

from collections.abc import Sequence

from hallascope.cli.output import printing
from hallascope.cli.terminal import duration
from hallascope.data.models.specs import CURRENCY
from hallascope.engine.events import jsonable
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import CostEstimate, money
from hallascope.engine.sweep.forecast import Forecast, ForecastTotals

_LISTED_REFUSALS = 5


def calls_table(forecast: ForecastTotals) -> str:
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


def time_text(forecast: ForecastTotals) -> str:
    """Return how long it takes, and which models have no measured time yet."""
    if not forecast.unmeasured:
        return f"Time: about {duration(forecast.seconds)}."
    known = f"about {duration(forecast.seconds)} plus" if forecast.seconds else "unknown for"
    names = ", ".join(forecast.unmeasured)
    return f"Time: {known} {names}, never timed here. Try 5 prompts first."


def cost_text(forecast: ForecastTotals, caps: tuple[float, float], work: str) -> str:
    """Return what it costs, and at most; `caps` in USD of a `work`, such as a sweep, and a day."""
    text = f"Cost: about {money(forecast.amount)}"
    if forecast.unpriced:
        text += f" plus {', '.join(forecast.unpriced)}, whose price is unknown"
    return f"{text}; at most {money(caps[0])} a {work} and {money(caps[1])} a day."


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
    more = f" plus {', '.join(unpriced)}" if unpriced else ""
    slow = f" plus {', '.join(unmeasured)}" if unmeasured else ""
    refused = [pair for each in forecasts for pair in each.refused]
    return [
        f"To make with --go: {pictures:,} images and {evaluations:,} evaluations{undrawn};"
        f" cost: about {money(amount)}{more}; time: about {duration(seconds)}{slow}",
        *(f"left out: {prompt}: {message}" for prompt, message in refused[:_LISTED_REFUSALS]),
    ]


def print_estimate(as_json: bool, estimate: CostEstimate, policy: SpendingPolicy) -> None:
    """Print what a request is likely to cost, as a table with its sum."""
    record = {
        "amount": estimate.amount,
        "currency": CURRENCY,
        "unpriced": estimate.unpriced,
        "models": list(map(jsonable, estimate.lines)),
    }
    cap, day_cap = policy.caps()
    if not estimate.lines:
        free = "Free: no paid model is asked, or all answers are stored."
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
        f"One call of {dear.model} may cost up to {money(dear.most)}, so it is not made. Raise the"
        " caps (--budget, --budget-day)."
    )
    total = (
        f"estimated: about {money(estimate.amount)} in all; at most {money(cap)} a run and"
        f" {money(day_cap)} a day"
    )
    return printing.print_result(as_json, record, [f"{table}\n", total, over or ""])
