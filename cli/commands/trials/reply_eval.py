"""Holds the command that measures how well replies of judges are read.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.trials import reply_eval as output
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.files.readings.gold_replies import gold_replies, parts, read_file
from hallascope.engine.errors import BadRequest

LEAST_P_VALUE = 0.05


def reply_eval(
    part: Annotated[
        str,
        typer.Option(
            help="Which replies: development, work, test and report to report only, or all."
        ),
    ] = "development",
    file: Annotated[
        Path | None, typer.Option(help="A file of gold replies in place of ours.")
    ] = None,
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="Also list the replies that are read wrong.")
    ] = False,
    at_least: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
            help="Fail below this share of replies read right, where one is misread, and where"
            " reading depends on the answer (p < 0.05).",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Measure how well the replies of judges to multiple-choice questions are read.

    A reply is misread where another letter is read than it names; unread where none is. Whether
    reading depends on what is answered is told by Fisher's exact test.
    """
    from hallascope.engine.judge_eval.parsers.reply_eval import evaluate_replies
    from hallascope.metrics.replies.letters import read_letter

    if part not in parts():
        raise BadRequest(f"There is no part {part!r}: choose {', '.join(parts())}.")
    gold = read_file(file) if file else gold_replies(part)
    evaluation = evaluate_replies(gold, read_letter)
    say(
        printing.document(output.document(evaluation))
        if as_json
        else output.lines(evaluation, mistakes)
    )
    is_missed = at_least is not None and (
        (evaluation.right.value or 0) < at_least
        or bool(evaluation.misread)
        or any(answers.p_value < LEAST_P_VALUE for answers in evaluation.by_answer())
    )
    return FAILURES if is_missed else DONE
