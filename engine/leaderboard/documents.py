"""Builds the documents of a leaderboard: all of it, one row, and the numbers of a row."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from hallascope.data.records import version_protocol
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.leaderboard.board import Board, Instrument, LeaderboardRow
from hallascope.engine.leaderboard.comparisons import (
    METHOD,
    ModelComparisons,
    power_sentence,
    rank_values,
)
from hallascope.engine.leaderboard.filters import Grouping
from hallascope.engine.leaderboard.label_correction import CORRECTION_METHOD, LabelCorrection
from hallascope.metrics.judge_reliability import JudgeReliability
from hallascope.metrics.statistics.intervals import LEVEL
from hallascope.metrics.statistics.paired_difference import ModelDifference


def leaderboard_document(
    board: Board,
    demo: bool,
    published: bool = False,
    compared: ModelDifference | None = None,
    reliability: Callable[[LeaderboardRow], JudgeReliability | None] | None = None,
    comparisons: ModelComparisons | None = None,
    corrected: LabelCorrection | None = None,
) -> dict[str, Any]:
    """Return a leaderboard as JSON-able values; `demo`: its numbers are those that ship.

    "published" and "compared" are in it only where they are wanted, "corrected" only where a person
    corrected what a prompt asks for. `corrected` are the scores as people's labels correct them,
    "corrected_by_people", with all pairs of models and what they rest on, "correction_by_people";
    the values of the rows stay the judge's. `comparisons` gives each row its "best_rank",
    "worst_rank" and "letters", None where they are not known, and all pairs of models as
    "comparisons". `reliability` gives what to expect of the judge of a row, which each row then
    says as "judge_reliability".
    """
    by = board.query.by

    def row_values(row: LeaderboardRow) -> dict[str, Any]:
        values = row_document(row, by)
        if comparisons:
            values |= rank_values(comparisons.ranks.get((row.model, row.group)))
        if reliability:
            expected = reliability(row)
            values["judge_reliability"] = asdict(expected) if expected else None
        return values

    document = {
        "rows": [row_values(row) for row in board.rows],
        "metric": board.query.metric,
        "score": board.query.score,
        "by": by,
        "unit": board.unit,
        "higher_is_better": board.higher_is_better,
        "interval": {"level": LEVEL, "by": "prompt", "method": board.interval_method},
        "judged_by": _instrument(board.instrument) if board.instrument else None,
        "judged_otherwise": [
            _instrument(instrument)
            for instrument in board.instruments
            if instrument != board.instrument
        ],
        "demo": demo,
    }
    if published:
        document["published"] = [
            row_document(row, by) | {"source": row.source} for row in board.published
        ]
    if board.corrections:
        document["corrected"] = asdict(board.corrections)
    if corrected is not None:
        document["corrected_by_people"] = [
            asdict(row) | {"sentence": row.sentence, "method": CORRECTION_METHOD}
            for row in corrected.rows
        ]
        document["correction_by_people"] = correction_document(corrected)
    if comparisons:
        document["comparisons"] = comparisons_document(comparisons)
    if compared:
        document["compared"] = difference_document(compared)
    return document


def difference_document(difference: ModelDifference) -> dict[str, Any]:
    """Return the difference of two models, with what it says in words and the prompts needed."""
    return asdict(difference) | {
        "words": difference.words,
        "power": power_sentence(difference) or None,
    }


def comparisons_document(comparisons: ModelComparisons) -> dict[str, Any]:
    """Return all pairs of models, and how they were tested."""
    return {
        "method": METHOD,
        "level": LEVEL,
        "pairs": [difference_document(pair) for pair in comparisons.pairs],
        "left_out_pairs": comparisons.left_out_pairs,
        "sentences": comparisons.sentences,
    }


def correction_document(correction: LabelCorrection) -> dict[str, Any]:
    """Return how scores were corrected by people's labels: by which, and all pairs of models."""
    labels = correction.labels
    return {
        "method": CORRECTION_METHOD,
        "level": LEVEL,
        "labels": asdict(labels) | {"sentence": labels.sentence} if labels else None,
        "sampling": correction.sampling,
        "pairs": [asdict(pair) for pair in correction.pairs],
        "left_out_pairs": correction.left_out_pairs,
    }


def correction_values(correction: LabelCorrection, model: str, group: str) -> dict[str, Any]:
    """Return a row's corrected score, with what it rests on, by names that no other value has.

    All are None where too few prompts are labeled, but how many are.
    """
    row = next((row for row in correction.rows if (row.model, row.group) == (model, group)), None)
    score = row.score if row else None
    other = row.rogan_gladen if row else None
    return {
        "corrected": score.value if score else None,
        "corrected_low": score.low if score else None,
        "corrected_high": score.high if score else None,
        "corrected_lowest": score.lowest if score else None,
        "corrected_highest": score.highest if score else None,
        "bias": score.bias if score else None,
        "bias_low": score.bias_low if score else None,
        "bias_high": score.bias_high if score else None,
        "weight": score.weight if score else None,
        "labeled": row.labeled if row else None,
        "judged": score.judged if score else None,
        "rogan_gladen": other.value if other else None,
        "rogan_gladen_low": other.low if other else None,
        "rogan_gladen_high": other.high if other else None,
        "correction_method": CORRECTION_METHOD if score else None,
    }


def row_document(row: LeaderboardRow, by: Grouping) -> dict[str, Any]:
    """Return one row, with its group under the name of what the leaderboard is sorted by.

    `left_out` counts prompts or questions, as `n` does; `left_out_share` is of all questions.
    """
    group: dict[str, Any] = {}
    if by != "model":
        group = {by: row.group}
    elif row.group:
        group = {"group": row.group}
    return {
        "model": row.model,
        **group,
        **row_numbers(row),
        "left_out_share": row.left_out_share,
        "answered": row.answered,
        "unanswered": row.unanswered,
    }


def row_numbers(row: LeaderboardRow) -> dict[str, Any]:
    """Return the mean of a row, what it counts, its 95 % interval, and what was left out."""
    return {
        "value": row.value,
        "n": row.n,
        "low": row.low,
        "high": row.high,
        "left_out": row.left_out,
    }


def _instrument(instrument: Instrument) -> dict[str, Any]:
    return {
        "version": instrument.version,
        "wording": wording_mark(instrument.version).name,
        "protocol": version_protocol(instrument.version),
        "judge": instrument.judge,
        "lineup": dict(instrument.lineup),
    }
