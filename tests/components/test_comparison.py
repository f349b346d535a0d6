"""Runs, models, prompts and slices stand beside each other, each difference in words."""

from pathlib import Path

from hallascope.components.comparison import domains
from hallascope.components.comparison.tables import side_by_side
from hallascope.data.published import numbers as published
from hallascope.metrics.aggregate import Mean
from hallascope.pages.repair.rounds import prompt_difference
from tests.support.tiles import report, tile, verdict


def mean(
    value: float | None,
    n: int,
    left_out: int,
    low: float | None = None,
    high: float | None = None,
) -> Mean:
    return Mean(
        value=value, n=n, left_out=left_out, interval_method="clopper-pearson", low=low, high=high
    )


def test_bars_are_ours_with_intervals_and_hollow_marks_are_published() -> None:
    ours = {"exact": {"animal": mean(0.75, 4, 1, low=0.5, high=1.0), "plant": mean(None, 0, 2)}}
    figure = domains.bars(ours, published.factualbench_domains(), {"exact": "#0072b2"})  # type: ignore[arg-type]
    bar, *marks = figure.data
    assert (bar.type, bar.y[0], bar.y[4]) == ("bar", 75.0, None)
    assert (bar.error_y.array[0], bar.error_y.arrayminus[0]) == (25.0, 25.0)
    assert len(marks) == 11
    assert len({mark.marker.symbol for mark in marks}) == 11
    assert all(mark.marker.symbol.endswith("-open") for mark in marks)
    dalle = next(mark for mark in marks if mark.name.startswith("DALLE-3"))
    assert dalle.y[3] is None, "no image of a person was made"
    assert "plant no answer of 0 prompts" in domains.figure_description(ours)  # type: ignore[arg-type]


def test_the_paper_s_table_shows_the_right_differences_and_says_which_are_misprinted() -> None:
    html = domains.published_table(
        {}, published.factualbench_levels(), published.factualbench_deltas()
    )
    assert "+20.5 (corrected)" in html
    assert "+4.9 (corrected)" in html
    assert html.count("(corrected)") == 2
    assert "MS-Diffusion, SKCU concept: +30.5 is printed, +20.5 is right" in html
    assert html.count('<th scope="row">') == len(published.factualbench_levels())


def test_new_words_are_marked_and_lost_ones_are_struck_out() -> None:
    html = prompt_difference("a red fox runs", "a red fox with two ears")
    assert html == "a red fox <del>runs</del><ins>with two ears</ins>"
    assert prompt_difference("", "a fox") == "a fox"


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
    assert "<td>5 of 5</td><td>0 of 1</td>" in html
