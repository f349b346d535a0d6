"""The page of FiG: who looks, what is shown of one line-up or two, and what people say beside the
score.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hallascope.components.models.pickers import Option
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages import fig
from hallascope.pages.shared import evidence_runs, pipeline_pickers
from hallascope.pages.shared import evidence_tab as tab
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import evidence
from hallascope.pages.shared.evidence_runs import EvidenceRuns
from hallascope.pages.shared.pipeline_pickers import NOBODY, SAME, PickerValues
from hallascope.pages.shared.ratings import rate
from tests.support import fake_vision as eyes
from tests.support.fake_vision import drawn

FIRST: dict[Role, str | None] = {
    "detector": "primer/segmenter",
    "segmenter": "primer/segmenter",
    "captioner": "primer/judge",
    "writer": None,
    "reader": None,
}


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = eyes.build(tmp_path)
    yield found
    found.store.close()


def look(
    services: Any, current: CurrentRun, *others: Mapping[Role, str | None]
) -> list[evidence_runs.EvidenceUpdate]:
    return eyes.looked(services, current, fig.LOOK, FIRST, *others)


def extra(services: Any, looked: EvidenceRuns) -> tuple[str, str]:
    """The key of the first picture, and that of its finding that nobody asked for."""
    view = services.view(looked.runs[0])
    rows = view.evaluations[0].report.evidence.findings
    return view.shots[0].generation, f"finding={[row.kind for row in rows].index('extraneous') + 1}"


# --- who looks
# --------------------------------------------------------------------------------------------------


def values(first: Mapping[Role, Any], second: Mapping[Role, Any]) -> list[Any]:
    """As the controls hold them: chips, and words beside them."""
    return [part for side in (first, second) for role in FIRST for part in ([side[role]], "")]


def test_the_second_line_up_is_the_first_where_nothing_else_is_chosen() -> None:
    first = FIRST | {"writer": NOBODY, "reader": NOBODY}
    (only,) = pipeline_pickers.chosen_lineups(
        PickerValues.from_values(values(first, dict.fromkeys(FIRST, SAME)), list(FIRST))
    )
    assert only == FIRST


def test_a_second_line_up_differs_in_what_is_chosen_and_in_nothing_else() -> None:
    first = FIRST | {"writer": "openai/gpt-4o", "reader": NOBODY}
    one, other = pipeline_pickers.chosen_lineups(
        PickerValues.from_values(
            values(
                first, dict.fromkeys(FIRST, SAME) | {"writer": NOBODY, "captioner": "eyes/grey"}
            ),
            list(FIRST),
        )
    )
    assert one["writer"] == "openai/gpt-4o"
    assert other == {**one, "writer": None, "captioner": "eyes/grey"}


def test_a_model_that_is_named_in_words_goes_before_the_chip() -> None:
    said = values(FIRST | {"writer": NOBODY, "reader": NOBODY}, dict.fromkeys(FIRST, SAME))
    said[5] = " openai/gpt-4o "
    assert PickerValues.from_values(said, list(FIRST)).first["captioner"] == "openai/gpt-4o"


def test_every_role_has_its_own_name_so_that_no_two_choices_are_one() -> None:
    labels = [
        wanted.label
        for wanted in (
            *pipeline_pickers.first_pickers(fig.POSTS),
            *pipeline_pickers.second_pickers(fig.POSTS),
        )
    ]
    assert len(set(labels)) == len(labels) == 10
    assert all(
        isinstance(option, Option)
        for wanted in pipeline_pickers.second_pickers(fig.POSTS)
        for option in wanted.before
    )


# --- what is shown
# --------------------------------------------------------------------------------------------------


def test_without_a_run_the_page_says_what_to_do(services: Any) -> None:
    said, table, looked = tab.open_tab(services, fig.LOOK, CurrentRun(), EvidenceRuns())
    assert "Explore tab first" in said
    assert "none" in table
    assert looked == EvidenceRuns()


def test_a_run_that_was_not_looked_at_waits_for_who_looks_and_one_that_was_is_shown(
    services: Any,
) -> None:
    said, table, looked = tab.open_tab(services, fig.LOOK, drawn(services), EvidenceRuns())
    assert "press Look" in said
    assert "<table" not in table
    assert looked.runs == ()
    _, table, looked = tab.open_tab(services, fig.LOOK, drawn(services, "fig"), looked)
    assert table.count('class="head-cell"') == 2
    assert len(looked.runs) == 1


def test_the_pictures_of_the_run_are_looked_at_and_none_is_made_again(services: Any) -> None:
    current = drawn(services)
    frames = look(services, current)
    assert "<progress" in frames[0][0]
    assert "2 of 2 pictures, 2 judged" in frames[-1][0]
    said, table, looked = frames[-1]
    assert [shot.generation for shot in services.view(looked.runs[0]).shots] == [
        s.generation for s in services.view(current.run).shots
    ]
    assert looked.source_run == current.run
    assert "2 of 2" in said
    thing = eyes.made().extras[0].concept.name
    assert thing in table, "what nobody asked for stands in the last column"
    assert tab.open_tab(services, fig.LOOK, current, looked)[2] == looked, (
        "what was looked at stays when the tab is left"
    )


def test_two_line_ups_stand_beneath_each_other_in_the_table_and_side_by_side_in_the_viewer(
    services: Any,
) -> None:
    said, table, looked = look(services, drawn(services), {"captioner": "eyes/grey"})[-1]
    assert len(looked.runs) == 2
    assert said.count("Second line-up") == 1
    assert table.count('class="head-cell"') == 4
    assert table.index("first line-up") < table.index("second line-up")
    one, other = evidence_runs.exhibits(services, looked, None, "fig")
    assert one.name == "eyes/painter, first line-up"
    assert ("captioner", "primer/judge") in _facts(one.numbers)
    assert ("captioner", "eyes/grey") in _facts(other.numbers)
    assert one.key == other.key
    assert one.run != other.run


def _facts(html: str) -> list[tuple[str, str]]:
    import re

    return re.findall(r'<th scope="row">([^<]*)</th><td>([^<]*)</td></tr>', html)


def test_a_model_that_cannot_look_gives_its_sentence(services: Any) -> None:
    with pytest.raises(HallaScopeError, match="did you mean"):
        look(services, drawn(services), {"captioner": "primer/jugde"})


def test_what_looking_costs_is_said_for_the_line_up_that_costs_it(services: Any) -> None:
    run = str(drawn(services).run)
    said = evidence_runs.estimate_html(
        services, run, [FIRST, FIRST | {"captioner": "eyes/paid"}], SpendingPolicy(), "fig"
    )
    assert "Second line-up: Estimated cost: about" in said
    assert "eyes/paid" in said
    assert "First line-up" not in said


def test_looking_by_models_that_cost_nothing_has_no_estimate_and_what_cannot_be_done_neither(
    services: Any,
) -> None:
    run = str(drawn(services).run)
    assert evidence_runs.estimate_html(services, run, [FIRST], SpendingPolicy(), "fig") == ""
    assert (
        evidence_runs.estimate_html(
            services, run, [FIRST | {"captioner": "nobody"}], SpendingPolicy(), "fig"
        )
        == ""
    )


def test_the_findings_of_a_run_stand_on_the_cards_and_in_the_viewer_of_every_tab(
    services: Any,
) -> None:
    current = drawn(services, "fig")
    html = evidence(services, str(current.run), None)
    assert 'data-metric="fig"' in html
    assert "Nobody asked for" in html
    assert "Step by step" in html


# --- what people say
# --------------------------------------------------------------------------------------------------


def test_an_extra_that_a_person_calls_fine_is_so_for_every_line_up_and_changes_no_score(
    services: Any,
) -> None:
    looked = look(services, drawn(services), {"captioner": "eyes/grey"})[-1][2]
    key, about = extra(services, looked)
    before = services.view(looked.runs[0]).evaluations[0].report.scores
    rate(services=services, run=looked.runs[0], key=key, metric="fig", about=about, value="fine")
    first, second = evidence_runs.exhibits(services, looked, key, "fig")
    assert "1 of 1 extras are fine" in first.numbers
    assert 'aria-pressed="true"' in first.groups[-2].body + "".join(
        group.body for group in first.groups
    )
    assert "extras are fine" in second.numbers
    assert services.view(looked.runs[0]).evaluations[0].report.scores == before
    rate(services=services, run=looked.runs[0], key=key, metric="fig", about=about, value=None)
    assert (
        "0 of 1 extras are fine" in evidence_runs.exhibits(services, looked, key, "fig")[0].numbers
    )


@pytest.mark.parametrize(
    "about", ["finding=1", "finding=0", "finding=99", "finding=²", "segment=1", "", "finding"]
)
def test_only_what_nobody_asked_for_can_be_called_fine(services: Any, about: str) -> None:
    looked = look(services, drawn(services))[-1][2]
    key, _ = extra(services, looked)
    with pytest.raises(BadRequest, match="open the picture anew"):
        rate(
            services=services, run=looked.runs[0], key=key, metric="fig", about=about, value="fine"
        )
