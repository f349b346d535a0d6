"""Findings, readings and numbers as exhibits: what belongs to what, and what is said of it."""

from dataclasses import replace
from html import unescape
from pathlib import Path

from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits import findings
from hallascope.components.evidence.exhibits.asked import asked_group
from hallascope.components.evidence.exhibits.number import exhibit
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.prompt_reading import (
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
)
from hallascope.data.records import Report, Score
from hallascope.metrics.baselines import clipscore
from tests.support import viewer_app

PROMPT = "two <red> cats on a mat, no dog, a sign that says STOP"


READING = PromptReading(
    prompt=PROMPT,
    objects=(
        AskedObject(
            id="o1",
            name="cat",
            spans=((10, 14),),
            count=Count.exactly(2),
            count_spans=((0, 3),),
            attributes=(AskedAttribute("<red>", ((4, 9),)),),
        ),
        AskedObject(id="o2", name="mat", spans=((20, 23),)),
        AskedObject(id="o3", name="dog", absent=True),
    ),
    relations=(
        AskedRelation("o1", "on", "o2", ((15, 17),)),
        AskedRelation("o2", "left", PICTURE),
    ),
    texts=(AskedText("STOP", (50, 54), ""),),
)


def test_a_prompt_that_cannot_be_read_has_one_sentence_in_place_of_chips() -> None:
    group = asked_group(PromptReading(prompt="x", unreadable="It is <not> English."), ())
    assert "It is &lt;not&gt; English." in group.body
    assert "asked-list" not in group.body
    assert group.aside == ""
    said = PromptReading(prompt="x", unreadable="a poem", source="person", author="Ann")
    assert asked_group(said, ()).aside == "corrected by Ann"


def test_what_the_rules_read_otherwise_stands_beneath_and_other_notes_do_not() -> None:
    model = replace(READING, source="model")
    notes = ("The rules read “a <hat>”, the model does not.", "One segment was left out.")
    group = asked_group(model, (), notes)
    assert group.aside == "read by a language model"
    assert "The rules read “a &lt;hat&gt;”, the model does not." in group.body
    assert "left out" not in group.body


FOUND = viewer_app.evidence()


def found_exhibit(found: Evidence = FOUND) -> Exhibit:
    return viewer_app.shown(found, Path("/a.png"))


def test_what_was_found_wrong_is_said_in_one_breath() -> None:
    assert (
        findings.findings_summary(FOUND.findings)
        == "2 of 6 wrong: no tulip; one red and one green circle instead of two red circles; 1 left"
        " out; not in the prompt: star"
    )
    assert found_exhibit().alt.startswith(f"{viewer_app.PROMPT}, by primer/careless: 2 of 6 wrong")
    assert findings.findings_summary(()) == "0 of 0 wrong"


def test_a_segment_leads_to_what_is_wrong_with_it_first_and_to_its_own_row_last() -> None:
    red, green, square, star = found_exhibit().marks
    assert red.keys == ("finding=4", "finding=1", "finding=6", "segment=1")
    assert (red.kind, square.kind, star.kind) == ("incorrect", "left-out", "incorrect")
    assert green.words == "object correct; color incorrect; number correct"
    assert len(green.polygons) == 2, "the hole of a ring is kept"


def test_prompt_and_caption_point_at_the_same_findings() -> None:
    prompt, caption = found_exhibit().texts
    assert [
        prompt.text[slice(*word.span)] for word in prompt.words if word.keys == ("finding=4",)
    ] == ["red", "circles"]
    assert [
        caption.text[slice(*word.span)] for word in caption.words if word.keys == ("finding=4",)
    ] == ["red circle", "green circle"]


def test_a_row_tells_strict_and_soft_apart_and_says_why_it_was_left_out() -> None:
    html = unescape("".join(group.body for group in found_exhibit().groups))
    assert 'aria-label="Strict: incorrect"' in html
    assert 'aria-label="Soft: correct"' in html
    assert "No tulip was found." in html
    assert 'aria-label="blue square above tulip: could not be checked: left out: no reply"' in html


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
        '<th scope="row">Position</th><td>–</td><td>–</td><td>0<span class="about">left out'
        " 1</span></td>" in numbers
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
    return exhibit(tile, clipscore.metric(), [("embedder", words)])


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
