"""Holds the commands of `hallascope errors`, one module each."""

import typer

from hallascope.cli.commands.error_analysis.compare import compare
from hallascope.cli.commands.error_analysis.error_map import error_map_command
from hallascope.cli.commands.error_analysis.grid import grid
from hallascope.cli.commands.error_analysis.probe import probe
from hallascope.cli.commands.error_analysis.remedies import repair_experiment
from hallascope.cli.commands.error_analysis.slices import slices
from hallascope.cli.commands.error_analysis.tags import note, tag, tags

commands = typer.Typer(
    no_args_is_help=True,
    help="From a score to its cause: slices, map, grid, probe, repair, compare.",
)
commands.command("probe")(probe)
commands.command("repair")(repair_experiment)
commands.command("slices")(slices)
commands.command("compare")(compare)
commands.command("map")(error_map_command)
commands.command("grid")(grid)
commands.command("tag")(tag)
commands.command("tags")(tags)
commands.command("note")(note)
