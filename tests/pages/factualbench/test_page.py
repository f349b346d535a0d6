"""The page of FactualBench: references beside the picture, and what knowledge changes."""

from typing import Any

from hallascope.pages.factualbench import concepts, page
from hallascope.pages.shared.evidence import runs
from hallascope.pages.shared.evidence.runs import EvidenceRuns


def test_picture_and_references_stand_side_by_side(services: Any, pair: EvidenceRuns) -> None:
    shown = runs.exhibits(services, pair, None, concepts.METRIC, concepts.references)
    assert [one.name for one in shown] == ["exact", "Reference: ladybug", "Reference: sunflower"]
    assert [one.side_by_side for one in shown] == [False, True, True]
    assert all(one.path and one.path.exists() for one in shown)
    assert [group.title for group in shown[0].groups[:4]] == [
        "Ladybug",
        "Sunflower",
        "Task",
        "Composition",
    ]


def test_the_slider_lays_the_chosen_picture_over_every_reference(
    services: Any, pair: EvidenceRuns
) -> None:
    view = services.view(pair.runs[0])
    html = page.reference_slider(services, pair, view.shots[0].generation)
    assert html.count("<figure") == html.count('type="range"') == 2
    assert 'aria-label="How much is seen of exact, the rest of Reference: ladybug"' in html
    assert "none" in page.reference_slider(services, EvidenceRuns(), None)
    failed = next(shot for shot in view.shots if shot.path is None)
    assert "<figure" not in page.reference_slider(services, pair, failed.generation)


def test_pictures_with_knowledge_stand_beside_those_without_and_who_cannot_use_it_says_so(
    services: Any, pair: EvidenceRuns
) -> None:
    html = page.knowledge_changes(services, pair)
    assert "prompt alone" in html
    assert "Primer exact cannot use definitions in the prompt" in html
    assert "higher" in html
    assert [shot.injected for shot in services.view(pair.runs[0]).shots] == [
        None,
        "text",
        None,
        "text",
    ]
    assert page.knowledge_changes(services, EvidenceRuns()) == ""
