"""Holds the command that runs a sweep, or says what it would take.

Ctrl-C ends it cleanly, twice at once.
"""

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from hallascope.cli.checks import checks_document, exit_code, require_checkable, run_checks
from hallascope.cli.options import (
    CheckOptions,
    DryRunOption,
    JsonOption,
    Positive,
    SpendingOptions,
    WordingOption,
)
from hallascope.cli.output import printing
from hallascope.cli.output.costs import calls_table, cost_text, time_text
from hallascope.cli.output.printing import problem_lines
from hallascope.cli.terminal import DONE, FAILURES, INTERRUPTED, Progress, complain, say
from hallascope.data.models.specs import CURRENCY
from hallascope.engine.corrections import read_corrections, require_any
from hallascope.engine.events import jsonable
from hallascope.engine.leaderboard.comparisons import PowerForecast, power_forecast
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import spending_document, spending_text
from hallascope.engine.services import Services, create_services
from hallascope.engine.sweep.executor import EngineName, model_registry
from hallascope.engine.sweep.forecast import Forecast, forecast
from hallascope.engine.sweep.plan import PlannedSweep, plan
from hallascope.engine.sweep.runner import (
    ItemRefused,
    Sweep,
    SweepEnded,
    SweepEvent,
    SweepProgress,
    SweepStarted,
)
from hallascope.engine.sweep.spec_reader import read

LISTED = 20  # items with failures that are printed for people


def sweep(
    spec: Path,
    *,
    spending: SpendingOptions,
    checking: CheckOptions,
    engine: EngineName = "local",
    address: str | None = None,
    workers: Positive | None = None,
    store: str | None = None,
    asks: Path | None = None,
    wording: WordingOption = "",
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> int:
    """Make and judge images of many prompts.

    Run the same command again to continue after an interruption.

    Args:
        spec: The sweep as YAML, such as examples/primer.yaml.
        engine: Where models run: here, or on a Ray cluster.
        address: The address of the Ray cluster (default: RAY_ADDRESS, else one on this machine).
        workers: The most workers of one model on the cluster.
        store: The database by URL, SQLite or PostgreSQL (default: that of the file).
        asks: A file of what the prompts ask for, as `hallascope asks` prints it; it overrides
            stored corrections.
    """
    declared = read(spec)
    # an option goes before the file
    if wording:
        declared = replace(declared, wording=wording)
    terms = SpendingPolicy(
        run=declared.budget if spending.budget is None else spending.budget,
        day=declared.budget_day if spending.budget_day is None else spending.budget_day,
        unpriced=spending.unpriced or declared.unpriced,
    )
    services = create_services(store or declared.store)
    require_checkable(checking, services.store, declared.metrics)
    services.registry = model_registry(engine, services.registry, address, workers)
    readings = read_corrections(asks) if asks else {}
    planned = plan(declared, services, terms, readings, is_dry=dry_run)
    if asks:
        require_any(readings, (entry.prompt for entry in planned.entries), asks)
    if dry_run:
        return _say_forecast(planned, services, terms, as_json)
    with stopped_by_hand() as stop:
        running = Sweep(planned, services, terms, stop, notify=complain)
        ended = _watch_sweep(running.events(), quiet=as_json)
    checks = run_checks(checking, services, ended.sweep, declared.metrics)
    printing.print_result(
        as_json,
        ended_json(ended, planned) | checks_document(checks),
        [*ended_lines(ended, planned), *(check.sentence for check in checks)],
        next_step=f"hallascope leaderboard --run {ended.sweep}",
    )
    if stop.is_set():
        return INTERRUPTED
    failed = bool(ended.failed or ended.stopped or planned.complaints)
    return exit_code(failed, checks, as_json)


@contextmanager
def stopped_by_hand() -> Iterator[threading.Event]:
    """Yield an event that the first Ctrl-C sets, so that what is under way is kept.

    The second Ctrl-C ends the program at once.
    """
    stop = threading.Event()

    def press(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    try:
        before = signal.signal(signal.SIGINT, press)
    except ValueError:  # not in the main thread, which alone gets Ctrl-C
        yield stop
        return
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _watch_sweep(events: Iterator[SweepEvent], quiet: bool) -> SweepEnded:
    """Show how far the sweep is, and return its last event."""
    ended: SweepEnded | None = None
    progress = Progress("prompts", in_lines=not quiet)
    for event in events:
        match event:
            case SweepStarted() if not quiet:
                say(
                    f"sweep {event.sweep}: {event.items} prompts, {event.pictures} images;"
                    f" {event.done} prompts are done already"
                )
            case ItemRefused(prompt, message):
                complain(f"{prompt!r}: {message}")
            case SweepProgress():
                progress(event.over, event.items, seconds_left=event.seconds_left)
            case SweepEnded():
                ended = event
            case _:
                pass
    if ended is None:
        raise RuntimeError("The sweep sent no end: report this.")
    return ended


# --- its end ---


def ended_json(ended: SweepEnded, planned: PlannedSweep) -> dict[str, Any]:
    """Return the end of a sweep as a document."""
    return {
        "sweep": ended.sweep,
        "title": planned.spec.title,
        **ended.totals._asdict(),
        "failures": [item._asdict() for item in ended.failed],
        "complaints": planned.complaints,
        "stopped": ended.stopped,
        "notice": ended.notice,
        "seconds": round(ended.seconds, 3),
        "spent": spending_document(ended.spent, ended.unconfirmed),
    }


def ended_lines(ended: SweepEnded, planned: PlannedSweep) -> Iterator[str]:
    """Yield the end of a sweep for people."""
    yield problem_lines(planned.complaints)
    for item in ended.failed[:LISTED]:
        yield f"{item.prompt}: {item.failures} failed. {item.note.partition(chr(10))[0]}"
    if len(ended.failed) > LISTED:
        yield f"... and {len(ended.failed) - LISTED} more"
    notes = [note for item in ended.failed for note in item.note.splitlines() or [""]]
    # another model is a remedy that repeating is not
    if any("choose another" not in note.lower() for note in notes):
        yield "The same command asks again for what failed."
    yield ended.notice or ""
    totals = ended.totals
    paid = spending_text(ended.spent, ended.unconfirmed, "spent in all")
    yield (
        f"sweep {ended.sweep}: {totals.done} of {totals.items} prompts done, {totals.pictures}"
        f" images, {totals.evaluations} evaluations" + (f", {paid}" if ended.spent else "")
    )


# --- before it ---


def _say_forecast(
    planned: PlannedSweep, services: Services, terms: SpendingPolicy, as_json: bool
) -> int:
    """Print what the sweep would do, and return the exit code."""
    expected = forecast(planned, services, terms, Progress("prompts"))
    power = power_forecasts(planned, services)
    printing.print_result(
        as_json,
        forecast_json(expected, planned, power),
        forecast_lines(expected, planned, terms.caps(), power),
    )
    return FAILURES if expected.refused or planned.complaints else DONE


def power_forecasts(planned: PlannedSweep, services: Services) -> list[PowerForecast]:
    """Return by metric which differences of the models the prompts of a sweep can tell."""
    spec = planned.spec
    found = (
        power_forecast(services.store, metric, spec.models, len(planned.entries))
        for metric in spec.metrics
    )
    return [forecast for forecast in found if forecast]


def forecast_json(
    expected: Forecast, planned: PlannedSweep, power: Sequence[PowerForecast] = ()
) -> dict[str, Any]:
    """Return what a sweep would take, as a document."""
    document = dict(vars(expected))
    document["refused"] = [
        {"prompt": prompt, "message": message} for prompt, message in expected.refused
    ]
    return {
        "currency": CURRENCY,
        "calls": document.pop("lines"),
        **document,
        "power": [
            {**jsonable(forecast._asdict()), "sentences": forecast.sentences} for forecast in power
        ],
        "complaints": planned.complaints,
    }


def forecast_lines(
    expected: Forecast,
    planned: PlannedSweep,
    caps: tuple[float, float],
    power: Sequence[PowerForecast] = (),
) -> Iterator[str]:
    """Yield what a sweep would take, for people."""
    if calls := calls_table(expected):
        yield f"{calls}\n"
    yield problem_lines(planned.complaints)
    for prompt, message in expected.refused[:LISTED]:
        yield f"{prompt}: {message}"
    undrawable = f"; {expected.undrawable} images cannot be drawn by their models"
    yield (
        f"sweep {expected.sweep}: {expected.pictures} images and {expected.evaluations} evaluations"
        f" are to be made; {expected.done} of {expected.items} prompts are done"
        + (undrawable if expected.undrawable else "")
    )
    yield time_text(expected)
    yield cost_text(expected, caps, "sweep")
    for found in power:
        yield from (f"power: {sentence}" for sentence in found.sentences)
