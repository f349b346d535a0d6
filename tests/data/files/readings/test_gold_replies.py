"""Gold replies are read as they are documented, and a fault is named with its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.readings.gold_replies import gold_replies

ROW: dict[str, Any] = {
    "question": "What color is the bird?",
    "choices": ["Red", "Blue"],
    "reply": "**B**",
    "expected": "B",
    "habit": "bold",
}


def _file(folder: Path, *rows: object) -> Path:
    file = folder / "replies.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def test_even_lines_are_held_out(tmp_path: Path) -> None:
    file = _file(tmp_path, ROW, ROW | {"expected": "unreadable", "reply": "A or B"}, ROW)
    assert [reply.line for reply in gold_replies("development", file)] == [1, 3]
    (held_out,) = gold_replies("test", file)
    assert (held_out.reply, held_out.expected, held_out.choices) == (
        "A or B",
        None,
        ("Red", "Blue"),
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (ROW | {"expected": "C"}, "line 2: expected is 'C': write the letter of a choice"),
        (ROW | {"reply": 3}, "line 2: reply is no text"),
        (ROW | {"choices": "Red"}, "line 2: choices is no list of texts"),
        ([ROW], "line 2: this is no JSON object"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, row: object, words: str) -> None:
    with pytest.raises(BadTable, match=words):
        gold_replies(file=_file(tmp_path, ROW, row))


def test_a_file_without_replies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="holds no reply"):
        gold_replies(file=_file(tmp_path))
    with pytest.raises(BadTable, match="cannot be opened"):
        gold_replies(file=tmp_path / "absent.jsonl")


def test_what_ships_has_over_500_different_replies_and_each_habit_in_both_halves() -> None:
    replies = gold_replies()
    assert len({(reply.choices, reply.reply) for reply in replies}) == len(replies) >= 500
    habits = [{reply.habit for reply in gold_replies(part)} for part in ("development", "test")]
    assert habits[0] == habits[1]
    unreadable = [reply for reply in replies if reply.expected is None]
    assert len(unreadable) >= 100
