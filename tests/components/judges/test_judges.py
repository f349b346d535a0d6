"""Judges as tables: every text is a text, what cannot run is folded away with its reason, published
rows that do not add up are marked.
"""

from hallascope.components.judges import judges
from hallascope.components.judges.judges import (
    Bars,
    JudgePairView,
    JudgeTableCell,
    JudgeTableRow,
    PublishedJudgeRow,
    QuestionDisagreement,
)

EVIL = "<img src=x onerror=alert(1)>\"'"


def test_every_text_of_every_table_is_escaped() -> None:
    cell = JudgeTableCell(EVIL, EVIL, 0.5)
    shown = [
        judges.table(
            [JudgeTableRow(EVIL, EVIL, {EVIL: cell}), JudgeTableRow(EVIL + "2", EVIL, reason=EVIL)],
            {EVIL: EVIL},
        ),
        judges.detail(
            JudgeTableRow(EVIL, EVIL, {}, EVIL, EVIL), [Bars(EVIL, ((EVIL, cell),), EVIL)]
        ),
        judges.agreement_table(
            [JudgePairView(EVIL, EVIL, cell, cell)],
            [QuestionDisagreement(EVIL, EVIL, {EVIL: EVIL, "b": None})],
            3,
        ),
        judges.published_table([PublishedJudgeRow(EVIL, (EVIL,), EVIL)], (EVIL,), EVIL),
    ]
    for html in shown:
        assert "<img" not in html
        assert "&lt;img" in html
        assert 'onerror=alert(1)>"' not in html


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
    assert judges.UNKNOWN not in html
    assert 'class="bar"' not in html


def test_a_judge_that_was_not_tried_has_one_sentence_and_a_button_and_no_row_of_dashes() -> None:
    columns = {name: name for name in "abcdef"}
    html = judges.table(
        [JudgeTableRow("able", "A", offer="40 images, 200 questions; free")], columns
    )
    assert html.count("not measured") == 1
    assert f'colspan="{len(columns)}"' in html
    assert judges.UNKNOWN not in html
    assert 'data-try="able"' in html
    assert "40 images, 200 questions; free" in html


def test_a_judge_without_an_offer_has_no_button_and_one_that_was_used_has_a_row_all_the_same() -> (
    None
):
    rows = [
        JudgeTableRow("used", "U", reason="No key.", used=True),
        JudgeTableRow("unused", "N", reason="No key."),
    ]
    html = judges.table(rows, {"x": "the x"})
    assert "data-try" not in html
    assert '<tr data-judge="used">' in html
    assert '<tr data-judge="unused">' not in html


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


def test_a_long_group_shows_its_first_bars_and_folds_the_others_away() -> None:
    rows = tuple((f"concept {number}", JudgeTableCell("0.5", "", 0.5)) for number in range(40))
    row = JudgeTableRow("test/judge", "Test", {}, None, "")
    text = str(judges.detail(row, [Bars("By concept", rows)]))
    first, folded = text.split("<details")
    assert first.count("<li") == judges.MOST_BARS
    assert folded.count("<li") == 40 - judges.MOST_BARS
    assert f"{40 - judges.MOST_BARS} more" in folded
