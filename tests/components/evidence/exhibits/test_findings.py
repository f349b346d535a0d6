"""Findings as an exhibit: what belongs to what, what is said of it, the table of every kind, the
scores.
"""

from dataclasses import replace
from html import unescape
from pathlib import Path

from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits import findings
from hallascope.components.evidence.viewer import viewer
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import Report, Score
from tests.support import viewer_app
from tests.support.tiles import no_markup_of

FOUND = viewer_app.evidence()


def exhibit(found: Evidence = FOUND) -> Exhibit:
    return viewer_app.shown(found, Path("/a.png"))


def test_what_was_found_wrong_is_said_in_one_breath() -> None:
    assert (
        findings.findings_summary(FOUND.findings)
        == "2 of 6 wrong: no tulip; one red and one green circle instead of two red circles; 1 left"
        " out; not in the prompt: star"
    )
    assert exhibit().alt.startswith(f"{viewer_app.PROMPT}, by primer/careless: 2 of 6 wrong")
    assert findings.findings_summary(()) == "0 of 0 wrong"


def test_a_segment_leads_to_what_is_wrong_with_it_first_and_to_its_own_row_last() -> None:
    red, green, square, star = exhibit().marks
    assert red.keys == ("finding=4", "finding=1", "finding=6", "segment=1")
    assert (red.kind, square.kind, star.kind) == ("incorrect", "left-out", "incorrect")
    assert green.words == "object correct; color incorrect; number correct"
    assert len(green.polygons) == 2, "the hole of a ring is kept"


def test_a_segment_that_nothing_rests_on_leads_to_its_own_row_only() -> None:
    (mark,) = findings.marks(Evidence(segments=FOUND.segments[:1]))
    assert mark.keys == ("segment=1",)
    assert mark.kind is None
    assert mark.words == "nothing rests on it"


def test_a_segment_without_a_mask_is_shown_by_its_box() -> None:
    (mark,) = findings.marks(Evidence(segments=(replace(FOUND.segments[0], mask=None),)))
    assert mark.polygons == ()
    assert mark.box == FOUND.segments[0].box


def test_prompt_and_caption_point_at_the_same_findings() -> None:
    prompt, caption = exhibit().texts
    assert [
        prompt.text[slice(*word.span)] for word in prompt.words if word.keys == ("finding=4",)
    ] == ["red", "circles"]
    assert [
        caption.text[slice(*word.span)] for word in caption.words if word.keys == ("finding=4",)
    ] == ["red circle", "green circle"]


def test_every_kind_has_its_table_extras_after_kinds_nobody_has_heard_of() -> None:
    found = replace(
        FOUND,
        findings=(
            *FOUND.findings,
            Finding(kind="material", expected="wooden square", observed="", state="incorrect"),
        ),
    )
    titles = [group.title for group in findings.groups(found)]
    assert titles == [
        "Objects",
        "Color",
        "Number",
        "Position",
        "Material",
        "Not in the prompt",
        "Step by step",
        "Notes",
    ]


def test_a_row_tells_strict_and_soft_apart_and_says_why_it_was_left_out() -> None:
    html = unescape("".join(group.body for group in exhibit().groups))
    assert 'aria-label="Strict: incorrect"' in html
    assert 'aria-label="Soft: correct"' in html
    assert "No tulip was found." in html
    assert 'aria-label="blue square above tulip: could not be told: left out: no reply"' in html


def test_a_table_counts_what_is_met_of_what_counts() -> None:
    assert findings.tally(["correct", "incorrect", "failed"]) == "1 of 2, left out 1"


def test_an_extra_can_be_called_fine_by_a_person() -> None:
    (extras,) = [group for group in exhibit().groups if group.title == "Not in the prompt"]
    assert 'data-verdict="fine" aria-pressed="false"' in extras.body
    assert 'aria-label="star is fine"' in extras.body
    assert 'data-verdict="fine" aria-pressed="true"' in "".join(
        group.body for group in findings.groups(FOUND, fine={7})
    )


def test_scores_stand_strict_beside_soft_with_what_they_counted() -> None:
    numbers = exhibit().numbers
    assert '<th scope="row">Objects</th><td>0.67</td><td>0.67</td><td>3</td>' in numbers
    assert (
        '<th scope="row">Position</th><td>–</td><td>–</td><td>0<span class="about">left out'
        " 1</span></td>" in numbers
    )
    assert "primer/segmenter" in numbers


def test_a_picture_that_is_not_judged_yet_says_so() -> None:
    shown = findings.exhibit(
        Tile(
            run="run",
            key="key",
            model="primer/hasty",
            name="hasty",
            prompt="a cat",
            path=Path("/a.png"),
        )
    )
    assert "Not judged yet" in shown.numbers
    assert shown.hint == "Not judged yet."
    assert viewer([shown])


def test_text_from_elsewhere_stays_text() -> None:
    assert no_markup_of(
        viewer_app.EVIL,
        viewer([viewer_app.shown(viewer_app.hostile(), Path("/a.png"), *[viewer_app.EVIL] * 4)]),
    )


def test_notes_on_the_reading_stand_beneath_its_chips_and_not_among_the_others() -> None:
    notes = ("The model reads “hat”, the rules do not.", "One segment was left out.")
    reading = PromptReading(prompt=viewer_app.PROMPT, source="model")
    asked, *_, others = findings.groups(replace(FOUND, reading=reading, notes=notes))
    assert notes[0] in asked.body
    assert notes[1] in others.body
    assert notes[0] not in others.body
    assert "Notes" not in [
        group.title for group in findings.groups(replace(FOUND, reading=reading, notes=notes[:1]))
    ]


def test_why_a_prompt_cannot_be_read_is_said_once() -> None:
    reason = "The prompt does not read as English."
    reading = PromptReading(prompt=viewer_app.PROMPT, unreadable=reason)
    bodies = [
        group.body for group in findings.groups(replace(FOUND, reading=reading, notes=(reason,)))
    ]
    assert sum(body.count(reason) for body in bodies) == 1


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
