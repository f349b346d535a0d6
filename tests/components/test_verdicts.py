"""Truth, judge, jury and people are said beside a verdict, in words and with a sign."""

from dataclasses import replace

import pytest

from hallascope.components.cards.cards import grid, tile_card
from hallascope.components.comparison.jury import TITLE, jury_panel
from hallascope.components.html import truth
from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.human_verdicts import human_lines
from hallascope.components.html.judge_chip import (
    judge_chip,
    judge_mark,
    percent,
    reliability_text,
)
from hallascope.components.html.jury import DIFFER, member_line
from hallascope.data.records import Letter, MemberAnswer
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from hallascope.metrics.true_answers import JudgeErrors, TrueAnswer, TruthSource
from tests.support.tiles import report, tile, verdict

DRAWN = TrueAnswer("B", "Three", "drawn")


LABELED = TrueAnswer("B", "Three", "label")


@pytest.mark.parametrize(
    "answer, letter, text, source, words",
    [
        ("C", "B", "Three", "drawn", "Judge: Four · drawn: Three · the judge is wrong"),
        ("C", "B", "Three", "people", "Judge: Four · labeled: Three · the judge is wrong"),
        ("C", "C", "Four", "reference", "reference: Four · the judge is right"),
        (None, "C", "Four", "drawn", "drawn: Four · the judge gave no answer"),
        ("E", "E", "Six", "drawn", "drawn: Six (none of the choices) · the judge is right"),
    ],
)
def test_the_truth_is_said_in_one_line(
    answer: str | None, letter: Letter | None, text: str, source: TruthSource, words: str
) -> None:
    known = TrueAnswer(letter, text, source)
    assert truth.truth_text(verdict("correct", answer), known) == words


def test_the_bar_is_on_for_drawings_and_off_for_what_people_say() -> None:
    bar = truth.truth_bar(JudgeErrors(2, 15), [DRAWN, None, LABELED])
    assert "The judge is wrong on 2 of 15 answers that can be checked." in bar
    assert 'data-truth-default="on"' in bar
    assert "Judge is wrong (2)" in bar
    assert 'data-truth-default="off"' in truth.truth_bar(JudgeErrors(0, 1), [LABELED])
    assert truth.truth_bar(JudgeErrors(), [None]) == ""
    assert truth.truth_scope([LABELED]) == "truth-known truth-by-people"
    assert truth.truth_scope([None, DRAWN]) == "truth-known"
    assert truth.truth_scope([None]) == ""


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


JUDGE = "primer/judge"


KNOWN = JudgeReliability(
    judge=JUDGE,
    sensitivity=ExpectedShare(0.934, 0.909, 0.958, 472),
    specificity=ExpectedShare(0.983, 0.976, 0.99, 1528),
    kinds=("counting", "color"),
    not_measured=(),
    source="shipped trial",
    measured_on="400 Primer drawings",
    balanced_accuracy=ExpectedShare(0.9585, 0.944, 0.971, 2000),
    kappa=0.912,
    baseline=ExpectedShare(0.764, 0.73, 0.79, 2000),
)


def test_the_chip_leads_to_the_judge_by_an_address_of_its_own() -> None:
    html = fact_table([("judge", JUDGE), ("rules", "2")], KNOWN)
    assert 'href="?tab=trust&amp;judge=primer%2Fjudge"' in html
    assert html.count('class="judge-chip"') == 1
    assert "finds 93 % of errors" in html
    assert "accepts 98 % of facts" in html
    assert "on 400 Primer drawings" in html
    assert "on 400 Primer drawings" in judge_mark(JUDGE, KNOWN).partition(">")[2], (
        "not in a tooltip"
    )


def test_a_judge_that_was_not_measured_says_so_and_leads_to_where_it_can_be_tried() -> None:
    for html in (judge_chip(JUDGE), judge_mark(JUDGE, None)):
        assert "not tested on such images" in html.partition(">")[2]
        assert "?tab=trust" in html
        assert "Test it under Trust" in html
        assert "%</" not in html
        assert "finds" not in html


def test_the_sentence_has_intervals_counts_kinds_and_source() -> None:
    text = reliability_text(JUDGE, KNOWN)
    for words in (
        "counting, color",
        "finds 93 % of errors (95 % interval 91 % to 96 %, 472 violated facts asked)",
        "accepts 98 % of facts that hold (95 % interval 98 % to 99 %, 1,528 facts",
        "shipped trial on 400 Primer drawings.",
    ):
        assert words in text
    other = replace(KNOWN, not_measured=("color",))
    assert "Not fully measured: color." in reliability_text(JUDGE, other)


@pytest.mark.parametrize(
    "share, words",
    [(1.0, "100 %"), (0.998, "> 99 %"), (0.9, "90 %"), (0.001, "< 1 %"), (0.0, "0 %")],
)
def test_100_and_0_percent_are_said_only_where_there_is_no_exception(
    share: float, words: str
) -> None:
    assert percent(share) == words


def test_what_to_expect_of_a_judge_stands_on_a_card_or_once_above_all() -> None:
    judged = tile(judge=JUDGE, reports=(report(verdict("correct")),), reliability=KNOWN)
    other = replace(judged, name="another")
    assert "finds 93 %" in tile_card(judged)
    assert grid([judged, other]).count("judge-chip mark") == 1
    assert grid([judged, replace(other, reliability=None)]).count("judge-chip mark") == 2
    assert "judge-chip" not in grid([tile(judge=JUDGE, reliability=KNOWN)])
    assert "judge-chip" not in grid([replace(judged, judge=None)])


MEMBERS = (
    MemberAnswer(member="primer/judge", answer="C", raw="C) Four"),
    MemberAnswer(member="primer/counter", answer="B", raw="B) Three"),
    MemberAnswer(member="primer/caption-judge", failure="It is not said."),
)


def test_every_member_is_named_with_its_answer_and_then_the_jury() -> None:
    html = member_line(verdict("correct", members=MEMBERS))
    text = html.striptags()
    assert text.startswith(DIFFER)
    for words in ("judge: Four", "counter: Three", "caption-judge: abstains", "jury: Four"):
        assert words in text
    assert 'title="It is not said."' in html


def test_a_tie_and_a_reply_that_cannot_be_read_say_so() -> None:
    unread = MemberAnswer(member="m/x", raw="who knows")
    text = member_line(verdict("unreadable", None, members=(*MEMBERS, unread))).striptags()
    assert "jury: no majority" in text
    assert "x: left out" in text


@pytest.mark.parametrize(
    "answer, words",
    [
        ("Four", "Four · the judge is right"),
        ("Five", "Five · the judge is wrong"),
        ("?", "not visible"),
    ],
)
def test_a_line_says_whether_the_judge_is_right(answer: str, words: str) -> None:
    lines = human_lines(verdict("correct", "C"), {"Ann": answer})
    assert f"<b>Ann</b>: {words}</span>" in lines


ONE = MemberAnswer(member="m/one", answer="C")


TWO = MemberAnswer(member="m/two", answer="B")


SAME = MemberAnswer(member="m/two", answer="C")


def test_only_the_questions_on_which_members_differ_are_listed_with_their_share() -> None:
    verdicts = (
        verdict("correct", members=(ONE, SAME)),
        verdict("correct", members=(ONE, TWO)),
    )
    html = jury_panel([tile(reports=(report(*verdicts),))])
    assert TITLE in html
    assert "differ on 1 of 2 questions" in html
    assert "(50%)" in html
    assert html.count("jury-link") == 1
    assert 'data-chosen="question=2"' in html
    assert 'data-key="key1"' in html
    assert "<td>Three</td><td><b>Four</b></td><td>Four</td>" in html
    assert "1 of 2" in html
