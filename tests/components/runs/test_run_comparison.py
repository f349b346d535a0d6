"""Two runs beside each other are tables of words, escaped."""

from dataclasses import replace

from hallascope.components.runs.run_comparison import (
    NO_METRIC,
    SAME,
    ComparedCell,
    ComparedLine,
    ComparisonView,
    MetricTable,
    comparison_html,
)
from tests.support.tiles import EVIL, no_markup_of

LINE = ComparedLine(
    prompt="a cat",
    model="m/one",
    one=ComparedCell(score="0.50", run="r1", image="g1"),
    other=ComparedCell(score="–"),
    difference="–",
)
TABLE = MetricTable(
    title="I-HallA", models=[("m/one", "0.50", "–", "no prompt in common")], lines=[LINE], more=3
)
VIEW = ComparisonView(
    one="First", other="Second", configuration=[("Seed", "0", "3")], metrics=[TABLE]
)


def test_scores_images_and_configuration_stand_beside_each_other() -> None:
    html = comparison_html(VIEW)
    assert html.count("<table") == 3
    assert 'data-open="r1" data-image="g1"' in html
    assert html.count("compared-open") == 1, "a run without the image has no button"
    assert "and 3 more rows" in html


def test_runs_with_nothing_to_tell_apart_say_so() -> None:
    html = comparison_html(replace(VIEW, configuration=[], metrics=[]))
    assert SAME in html
    assert NO_METRIC in html


def test_text_from_elsewhere_is_text() -> None:
    cell = ComparedCell(score=EVIL, run=EVIL, image=EVIL)
    line = replace(LINE, prompt=EVIL, model=EVIL, one=cell, other=cell, difference=EVIL)
    table = replace(TABLE, title=EVIL, models=[(EVIL,) * 4], lines=[line])
    view = ComparisonView(one=EVIL, other=EVIL, configuration=[(EVIL,) * 3], metrics=[table])
    assert no_markup_of(EVIL, comparison_html(view))
