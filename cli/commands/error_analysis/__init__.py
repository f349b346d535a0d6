"""Holds the commands of `hallascope errors`, one module each."""

import typer

from hallascope.cli.commands.error_analysis.probe import probe

commands = typer.Typer(
    no_args_is_help=True,
    help="From a score to its cause: slices, map, grid, probe, repair, compare.",
)
commands.command("probe")(probe)
