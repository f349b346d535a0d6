"""The panel of all metrics has a section for each kind of evidence and a score for each metric."""

from typing import Any

from hallascope.components.evidence.viewer import viewer
from hallascope.pages.shared.evidence.all_metrics import all_metrics_exhibit
from tests.pages.conftest import Judged
from tests.support.fake_vision import drawn


def test_one_metric_has_no_sections_and_no_table_of_scores(judged: Judged) -> None:
    services, view = judged("ihalla")
    shown = all_metrics_exhibit(services, view, view.shots[0])
    assert shown.sections == ()
    assert shown.scores == ""
    assert "all-metrics" not in viewer([shown])


def test_metrics_of_a_number_alone_have_a_line_with_their_direction(judged: Judged) -> None:
    services, view = judged("ihalla", "clipscore")
    shown = all_metrics_exhibit(services, view, view.shots[0])
    assert shown.sections == ()
    assert shown.scores.count("<tr>") == 2
    assert "higher is better · from 0 to 2.5" in shown.scores


def test_findings_and_graphs_stand_in_sections_whose_keys_begin_with_the_metric(
    services: Any,
) -> None:
    current = drawn(services, "fig", "scene-graph")
    view = services.view(current.run)
    shown = all_metrics_exhibit(services, view, view.shots[0])
    assert [section.metric for section in shown.sections] == ["scene-graph"]
    assert shown.metric == "fig"
    assert "higher is better" in shown.sections[0].aside
    links = {key for key in shown.same if key.startswith("scene-graph.")}
    assert links, "what the graph says is linked with what FiG says"
    for key in links:
        assert all(not other.startswith("scene-graph.") for other in shown.same[key])
    html = viewer([shown])
    assert 'data-scope="scene-graph"' in html
    assert "data-same=" in html
