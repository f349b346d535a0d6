"""Judges and models as tables and choices: what cannot run says why, unknown is no zero."""

from hallascope.components.judges import judges
from hallascope.components.judges.judges import (
    JudgePairView,
    JudgeTableCell,
    JudgeTableRow,
    QuestionDisagreement,
)
from hallascope.components.models.unavailable import UnavailableChoice, unavailable_list


def test_who_was_never_tried_and_cannot_run_is_folded_away_with_the_reason() -> None:
    rows = [
        JudgeTableRow("able", "A"),
        JudgeTableRow("tried", "T", {"x": JudgeTableCell("0.9")}, "No key."),
        JudgeTableRow("unable", "U", {}, "No GPU here."),
    ]
    html = judges.table(rows, {"x": "the x"})
    assert html.count("<tr data-judge=") == 2
    assert "1 more need a key, a download or a GPU" in html
    assert "<strong>unable</strong> No GPU here." in html


def test_an_unknown_number_says_that_it_was_not_measured_and_is_no_bar_of_zero() -> None:
    row = JudgeTableRow("able", "A", {"y": JudgeTableCell("0.9"), "z": JudgeTableCell()})
    html = judges.table([row], {"x": "the x", "y": "the y", "z": "the z"})
    assert html.count('<td><span class="n soft">not measured</span></td>') == 2
    assert 'class="bar"' not in html


def test_one_question_on_which_judges_part_says_who_is_right() -> None:
    html = judges.agreement_table(
        [JudgePairView("a", "b", JudgeTableCell("0.1"), JudgeTableCell("0.5"))],
        [QuestionDisagreement("How many?", "Four", {"a": "Four", "b": None})],
    )
    assert "1 question on which they part" in html
    assert (
        '<td class="correct">Four <span class="about">right</span></td><td class="left-out">not'
        " answered</td>" in html
    )
    assert judges.agreement_table([], []) == ""


UNABLE = UnavailableChoice(
    "sdxl",
    "SDXL cannot run here: it needs a GPU and none was found; run it on such a machine.",
)


def test_what_cannot_run_is_listed_and_says_why() -> None:
    html = unavailable_list([UNABLE], True)
    assert "1 more need a key, a download or a GPU" in html
    assert "<strong>sdxl</strong>: it needs a GPU and none was found</li>" in html
    assert f'title="{UNABLE.reason}"' in html
    assert "None of 1 can run here yet" in unavailable_list([UNABLE], False)
