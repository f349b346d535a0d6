"""Findings, readings and numbers as exhibits: what belongs to what, and what is said of it."""

from pathlib import Path

from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits import findings
from hallascope.components.evidence.exhibits.asked import asked_group
from hallascope.components.evidence.exhibits.number import exhibit
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.prompt_reading import (
    PromptReading,
)
from hallascope.data.records import Report, Score
from tests.support import viewer_app


def test_a_prompt_that_cannot_be_read_has_one_sentence_in_place_of_chips() -> None:
    group = asked_group(PromptReading(prompt="x", unreadable="It is <not> English."), ())
    assert "It is &lt;not&gt; English." in group.body
    assert "asked-list" not in group.body
    assert group.aside == ""
    said = PromptReading(prompt="x", unreadable="a poem", source="person", author="Ann")
    assert asked_group(said, ()).aside == "corrected by Ann"


FOUND = viewer_app.evidence()


def found_exhibit(found: Evidence = FOUND) -> Exhibit:
    return viewer_app.shown(found, Path("/a.png"))


def test_a_segment_leads_to_what_is_wrong_with_it_first_and_to_its_own_row_last() -> None:
    red, green, square, star = found_exhibit().marks
    assert red.keys == ("finding=4", "finding=1", "finding=6", "segment=1")
    assert (red.kind, square.kind, star.kind) == ("incorrect", "left-out", "incorrect")
    assert green.words == "object correct; color incorrect; number correct"
    assert len(green.polygons) == 2, "the hole of a ring is kept"


def test_an_extra_can_be_called_fine_by_a_person() -> None:
    (extras,) = [group for group in found_exhibit().groups if group.title == "Not in the prompt"]
    assert 'data-verdict="fine" aria-pressed="false"' in extras.body
    assert 'aria-label="star is fine"' in extras.body
    assert 'data-verdict="fine" aria-pressed="true"' in "".join(
        group.body for group in findings.groups(FOUND, fine={7})
    )


def test_scores_stand_strict_beside_soft_with_what_they_counted() -> None:
    numbers = found_exhibit().numbers
    assert '<th scope="row">Objects</th><td>0.67</td><td>0.67</td><td>3</td>' in numbers
    assert (
        '<th scope="row">Position</th><td>–</td><td>–</td><td>0<span class="about">1 left'
        " out</span></td>" in numbers
    )
    assert "primer/segmenter" in numbers


def test_the_score_as_published_has_a_column_of_its_own_where_a_metric_has_one() -> None:
    scores = {"score": 1.0, "object": 1.0, "object_soft": 1.0, "object_published": 0.5}
    report = Report(
        metric="fig",
        version="1",
        prompt="a glass and a table",
        image="",
        scores={name: Score(value, 2, 0) for name, value in scores.items()},
    )
    table = findings.stages(report)
    assert '<th scope="col">strict</th><th scope="col">soft</th><th scope="col">published' in table
    assert '<th scope="row">Objects</th><td>1.00</td><td>1.00</td><td>0.50</td><td>2</td>' in table


def shown(*reports: Report, words: str = "a cat") -> Exhibit:
    tile = Tile(
        run="run1",
        key="key1",
        model="primer/exact",
        name=words,
        prompt=words,
        seed=0,
        path=Path("/a.png"),
        reports=reports,
    )
    return exhibit(tile, "clipscore", [("embedder", words)])


def report(value: float | None, evidence: Evidence | None = None) -> Report:
    return Report(
        metric="clipscore",
        version="3",
        prompt="a cat",
        image="ab" * 32,
        scores={"score": Score(value, int(value is not None), int(value is None))},
        evidence=evidence,
    )


def test_what_has_no_number_says_why() -> None:
    failed = Finding(kind="score", expected="image", observed="", state="failed", note="No reply.")
    (group,) = shown(report(None, Evidence(findings=(failed,), notes=("A note.",)))).groups
    assert group.aside == "–"
    assert "<li>image: No reply.</li><li>A note.</li>" in group.body
