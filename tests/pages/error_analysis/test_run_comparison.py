"""The Compare runs part lists runs, says what changed, and shows the images that did."""

from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest

from hallascope.components.error_analysis.run_changes import NO_RUNS
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.pages.error_analysis.run_comparison import ComparisonHandlers

ASKER: Any = SimpleNamespace(query_params={}, cookies={}, headers={})
SELECTION = ErrorSelection()


def event(**data: Any) -> Any:
    return SimpleNamespace(_data=data)


@pytest.fixture
def runs(services: Any) -> list[str]:
    """Return two runs of one prompt, by two models."""
    made = []
    for model in ("primer/exact", "primer/careless"):
        request = EvaluateRequest(prompt="a molecule of methane", models=(model,))
        evaluated = [each for each in services.evaluate(request) if isinstance(each, Evaluated)]
        made.append(evaluated[0].run)
    return made


def test_an_empty_store_says_what_to_do(services: Any) -> None:
    assert NO_RUNS in ComparisonHandlers(services).show_choice(ASKER)


def test_the_two_newest_runs_are_chosen_first(services: Any, runs: list[str]) -> None:
    html = ComparisonHandlers(services).show_choice(ASKER)
    assert html.count(f'value="{runs[0]}"') == html.count(f'value="{runs[1]}"') == 2
    assert html.count(" selected") == 2


def test_two_runs_are_compared_by_slice(services: Any, runs: list[str]) -> None:
    one, other = runs
    html = ComparisonHandlers(services).compare(event(one=one, other=other), SELECTION, ASKER)
    assert "The two runs cannot be told apart" in html
    assert "All images" in html


def test_a_run_with_itself_is_one_sentence(services: Any, runs: list[str]) -> None:
    html = ComparisonHandlers(services).compare(event(one=runs[0], other=runs[0]), SELECTION, ASKER)
    assert "compared with itself" in html
    assert "data-compare" in html


def test_images_that_changed_are_shown_in_pairs(services: Any, runs: list[str]) -> None:
    handlers = ComparisonHandlers(services)
    one, other = runs
    shown = [
        handlers.show_images(event(one=one, other=other, change=change), SELECTION, ASKER)
        for change in ("worse", "better")
    ]
    assert sum(len(each["evaluations"]) for each in shown) in (0, 2)
    with pytest.raises(gr.Error, match="reload the page"):
        handlers.show_images(event(one=one, other=other, change="all"), SELECTION, ASKER)
