"""The Slices part shows slices as HTML, and the images of one in the gallery."""

from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest

from hallascope.engine.error_analysis.conditions import Condition
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.error_analysis.slices.discovery import Slice, SliceReport
from hallascope.pages.error_analysis.slice_table import (
    EMPTY,
    SliceHandlers,
    report_html,
    slice_row,
)
from tests.engine.error_analysis.test_selection import evaluate

FOUND = Slice(
    conditions=(Condition("number above 3", "yes"),),
    error_rate=0.61,
    rest_error_rate=0.12,
    low=0.5,
    high=0.7,
    images=84,
    prompts=30,
    p=0.0001,
    corrected_p=0.004,
    evaluations=(1, 2),
)


def event(**data: Any) -> Any:
    return SimpleNamespace(_data=data)


def test_a_slice_as_a_filter_keeps_the_conditions_that_hold() -> None:
    row = slice_row(FOUND, (Condition("model", "a"),))
    assert row.conditions == "number above 3:yes"
    assert row.filter == "model:a;number above 3:yes"
    assert row.interval == (0.5, 0.7)


def test_the_report_says_among_what_slices_were_found() -> None:
    report = SliceReport(
        slices=(FOUND,),
        looked_at=763,
        images=323,
        prompts=119,
        error_rate=0.4,
        by_questions=True,
    )
    html = report_html(report, ())
    assert "Numbers above three: 61 % wrong, 5.1 times the rest, n = 84" in html
    assert "40 % of the answers are wrong. 763 groups were looked at" in html


def test_an_empty_store_says_what_to_do(services: Any) -> None:
    assert EMPTY in SliceHandlers(services).show_slices(ErrorSelection())


def test_the_gallery_shows_the_images_that_meet_the_conditions(services: Any) -> None:
    evaluate(services, "a molecule of methane")
    handlers = SliceHandlers(services)
    shown = handlers.show_images(event(conditions="model:primer%2Fhasty"), ErrorSelection())
    assert shown["title"] == "Model primer/hasty"
    assert len(shown["evaluations"]) == 2


def test_what_cannot_be_read_is_an_error(services: Any) -> None:
    handlers = SliceHandlers(services)
    with pytest.raises(gr.Error, match="is no condition"):
        handlers.show_images(event(conditions="model"), ErrorSelection())
    with pytest.raises(gr.Error, match="reload the page"):
        handlers.show_images(event(other=1), ErrorSelection())
