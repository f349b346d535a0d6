"""The page of scene graphs: who looks, and what is shown of each picture."""

from typing import Any

from hallascope.components.evidence.viewer import viewer
from hallascope.pages.scene_graph import page
from hallascope.pages.shared.evidence import pipeline_pickers, runs, tab
from hallascope.pages.shared.evidence.handlers import evidence
from hallascope.pages.shared.evidence.pipeline_pickers import NOBODY, SAME, PickerValues
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.pages.scene_graph.conftest import FIRST, METRIC, look
from tests.support import fake_vision as eyes
from tests.support.fake_vision import drawn

ROLES = [post.role for post in page.ROLES]


def test_the_judge_is_chosen_beside_the_detector_and_a_writer_is_not_needed() -> None:
    assert ROLES == ["detector", "segmenter", "judge", "writer", "parser"]
    values = [
        part
        for side in (FIRST | {"writer": NOBODY, "parser": NOBODY}, dict.fromkeys(FIRST, SAME))
        for role in ROLES
        for part in ([side[role]], "")
    ]
    (only,) = pipeline_pickers.chosen_lineups(PickerValues.from_values(values, ROLES))
    assert only == FIRST


def test_the_pictures_of_a_run_are_looked_at_and_their_errors_stand_in_the_table(
    services: Any,
) -> None:
    current = drawn(services)
    said, table, looked = look(services, current)[-1]
    assert "2 of 2 images, 2 judged" in said
    assert table.count('class="head-cell"') == 2
    for head in ("Grade", "Score", "Attributes", "Relations", "Missing", "Not in the prompt"):
        assert f'<th scope="col">{head}</th>' in table
    assert (
        '<span class="value">5</span><span class="about">One or two attributes or counts are other'
        " than asked.</span>" in table
    )
    extra = eyes.made().extras[0].concept.name
    assert f'<span class="value">1</span><span class="about">{extra}</span>' in table
    assert tab.open_tab(services, page.SPEC, current, looked)[2] == looked


def test_the_viewer_shows_both_graphs_and_every_question_with_its_memory(services: Any) -> None:
    _, _, looked = look(services, drawn(services))[-1]
    (shown,) = runs.exhibits(services, looked, None, METRIC)
    html = viewer([shown])
    assert '<svg class="graph"' in html
    assert html.count('data-ring="graph"') == 2
    assert "grade 5 of 7" in shown.alt
    titles = [group.title for group in shown.groups]
    assert titles[:3] == ["The prompt asks for", "Questions", "Memory"]
    assert (
        shown.groups[2].body.count('class="recall"')
        == shown.groups[1].body.count('class="lead-button"')
        > 2
    )
    assert "<li" in shown.groups[2].body, "the triples that came back from the store"


def test_two_line_ups_are_compared_side_by_side(services: Any) -> None:
    _, table, looked = look(services, drawn(services), {"judge": "eyes/blind"})[-1]
    assert table.count('class="head-cell"') == 4
    one, other = runs.exhibits(services, looked, None, METRIC)
    assert one.name == "eyes/painter, first configuration"
    assert other.diagram
    assert other.diagram != one.diagram


def test_a_run_with_the_metric_shows_its_graphs_in_the_viewer_of_every_tab(services: Any) -> None:
    current = drawn(services, METRIC)
    assert '<svg class="graph"' in evidence(services, str(current.run), None)
    assert tab.open_tab(services, page.SPEC, current, EvidenceRuns())[2].runs == (current.run,)
