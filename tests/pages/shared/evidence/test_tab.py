"""A tab of evidence says what to do before a run, and shows a run that was evaluated."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest

from hallascope.pages import fig
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import runs, tab
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.support.fake_vision import drawn, made
from tests.support.fig_evidence import look


def test_without_a_run_the_shipped_example_is_shown_with_its_results(services: Any) -> None:
    said, table, shown = tab.open_tab(services, fig.SPEC, CurrentRun(), EvidenceRuns())
    assert "This is an example" in said
    assert "Evaluate tab" in said
    assert table.count('class="head-cell"') == 1
    assert "data-unnamed" in table, "the address cannot name what is in no store"
    assert shown.is_example
    exhibit, *_ = runs.exhibits(services, shown, None, "fig")
    assert exhibit.unnamed
    assert exhibit.groups
    _, table, own = tab.open_tab(services, fig.SPEC, drawn(services, "fig"), shown)
    assert table.count('class="head-cell"') == 2
    assert "data-unnamed" not in table
    assert not own.is_example, "a run of one's own takes the place of the example"


def test_only_a_small_run_with_models_that_ship_is_evaluated_when_the_tab_is_opened(
    services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    current = drawn(services)
    assert tab.is_quick(services, current.run, [{"captioner": None}])
    assert not tab.is_quick(services, current.run, [{"captioner": "openai/gpt-4o"}])
    specs = services.registry.specs
    shipped = {name for name, spec in specs.items() if spec.is_shipped}
    assert all(tab.is_quick(services, current.run, [{"judge": name}]) for name in shipped)
    others = set(specs) - shipped
    assert not any(tab.is_quick(services, current.run, [{"judge": name}]) for name in others)
    monkeypatch.setattr(tab, "MOST_AT_OPENING", 1)
    assert not tab.is_quick(services, current.run, []), "the run has two images"


def test_a_run_that_was_not_looked_at_waits_for_who_looks_and_one_that_was_is_shown(
    services: Any,
) -> None:
    said, table, looked = tab.open_tab(services, fig.SPEC, drawn(services), EvidenceRuns())
    assert "press Run" in said
    assert "<table" not in table
    assert looked.runs == ()
    _, table, looked = tab.open_tab(services, fig.SPEC, drawn(services, "fig"), looked)
    assert table.count('class="head-cell"') == 2
    assert len(looked.runs) == 1


def test_a_run_that_was_looked_at_before_is_shown_when_the_page_is_opened_again(
    services: Any,
) -> None:
    current = drawn(services)
    *_, (_, table, looked) = look(services, current)
    assert f'data-page-run="{current.run}"' in table
    _, table, found = tab.open_tab(services, fig.SPEC, current, EvidenceRuns())
    assert (found.runs, found.source_run) == (looked.runs, current.run)
    assert f'data-page-run="{current.run}"' in table
    (shown,) = runs.exhibits(services, found, None, "fig")
    assert (shown.run, shown.page_run) == (looked.runs[0], current.run)

    other_seed = replace(services.view(current.run).request, seed=7)
    assert not runs.has_same_pictures(other_seed, services.view(looked.runs[0]).request)


def test_who_presses_run_ends_what_the_opening_of_the_tab_began_and_nobody_elses(
    services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops: list[threading.Event] = []

    def frames(*, stop: threading.Event, **_: Any) -> Iterator[tuple[str, str, EvidenceRuns]]:
        stops.append(stop)
        for line in ("begun", "done"):
            yield line, "", EvidenceRuns()

    monkeypatch.setattr(runs, "frames", frames)
    monkeypatch.setattr(tab, "is_quick", lambda *_: True)
    nothing: Any = SimpleNamespace(spec=fig.SPEC, roles=(), pickers=(), extra=())
    handlers = tab.TabHandlers(services, nothing, nothing, nothing)
    chosen: Any = SimpleNamespace(lineups=(), terms=None, adjust_request=None)
    monkeypatch.setattr(handlers, "_read", lambda *_: chosen)
    current = replace(drawn(services), done=True)
    visitors: list[Any] = [SimpleNamespace(session_hash=name) for name in ("one", "other")]
    openings = [handlers.open_with_results(who, current, EvidenceRuns()) for who in visitors]
    for opening in openings:
        next(opening)  # what was stored before
        assert next(opening)[0] == "begun"
    pressed = list(handlers.evaluate(threading.Event(), visitors[0], current))
    assert [line for line, *_ in pressed] == ["begun", "done"]
    nothing_more = [(gr.skip(), gr.skip(), gr.skip())]
    assert list(openings[0]) == nothing_more, "its lines would hide those of what was pressed"
    assert [line for line, *_ in openings[1]] == ["done"]
    assert [stop.is_set() for stop in stops] == [True, False, False]


def test_the_prompt_of_the_run_is_read_on_the_tab(services: Any) -> None:
    assert tab.prompt_of_run(services, CurrentRun()) == ""
    assert tab.prompt_of_run(services, drawn(services)) == made().prompt
