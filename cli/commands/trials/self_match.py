"""Holds the command that holds prompts against themselves.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.commands.trials.bounds import AtLeastOption, exit_code, read_bounds
from hallascope.cli.output import printing
from hallascope.cli.output.trials import self_match as output
from hallascope.cli.terminal import JsonOption, say
from hallascope.data.benchmarks.ihalla import NotABenchmark
from hallascope.data.benchmarks.prompt_files import entries
from hallascope.data.benchmarks.prompt_lists import prompt_of
from hallascope.data.files.sheets import Complaint
from hallascope.engine.errors import BadRequest, sentence


def self_match(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Prompts: .txt with one a line, .csv, .tsv, .json or .jsonl."
        ),
    ],
    at_least: AtLeastOption = None,
    as_json: JsonOption = False,
) -> int:
    """Hold each prompt against itself as the caption of its picture, in FiG and the scene graph.

    What is missing then is an error of the reading or the matching.
    """
    from hallascope.engine.judge_eval.parsers.self_match import evaluate_self_match
    from hallascope.metrics.parsing.parser import TextTooLong

    bounds = read_bounds(at_least)
    prompts = [prompt for file in files for prompt in _prompts(file)]
    try:
        evaluation = evaluate_self_match(prompts)
    except TextTooLong as error:
        raise BadRequest(sentence(error)) from error
    say(printing.document(output.document(evaluation)) if as_json else output.lines(evaluation))
    return exit_code(bounds, evaluation.perfect)


def _prompts(file: Path) -> list[str]:
    """Return the prompts of a file. Raises BadRequest where there are none, or one is no text."""
    complaints: list[Complaint] = []
    prompts = []
    try:
        for entry in entries(file, complaints):
            try:
                prompts.append(prompt_of(entry))
            except ValueError as error:
                complaints.append(Complaint(file.name, None, entry.row, str(error)))
    except NotABenchmark as error:
        raise BadRequest(sentence(error)) from error
    if complaints:
        raise BadRequest(sentence(ValueError(str(complaints[0]))))
    if not prompts:
        raise BadRequest(f"There is no prompt in {str(file)!r}: name a file with a prompt a line.")
    return prompts
