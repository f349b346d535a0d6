"""Formats how well the replies of judges are read, for programs and for people."""

from typing import TYPE_CHECKING, Any

from hallascope.cli.output import printing
from hallascope.cli.output.trials.parser_eval import SHARE_COLUMNS, share_document

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.parsers.reply_eval import ReplyEvaluation, ReplyReading


def document(evaluation: "ReplyEvaluation") -> dict[str, Any]:
    """Return all figures and mistakes by name."""
    return {
        "right": share_document(evaluation.right),
        "by_answer": [
            {
                "read": {answer: share_document(share) for answer, share in shares.items()},
                "p_value": p_value,
            }
            for shares, p_value in evaluation.by_answer()
        ],
        "misread": [_reading_document(reading) for reading in evaluation.misread],
        "unread": [_reading_document(reading) for reading in evaluation.unread],
    }


def lines(evaluation: "ReplyEvaluation", mistakes: bool) -> str:
    """Return the figures as a table and a sentence; with `mistakes` also the replies."""
    answers = [answers for answers in evaluation.by_answer() if answers.shares]
    parts = [
        printing.table(SHARE_COLUMNS, [("replies read right", evaluation.right)]),
        *(
            f"{printing.table(SHARE_COLUMNS, list(shares.items()))}\n"
            f"Read alike, whatever is answered: p = {p_value:.3f} (Fisher's exact test)"
            for shares, p_value in answers
        ),
        f"{len(evaluation.misread)} misread, {len(evaluation.unread)} not read",
    ]
    if mistakes:
        parts += [_mistake_line(reading) for reading in (*evaluation.misread, *evaluation.unread)]
    return "\n\n".join(parts)


def _mistake_line(reading: "ReplyReading") -> str:
    gold = reading.gold
    return (
        f"{gold.file}, line {gold.line}: {gold.reply!r} names {gold.expected or 'no choice'},"
        f" read was {reading.letter or 'none'}"
    )


def _reading_document(reading: "ReplyReading") -> dict[str, Any]:
    return {
        "file": reading.gold.file,
        "line": reading.gold.line,
        "reply": reading.gold.reply,
        "choices": list(reading.gold.choices),
        "expected": reading.gold.expected,
        "read": reading.letter,
        "habit": reading.gold.habit,
    }
