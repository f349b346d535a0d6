"""Reads the bounds below which a command fails: a share of prompts for a system."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.output.parser_eval import SYSTEM_TITLES
from hallascope.engine.errors import BadRequest

if TYPE_CHECKING:
    from hallascope.metrics.parsing.readings.comparison import System

AtLeastOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SYSTEM=SHARE",
        help="Fail below a share of prompts, such as fig=0.92; may be repeated.",
    ),
]
_SHARE = re.compile(r"0(?:\.\d+)?|1(?:\.0+)?")


def read_bounds(texts: Sequence[str] | None) -> "dict[System, float]":
    """Return the share for each system of texts such as "fig=0.92". Raises BadRequest."""
    return dict(_read_bound(text) for text in texts or ())


def _read_bound(text: str) -> "tuple[System, float]":
    name, _, share = text.partition("=")
    for system in SYSTEM_TITLES:
        if system == name and _SHARE.fullmatch(share):
            return system, float(share)
    raise BadRequest(
        f"{text!r} is no bound: write a system and a share from 0 to 1, such as fig=0.92."
    )
