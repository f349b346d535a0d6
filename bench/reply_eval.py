"""Measures how well the replies of judges are read: ``python -m bench.reply_eval``.

A reply is misread where another letter is read than it names, and unread where none is. Whether
reading depends on what is answered is told by Fisher's exact test.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from scipy.stats import MonteCarloMethod, fisher_exact

from bench.gold import GoldReply, gold_replies, parts, read_replies
from bench.measuring import JsonOption, launch, show
from bench.parser_eval import share_row
from hallascope.data.records import LETTERS, Letter
from hallascope.engine.errors import BadRequest
from hallascope.metrics.replies.letters import read_letter

LEAST_P_VALUE = 0.05


class ReplyReading(NamedTuple):
    """Holds a gold reply with the letter that was read, None where it was unreadable."""

    gold: GoldReply
    letter: Letter | None

    @property
    def is_right(self) -> bool:
        """Whether the letter is the expected one, or none is expected and none was read."""
        return self.letter == self.gold.letter


def by_answer(readings: Sequence[ReplyReading]) -> tuple[dict[str, list[bool]], ...]:
    """Return what is read right by expected answer: of yes and no, and of all other questions."""
    groups: tuple[dict[str, list[bool]], ...] = ({}, {})
    for reading in readings:
        letter = reading.gold.letter
        if letter is not None:
            choice = reading.gold.choices[LETTERS.index(letter)]
            is_other = choice not in ("Yes", "No")
            groups[is_other].setdefault(letter if is_other else choice, []).append(reading.is_right)
    return groups


def alike_p_value(groups: Mapping[str, Sequence[bool]]) -> float:
    """Return the p-value of Fisher's exact test that the share is the same for all answers."""
    table = np.array([(sum(groups[name]), groups[name].count(False)) for name in sorted(groups)])
    if len(groups) < 2 or not table.any(axis=0).all():
        return 1.0
    # of more than two answers by 9,999 random tables, always the same ones
    method = None if len(groups) == 2 else MonteCarloMethod(rng=0)
    return float(fisher_exact(table, method=method).pvalue)


def main(
    part: Annotated[
        str, typer.Option(help="test and report: to report only; all.")
    ] = "development",
    file: Annotated[Path | None, typer.Option(help="Gold replies in place of ours.")] = None,
    at_least: Annotated[
        float | None,
        typer.Option(
            help="Fail below this share, where one is misread, and where reading depends on the"
            " answer (p < 0.05)."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    if part not in parts():
        raise BadRequest(f"There is no part {part!r}: choose {', '.join(parts())}.")
    readings = [
        ReplyReading(gold, read_letter(gold.reply, gold.choices, gold.question))
        for gold in (read_replies(file) if file else gold_replies(part))
    ]
    wrong = [reading for reading in readings if not reading.is_right]
    misread = [reading for reading in wrong if reading.letter]
    rows = [share_row("replies read right", ((reading.is_right, 1) for reading in readings))]
    groups = by_answer(readings)
    for group in groups:
        rows += [
            share_row(f"replies that name {answer}", ((right, 1) for right in group[answer]))
            for answer in sorted(group)
        ]
    p_values = [alike_p_value(group) for group in groups]
    show(rows, as_json, misread=misread, wrong=wrong, p_values=p_values)
    is_missed = (rows[0]["share"] or 0) < (at_least or 0) or bool(misread)
    is_missed |= min(p_values) < LEAST_P_VALUE
    sys.exit(int(at_least is not None and is_missed))


if __name__ == "__main__":
    launch(main)
