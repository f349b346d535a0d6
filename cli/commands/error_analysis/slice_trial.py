"""Holds the command that simulates how often slices are found by chance, and how often rightly.

Exit codes as in `hallascope.cli.main`.
"""

from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output import slices as output
from hallascope.cli.terminal import DONE, JsonOption, progress, say


def slice_trial(
    repetitions: Annotated[
        int, typer.Option(min=1, max=10_000, help="Simulated selections of each kind.")
    ] = 100,
    prompts: Annotated[
        int, typer.Option(min=50, max=4_000, help="Prompts of the Primer world.")
    ] = 400,
    weakness: Annotated[
        str, typer.Option(help="The planted group that fails more, as conditions.")
    ] = "number above 3:yes;model:primer/hasty",
    seed: Annotated[int, typer.Option(min=0, help="Of what is drawn.")] = 0,
    as_json: JsonOption = False,
) -> int:
    """Simulate how often slices are reported by chance, and how often a planted one comes first.

    The prompts are those of the Primer world, with three models and two seeds; the errors are
    drawn, and no model is run.
    """
    from hallascope.engine.error_analysis.conditions import parse_conditions
    from hallascope.engine.error_analysis.slices.documents import slice_trial_document
    from hallascope.engine.error_analysis.slices.trial import run_slice_trial

    trial = run_slice_trial(
        repetitions,
        weakness=parse_conditions(weakness),
        prompts=prompts,
        seed=seed,
        report=lambda done, total: progress(done, total, "repetitions"),
    )
    say(
        printing.document(slice_trial_document(trial))
        if as_json
        else output.slice_trial_lines(trial)
    )
    return DONE
