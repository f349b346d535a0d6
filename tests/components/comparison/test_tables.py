"""Tables side by side: every answer in words, every column with what it counted."""

from dataclasses import replace
from pathlib import Path

from hallascope.components.comparison.tables import by_composition, metric_comparison, side_by_side
from hallascope.components.tiles.tile import Tile
from hallascope.metrics.aggregate import Mean
from tests.support.tiles import EVIL, QUESTION, no_markup_of, report, tile, verdict


def _mean(value: float, n: int, left_out: int) -> Mean:
    return Mean(value=value, n=n, left_out=left_out, interval_method="clopper-pearson")


def test_answers_stand_side_by_side_with_their_scores() -> None:
    one = tile(path=Path("/a.png"), reports=(report(verdict("correct")),))
    two = tile(
        key="key2",
        name="exact",
        reports=(report(verdict("failed", None), value=None, counted=0, left_out=1),),
    )
    html = side_by_side([one, two])
    assert 'aria-label="hasty, question 1: correct. Four"' in html
    assert "left out: no reply" in html
    assert "<td>0.60</td><td>–</td>" in html
    assert "<td>5, left out 0</td><td>0, left out 1</td>" in html


def test_before_the_first_run_the_table_is_empty() -> None:
    assert "table" not in side_by_side([])


def test_compositions_say_how_many_they_counted() -> None:
    html = by_composition({"hasty": {"counting": _mean(0.5, 4, 1)}, "exact": {}})
    assert "of 4, left out 1" in html
    assert "<td>–</td>" in html


def test_tables_show_text_from_elsewhere_as_text() -> None:
    asked = replace(QUESTION, text=EVIL, choices=(EVIL, *QUESTION.choices[1:]), gold="A")
    shown = tile(
        name=EVIL,
        key=EVIL,
        run=EVIL,
        reports=(report(replace(verdict("correct", "A"), question=asked)),),
        questions=(asked,),
    )
    assert no_markup_of(EVIL, side_by_side([shown]))
    assert no_markup_of(EVIL, by_composition({EVIL: {"color": _mean(1.0, 1, 0)}}))
    assert no_markup_of(EVIL, metric_comparison([(shown, replace(shown, metric=EVIL))]))


def test_two_metrics_of_a_picture_stand_beside_each_other_with_their_difference() -> None:
    def scored(value: float | None) -> Tile:
        return tile(reports=(report(verdict("correct"), value=value),))

    html = metric_comparison(
        [(scored(0.6), scored(1.0)), (scored(1.0), scored(0.5)), (scored(None), scored(1.0))]
    )
    assert [
        html.count(words)
        for words in ("I-HallA 0.40 lower", "I-HallA 0.50 higher", "the same", "<td>–</td>")
    ] == [1, 1, 0, 1]
    assert metric_comparison([]) == ""
