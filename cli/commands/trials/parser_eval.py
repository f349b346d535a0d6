"""Holds the command that measures how well prompts are read and names matched.

Exit codes as in `hallascope.cli.main`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.commands.trials.bounds import AtLeastOption, exit_code, read_bounds
from hallascope.cli.output import printing
from hallascope.cli.output.trials import parser_eval as output
from hallascope.cli.terminal import (
    DONE,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    UnpricedOption,
    progress,
    say,
)
from hallascope.data.files.readings.gold_names import gold_name_pairs
from hallascope.data.files.readings.gold_readings import FOLDER, PARTS, Part, gold_readings
from hallascope.data.files.readings.prompt_readings import read_required
from hallascope.data.prompt_reading import GoldReading
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import money
from hallascope.engine.prompt_parsing import parse_prompts, parsing_estimate
from hallascope.engine.services import create_services

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.parsers.parser_eval import ParserEvaluation


def parser_eval(
    part: Annotated[
        str,
        typer.Option(help="Which gold part: development, or test and held_out to report only."),
    ] = "development",
    folder: Annotated[
        Path, typer.Option(help="A folder of gold readings in place of ours.")
    ] = FOLDER,
    mistakes: Annotated[
        bool,
        typer.Option("--mistakes", help="Also list the prompts read wrong, and the names."),
    ] = False,
    at_least: AtLeastOption = None,
    parser: Annotated[
        str,
        typer.Option(metavar="NAME", help="Measure how this model reads prompts, not the rules."),
    ] = "",
    readings: Annotated[
        Path | None,
        typer.Option(
            help="Measure the readings of this file or folder, in the form of gold readings."
        ),
    ] = None,
    estimate: Annotated[
        bool,
        typer.Option("--estimate", help="With --parser: say what it is likely to cost, and stop."),
    ] = False,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    as_json: JsonOption = False,
) -> int:
    """Measure how well the rules or a model read prompts, and how well names are matched.

    Both are held against what people wrote. What a model replies is kept: the same command again
    asks only what is missing. With --readings, what another person or program read is measured.
    """
    from hallascope.engine.judge_eval.parsers.parser_eval import evaluate_names, evaluate_reader
    from hallascope.metrics.reading.names import labels_alike
    from hallascope.metrics.reading.prompt import read_prompt

    chosen_part = _part(part)
    bounds = read_bounds(at_least)
    gold = gold_readings(chosen_part, folder)
    if not gold:
        raise BadRequest(
            f"There are no gold readings in {str(folder / chosen_part)!r}: name another folder."
        )
    policy = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    if estimate:
        return _print_estimate(gold, parser, policy, as_json)
    if parser:
        evaluation = _evaluate_model(gold, parser, policy)
    elif readings:
        evaluation = _evaluate_readings(gold, readings)
    else:
        evaluation = evaluate_reader(gold, read_prompt)
    # of names there are two parts; `test` is the one that nobody looked at before
    name_part: Part = "development" if chosen_part == "development" else "test"
    names = evaluate_names(gold_name_pairs(name_part), labels_alike)
    say(
        printing.document(output.document(evaluation, names))
        if as_json
        else output.lines(evaluation, names, mistakes)
    )
    return exit_code(bounds, evaluation.right)


def _part(name: str) -> Part:
    """Return the part of a name. Raises BadRequest where there is none."""
    for part in PARTS:
        if part == name:
            return part
    raise BadRequest(f"There is no part {name!r}: choose {' or '.join(PARTS)}.")


def _evaluate_model(
    gold: Sequence[GoldReading], parser: str, policy: SpendingPolicy
) -> "ParserEvaluation":
    """Have a model read the prompts, and say on standard error what that is likely to cost."""
    from hallascope.engine.judge_eval.parsers.parser_eval import evaluate_parser

    services = create_services()
    prompts = [reading.prompt for reading in gold]
    for line in parsing_estimate(services, prompts, parser, policy).lines:
        amount = "at an unknown price"
        if line.amount is not None:
            amount = f"about {money(line.amount)}"
        print(f"{line.model}: {line.calls} calls, {amount}", file=sys.stderr, flush=True)
    return evaluate_parser(gold, parse_prompts(services, prompts, parser, policy, progress))


def _evaluate_readings(gold: Sequence[GoldReading], path: Path) -> "ParserEvaluation":
    """Compare another person's or program's readings. Raises BadRequest where none is of gold."""
    from hallascope.engine.judge_eval.parsers.parser_eval import evaluate_reader

    readings = {reading.prompt: reading for reading in read_required(path)}
    of_both = [expected for expected in gold if expected.prompt in readings]
    if not of_both:
        raise BadRequest(
            f"No prompt of {str(path)!r} has a gold reading in this part: name another file, or "
            "another part with --part."
        )
    languages = frozenset(expected.language for expected in of_both)
    return evaluate_reader(of_both, readings.__getitem__, languages)


def _print_estimate(
    gold: Sequence[GoldReading], parser: str, policy: SpendingPolicy, as_json: bool
) -> int:
    """Print what a model is likely to cost. Raises BadRequest where none is named."""
    if not parser:
        raise BadRequest("The rules cost nothing: name a model with --parser.")
    services = create_services()
    expected = parsing_estimate(services, [reading.prompt for reading in gold], parser, policy)
    if as_json:
        say(printing.document(printing.estimate_json(expected)))
    else:
        say(printing.estimate_lines(expected, *services.caps(policy)))
    return DONE
