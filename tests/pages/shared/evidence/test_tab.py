"""A tab of evidence says what to do before a run, and shows a run that was evaluated."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest

from hallascope.components.evidence.viewer import viewer
from hallascope.pages import fig
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import runs, tab
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.support.fake_vision import drawn
from tests.support.fig_evidence import look


def test_without_a_run_the_shipped_example_is_shown_with_its_results(services: Any) -> None:
    said, table, shown, _ = tab.open_tab(services, fig.SPEC, CurrentRun(), EvidenceRuns())
    assert "This is an example" in said
    assert "Evaluate tab" in said
    assert table.count('class="head-cell"') == 1
    assert "data-unnamed" in table, "the address cannot name what is in no store"
    assert shown.is_example
    exhibit, *_ = runs.exhibits(services, shown, None, "fig")
    assert exhibit.unnamed
    assert exhibit.groups
    _, table, own, _ = tab.open_tab(services, fig.SPEC, drawn(services, "fig"), shown)
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
    said, table, looked, evidence = tab.open_tab(
        services, fig.SPEC, drawn(services), EvidenceRuns()
    )
    assert "press Run" in said
    assert "<table" not in table
    assert looked.runs == ()
    assert evidence == viewer(()), "what was shown before is of another run"
    _, table, looked, evidence = tab.open_tab(services, fig.SPEC, drawn(services, "fig"), looked)
    assert table.count('class="head-cell"') == 2
    assert len(looked.runs) == 1
    assert evidence == gr.skip(), "the table asks for it"


def test_a_run_that_was_looked_at_before_is_shown_when_the_page_is_opened_again(
    services: Any,
) -> None:
    current = drawn(services)
    *_, (_, table, looked) = look(services, current)
    assert f'data-page-run="{current.run}"' in table
    said, table, found, _ = tab.open_tab(services, fig.SPEC, current, EvidenceRuns())
    assert said != gr.skip()
    assert tab.open_tab(services, fig.SPEC, current, found)[0] == gr.skip(), (
        "what a pressed Run has said stays"
    )
    assert (found.runs, found.source_run) == (looked.runs, current.run)
    assert f'data-page-run="{current.run}"' in table
    (shown,) = runs.exhibits(services, found, None, "fig")
    assert (shown.run, shown.page_run) == (looked.runs[0], current.run)

    other_seed = replace(services.view(current.run).request, seed=7)
    assert not runs.has_same_pictures(other_seed, services.view(looked.runs[0]).request)


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[threading.Event]:
    """What stops each evaluation that was begun; an evaluation shows "begun" and "done"."""
    stops: list[threading.Event] = []

    def frames(*, stop: threading.Event, **_: Any) -> Iterator[tuple[str, str, EvidenceRuns]]:
        stops.append(stop)
        for line in ("begun", "done"):
            yield line, "", EvidenceRuns()

    monkeypatch.setattr(runs, "frames", frames)
    monkeypatch.setattr(tab, "is_quick", lambda *_: True)
    return stops


@pytest.fixture
def handlers(services: Any, monkeypatch: pytest.MonkeyPatch) -> tab.TabHandlers:
    """Those of the FiG tab, with nothing chosen."""
    nothing: Any = SimpleNamespace(spec=fig.SPEC, roles=(), pickers=(), extra=())
    made = tab.TabHandlers(services, nothing, nothing, nothing)
    chosen: Any = SimpleNamespace(lineups=(), terms=None, adjust_request=None)
    monkeypatch.setattr(made, "_read", lambda *_: chosen)
    return made


VISITORS: tuple[Any, ...] = tuple(SimpleNamespace(session_hash=name) for name in ("one", "other"))


def test_who_presses_run_ends_what_the_opening_of_the_tab_began_and_nobody_elses(
    services: Any, handlers: tab.TabHandlers, evaluations: list[threading.Event]
) -> None:
    current = replace(drawn(services), done=True)
    openings = [handlers.open_with_results(who, current, EvidenceRuns()) for who in VISITORS]
    for opening in openings:
        next(opening)  # what was stored before
        assert next(opening)[0] == "begun"
    pressed = list(handlers.evaluate(threading.Event(), VISITORS[0], current))
    assert [line for line, *_ in pressed] == ["begun", "done"]
    assert list(openings[0]) == [tab.NOTHING_NEW], "its lines would hide those of what was pressed"
    assert [line for line, *_ in openings[1]] == ["done"]
    assert [stop.is_set() for stop in evaluations] == [True, False, False]


def test_a_run_that_ends_while_the_tab_is_open_is_evaluated_then_and_once(
    services: Any, handlers: tab.TabHandlers, evaluations: list[threading.Event]
) -> None:
    current = replace(drawn(services), done=False)
    (during,) = handlers.open_with_results(VISITORS[0], current, EvidenceRuns())
    assert "press Run" in during[0]
    assert evaluations == []
    over = replace(current, done=True)
    opening = handlers.open_with_results(VISITORS[0], over, during[2])
    next(opening)
    assert next(opening)[0] == "begun"
    again = handlers.open_with_results(VISITORS[0], over, during[2])
    assert list(again) == [tab.NOTHING_NEW], "the tab is left and opened again meanwhile"
    assert [line for line, *_ in opening] == ["done"]
    assert [stop.is_set() for stop in evaluations] == [False]
