"""Holds the commands that run a sweep, say what it would take, and merge its shards.

Exit codes as in `hallascope.cli.main`; Ctrl-C ends it cleanly, twice at once.
"""

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.forecasts import calls_table, cost_text, duration, time_text
from hallascope.cli.output.problems import problem_lines
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    INTERRUPTED,
    AsksOption,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    UnpricedOption,
    WordingOption,
    progress,
    say,
)
from hallascope.data.models.specs import CURRENCY
from hallascope.engine.corrections import read_corrections, require_any
from hallascope.engine.events import jsonable
from hallascope.engine.export import shards
from hallascope.engine.export.shards import Shards
from hallascope.engine.leaderboard.comparisons import PowerForecast, power_forecast
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import spending_document, spending_text
from hallascope.engine.services import Services, create_services
from hallascope.engine.sweep import executors
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
TENTHS = 10  # lines of progress where standard error is no terminal


def sweep(
    spec: Annotated[
        Path, typer.Argument(help="What is to be done, as YAML: see examples/primer.yaml.")
    ],
    engine: Annotated[
        str, typer.Option(help=f"Where: {' or '.join(executors.EXECUTORS)}.")
    ] = "local",
    address: Annotated[
        str | None,
        typer.Option(help="Of the Ray cluster (else RAY_ADDRESS, else one on this machine)."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Of one model on the cluster, at most; else as many as fit."),
    ] = None,
    shards_folder: Annotated[
        Path | None,
        typer.Option(
            "--shards", help="A folder for the results as Parquet too; see `hallascope merge`."
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Say what it would ask, how long it would take and cost; do nothing."
        ),
    ] = False,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    store: Annotated[
        str | None,
        typer.Option(help="The database by URL, SQLite or PostgreSQL (else that of the file)."),
    ] = None,
    asks_file: AsksOption = None,
    wording: WordingOption = "",
    as_json: JsonOption = False,
) -> int:
    """Make and judge pictures of many prompts.

    The same command goes on where it was left, after any kind of end.
    """
    declared = read(spec)
    # an option goes before the file
    if wording:
        declared = replace(declared, wording=wording)
    terms = SpendingPolicy(
        run=declared.budget if budget is None else budget,
        day=declared.budget_day if budget_day is None else budget_day,
        unpriced=unpriced or declared.unpriced,
    )
    services = create_services(store or declared.store)
    services.registry = executors.model_registry(engine, services.registry, address, workers)
    readings = read_corrections(asks_file) if asks_file else {}
    planned = plan(declared, services, terms, readings)
    if asks_file:
        require_any(readings, (entry.prompt for entry in planned.entries), asks_file)
    if dry_run:
        return _dry_run(planned, services, terms, as_json)
    with stopped_by_hand() as stop:
        running = Sweep(planned, services, terms, stop, notify=_complain)
        events = running.events(engine, address)
        if shards_folder:
            events = Shards(services, shards_folder).write_finished_runs(planned.id, events)
        ended = _watch_sweep(events, quiet=as_json)
    printing.print_result(as_json, ended_json(ended, planned), ended_lines(ended, planned))
    if stop.is_set():
        return INTERRUPTED
    return FAILURES if ended.failed or ended.stopped or planned.complaints else DONE


def _dry_run(
    planned: PlannedSweep, services: Services, terms: SpendingPolicy, as_json: bool
) -> int:
    """Print what the sweep would do, and return the exit code."""
    expected = forecast(planned, services, terms, progress)
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


def merge(
    folder: Annotated[Path, typer.Argument(help="What was given to `hallascope sweep --shards`.")],
    store: Annotated[
        str | None, typer.Option(help="The database by URL, SQLite or PostgreSQL.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Bring the shards of a sweep into one store.

    What is in several of them is counted once; doing it again changes nothing.
    """
    merged = shards.merge(create_services(store).store, folder)
    faults = [str(fault) for fault in merged.faults]
    summary = (
        f"{merged.runs:,} runs, {merged.pictures:,} images, {merged.evaluations:,} evaluations"
        f" came in; {merged.there:,} were here already."
    )
    printing.print_result(as_json, vars(merged) | {"faults": faults}, "\n".join([summary, *faults]))
    return FAILURES if faults else DONE


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
    except ValueError:  # not in the main thread: nobody can press anything
        yield stop
        return
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


# --- while it runs ---


def _watch_sweep(events: Iterator[SweepEvent], quiet: bool) -> SweepEnded:
    """Show how far the sweep is, and return its last event."""
    ended: SweepEnded | None = None
    for event in events:
        match event:
            case SweepStarted() if not quiet:
                say(
                    f"sweep {event.sweep}: {event.items} prompts, {event.pictures} images;"
                    f" {event.done} prompts are there already"
                )
            case ItemRefused(prompt, message):
                _complain(f"{prompt!r}: {message}")
            case SweepProgress() if sys.stderr.isatty():
                print(
                    f"\r{_progress(event):60}",
                    end="" if event.over < event.items else "\n",
                    file=sys.stderr,
                    flush=True,
                )
            case SweepProgress() if (
                not quiet
                and event.over * TENTHS // event.items > (event.over - 1) * TENTHS // event.items
            ):
                _complain(_progress(event))
            case SweepEnded():
                ended = event
            case _:
                pass
    if ended is None:
        raise RuntimeError("The sweep told of no end: report this.")
    return ended


def _progress(event: SweepProgress) -> str:
    left = "" if event.over == event.items else f", about {duration(event.seconds_left)} left"
    return f"{event.over} of {event.items} prompts{left}"


def _complain(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


# --- its end ---


def ended_json(ended: SweepEnded, planned: PlannedSweep) -> dict[str, Any]:
    """Return the end of a sweep as a document."""
    return {
        "sweep": ended.sweep,
        "title": planned.spec.title,
        **{name: value for name, value in ended.totals._asdict().items() if name != "failures"},
        "failures": [item._asdict() for item in ended.failed],
        "complaints": list(planned.complaints),
        "stopped": ended.stopped,
        "notice": ended.notice,
        "seconds": round(ended.seconds, 3),
        "spent": spending_document(ended.spent, ended.unconfirmed),
    }


def ended_lines(ended: SweepEnded, planned: PlannedSweep) -> str:
    """Return the end of a sweep for people."""
    totals = ended.totals
    failed = [
        f"{item.prompt}: {item.failures} failed. {item.note.splitlines()[0] if item.note else ''}"
        for item in ended.failed[:LISTED]
    ]
    more = [f"... and {len(ended.failed) - LISTED} more"] if len(ended.failed) > LISTED else []
    paid = spending_text(ended.spent, ended.unconfirmed, "spent in all")
    spent = f", {paid}" if ended.spent else ""
    counts = (
        f"{totals.done} of {totals.items} prompts done, {totals.pictures} images,"
        f" {totals.evaluations} evaluations"
    )
    notes = [note for item in ended.failed for note in item.note.splitlines() or [""]]
    # another model is a remedy that repeating is not
    mendable = any("choose another" not in note.lower() for note in notes)
    again = ["The same command asks again for what failed."] if mendable else []
    return "\n".join(
        [
            *filter(None, [problem_lines(planned.complaints)]),
            *failed,
            *more,
            *again,
            *filter(None, [ended.notice]),
            f"sweep {ended.sweep}: {counts}{spent}",
        ]
    )


# --- before it ---


def forecast_json(
    expected: Forecast, planned: PlannedSweep, power: Sequence[PowerForecast] = ()
) -> dict[str, Any]:
    """Return what a sweep would take, as a document."""
    document = {name: value for name, value in expected._asdict().items() if name != "lines"}
    document["refused"] = [
        {"prompt": prompt, "message": message} for prompt, message in expected.refused
    ]
    return {
        **jsonable(document),
        "currency": CURRENCY,
        "calls": list(map(jsonable, expected.lines)),
        "power": [
            {**jsonable(forecast._asdict()), "sentences": forecast.sentences} for forecast in power
        ],
        "complaints": list(planned.complaints),
    }


def forecast_lines(
    expected: Forecast,
    planned: PlannedSweep,
    caps: tuple[float, float],
    power: Sequence[PowerForecast] = (),
) -> str:
    """Return what a sweep would take, for people."""
    to_do = (
        f"{expected.pictures} images and {expected.evaluations} evaluations are to be made;"
        f" {expected.done} of {expected.items} prompts are done"
    )
    if expected.undrawable:
        to_do += f"; {expected.undrawable} images cannot be drawn by their models"
    calls = calls_table(expected)
    table = [calls, ""] if calls else []
    refused = [f"{prompt}: {message}" for prompt, message in expected.refused[:LISTED]]
    return "\n".join(
        [
            *table,
            *filter(None, [problem_lines(planned.complaints)]),
            *refused,
            f"sweep {expected.sweep}: {to_do}",
            time_text(expected),
            cost_text(expected, caps, "sweep"),
            *(f"power: {sentence}" for forecast in power for sentence in forecast.sentences),
        ]
    )
