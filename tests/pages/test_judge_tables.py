"""Judges and models as tables and choices: what cannot run says why, unknown is no zero."""

from dataclasses import replace

from hallascope.components.models.unavailable import unavailable_list
from hallascope.engine.judge_eval.ihalla import summarize_results
from hallascope.engine.trials.records import JudgeAnswer, Trial
from hallascope.pages.judges import judge_tables
from hallascope.pages.judges.judge_tables import JudgeTableCell, JudgeTableRow
from tests.support.tiles import EVIL, no_markup_of


def test_who_was_never_tried_and_cannot_run_is_folded_away_with_the_reason() -> None:
    rows = [
        JudgeTableRow("able", "A"),
        JudgeTableRow("tried", "T", {"x": JudgeTableCell("0.9")}, "No key."),
        JudgeTableRow("unable", "U", {}, "No GPU here."),
    ]
    html = judge_tables.table(rows, {"x": "the x"})
    assert html.count("<tr data-judge=") == 2
    assert "1 more need a key, a download or a GPU" in html
    assert "<strong>unable</strong> No GPU here." in html


def test_an_unknown_number_says_that_it_was_not_measured_and_is_no_bar_of_zero() -> None:
    row = JudgeTableRow("able", "A", {"y": JudgeTableCell("0.9"), "z": JudgeTableCell()})
    html = judge_tables.table([row], {"x": "the x", "y": "the y", "z": "the z"})
    assert html.count('<td><span class="n soft">not measured</span></td>') == 2
    assert 'class="bar"' not in html


def answered(judge: str, said: str | None) -> Trial:
    return replace(
        summarize_results(judge, []),
        answers=(JudgeAnswer("image", EVIL, "counting", "Four", said),),
    )


def test_one_question_on_which_judges_part_says_who_is_right() -> None:
    trials = [answered("a", "Four"), answered("b", None), answered("<c>", "Five")]
    html = judge_tables.agreement_table(trials)
    assert "1 question with different answers" in html
    assert (
        '<td class="correct">Four <span class="about">right</span></td><td class="left-out">not'
        " answered</td>" in html
    )
    assert no_markup_of(EVIL, html)
    assert "<c>" not in html
    assert judge_tables.agreement_table([]) == ""


UNABLE = "SDXL cannot run here: it needs a GPU and none was found; run it on such a machine."


def test_what_cannot_run_is_listed_and_says_why() -> None:
    html = unavailable_list({"sdxl": UNABLE}, True)
    assert "1 more need a key, a download or a GPU" in html
    assert "<strong>sdxl</strong>: it needs a GPU and none was found</li>" in html
    assert f'title="{UNABLE}"' in html
    assert "None of 1 can run here yet" in unavailable_list({"sdxl": UNABLE}, False)
