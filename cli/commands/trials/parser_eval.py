"""Holds the command that measures how well prompts are read and names matched.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.commands.trials.bounds import AtLeastOption, read_bounds
from hallascope.cli.output import parser_eval as output
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.files.readings.gold_names import gold_name_pairs
from hallascope.data.files.readings.gold_readings import FOLDER, PARTS, gold_readings
from hallascope.engine.errors import BadRequest


def parser_eval(
    part: Annotated[
        str,
        typer.Option(help="Which gold part: development, or test to report only."),
    ] = "development",
    folder: Annotated[
        Path, typer.Option(help="A folder of gold readings in place of ours.")
    ] = FOLDER,
    mistakes: Annotated[
        bool,
        typer.Option("--mistakes", help="Also list the prompts read wrong, and the names."),
    ] = False,
    at_least: AtLeastOption = None,
    as_json: JsonOption = False,
) -> int:
    """Measure how well the rules read prompts and match names, against what people wrote."""
    from hallascope.engine.judge_eval.parser_eval import evaluate_names, evaluate_reader
    from hallascope.metrics.parsing.labels import labels_alike
    from hallascope.metrics.parsing.reading import read_prompt

    if part not in PARTS:
        raise BadRequest(f"There is no part {part!r}: choose {' or '.join(PARTS)}.")
    bounds = read_bounds(at_least)
    gold = gold_readings(part, folder)
    if not gold:
        raise BadRequest(
            f"There are no gold readings in {str(folder / part)!r}: name another folder."
        )
    evaluation = evaluate_reader(gold, read_prompt)
    names = evaluate_names(gold_name_pairs(part), labels_alike)
    say(
        printing.document(output.document(evaluation, names))
        if as_json
        else output.lines(evaluation, names, mistakes)
    )
    is_missed = any(
        (evaluation.right(system).value or 0) < bound for system, bound in bounds.items()
    )
    return FAILURES if is_missed else DONE
