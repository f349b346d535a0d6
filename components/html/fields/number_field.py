"""Makes number fields with bounds: `number_field.js` says beside them what is out of bounds."""

from typing import Any

import gradio as gr


def whole_number(value: int, label: str, low: int, high: int, **options: Any) -> gr.Number:
    """Return a field for a whole number from `low` to `high`; its value arrives as it was typed."""
    return number(value, label, low, high, step=1, sort=["whole"], **options)


def number(
    value: float,
    label: str,
    low: float,
    high: float | None = None,
    step: float = 0.01,
    sort: list[str] | None = None,
    **options: Any,
) -> gr.Number:
    """Return a field for a number from `low` to `high` (None: without end).

    `sort`: "whole" where only whole numbers are right, "optional" where the field may be empty. Its
    value arrives as it was typed. The bounds are given to the script as classes. With bounds of
    its own Gradio's field would raise before any handler is called, so that the page could neither
    answer with a sentence nor free its buttons.
    """
    bounds = [f"least-{low}", *([] if high is None else [f"most-{high}"])]
    return gr.Number(
        value, label=label, step=step, elem_classes=["bounded", *bounds, *(sort or [])], **options
    )
