"""Pickers: real controls with names, and reasons that can be seen."""

from hallascope.components.models.pickers import Option, chip_row, example_row, short
from tests.support.tiles import EVIL, no_markup_of

ABLE = Option("primer/exact", "Primer exact", "Draws every fact right.")
UNABLE = Option(
    "sdxl",
    "SDXL",
    reason="SDXL cannot run here: it needs a GPU and none was found; run it on such a machine.",
)


def test_what_cannot_run_is_disabled_and_says_why() -> None:
    html = chip_row([UNABLE, ABLE], ["primer/exact", "sdxl"], "Models")
    assert html.index("primer/exact") < html.index("sdxl"), "what can run comes first"
    assert 'value="primer/exact" checked' in html
    assert 'value="sdxl" disabled' in html
    assert "it needs a GPU and none was found" in html
    assert (
        'title="SDXL cannot run here: it needs a GPU and none was found; run it on such a machine."'
        in html
    )


def test_what_cannot_run_is_folded_away_behind_a_line_that_counts_it() -> None:
    assert (
        '<details class="unable"><summary>1 more need a key, a download or a GPU</summary>'
        in chip_row([UNABLE, ABLE], [], "Models")
    )
    assert (
        '<details class="unable"><summary>none of 1 can run here yet: what they take</summary>'
        in chip_row([UNABLE], [], "Models")
    )
    assert "<details" not in chip_row([ABLE], [], "Models")
    assert "Any other" in chip_row([ABLE], [], "Models", hint="Any other.")


def test_what_is_called_otherwise_keeps_its_id() -> None:
    html = chip_row([Option("tifa", "TIFA", called="TIFA-style")], [], "Metrics")
    assert 'value="tifa"' in html
    assert ">TIFA-style</span>" in html


def test_a_reason_of_another_form_is_shown_whole() -> None:
    assert short("Out of order.") == "Out of order."


def test_a_judge_is_shown_with_what_is_known_of_it() -> None:
    assert (
        "Draws every fact right."
        in chip_row([ABLE], [], "Judge", "radio").split("</label>")[0].split("called")[1]
    )


def test_options_and_prompts_are_shown_as_text() -> None:
    assert no_markup_of(
        EVIL,
        chip_row([Option(EVIL, EVIL, EVIL, EVIL), Option(EVIL, EVIL, EVIL)], [], EVIL, "radio"),
    )
    assert no_markup_of(EVIL, example_row([EVIL], [EVIL], "prompt"))
