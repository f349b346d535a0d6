"""The viewer: outlines, what belongs to what, and the numbers of the score panel."""

import json
import math
import re
from html import unescape
from pathlib import Path

import pytest
from test_cards import EVIL, QUESTION, no_markup_of, report, tile, verdict

from components import evidence
from data.records import Question

SQUARE = ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3))


def circle(cx: float, cy: float, r: float, points: int = 60, turn: int = 1) -> tuple[tuple[float, float], ...]:
    return tuple(
        (cx + r * math.cos(turn * 2 * math.pi * i / points), cy + r * math.sin(turn * 2 * math.pi * i / points)) for i in range(points)
    )


def test_area_and_middle_of_a_square() -> None:
    assert evidence.area(SQUARE) == pytest.approx(0.04)
    assert evidence.middle(SQUARE) == pytest.approx((0.2, 0.2))


def test_smoothing_keeps_a_circle_where_it_is() -> None:
    found = evidence.smooth(circle(0.5, 0.5, 0.2))
    assert evidence.middle(found) == pytest.approx((0.5, 0.5))
    assert abs(evidence.area(found)) == pytest.approx(math.pi * 0.04, rel=0.05)


def test_smoothing_leaves_a_small_shape_as_it_is() -> None:
    assert list(evidence.smooth((*SQUARE, SQUARE[0]))) == list(SQUARE)


def test_numbers_go_round_like_a_clock_and_leave_out_holes_and_slivers() -> None:
    top, right, hole, sliver = circle(0.5, 0.2, 0.1), circle(0.8, 0.5, 0.1), circle(0.5, 0.2, 0.05, turn=-1), circle(0.2, 0.9, 0.01)
    html = evidence.overlay([QUESTION], [], {"hydrogen atom": [right, hole, sliver, top]})
    numbers = re.findall(r'<text x="(\d+)" y="(\d+)"[^>]*>(\d)</text>', html)
    assert numbers == [("500", "200", "1"), ("800", "500", "2")]


def test_a_region_names_its_questions_and_their_states() -> None:
    other = Question("What color?", QUESTION.choices, "A", "color", ("hydrogen atom", "bond"))
    html = evidence.overlay(
        [QUESTION, other], [verdict("incorrect", "D"), verdict("correct")], {"hydrogen atom": [SQUARE], "elsewhere": [SQUARE]}
    )
    assert 'aria-label="hydrogen atom: question 1 incorrect; question 2 correct"' in html
    assert json.loads(unescape(re.search('data-questions="([^"]*)"', html).group(1))) == [0, 1]  # type: ignore[union-attr]
    assert "elsewhere" not in html, "a region no question is about is not shown"


def test_small_regions_lie_over_large_ones() -> None:
    asked = Question("?", QUESTION.choices, "A", "size", ("small", "large"))
    html = evidence.overlay([asked], [], {"small": [circle(0.5, 0.5, 0.05)], "large": [circle(0.5, 0.5, 0.3)]})
    assert html.index('data-part="large"') < html.index('data-part="small"')


def test_the_viewer_shows_score_strict_policy_judge_and_composition() -> None:
    html = evidence.viewer(
        tile(path=Path("/a.png"), reports=(report(verdict("correct"), verdict("incorrect", "D")),), judge="primer/judge", cached=True)
    )
    for words in (
        "0.60, counted 5, left out 0",
        "all correct (strict)",
        "under the papers’ rule",
        "primer/judge",
        "from the cache",
        "1 of 2",
    ):
        assert words in html


def test_several_trials_give_mean_and_deviation() -> None:
    reports = (report(verdict("correct"), value=1.0), report(verdict("incorrect", "D"), value=0.0))
    html = evidence.viewer(tile(path=Path("/a.png"), reports=reports))
    assert "mean of 2 trials" in html
    assert "0.50 ± 0.71" in html


def test_a_picture_without_regions_says_so_and_without_questions_gives_the_notice() -> None:
    html = evidence.viewer(tile(path=Path("/a.png"), questions=(), notice="There are no questions for this prompt yet."))
    assert "is not known here" in html
    assert "There are no questions for this prompt yet." in html


def test_the_viewer_shows_text_from_elsewhere_as_text() -> None:
    asked = Question(EVIL, (EVIL, "b", "c", "d", "None of the above"), "A", "color", (EVIL,))
    shown = tile(
        path=Path(f"/tmp/{EVIL}.png"),
        prompt=EVIL,
        name=EVIL,
        model=EVIL,
        key=EVIL,
        run=EVIL,
        judge=EVIL,
        questions=(asked,),
        notice=EVIL,
        why=EVIL,
    )
    assert no_markup_of(EVIL, evidence.viewer(shown, {EVIL: [SQUARE]}))


def test_nothing_chosen_is_an_empty_viewer() -> None:
    assert "panel" not in evidence.viewer(None)
