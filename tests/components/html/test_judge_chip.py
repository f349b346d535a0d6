"""The chip of a judge says what to expect of it and leads to the Judges tab."""

from dataclasses import replace

import pytest

from hallascope.components.cards.cards import tile_card
from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.judge_chip import (
    judge_chip,
    judge_mark,
    percent,
    reliability_text,
)
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from tests.support.tiles import EVIL, no_markup_of, report, tile, verdict

JUDGE = "primer/judge"
KNOWN = JudgeReliability(
    judge=JUDGE,
    sensitivity=ExpectedShare(0.934, 0.909, 0.958, 472),
    specificity=ExpectedShare(0.983, 0.976, 0.99, 1528),
    kinds=("counting", "color"),
    not_measured=(),
    source="shipped trial",
    measured_on="Primer images",
    images=400,
    same_images=True,
    balanced_accuracy=ExpectedShare(0.9585, 0.944, 0.971, 2000),
    kappa=0.912,
    baseline=ExpectedShare(0.764, 0.73, 0.79, 2000),
)


@pytest.mark.parametrize("nobody", [None, "", "none"])
def test_where_nobody_judged_there_is_no_chip_and_no_mark(nobody: str | None) -> None:
    assert judge_chip(nobody) == "none"
    assert judge_mark(nobody, None) == ""


def test_the_chip_leads_to_the_judge_by_an_address_of_its_own() -> None:
    html = fact_table([("judge", JUDGE), ("rules", "2")], KNOWN)
    assert 'href="?tab=judges&amp;judge=primer%2Fjudge"' in html
    assert html.count('class="judge-chip"') == 1
    assert "finds 93 % of errors" in html
    assert "accepts 98 % of facts" in html
    assert "on 400 Primer images" in html


def test_a_judge_that_was_not_measured_says_so_and_leads_to_where_it_can_be_tried() -> None:
    for html in (judge_chip(JUDGE), judge_mark(JUDGE, None)):
        assert "not measured" in html
        assert "?tab=judges" in html
        assert "where it can be tried" in html
        assert "%</" not in html
        assert "finds" not in html


def test_half_of_it_is_said_where_only_half_was_measured() -> None:
    half = replace(KNOWN, sensitivity=None)
    assert "errors not measured" in judge_chip(JUDGE, half)
    assert "accepts 98 %" in judge_chip(JUDGE, half)
    assert "finds ?" in judge_mark(JUDGE, half)
    assert "errors: not measured" in judge_mark(JUDGE, half)
    assert "not measured" in judge_chip(JUDGE, replace(half, specificity=None))
    assert "finds" not in judge_mark(JUDGE, replace(half, specificity=None))


def test_the_sentence_has_intervals_counts_kinds_and_source() -> None:
    text = reliability_text(JUDGE, KNOWN)
    for words in (
        "counting, color",
        "finds 93 % of errors (95 % interval 91 % to 96 %, 472 violated facts asked)",
        "accepts 98 % of facts that hold (95 % interval 98 % to 99 %, 1,528 facts",
        "shipped trial on 400 Primer images.",
    ):
        assert words in text
    other = replace(KNOWN, same_images=False, not_measured=("color",))
    assert "on other images it may differ" in reliability_text(JUDGE, other)
    assert "Not fully measured: color." in reliability_text(JUDGE, other)


@pytest.mark.parametrize(
    ("share", "words"),
    [(1.0, "100 %"), (0.998, "> 99 %"), (0.9, "90 %"), (0.001, "< 1 %"), (0.0, "0 %")],
)
def test_100_and_0_percent_are_said_only_where_there_is_no_exception(
    share: float, words: str
) -> None:
    assert percent(share) == words


def test_a_card_has_the_mark_once_its_judge_has_judged() -> None:
    judged = tile(judge=JUDGE, reports=(report(verdict("correct")),), reliability=KNOWN)
    assert tile_card(judged).count("judge-chip mark") == 1
    assert "finds 93 %" in tile_card(judged)
    assert "judge-chip" not in tile_card(tile(judge=JUDGE, reliability=KNOWN))
    assert "judge-chip" not in tile_card(replace(judged, judge=None))


def test_the_name_of_a_judge_stays_text() -> None:
    for html in (judge_chip(EVIL), judge_mark(EVIL, KNOWN)):
        assert no_markup_of(EVIL, html)
        assert "&lt;img" in html


def test_the_title_says_what_always_giving_the_expected_answer_would_reach() -> None:
    text = reliability_text(JUDGE, KNOWN)
    assert (
        "Balanced accuracy 96 % (95 % interval 94 % to 97 %), Cohen's kappa 0.91; always giving the"
        " expected answer would be right on 76 % of these questions."
    ) in text
    half = replace(KNOWN, sensitivity=None, balanced_accuracy=None, kappa=None, baseline=None)
    assert "Balanced accuracy" not in reliability_text(JUDGE, half)
