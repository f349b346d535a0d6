"""Holds the command that measures how well replies of judges are read.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.trials import reply_eval as output
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.files.readings.gold_readings import PARTS, Part
from hallascope.data.files.readings.gold_replies import FILE, gold_replies
from hallascope.engine.errors import BadRequest

ALL = "all"


def reply_eval(
    part: Annotated[
        str,
        typer.Option(help="Which half: development, test to report only, or all."),
    ] = "development",
    file: Annotated[Path, typer.Option(help="A file of gold replies in place of ours.")] = FILE,
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="Also list the replies that are read wrong.")
    ] = False,
    at_least: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
            help="Fail below this share of replies read right, or where one is misread.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Measure how well the replies of judges to multiple-choice questions are read.

    A reply is misread where another letter is read than it names; unread where none is.
    """
    from hallascope.engine.judge_eval.parsers.reply_eval import evaluate_replies
    from hallascope.metrics.replies.letters import read_letter

    evaluation = evaluate_replies(gold_replies(_part(part), file), read_letter)
    say(
        printing.document(output.document(evaluation))
        if as_json
        else output.lines(evaluation, mistakes)
    )
    is_missed = at_least is not None and (
        (evaluation.right.value or 0) < at_least or bool(evaluation.misread)
    )
    return FAILURES if is_missed else DONE


def _part(name: str) -> Part | None:
    """Return the half of a name, None for both. Raises BadRequest where there is none."""
    for part in PARTS:
        if part == name:
            return part
    if name == ALL:
        return None
    raise BadRequest(f"There is no part {name!r}: choose {', '.join(PARTS)} or {ALL}.")
