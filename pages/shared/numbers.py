"""Lays out fields for numbers, and reads them."""

from typing import Any

import gradio as gr

from hallascope.engine.errors import BadRequest

_MAX_SEED = 2**31 - 1


def whole_number(value: int, label: str, **options: Any) -> gr.Number:
    """Return a field for a whole number, whose value arrives as it was typed.

    Gradio's own bounds raise before any handler is called, with a sentence that does not name the
    field, and its `precision` rounds: `parse_whole` says what is wrong.
    """
    return gr.Number(value, label=label, step=1, min_width=110, **options)


def parse_whole(value: float | None, called: str, low: int, high: int) -> int:
    """Return the whole number in a field.

    Raises BadRequest with one sentence where it is none from `low` to `high`.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not low <= value <= high
        or value != int(value)
    ):
        words = "missing" if value is None else repr(value)[:60]
        raise BadRequest(f"The {called} is {words}: give a whole number from {low:,} to {high:,}.")
    return int(value)


def parse_seed(value: float | None) -> int:
    """Return the seed in a field. Raises BadRequest with one sentence where it is none."""
    return parse_whole(value, "seed", 0, _MAX_SEED)
