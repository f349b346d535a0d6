"""Scores by domain are bars, and the paper's table stands beside them, corrected."""

from hallascope.components.comparison import domains
from hallascope.data.published import factualbench as published
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.factualbench.aggregate import CELLS
from tests.support.tiles import EVIL, no_markup_of


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
    figure = domains.bars(ours, published.by_domain(), {"exact": "#0072b2"})  # type: ignore[arg-type]
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
    html = domains.published_table({}, published.table(), published.deltas())
    assert "+20.5 (corrected)" in html
    assert "+4.9 (corrected)" in html
    assert html.count("(corrected)") == 2
    assert "MS-Diffusion, SKCU concept: +30.5 is printed, +20.5 is right" in html
    assert html.count("<tr class=") == len(published.table())


def test_text_from_elsewhere_stays_text() -> None:
    html = domains.published_table(
        {EVIL: {cell: mean(0.5, 1, 0) for cell in CELLS}}, published.table(), published.deltas()
    )
    assert no_markup_of(EVIL, html)
    assert no_markup_of(EVIL, domains.figure_description({EVIL: {"animal": mean(0.5, 1, 0)}}))
