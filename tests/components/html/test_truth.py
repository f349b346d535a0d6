"""The truth beside a verdict: said in words with an icon, escaped, and quiet where the judge is
right.
"""

import pytest

from hallascope.components.cards.cards import grid
from hallascope.components.comparison.tables import side_by_side
from hallascope.components.evidence.exhibits import verdicts
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html import truth
from hallascope.data.records import Letter
from hallascope.metrics.true_answers import JudgeErrors, TrueAnswer, TruthSource
from tests.support.tiles import EVIL, no_markup_of, report, tile, verdict

DRAWN = TrueAnswer("B", "Three", "drawn")
LABELED = TrueAnswer("B", "Three", "label")


@pytest.mark.parametrize(
    ("answer", "letter", "text", "source", "words"),
    [
        ("C", "B", "Three", "drawn", "Judge: Four · drawn: Three · the judge is wrong"),
        ("C", "B", "Three", "label", "Judge: Four · labeled: Three · the judge is wrong"),
        ("C", "B", "Three", "people", "Judge: Four · labeled: Three · the judge is wrong"),
        ("C", "C", "Four", "drawn", "drawn: Four · the judge is right"),
        ("C", "C", "Four", "reference", "reference: Four · the judge is right"),
        (None, "C", "Four", "drawn", "drawn: Four · the judge gave no answer"),
        ("E", "E", "Six", "drawn", "drawn: Six (none of the choices) · the judge is right"),
        ("C", None, "Six", "drawn", "Judge: Four · drawn: Six · the judge is wrong"),
    ],
)
def test_the_truth_is_said_in_one_line(
    answer: str | None, letter: Letter | None, text: str, source: TruthSource, words: str
) -> None:
    known = TrueAnswer(letter, text, source)
    assert truth.truth_text(verdict("correct", answer), known) == words


def test_a_judge_that_is_wrong_has_an_icon_of_its_own_beside_the_words() -> None:
    wrong = truth.truth_line(verdict("correct"), DRAWN)
    right = truth.truth_line(verdict("correct"), TrueAnswer("C", "Four", "drawn"))
    icons = [html[html.index(' d="') : html.index("</svg>")] for html in (wrong, right)]
    assert icons[0] != icons[1]
    assert "the judge is wrong" in wrong
    assert truth.truth_line(verdict("correct"), None) == ""
    assert truth.truth_mark(verdict("correct"), TrueAnswer("C", "Four", "drawn")) == ""
    assert 'aria-label="Judge: Four · drawn: Three · the judge is wrong"' in truth.truth_mark(
        verdict("correct"), DRAWN
    )


def test_the_bar_is_on_for_drawings_and_off_for_what_people_say() -> None:
    bar = truth.truth_bar(JudgeErrors(2, 15), [DRAWN, None, LABELED])
    assert "The judge is wrong on 2 of 15 answers whose truth is known." in bar
    assert 'data-truth-default="on"' in bar
    assert "Judge is wrong (2)" in bar
    assert 'data-truth-default="off"' in truth.truth_bar(JudgeErrors(0, 1), [LABELED])
    assert truth.truth_bar(JudgeErrors(), [None]) == ""
    assert truth.truth_scope([LABELED]) == "truth-known truth-by-people"
    assert truth.truth_scope([None, DRAWN]) == "truth-known"
    assert truth.truth_scope([None]) == ""


def test_cards_table_and_viewer_say_it_and_name_what_a_filter_keeps() -> None:
    shown = tile(
        reports=(report(verdict("correct")),), truths=(DRAWN,), errors=JudgeErrors(wrong=1, known=1)
    )
    other = tile(key="key2", name="other", reports=(report(verdict("correct")),))
    cards = grid([shown, other])
    assert cards.count("the judge is wrong on 1 of 1") == 1
    assert 'class="tile judge-wrong"' in cards
    assert 'class="pictures truth-known"' in cards
    table = side_by_side([shown, other])
    assert "drawn: Three · the judge is wrong" in table
    assert '<tr class="judge-wrong">' in table
    assert table.count('<th scope="col" class="judge-wrong">') == 1
    evidence = viewer([verdicts.exhibit(shown)])
    assert "Judge: Four · drawn: Three · the judge is wrong" in evidence
    assert 'class="question correct judge-wrong"' in evidence
    assert '<span class="who truth">drawn</span>' in evidence


def test_without_known_truth_nothing_of_it_is_shown() -> None:
    shown = tile(reports=(report(verdict("correct")),))
    for html in (grid([shown]), side_by_side([shown]), viewer([verdicts.exhibit(shown)])):
        assert "truth" not in html
        assert "judge is" not in html


def test_where_the_judge_is_wrong_nowhere_the_filter_leaves_a_sentence() -> None:
    right = TrueAnswer("C", "Four", "drawn")
    shown = tile(
        reports=(report(verdict("correct")),), truths=(right,), errors=JudgeErrors(wrong=0, known=1)
    )
    for html in (grid([shown]), side_by_side([shown]), viewer([verdicts.exhibit(shown)])):
        assert "The judge is wrong on none of these answers." in html
        assert "judge-wrong" not in html


def test_a_hostile_answer_stays_text() -> None:
    known = TrueAnswer("B", EVIL, "drawn")
    shown = tile(
        reports=(report(verdict("correct")),), truths=(known,), errors=JudgeErrors(wrong=1, known=1)
    )
    for html in (grid([shown]), side_by_side([shown]), viewer([verdicts.exhibit(shown)])):
        assert no_markup_of(EVIL, html)


def test_the_truth_stands_as_a_strip_beside_that_of_the_judge() -> None:
    questions = [verdict("correct").question] * 3
    holds, violated = TrueAnswer("C", "Four", "drawn"), TrueAnswer("B", "Three", "drawn")
    strip = truth.truth_strip(questions, [holds, violated, None])
    assert "Question 1: right in the image" in strip
    assert "Question 2: wrong in the image (Three)" in strip
    assert "Question 3: not known" in strip
    assert truth.truth_strip(questions, [None, None, None]) == ""
    assert truth.truth_strip(questions, []) == ""


def test_a_strip_of_truths_escapes_what_an_image_shows() -> None:
    strip = truth.truth_strip([verdict("correct").question], [TrueAnswer("B", EVIL, "label")])
    assert no_markup_of(EVIL, strip)


def test_found_errors_missed_ones_and_false_alarms_are_counted_in_words() -> None:
    holds, violated = TrueAnswer("C", "Four", "drawn"), TrueAnswer("B", "Three", "drawn")
    verdicts_ = [
        verdict("incorrect", "B"),  # drawn so, and seen
        verdict("incorrect", "D"),  # flagged, though with another answer
        verdict("correct", "C"),  # the judge accepts what is wrong
        verdict("incorrect", "B"),  # the judge flags what is right
        verdict("correct", "C"),
    ]
    words = truth.outcome_count(verdicts_, [violated, violated, violated, holds, holds])
    assert [part in words for part in ("2 found", "1 missed", "1 false alarm")] == [True] * 3
    assert truth.outcome_count(verdicts_[-1:], [holds]) == ""
    assert truth.outcome_count(verdicts_[:1], [None]) == ""
