"""A tab of evidence says what to do before a run, and shows a run that was evaluated."""

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
from tests.support.started_runs import started


def test_without_a_run_the_shipped_example_is_shown_with_its_results(services: Any) -> None:
    said, table, shown, _ = tab.open_tab(services, fig.TAB, CurrentRun(), EvidenceRuns())
    assert "This is an example" in said
    assert "a molecule of methane" in said
    assert table.count('class="head-cell"') == 1
    assert "data-unnamed" in table, "the address cannot name what is in no store"
    assert shown.is_example
    exhibit, *_ = runs.exhibits(services, shown, None, fig.TAB)
    assert exhibit.unnamed
    assert exhibit.groups
    _, table, own, _ = tab.open_tab(services, fig.TAB, drawn(services, "fig"), shown)
    assert table.count('class="head-cell"') == 2
    assert "data-unnamed" not in table
    assert not own.is_example, "a run of one's own takes the place of the example"


def test_a_run_that_was_not_looked_at_waits_for_who_looks_and_one_that_was_is_shown(
    services: Any,
) -> None:
    said, table, looked, evidence = tab.open_tab(services, fig.TAB, drawn(services), EvidenceRuns())
    assert "press Run" in said
    assert "<table" not in table
    assert looked.runs == ()
    assert evidence == viewer(()), "what was shown before is of another run"
    _, table, looked, evidence = tab.open_tab(services, fig.TAB, drawn(services, "fig"), looked)
    assert table.count('class="head-cell"') == 2
    assert len(looked.runs) == 1
    assert evidence == gr.skip(), "the table asks for it"


def test_a_run_that_was_looked_at_before_is_shown_when_the_page_is_opened_again(
    services: Any,
) -> None:
    current = drawn(services)
    *_, (_, table, looked) = look(services, current)
    assert f'data-page-run="{current.run}"' in table
    said, table, found, _ = tab.open_tab(services, fig.TAB, current, EvidenceRuns())
    assert said != gr.skip()
    assert tab.open_tab(services, fig.TAB, current, found)[0] == gr.skip(), (
        "what a pressed Run has said stays"
    )
    assert (found.runs, found.source_run) == (looked.runs, current.run)
    assert f'data-page-run="{current.run}"' in table
    (shown,) = runs.exhibits(services, found, None, fig.TAB)
    assert (shown.run, shown.page_run) == (looked.runs[0], current.run)

    other_seed = replace(services.view(current.run).request, seed=7)
    assert not runs.has_same_pictures(other_seed, services.view(looked.runs[0]).request)


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The run of each evaluation that was begun; an evaluation shows "begun" and "done"."""
    begun: list[str] = []

    def frames(_: Any, __: Any, run: str, *___: Any, **____: Any) -> Iterator[Any]:
        begun.append(run)
        for line in ("begun", "done"):
            yield line, "", EvidenceRuns()

    monkeypatch.setattr(runs, "frames", frames)
    return begun


@pytest.fixture
def handlers(services: Any, monkeypatch: pytest.MonkeyPatch) -> tab.TabHandlers:
    """Those of the FiG tab, with nothing chosen."""
    made = tab.TabHandlers(services, fig.TAB)
    monkeypatch.setattr(made, "_request", lambda *_: None)
    return made


VISITORS: tuple[Any, ...] = tuple(SimpleNamespace(session_hash=name) for name in ("one", "other"))


@pytest.mark.parametrize("done", [False, True])
def test_to_open_the_tab_evaluates_and_stores_nothing(
    services: Any, handlers: tab.TabHandlers, evaluations: list[str], done: bool
) -> None:
    current = replace(drawn(services), done=done)
    stored = services.store.catalog.count()
    said, *_, evidence = handlers.open_with_results(VISITORS[0], current, EvidenceRuns())
    assert "press Run" in said
    assert evidence == viewer(())
    assert evaluations == []
    assert services.store.catalog.count() == stored


def test_what_an_evaluation_shows_stays_when_the_tab_is_opened_meanwhile(
    services: Any, handlers: tab.TabHandlers, evaluations: list[str]
) -> None:
    current = replace(drawn(services), done=True)
    begun = started(services)._replace(session="one")
    pressed = handlers.evaluate(begun, EvidenceRuns(), False, current)
    assert next(pressed)[0] == "begun"
    assert handlers.open_with_results(VISITORS[0], current, EvidenceRuns()) == tab.NOTHING_NEW
    other = handlers.open_with_results(VISITORS[1], current, EvidenceRuns())
    assert "press Run" in other[0], "it is the evaluation of another visitor"
    assert [line for line, *_ in pressed] == ["done"]
    assert evaluations == [current.run]
    after = handlers.open_with_results(VISITORS[0], current, EvidenceRuns())
    assert after != tab.NOTHING_NEW
