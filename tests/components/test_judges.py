"""Judges and models as tables and choices: what cannot run says why, unknown is no zero."""

from hallascope.components.judges import judges
from hallascope.components.judges.judges import (
    JudgePairView,
    JudgeTableCell,
    JudgeTableRow,
    PublishedJudgeRow,
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


def test_a_judge_that_was_not_tried_has_one_sentence_and_a_button_and_no_row_of_dashes() -> None:
    columns = {name: name for name in "abcdef"}
    html = judges.table(
        [JudgeTableRow("able", "A", offer="40 images, 200 questions; free")], columns
    )
    assert html.count("not measured") == 1
    assert f'colspan="{len(columns)}"' in html
    assert 'data-try="able"' in html
    assert "40 images, 200 questions; free" in html


def test_a_row_that_does_not_add_up_carries_its_number_and_note() -> None:
    html = judges.published_table(
        [
            PublishedJudgeRow("good", ("1",)),
            PublishedJudgeRow("odd", ("2",), "It does not add up."),
        ],
        ("overall",),
        "From a paper.",
    )
    assert html.count("noted") == 1
    assert "odd<sup>1</sup>" in html
    assert "<sup>1</sup> odd: It does not add up." in html


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


def test_where_all_can_run_there_is_no_list_but_a_hint() -> None:
    assert unavailable_list([], True) == ""
    assert "Others can be typed." in unavailable_list([], True, "Others can be typed.")
