"""Holds the command that measures how well prompts are read and names matched.

Exit codes as in `hallascope.cli.main`.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.output import parser_eval as output
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.files.readings.gold_names import gold_name_pairs
from hallascope.data.files.readings.gold_readings import FOLDER, PARTS, gold_readings
from hallascope.engine.errors import BadRequest

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.matching.readings import System

_BOUND = re.compile(r"0(?:\.\d+)?|1(?:\.0+)?")


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
    at_least: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM=SHARE",
            help="Fail below a share of prompts read right, such as fig=0.92; may be repeated.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Measure how well the rules read prompts and match names, against what people wrote."""
    from hallascope.engine.judge_eval.parser_eval import evaluate_names, evaluate_reader
    from hallascope.metrics.parsing.labels import labels_alike
    from hallascope.metrics.parsing.reading import read_prompt

    if part not in PARTS:
        raise BadRequest(f"There is no part {part!r}: choose {' or '.join(PARTS)}.")
    bounds = [_bound(text) for text in at_least or ()]
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
    missed = [system for system, bound in bounds if (evaluation.right(system).value or 0) < bound]
    return FAILURES if missed else DONE


def _bound(text: str) -> tuple["System", float]:
    """Return the system and the share of "fig=0.92". Raises BadRequest."""
    name, _, share = text.partition("=")
    for system in output.SYSTEM_TITLES:
        if system == name and _BOUND.fullmatch(share):
            return system, float(share)
    raise BadRequest(
        f"{text!r} is no bound: write a system and a share from 0 to 1, such as fig=0.92."
    )
