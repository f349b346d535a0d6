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
