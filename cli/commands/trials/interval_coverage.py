"""Holds the command that simulates how often intervals cover the truth.

Exit codes as in `hallascope.cli.main`.
"""

from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.trials import interval_coverage as output
from hallascope.cli.terminal import DONE, JsonOption, progress, say


def interval_coverage(
    draws: Annotated[
        int, typer.Option(min=10, max=100_000, help="Simulated benchmarks in each cell.")
    ] = 2_000,
    boards: Annotated[
        int, typer.Option(min=10, max=10_000, help="Simulated boards of ten equal models a cell.")
    ] = 600,
    seed: Annotated[int, typer.Option(min=0, help="Of what is drawn.")] = 0,
    as_json: JsonOption = False,
) -> int:
    """Simulate how often the 95 % intervals cover the truth, and equal models are told apart.

    Over true means, numbers of prompts and correlations of the questions of a prompt. No model is
    run.
    """
    from hallascope.metrics.statistics.coverage import simulate_coverage

    tables = simulate_coverage(
        draws, boards, seed, lambda done, total: progress(done, total, "cells")
    )
    say(printing.document(output.document(tables)) if as_json else output.lines(tables))
    return DONE
