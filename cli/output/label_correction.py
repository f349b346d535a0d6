"""Formats scores that people's labels correct, for people to read."""

from collections.abc import Sequence

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.output.problems import problem_lines
from hallascope.engine.leaderboard.comparisons import percent
from hallascope.engine.leaderboard.label_correction import (
    CORRECTION_METHOD,
    CorrectedPair,
    CorrectedRow,
    LabelCorrection,
)
from hallascope.metrics.statistics.corrected_scores import CorrectedScore
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS
from hallascope.metrics.statistics.rogan_gladen import RoganGladen

NOT_CORRECTED = "Only I-HallA's score, by model or by composition of interest, can be corrected."
COMPARISON = (
    "Rogan-Gladen is for comparison only: it assumes that the judge errs as often on all other"
    " questions as on the labeled ones, and that the questions of a prompt are independent."
)
_ROW_COLUMNS = (
    TextColumn("model", lambda row: row.model),
    TextColumn("group", lambda row: row.group or "-"),
    TextColumn("judge", lambda row: printing.number(row.score.judge)),
    TextColumn("corrected", lambda row: printing.number(row.score.value)),
    TextColumn("95 %", lambda row: printing.interval(row.score.low, row.score.high)),
    TextColumn(
        "if all untold were wrong, right",
        lambda row: printing.interval(row.score.lowest, row.score.highest),
    ),
    TextColumn("labeled", lambda row: f"{row.labeled} of {row.score.judged}"),
    TextColumn("Rogan-Gladen", lambda row: _score_cell(row.rogan_gladen)),
    TextColumn("sensitivity, specificity", lambda row: _errors_cell(row.rogan_gladen)),
)
_PAIR_COLUMNS = (
    TextColumn("difference", lambda pair: f"{pair.one} less {pair.other}"),
    TextColumn("group", lambda pair: pair.group or "-"),
    TextColumn("judge", lambda pair: _signed(pair.difference.judge)),
    TextColumn("corrected", lambda pair: _signed(pair.difference.value)),
    TextColumn(
        "95 %",
        lambda pair: f"{_signed(pair.difference.low)} to {_signed(pair.difference.high)}",
    ),
    TextColumn(
        "labeled for both",
        lambda pair: f"{pair.difference.labeled} of {pair.difference.judged}",
    ),
)


def correction_lines(correction: LabelCorrection) -> str:
    """Return corrected scores and differences as tables, with what they rest on."""
    if correction.labels is None:
        return NOT_CORRECTED
    corrected = [row for row in correction.rows if row.score]
    parts = [_row_table(corrected)] if corrected else []
    parts += [row.sentence for row in correction.rows]
    parts += _pair_lines(correction)
    parts += [correction.labels.sentence, problem_lines(correction.labels.complaints)]
    if corrected:
        parts.append(correction.sampling)
    return "\n".join(parts)


def _errors_cell(found: RoganGladen | None) -> str:
    """Return the judge's sensitivity and specificity, "-" where they are not known."""
    if found is None:
        return "-"
    return f"{percent(found.sensitivity)}, {percent(found.specificity)}"


def _row_table(rows: Sequence[CorrectedRow]) -> str:
    method = f"Corrected by {INTERVAL_METHODS[CORRECTION_METHOD]}, by prompt. {COMPARISON}"
    return f"{printing.table(_ROW_COLUMNS, rows)}\n{method}"


def _pair_lines(correction: LabelCorrection) -> list[str]:
    """Return the corrected differences; nothing where there are none."""
    if correction.left_out_pairs:
        return [f"{correction.left_out_pairs:,} pairs of models are too many: choose fewer models."]
    pairs = [pair for pair in correction.pairs if pair.difference]
    missing = [pair for pair in correction.pairs if not pair.difference]
    if not pairs:
        return []
    lines = [
        f"\n{printing.table(_PAIR_COLUMNS, pairs)}",
        "Corrected differences, each with its own interval: they are not corrected for the number"
        " of pairs.",
    ]
    return lines + [_missing_labels(pair) for pair in missing]


def _missing_labels(pair: CorrectedPair) -> str:
    prompts = "prompt" if pair.needed == 1 else "prompts"
    where = f", {pair.group}" if pair.group else ""
    return (
        f"{pair.one} and {pair.other}{where}: label {pair.needed} more {prompts} for both to"
        " correct their difference."
    )


def _signed(value: float) -> str:
    return f"{value:+.3f}"


def _score_cell(score: CorrectedScore | RoganGladen | None) -> str:
    if score is None:
        return "-"
    return f"{printing.number(score.value)} ({printing.interval(score.low, score.high)})"
