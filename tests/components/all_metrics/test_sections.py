"""A further metric has a section with its rows, its score and which end of it is better."""

from dataclasses import replace
from typing import Any

from hallascope.components.all_metrics.sections import section
from hallascope.components.evidence.exhibit import EvidenceSection
from hallascope.components.tiles.scores import MetricScore
from hallascope.components.tiles.tile import EXTRA
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Score
from hallascope.metrics.base import ScoreSpec
from tests.support.tiles import EVIL, no_markup_of, report
from tests.support.viewer_app import evidence

SCORE = MetricScore(
    metric="fig",
    title="FiG",
    presents="findings",
    spec=ScoreSpec("score", "Score"),
    value=0.5,
    counted=4,
    trials=1,
)


def shown(evidence_: Evidence | None, **changes: Any) -> EvidenceSection | None:
    scores = {"score": Score(0.5, 4, 0), "object": Score(0.75, 4, 0)}
    judged = replace(report(), metric="fig", evidence=evidence_, scores=scores)
    return section(replace(SCORE, **changes), judged)


def test_rows_of_fig_stand_under_their_stages_with_the_score_of_each() -> None:
    found = shown(evidence())
    assert found
    assert found.aside == "0.50, higher is better: counted 4, left out 0"
    titles = ("Stage 1: objects", "Stage 2: number", "Stage 3: not in the prompt")
    places = [found.body.index(title) for title in titles]
    assert places == sorted(places)
    assert "score 0.75" in found.body


def test_a_stage_without_extras_says_so() -> None:
    asked = evidence()
    rows = tuple(row for row in asked.findings if row.kind != EXTRA)
    found = shown(replace(asked, findings=rows))
    assert found
    assert "Nothing else was found." in found.body


def test_a_metric_without_stages_names_none() -> None:
    row = Finding(kind="phrase", expected="a circle", observed="yes", state="correct")
    found = shown(Evidence(findings=(row,)), metric="blip-vqa", title="BLIP-VQA")
    assert found
    assert "Phrase" in found.body
    assert "Stage" not in found.body


def test_a_metric_of_a_number_or_without_evidence_has_no_section() -> None:
    assert shown(evidence(), presents="number") is None
    assert shown(None) is None


def test_without_a_score_the_reason_stands_there() -> None:
    found = shown(evidence(), value=None, reason="Nothing could be counted.")
    assert found
    assert found.aside.startswith("no score: ")
    assert "Nothing could be counted." in found.aside


def test_text_from_elsewhere_stays_text() -> None:
    row = Finding(kind=EVIL, expected=EVIL, observed=EVIL, state="incorrect", note=EVIL)
    found = shown(Evidence(findings=(row,)))
    assert found
    assert no_markup_of(EVIL, found.body)
