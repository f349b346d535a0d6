"""The command that runs a sweep, or says what it would take.

Exit codes as in `hallascope.cli.main`; Ctrl-C ends it cleanly, twice at once.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    INTERRUPTED,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    UnpricedOption,
    progress,
    say,
)
from hallascope.data.models.specs import CURRENCY
from hallascope.engine.events import jsonable
from hallascope.engine.export.shards import Shards
from hallascope.engine.money.budget import SpendingPolicy, money
from hallascope.engine.services import create_services
from hallascope.engine.sweep import executors
from hallascope.engine.sweep.forecast import Forecast, ForecastLine, forecast
from hallascope.engine.sweep.plan import PlannedSweep, plan
from hallascope.engine.sweep.runner import (
    ItemRefused,
    Sweep,
    SweepEnded,
    SweepEvent,
    SweepProgress,
    SweepStarted,
)
from hallascope.engine.sweep.spec import Spec
from hallascope.engine.sweep.spec_reader import read

LISTED, TENTHS = (
    20,
    10,
)  # items with failures that are printed for people; lines of progress where nobody watches


def sweep(
    spec: Annotated[
        Path, typer.Argument(help="What is to be done, as YAML: see examples/primer.yaml.")
    ],
    engine: Annotated[
        str, typer.Option(help=f"Where: {' or '.join(executors.ENGINES)}.")
    ] = "local",
    address: Annotated[
        str | None,
        typer.Option(help="Of the Ray cluster (else RAY_ADDRESS, else one on this machine)."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Of one model on the cluster, at most; else as many as fit."),
    ] = None,
    shards: Annotated[
        Path | None,
        typer.Option(help="A folder for the results as Parquet too; see `hallascope merge`."),
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
    as_json: JsonOption = False,
) -> int:
    """Make and judge pictures of many prompts.

    The same command goes on where it was left, after any kind of end.
    """
    said = read(spec)
    terms = _terms(said, budget, budget_day, unpriced)
    services = create_services(store or said.store)
    services.roster = executors.roster(engine, services.roster, address, workers)
    planned = plan(said, services, terms)
    if dry_run:
        found = forecast(planned, services, terms, progress)
        say(
            printing.document(forecast_json(found, planned))
            if as_json
            else forecast_lines(found, planned, *terms.caps())
        )
        return FAILURES if found.refused or planned.complaints else DONE
    with stopped_by_hand() as stop:
        running = Sweep(planned, services, terms, stop, tell=_complain)
        events = running.events(engine, address)
        ended = _watch_sweep(
            Shards(services, shards).write_finished_runs(planned.id, events) if shards else events,
            quiet=as_json,
        )
    say(printing.document(ended_json(ended, planned)) if as_json else ended_lines(ended, planned))
    if stop.is_set():
        return INTERRUPTED
    return FAILURES if ended.failed or ended.stopped or planned.complaints else DONE


def _terms(
    said: Spec, budget: float | None, budget_day: float | None, unpriced: bool
) -> SpendingPolicy:
    """What is allowed: an option goes before the file."""
    run = said.budget if budget is None else budget
    day = said.budget_day if budget_day is None else budget_day
    return SpendingPolicy(run=run, day=day, unpriced=unpriced or said.unpriced)


@contextmanager
def stopped_by_hand() -> Iterator[threading.Event]:
    """Set by the first Ctrl-C, so that what is under way is kept.

    The second one ends the program where it stands.
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


# --- while it runs
# --------------------------------------------------------------------------------------------------


def _watch_sweep(events: Iterator[SweepEvent], quiet: bool) -> SweepEnded:
    """The last event, once all that comes with the end is over; on the way there, how far it is."""
    ended: SweepEnded | None = None
    for event in events:
        match event:
            case SweepStarted() if not quiet:
                say(
                    f"sweep {event.sweep}: {event.items} prompts, {event.pictures} pictures;"
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
    left = (
        ""
        if event.left is None or event.over == event.items
        else f", about {duration(event.left)} left"
    )
    return f"{event.over} of {event.items} prompts{left}"


def _complain(said: str) -> None:
    print(said, file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """A time as people read it."""
    minutes = round(seconds / 60)
    hours = seconds / 3600
    if seconds < 90:
        return f"{seconds:.0f} s"
    if minutes < 90:
        return f"{minutes} min"
    return f"{hours:.1f} h"


# --- its end
# --------------------------------------------------------------------------------------------------


def ended_json(ended: SweepEnded, planned: PlannedSweep) -> dict[str, Any]:
    """The end of a sweep as a document."""
    return {
        "sweep": ended.sweep,
        "title": planned.spec.title,
        **{name: value for name, value in ended.totals._asdict().items() if name != "failures"},
        "failures": [one._asdict() for one in ended.failed],
        "complaints": list(planned.complaints),
        "stopped": ended.stopped,
        "notice": ended.notice,
        "seconds": round(ended.seconds, 3),
        "spent": {"amount": ended.spent, "currency": CURRENCY},
    }


def ended_lines(ended: SweepEnded, planned: PlannedSweep) -> str:
    """The end of a sweep for people."""
    whole = ended.totals
    failed = [
        f"{one.prompt}: {one.failures} failed. {one.note.partition(chr(10))[0]}"
        for one in ended.failed[:LISTED]
    ]
    more = [f"... and {len(ended.failed) - LISTED} more"] if len(ended.failed) > LISTED else []
    spent = f", {money(ended.spent)} spent in all" if ended.spent else ""
    counts = (
        f"{whole.done} of {whole.items} prompts done, {whole.pictures} pictures,"
        f" {whole.evaluations} evaluations"
    )
    again = ["The same command asks again for what failed."] if failed else []
    return "\n".join(
        [
            *planned.complaints,
            *failed,
            *more,
            *again,
            *filter(None, [ended.notice]),
            f"sweep {ended.sweep}: {counts}{spent}",
        ]
    )


# --- before it
# --------------------------------------------------------------------------------------------------


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


def forecast_json(found: Forecast, planned: PlannedSweep) -> dict[str, Any]:
    """What a sweep would take, as a document."""
    said = found._asdict() | {
        "lines": None,
        "refused": [{"prompt": prompt, "message": why} for prompt, why in found.refused],
    }
    del said["lines"]
    calls = [_line_json(line) for line in found.lines]
    return {
        **jsonable(said),
        "currency": CURRENCY,
        "calls": calls,
        "complaints": list(planned.complaints),
    }


def _line_json(line: ForecastLine) -> dict[str, Any]:
    plain: dict[str, Any] = jsonable(replace(line, usage=None))  # type: ignore[arg-type]
    return plain | {"usage": jsonable(line.usage)}


def forecast_lines(found: Forecast, planned: PlannedSweep, cap: float, day_cap: float) -> str:
    """What a sweep would take, for people."""
    to_do = (
        f"{found.pictures} pictures and {found.evaluations} evaluations are to be made;"
        f" {found.done} of {found.items} prompts are done"
    )
    time = f"about {duration(found.seconds)}" + (
        f" and that of {_format_unmeasured(found.unmeasured)}" if found.unmeasured else ""
    )
    cost = f"about {money(found.amount)}" + (
        f" and that of {', '.join(found.unpriced)}" if found.unpriced else ""
    )
    table = [printing.table(_COLUMNS, found.lines), ""] if found.lines else []
    refused = [f"{prompt}: {why}" for prompt, why in found.refused[:LISTED]]
    caps = f"at most {money(cap)} a sweep and {money(day_cap)} a day"
    return "\n".join(
        [
            *table,
            *planned.complaints,
            *refused,
            f"sweep {found.sweep}: {to_do}",
            f"time: {time}",
            f"cost: {cost}; {caps}",
        ]
    )


def _format_unmeasured(unmeasured: tuple[str, ...]) -> str:
    return f"{', '.join(unmeasured)}, which no sweep here has measured yet (begin with few prompts)"
