"""The table of scores: a line a picture, small numbers that say what they counted, text that stays
text.
"""

from dataclasses import replace
from pathlib import Path

from hallascope.components.evidence.exhibits.score_table import (
    ScoreTableRow,
    score_names,
    score_table,
)
from hallascope.components.tiles.tile import Tile
from hallascope.data.records import Score
from tests.support import viewer_app
from tests.support.tiles import EVIL, no_markup_of

REPORT = viewer_app.report(viewer_app.evidence())
TILE = Tile(
    run="run1",
    key="key1",
    model="primer/careless",
    name="careless",
    prompt=viewer_app.PROMPT,
    seed=3,
    path=Path("/a.png"),
    reports=(REPORT,),
)


def test_a_number_says_strict_soft_and_what_it_counted() -> None:
    html = score_table([ScoreTableRow(TILE)])
    assert (
        '<td><span class="value">0.67</span><span class="about">soft 0.67 · of 3</span></td>'
        in html
    )
    assert '<td><span class="value">–</span><span class="about">left out 1</span></td>' in html, (
        "nothing counted is no number"
    )
    assert "<td>star</td>" in html


def test_columns_are_those_of_any_report_the_whole_first_and_chair_last() -> None:
    other = replace(
        REPORT,
        scores={
            "chair_i": Score(0.5, 2, 0),
            "material": Score(1.0, 1, 0),
            "material_soft": Score(1.0, 1, 0),
        },
    )
    assert score_names([REPORT, other]) == (
        "score",
        "object",
        "color",
        "number",
        "position",
        "text",
        "material",
        "chair_i",
    )


def test_a_picture_leads_to_its_evidence_and_names_its_line_up_and_seed() -> None:
    html = score_table(
        [
            ScoreTableRow(TILE, "first configuration"),
            ScoreTableRow(replace(TILE, run="run2"), "second configuration"),
        ]
    )
    assert html.count('data-key="key1"') == 2
    assert 'data-run="run1"' in html
    assert "first configuration · seed 3" in html


def test_a_picture_without_a_report_keeps_its_line() -> None:
    html = score_table(
        [ScoreTableRow(TILE), ScoreTableRow(replace(TILE, key="key2", path=None, reports=()))]
    )
    assert html.count("<tr>") == 3
    assert '<span class="blank"></span>' in html


def test_before_anything_was_looked_at_there_is_no_table() -> None:
    assert "<table" not in score_table(())


def test_text_from_elsewhere_stays_text() -> None:
    hostile = viewer_app.report(viewer_app.hostile())
    evil = replace(
        TILE,
        run=EVIL,
        key=EVIL,
        name=EVIL,
        path=Path(f"/{EVIL}.png"),
        reports=(replace(hostile, scores={EVIL: Score(1.0, 1, 0)}),),
    )
    assert no_markup_of(EVIL, score_table([ScoreTableRow(evil, EVIL)]))
