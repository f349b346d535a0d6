"""Formats trials of judges: one document for programs, or tables and sentences for people."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.engine.events import jsonable
from hallascope.engine.judge_eval.ihalla import (
    DifficultyResult,
    Reliability,
    Share,
    Trial,
    worst_first,
)
from hallascope.engine.judge_eval.judge_agreement import JudgeDisagreement, disagreements, pairs
from hallascope.engine.money.budget import money

LISTED = 20  # disagreements that are printed for people
WORST = 10  # facts that are printed for people

# --- for programs ---


def document(trials: Sequence[Trial]) -> dict[str, Any]:
    """Return one trial by the names of its fields; several under `judges`, with every pair."""
    if len(trials) == 1:
        return _trial_document(trials[0])
    return {
        "judges": [_trial_document(trial) for trial in trials],
        "pairs": [jsonable(pair) for pair in pairs(trials)],
        "disagreements": [jsonable(disagreement) for disagreement in disagreements(trials)],
    }


def _trial_document(trial: Trial) -> dict[str, Any]:
    """Return a trial without its answers, every share with its value."""
    fields: dict[str, Any] = _with_values(replace(trial, answers=()))
    del fields["answers"]
    if trial.cost:
        fields["cost"] |= {
            "seconds_each": trial.cost.seconds_each,
            "thousand": trial.cost.thousand,
        }
    return fields


def _with_values(thing: object) -> Any:
    if isinstance(thing, Share):
        return {"value": thing.value, **jsonable(thing)}
    if isinstance(thing, Trial | DifficultyResult | Reliability):
        return {name: _with_values(value) for name, value in vars(thing).items()}
    if isinstance(thing, dict):
        return {str(name): _with_values(value) for name, value in thing.items()}
    return jsonable(thing)


# --- for people ---

_COLUMNS = (
    TextColumn("slice", lambda row: row[0]),
    TextColumn("right", lambda row: printing.number(row[1].value)),
    TextColumn("95 % interval", lambda row: printing.interval(row[1].low, row[1].high)),
    TextColumn("answered", lambda row: str(row[1].asked)),
)
# Which side of a reliability a table shows first says what it is sorted by.
_RELIABILITY_COLUMNS = (
    TextColumn("slice", lambda row: row[0]),
    TextColumn("violated facts flagged", lambda row: printing.number(row[1].sensitivity.value)),
    TextColumn("95 % interval", lambda row: _interval(row[1].sensitivity)),
    TextColumn("of", lambda row: str(row[1].sensitivity.asked)),
    TextColumn("facts that hold accepted", lambda row: printing.number(row[1].specificity.value)),
    TextColumn("95 % interval", lambda row: _interval(row[1].specificity)),
    TextColumn("of", lambda row: str(row[1].specificity.asked)),
)
_PAIR_COLUMNS = (
    TextColumn("judges", lambda pair: f"{pair.one} and {pair.other}"),
    TextColumn("Cohen's kappa", lambda pair: printing.number(pair.kappa.value)),
    TextColumn("same answer", lambda pair: printing.number(pair.kappa.agreement)),
    TextColumn("questions", lambda pair: str(pair.kappa.n)),
)


def lines(trials: Sequence[Trial]) -> str:
    """Return each trial as a table and sentences, then a comparison of every two judges."""
    parts = [_trial_lines(trial) for trial in trials]
    if beside := list(pairs(trials)):
        parts.append(printing.table(_PAIR_COLUMNS, beside))
        parts.append(_disagreement_lines(list(disagreements(trials))))
    return "\n\n".join(parts)


def _trial_lines(trial: Trial) -> str:
    shares: list[tuple[str, Share]] = [
        ("overall", trial.overall),
        *((f"on {kind} pictures", share) for kind, share in trial.by_kind.items()),
        ("exactly right where the asked fact is violated", trial.violated_facts),
        *((f"{kind} pictures with all right", share) for kind, share in trial.all_right.items()),
        *trial.by_coi.items(),
    ]
    if trial.kinds:
        shares += trial.kinds.by_kind.items()
        shares += [
            ("cannot tell: precision", trial.kinds.precision),
            ("cannot tell: recall", trial.kinds.recall),
        ]
    unanswered = trial.unanswered + (trial.kinds.unanswered if trial.kinds else 0)
    summary = f"{trial.judge}: {trial.pictures} pictures, {unanswered} questions unanswered"
    tables = [printing.table(_COLUMNS, shares), *_reliability_tables(trial)]
    return "\n".join(["\n\n".join(tables), summary, *_conduct_lines(trial)])


def _reliability_tables(trial: Trial) -> Iterator[str]:
    """Yield what the judge flags and accepts: over all and by CoI, by concept, the worst facts.

    Where it was not measured, one sentence says so.
    """
    if not trial.reliability.sensitivity.asked:
        yield "violated facts flagged and facts that hold accepted: not measured"
        return
    rows = [("overall", trial.reliability), *trial.reliability_by_coi.items()]
    yield printing.table(_RELIABILITY_COLUMNS, rows)
    if trial.by_concept:
        yield "by concept, on images of its own:\n" + printing.table(
            _RELIABILITY_COLUMNS, worst_first(trial.by_concept)
        )
    if trial.by_fact:
        yield "the facts that are flagged least:\n" + printing.table(
            _RELIABILITY_COLUMNS, worst_first(trial.by_fact)[:WORST]
        )


def _interval(share: Share) -> str:
    return printing.interval(share.low, share.high)


def _conduct_lines(trial: Trial) -> Iterator[str]:
    """Yield how the judge answered and what its answers cost."""
    number = printing.number
    yield (
        f"answered: {number(trial.answered.value)} of {trial.answered.asked} questions; none fits:"
        f" {number(trial.abstained.value)} of its answers"
    )
    consistencies = {
        "repeated trials": trial.repeated,
        "another order of the choices": trial.reordered,
    }
    for what, consistency in consistencies.items():
        if consistency:
            yield (
                f"the same answer in {what}: {number(consistency.value)} over"
                f" {consistency.questions} questions"
            )
    if trial.positions.spread is not None:
        yield (
            "position bias (spread of the recall over the places of the right choice):"
            f" {number(trial.positions.spread)}"
        )
    if trial.calibration.error is not None:
        yield (
            f"expected calibration error: {number(trial.calibration.error)} over"
            f" {trial.calibration.n} answers"
        )
    if trial.difficulty:
        yield _difficulty_line(trial.difficulty)
    if trial.cost:
        thousand = money(trial.cost.thousand) if trial.cost.thousand else "nothing"
        yield (
            f"{trial.cost.answers} answers asked anew: {trial.cost.seconds_each or 0.0:.2f} s each,"
            f" {thousand} for a thousand; five questions take"
            f" {5 * (trial.cost.seconds_each or 0.0):.2f} s"
        )


def _difficulty_line(difficulty: DifficultyResult) -> str:
    levels = ", ".join(f"{number} {level}" for level, number in difficulty.pictures.items())
    sides = ", ".join(
        f"{printing.number(share.value)} of {share.asked} on {side} pictures"
        for side, share in difficulty.by_side.items()
    )
    return (
        f"normal or weird, five times: right {sides}; {levels}, {difficulty.left_out} pictures"
        " without five readable replies"
    )


def _disagreement_lines(apart: Sequence[JudgeDisagreement]) -> str:
    rows = [f"{len(apart)} questions on which they part"]
    for disagreement in apart[:LISTED]:
        answers = ", ".join(
            f"{judge}: {words or 'no answer'}" for judge, words in disagreement.said.items()
        )
        picture = disagreement.picture[:8]
        rows.append(f"{disagreement.question} ({picture}; right: {disagreement.right}) {answers}")
    if len(apart) > LISTED:
        rows.append(f"and {len(apart) - LISTED} more (--json names all)")
    return "\n".join(rows)
