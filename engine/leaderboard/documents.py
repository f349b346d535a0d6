"""Builds the rows of a leaderboard for programs: as JSON, and as rows of a table."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hallascope.data.records import version_protocol
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.leaderboard.board import Board, LeaderboardRow
from hallascope.engine.leaderboard.comparisons import (
    METHOD,
    ModelComparisons,
    power_sentence,
)
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.queries import Instrument
from hallascope.metrics.judge_reliability import JudgeReliability
from hallascope.metrics.statistics.intervals import LEVEL
from hallascope.metrics.statistics.paired_difference import ModelDifference

if TYPE_CHECKING:
    from hallascope.engine.leaderboard.label_correction import LabelCorrection


COLUMNS = (
    "model",
    "group",
    "value",
    "n",
    "low",
    "high",
    "left_out",
    "best_rank",
    "worst_rank",
    "letters",
)
# by the name of a column of corrected scores, the field of `CorrectedScore`
_CORRECTED = {
    "corrected": "value",
    "corrected_low": "low",
    "corrected_high": "high",
    "corrected_lowest": "lowest",
    "corrected_highest": "highest",
    "bias": "bias",
    "bias_low": "bias_low",
    "bias_high": "bias_high",
    "weight": "weight",
    "labeled": "labeled",
    "judged": "judged",
}


def frame_rows(
    board: Board, comparisons: ModelComparisons, correction: "LabelCorrection | None" = None
) -> list[dict[str, Any]]:
    """Return the rows by the names of `COLUMNS`.

    With a `correction` they have its columns, too: all None where too few prompts are labeled, but
    how many are.
    """
    rows = [
        {name: value for name, value in _values(row, comparisons).items() if name in COLUMNS}
        for row in board.rows
    ]
    if correction is None:
        return rows
    corrected = {(row.model, row.group): row for row in correction.rows}
    for values in rows:
        row = corrected.get((values["model"], values["group"]))
        score = row.score if row else None
        values |= {name: getattr(score, field, None) for name, field in _CORRECTED.items()}
        values["labeled"] = row.labeled if row else None
        values["correction_method"] = correction.method if score else None
    return rows


def _values(row: LeaderboardRow, comparisons: ModelComparisons | None) -> dict[str, Any]:
    """Return the fields of a row, and its ranks where models were compared."""
    values = asdict(row)
    if comparisons:
        rank = comparisons.ranks.get((row.model, row.group))
        values["best_rank"] = rank.best if rank else None
        values["worst_rank"] = rank.worst if rank else None
        values["letters"] = rank.letters if rank else None
    return values


def leaderboard_document(
    board: Board,
    demo: bool,
    published: bool = False,
    compared: ModelDifference | None = None,
    reliability: Callable[[LeaderboardRow], JudgeReliability | None] | None = None,
    comparisons: ModelComparisons | None = None,
    label_correction: "LabelCorrection | None" = None,
) -> dict[str, Any]:
    """Return a leaderboard as JSON-able values; `demo`: its numbers are those that ship.

    "published" and "compared" are in it only where they are wanted, "corrected" only where a person
    corrected what a prompt asks for. `label_correction` gives the scores as people's labels
    correct them, "corrected_by_people", with all pairs of models and what they rest on,
    "correction_by_people"; the values of the rows stay the judge's. `comparisons` gives each row
    its "best_rank", "worst_rank" and "letters", None where they are not known, and all pairs of
    models as "comparisons". `reliability` gives what to expect of the judge of a row, which each
    row then says as "judge_reliability".
    """
    query = board.query
    rows = [row_document(row, query, comparisons) for row in board.rows]
    if reliability:
        for values, row in zip(rows, board.rows, strict=True):
            expected = reliability(row)
            values["judge_reliability"] = asdict(expected) if expected else None
    document: dict[str, Any] = {
        "rows": rows,
        "metric": query.metric,
        "score": query.score,
        "by": query.by,
        "unit": board.unit,
        "higher_is_better": board.higher_is_better,
        "interval": {"level": LEVEL, "by": "prompt", "method": board.interval_method},
        "judged_by": _instrument(board.instrument) if board.instrument else None,
        "judged_otherwise": [
            _instrument(each) for each in board.instruments if each != board.instrument
        ],
        "demo": demo,
    }
    if published:
        document["published"] = [
            row_document(row, query) | {"source": row.source} for row in board.published
        ]
    if board.corrections:
        document["corrected"] = asdict(board.corrections)
    if label_correction is not None:
        document["corrected_by_people"] = [
            asdict(row) | {"sentence": row.sentence, "method": label_correction.method}
            for row in label_correction.rows
        ]
        labels = label_correction.labels
        document["correction_by_people"] = {
            "method": label_correction.method,
            "level": LEVEL,
            "labels": asdict(labels) | {"sentence": labels.sentence} if labels else None,
            "sampling": label_correction.sampling,
            "pairs": [asdict(pair) for pair in label_correction.pairs],
            "left_out_pairs": label_correction.left_out_pairs,
        }
    if comparisons:
        document["comparisons"] = {
            "method": METHOD,
            "level": LEVEL,
            "pairs": [difference_document(pair) for pair in comparisons.pairs],
            "left_out_pairs": comparisons.left_out_pairs,
            "sentences": comparisons.sentences,
        }
    if compared:
        document["compared"] = difference_document(compared)
    return document


def row_document(
    row: LeaderboardRow, query: Query, comparisons: ModelComparisons | None = None
) -> dict[str, Any]:
    """Return one row, with its group under the name of what the leaderboard is by.

    `left_out` counts prompts or questions, as `n` does; `left_out_share` is of all questions.
    """
    values = _values(row, comparisons) | {"left_out_share": row.left_out_share}
    del values["source"]
    group = values.pop("group")
    if group or query.by != "model":
        values["group" if query.by == "model" else query.by] = group
    return values


def difference_document(difference: ModelDifference) -> dict[str, Any]:
    """Return the difference of two models, with what it says in words and the prompts needed."""
    return asdict(difference) | {
        "words": difference.words,
        "power": power_sentence(difference) or None,
    }


def _instrument(instrument: Instrument) -> dict[str, Any]:
    return {
        "version": instrument.version,
        "wording": wording_mark(instrument.version).name,
        "protocol": version_protocol(instrument.version),
        "judge": instrument.judge,
        "lineup": dict(instrument.lineup),
    }
