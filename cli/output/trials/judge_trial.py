"""Formats trials of judges: one document for programs, or tables and sentences for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from hallascope.cli.output import printing
from hallascope.cli.output.printing import FigureRow, TextColumn
from hallascope.engine.events import jsonable
from hallascope.engine.judge_eval.ihalla import worst_first
from hallascope.engine.judge_eval.judge_agreement import JudgeDisagreement, disagreements, pairs
from hallascope.engine.money.spending import money
from hallascope.engine.trials.records import DifficultyResult, Reliability, Share, Trial

LISTED = 20  # disagreements that are printed for people
WORST = 10  # facts that are printed for people
VIOLATED_IMAGES = (
    "violated images: all questions on images with violated facts, also those whose own fact holds"
)
ALWAYS_EXPECTED = "always the expected answer (baseline)"
BALANCED = "balanced accuracy"
NONE_RIGHT = '"None of the above" is right: answered so'
KAPPA = "Cohen's kappa, flagged against violated"

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
    if isinstance(thing, Reliability):
        shares = {**vars(thing), "false_alarms": thing.false_alarms}
        return {name: _with_values(own) for name, own in shares.items()}
    if isinstance(thing, Trial | DifficultyResult):
        return {name: _with_values(value) for name, value in vars(thing).items()}
    if isinstance(thing, dict):
        return {str(name): _with_values(value) for name, value in thing.items()}
    return jsonable(thing)


# --- for people ---

_COLUMNS = printing.figure_columns("right", "of")


class _ReliabilityRow(NamedTuple):
    """Holds a line of a table by CoI, concept or fact; `accuracy` is shown by CoI alone."""

    name: str
    reliability: Reliability
    accuracy: Share = Share(0, 0)


_NAME_COLUMN = TextColumn("slice", lambda row: row.name)
_ACCURACY_COLUMNS: tuple[TextColumn, ...] = (
    TextColumn("accuracy", lambda row: printing.number(row.accuracy.value)),
    TextColumn("95 % interval", lambda row: _interval(row.accuracy)),
    TextColumn("of", lambda row: str(row.accuracy.asked)),
)
_RELIABILITY_COLUMNS = (
    TextColumn("sensitivity", lambda row: printing.number(row.reliability.sensitivity.value)),
    TextColumn("95 % interval", lambda row: _interval(row.reliability.sensitivity)),
    TextColumn("of", lambda row: str(row.reliability.sensitivity.asked)),
    TextColumn("specificity", lambda row: printing.number(row.reliability.specificity.value)),
    TextColumn("95 % interval", lambda row: _interval(row.reliability.specificity)),
    TextColumn("of", lambda row: str(row.reliability.specificity.asked)),
)
_CHANCE_COLUMNS = (
    TextColumn("balanced", lambda row: printing.number(row.reliability.balanced_accuracy.value)),
    TextColumn("kappa", lambda row: printing.number(row.reliability.kappa.value)),
    TextColumn("baseline", lambda row: printing.number(row.reliability.baseline.value)),
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
    rows = [
        _share_row("overall", trial.overall),
        *_baseline_rows(trial.reliability),
        *(_share_row(f"{kind} images", share) for kind, share in trial.by_kind.items()),
        *_reliability_rows(trial.reliability),
        _share_row("violated facts answered exactly right", trial.violated_facts),
        *(
            _share_row(f"{kind} images with all answers right", share)
            for kind, share in trial.all_right.items()
        ),
        *_none_right_rows(trial),
    ]
    if trial.kinds:
        rows += [_share_row(kind, share) for kind, share in trial.kinds.by_kind.items()]
        rows += [
            _share_row("cannot tell: precision", trial.kinds.precision),
            _share_row("cannot tell: recall", trial.kinds.recall),
        ]
    unanswered = trial.unanswered + (trial.kinds.unanswered if trial.kinds else 0)
    summary = f"{trial.judge}: {trial.pictures} images, {unanswered} questions unanswered"
    overall = f"{printing.table(_COLUMNS, rows)}\n{VIOLATED_IMAGES}"
    tables = [overall, *_reliability_tables(trial)]
    return "\n".join(["\n\n".join(tables), summary, *_conduct_lines(trial)])


def _share_row(name: str, share: Share) -> FigureRow:
    return FigureRow(name, share.value, share.low, share.high, share.asked)


def _baseline_rows(reliability: Reliability) -> Iterator[FigureRow]:
    """Yield what always giving the expected answer reaches, nothing where it was not measured."""
    if reliability.baseline.asked:
        yield _share_row(ALWAYS_EXPECTED, reliability.baseline)


def _reliability_rows(reliability: Reliability) -> Iterator[FigureRow]:
    """Yield what the judge flags and accepts over all, nothing where it was not measured."""
    if not _is_measured(reliability):
        return
    yield _share_row("violated facts flagged (sensitivity)", reliability.sensitivity)
    yield _share_row("facts that hold accepted (specificity)", reliability.specificity)
    yield _share_row("false alarms (1 - specificity)", reliability.false_alarms)
    balanced, kappa = reliability.balanced_accuracy, reliability.kappa
    if kappa.n:
        yield FigureRow(BALANCED, balanced.value, balanced.low, balanced.high, kappa.n)
        yield FigureRow(KAPPA, kappa.value, kappa.low, kappa.high, kappa.n)


def _none_right_rows(trial: Trial) -> Iterator[FigureRow]:
    """Yield how often it says that no choice fits where none does, nothing where none was asked."""
    if trial.none_right.asked:
        yield _share_row(NONE_RIGHT, trial.none_right)


def _reliability_tables(trial: Trial) -> Iterator[str]:
    """Yield tables by composition of interest, by concept, and of the worst facts.

    Where sensitivity and specificity were not measured, one sentence says so.
    """
    measured = _is_measured(trial.reliability)
    if not measured:
        yield "violated facts flagged and facts that hold accepted: not measured"
    by_coi = [
        _ReliabilityRow(
            coi,
            trial.reliability_by_coi.get(coi, Reliability()),
            trial.by_coi.get(coi, Share(0, 0)),
        )
        for coi in dict.fromkeys([*trial.by_coi, *trial.reliability_by_coi])
    ]
    if by_coi:
        columns = _ACCURACY_COLUMNS
        if measured:
            columns = (*columns, *_RELIABILITY_COLUMNS)
        if trial.reliability.baseline.asked:
            columns = (*columns, *_CHANCE_COLUMNS)
        yield _titled("by composition of interest", columns, by_coi)
    concepts = _worst_rows(trial.by_concept)
    if concepts:
        yield _titled("by concept, on images of its own", _RELIABILITY_COLUMNS, concepts)
    facts = _worst_rows(trial.by_fact)[:WORST]
    if facts:
        yield _titled("the facts that are flagged least", _RELIABILITY_COLUMNS, facts)


def _is_measured(reliability: Reliability) -> bool:
    return bool(reliability.sensitivity.asked or reliability.specificity.asked)


def _worst_rows(by_slice: Mapping[str, Reliability]) -> list[_ReliabilityRow]:
    return [_ReliabilityRow(name, own) for name, own in worst_first(by_slice)]


def _titled(title: str, columns: Sequence[TextColumn], rows: Sequence[_ReliabilityRow]) -> str:
    return f"{title}:\n{printing.table((_NAME_COLUMN, *columns), rows)}"


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
    if trial.none_right_unanswered:
        yield (
            "asked without the true choice and left unanswered:"
            f" {trial.none_right_unanswered} questions"
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
            f"{trial.cost.answers} live answers: {trial.cost.seconds_each or 0.0:.2f} s each,"
            f" {thousand} for a thousand; the five questions of an image take"
            f" {5 * (trial.cost.seconds_each or 0.0):.2f} s on average"
        )


def _difficulty_line(difficulty: DifficultyResult) -> str:
    levels = ", ".join(f"{number} {level}" for level, number in difficulty.pictures.items())
    sides = ", ".join(
        f"{printing.number(share.value)} of {share.asked} on {side} images"
        for side, share in difficulty.by_side.items()
    )
    return (
        f"normal or weird, five times: right {sides}; {levels}, {difficulty.left_out} images"
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
