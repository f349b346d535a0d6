"""Measures and simulates sweeps on many GPU workers, and prices the papers' tables: ``make scale``.

``measure`` runs real sweeps with scripted models and keeps what an image takes in sweep_costs.csv;
``simulate`` says from it what breaks first and at what number of GPUs; ``validate`` compares the
simulation with real sweeps whose models sleep; ``papers`` prints cost and time of the papers'
tables. Without a part all of them run. ``--write`` writes the tables into docs/scale.md, and
``check`` says whether they are up to date (exit code 1 where not, or where a validation fails).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from bench.cluster_simulation import page, papers
from bench.cluster_simulation.csv_tables import FOLDER, read_records, write_records
from bench.cluster_simulation.measurement import MeasuredSweep, SweepCosts, measure
from bench.cluster_simulation.mixes import (
    DATABASES,
    MIXES,
    WORKER_COUNTS,
    Assumptions,
    CostTable,
    ScalingPoint,
    scaling,
)
from bench.cluster_simulation.service_times import read_service_times
from bench.cluster_simulation.validation import BOUND, CASES, IMAGES, Validation, validate
from hallascope.cli.output.printing import TextColumn, table
from hallascope.cli.terminal import rewrite

COSTS_FILE = FOLDER / "sweep_costs.csv"
GPU_PRICE = (
    2.0  # USD an hour for a card of 80 GB: an assumption of November 2026, no vendor's price
)
JUDGE_KINDS = ("none", "local", "api")
SHOWN_MIX = MIXES[1].name  # the fastest generator, so that the driver has most to do
_PROGRAM = "python -m bench.cluster_simulation"

VALIDATION_COLUMNS = (
    TextColumn(
        "models that sleep",
        lambda v: (
            f"{v.cluster.generators} generators of {v.cluster.draw_seconds:g} s,"
            f" {v.cluster.judges} judges of {v.cluster.judge_seconds:g} s"
        ),
    ),
    TextColumn("images", lambda v: f"{v.images}"),
    TextColumn("measured", lambda v: f"{v.measured:.1f} s"),
    TextColumn("simulated", lambda v: f"{v.predicted:.1f} s"),
    TextColumn("driver", lambda v: f"{100 * v.driver_share:.0f} %"),
    TextColumn("error", lambda v: f"{100 * v.error:+.0f} %"),
    TextColumn("", lambda v: "kept" if v.holds else "MISSED"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    options = _read_options(arguments)
    if options.part == "check":
        sys.exit(_check(options))
    held = True
    for name, run in PARTS.items():
        if options.part in (None, name):
            held = run(options) and held
    sys.exit(0 if held else 1)


def _read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=_PROGRAM, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", nargs="?", choices=(*PARTS, "check"))
    parser.add_argument("--quick", action="store_true", help="small sizes, and nothing is kept")
    parser.add_argument(
        "--images", type=int, nargs="+", default=(2_000, 20_000), help="of the measured sweeps"
    )
    parser.add_argument(
        "--stored",
        type=int,
        default=1_000_000,
        help="verdicts that are in the store before the last sweep",
    )
    parser.add_argument(
        "--gpu-price", type=float, default=GPU_PRICE, help="USD for an hour of a card of 80 GB"
    )
    parser.add_argument(
        "--rate-limit",
        type=float,
        default=Assumptions.api_calls_per_minute,
        help="calls that a service allows in a minute",
    )
    parser.add_argument("--count", action="store_true", help="count the papers' calls anew")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/scale.md")
    return parser.parse_args(arguments)


# --- parts: each prints, and returns whether its bars hold


def measure_sweeps(options: argparse.Namespace) -> bool:
    """Measure real sweeps; without --quick their costs are kept for the simulation."""
    costs = []
    for sweep in _measured_sweeps(options):
        costs.append(measure(sweep))
        print(page.costs_table(costs[-1:]) if len(costs) == 1 else _last_row(costs[-1]), flush=True)
    if not options.quick:
        write_records(costs, COSTS_FILE)
    _write_page(options, {"costs": page.costs_table(costs)})
    return True


def _last_row(cost: SweepCosts) -> str:
    return page.costs_table([cost]).splitlines()[-1]


def _measured_sweeps(options: argparse.Namespace) -> Iterator[MeasuredSweep]:
    """Yield the sweeps: each store with each judge, then longer ones, more calls, a full store."""
    sizes = [40] if options.quick else sorted(options.images)
    stored = 2_000 if options.quick else options.stored
    first = sizes[0]
    for database in DATABASES:
        for judge in JUDGE_KINDS:
            yield MeasuredSweep(database=database, judge=judge, images=first)
    for images in sizes[1:]:
        yield MeasuredSweep(database="sqlite", judge="local", images=images)
    yield MeasuredSweep(database="sqlite", judge="local", images=first, calls=64)
    yield MeasuredSweep(database="sqlite", judge="local", images=first, stored=stored)


def simulate_mixes(options: argparse.Namespace) -> bool:
    """Simulate each mix on more and more GPUs and print what breaks first."""
    scalings = _simulate(options)
    print(page.limits_table(scalings))
    for (mix, database), points in scalings.items():
        print(f"\n{mix}; {database}\n\n{page.scaling_table(points)}")
    _write_page(options, _simulated_tables(scalings))
    return True


def _simulate(options: argparse.Namespace) -> Mapping[tuple[str, str], Sequence[ScalingPoint]]:
    costs = CostTable(read_records(SweepCosts, COSTS_FILE))
    times = read_service_times()
    assumed = Assumptions(api_calls_per_minute=options.rate_limit)
    counts = (1, 8, 64) if options.quick else WORKER_COUNTS
    return {
        (mix.name, database): scaling(mix, database, costs, times, assumed, counts)
        for mix in MIXES
        for database in DATABASES
    }


def _simulated_tables(
    scalings: Mapping[tuple[str, str], Sequence[ScalingPoint]],
) -> dict[str, str]:
    return {
        "limits": page.limits_table(scalings),
        "scaling": page.scaling_table(scalings[SHOWN_MIX, "sqlite"]),
    }


def validate_model(options: argparse.Namespace) -> bool:
    """Compare the simulation with real sweeps whose models sleep."""
    results: list[Validation] = []
    for result in validate(48 if options.quick else IMAGES, CASES[:1] if options.quick else CASES):
        results.append(result)
        print(table(VALIDATION_COLUMNS, results[-1:]), flush=True)
    head = [column.name for column in VALIDATION_COLUMNS[:-1]]
    rows = [[column.of(result) for column in VALIDATION_COLUMNS[:-1]] for result in results]
    _write_page(options, {"validation": page.markdown(head, rows)})
    print(f"The bar is {100 * BOUND:.0f} % of the measured seconds.")
    return all(result.holds for result in results)


def price_papers(options: argparse.Namespace) -> bool:
    """Print cost and time of the papers' tables on rented hardware."""
    if options.count:
        write_records(papers.count_papers(), papers.CALLS_FILE)
    print(_papers_tables(options)["papers"])
    print(f"\nA GPU hour is taken to cost {options.gpu_price:g} USD (--gpu-price).")
    _write_page(options, _papers_tables(options))
    return True


def _papers_tables(options: argparse.Namespace) -> dict[str, str]:
    times = read_service_times()
    calls = read_records(papers.PaperCalls, papers.CALLS_FILE)
    costs = papers.table_costs(calls, times)
    return {
        "papers": page.papers_table(costs, options.gpu_price, options.rate_limit),
        "prompts": page.prompts_table(papers.read_benchmark_sizes().values()),
        "times": page.times_table(times),
    }


PARTS: dict[str, Callable[[argparse.Namespace], bool]] = {
    "measure": measure_sweeps,
    "simulate": simulate_mixes,
    "validate": validate_model,
    "papers": price_papers,
}


# --- the page


def _write_page(options: argparse.Namespace, tables: Mapping[str, str]) -> None:
    if options.write and not options.quick:
        rewrite(
            page.PAGE,
            lambda text: page.insert_tables(text, tables),
            "tables",
            "put its marks back",
        )


def _check(options: argparse.Namespace) -> int:
    """Return 1 where a table of the page that is computed from kept numbers is old."""
    tables = {
        "costs": page.costs_table(read_records(SweepCosts, COSTS_FILE)),
        **_simulated_tables(_simulate(options)),
        **_papers_tables(options),
    }
    text = page.PAGE.read_text(encoding="utf-8")
    if page.insert_tables(text, tables) == text:
        return 0
    print(f"The tables of docs/scale.md are old: run `{_PROGRAM} simulate --write` and `papers`.")
    return 1


if __name__ == "__main__":
    main()
