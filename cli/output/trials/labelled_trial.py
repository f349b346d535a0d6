"""Formats a trial of a judge on labeled images, and how far labelers agree, for people."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from hallascope.cli.output import printing
from hallascope.cli.output.printing import FigureRow, TextColumn
from hallascope.cli.output.problems import problem_lines
from hallascope.cli.output.trials.judge_trial import ALWAYS_EXPECTED, BALANCED
from hallascope.data.records import CoI
from hallascope.engine.events import jsonable
from hallascope.engine.trials.labeler_agreement import LabelerAgreement
from hallascope.engine.trials.records import LabeledTrial, LabelFigures, Share
from hallascope.metrics.statistics.balanced_accuracy import BalancedAccuracy
from hallascope.metrics.statistics.response_statistics import Kappa

KAPPA = "Cohen's kappa, expected answer seen or not"
_COLUMNS = printing.figure_columns("same", "answers")
_LABELER_COLUMNS = (
    TextColumn("labeled by", lambda row: row[0]),
    TextColumn("same", lambda row: printing.number(row[1].overall.value)),
    TextColumn("95 % interval", lambda row: _interval(row[1].overall)),
    TextColumn("answers", lambda row: str(row[1].overall.asked)),
    TextColumn("baseline", lambda row: printing.number(row[1].baseline.value)),
    TextColumn("sensitivity", lambda row: printing.number(row[1].sensitivity.value)),
    TextColumn("specificity", lambda row: printing.number(row[1].specificity.value)),
    TextColumn("balanced", lambda row: printing.number(row[1].balanced_accuracy.value)),
    TextColumn("kappa", lambda row: printing.number(row[1].kappa.value)),
)


# --- for programs ---


def document(outcome: LabeledTrial) -> dict[str, Any]:
    """Return a trial by the names of its fields, every share with its value."""
    return {field.name: _with_values(getattr(outcome, field.name)) for field in fields(outcome)}


def _with_values(thing: object) -> Any:
    if isinstance(thing, Share):
        counts = jsonable(thing)
        named = {"same": counts.pop("right"), "n": counts.pop("asked")}
        return {"value": thing.value, **named, **counts}
    if isinstance(thing, LabelerAgreement):
        return {"value": thing.value, **jsonable(thing)}
    if isinstance(thing, LabelFigures):
        return {field.name: _with_values(getattr(thing, field.name)) for field in fields(thing)}
    if isinstance(thing, Mapping):
        return {str(name): _with_values(own) for name, own in thing.items()}
    return jsonable(thing)


# --- for people ---


def lines(outcome: LabeledTrial) -> str:
    """Return the figures of a trial on labels as tables, with what was left out."""
    by = ", ".join(f"{name} ({number})" for name, number in outcome.labellers.items())
    left_out = {
        "cannot be told": outcome.cannot_be_told,
        "not labeled": outcome.not_labelled,
        "unanswered": outcome.unanswered,
    }
    counts = ", ".join(f"{number} {what}" for what, number in left_out.items())
    tables = [
        printing.table(_COLUMNS, _figure_rows(outcome)),
        "sensitivity by composition of interest:",
        printing.table(_COLUMNS, _rows_by_name(outcome.sensitivity_by_coi)),
        "specificity by composition of interest:",
        printing.table(_COLUMNS, _rows_by_name(outcome.specificity_by_coi)),
    ]
    if len(outcome.by_labeler) > 1:
        tables += [
            "beside each labeler:",
            printing.table(_LABELER_COLUMNS, list(outcome.by_labeler.items())),
        ]
    if outcome.labeler_agreement:
        tables += agreement_lines(outcome.labeler_agreement)
    about = f"{outcome.judge} on {outcome.pictures} images labeled by {by}; left out: {counts}"
    return "\n".join(filter(None, [*tables, about, problem_lines(outcome.complaints)]))


def agreement_lines(people: LabelerAgreement) -> Iterator[str]:
    """Yield how far labelers agree: what a judge can be held to at most."""
    names = " and ".join(people.labelers)
    interval = printing.interval(people.low, people.high)
    pairs = "" if people.n == people.questions else f" in {people.n} pairs of answers"
    yield (
        f"{names} agree (ceiling): the same answer {printing.number(people.value)}"
        f" ({interval}) on {people.questions} questions that two of them could tell{pairs};"
        f" {KAPPA} {printing.number(people.kappa.value)}"
        f" ({printing.interval(people.kappa.low, people.kappa.high)}), Krippendorff's alpha"
        f" {printing.number(people.alpha)}"
    )
    yield (
        f"of the questions that two labelers marked, {people.told_by_one} could be told by one and"
        f" not by another, and {people.told_by_none} by no one"
    )


def _figure_rows(outcome: LabeledTrial) -> list[FigureRow]:
    return [
        _share_row("overall", outcome.overall),
        _share_row(ALWAYS_EXPECTED, outcome.baseline),
        _share_row("sensitivity: of what the labeler calls wrong", outcome.sensitivity),
        _share_row("specificity: of what the labeler calls right", outcome.specificity),
        _figure_row(BALANCED, outcome.balanced_accuracy, outcome.kappa.n),
        _figure_row(KAPPA, outcome.kappa, outcome.kappa.n),
        *_rows_by_name(outcome.by_coi),
    ]


def _rows_by_name(shares: Mapping[CoI, Share]) -> list[FigureRow]:
    return [_share_row(name, share) for name, share in shares.items()]


def _share_row(name: str, share: Share) -> FigureRow:
    return _figure_row(name, share, share.asked)


def _figure_row(name: str, figure: Share | BalancedAccuracy | Kappa, n: int) -> FigureRow:
    return FigureRow(name, figure.value, figure.low, figure.high, n)


def _interval(share: Share) -> str:
    return printing.interval(share.low, share.high)
