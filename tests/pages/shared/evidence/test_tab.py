"""A tab of evidence says what to do before a run, and shows a run that was evaluated."""

from dataclasses import replace
from typing import Any

from hallascope.pages import fig
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import runs, tab
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.support.fake_vision import drawn, made
from tests.support.fig_evidence import look


def test_without_a_run_the_page_says_what_to_do(services: Any) -> None:
    said, table, looked = tab.open_tab(services, fig.SPEC, CurrentRun(), EvidenceRuns())
    assert "Evaluate tab first" in said
    assert "none" in table
    assert looked == EvidenceRuns()


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


def test_the_prompt_of_the_run_is_read_on_the_tab(services: Any) -> None:
    assert tab.prompt_of_run(services, CurrentRun()) == ""
    assert tab.prompt_of_run(services, drawn(services)) == made().prompt
