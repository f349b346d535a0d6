"""Two runs image by image are a choice and a table; no text becomes a tag."""

from markupsafe import Markup

from hallascope.components.error_analysis.run_changes import (
    NO_RUNS,
    ChangedImages,
    ChangeTable,
    RunOption,
    change_table,
    run_choice,
)
from tests.support.tiles import EVIL, no_markup_of

RUNS = [RunOption("r1", "First"), RunOption("r2", "Second")]


def test_the_chosen_runs_stay_chosen() -> None:
    html = run_choice(RUNS, "r2", "r1", Markup())
    assert '<option value="r2" selected>' in html
    assert html.count(" selected") == 2


def test_one_run_cannot_be_compared() -> None:
    assert NO_RUNS in run_choice(RUNS[:1], "", "", Markup())


def test_images_that_changed_have_a_button() -> None:
    images = [ChangedImages("worse", 3), ChangedImages("better", 0)]
    html = change_table(ChangeTable("Worse.", ("Slice",), [("All images",)], images, []))
    assert "Show the 3 that got worse" in html
    assert "better" not in html


def test_no_text_becomes_a_tag() -> None:
    table = ChangeTable(EVIL, (EVIL,), [(EVIL, EVIL)], [ChangedImages(EVIL, 1)], [EVIL])
    no_markup_of(EVIL, run_choice([RunOption(EVIL, EVIL)] * 2, EVIL, EVIL, change_table(table)))
