"""Tests `hallascope reply-eval`: its figures, its list of mistakes, its bound and refusals."""

import json
from pathlib import Path
from typing import Any

import pytest

CHOICES = ["Red", "Blue", "None of the above"]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    file = tmp_path / "replies.jsonl"
    rows = [("B", "B", "letter"), ("Purple", "A", "words"), ("A) Red", "B", "letter")]
    file.write_text(
        "".join(
            json.dumps(
                {
                    "question": "What color is the bird?",
                    "choices": CHOICES,
                    "reply": reply,
                    "expected": expected,
                    "habit": habit,
                }
            )
            + "\n"
            for reply, expected, habit in rows
        ),
        encoding="utf-8",
    )
    return file


def test_the_shares_and_both_kinds_of_mistakes_are_reported(command: Any, gold: Path) -> None:
    result = command("reply-eval", "--part", "all", "--file", gold, "--json")
    assert result.code == 0
    assert (result.json["right"]["part"], result.json["right"]["of"]) == (1, 3)
    assert [row["read"] for row in result.json["misread"]] == ["A"]
    assert [row["reply"] for row in result.json["unread"]] == ["Purple"]
    assert result.json["by_habit"]["letter"]["of"] == 2


def test_mistakes_are_listed_by_line(command: Any, gold: Path) -> None:
    result = command("reply-eval", "--part", "all", "--file", gold, "--mistakes")
    assert "1 misread, 1 not read" in result.out
    assert "line 3: 'A) Red' names B, read was A" in result.out
    assert "line 2: 'Purple' names A, read was none" in result.out


def test_a_misread_reply_fails_whatever_the_bound_is(command: Any, gold: Path) -> None:
    assert command("reply-eval", "--part", "all", "--file", gold, "--at-least", "0.3").code == 1
    assert command("reply-eval", "--part", "test", "--file", gold, "--at-least", "0").code == 0
    assert command("reply-eval", "--part", "test", "--file", gold, "--at-least", "0.1").code == 1


def test_a_part_that_is_none_is_refused_in_one_sentence(command: Any) -> None:
    result = command("reply-eval", "--part", "half")
    assert (result.code, result.out) == (2, "")
    assert "There is no part 'half': choose development, test or all." in result.err


def test_of_the_gold_replies_that_ship_995_of_1000_are_read_right_and_none_is_misread(
    command: Any,
) -> None:
    result = command("reply-eval", "--part", "all", "--at-least", "0.995", "--json")
    assert result.code == 0
    assert result.json["misread"] == []
