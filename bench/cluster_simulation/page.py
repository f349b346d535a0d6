"""Writes the tables of docs/scale.md between their marks, from the tables of this folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bench.cluster_simulation.cluster import DRIVER, GENERATORS, JUDGES
from bench.cluster_simulation.measurement import SweepCosts
from bench.cluster_simulation.mixes import ScalingPoint, first_limit
from bench.cluster_simulation.papers import BenchmarkSize, TableCost
from bench.cluster_simulation.service_times import ServiceTime

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
GPUS = (1, 8, 64)
Rows = Iterable[Sequence[str]]
Scalings = Mapping[tuple[str, str], Sequence[ScalingPoint]]  # by mix and database


def markdown(head: Sequence[str], rows: Rows) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def insert_tables(text: str, tables: Mapping[str, str]) -> str:
    """Return the text with each table between its marks. Raises ValueError where they are not."""
    for name, table in tables.items():
        pattern = rf"(<!-- {name}: [^\n]* -->\n).*?(<!-- end of {name} -->)"
        text, count = re.subn(pattern, rf"\1\n{_escaped(table)}\n\n\2", text, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"it has no place for the table {name!r}")
    return text


def _escaped(table: str) -> str:
    return table.replace("\\", r"\\")


# --- tables


def costs_table(costs: Iterable[SweepCosts]) -> str:
    """Return what one image takes, a row for each measured sweep."""
    head = (
        "store",
        "judge",
        "images",
        "calls at once",
        "verdicts before",
        "driver thread",
        "other threads",
        "database server",
        "transactions that write",
        "of the account",
        "rows",
        "database",
        "files",
        "peak memory",
    )
    rows = [
        (
            cost.database,
            cost.judge,
            f"{cost.images:,}",
            f"{cost.calls}",
            f"{cost.stored:,}",
            f"{cost.driver_ms:.1f} ms",
            f"{cost.calls_ms:.1f} ms",
            f"{cost.server_ms:.1f} ms" if cost.server_ms else "-",
            f"{cost.writes:.1f}",
            f"{cost.account_writes:.1f}",
            f"{cost.rows:.1f}",
            f"{cost.database_kb:.1f} kB",
            f"{cost.file_kb:,.0f} kB",
            f"{cost.peak_mb:,.0f} MB",
        )
        for cost in costs
    ]
    return markdown(head, rows)


def limits_table(scalings: Scalings) -> str:
    """Return what breaks first in each mix, and what 64 GPUs do."""
    head = (
        "models",
        "store",
        "no longer scales from",
        "because of",
        "on 64 GPUs",
        "driver thread there",
        "writes of the store",
        "a million images",
    )
    rows = []
    for (mix, database), points in scalings.items():
        limit = first_limit(points)
        point = _point_at(points, 64)
        rate = point.sweep.images_per_second
        rows.append(
            (
                mix,
                database,
                f"{limit.workers:,} GPUs" if limit.workers else "not up to 4,096 GPUs",
                limit.station or "-",
                f"{rate:.1f} images/s",
                f"busy {_percent(point.sweep.utilization[DRIVER])}",
                f"{point.writes_per_second:.0f}/s",
                f"{1e6 / rate / 3600:.1f} h",
            )
        )
    return markdown(head, rows)


def _point_at(points: Sequence[ScalingPoint], workers: int) -> ScalingPoint:
    """Return the sweep on so many workers, or on the most that were simulated."""
    return [point for point in points if point.workers <= workers][-1]


def scaling_table(points: Iterable[ScalingPoint]) -> str:
    """Return rate, efficiency and utilization by number of GPUs."""
    head = (
        "GPUs",
        "images/s",
        "efficiency",
        "generators",
        "judges",
        "driver thread",
        "busiest beside",
    )
    rows = []
    for point in points:
        use = point.sweep.utilization
        others = {
            name: share for name, share in use.items() if name not in (GENERATORS, JUDGES, DRIVER)
        }
        busiest = max(others, key=lambda name: others[name], default="")
        rows.append(
            (
                f"{point.workers:,}",
                f"{point.sweep.images_per_second:.1f}",
                _percent(point.efficiency),
                _percent(use[GENERATORS]),
                _percent(use[JUDGES]),
                _percent(use[DRIVER]),
                f"{busiest} {_percent(others[busiest])}" if busiest else "-",
            )
        )
    return markdown(head, rows)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def papers_table(costs: Iterable[TableCost], gpu_price: float, api_calls_per_minute: float) -> str:
    """Return cost and time of each table that makes or asks something."""
    head = (
        "paper",
        "table",
        "images drawn",
        "GPU hours",
        "API calls",
        "API cost",
        "with GPUs",
        *(f"time on {gpus} GPU{'s' if gpus > 1 else ''}" for gpus in GPUS),
    )
    rows = [
        (
            cost.paper,
            cost.table,
            f"{cost.images:,.0f}",
            f"{cost.gpu_hours:,.1f}",
            f"{cost.api_calls:,.0f}",
            _amount(cost.api_usd, cost),
            _amount(cost.usd(gpu_price), cost),
            *(_duration(cost.wall_hours(gpus, api_calls_per_minute)) for gpus in GPUS),
        )
        for cost in costs
    ]
    return markdown(head, rows)


def _amount(usd: float, cost: TableCost) -> str:
    """Return an amount, with the models whose price is not in it."""
    return " + ".join([f"{usd:,.2f} USD", *cost.unpriced])


def _duration(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{60 * hours:.0f} min"


def times_table(times: Iterable[ServiceTime]) -> str:
    """Return the seconds of each model with their source."""
    head = ("model", "role", "seconds a request", "measured?", "source or assumption")
    rows = [(time.model, time.role, f"{time.seconds:g}", time.basis, time.source) for time in times]
    return markdown(head, rows)


def prompts_table(sizes: Iterable[BenchmarkSize]) -> str:
    """Return how many prompts each benchmark is taken to have."""
    head = ("benchmark", "prompts", "published?", "source or assumption")
    return markdown(
        head, [(size.benchmark, f"{size.prompts:,}", size.basis, size.source) for size in sizes]
    )
