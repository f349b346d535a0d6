"""Sets of questions as JSON lines are read line by line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from hallascope.data.files.question_files import (
    read_question_file,
    write_jsonl,
)
from hallascope.data.records import (
    QuestionSet,
)
from tests.support.question_sets import (
    METHANE,
    WATER,
)


def change(path: Path, sheet: str, cell: str, value: Any) -> list[str]:
    """What is wrong once a cell was changed."""
    book = load_workbook(path)
    book[sheet][cell] = value
    book.save(path)
    return [str(complaint) for complaint in read_question_file(path)[1]]


def changed(
    tmp_path: Path, change: Callable[[dict[str, object]], object]
) -> tuple[list[QuestionSet], list[str]]:
    """What is read once the first of two sets was changed."""
    path = tmp_path / "sets.jsonl"
    write_jsonl([METHANE, WATER], path)
    one, two = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    change(one)
    path.write_text(f"{json.dumps(one)}\n\n{json.dumps(two)}", encoding="utf-8")
    found, complaints = read_question_file(path)
    return found, [str(complaint) for complaint in complaints]


@pytest.mark.parametrize(
    ("change", "problem", "left"),
    [
        (
            lambda one: one["questions"][0].update(answer="F"),
            "row 1: question 1: the answer 'F' is neither",
            [1, 1],
        ),
        (
            lambda one: one["questions"][0].update(choices="A"),
            "row 1: question 1: 'choices' is no list of texts",
            [1, 1],
        ),
        (
            lambda one: one["questions"][0].pop("question"),
            "row 1: question 1: the question is empty",
            [1, 1],
        ),
        (lambda one: one["questions"].insert(0, 3), "row 1: question 1: is no JSON object", [2, 1]),
        (
            lambda one: one.update(questions=None),
            "row 1: has no list 'questions'; the set is left out",
            [1],
        ),
        (lambda one: one.update(prompt=7), "row 1: 'prompt' is no text; the set is left out", [1]),
        (
            lambda one: one.update(category="Chemistry"),
            "row 1: the category 'Chemistry' is none of",
            [1],
        ),
        (lambda one: one.update(provenance=[]), "row 1: its provenance is no JSON object", [1]),
        (
            lambda one: one["provenance"].update(difficulty={"a": "awful"}),
            "row 1: the difficulty 'awful' is none of",
            [1],
        ),
    ],
)
def test_a_damaged_field_is_named_with_its_line(
    tmp_path: Path, change: Callable[[dict[str, object]], object], problem: str, left: list[int]
) -> None:
    found, said = changed(tmp_path, change)
    assert problem in said[0]
    assert [len(one.questions) for one in found] == left


def test_a_line_that_is_no_json_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "sets.jsonl"
    write_jsonl([WATER], path)
    path.write_text(
        "{\n[1]\n" + "[" * 100_000 + "\n" + path.read_text(encoding="utf-8"), encoding="utf-8"
    )
    found, complaints = read_question_file(path)
    assert found == [WATER]
    assert [(each.row, each.problem) for each in complaints] == [
        (n, "is no JSON object; the line is left out") for n in (1, 2, 3)
    ]
