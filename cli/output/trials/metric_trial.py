"""Formats trials of metrics: one document for programs, or tables and sentences for people."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.engine.events import jsonable

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.metrics import AimOutcome, MetricTrial

_SHARES = {"precision": "precision", "recall": "recall", "F1": "f1"}
_REACHED = {None: "-", True: "yes", False: "no"}
_COUNTS = ("found", "false", "missed", "n", "left_out", "unasked")


def document(trial: "MetricTrial") -> dict[str, Any]:
    """Return a trial by the names of its fields, with the shares of its tallies."""
    triples = trial.triples
    return {
        **jsonable(trial),
        "left_out": trial.left_out,
        "triples": {**triples._asdict(), "value": triples.value} if triples.counted else None,
        "outcomes": [
            {
                **outcome.aim._asdict(),
                **jsonable(outcome.tally),
                **{
                    name: getattr(outcome.tally, name)
                    for name in ("precision", "recall", "f1", "n")
                },
                "interval": outcome.interval._asdict() if outcome.interval else None,
                "reached": outcome.reached,
            }
            for outcome in trial.outcomes
        ],
        "mistakes": [
            {"seed": mistake.seed, "prompt": mistake.prompt, **mistake.row._asdict()}
            for mistake in trial.mistakes
        ],
    }


def lines(trial: "MetricTrial", mistakes: bool) -> str:
    """Return a trial as a table and sentences; with `mistakes` also every row that is wrong."""
    models = ", ".join(f"{role} {name}" for role, name in trial.lineup.items())
    parts = [
        printing.table(tuple(_columns(trial)), trial.outcomes),
        f"{trial.metric} on {trial.pictures} images, {trial.flawed} of them with errors,"
        f" {trial.unjudged} not judged; {models}",
    ]
    triples = trial.triples
    if triples.value is not None:
        parts.append(
            f"{triples.value:.3f} of {triples.counted} triples are right where nothing is wrong"
        )
    if mistakes:
        parts += [
            f"{mistake.seed}: {mistake.prompt} | {mistake.row.kind} {mistake.row.subject} |"
            f" drawn: {mistake.row.truth} | seen: {mistake.row.said} | {mistake.row.fate}"
            for mistake in trial.mistakes
        ]
    return "\n".join(parts)


def _columns(trial: "MetricTrial") -> Iterator[TextColumn]:
    yield TextColumn("errors", lambda outcome: outcome.aim.title)
    for title, name in _SHARES.items():
        yield TextColumn(title, partial(_tally_cell, name))
    yield TextColumn(
        "should be", lambda o: f"{o.aim.measure.replace('f1', 'F1')} {o.aim.least:.2f}"
    )
    if any(outcome.aim.published is not None for outcome in trial.outcomes):
        yield TextColumn(
            "paper", lambda o: "-" if o.aim.published is None else f"{o.aim.published:.2f}"
        )
    yield TextColumn("95 % interval", _interval_cell)
    yield TextColumn("reached", lambda outcome: _REACHED[outcome.reached])
    for name in _COUNTS:
        yield TextColumn(name.replace("_", " "), partial(_tally_cell, name))


def _tally_cell(name: str, outcome: "AimOutcome") -> str:
    """Return a count of a tally as it is, and a share with its decimals."""
    value = getattr(outcome.tally, name)
    return str(value) if name in _COUNTS else printing.number(value)


def _interval_cell(outcome: "AimOutcome") -> str:
    if outcome.interval is None:
        return "-"
    return printing.interval(outcome.interval.low, outcome.interval.high)
