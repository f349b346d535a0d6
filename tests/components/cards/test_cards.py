"""Cards say everything in words and escape everything that came from elsewhere."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.components.cards import cards
from hallascope.components.cards.cards import SIGNS, Tile
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Question, Report, Score, State, Verdict

CHOICES = ("Two", "Three", "Four", "Five", "None of the above")
QUESTION = Question(
    text="How many outer atoms are there?",
    choices=CHOICES,
    gold="C",
    coi="counting",
    regions=("hydrogen atom",),
)
EVIL = "<img src=x onerror=alert(1)>\"'`${1}{{2}}<script>alert(2)</script>"


def verdict(state: State, answer: str | None = "C", **changes: object) -> Verdict:
    return replace(
        Verdict(
            question=QUESTION,
            answer=answer,  # type: ignore[arg-type]
            state=state,
            raw="C) Four",
        ),
        **changes,  # type: ignore[arg-type]
    )


def report(
    *verdicts: Verdict, value: float | None = 0.6, counted: int = 5, left_out: int = 0
) -> Report:
    scores = {"score": Score(value, counted, left_out), "strict": Score(0.0, 1, 0)}
    return Report(
        metric="ihalla",
        version="1",
        prompt="a molecule",
        image="ab" * 32,
        scores=scores,
        verdicts=verdicts,
        published={"score": 0.6, "strict": 0.0},
    )


def tile(**changes: Any) -> Tile:
    return replace(
        Tile(
            run="run1",
            key="key1",
            model="primer/hasty",
            name="hasty",
            prompt="a molecule",
            seed=3,
            questions=(QUESTION,),
        ),
        **changes,
    )


def no_markup_of(evil: str, html: str) -> bool:
    """Whether no tag or quote of the text survived as markup."""
    return (
        "<script" not in html
        and "<img src=x" not in html
        and evil not in html
        and "\"'`" not in html
    )


def test_every_state_has_a_sign_a_word_and_one_of_three_colours() -> None:
    assert set(SIGNS) == {"correct", "incorrect", "abstained", "unreadable", "failed"}
    assert {s.kind for s in SIGNS.values()} == {"correct", "incorrect", "left-out"}
    assert all(s.word for s in SIGNS.values())


def test_a_score_says_what_it_counted() -> None:
    assert cards.score_with_counts(Score(0.6, 5, 0)) == "0.60, counted 5, left out 0"
    assert cards.score_with_counts(Score(None, 0, 5)) == "no score, counted 0, left out 5"


def test_two_answers_left_out_show_a_score_over_three() -> None:
    states: list[State] = ["correct", "incorrect", "correct", "failed", "unreadable"]
    assert cards.correct_of(states) == "2 of 3"
    assert cards.verdict_summary(states) == "2 of 3 correct, 2 left out"


def test_a_strip_has_a_place_for_every_question_before_it_is_answered() -> None:
    html = cards.verdict_strip([("Question 1:", "correct")], places=5)
    assert html.count("<li>") == 5
    assert html.count("not judged yet") == 4
    assert 'aria-label="Question 1: correct"' in html


def test_a_picture_with_findings_has_a_sign_for_each_of_them() -> None:
    found = Evidence(
        findings=(
            Finding(kind="color", expected="red circle", observed="", state="incorrect"),
            Finding(kind="extraneous", expected="", observed="star", state="incorrect"),
        )
    )
    shown = tile(questions=(), reports=(replace(report(), evidence=found),))
    assert shown.alt_text == "a molecule, by primer/hasty: 0 of 1 correct, 1 nobody asked for"
    html = cards.tile_card(shown)
    assert 'aria-label="color, red circle: incorrect"' in html
    assert 'aria-label="extraneous, star: incorrect"' in html


def test_a_question_names_gold_and_judge_in_words() -> None:
    html = cards.question_card(0, QUESTION, verdict("incorrect", "D"))
    assert re.search(r"Four <span class=\"who\">gold</span>", html)
    assert re.search(r"Five <span class=\"who\">judge</span>", html)
    agreed = cards.question_card(0, QUESTION, verdict("correct", "C"))
    assert "gold and judge" in agreed


def test_a_question_without_an_answer_says_why() -> None:
    assert "took longer than" in cards.question_card(
        0, QUESTION, verdict("failed", None, failure="The judge took longer than 20 s.")
    )
    assert "names no single choice" in cards.question_card(0, QUESTION, verdict("unreadable", None))


def test_all_trials_of_a_question_are_shown_where_there_are_several() -> None:
    html = cards.question_card(
        0, QUESTION, verdict("correct"), [verdict("correct"), verdict("incorrect", "D")]
    )
    assert "Trial 2: incorrect" in html
    assert "Trial" not in cards.question_card(0, QUESTION, verdict("correct"), [verdict("correct")])


@pytest.mark.parametrize("field", ["prompt", "model", "name", "key", "run", "doing"])
def test_a_card_shows_text_from_elsewhere_as_text(field: str) -> None:
    assert no_markup_of(
        EVIL, cards.grid([tile(**{field: EVIL}), tile(path=Path("/tmp/a.png"), **{field: EVIL})])
    )


def test_a_question_card_shows_text_from_elsewhere_as_text() -> None:
    evil = replace(QUESTION, text=EVIL, choices=(EVIL, *CHOICES[1:]), regions=(EVIL,))
    assert no_markup_of(
        EVIL,
        cards.question_card(
            0, evil, Verdict(question=evil, answer="A", state="incorrect", raw=EVIL, failure=EVIL)
        ),
    )


def test_a_place_without_a_picture_says_what_is_being_done_or_what_failed() -> None:
    assert "step 3 of 30" in cards.tile_card(tile(doing="step 3 of 30"))
    failed = cards.tile_card(tile(doing="cannot draw this", why="The prompt is empty."))
    assert "cannot draw this" in failed
    assert "failed" in failed


def test_a_card_changes_its_version_with_what_is_to_be_seen() -> None:
    versions = {
        re.findall('data-version="([^"]*)"', cards.tile_card(t))[0]
        for t in (
            tile(),
            tile(path=Path("/a.png")),
            tile(path=Path("/a.png"), reports=(report(verdict("correct")),)),
            tile(why="no"),
        )
    }
    assert len(versions) == 4


def test_the_alternative_text_states_the_verdict() -> None:
    html = cards.tile_card(
        tile(path=Path("/a.png"), reports=(report(verdict("correct"), verdict("incorrect", "D")),))
    )
    assert 'alt="a molecule, by primer/hasty: 1 of 2 correct"' in html
