"""Scores of an image are chips on its card and lines of a table."""

from dataclasses import replace

from hallascope.components.cards.score_chips import chips, table
from tests.components.tiles.test_scores import SCORE
from tests.support.tiles import EVIL, no_markup_of


def test_one_metric_has_a_chip_and_no_table() -> None:
    assert "1 left out" in chips([SCORE])
    assert 'class="score-chip none"' in chips([replace(SCORE, value=None)])
    assert table([SCORE]) == chips([]) == ""
    assert table([SCORE, SCORE]).count("<tr>") == 2


def test_text_from_elsewhere_stays_text() -> None:
    evil = replace(SCORE, title=EVIL, value=None, trials=0, reason=EVIL)
    assert no_markup_of(EVIL, chips([evil]) + table([evil, evil]))


def test_a_line_says_which_end_is_better_or_why_there_is_no_score() -> None:
    lower = replace(SCORE, spec=replace(SCORE.spec, higher_is_better=False))
    missing = replace(SCORE, value=None, trials=0, reason="There are no questions.")
    lines = table([SCORE, lower, missing]).split("</tr>")
    assert "higher is better · " in lines[0]
    assert "lower is better · " in lines[1]
    assert "There are no questions." in lines[2]
    assert "is better" not in lines[2]
