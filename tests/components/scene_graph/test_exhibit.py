"""A picture with scene graphs as an exhibit: questions with their memory, errors by type, the
grade, and what belongs to what.
"""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

from hallascope.components.evidence.exhibit import EvidenceGroup, Exhibit
from hallascope.components.evidence.exhibits.score_table import ScoreTableRow, score_table
from hallascope.components.evidence.viewer import viewer
from hallascope.components.scene_graph import exhibit as scene_graph
from hallascope.data.records import Score
from tests.support import scene_graphs, viewer_app
from tests.support.tiles import no_markup_of

PATH = Path("/a.png")
SHOWN = scene_graphs.shown(scene_graphs.evidence(), PATH)


def group(title: str, shown: Exhibit = SHOWN) -> EvidenceGroup:
    return next(one for one in shown.groups if one.title == title)


def test_what_nobody_asked_for_stands_in_its_own_table_and_no_question_twice() -> None:
    assert [one.title for one in SHOWN.groups] == [
        "Questions",
        "Memory",
        "Not in the prompt",
        "Step by step",
        "Notes",
    ]
    assert "star" in group("Not in the prompt").body
    assert "node=6" in group("Not in the prompt").body


def test_a_part_of_the_picture_leads_to_its_node_and_lights_up_with_all_that_rests_on_it() -> None:
    circle, square, other, star = SHOWN.marks
    assert (circle.keys, square.keys, other.keys, star.keys) == (
        ("node=1",),
        ("node=2",),
        ("node=5",),
        ("node=6",),
    )
    assert {"finding=4", "segment=1", "edge=1"} <= set(circle.under)


def test_the_words_of_the_prompt_lead_to_their_node_first() -> None:
    (prompt,) = SHOWN.texts
    keys = [word.keys for word in prompt.words if prompt.text[slice(*word.span)] == "circle"]
    assert keys[0] == ("node=1",)
    assert ("edge=1",) in [
        word.keys for word in prompt.words if prompt.text[slice(*word.span)] == "to the left of"
    ]


def test_the_grade_stands_on_its_scale_with_its_sentence() -> None:
    assert 'aria-label="Grade 3 on a scale of 1 to 7"' in SHOWN.numbers
    assert re.findall(r'aria-current="true">(\d)<', SHOWN.numbers) == ["3"]
    assert "One or two things are missing" in SHOWN.numbers
    assert SHOWN.alt.endswith("grade 3 of 7")


def test_without_a_grade_there_is_no_mark_on_the_scale_and_a_sentence_says_why() -> None:
    found = scene_graphs.evidence()
    assert found.graphs
    shown = scene_graphs.shown(
        replace(found, graphs=replace(found.graphs, grade=None, sentence="")), PATH
    )
    assert "No grade on a scale of 1 to 7" in shown.numbers
    assert "aria-current" not in shown.numbers
    assert "nothing could be seen" in shown.numbers


def test_errors_are_counted_by_type_and_named() -> None:
    rows = re.findall(
        r'<th scope="row">([^<]*)<span class="about">([^<]*)</span></th><td>(\d)</td>',
        unescape(SHOWN.numbers),
    )
    assert rows == [
        ("Attributes", "circle: red → green", "1"),
        ("Counts", "", "0"),
        ("Relations", "circle left of the square → right of", "1"),
        ("Missing", "tulip", "1"),
        ("Not in the prompt", "star", "1"),
    ]


def test_the_table_of_pictures_tells_grade_score_and_errors() -> None:
    tile = scene_graphs.tile(scene_graphs.evidence(), PATH)
    html = score_table(
        [ScoreTableRow(tile), ScoreTableRow(replace(tile, reports=()))], scene_graph.columns
    )
    assert '<span class="value">3</span>' in html
    assert '<span class="value">0.33</span><span class="about">of 8</span>' in html
    assert '<span class="value">1</span><span class="about">tulip</span>' in html
    assert html.count("<td>–</td>") == 7, "an image without a report keeps its line"


def test_nothing_counted_is_no_number() -> None:
    report = scene_graphs.report(scene_graphs.evidence())
    tile = replace(
        scene_graphs.tile(scene_graphs.evidence(), PATH),
        reports=(replace(report, scores={"score": Score(None, 0, 8)}),),
    )
    assert "0.00" not in score_table([ScoreTableRow(tile)], scene_graph.columns)


def test_evidence_without_graphs_is_shown_as_any_other() -> None:
    shown = scene_graphs.shown(viewer_app.evidence(), PATH)
    assert shown.diagram == ""
    assert "Color" in [one.title for one in shown.groups]


def test_text_from_elsewhere_stays_text() -> None:
    assert no_markup_of(
        viewer_app.EVIL,
        viewer(
            [
                scene_graphs.shown(
                    scene_graphs.hostile(viewer_app.EVIL), PATH, *[viewer_app.EVIL] * 4
                )
            ]
        ),
    )
