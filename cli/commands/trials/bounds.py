"""Reads the bounds below which a command fails: the least share of prompts for a system."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.output.trials.parser_eval import SYSTEM_TITLES
from hallascope.cli.terminal import DONE, FAILURES
from hallascope.engine.errors import BadRequest

if TYPE_CHECKING:
    from hallascope.engine.judge_eval.parsers.parser_eval import PromptShare
    from hallascope.metrics.reading.confidence import System

AtLeastOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SYSTEM=SHARE",
        help="Fail below a share of prompts, such as fig=0.92; may be repeated.",
    ),
]
_SHARE = re.compile(r"0(?:\.\d+)?|1(?:\.0+)?")


def exit_code(bounds: "Mapping[System, float]", share: "Callable[[System], PromptShare]") -> int:
    """Return the exit code of a command: a failure where any share is below its bound."""
    is_missed = any((share(system).value or 0) < bound for system, bound in bounds.items())
    return FAILURES if is_missed else DONE


def read_bounds(texts: Sequence[str] | None) -> "dict[System, float]":
    """Return the share for each system of texts such as "fig=0.92". Raises BadRequest."""
    bounds = {}
    for text in texts or ():
        name, _, share = text.partition("=")
        system = next((system for system in SYSTEM_TITLES if system == name), None)
        if system is None or not _SHARE.fullmatch(share):
            raise BadRequest(
                f"{text!r} is no bound: write a system and a share from 0 to 1, such as fig=0.92."
            )
        bounds[system] = float(share)
    return bounds
